/**
 * Geometric random walk kernel: the walks that two graphs have in common, those of k steps weighted by λ^k,
 *
 *   K(G, H) = Σ_{k≥0} λ^k eᵀ W^k e,   W = A ⊗ B, the adjacency matrix of the direct product graph, e = (1, ..., 1).
 *
 * W is never formed. Without labels eᵀ(A ⊗ B)^k e = (eᵀA^k e)(eᵀB^k e), so each graph needs only its scaled walk counts
 * φ_k = λ^(k/2) eᵀA^k e, and K is their inner product: O(T E) a graph for T terms, T multiplications a pair. With labels only pairs
 * of nodes with equal labels are nodes of the product, W is M ∘ (A X B) on matrices X with the mask M = [labels equal], and conjugate
 * gradients solve (I − λW) X = M with K = ΣX: O(n_G E_H + n_H E_G) a step, divided by about the number of labels. Weights are
 * entries of A.
 *
 * Convergence. The series converges if and only if λ ρ(A) ρ(B) < 1 (with labels: if). ρ is bounded by ρ(A) ≤ ‖A^p‖_∞^(1/p), which
 * falls towards ρ as p grows, and a λ that is not shown to be safe is refused. By default λ = 1 / (2ρ²) for the largest
 * bound in the set, where p = 2 alone is the bound by degrees √(max_i Σ_j A_ij d_j). With q = λρ² < 1 what is left out after T terms is
 * at most q^T / (1 − q) of √(K(G, G) K(H, H)); T is chosen to make that 1e-16. With labels, the residual R after each step of
 * conjugate gradients bounds what is missing from K by ‖R‖² / (1 − λ ρ(A) ρ(B)), and the steps end when that is 1e-12 of K.
 *
 * Reference: Gärtner, Flach, Wrobel: On graph kernels, COLT (2003); Vishwanathan, Schraudolph, Kondor, Borgwardt: Graph kernels,
 * JMLR 11 (2010). When: small graphs of like degrees. One graph with large degrees forces a small λ, and then only the
 * numbers of nodes and edges still count ("halting": Sugiyama, Borgwardt, NIPS 2015).
 */
import { badCall, badData, unknownName } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { checkOptions, haveLabels } from "./sparse-counts.js";

export interface RandomWalkOptions {
  /** λ; null takes 1 / (2ρ²) from the graphs of the fit. Default null. */
  decay?: number | null;
  /** "nodes": walks pass through nodes of equal labels only; "none": labels are ignored. Default "none". */
  labels?: "none" | "nodes";
}

const LABELS = ["none", "nodes"];
const LEFT_OUT = 1e-16;
const LEFT_OUT_OF_PAIR = 1e-12;
const MAXIMUM_TERMS = 10_000;
/** Largest n_G n_H with labels: 128 MB for each of three matrices. */
const MAXIMUM_PAIRS = 2 ** 24;

export class RandomWalk {
  private readonly options: Required<RandomWalkOptions>;
  private root = Number.NaN;

  constructor(options: RandomWalkOptions = {}) {
    checkOptions("random walk", options, ["decay", "labels"]);
    const { decay = null, labels = "none" } = options;
    if (decay !== null && !(decay > 0 && decay < Number.POSITIVE_INFINITY))
      throw badCall(`random walk: decay: got ${decay}, expected a positive number or null`);
    if (!LABELS.includes(labels)) throw unknownName("labels of random walk", String(labels), LABELS);
    this.options = { decay, labels };
  }

  /** Settles λ, by these graphs when it is not given, and checks that the series converges on them. */
  fit(graphs: readonly Graph[]): this {
    const { decay } = this.options;
    if (decay === null) {
      const largest = graphs.reduce((most, graph) => Math.max(most, spectralRadiusBound(graph)), 0);
      this.root = largest === 0 ? 1 : Math.SQRT1_2 / largest;
    } else this.root = Math.sqrt(decay);
    this.convergence(graphs);
    return this;
  }

  /** λ as it was settled by fit. */
  get decay(): number {
    return this.settledRoot() ** 2;
  }

  /** Gram block, row-major, left × right. Pass the same array twice for the matrix of one set. */
  gram(left: readonly Graph[], right: readonly Graph[]): Float64Array {
    this.settledRoot();
    const bounds = this.convergence(left === right ? left : [...left, ...right]);
    const boundsRight = left === right ? bounds : bounds.subarray(left.length);
    if (this.options.labels === "none") {
      const terms = this.terms(bounds);
      const a = this.walkCounts(left, terms);
      return products(a, left === right ? a : this.walkCounts(right, terms), terms);
    }
    return this.labelledGram(left, right, bounds, boundsRight);
  }

  /** K(G, G) of each graph. */
  diagonal(graphs: readonly Graph[]): Float64Array {
    return Float64Array.from(graphs, (graph) => {
      const one = [graph];
      return this.gram(one, one)[0];
    });
  }

  private settledRoot(): number {
    if (Number.isNaN(this.root))
      throw badCall("random walk: used before fit: fit on the training graphs first");
    return this.root;
  }

