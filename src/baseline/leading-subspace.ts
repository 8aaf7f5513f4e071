/**
 * The largest eigenvalues, descending, of a sparse symmetric matrix without negative entries, and their vectors row by row: densely when
 * it is small, else by subspace iteration with Rayleigh-Ritz steps on P + (ρ/2)·I. No eigenvalue is below −ρ, ρ the largest (Perron), so that after
 * the shift every positive eigenvalue is larger in size than every negative one. It ends when the sum of the wanted eigenvalues moves by less than
 * 1e-4, after 15 rounds at most: an embedding needs the space, not its last digits (learn/leading-eigen.ts gives those).
 */
import { Random } from "../base/random.js";
import { symmetricEigen } from "../spectrum/dense-eigen.js";
import { multiply, type SparseOperator } from "../spectrum/operator.js";

const DENSE_SIZE = 200;
const SPARE_COLUMNS = 8;
const MAX_ROUNDS = 15;

export function largestEigenpairs(
  matrix: SparseOperator,
  wanted: number,
  seed: number,
): { eigenvalues: Float64Array; vectors: Float64Array } {
  const { n, offsets, targets, values } = matrix;
  if (n <= DENSE_SIZE) {
    const dense = new Float64Array(n * n);
    for (let a = 0; a < n; a++)
      for (let k = offsets[a]; k < offsets[a + 1]; k++) dense[a * n + targets[k]] = values[k];
    const all = symmetricEigen(dense, n);
    const order = Array.from({ length: Math.min(wanted, n) }, (_, d) => n - 1 - d);
    const vectors = new Float64Array(order.length * n);
    order.forEach((k, d) => {
      vectors.set(all.vectors.subarray(k * n, (k + 1) * n), d * n);
    });
    return { eigenvalues: Float64Array.from(order, (k) => all.values[k]), vectors };
  }
  const columns = Math.min(n, wanted + SPARE_COLUMNS);
  const random = new Random(seed, n);
  let X = Float64Array.from({ length: columns * n }, () => random.normal());
  let Y = new Float64Array(columns * n);
  const row = (Z: Float64Array, c: number) => Z.subarray(c * n, (c + 1) * n);
  let ritz = new Float64Array(columns);
  let last = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    orthonormalise(X, columns, n);
    for (let c = 0; c < columns; c++) multiply(matrix, row(X, c), row(Y, c));
    const H = new Float64Array(columns * columns);
    for (let c = 0; c < columns; c++)
      for (let d = 0; d <= c; d++) H[c * columns + d] = dot(row(X, c), row(Y, d));
    const small = symmetricEigen(H, columns);
    ritz = Float64Array.from(small.values).reverse();
    const sum = ritz.subarray(0, wanted).reduce((s, x) => s + Math.max(0, x), 0);
    const done = Math.abs(sum - last) <= 1e-4 * sum || round === MAX_ROUNDS - 1;
    last = sum;
    // the Ritz vectors when done, else (P + shift) times them
    const shift = ritz[0] / 2;
    if (!done) for (let k = 0; k < Y.length; k++) Y[k] += shift * X[k];
    const from = done ? X : Y;
    const into = new Float64Array(columns * n);
    for (let c = 0; c < columns; c++)
      for (let d = 0; d < columns; d++) {
        const factor = small.vectors[(columns - 1 - c) * columns + d];
        const [at, source] = [c * n, d * n];
        for (let a = 0; a < n; a++) into[at + a] += factor * from[source + a];
      }
    Y = X;
    X = into;
    if (done) break;
  }
  return { eigenvalues: ritz.slice(0, wanted), vectors: X };
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += x[k] * y[k];
  return sum;
}

/** Gram-Schmidt on the rows, which are nearly orthogonal after the first round; a row that vanishes becomes zero. */
function orthonormalise(X: Float64Array, count: number, n: number): void {
  for (let c = 0; c < count; c++) {
    const x = X.subarray(c * n, (c + 1) * n);
    const before = Math.sqrt(dot(x, x));
    for (let d = 0; d < c; d++) {
      const y = X.subarray(d * n, (d + 1) * n);
      const part = dot(x, y);
      for (let a = 0; a < n; a++) x[a] -= part * y[a];
    }
    const length = Math.sqrt(dot(x, x));
    const scale = length > 1e-12 * before ? 1 / length : 0;
    for (let a = 0; a < n; a++) x[a] *= scale;
  }
}
