/**
 * Deep graph kernels: substructures that occur together are taken as alike. With Φ the counts of the substructures of each graph,
 *
 *   K = Φ M Φᵀ,   M = V Vᵀ,   row a of V the embedding of substructure a;   with M = I it is the kernel of the counts.
 *
 *   wl        substructures: the labels of h Weisfeiler-Lehman iterations (wl.ts). Two occur together when one node carries both, in
 *             two iterations. A label of a later iteration determines the earlier ones of its node, so that the pairs form a tree:
 *             C_ab = nodes with label b, for a any earlier label of b. No pair needs to be searched for.
 *   graphlet  substructures: the 4, 11 or 34 graphs on 3, 4 or 5 nodes (graphlet.ts). A random set of nodes occurs together with one where a
 *             node is replaced, by a neighbour of the others where they have one.
 *
 * Embedding: the authors train skip-gram with negative sampling (word2vec), which implicitly factorises the matrix of shifted pointwise mutual
 * information (Levy, Goldberg, "Neural word embedding as implicit matrix factorization", NIPS 2014). That matrix is factorised here directly,
 * so that the result is the same in every run:  P_ab = max(0, log(C_ab·T / (C_a·C_b)) − log negatives), C_a = Σ_b C_ab, T = Σ_a C_a, and
 * V = U √Λ with the `dimension` largest positive eigenvalues of P. The signature of a graph is its row of Φ V, a dense vector.
 *
 * Cost: WL counts; then rounds · (dimension + 8) · (h · labels + (dimension + 8) · labels) operations for the eigenvectors. Labels on fewer than
 * `minimumCount` nodes of the training graphs have no vector and count nothing, as have labels that a later graph brings. Weights and attributes
 * are ignored; node labels are used as in wl.ts.
 *
 * When to use it: labelled graphs where WL's deep labels are too rare to be shared. Source: Yanardag, Vishwanathan, "Deep graph kernels", KDD 2015.
 */
import { CheckedState } from "../base/checked-state.js";
import { badCall, badData, unknownName } from "../base/errors.js";
import { logarithm } from "../base/logarithm.js";
import { Random } from "../base/random.js";
import type { Graph } from "../graph/graph.js";
import type { Vectors } from "../signature/dos.js";
import type { SparseOperator } from "../spectrum/operator.js";
import { Graphlet, graphletClasses } from "./graphlet.js";
import { largestEigenpairs } from "./leading-subspace.js";
import { PatternTable } from "./pattern-table.js";
import { type CountFeatures, CountRows, checkOptions, haveLabels, type Vocabulary } from "./sparse-counts.js";

export const DEEP_SUBSTRUCTURES = ["wl", "graphlet"] as const;
export type DeepSubstructure = (typeof DEEP_SUBSTRUCTURES)[number];

export interface DeepKernelOptions {
  /** Default wl. */
  substructure?: DeepSubstructure;
  /** Of Weisfeiler-Lehman. Default 3. */
  iterations?: number;
  /** Nodes of a graphlet. Default 4. */
  size?: 3 | 4 | 5;
  /** Random pairs of graphlets a training graph. Default 1000. */
  samples?: number;
  /** Numbers of an embedding and of a graph's vector. Default 32. */
  dimension?: number;
  /** Negative samples of the skip-gram model: the shift is their logarithm. Default 1, no shift. */
  negatives?: number;
  /** Nodes that must carry a WL label for it to be embedded. Default 2. */
  minimumCount?: number;
  /** Default 0. */
  seed?: number;
}

/** Row a is the vector of substructure a. */
export interface Embedding {
  count: number;
  dimension: number;
  values: Float64Array;
}

/** C in compressed rows: symmetric, without a diagonal or with one. */
export type Cooccurrence = SparseOperator;

export class DeepGraphKernel {
  readonly options: Required<DeepKernelOptions>;
  /** Of the fit; null before it. */
  embedding: Embedding | null = null;
  private useLabels = false;
  private table: PatternTable | null = null;

  constructor(options: DeepKernelOptions = {}) {
    checkOptions("DGK", options, [...Object.keys(LEAST), "substructure"]);
    const { substructure = "wl", iterations = 3, size = 4, samples = 1000 } = options;
    const { dimension = 32, negatives = 1, minimumCount = 2, seed = 0 } = options;
    if (!DEEP_SUBSTRUCTURES.includes(substructure))
      throw unknownName("substructure", String(substructure), DEEP_SUBSTRUCTURES);
    this.options = {
      substructure,
      iterations,
      size,
      samples,
      dimension,
      negatives,
      minimumCount,
      seed,
    };
    for (const [name, least] of Object.entries(LEAST)) {
      const value = this.options[name as keyof typeof LEAST];
      if (!(Number.isSafeInteger(value) && value >= least))
        throw badCall(`DGK: ${name}: got ${value}, expected an integer of at least ${least}`);
    }
  }

