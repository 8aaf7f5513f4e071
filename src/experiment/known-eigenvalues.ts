/**
 * The eigenvalues of Ã that are known without computing a spectrum, with how often each occurs:
 *
 *   twins      a class of c twins (self-weight a, mutual weight b, degree d) has (a − b)/d, c − 1 times: the motif spikes
 *   loners     a node without neighbours has 0, or 1 where it has a self-loop
 *   components every other connected component has 1, once; without self-loops and odd cycles also −1
 *
 * Their eigenvectors are orthogonal to each other, so the counts add up (only K2 has −1 both from its twins and as a bipartite
 * component: counted once). At node i the known measure is (1 − 1/c) at its class's spike and d_i / Σd of its component at ±1.
 * O(nodes + edges).
 */
import { connectedComponents } from "../graph/components.js";
import type { Graph } from "../graph/graph.js";
import type { TwinClasses } from "../graph/twins.js";
import type { Atom } from "../spectrum/density.js";
import { filteredClasses, type MotifFilter } from "../spectrum/motif-filter.js";

/** Where a known eigenvalue comes from. `leaves` are open twins with a single neighbour. */
export type AtomKind =
  | "leaves"
  | "open twins"
  | "clique twins"
  | "isolated nodes"
  | "components"
  | "bipartite";

export interface KnownEigenvalue {
  eigenvalue: number;
  /** How often it is known to occur. */
  count: number;
  /** How many of these come from each kind. */
  kinds: Partial<Record<AtomKind, number>>;
}

export interface KnownSpectrum {
  /** Ascending. */
  eigenvalues: KnownEigenvalue[];
  /** Those of components of several twin classes: random probes, drawn on the classes, still meet them. */
  probed: { eigenvalue: number; count: number }[];
  /** The known part of the local density of node i. */
  localAtoms(i: number): Atom[];
}

/** Eigenvalues nearer than this are one: they differ by rounding. */
const SAME = 1e-12;

/** `filter` all: everything above; paper: twins with 0, −1/2, −1/3, −1/4 and isolated nodes; none: nothing. */
export function knownSpectrum(graph: Graph, filter: MotifFilter, selfLoops: boolean): KnownSpectrum {
  const found: { at: number; count: number; kind: AtomKind }[] = [];
  if (filter === "none") return { eigenvalues: [], probed: [], localAtoms: () => [] };
  const twins = filteredClasses(graph, filter, selfLoops);
  const spikes = new Float64Array(twins.count);
  for (let p = 0; p < twins.count; p++) {
    const i = twins.representative[p];
    const c = twins.size[p];
    const neighbours = otherNeighbours(graph, i);
    if (neighbours === 0) {
      const at = lonerEigenvalue(graph, i, selfLoops);
      if (filter === "all" || at === 0) found.push({ at, count: c, kind: "isolated nodes" });
      continue;
    }
    if (c === 1) continue;
    const b = twins.mutualWeight[p];
    spikes[p] = spikeOf(graph, i, twins.selfWeight[p] - b, selfLoops);
    const kind = b > 0 ? "clique twins" : neighbours === 1 ? "leaves" : "open twins";
    found.push({ at: spikes[p], count: c - 1, kind });
  }
  const parts = filter === "all" ? componentMasses(graph, twins, selfLoops) : null;
  if (parts !== null && parts.count > 0) found.push({ at: 1, count: parts.count, kind: "components" });
  if (parts !== null && parts.bipartite > 0)
    found.push({ at: -1, count: parts.bipartite, kind: "bipartite" });

  const localAtoms = (i: number): Atom[] => {
    if (otherNeighbours(graph, i) === 0) {
      const at = lonerEigenvalue(graph, i, selfLoops);
      return filter === "all" || at === 0 ? [{ at, mass: 1 }] : [];
    }
    const p = twins.classOf[i];
    const atoms = twins.size[p] > 1 ? [{ at: spikes[p], mass: 1 - 1 / twins.size[p] }] : [];
    if (parts !== null) atoms.push(...parts.localAtoms(i));
    return atoms;
  };
  return { eigenvalues: merge(found), probed: parts?.probed ?? [], localAtoms };
}

/** Entries of row i other than its self-loop. */
function otherNeighbours(graph: Graph, i: number): number {
  const loop = graph.selfLoopCount > 0 && graph.weight(i, i) > 0 ? 1 : 0;
  return graph.neighbourCount(i) - loop;
}

