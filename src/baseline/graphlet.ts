/**
 * Graphlet kernel: with f_c(G) the share of all k-subsets of the nodes of G that induce the graph c, connected or not,
 *
 *   K(G, H) = Σ_c f_c(G) f_c(H);   4, 11 and 34 classes c for k = 3, 4, 5, numbered by edges, then by smallest bit mask.
 *
 * k = 3 is exact by closed formulas. With m edges, degrees d_i and T triangles:
 *   3 edges: T;   2 edges: P = Σ d_i(d_i − 1)/2 − 3T;   1 edge: m(n − 2) − 2P − 3T;   0 edges: the rest of n(n−1)(n−2)/6.
 * The triangles cost O(E √E): each is found once, from its node that is first in the order of degrees.
 *
 * k = 4 and 5: all subsets where there are no more of them than `samples`, else `samples` random ones; a share p then has the
 * standard error √(p(1 − p) / samples). The default, 2(c ln 2 + ln 10) / 0.1² for c classes, keeps the sum of the errors of all
 * shares below 0.1 with probability 0.9 (Weissman's bound). The random numbers depend on the seed and on the numbers of
 * nodes and edges alone, so that a graph's features do not depend on its place in the set. A graph with fewer than k nodes has
 * no subsets and no features. Labels, weights and self-loops are ignored.
 *
 * Reference: Shervashidze, Vishwanathan, Petri, Mehlhorn, Borgwardt: Efficient graphlet kernels for large graph comparison,
 * AISTATS (2009). When: dense graphs without labels, such as ego-networks. In large sparse graphs nearly all subsets are empty.
 */
import { badCall } from "../base/errors.js";
import { Random } from "../base/random.js";
import type { Graph } from "../graph/graph.js";
import {
  type CountFeatures,
  CountRows,
  checkOptions,
  type MergingVectoriser,
  type Vocabulary,
} from "./sparse-counts.js";

export interface GraphletOptions {
  /** Nodes of a graphlet: 3, 4 or 5. Default 3. */
  size?: 3 | 4 | 5;
  /** Random subsets a graph for the sizes 4 and 5. Default 1986 and 5174, see above. */
  samples?: number;
  /** Seed of the sampling. Default 0. */
  seed?: number;
}

export class Graphlet implements MergingVectoriser {
  /** Of a graphlet. */
  readonly nodes: number;
  readonly samples: number;
  private readonly seed: number;
  private readonly classes: GraphletClasses;

  constructor(options: GraphletOptions = {}) {
    checkOptions("graphlet", options, ["size", "samples", "seed"]);
    const { size = 3, seed = 0 } = options;
    if (size !== 3 && size !== 4 && size !== 5)
      throw badCall(`graphlet: size: got ${size}, expected 3, 4 or 5`);
    this.classes = graphletClasses(size);
    const { samples = Math.ceil((2 * (this.classes.count * Math.LN2 + Math.LN10)) / 0.01) } = options;
    if (!(Number.isInteger(samples) && samples >= 1))
      throw badCall(`graphlet: samples: got ${samples}, expected an integer of at least 1`);
    if (!(Number.isSafeInteger(seed) && seed >= 0))
      throw badCall(`graphlet: seed: got ${seed}, expected an integer not below 0`);
    this.nodes = size;
    this.samples = samples;
    this.seed = seed;
  }

  /** The classes are given, so there is nothing to learn: fit and transform are the same. */
  fit(graphs: readonly Graph[]): CountFeatures {
    return this.transform(graphs);
  }

  transform(graphs: readonly Graph[]): CountFeatures {
    const rows = new CountRows();
    const counts = new Float64Array(this.classes.count);
    for (const graph of graphs) {
      counts.fill(0);
      if (this.nodes === 3) countTriples(graph, counts);
      else if (binomial(graph.nodeCount, this.nodes) <= this.samples) this.enumerate(graph, counts);
      else this.sample(graph, counts);
      const total = counts.reduce((sum, count) => sum + count, 0);
      for (let c = 0; c < counts.length; c++) if (counts[c] > 0) rows.add(c, counts[c]);
      rows.endGraph(total === 0 ? 1 : 1 / total);
    }
    return rows.finish(this.classes.count, this.notes(graphs));
  }

  vocabulary(): Vocabulary {
    return { values: {}, arrays: {} };
  }

  restore(): void {}

  merge(): Uint32Array {
    return Uint32Array.from({ length: this.size }, (_, c) => c);
  }

  get size(): number {
    return this.classes.count;
  }

  notes(graphs: readonly Graph[]): string[] {
    const { samples, nodes } = this;
    const sampled = nodes === 3 ? 0 : graphs.filter((g) => binomial(g.nodeCount, nodes) > samples).length;
    if (sampled === 0) return [];
    const error = (0.5 / Math.sqrt(samples)).toPrecision(2);
    return [
      `graphlet: ${sampled} of ${graphs.length} graphs by ${samples} random subsets of ${nodes} nodes each (seed ${this.seed}): standard error of a share at most ${error}`,
    ];
  }

  private enumerate(graph: Graph, counts: Float64Array): void {
    const { nodes: size, classes } = this;
    const n = graph.nodeCount;
    const adjacent = adjacency(graph);
    const nodes = Array.from({ length: size }, (_, k) => k);
    while (nodes[size - 1] < n) {
      counts[classes.ofMask[inducedMask(nodes, adjacent)]]++;
      // the next subset: the last node that has room moves on, those after it follow close behind
      let k = size - 1;
      while (k > 0 && nodes[k] === n - size + k) k--;
      nodes[k]++;
      for (let after = k + 1; after < size; after++) nodes[after] = nodes[after - 1] + 1;
    }
  }