  /** Learns the embedding from these graphs and gives their vectors. */
  fit(graphs: readonly Graph[]): Vectors {
    const { substructure, dimension, negatives, minimumCount, seed } = this.options;
    let counts: CountFeatures;
    let pairs: Cooccurrence;
    if (substructure === "graphlet") {
      counts = this.graphlets(graphs);
      pairs = graphletPairs(graphs, this.options);
    } else {
      this.useLabels = haveLabels("DGK", graphs);
      this.table = new PatternTable();
      const parents: number[] = [];
      counts = this.subtrees(graphs, this.table, parents);
      pairs = subtreePairs(counts, parents, minimumCount);
    }
    this.embedding = embedSubstructures(pairs, { dimension, negatives, seed });
    return deepVectors(counts, this.embedding);
  }

  transform(graphs: readonly Graph[]): Vectors {
    if (this.embedding === null) throw badCall("DGK: transform before fit: fit on the training graphs first");
    const counts =
      this.table === null ? this.graphlets(graphs) : this.subtrees(graphs, new PatternTable(this.table), []);
    return deepVectors(counts, this.embedding);
  }

  /** What the fit has learnt, in plain values and arrays. */
  vocabulary(): Vocabulary {
    if (this.embedding === null)
      throw badCall("DGK: vocabulary before fit: fit on the training graphs first");
    const { count, dimension, values } = this.embedding;
    const patterns = this.table?.patterns() ?? {};
    return {
      values: { count, dimension, useLabels: this.useLabels },
      arrays: { embedding: values, ...patterns },
    };
  }

  restore(vocabulary: Vocabulary): void {
    const checked = new CheckedState(vocabulary);
    const [count, dimension] = [checked.whole("count"), checked.whole("dimension")];
    this.embedding = { count, dimension, values: checked.floats("embedding", count * dimension) };
    this.useLabels = checked.flag("useLabels");
    this.table = checked.has("words") ? PatternTable.from(vocabulary) : null;
  }

  private graphlets(graphs: readonly Graph[]): CountFeatures {
    const { size, seed } = this.options;
    return new Graphlet({ size, seed }).transform(graphs);
  }

  /** Counts of all labels of all iterations; parents[b] is the label from which b was made, −1 for first labels. */
  private subtrees(graphs: readonly Graph[], table: PatternTable, parents: number[]): CountFeatures {
    const rows = new CountRows();
    let signature = new Int32Array(64);
    for (const [g, { nodeCount, offsets, targets, labels }] of graphs.entries()) {
      if (this.useLabels && labels === null && nodeCount > 0)
        throw badData(`DGK: graph ${g} has no node labels: expected them, as the first graphs had them`);
      let label = new Int32Array(nodeCount);
      for (let i = 0; i < nodeCount; i++) {
        signature[0] = -1;
        signature[1] = this.useLabels ? labels![i] : offsets[i + 1] - offsets[i];
        label[i] = table.intern(signature, 0, 2);
        parents[label[i]] = -1;
        rows.add(label[i], 1);
      }
      for (let round = 0; round < this.options.iterations; round++) {
        const next = new Int32Array(nodeCount);
        for (let i = 0; i < nodeCount; i++) {
          const length = offsets[i + 1] - offsets[i] + 1;
          if (signature.length < length) signature = new Int32Array(2 * length);
          signature[0] = label[i];
          for (let k = 1; k < length; k++) signature[k] = label[targets[offsets[i] + k - 1]];
          signature.subarray(1, length).sort();
          next[i] = table.intern(signature, 0, length);
          parents[next[i]] = label[i];
          rows.add(next[i], 1);
        }
        label = next;
      }
      rows.endGraph();
    }
    return rows.finish(this.table!.size);
  }
}

const LEAST = {
  iterations: 0,
  size: 3,
  samples: 1,
  dimension: 1,
  negatives: 1,
  minimumCount: 1,
  seed: 0,
} as const;

/** Φ V: Σ over the substructures of a graph of count × vector; those beyond the embedding count nothing. */
export function deepVectors(counts: CountFeatures, embedding: Embedding): Vectors {
  const { graphs, offsets, ids } = counts;
  const { dimension, count, values } = embedding;
  const out = new Float64Array(graphs * dimension);
  for (let g = 0; g < graphs; g++)
    for (let k = offsets[g]; k < offsets[g + 1]; k++) {
      if (ids[k] >= count) continue;
      const row = ids[k] * dimension;
      for (let d = 0; d < dimension; d++) out[g * dimension + d] += counts.counts[k] * values[row + d];
    }
  return { count: graphs, dimension, values: out };
}

