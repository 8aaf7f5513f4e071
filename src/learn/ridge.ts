/**
 * Kernel ridge regression for numeric targets: min_f Σ (f(x_i) − y_i)² + λ‖f‖², f(x) = ȳ + Σ_i α_i K(x, x_i) with
 * (K + λI)α = y − ȳ, by Cholesky. n³/3 operations for the fit, n for a prediction.
 */
import { badCall, badData } from "../base/errors.js";
import type { GramValues } from "./smo.js";

export interface RidgeModel {
  train: Int32Array;
  alpha: Float64Array;
  mean: number;
}

export function fitRidge(
  gram: GramValues,
  n: number,
  train: ArrayLike<number>,
  targets: ArrayLike<number>,
  lambda = 1,
): RidgeModel {
  if (!(lambda > 0)) throw badCall(`ridge regression: lambda: got ${lambda}, expected a number above 0`);
  const size = train.length;
  if (size === 0) throw badData("ridge regression: no training graphs");
  let mean = 0;
  for (let i = 0; i < size; i++) mean += targets[train[i]] / size;
  const a = new Float64Array(size * size);
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) a[i * size + j] = gram[train[i] * n + train[j]] + (i === j ? lambda : 0);
  const alpha = Float64Array.from({ length: size }, (_, i) => targets[train[i]] - mean);
  choleskySolve(a, size, alpha);
  return { train: Int32Array.from(train), alpha, mean };
}

/** `gram` rows of the graphs to predict over the same columns as in the fit. */
export function predictRidge(
  model: RidgeModel,
  gram: GramValues,
  n: number,
  rows: ArrayLike<number>,
): Float64Array {
  const { train, alpha, mean } = model;
  return Float64Array.from({ length: rows.length }, (_, r) => {
    let sum = mean;
    for (let i = 0; i < train.length; i++) sum += alpha[i] * gram[rows[r] * n + train[i]];
    return sum;
  });
}

/** Solves A x = b for positive definite A (lower triangle, row-major), in place: A becomes its factor, b the solution. */
function choleskySolve(a: Float64Array, n: number, b: Float64Array): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j <= i; j++) {
      const other = j * n;
      let sum = a[row + j];
      for (let k = 0; k < j; k++) sum -= a[row + k] * a[other + k];
      if (j < i) a[row + j] = sum / a[other + j];
      else {
        if (!(sum > 0))
          throw badData(
            `ridge regression: the Gram matrix is not positive definite at row ${i}; raise lambda`,
          );
        a[row + i] = Math.sqrt(sum);
      }
    }
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
}