  /** Bounds of √λ ρ, each below 1, of each graph; throws for a graph on which the series is not shown to converge. */
  private convergence(graphs: readonly Graph[]): Float64Array {
    return Float64Array.from(graphs, (graph, g) => {
      let bound = 0;
      for (let power = 16; power <= 1024; power *= 4) {
        bound = spectralRadiusBound(graph, power);
        if (termsFor((this.root * bound) ** 2) <= MAXIMUM_TERMS) return this.root * bound;
      }
      throw badData(
        `random walk: the series does not converge, or too slowly, on graph ${g}: got a decay of ${this.root ** 2}, expected well below 1/ρ² = ${bound ** -2}: choose a smaller decay`,
      );
    });
  }

  private terms(bounds: Float64Array): number {
    return termsFor(bounds.reduce((most, bound) => Math.max(most, bound), 0) ** 2);
  }

  /** φ_0 .. φ_(terms − 1) of each graph. */
  private walkCounts(graphs: readonly Graph[], terms: number): Float64Array {
    const counts = new Float64Array(graphs.length * terms);
    for (let g = 0; g < graphs.length; g++) {
      const graph = graphs[g];
      let x = new Float64Array(graph.nodeCount).fill(1);
      let y = new Float64Array(graph.nodeCount);
      for (let k = 0; k < terms; k++) {
        let sum = 0;
        for (let i = 0; i < x.length; i++) sum += x[i];
        counts[g * terms + k] = sum;
        step(graph, this.root, x, y);
        [x, y] = [y, x];
      }
    }
    return counts;
  }

  private labelledGram(
    left: readonly Graph[],
    right: readonly Graph[],
    bounds: Float64Array,
    boundsRight: Float64Array,
  ): Float64Array {
    const same = left === right;
    const index = labelIndex(same ? left : [...left, ...right]);
    const a = left.map((graph) => sortByLabel(graph, index, this.root));
    const b = same ? a : right.map((graph) => sortByLabel(graph, index, this.root));
    const work = new PairWork(a, b);
    const width = right.length;
    const gram = new Float64Array(left.length * width);
    for (let i = 0; i < left.length; i++)
      for (let j = same ? i : 0; j < width; j++) {
        const value = work.sum(a[i], b[j], bounds[i] * boundsRight[j]);
        gram[i * width + j] = value;
        if (same) gram[j * width + i] = value;
      }
    return gram;
  }
}

/** The number of terms T with q^T / (1 − q) at most 1e-16; infinite unless q < 1. */
function termsFor(q: number): number {
  if (!(q < 1)) return Number.POSITIVE_INFINITY;
  return q === 0 ? 1 : Math.max(1, Math.ceil(Math.log(LEFT_OUT * (1 - q)) / Math.log(q)));
}

/** y = scale A x. */
function step({ offsets, targets, weights }: Graph, scale: number, x: Float64Array, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) {
    let sum = 0;
    if (weights === null) for (let k = offsets[i]; k < offsets[i + 1]; k++) sum += x[targets[k]];
    else for (let k = offsets[i]; k < offsets[i + 1]; k++) sum += scale * weights[k] * x[targets[k]];
    y[i] = weights === null ? scale * sum : sum;
  }
}

/** ‖A^power‖_∞^(1/power), an upper bound of the spectral radius of A: the largest row sum, as A is not negative. O(power · E). */
export function spectralRadiusBound(graph: Graph, power = 16): number {
  let x = new Float64Array(graph.nodeCount).fill(1);
  let y = new Float64Array(graph.nodeCount);
  let logarithm = 0;
  for (let k = 0; k < power; k++) {
    step(graph, 1, x, y);
    let largest = 0;
    for (let i = 0; i < y.length; i++) if (y[i] > largest) largest = y[i];
    if (largest === 0) return 0;
    for (let i = 0; i < y.length; i++) y[i] /= largest;
    logarithm += Math.log(largest);
    [x, y] = [y, x];
  }
  return Math.exp(logarithm / power);
}

/** Inner products of rows of `length` numbers. */
function products(a: Float64Array, b: Float64Array, length: number): Float64Array {
  const height = a.length / length;
  const width = b.length / length;
  const out = new Float64Array(height * width);
  for (let i = 0; i < height; i++)
    for (let j = a === b ? i : 0; j < width; j++) {
      let sum = 0;
      for (let t = length - 1; t >= 0; t--) sum += a[i * length + t] * b[j * length + t];
      out[i * width + j] = sum;
      if (a === b) out[j * width + i] = sum;
    }
  return out;
}

function labelIndex(graphs: readonly Graph[]): Map<number, number> {
  if (!haveLabels("random walk", graphs) && graphs.some((graph) => graph.nodeCount > 0))
    throw badData('random walk: the graphs have no node labels: expected them for labels "nodes"');
  const index = new Map<number, number>();
  for (const { labels } of graphs)
    for (const label of labels ?? []) if (!index.has(label)) index.set(label, index.size);
  return index;
}

