/**
 * Graphs from and to the shapes that other code has: adjacency lists, dense matrices, graphology. All go through buildGraph
 * and its rules, and give its cleaning report. graphology is described by the few methods that are used, not imported.
 */
import { badData, unknownName } from "../base/errors.js";
import { type BuiltGraph, buildGraph } from "./build.js";
import type { Graph } from "./graph.js";

/** lists[i] holds the neighbours of node i. An edge may stand in one list or in both. O(entries). */
export function fromAdjacencyList(lists: readonly ArrayLike<number>[]): BuiltGraph {
  const sources: number[] = [];
  const targets: number[] = [];
  lists.forEach((neighbours, i) => {
    for (let k = 0; k < neighbours.length; k++) {
      const j = neighbours[k];
      if (!(Number.isInteger(j) && j >= 0 && j < lists.length))
        throw badData(
          `adjacency list: neighbour ${k} of node ${i}: got ${j}, expected 0 to ${lists.length - 1}`,
        );
      sources.push(i);
      targets.push(j);
    }
  });
  return buildGraph({ nodeCount: lists.length, sources, targets }, "adjacency list");
}

/** The neighbours of each node, ascending, every edge in both lists. Weights are left out. */
export function toAdjacencyList(graph: Graph): number[][] {
  const { offsets, targets } = graph;
  return Array.from({ length: graph.nodeCount }, (_, i) =>
    Array.from(targets.subarray(offsets[i], offsets[i + 1])),
  );
}

/** A square matrix by rows in one array. */
export interface DenseMatrix {
  rows: number;
  data: ArrayLike<number>;
}

export interface FromDenseOptions {
  /** Take max(A_ij, A_ji) where the two differ, instead of refusing the matrix. Default false. */
  symmetrise?: boolean;
}

/** Entry (i, j) is the weight of the edge {i, j}, 0 means none. O(n²). */
export function fromDense(
  matrix: readonly ArrayLike<number>[] | DenseMatrix,
  options: FromDenseOptions = {},
): BuiltGraph {
  rejectUnknown(options, ["symmetrise"]);
  const dense = "data" in matrix ? matrix : null;
  const rows = dense === null ? (matrix as readonly ArrayLike<number>[]) : null;
  const n = dense === null ? rows!.length : dense.rows;
  if (dense !== null && !(Number.isInteger(n) && n >= 0 && dense.data.length === n * n))
    throw badData(`dense matrix: got ${dense.data.length} numbers in ${n} rows, expected ${n * n}`);
  rows?.forEach((row, i) => {
    if (row.length !== n) throw badData(`dense matrix: row ${i} has ${row.length} entries, expected ${n}`);
  });
  const entry = (i: number, j: number) => (dense === null ? rows![i][j] : dense.data[i * n + j]);
  const sources: number[] = [];
  const targets: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const weight = entry(i, j);
      if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
        throw badData(`dense matrix: entry (${i}, ${j}) must be finite and not negative: got ${weight}`);
      if (options.symmetrise !== true && weight !== entry(j, i))
        throw badData(
          `dense matrix: not symmetric: entry (${i}, ${j}) is ${weight}, entry (${j}, ${i}) is ${entry(j, i)}; give symmetrise: true to take the larger`,
        );
      if (weight === 0) continue;
      sources.push(i);
      targets.push(j);
      weights.push(weight);
    }
  const unit = weights.every((weight) => weight === 1);
  return buildGraph({ nodeCount: n, sources, targets, weights: unit ? null : weights }, "dense matrix");
}

/** The adjacency matrix by rows: n² numbers. */
export function toDense(graph: Graph): Float64Array {
  const { nodeCount: n, offsets, targets, weights } = graph;
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let k = offsets[i]; k < offsets[i + 1]; k++)
      matrix[i * n + targets[k]] = weights === null ? 1 : weights[k];
  return matrix;
}

type GraphologyAttributes = Record<string, unknown>;

/** What is used of a graphology graph to read it. */
export interface GraphologyLike {
  forEachNode(visit: (node: string, attributes: GraphologyAttributes) => void): void;
  forEachEdge(
    visit: (edge: string, attributes: GraphologyAttributes, source: string, target: string) => void,
  ): void;
}

/** What is used of a graphology graph to fill it. */
export interface GraphologyTarget {
  addNode(node: string, attributes?: GraphologyAttributes): unknown;
  addEdge(source: string, target: string, attributes?: GraphologyAttributes): unknown;
}

