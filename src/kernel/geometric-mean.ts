/**
 * The geometric mean of two symmetric positive definite matrices,
 *
 *   A # B = A^½ (A^-½ B A^-½)^½ A^½,
 *
 * the midpoint of the geodesic between them (Bhatia, "Positive definite matrices", 2007, chapter 4), of which the paper says that it is left
 * for the future. Gram matrices may be singular (equal graphs), so that both get `ridge`·(mean of the diagonal) on the diagonal first.
 *
 * With A = L Lᵀ it equals L (L⁻¹ B L⁻ᵀ)^½ Lᵀ, since the mean commutes with congruences: one Cholesky factor and one dense
 * eigendecomposition. O(n³): seconds for n = 500, minutes for n = 2000.
 */
import { badCall, badData } from "../base/errors.js";
import { symmetricEigen } from "../spectrum/dense-eigen.js";

/** n × n, row by row. */
export function matrixGeometricMean(
  a: Float64Array,
  b: Float64Array,
  n: number,
  ridge = 1e-8,
): Float64Array<ArrayBuffer> {
  if (a.length !== n * n || b.length !== n * n)
    throw badCall(`geometric mean: got ${a.length} and ${b.length} numbers, expected n × n for n = ${n}`);
  const lower = cholesky(regularised(a, n, ridge), n);
  const inner = regularised(b, n, ridge);
  // L⁻¹ B, then (L⁻¹ (L⁻¹ B)ᵀ)ᵀ = L⁻¹ B L⁻ᵀ
  solveRows(lower, inner, n);
  transpose(inner, n);
  solveRows(lower, inner, n);
  const { values, vectors } = symmetricEigen(inner, n);
  // rows √√λ_k·(L u_k): their products sum to the mean
  const scaled = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    const factor = Math.sqrt(Math.sqrt(Math.max(values[k], 0)));
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j <= i; j++) sum += lower[i * n + j] * vectors[k * n + j];
      scaled[k * n + i] = factor * sum;
    }
  }
  const mean = new Float64Array(n * n);
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) {
      const x = scaled[k * n + i];
      for (let j = 0; j <= i; j++) mean[i * n + j] += x * scaled[k * n + j];
    }
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) mean[j * n + i] = mean[i * n + j];
  return mean;
}

function regularised(matrix: Float64Array, n: number, ridge: number): Float64Array {
  const copy = Float64Array.from(matrix);
  let trace = 0;
  for (let i = 0; i < n; i++) trace += copy[i * n + i];
  for (let i = 0; i < n; i++) copy[i * n + i] += (ridge * trace) / n;
  return copy;
}

function cholesky(a: Float64Array, n: number): Float64Array {
  const lower = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= lower[i * n + k] * lower[j * n + k];
      if (i > j) lower[i * n + j] = sum / lower[j * n + j];
      else if (sum > 0) lower[i * n + i] = Math.sqrt(sum);
      else
        throw badData(
          `geometric mean: the first matrix is not positive definite at row ${i}: got a pivot of ${sum}; its kernel cannot be averaged this way`,
        );
    }
  return lower;
}

/** X ← L⁻¹X, row operations only. */
function solveRows(lower: Float64Array, x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let k = 0; k < i; k++) {
      const factor = lower[row + k];
      for (let j = 0; j < n; j++) x[row + j] -= factor * x[k * n + j];
    }
    const pivot = lower[row + i];
    for (let j = 0; j < n; j++) x[row + j] /= pivot;
  }
}

function transpose(x: Float64Array, n: number): void {
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      const value = x[i * n + j];
      x[i * n + j] = x[j * n + i];
      x[j * n + i] = value;
    }
}
