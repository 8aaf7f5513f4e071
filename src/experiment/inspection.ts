/**
 * What is in a data set: sizes, classes, degrees, components, symmetry, isomorphic copies, and what reading it had to clean.
 *
 * Everything is counted in one pass over the graphs, O(nodes + edges), with a sort for quartiles; isomorphic copies are
 * looked for when there is more than one graph. The result is plain JSON.
 */
import { badCall, throwIfAborted } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Dataset } from "../data/dataset.js";
import type { CleaningReport } from "../graph/cleaning.js";
import { connectedComponents } from "../graph/components.js";
import type { Graph } from "../graph/graph.js";
import { isomorphismGroups } from "../graph/isomorphism.js";
import { TwinFinder } from "../graph/twins.js";
import { type Distribution, distribution } from "./distribution.js";

export interface Inspection {
  name: string;
  graphs: number;
  /** Number of classes, 0 when the graphs carry none. */
  classes: number;
  classNames: string[];
  classCounts: number[];
  /** Share of the graphs that the largest class holds, null without classes. */
  largestClassShare: number | null;
  perClass: ClassSummary[];
  meanNodes: number;
  /** Edges counted once, self-loops included. */
  meanEdges: number;
  totalNodes: number;
  totalEdges: number;
  /** Nodes in a graph, over graphs. */
  nodes: Distribution;
  /** Edges in a graph, over graphs. */
  edges: Distribution;
  /** Neighbours of a node, over all nodes of all graphs; a self-loop counts once. */
  degrees: Distribution;
  /** Edges that are no loops over pairs of nodes, mean over graphs of two nodes or more. */
  meanDensity: number;
  isolatedNodes: number;
  selfLoops: number;
  /** Graphs without a node, graphs without an edge. */
  emptyGraphs: number;
  edgelessGraphs: number;
  weighted: boolean;
  /** Number of different node labels, 0 without. */
  nodeLabels: number;
  attributeDimension: number;
  /** The numbers to predict, null when there are none. */
  targets: Distribution | null;
  components: { mean: number; max: number; connectedShare: number };
  twins: TwinSummary;
  isomorphic: IsomorphismSummary;
  memoryBytes: number;
  /** What building the graphs did to the edges that were read. */
  cleaned: CleaningReport;
  notes: string[];
}

/** Means over the graphs of one class. */
export interface ClassSummary {
  name: string;
  graphs: number;
  meanNodes: number;
  meanEdges: number;
  meanDensity: number;
}

/** The classes with the most graphs, at most `count` of them, in the order of the classes. */
export function largestClasses({ classCounts }: Pick<Inspection, "classCounts">, count: number): number[] {
  const bySize = classCounts.map((_, c) => c).sort((a, b) => classCounts[b] - classCounts[a] || a - b);
  return bySize.slice(0, count).sort((a, b) => a - b);
}

/** Twins are nodes with the same weights to all others. */
export interface TwinSummary {
  /** Nodes that have at least one twin, and their share of all nodes. */
  nodes: number;
  share: number;
  /** Classes of twins, single nodes included, and how many a graph has: the nodes that remain when symmetry is used. */
  classes: number;
  meanClasses: number;
}

export interface IsomorphismSummary {
  /** Graphs that remain when copies are left out; node labels do not count. */
  distinct: number;
  copies: number;
  /** Graphs in the largest group of copies. */
  largestGroup: number;
  /** Groups of copies that hold graphs of more than one class, and how many graphs those are. */
  mixedGroups: number;
  mixedGraphs: number;
  /** The best accuracy that is possible by structure alone on these very graphs; null without classes. */
  ceiling: number | null;
  /** Pairs that were not decided and count as different. */
  undecided: number;
}

export function inspectDataset(dataset: Dataset, control: RunControl = {}): Inspection {
  for (const name of Object.keys(control))
    if (name !== "signal" && name !== "onProgress") throw badCall(`inspect: unknown option: ${name}`);
  const { graphs, classes, classNames } = dataset;
  const nodes = Float64Array.from(graphs, (graph) => graph.nodeCount);
  const edges = Float64Array.from(graphs, (graph) => graph.edgeCount);
  const densities = Float64Array.from(graphs, density);
  const structure = countStructure(graphs, control);
  const totalNodes = sum(nodes);
  const classCounts = Array.from({ length: classNames.length }, () => 0);
  if (classes !== null) for (const c of classes) classCounts[c]++;
  const atLeastOne = Math.max(1, graphs.length);
  return {
    name: dataset.name,
    graphs: graphs.length,
    classes: classes === null ? 0 : classNames.length,
    classNames,
    classCounts,
    largestClassShare:
      classes === null || graphs.length === 0
        ? null
        : classCounts.reduce((a, b) => Math.max(a, b), 0) / graphs.length,
    perClass: summariseClasses(dataset, nodes, edges, densities),
    meanNodes: mean(nodes),
    meanEdges: mean(edges),
    totalNodes,
    totalEdges: sum(edges),
    nodes: distribution(nodes),
    edges: distribution(edges),
    degrees: distribution(structure.degrees),
    meanDensity: mean(densities.filter((_, g) => nodes[g] > 1)),
    isolatedNodes: structure.degrees.reduce((count, d) => count + (d === 0 ? 1 : 0), 0),
    selfLoops: graphs.reduce((count, graph) => count + graph.selfLoopCount, 0),
    emptyGraphs: nodes.filter((n) => n === 0).length,
    edgelessGraphs: edges.filter((m) => m === 0).length,
    weighted: graphs.some((graph) => graph.weights !== null),
    nodeLabels: structure.labels.size,
    attributeDimension: graphs.reduce((most, graph) => Math.max(most, graph.attributeDimension), 0),
    targets: dataset.targets && distribution(dataset.targets),
    components: {
      mean: structure.components / atLeastOne,
      max: structure.mostComponents,
      connectedShare: structure.connected / atLeastOne,
    },
    twins: {
      nodes: structure.twinNodes,
      share: structure.twinNodes / Math.max(1, totalNodes),
      classes: structure.twinClasses,
      meanClasses: structure.twinClasses / atLeastOne,
    },
    isomorphic: summariseCopies(dataset, control),
    memoryBytes: graphs.reduce((bytes, graph) => bytes + graph.byteLength, 0),
    cleaned: { ...dataset.cleaning },
    notes: [...dataset.notes],
  };
}