export interface GraphologyOptions {
  /** Edge attribute with the weight; an edge without it has weight 1. Default "weight". */
  weight?: string;
  /** Node attribute with an integer label. Labels are carried only when this is given. */
  label?: string;
  /** Node attribute with a list of numbers. Attributes are carried only when this is given. */
  attributes?: string;
}

const GRAPHOLOGY_OPTIONS = ["weight", "label", "attributes"];

/** Directed edges are symmetrised. nodeIds[i] is graphology's key of node i. O(nodes + edges). */
export function fromGraphology(
  graph: GraphologyLike,
  options: GraphologyOptions = {},
): BuiltGraph & { nodeIds: string[] } {
  rejectUnknown(options, GRAPHOLOGY_OPTIONS);
  const weightKey = options.weight ?? "weight";
  const nodeIds: string[] = [];
  const index = new Map<string, number>();
  const labels: number[] = [];
  const values: number[] = [];
  let dimension = -1;
  graph.forEachNode((node, attributes) => {
    index.set(node, nodeIds.push(node) - 1);
    if (options.label !== undefined) {
      const label = attributes[options.label];
      if (typeof label !== "number" || label !== (label | 0))
        throw badData(
          `graphology: node ${node}: ${options.label}: got ${shown(label)}, expected a 32-bit integer`,
        );
      labels.push(label);
    }
    if (options.attributes !== undefined) {
      const row = attributes[options.attributes];
      if (dimension < 0 && Array.isArray(row)) dimension = row.length;
      if (!(Array.isArray(row) && row.length === dimension && row.every(Number.isFinite)))
        throw badData(
          `graphology: node ${node}: ${options.attributes}: got ${shown(row)}, expected ${dimension < 0 ? "a list of" : dimension} finite numbers`,
        );
      for (const value of row) values.push(value);
    }
  });
  const sources: number[] = [];
  const targets: number[] = [];
  const weights: number[] = [];
  graph.forEachEdge((edge, attributes, source, target) => {
    const weight = attributes[weightKey] ?? 1;
    if (typeof weight !== "number" || !(weight >= 0 && weight < Number.POSITIVE_INFINITY))
      throw badData(
        `graphology: edge ${edge} (${source}-${target}): ${weightKey} must be a finite number that is not negative: got ${shown(weight)}`,
      );
    sources.push(index.get(source)!);
    targets.push(index.get(target)!);
    weights.push(weight);
  });
  const built = buildGraph(
    {
      nodeCount: nodeIds.length,
      sources,
      targets,
      weights: weights.every((weight) => weight === 1) ? null : weights,
      labels: options.label === undefined ? null : labels,
      attributes: dimension > 0 ? { values, dimension } : null,
    },
    "graphology",
  );
  return { ...built, nodeIds };
}

const shown = (value: unknown) =>
  typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "nothing");

/**
 * A new graphology graph, undirected and without parallel edges: toGraphology(graph, UndirectedGraph). Nodes are called by
 * nodeIds, else "0", "1", ...
 */
export function toGraphology<T extends GraphologyTarget>(
  graph: Graph,
  Constructor: new (options?: { type?: "undirected"; multi?: false; allowSelfLoops?: true }) => T,
  options: GraphologyOptions & { nodeIds?: ArrayLike<string | number> | null } = {},
): T {
  rejectUnknown(options, [...GRAPHOLOGY_OPTIONS, "nodeIds"]);
  const { nodeIds } = options;
  if (nodeIds != null && nodeIds.length !== graph.nodeCount)
    throw badData(`nodeIds: got ${nodeIds.length}, expected one for each of ${graph.nodeCount} nodes`);
  const target = new Constructor({ type: "undirected", multi: false, allowSelfLoops: true });
  const idOf = (i: number) => (nodeIds == null ? String(i) : String(nodeIds[i]));
  const { labels, attributes, attributeDimension: dimension } = graph;
  for (let i = 0; i < graph.nodeCount; i++) {
    const values: GraphologyAttributes = {};
    if (options.label !== undefined && labels !== null) values[options.label] = labels[i];
    if (options.attributes !== undefined && attributes !== null)
      values[options.attributes] = Array.from(attributes.subarray(i * dimension, (i + 1) * dimension));
    target.addNode(idOf(i), values);
  }
  const weightKey = options.weight ?? "weight";
  graph.forEachEdge((i, j, weight) => {
    target.addEdge(idOf(i), idOf(j), graph.weights === null ? {} : { [weightKey]: weight });
  });
  return target;
}

function rejectUnknown(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw unknownName("option", name, known);
}
