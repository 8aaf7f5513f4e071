/**
 * Edges in, Graph out, in O(nodes + edges): two stable counting sorts (one sort of keys where that is faster) put the edges in
 * order of (smaller end, larger end), equal ones side by side, and one pass over that order fills the rows already sorted.
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
    if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to))
      throw badData(`${where}: edges from ${from} to ${to}: expected whole numbers, the second not smaller`);
    if (targets.length < to || sources.length < to)
      throw badData(
        `${where}: ${sources.length} sources and ${targets.length} targets, expected ${to} of each`,
      );
    const m = to - from;
    this.reserve(nodeCount, m);
    const cleaning = emptyCleaning();
    cleaning.edgesRead = m;

    checkEdges(input, from, to, base, where);
    const { smaller, larger, order, counts } = this;
    const { edges, loops } =
      weights === null && m >= SORT_FROM
        ? this.mergeBySorting(input, from, m, base, cleaning)
        : this.mergeByCounting(input, from, m, base, cleaning);

    // count the entries of each row
    counts.fill(0, 0, nodeCount + 1);
    for (let k = 0; k < edges; k++) {
      counts[smaller[k]]++;
      if (smaller[k] !== larger[k]) counts[larger[k]]++;
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

  /** Two stable counting sorts. Leaves the merged edges in `smaller`, `larger`, and in `order` the entry with the weight. */
  private mergeByCounting(
    input: EdgeInput,
    from: number,
    m: number,
    base: number,
    cleaning: CleaningReport,
  ): Merged {
    const { sources, targets, nodeCount } = input;
    const weights = input.weights ?? null;
    const { smaller, larger, order, counts } = this;

    // by the larger end, then by the smaller
    counts.fill(0, 0, nodeCount + 1);
    for (let e = 0; e < m; e++) counts[Math.max(sources[from + e], targets[from + e]) - base]++;
    prefixSums(counts, nodeCount);
    for (let e = 0; e < m; e++) larger[counts[Math.max(sources[from + e], targets[from + e]) - base]++] = e;
    counts.fill(0, 0, nodeCount + 1);
    for (let e = 0; e < m; e++) counts[Math.min(sources[from + e], targets[from + e]) - base]++;
    prefixSums(counts, nodeCount);
    for (let k = 0; k < m; k++) {
      const e = larger[k];
      order[counts[Math.min(sources[from + e], targets[from + e]) - base]++] = e;
    }

    // merge runs of equal edges in place
    const run = new Run(cleaning);
    let edges = 0;
    let loops = 0;
    for (let k = 0; k < m; ) {
      const first = order[k];
      const low = Math.min(sources[from + first], targets[from + first]) - base;
      const high = Math.max(sources[from + first], targets[from + first]) - base;
      let best = -1;
      for (; k < m; k++) {
        const e = order[k];
        const s = sources[from + e] - base;
        const t = targets[from + e] - base;
        if (Math.min(s, t) !== low || Math.max(s, t) !== high) break;
        if (weights !== null && weights[from + e] === 0) {
          cleaning.zeroWeights++;
          continue;
        }
        run.add(s > t);
        if (best < 0) best = e;
        else if (weights !== null && weights[from + e] !== weights[from + best]) {
          run.conflict = true;
          if (weights[from + e] > weights[from + best]) best = e;
        }
      }
      if (best < 0) continue;
      run.close(low === high);
      if (low === high) loops++;
      order[edges] = best;
      smaller[edges] = low;
      larger[edges++] = high;
    }
    return { edges, loops };
  }

  /**
   * The same for many edges without weights, where counting sorts miss the cache at every step: one sort of 64-bit keys
   * (smaller end, larger end, direction) by the engine's own sort, two to four times as fast.
   */
  private mergeBySorting(
    input: EdgeInput,
    from: number,
    m: number,
    base: number,
    cleaning: CleaningReport,
  ): Merged {
    const { sources, targets } = input;
    const { smaller, larger } = this;
    const words = new Uint32Array(2 * m);
    for (let e = 0; e < m; e++) {
      const s = sources[from + e] - base;
      const t = targets[from + e] - base;
      words[2 * e + 1] = Math.min(s, t);
      words[2 * e] = s > t ? 2 * s + 1 : 2 * t;
    }
    new BigUint64Array(words.buffer).sort();
    const run = new Run(cleaning);
    let edges = 0;
    let loops = 0;
    for (let k = 0; k < m; ) {
      const low = words[2 * k + 1];
      const high = words[2 * k] >>> 1;
      for (; k < m && words[2 * k + 1] === low && words[2 * k] >>> 1 === high; k++)
        run.add((words[2 * k] & 1) === 1);
      run.close(low === high);
      if (low === high) loops++;
      smaller[edges] = low;
      larger[edges++] = high;
    }
    return { edges, loops };
  }
}

interface Merged {
  edges: number;
  loops: number;
}

/** From this many edges on, unweighted ones are sorted by keys. */
const SORT_FROM = 1 << 17;

/** Counts what one run of equal edges says about the file. */
class Run {
  conflict = false;
  private forward = 0;
  private backward = 0;

  constructor(private readonly cleaning: CleaningReport) {}

  add(isBackward: boolean): void {
    if (isBackward) this.backward++;
    else this.forward++;
  }

  close(isLoop: boolean): void {
    const { cleaning, forward, backward } = this;
    if (forward > 1) cleaning.duplicates += forward - 1;
    if (backward > 1) cleaning.duplicates += backward - 1;
    if (!isLoop && (forward === 0 || backward === 0)) cleaning.oneWay++;
    if (this.conflict) cleaning.weightConflicts++;
    this.forward = this.backward = 0;
    this.conflict = false;
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

function checkEdges(
  { nodeCount, sources, targets, weights }: EdgeInput,
  from: number,
  to: number,
  base: number,
  where: string,
): void {
  for (let e = from; e < to; e++) {
    const i = sources[e] - base;
    const j = targets[e] - base;
    // x >>> 0 is x for whole numbers from 0 to 2^32 - 1 alone
    if (!(i >>> 0 === i && i < nodeCount && j >>> 0 === j && j < nodeCount)) {
      const fraction = Number.isFinite(i) && Number.isFinite(j) && (i % 1 !== 0 || j % 1 !== 0);
      throw badData(
        fraction
          ? `${where}: edge ${i}-${j} names a node by a fraction: expected whole numbers from 0 to ${nodeCount - 1}`
          : `${where}: edge ${i}-${j} names a node out of range: expected 0 to ${nodeCount - 1}`,
      );
    }
    if (weights != null && !(weights[e] >= 0 && weights[e] < Number.POSITIVE_INFINITY))
      throw badData(
        `${where}: the weight of edge ${i}-${j} must be finite and not negative: got ${weights[e]}`,
      );
  }
}

/** Copies labels and attributes into the graph and checks their number and values. */
function carry(graph: Graph, { labels, attributes }: EdgeInput, where: string): void {
  if (labels != null) {
    if (labels.length !== graph.nodeCount)
      throw badData(
        `${where}: node labels: got ${labels.length}, expected one for each of ${graph.nodeCount} nodes`,
      );
    for (let i = 0; i < labels.length; i++)
      if ((labels[i] | 0) !== labels[i])
        throw badData(
          `${where}: the label of node ${i}: got ${labels[i]}, expected a whole number from -2^31 to 2^31 - 1`,
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