function summariseClasses(
  { classes, classNames }: Dataset,
  nodes: Float64Array,
  edges: Float64Array,
  densities: Float64Array,
): ClassSummary[] {
  const rows = classNames.map((name) => ({ name, graphs: 0, meanNodes: 0, meanEdges: 0, meanDensity: 0 }));
  classes?.forEach((c, g) => {
    rows[c].graphs++;
    rows[c].meanNodes += nodes[g];
    rows[c].meanEdges += edges[g];
    rows[c].meanDensity += densities[g];
  });
  for (const row of rows) {
    const count = Math.max(1, row.graphs);
    row.meanNodes /= count;
    row.meanEdges /= count;
    row.meanDensity /= count;
  }
  return rows;
}

/** The pass over the rows of all graphs. */
function countStructure(graphs: readonly Graph[], { signal, onProgress }: RunControl) {
  const degrees = new Float64Array(graphs.reduce((count, graph) => count + graph.nodeCount, 0));
  const labels = new Set<number>();
  const finder = new TwinFinder();
  let at = 0;
  let components = 0;
  let mostComponents = 0;
  let connected = 0;
  let twinNodes = 0;
  let twinClasses = 0;
  for (let g = 0; g < graphs.length; g++) {
    throwIfAborted(signal);
    const graph = graphs[g];
    for (let i = 0; i < graph.nodeCount; i++) degrees[at++] = graph.neighbourCount(i);
    if (graph.labels !== null) for (const label of graph.labels) labels.add(label);
    const { count } = connectedComponents(graph);
    components += count;
    mostComponents = Math.max(mostComponents, count);
    if (count <= 1) connected++;
    const twins = finder.find(graph);
    twinClasses += twins.count;
    for (let p = 0; p < twins.count; p++) if (twins.size[p] > 1) twinNodes += twins.size[p];
    if (g % 256 === 255 || g === graphs.length - 1)
      onProgress?.({ task: "measuring graphs", done: g + 1, total: graphs.length, unit: "graphs" });
  }
  return { degrees, labels, components, mostComponents, connected, twinNodes, twinClasses };
}

function summariseCopies({ graphs, classes, classNames }: Dataset, control: RunControl): IsomorphismSummary {
  const { group, count, undecided } = isomorphismGroups(graphs, control);
  const kinds = Math.max(1, classNames.length);
  const tally = new Uint32Array(count * kinds);
  for (let g = 0; g < graphs.length; g++) tally[group[g] * kinds + (classes?.[g] ?? 0)]++;
  const summary = { largestGroup: 0, mixedGroups: 0, mixedGraphs: 0, right: 0 };
  for (let p = 0; p < count; p++) {
    const row = tally.subarray(p * kinds, (p + 1) * kinds);
    const size = row.reduce((a, b) => a + b, 0);
    const best = row.reduce((a, b) => Math.max(a, b), 0);
    summary.largestGroup = Math.max(summary.largestGroup, size);
    summary.right += best;
    if (best === size) continue;
    summary.mixedGroups++;
    summary.mixedGraphs += size;
  }
  const { right, ...counts } = summary;
  return {
    distinct: count,
    copies: graphs.length - count,
    ...counts,
    ceiling: classes === null || graphs.length === 0 ? null : right / graphs.length,
    undecided,
  };
}

/** Edges that are no loops over pairs of nodes; 0 for fewer than two nodes. */
function density({ nodeCount: n, edgeCount, selfLoopCount }: Graph): number {
  return n < 2 ? 0 : (2 * (edgeCount - selfLoopCount)) / (n * (n - 1));
}

function sum(values: Float64Array): number {
  return values.reduce((a, b) => a + b, 0);
}

const mean = (values: Float64Array) => (values.length === 0 ? 0 : sum(values) / values.length);
