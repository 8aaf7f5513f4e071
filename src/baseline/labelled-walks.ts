/**
 * Common labelled walks of two graphs: K(G, H) = Σ_k λ^k eᵀ W^k e, W = M ∘ (A ⊗ B), M = [labels equal]. Conjugate gradients solve
 * (I − λW) X = M over the pairs of nodes with equal labels, W applied as M ∘ (A X B), and K = ΣX.
 *
 * Cost: (n_G E_H + n_H E_G) / labels a step, some five to ten steps a pair. The residual R bounds what is missing from K by
 * ‖R‖² / (1 − λ ρ(A) ρ(B)); the steps end when that is 1e-12 of K.
 */
import { badData } from "../base/errors.js";
import { exponential } from "../base/exponential.js";
import { logarithm } from "../base/logarithm.js";
import type { Task } from "../compute/executor.js";
import type { Graph } from "../graph/graph.js";
import { unpackGraphs } from "../graph/pack.js";
import { haveLabels } from "./sparse-counts.js";

const LEFT_OUT_OF_PAIR = 1e-12;
/** Largest n_G n_H: 128 MB for each of three matrices. */
const MAXIMUM_PAIRS = 2 ** 24;

/** K(G, H), row-major, left × right; pass the same array twice for one set. `bounds` are at least √λ ρ of each graph, and below 1. */
export function labelledWalkProducts(
  left: readonly Graph[],
  right: readonly Graph[],
  root: number,
  bounds: Float64Array,
  boundsRight: Float64Array,
): Float64Array {
  const same = left === right;
  const index = labelIndex(same ? left : [...left, ...right]);
  const a = left.map((graph) => sortByLabel(graph, index, root));
  const b = same ? a : right.map((graph) => sortByLabel(graph, index, root));
  const work = new PairWork(a, b);
  const width = right.length;
  const gram = new Float64Array(left.length * width);
  for (let i = 0; i < left.length; i++)
    for (let j = same ? i : 0; j < width; j++) {
      // one order for a pair from either side: the same bits
      const [x, y] = comesFirst(a[i], b[j]) ? [a[i], b[j]] : [b[j], a[i]];
      const value = work.sum(x, y, bounds[i] * boundsRight[j]);
      gram[i * width + j] = value;
      if (same) gram[j * width + i] = value;
    }
  return gram;
}

export interface WalkTile {
  /** √λ. */
  root: number;
  /** Packed graphs; b null for the pairs within a. */
  a: ArrayBuffer;
  b: ArrayBuffer | null;
}

/** K of all pairs of two packs of graphs. */
export const walkProductTask: Task<WalkTile, Float64Array> = {
  name: "labelled-walks",
  run(_, { root, a, b }) {
    const left = unpackGraphs(a);
    const right = b === null ? left : unpackGraphs(b);
    return labelledWalkProducts(left, right, root, boundsOf(left, root), boundsOf(right, root));
  },
  give: ({ a, b }) => (b === null ? [a] : [a, b]),
  transfer: (out) => [out.buffer as ArrayBuffer],
};

/** K(G, G) of each of some packed graphs. */
export const walkSquareTask: Task<{ root: number; graphs: ArrayBuffer }, Float64Array> = {
  name: "labelled-walk-squares",
  run: (_, { root, graphs }) =>
    Float64Array.from(unpackGraphs(graphs), (graph) => {
      const [one, bounds] = [[graph], boundsOf([graph], root)];
      return labelledWalkProducts(one, one, root, bounds, bounds)[0];
    }),
  give: ({ graphs }) => [graphs],
};

const boundsOf = (graphs: readonly Graph[], root: number) =>
  Float64Array.from(graphs, (graph) => root * spectralRadiusBound(graph, 64));

