/**
 * Edges in, Graph out, in O(nodes + edges): two stable counting sorts put the edges in order of (smaller end, larger end),
 * equal ones side by side, and one pass over that order fills the rows already sorted.
 *
 * Rules. {i, j} listed in both directions is one edge. The same ordered pair again is a duplicate and is dropped. An edge
 * listed in one direction only is symmetrised. Where an edge is listed with several weights the largest is kept, so that
 * the order of the lines never matters and a file that lists everything twice means the same as one that does not. Weight
 * 0 means no edge. Self-loops stay, once. A weight that is negative, NaN or infinite is an error.
 */
import { badData } from "../base/errors.js";
import { type CleaningReport, emptyCleaning } from "./cleaning.js";
import { Graph, MAX_NODES } from "./graph.js";

export interface EdgeInput {
  nodeCount: number;
  /** One end of each edge, and the other; any integer array. Node numbers are 0-based. */
  sources: ArrayLike<number>;
  targets: ArrayLike<number>;
  /** Parallel to sources; absent means that every edge has weight 1. */
  weights?: ArrayLike<number> | null;
  labels?: ArrayLike<number> | null;
  attributes?: { values: ArrayLike<number>; dimension: number } | null;
  /** Use only the edges [from, to): lets one long list hold many graphs. */
  from?: number;
  to?: number;
  /** Subtracted from every node number, for the same reason. */
  base?: number;
}

export interface BuiltGraph {
  graph: Graph;
  cleaning: CleaningReport;
}

/** Working memory, kept between graphs so that reading many small ones allocates little. */
export class GraphBuilder {
  private smaller = new Uint32Array(0);
  private larger = new Uint32Array(0);
  private order = new Uint32Array(0);
  private counts = new Uint32Array(0);

  private reserve(nodes: number, edges: number): void {
    if (this.smaller.length < edges) {
      const size = Math.max(edges, Math.min(2 * this.smaller.length, 1 << 20));
      this.smaller = new Uint32Array(size);
      this.larger = new Uint32Array(size);
      this.order = new Uint32Array(size);
    }
    if (this.counts.length < nodes + 1) this.counts = new Uint32Array(Math.max(nodes + 1, 1024));
  }