  private sample(graph: Graph, counts: Float64Array): void {
    const { nodes: size, classes } = this;
    const random = new Random(this.seed, graph.nodeCount, graph.targets.length);
    const adjacent = adjacency(graph);
    const nodes = new Array<number>(size).fill(0);
    for (let s = 0; s < this.samples; s++) {
      for (let k = 0; k < size; ) {
        nodes[k] = random.integer(graph.nodeCount);
        if (nodes.indexOf(nodes[k]) === k) k++;
      }
      counts[classes.ofMask[inducedMask(nodes, adjacent)]]++;
    }
  }
}

export interface GraphletClasses {
  /** Number of graphs on `size` nodes up to isomorphism. */
  count: number;
  /** Class of each set of edges: bit p stands for the p-th of the pairs (0,1), (0,2), (1,2), (0,3), (1,3), (2,3), ... */
  ofMask: Uint8Array;
  /** The smallest mask of each class. */
  masks: number[];
}

/** The table of classes: each mask's smallest image under all permutations of the nodes. 1024 × 120 images for size 5. */
export function graphletClasses(size: number): GraphletClasses {
  const pairs: [number, number][] = [];
  for (let j = 1; j < size; j++) for (let i = 0; i < j; i++) pairs.push([i, j]);
  const pairAt = (i: number, j: number) =>
    pairs.findIndex(([a, b]) => a === Math.min(i, j) && b === Math.max(i, j));
  const moves = permutations(size).map((to) => pairs.map(([i, j]) => pairAt(to[i], to[j])));
  const smallest = Array.from({ length: 2 ** pairs.length }, (_, mask) => {
    let least = mask;
    for (const move of moves) {
      let image = 0;
      for (let p = 0; p < pairs.length; p++) if (mask & (1 << p)) image |= 1 << move[p];
      if (image < least) least = image;
    }
    return least;
  });
  const edges = (mask: number) => pairs.filter((_, p) => mask & (1 << p)).length;
  const masks = [...new Set(smallest)].sort((a, b) => edges(a) - edges(b) || a - b);
  const position = new Map(masks.map((mask, c) => [mask, c]));
  return { count: masks.length, ofMask: Uint8Array.from(smallest, (mask) => position.get(mask)!), masks };
}

function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((rest) =>
    Array.from({ length: n }, (_, at) => [...rest.slice(0, at), n - 1, ...rest.slice(at)]),
  );
}

type Adjacent = (i: number, j: number) => boolean;

/** Up to this many nodes (2 MB) a matrix of bits answers in one step; beyond, a search in the row. */
const MATRIX_NODES = 4096;

function adjacency(graph: Graph): Adjacent {
  const { nodeCount, offsets, targets } = graph;
  if (nodeCount > MATRIX_NODES) return (i, j) => graph.weight(i, j) !== 0;
  const stride = (nodeCount + 31) >>> 5;
  const bits = new Int32Array(nodeCount * stride);
  for (let i = 0; i < nodeCount; i++)
    for (let k = offsets[i]; k < offsets[i + 1]; k++)
      bits[i * stride + (targets[k] >>> 5)] |= 1 << (targets[k] & 31);
  return (i, j) => (bits[i * stride + (j >>> 5)] & (1 << (j & 31))) !== 0;
}

function inducedMask(nodes: readonly number[], adjacent: Adjacent): number {
  let mask = 0;
  for (let j = 1, p = 0; j < nodes.length; j++)
    for (let i = 0; i < j; i++, p++) if (adjacent(nodes[i], nodes[j])) mask |= 1 << p;
  return mask;
}

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 0; i < k; i++) value = (value * (n - i)) / (i + 1);
  return value;
}

/** Induced subgraphs of three nodes with 0, 1, 2, 3 edges, by the formulas of the header. */
function countTriples(graph: Graph, counts: Float64Array): void {
  const { nodeCount: n, offsets } = graph;
  const triangles = countTriangles(graph);
  const edges = graph.edgeCount - graph.selfLoopCount;
  let pairsOfEdges = 0;
  for (let i = 0; i < n; i++) {
    const d = offsets[i + 1] - offsets[i] - (graph.selfLoopCount > 0 && graph.weight(i, i) !== 0 ? 1 : 0);
    pairsOfEdges += (d * (d - 1)) / 2;
  }
  counts[3] = triangles;
  counts[2] = pairsOfEdges - 3 * triangles;
  counts[1] = n < 3 ? 0 : edges * (n - 2) - 2 * counts[2] - 3 * triangles;
  counts[0] = binomial(n, 3) - counts[1] - counts[2] - counts[3];
}

function countTriangles({ nodeCount, offsets, targets }: Graph): number {
  // keep in each row only the neighbours that come later in the order of degrees: at most √(2E) of them
  const starts = new Uint32Array(nodeCount + 1);
  const later = new Uint32Array(targets.length);
  for (let i = 0, at = 0; i < nodeCount; i++) {
    const own = offsets[i + 1] - offsets[i];
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      const j = targets[k];
      const other = offsets[j + 1] - offsets[j];
      if (own < other || (own === other && i < j)) later[at++] = j;
    }
    starts[i + 1] = at;
  }
  const mark = new Int32Array(nodeCount).fill(-1);
  let triangles = 0;
  for (let i = 0; i < nodeCount; i++) {
    for (let k = starts[i]; k < starts[i + 1]; k++) mark[later[k]] = i;
    for (let k = starts[i]; k < starts[i + 1]; k++)
      for (let l = starts[later[k]]; l < starts[later[k] + 1]; l++) if (mark[later[l]] === i) triangles++;
  }
  return triangles;
}