/** y = scale A x. */
export function step(
  { offsets, targets, weights }: Graph,
  scale: number,
  x: Float64Array,
  y: Float64Array,
): void {
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
  let sum = 0;
  for (let k = 0; k < power; k++) {
    step(graph, 1, x, y);
    let largest = 0;
    for (let i = 0; i < y.length; i++) if (y[i] > largest) largest = y[i];
    if (largest === 0) return 0;
    for (let i = 0; i < y.length; i++) y[i] /= largest;
    sum += logarithm(largest);
    [x, y] = [y, x];
  }
  return exponential(sum / power);
}

function labelIndex(graphs: readonly Graph[]): Map<number, number> {
  if (!haveLabels("random walk", graphs) && graphs.some((graph) => graph.nodeCount > 0))
    throw badData('random walk: the graphs have no node labels: expected them for labels "nodes"');
  const all = new Set<number>();
  for (const { labels } of graphs) for (const label of labels ?? []) all.add(label);
  // ascending, so that the order of a graph's nodes does not depend on the others
  return new Map([...all].sort((x, y) => x - y).map((label, k) => [label, k]));
}

/** A graph with its nodes in order of labels: those with label l are starts[l] .. starts[l + 1). */
interface SortedGraph {
  nodes: number;
  /** Labels as the graph has them, and as numbers from 0. */
  values: Int32Array;
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
  const label = Uint32Array.from(old, (i) => unsorted[i]);
  const values = Int32Array.from(old, (i) => graph.labels![i]);
  return { nodes: n, values, label, starts, offsets, targets, weights };
}

/** An order of graphs by their arrays. */
function comesFirst(a: SortedGraph, b: SortedGraph): boolean {
  if (a.nodes !== b.nodes) return a.nodes > b.nodes;
  if (a.targets.length !== b.targets.length) return a.targets.length > b.targets.length;
  const difference = (x: ArrayLike<number>, y: ArrayLike<number>) => {
    let k = 0;
    while (k < x.length && x[k] === y[k]) k++;
    return k < x.length ? x[k] - y[k] : 0;
  };
  const own = difference(a.values, b.values) || difference(a.offsets, b.offsets);
  return (own || difference(a.targets, b.targets) || difference(a.weights, b.weights)) <= 0;
}

/** Conjugate gradients over the pairs of nodes of two graphs, in working memory for the largest pair. */
class PairWork {
  private readonly residual: Float64Array;
  private readonly direction: Float64Array;
  private readonly image: Float64Array;
  private readonly row: Float64Array;

  constructor(a: readonly SortedGraph[], b: readonly SortedGraph[]) {
    const most = (graphs: readonly SortedGraph[]) => graphs.reduce((n, graph) => Math.max(n, graph.nodes), 0);
    const width = Math.max(most(a), most(b));
    const pairs = most(a) * most(b);
    if (pairs > MAXIMUM_PAIRS)
      throw badData(
        `random walk: labelled graphs too large: got ${most(a)} × ${most(b)} pairs of nodes, expected at most ${MAXIMUM_PAIRS}: use labels "none"`,
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
    const { label, offsets: offsetsA, targets: targetsA, weights: weightsA, nodes } = a;
    const { starts, offsets: offsetsB, targets: targetsB, weights: weightsB, nodes: width } = b;
    let product = 0;
    for (let i = 0; i < nodes; i++) {
      const begin = starts[label[i]];
      const end = starts[label[i] + 1];
      if (begin === end) continue;
      row.fill(0, 0, width);
      for (let k = offsetsA[i], last = offsetsA[i + 1]; k < last; k++) {
        const other = targetsA[k];
        const weight = weightsA[k];
        const from = other * width;
        for (let j = starts[label[other]], to = starts[label[other] + 1]; j < to; j++)
          row[j] += weight * direction[from + j];
      }
      const own = i * width;
      for (let j = begin; j < end; j++) {
        let value = direction[own + j];
        for (let k = offsetsB[j], last = offsetsB[j + 1]; k < last; k++)
          value -= weightsB[k] * row[targetsB[k]];
        image[own + j] = value;
        product += value * direction[own + j];
      }
    }
    return product;
  }
}