/** A graph with its nodes in order of labels: those with label l are starts[l] .. starts[l + 1). */
interface SortedGraph {
  nodes: number;
  label: Uint32Array;
  starts: Uint32Array;
  offsets: Uint32Array;
  targets: Uint32Array;
  /** √λ times the weights. */
  weights: Float64Array;
}

function sortByLabel(graph: Graph, index: Map<number, number>, root: number): SortedGraph {
  const n = graph.nodeCount;
  const starts = new Uint32Array(index.size + 1);
  const unsorted = Uint32Array.from({ length: n }, (_, i) => index.get(graph.labels![i])!);
  for (let i = 0; i < n; i++) starts[unsorted[i] + 1]++;
  for (let l = 0; l < index.size; l++) starts[l + 1] += starts[l];
  const next = starts.slice();
  const old = new Uint32Array(n);
  const place = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    place[i] = next[unsorted[i]]++;
    old[place[i]] = i;
  }
  const offsets = new Uint32Array(n + 1);
  const targets = new Uint32Array(graph.targets.length);
  const weights = new Float64Array(graph.targets.length);
  for (let p = 0, at = 0; p < n; p++) {
    for (let k = graph.offsets[old[p]]; k < graph.offsets[old[p] + 1]; k++, at++) {
      targets[at] = place[graph.targets[k]];
      weights[at] = root * (graph.weights === null ? 1 : graph.weights[k]);
    }
    offsets[p + 1] = at;
  }
  return { nodes: n, label: Uint32Array.from(old, (i) => unsorted[i]), starts, offsets, targets, weights };
}

/** Conjugate gradients over the pairs of nodes of two graphs, in working memory for the largest pair. */
class PairWork {
  private readonly residual: Float64Array;
  private readonly direction: Float64Array;
  private readonly image: Float64Array;
  private readonly row: Float64Array;

  constructor(a: readonly SortedGraph[], b: readonly SortedGraph[]) {
    const most = (graphs: readonly SortedGraph[]) => graphs.reduce((n, graph) => Math.max(n, graph.nodes), 0);
    const width = most(b);
    const pairs = most(a) * width;
    if (pairs > MAXIMUM_PAIRS)
      throw badData(
        `random walk: labelled graphs too large: got ${most(a)} × ${width} pairs of nodes, expected at most ${MAXIMUM_PAIRS}: use labels "none"`,
      );
    this.residual = new Float64Array(pairs);
    this.direction = new Float64Array(pairs);
    this.image = new Float64Array(pairs);
    this.row = new Float64Array(width);
  }

  /**
   * K = ΣX = Σ_k α_k ‖R_k‖², as the right-hand side is the first residual (Hestenes, Stiefel 1952; Strakoš, Tichý 2002): X itself is
   * not needed. q bounds λ ρ(A) ρ(B), so that the eigenvalues of I − λW lie between 1 − q and 1 + q.
   */
  sum(a: SortedGraph, b: SortedGraph, q: number): number {
    const { residual, direction, image } = this;
    const width = b.nodes;
    let square = 0;
    for (let i = 0; i < a.nodes; i++) {
      const from = b.starts[a.label[i]];
      const to = b.starts[a.label[i] + 1];
      residual.fill(1, i * width + from, i * width + to);
      direction.fill(1, i * width + from, i * width + to);
      square += to - from;
    }
    for (let sum = 0; ; ) {
      if (square <= LEFT_OUT_OF_PAIR * (1 - q) * sum) return sum;
      const alpha = square / this.apply(a, b);
      sum += alpha * square;
      let next = 0;
      for (let i = 0; i < a.nodes; i++) {
        const end = i * width + b.starts[a.label[i] + 1];
        for (let p = i * width + b.starts[a.label[i]]; p < end; p++) {
          residual[p] -= alpha * image[p];
          next += residual[p] * residual[p];
        }
      }
      const beta = next / square;
      for (let i = 0; i < a.nodes; i++) {
        const end = i * width + b.starts[a.label[i] + 1];
        for (let p = i * width + b.starts[a.label[i]]; p < end; p++)
          direction[p] = residual[p] + beta * direction[p];
      }
      square = next;
    }
  }

  /** image = direction − M ∘ (A direction B); gives their inner product. */
  private apply(a: SortedGraph, b: SortedGraph): number {
    const { direction, image, row } = this;
    const width = b.nodes;
    let product = 0;
    for (let i = 0; i < a.nodes; i++) {
      const begin = b.starts[a.label[i]];
      const end = b.starts[a.label[i] + 1];
      if (begin === end) continue;
      row.fill(0, 0, width);
      for (let k = a.offsets[i]; k < a.offsets[i + 1]; k++) {
        const other = a.targets[k];
        const weight = a.weights[k];
        const to = b.starts[a.label[other] + 1];
        for (let j = b.starts[a.label[other]]; j < to; j++) row[j] += weight * direction[other * width + j];
      }
      for (let j = begin; j < end; j++) {
        let value = direction[i * width + j];
        for (let k = b.offsets[j]; k < b.offsets[j + 1]; k++) value -= b.weights[k] * row[b.targets[k]];
        image[i * width + j] = value;
        product += value * direction[i * width + j];
      }
    }
    return product;
  }
}