function lonerEigenvalue(graph: Graph, i: number, selfLoops: boolean): number {
  return selfLoops || graph.neighbourCount(i) > 0 ? 1 : 0;
}

/** (a − b)/d as 1 / Σ w/(a − b): a sum of weights could overflow, this one only where the quotient is 0. */
function spikeOf(graph: Graph, i: number, difference: number, selfLoops: boolean): number {
  if (difference === 0) return 0;
  const { offsets, targets, weights } = graph;
  let sum = selfLoops ? 1 / difference : 0;
  for (let k = offsets[i]; k < offsets[i + 1]; k++)
    if (!selfLoops || targets[k] !== i) sum += (weights === null ? 1 : weights[k]) / difference;
  return Math.abs(sum) > 1 ? 1 / sum : Math.sign(sum);
}

/** Components with an edge between two nodes, which of them are bipartite, and the share of each node in theirs. */
function componentMasses(graph: Graph, twins: TwinClasses, selfLoops: boolean) {
  const { component, sizes } = connectedComponents(graph);
  const { offsets, targets, weights, nodeCount } = graph;
  // degrees in the unit of the component's largest weight, so that no sum overflows
  const units = new Float64Array(sizes.length).fill(selfLoops || weights === null ? 1 : 0);
  if (weights !== null)
    for (let i = 0; i < nodeCount; i++)
      for (let k = offsets[i]; k < offsets[i + 1]; k++)
        units[component[i]] = Math.max(units[component[i]], weights[k]);
  const degrees = new Float64Array(nodeCount);
  const volumes = new Float64Array(sizes.length);
  for (let i = 0; i < nodeCount; i++) {
    const unit = units[component[i]];
    let degree = selfLoops ? 1 / unit : 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++)
      if (!selfLoops || targets[k] !== i) degree += weights === null ? 1 : weights[k] / unit;
    degrees[i] = degree;
    volumes[component[i]] += degree;
  }
  const odd = selfLoops
    ? new Uint8Array(sizes.length).fill(1)
    : oddComponents(graph, component, sizes.length);
  // K2 has its −1 from its twins, a single node is no component here
  const isBipartite = (c: number) => sizes[c] > 2 && odd[c] === 0;
  const classes = new Uint32Array(sizes.length);
  for (let p = 0; p < twins.count; p++) classes[component[twins.representative[p]]]++;
  let count = 0;
  let bipartite = 0;
  const probed = [
    { eigenvalue: 1, count: 0 },
    { eigenvalue: -1, count: 0 },
  ];
  for (let c = 0; c < sizes.length; c++) {
    if (sizes[c] > 1) count++;
    if (isBipartite(c)) bipartite++;
    if (classes[c] > 1) probed[0].count++;
    if (classes[c] > 1 && isBipartite(c)) probed[1].count++;
  }
  const localAtoms = (i: number): Atom[] => {
    const c = component[i];
    const mass = degrees[i] / volumes[c];
    return isBipartite(c)
      ? [
          { at: 1, mass },
          { at: -1, mass },
        ]
      : [{ at: 1, mass }];
  };
  return { count, bipartite, probed, localAtoms };
}

/** 1 for the components that two colours do not colour. */
function oddComponents(graph: Graph, component: Uint32Array, count: number): Uint8Array {
  const { offsets, targets, nodeCount } = graph;
  const colour = new Uint8Array(nodeCount);
  const queue = new Uint32Array(nodeCount);
  const odd = new Uint8Array(count);
  for (let root = 0; root < nodeCount; root++) {
    if (colour[root] !== 0) continue;
    colour[root] = 1;
    queue[0] = root;
    for (let head = 0, filled = 1; head < filled; head++) {
      const i = queue[head];
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = targets[k];
        if (colour[j] === 0) {
          colour[j] = 3 - colour[i];
          queue[filled++] = j;
        } else if (colour[j] === colour[i]) odd[component[i]] = 1;
      }
    }
  }
  return odd;
}

function merge(found: { at: number; count: number; kind: AtomKind }[]): KnownEigenvalue[] {
  const merged: KnownEigenvalue[] = [];
  for (const { at, count, kind } of found.sort((a, b) => a.at - b.at)) {
    let last = merged.at(-1);
    if (last === undefined || at - last.eigenvalue > SAME) {
      last = { eigenvalue: at === 0 ? 0 : at, count: 0, kinds: {} };
      merged.push(last);
    }
    last.count += count;
    last.kinds[kind] = (last.kinds[kind] ?? 0) + count;
  }
  return merged;
}
