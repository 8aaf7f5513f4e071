/**
 * Lanczos quadrature: the spectral measure of a sparse symmetric operator seen from a vector v, μ_v = Σ (vᵀq_i)² δ(λ_i), as a Gauss rule
 * of k nodes, exact for polynomials of degree ≤ 2k − 1. k products, O(k² n) for full reorthogonalisation (twice, so that no ghost
 * eigenvalues appear), k n doubles of memory.
 *
 * Over Rademacher probes the rules average to the density of states of the whole operator (stochastic Lanczos quadrature):
 * Ubaru, Chen, Saad, SIAM J. Matrix Anal. Appl. 38 (2017). Probe p draws from stream p of the seed, so a result does not depend on order.
 */
import { badCall, unknownName } from "../base/errors.js";
import { Random } from "../base/random.js";
import { multiply, type SparseOperator } from "./operator.js";
import { gaussRule } from "./tridiagonal.js";

export interface GaussRule {
  /** Ascending. Fewer than asked for where the Krylov space is exhausted: the rule is then the measure itself. */
  nodes: Float64Array;
  /** Positive; they sum to ‖v‖². */
  weights: Float64Array;
}

export function lanczosQuadrature(operator: SparseOperator, start: Float64Array, steps: number): GaussRule {
  const { n } = operator;
  checkCount("steps", steps);
  if (start.length !== n) throw badCall(`lanczos: start vector of ${start.length} numbers, expected ${n}`);
  const most = Math.min(steps, n);
  const length = norm(start, 0, n);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY))
    throw badCall(`lanczos: the start vector has length ${length}, expected a finite one above 0`);

  const basis = new Float64Array(most * n);
  for (let i = 0; i < n; i++) basis[i] = start[i] / length;
  const alpha = new Float64Array(most);
  const beta = new Float64Array(most);
  const w = new Float64Array(n);
  let scale = 0;
  let k = 0;
  for (;;) {
    const q = basis.subarray(k * n, (k + 1) * n);
    multiply(operator, q, w);
    alpha[k] = dot(q, w);
    for (let pass = 0; pass < 2; pass++) orthogonalise(w, basis, k + 1, n);
    const rest = norm(w, 0, n);
    scale = Math.max(scale, Math.abs(alpha[k]), rest);
    k++;
    // an invariant subspace: what is left is rounding
    if (k === most || rest <= 16 * Number.EPSILON * Math.sqrt(n) * scale) break;
    beta[k - 1] = rest;
    for (let i = 0; i < n; i++) basis[k * n + i] = w[i] / rest;
  }
  return gaussRule(alpha.slice(0, k), beta, length * length);
}

/** w minus its parts along the first `count` rows of the basis. */
function orthogonalise(w: Float64Array, basis: Float64Array, count: number, n: number): void {
  for (let j = 0; j < count; j++) {
    const row = j * n;
    let part = 0;
    for (let i = 0; i < n; i++) part += basis[row + i] * w[i];
    for (let i = 0; i < n; i++) w[i] -= part * basis[row + i];
  }
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

function norm(x: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += x[i] * x[i];
  return Math.sqrt(sum);
}

export interface LanczosOptions {
  /** Random vectors. Default 16. */
  probes?: number;
  /** Nodes a probe. Default 40. */
  steps?: number;
  /** Default 0. */
  seed?: number;
}

export interface Estimate {
  value: number;
  /** Of the mean over the probes; null for a single probe, which does not tell. */
  standardError: number | null;
}

export interface LanczosDensity {
  /** The options as used. */
  probes: number;
  steps: number;
  seed: number;
  /** All nodes and weights, probe after probe; the weights are those of the mean and sum to n. */
  nodes: Float64Array;
  weights: Float64Array;
  /** Probe p is [offsets[p], offsets[p+1]). */
  offsets: Uint32Array;
}

export function lanczosDensity(operator: SparseOperator, options: LanczosOptions = {}): LanczosDensity {
  for (const key of Object.keys(options))
    if (!["probes", "steps", "seed"].includes(key))
      throw unknownName("option of lanczos", key, ["probes", "steps", "seed"]);
  const { probes = 16, steps = 40, seed = 0 } = options;
  checkCount("probes", probes);
  checkCount("steps", steps);
  if (!(Number.isSafeInteger(seed) && seed >= 0))
    throw badCall(`lanczos: seed: got ${seed}, expected an integer of at least 0`);
  const { n } = operator;
  const rules: GaussRule[] = [];
  const start = new Float64Array(n);
  for (let p = 0; p < probes && n > 0; p++) {
    rademacher(new Random(seed, p), start);
    rules.push(lanczosQuadrature(operator, start, steps));
  }
  const offsets = new Uint32Array(probes + 1);
  for (let p = 0; p < probes; p++) offsets[p + 1] = offsets[p] + (rules[p]?.nodes.length ?? 0);
  const nodes = new Float64Array(offsets[probes]);
  const weights = new Float64Array(offsets[probes]);
  for (const [p, rule] of rules.entries()) {
    nodes.set(rule.nodes, offsets[p]);
    for (let k = 0; k < rule.weights.length; k++) weights[offsets[p] + k] = rule.weights[k] / probes;
  }
  return { probes, steps, seed, nodes, weights, offsets };
}

/** Signs, one random bit each. */
function rademacher(random: Random, out: Float64Array): void {
  let bits = 0;
  for (let i = 0; i < out.length; i++) {
    if ((i & 31) === 0) bits = random.uint32();
    out[i] = bits & 1 ? 1 : -1;
    bits >>>= 1;
  }
}

/** Tr f(Ã) estimated, with its standard error over the probes. */
export function lanczosIntegral(density: LanczosDensity, f: (x: number) => number): Estimate {
  const { probes, nodes, weights, offsets } = density;
  const values = new Float64Array(probes);
  let mean = 0;
  for (let p = 0; p < probes; p++) {
    for (let k = offsets[p]; k < offsets[p + 1]; k++) values[p] += probes * weights[k] * f(nodes[k]);
    mean += values[p] / probes;
  }
  if (probes === 1) return { value: mean, standardError: null };
  let squares = 0;
  for (let p = 0; p < probes; p++) squares += (values[p] - mean) ** 2;
  return { value: mean, standardError: Math.sqrt(squares / (probes - 1) / probes) };
}

function checkCount(name: string, count: number): void {
  if (!(Number.isInteger(count) && count > 0))
    throw badCall(`lanczos: ${name}: got ${count}, expected an integer of at least 1`);
}