  build(input: EdgeInput, where = "graph"): BuiltGraph {
    const { nodeCount, sources, targets } = input;
    const weights = input.weights ?? null;
    const from = input.from ?? 0;
    const to = input.to ?? sources.length;
    const base = input.base ?? 0;
    if (!(Number.isInteger(nodeCount) && nodeCount >= 0 && nodeCount <= MAX_NODES))
      throw badData(`${where}: number of nodes: got ${nodeCount}, expected 0 to ${MAX_NODES}`);
    if (targets.length < to || sources.length < to)
      throw badData(
        `${where}: ${sources.length} sources and ${targets.length} targets, expected ${to} of each`,
      );
    const m = to - from;
    this.reserve(nodeCount, m);
    const { smaller, larger, order, counts } = this;
    const cleaning = emptyCleaning();
    cleaning.edgesRead = m;

    // check the edges and count the larger ends
    counts.fill(0, 0, nodeCount + 1);
    for (let e = 0; e < m; e++) {
      const i = sources[from + e] - base;
      const j = targets[from + e] - base;
      if (!(i >= 0 && i < nodeCount && j >= 0 && j < nodeCount))
        throw badData(`${where}: edge ${i}-${j} names a node out of range: expected 0 to ${nodeCount - 1}`);
      if (weights !== null) checkWeight(weights[from + e], i, j, where);
      counts[i > j ? i : j]++;
    }

    // stable counting sort by the larger end, then by the smaller
    prefixSums(counts, nodeCount);
    for (let e = 0; e < m; e++) {
      const i = sources[from + e] - base;
      const j = targets[from + e] - base;
      larger[counts[i > j ? i : j]++] = e;
    }
    counts.fill(0, 0, nodeCount + 1);
    for (let e = 0; e < m; e++) {
      const i = sources[from + e] - base;
      const j = targets[from + e] - base;
      counts[i > j ? j : i]++;
    }
    prefixSums(counts, nodeCount);
    for (let k = 0; k < m; k++) {
      const e = larger[k];
      const i = sources[from + e] - base;
      const j = targets[from + e] - base;
      order[counts[i > j ? j : i]++] = e;
    }

    // merge runs of equal edges in place: order[k] becomes the entry that carries the weight
    let edges = 0;
    let loops = 0;
    counts.fill(0, 0, nodeCount + 1);
    for (let k = 0; k < m; ) {
      const first = order[k];
      const i = sources[from + first] - base;
      const j = targets[from + first] - base;
      const low = i > j ? j : i;
      const high = i > j ? i : j;
      let forward = 0;
      let backward = 0;
      let best = -1;
      let conflict = false;
      for (; k < m; k++) {
        const e = order[k];
        const s = sources[from + e] - base;
        const t = targets[from + e] - base;
        if ((s > t ? t : s) !== low || (s > t ? s : t) !== high) break;
        if (weights !== null && weights[from + e] === 0) {
          cleaning.zeroWeights++;
          continue;
        }
        if (s <= t) forward++;
        else backward++;
        if (best < 0) best = e;
        else if (weights !== null && weights[from + e] !== weights[from + best]) {
          conflict = true;
          if (weights[from + e] > weights[from + best]) best = e;
        }
      }
      if (best < 0) continue;
      if (forward > 1) cleaning.duplicates += forward - 1;
      if (backward > 1) cleaning.duplicates += backward - 1;
      if (conflict) cleaning.weightConflicts++;
      if (low === high) loops++;
      else {
        if (forward === 0 || backward === 0) cleaning.oneWay++;
        counts[high]++;
      }
      counts[low]++;
      order[edges] = best;
      smaller[edges] = low;
      larger[edges] = high;
      edges++;
    }

    // fill the rows: in this order row r first receives its smaller neighbours, then its larger ones, each ascending
    const graph = Graph.allocate({
      nodeCount,
      entryCount: 2 * edges - loops,
      selfLoopCount: loops,
      weighted: weights !== null,
      labelled: input.labels != null,
      attributeDimension: input.attributes?.dimension ?? 0,
    });
    const offsets = graph.offsets;
    for (let i = 0; i < nodeCount; i++) {
      if (counts[i] === 0) cleaning.isolatedNodes++;
      offsets[i + 1] = offsets[i] + counts[i];
      counts[i] = offsets[i];
    }
    for (let k = 0; k < edges; k++) {
      const low = smaller[k];
      const high = larger[k];
      const at = counts[low]++;
      graph.targets[at] = high;
      const back = low === high ? at : counts[high]++;
      graph.targets[back] = low;
      if (weights !== null) graph.weights![at] = graph.weights![back] = weights[from + order[k]];
    }
    cleaning.selfLoops = loops;
    carry(graph, input, where);
    return { graph, cleaning };
  }
}

/** Builds one graph from edges; see the rules above. */
export function buildGraph(input: EdgeInput, where = "graph"): BuiltGraph {
  return new GraphBuilder().build(input, where);
}

/** counts[i] becomes the sum of the counts before i. */
function prefixSums(counts: Uint32Array, n: number): void {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const c = counts[i];
    counts[i] = sum;
    sum += c;
  }
}

function checkWeight(w: number, i: number, j: number, where: string): void {
  if (!(w >= 0 && w < Number.POSITIVE_INFINITY))
    throw badData(`${where}: the weight of edge ${i}-${j} must be finite and not negative: got ${w}`);
}

/** Copies labels and attributes into the graph and checks their number and values. */
function carry(graph: Graph, { labels, attributes }: EdgeInput, where: string): void {
  if (labels != null) {
    if (labels.length !== graph.nodeCount)
      throw badData(
        `${where}: node labels: got ${labels.length}, expected one for each of ${graph.nodeCount} nodes`,
      );
    graph.labels!.set(labels);
  }
  if (attributes != null && attributes.dimension > 0) {
    const expected = graph.nodeCount * attributes.dimension;
    if (attributes.values.length !== expected)
      throw badData(
        `${where}: node attributes: got ${attributes.values.length} numbers, expected ${expected}`,
      );
    graph.attributes!.set(attributes.values);
    for (let k = 0; k < expected; k++)
      if (!Number.isFinite(graph.attributes![k]))
        throw badData(
          `${where}: attribute ${k % attributes.dimension} of node ${Math.floor(k / attributes.dimension)} is not a finite number: got ${attributes.values[k]}`,
        );
  }
}