/** C_ab = nodes with label b, for every earlier label a of b. */
function subtreePairs(
  { ids, counts, known }: CountFeatures,
  parents: readonly number[],
  minimumCount: number,
): Cooccurrence {
  const nodes = new Float64Array(known);
  for (let k = 0; k < ids.length; k++) nodes[ids[k]] += counts[k];
  const [sources, targets, values]: [number[], number[], number[]] = [[], [], []];
  for (let b = 0; b < known; b++) {
    if (nodes[b] < minimumCount) continue;
    // nodes that carry b carry its earlier labels: those have no smaller counts
    for (let a = parents[b]; a >= 0; a = parents[a]) {
      sources.push(a, b);
      targets.push(b, a);
      values.push(nodes[b], nodes[b]);
    }
  }
  return compressed(known, sources, targets, values);
}

/** C_ab = how often a random graphlet a becomes b when one of its nodes is replaced, both ways. */
function graphletPairs(
  graphs: readonly Graph[],
  { size, samples, seed }: Required<DeepKernelOptions>,
): Cooccurrence {
  const { count, ofMask } = graphletClasses(size);
  const C = new Float64Array(count * count);
  for (const graph of graphs) {
    const n = graph.nodeCount;
    if (n <= size) continue;
    const random = new Random(seed, n, graph.targets.length);
    const nodes = new Array<number>(size).fill(0);
    const classOf = () => {
      let mask = 0;
      for (let j = 1, p = 0; j < size; j++)
        for (let i = 0; i < j; i++, p++) if (graph.weight(nodes[i], nodes[j]) !== 0) mask |= 1 << p;
      return ofMask[mask];
    };
    for (let s = 0; s < samples; s++) {
      for (let k = 0; k < size; ) {
        nodes[k] = random.integer(n);
        if (nodes.indexOf(nodes[k]) === k) k++;
      }
      const before = classOf();
      const place = random.integer(size);
      const old = nodes[place];
      const beside = nodes[(place + 1 + random.integer(size - 1)) % size];
      const start = graph.offsets[beside];
      const degree = graph.offsets[beside + 1] - start;
      let fresh = degree > 0 ? graph.targets[start + random.integer(degree)] : old;
      while (nodes.includes(fresh)) fresh = random.integer(n);
      nodes[place] = fresh;
      const after = classOf();
      C[before * count + after]++;
      C[after * count + before]++;
    }
  }
  const [sources, targets, values]: [number[], number[], number[]] = [[], [], []];
  for (let k = 0; k < C.length; k++)
    if (C[k] > 0) {
      sources.push(Math.floor(k / count));
      targets.push(k % count);
      values.push(C[k]);
    }
  return compressed(count, sources, targets, values);
}

/** Compressed rows by a counting sort. */
function compressed(n: number, sources: number[], ends: number[], entries: number[]): SparseOperator {
  const offsets = new Uint32Array(n + 1);
  for (const a of sources) offsets[a + 1]++;
  for (let a = 0; a < n; a++) offsets[a + 1] += offsets[a];
  const next = offsets.slice(0, n);
  const targets = new Uint32Array(entries.length);
  const values = new Float64Array(entries.length);
  for (let k = 0; k < entries.length; k++) {
    const at = next[sources[k]]++;
    targets[at] = ends[k];
    values[at] = entries[k];
  }
  return { n, offsets, targets, values };
}

/** V = U √Λ of the shifted positive mutual information; columns without a positive eigenvalue are 0. */
export function embedSubstructures(
  pairs: Cooccurrence,
  options: { dimension: number; negatives: number; seed: number },
): Embedding {
  const { n, offsets, targets } = pairs;
  const { dimension, negatives, seed } = options;
  const sums = new Float64Array(n);
  let total = 0;
  for (let a = 0; a < n; a++)
    for (let k = offsets[a]; k < offsets[a + 1]; k++) {
      sums[a] += pairs.values[k];
      total += pairs.values[k];
    }
  const values = new Float64Array(pairs.values.length);
  for (let a = 0; a < n; a++)
    for (let k = offsets[a]; k < offsets[a + 1]; k++) {
      const lift = (pairs.values[k] * total) / (sums[a] * sums[targets[k]]) / negatives;
      values[k] = lift > 1 ? logarithm(lift) : 0;
    }
  // substructures without any partner have a zero row and a zero vector: leave them out
  const used = Uint32Array.from({ length: n }, (_, a) => a).filter((a) => offsets[a + 1] > offsets[a]);
  const place = new Uint32Array(n);
  used.forEach((a, k) => {
    place[a] = k;
  });
  const matrix = {
    n: used.length,
    offsets: Uint32Array.from({ length: used.length + 1 }, (_, k) =>
      k === 0 ? 0 : offsets[used[k - 1] + 1],
    ),
    targets: targets.map((b) => place[b]),
    values,
  };
  const { eigenvalues, vectors } = largestEigenpairs(matrix, dimension, seed);
  const out = new Float64Array(n * dimension);
  for (let d = 0; d < eigenvalues.length; d++) {
    const root = Math.sqrt(Math.max(0, eigenvalues[d]));
    for (let k = 0; k < used.length; k++) out[used[k] * dimension + d] = root * vectors[d * used.length + k];
  }
  return { count: n, dimension, values: out };
}
