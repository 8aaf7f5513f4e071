/**
 * The symmetric quotient of a graph by its twin classes, as a sparse matrix.
 *
 * Classes p, q of c_p, c_q twins with degrees d_p, d_q and single weight w between their members; a class's own members have
 * self-weight a and mutual weight b:
 *
 *   Q_pq = w·√(c_p c_q) / √(d_p d_q),   Q_pp = (a + (c − 1)·b) / d,   spike_p = (a − b) / d.
 *
 * The spectrum of Ã is that of Q and, c − 1 times for each class, its spike: T_m(Ã)_ii = T_m(Q)_pp / c + (1 − 1/c)·T_m(spike_p).
 * Degrees are those of the graph; an isolated node has a zero row. O(nodes + edges); only the rows of the classes' first nodes
 * are read.
 *
 * No weight overflows: with r = √c/√d, whose square root of a degree lies between 1e-162 and 1e158, Q_pq = (w·r_p)·r_q.
 */
import type { Graph } from "../graph/graph.js";
import type { TwinClasses } from "../graph/twins.js";

export interface Quotient {
  /** Number of classes. */
  count: number;
  /** Compressed rows, targets ascending, the diagonal among them when it is not zero. */
  offsets: Uint32Array;
  targets: Uint32Array;
  values: Float64Array;
  /** Q_pp. */
  loops: Float64Array;
  /** The eigenvalue of the class's own c − 1 eigenvectors; 0 for single nodes, where it has no weight. */
  spikes: Float64Array;
  /** c. */
  sizes: Uint32Array;
}

/** Quotients of one graph after another in the same working memory: the arrays may be longer than needed. */
export class QuotientBuilder implements Quotient {
  count = 0;
  offsets = new Uint32Array(1);
  targets = new Uint32Array(0);
  values = new Float64Array(0);
  loops = new Float64Array(0);
  spikes = new Float64Array(0);
  sizes: Uint32Array = new Uint32Array(0);
  /** √(c/d), 0 where d is 0. */
  private roots = new Float64Array(0);

  /** With `loopsAreOne`, A_ii = 1 for every node (the operator A + I); the twin classes must be those of that matrix too. */
  build(graph: Graph, twins: TwinClasses, loopsAreOne: boolean): this {
    const { offsets, targets, weights } = graph;
    const { count, classOf, size, representative, selfWeight, mutualWeight } = twins;
    this.reserve(count);
    this.count = count;
    this.sizes = size;
    const { loops, spikes, roots } = this;

    // degrees, loops and spikes; count the entries
    let entries = count;
    for (let p = 0; p < count; p++) {
      const i = representative[p];
      const begin = offsets[i];
      const end = offsets[i + 1];
      entries += end - begin;
      const extra = loopsAreOne ? 1 : 0;
      const rootDegree =
        weights === null && !(loopsAreOne && graph.selfLoopCount > 0)
          ? Math.sqrt(end - begin + extra)
          : rootOfDegree(graph, i, loopsAreOne);
      const inverse = rootDegree > 0 ? 1 / rootDegree : 0;
      const c = size[p];
      const a = selfWeight[p] * inverse * inverse;
      const b = mutualWeight[p] * inverse * inverse;
      loops[p] = a + (c - 1) * b;
      spikes[p] = c > 1 ? a - b : 0;
      roots[p] = Math.sqrt(c) * inverse;
    }

    // rows: a neighbouring class is entered once, at its first node; the class itself by its loop
    this.reserveEntries(entries);
    const { values } = this;
    const rowTargets = this.targets;
    const rowOffsets = this.offsets;
    let filled = 0;
    rowOffsets[0] = 0;
    for (let p = 0; p < count; p++) {
      const i = representative[p];
      const root = roots[p];
      let loop = loops[p];
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = targets[k];
        const q = classOf[j];
        if (q === p || representative[q] !== j) continue;
        if (loop !== 0 && q > p) {
          rowTargets[filled] = p;
          values[filled++] = loop;
          loop = 0;
        }
        const w = weights === null ? 1 : weights[k];
        rowTargets[filled] = q;
        values[filled++] = p < q ? w * root * roots[q] : w * roots[q] * root;
      }
      if (loop !== 0) {
        rowTargets[filled] = p;
        values[filled++] = loop;
      }
      rowOffsets[p + 1] = filled;
    }
    return this;
  }

  private reserve(count: number): void {
    if (this.loops.length >= count) return;
    const size = Math.max(64, count, Math.min(2 * this.loops.length, 1 << 20));
    this.offsets = new Uint32Array(size + 1);
    this.loops = new Float64Array(size);
    this.spikes = new Float64Array(size);
    this.roots = new Float64Array(size);
  }

  private reserveEntries(entries: number): void {
    if (this.targets.length >= entries) return;
    const size = Math.max(256, entries, Math.min(2 * this.targets.length, 1 << 22));
    this.targets = new Uint32Array(size);
    this.values = new Float64Array(size);
  }
}

/** √ of the sum of the weights of row i; a sum beyond the largest number, or of the smallest ones, is taken in a scale of its own. */
function rootOfDegree(graph: Graph, i: number, loopsAreOne: boolean): number {
  const { offsets, targets, weights } = graph;
  const begin = offsets[i];
  const end = offsets[i + 1];
  const sum = (scale: number) => {
    let total = loopsAreOne ? scale : 0;
    for (let k = begin; k < end; k++)
      if (!loopsAreOne || targets[k] !== i) total += scale * (weights === null ? 1 : weights[k]);
    return total;
  };
  const plain = sum(1);
  return plain === Number.POSITIVE_INFINITY ? 2 ** 50 * Math.sqrt(sum(2 ** -100)) : Math.sqrt(plain);
}
