/**
 * Is a Gram matrix positive semi-definite? Its smallest and largest eigenvalue: all of them for n <= 500 (dense), else by the Lanczos
 * iteration with full reorthogonalisation, whose extreme values converge first: O(n² k + n k²) for k steps. A Lanczos value is
 * never below the true smallest, so that a warning is never false; the tolerance of 1e-8 of the largest is what rounding explains.
 */
import { badCall } from "../base/errors.js";
import { Random } from "../base/random.js";
import { symmetricEigenvalues } from "../spectrum/dense-eigen.js";
import type { Gram } from "./gram.js";

export interface Definiteness {
  smallest: number;
  largest: number;
  method: "dense" | "lanczos";
  /** A sentence when the matrix is not positive semi-definite; else null. */
  warning: string | null;
}

const DENSE_ORDER = 500;
const STEPS = 80;

export function checkDefinite(gram: Gram, name = "the Gram matrix"): Definiteness {
  const n = gram.rows;
  if (gram.columns !== n)
    throw badCall(`eigenvalue check: got a matrix of ${n} × ${gram.columns}, expected a square one`);
  if (n === 0) return { smallest: 0, largest: 0, method: "dense", warning: null };
  const dense = n <= DENSE_ORDER;
  const values = dense ? symmetricEigenvalues(Float64Array.from(gram.values), n) : lanczosValues(gram, STEPS);
  const [smallest, largest] = [values[0], values[values.length - 1]];
  // single precision storage rounds every entry by 6e-8
  const allowed = (gram.values instanceof Float32Array ? 1e-6 : 1e-8) * Math.max(largest, 0);
  const warning =
    smallest < -allowed
      ? `${name} is not positive semi-definite: its smallest eigenvalue is ${smallest.toExponential(2)}, its largest ${largest.toExponential(2)}; an SVM may give poor or changing answers with it`
      : null;
  return { smallest, largest, method: dense ? "dense" : "lanczos", warning };
}

/** Ritz values after some steps from a fixed random vector, ascending. */
function lanczosValues({ values, rows: n }: Gram, steps: number): Float64Array {
  const random = new Random(0, n);
  const basis: Float64Array[] = [];
  const [diagonal, side]: [number[], number[]] = [[], []];
  let v = Float64Array.from({ length: n }, () => random.normal());
  let norm = Math.sqrt(dot(v, v));
  // largest ‖Kv‖: what is left of a smaller part of it is rounding, and the subspace is closed
  let scale = 0;
  for (let k = 0; k < Math.min(steps, n) && norm > 1e-12 * scale; k++) {
    for (let i = 0; i < n; i++) v[i] /= norm;
    basis.push(v);
    const w = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += values[i * n + j] * v[j];
      w[i] = sum;
    }
    diagonal.push(dot(w, v));
    scale = Math.max(scale, Math.sqrt(dot(w, w)));
    for (let pass = 0; pass < 2; pass++)
      for (const u of basis) {
        const x = dot(w, u);
        for (let i = 0; i < n; i++) w[i] -= x * u[i];
      }
    norm = Math.sqrt(dot(w, w));
    side.push(norm);
    v = w;
  }
  const k = diagonal.length;
  const tridiagonal = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    tridiagonal[i * k + i] = diagonal[i];
    if (i > 0) tridiagonal[i * k + i - 1] = tridiagonal[(i - 1) * k + i] = side[i - 1];
  }
  return symmetricEigenvalues(tridiagonal, k);
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}
