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
import { logarithm } from "../base/logarithm.js";
import type { Graph } from "../graph/graph.js";
import { labelledWalkProducts, spectralRadiusBound, step } from "./labelled-walks.js";
import { checkOptions } from "./sparse-counts.js";

export interface RandomWalkOptions {
  /** λ; null takes 1 / (2ρ²) from the graphs of the fit. Default null. */
  decay?: number | null;
  /** "nodes": walks pass through nodes of equal labels only; "none": labels are ignored. Default "none". */
  labels?: "none" | "nodes";
}

const LABELS = ["none", "nodes"];
const LEFT_OUT = 1e-16;
const MAXIMUM_TERMS = 10_000;

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
      const a = walkCounts(left, this.root, terms);
      return products(a, left === right ? a : walkCounts(right, this.root, terms), terms);
    }
    return labelledWalkProducts(left, right, this.root, bounds, boundsRight);
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
        `random walk: the series does not converge, or too slowly, on graph ${g}: got a decay of ${this.root ** 2}, expected well below 1/ρ² = ${1 / (bound * bound)}: choose a smaller decay`,
      );
    });
  }

  private terms(bounds: Float64Array): number {
    return termsFor(bounds.reduce((most, bound) => Math.max(most, bound), 0) ** 2);
  }
}

/** The number of terms T with q^T / (1 − q) at most 1e-16; infinite unless q < 1. */
export function termsFor(q: number): number {
  if (!(q < 1)) return Number.POSITIVE_INFINITY;
  return q === 0 ? 1 : Math.max(1, Math.ceil(logarithm(LEFT_OUT * (1 - q)) / logarithm(q)));
}

/** φ_0 .. φ_(terms − 1) of each graph, row by row; `root` is √λ. */
export function walkCounts(graphs: readonly Graph[], root: number, terms: number): Float64Array {
  const counts = new Float64Array(graphs.length * terms);
  for (let g = 0; g < graphs.length; g++) {
    const graph = graphs[g];
    let x = new Float64Array(graph.nodeCount).fill(1);
    let y = new Float64Array(graph.nodeCount);
    for (let k = 0; k < terms; k++) {
      let sum = 0;
      for (let i = 0; i < x.length; i++) sum += x[i];
      counts[g * terms + k] = sum;
      step(graph, root, x, y);
      [x, y] = [y, x];
    }
  }
  return counts;
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
