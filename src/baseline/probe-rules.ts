/**
 * Gauss rules of a sparse symmetric operator seen from random sign vectors, many vectors at a time: Lanczos iterations side by side, number
 * p of row i at i·block + p, so that an entry of the operator is read once for all of them. The same rules as lanczosDensity
 * (spectrum/lanczos.ts), by the three-term recurrence alone: without reorthogonalisation a converged node may appear twice and share
 * its weight, which changes no integral (Golub, Strakoš: Estimates in quadratic formulas, Numerical Algorithms 8 (1994)).
 *
 * Cost: probes · steps · (entries + 4n) operations in loops over a block; memory 24 · n · block bytes, at most 1 MB unless a
 * single vector takes more. Vector p draws from stream p of the seed.
 */
import { Random } from "../base/random.js";
import type { SparseOperator } from "../spectrum/operator.js";
import { gaussRule } from "../spectrum/tridiagonal.js";

export interface ProbeRules {
  /** All nodes and weights, probe after probe; the weights of a probe sum to n. */
  nodes: Float64Array;
  weights: Float64Array;
  /** Probe p is [offsets[p], offsets[p + 1]). */
  offsets: Uint32Array;
}

/** Numbers of one vector times the block: three of these stay in the cache. */
const BLOCK_NUMBERS = 2 ** 15;
const EXHAUSTED = 2 ** -44;

export function probeRules(
  operator: SparseOperator,
  probes: number,
  steps: number,
  seed: number,
): ProbeRules {
  const { n } = operator;
  const most = Math.min(steps, n);
  const block = Math.max(1, Math.min(probes, Math.floor(BLOCK_NUMBERS / n)));
  const nodes = new Float64Array(probes * most);
  const weights = new Float64Array(probes * most);
  const offsets = new Uint32Array(probes + 1);
  const work = new BlockLanczos(operator, block, most);
  let filled = 0;
  for (let from = 0; from < probes; from += block) {
    const count = Math.min(block, probes - from);
    work.run(from, count, seed);
    for (let p = 0; p < count; p++) {
      const length = work.lengths[p];
      const alpha = Float64Array.from({ length }, (_, k) => work.alpha[k * block + p]);
      const beta = Float64Array.from({ length }, (_, k) => work.beta[k * block + p]);
      const rule = gaussRule(alpha, beta, n);
      nodes.set(rule.nodes, filled);
      weights.set(rule.weights, filled);
      filled += length;
      offsets[from + p + 1] = filled;
    }
  }
  return { nodes: nodes.subarray(0, filled), weights: weights.subarray(0, filled), offsets };
}

class BlockLanczos {
  /** steps × block numbers: entry k of vector p at k·block + p. */
  readonly alpha: Float64Array;
  readonly beta: Float64Array;
  /** Steps that vector p took before its Krylov space was exhausted. */
  readonly lengths: Uint32Array;
  private before: Float64Array;
  private now: Float64Array;
  private next: Float64Array;
  private readonly sums: Float64Array;
  private readonly scale: Float64Array;

  constructor(
    private readonly operator: SparseOperator,
    private readonly block: number,
    private readonly steps: number,
  ) {
    const size = operator.n * block;
    this.alpha = new Float64Array(steps * block);
    this.beta = new Float64Array(steps * block);
    this.lengths = new Uint32Array(block);
    this.before = new Float64Array(size);
    this.now = new Float64Array(size);
    this.next = new Float64Array(size);
    this.sums = new Float64Array(block);
    this.scale = new Float64Array(block);
  }

  /** Vectors `first` to `first + count`; what is behind them in the block stays zero. */
  run(first: number, count: number, seed: number): void {
    const { block, steps, alpha, beta, sums, scale, lengths } = this;
    const { n } = this.operator;
    this.before.fill(0);
    this.now.fill(0);
    for (let p = 0; p < count; p++) signs(new Random(seed, first + p), this.now, n, block, p);
    lengths.fill(0).fill(steps, 0, count);
    scale.fill(0);
    for (let k = 0; k < steps; k++) {
      this.multiply(k === 0 ? null : beta.subarray((k - 1) * block, k * block));
      alpha.set(sums, k * block);
      if (k + 1 === steps) break;
      this.subtract(alpha.subarray(k * block, (k + 1) * block));
      for (let p = 0; p < count; p++) {
        const rest = Math.sqrt(sums[p]);
        scale[p] = Math.max(scale[p], Math.abs(alpha[k * block + p]), rest);
        // an invariant subspace: what is left is rounding
        const exhausted = rest <= EXHAUSTED * Math.sqrt(n) * scale[p];
        if (exhausted && lengths[p] === steps) lengths[p] = k + 1;
        beta[k * block + p] = rest;
        sums[p] = lengths[p] === steps ? 1 / rest : 0;
      }
      const { next } = this;
      for (let i = 0, at = 0; i < n; i++) for (let p = 0; p < block; p++, at++) next[at] *= sums[p];
      [this.before, this.now, this.next] = [this.now, this.next, this.before];
    }
  }

  /** next = A now − beta before; sums = nextᵀ now. */
  private multiply(beta: Float64Array | null): void {
    const { block, before, now, next, sums } = this;
    const { n, offsets, targets, values } = this.operator;
    sums.fill(0);
    for (let i = 0; i < n; i++) {
      const row = i * block;
      if (beta === null) next.fill(0, row, row + block);
      else for (let p = 0; p < block; p++) next[row + p] = -beta[p] * before[row + p];
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const value = values[k];
        for (let p = 0, from = targets[k] * block; p < block; p++) next[row + p] += value * now[from + p];
      }
      for (let p = 0; p < block; p++) sums[p] += next[row + p] * now[row + p];
    }
  }

  /** next −= alpha now; sums = nextᵀ next. */
  private subtract(alpha: Float64Array): void {
    const { block, now, next, sums } = this;
    const { n } = this.operator;
    sums.fill(0);
    for (let i = 0, at = 0; i < n; i++)
      for (let p = 0; p < block; p++, at++) {
        const value = next[at] - alpha[p] * now[at];
        next[at] = value;
        sums[p] += value * value;
      }
  }
}

/** Signs / √n in column p, one random bit each. */
function signs(random: Random, out: Float64Array, n: number, block: number, p: number): void {
  const size = 1 / Math.sqrt(n);
  let bits = 0;
  for (let i = 0; i < n; i++) {
    if ((i & 31) === 0) bits = random.uint32();
    out[i * block + p] = bits & 1 ? size : -size;
    bits >>>= 1;
  }
}
