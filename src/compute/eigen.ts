/**
 * All eigenvalues, and on request eigenvectors, of a dense symmetric matrix by the kernels: Householder reduction
 * (assembly/tridiagonalise.ts), then implicit QL with its rotations logged and applied in bulk (assembly/implicit-ql.ts).
 *
 * 4/3·n³ operations for the values; with vectors 4/3·n³ more and about 3·n³ in rotations. The matrix is scaled by a power of two,
 * which is exact, so that entries from 1e-300 to 1e300 neither overflow nor vanish. The readable oracle is spectrum/dense-eigen.ts.
 */
import { badCall, badData } from "../base/errors.js";
import { denseStride, type Kernels } from "./kernels.js";

export interface DenseEigen {
  /** Ascending. */
  values: Float64Array;
  /** n × n, row by row: row k is the eigenvector of values[k], of length 1. Null when they were not asked for. */
  vectors: Float64Array | null;
}

/** Bytes of rotations that are kept before they are applied: about what a second-level cache holds. */
const LOG_BYTES = 262144;
const FAILED = 0xffffffff;

/** Only the lower triangle of the matrix (n × n, row by row) is read. Uses the whole arena. */
export function denseEigen(
  kernels: Kernels,
  matrix: Float64Array,
  n: number,
  options: { vectors?: boolean } = {},
): DenseEigen {
  if (!(Number.isInteger(n) && n >= 0) || matrix.length !== n * n)
    throw badCall(`eigenvalues: got ${matrix.length} entries for n = ${n}, expected n × n`);
  const wantVectors = options.vectors ?? true;
  const scale = powerOfTwoScale(matrix, n);
  const { arena } = kernels;
  const stride = denseStride(n);
  arena.reset();
  const a = arena.allocate(8 * n * stride);
  const diagonal = arena.allocate(8 * n);
  const side = arena.allocate(8 * (n + 1));
  const tau = arena.allocate(8 * n);
  const work = arena.allocate(32 * stride);
  const state = arena.allocate(8);
  const basis = arena.allocate(wantVectors ? 8 * n * stride : 0);
  const capacity = wantVectors ? Math.max(LOG_BYTES, 16 * (n + 1)) : 0;
  const log = arena.allocate(capacity);
  const { f64, u32 } = arena;
  if (n === 0) return { values: new Float64Array(0), vectors: wantVectors ? new Float64Array(0) : null };

  const a0 = a / 8;
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) f64[a0 + i * stride + j] = scale * matrix[i * n + j];
  kernels.tridiagonalise(n, stride, a, diagonal, side, tau, work);
  if (wantVectors) kernels.accumulateBasis(n, stride, a, tau, basis);

  // the iteration counts the side from the other end: side[i] = T_i+1,i
  const d = f64.subarray(diagonal / 8, diagonal / 8 + n);
  const e = f64.subarray(side / 8, side / 8 + n);
  e.copyWithin(0, 1);
  e[n - 1] = 0;
  let norm = 0;
  for (let i = 0; i < n; i++) norm = Math.max(norm, Math.abs(d[i]) + Math.abs(e[i]));
  u32[state / 4] = u32[state / 4 + 1] = 0;
  while (u32[state / 4] !== n) {
    const bytes = kernels.implicitQl(n, diagonal, side, Number.EPSILON * norm, state, log, capacity);
    if (u32[state / 4] === FAILED) throw badData("eigenvalues: the iteration does not converge");
    if (wantVectors) kernels.applyRotations(n, stride, basis, log, bytes);
  }

  const order = Uint32Array.from({ length: n }, (_, k) => k).sort((p, q) => d[p] - d[q] || p - q);
  const vectors = wantVectors ? new Float64Array(n * n) : null;
  for (let k = 0; k < n && vectors !== null; k++) {
    const row = basis / 8 + order[k] * stride;
    vectors.set(f64.subarray(row, row + n), k * n);
  }
  return { values: Float64Array.from(order, (k) => d[k] / scale), vectors };
}

/** The power of two that brings the largest entry to [1, 2); throws on numbers that are not finite. */
function powerOfTwoScale(matrix: Float64Array, n: number): number {
  let largest = 0;
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      const size = Math.abs(matrix[i * n + j]);
      if (!Number.isFinite(size)) throw badData(`eigenvalues: entry ${i}, ${j} is not finite: got ${size}`);
      if (size > largest) largest = size;
    }
  // 2^±1022 at most: beyond it the scale itself would leave the range of numbers
  return largest === 0 ? 1 : 2 ** Math.max(-1022, Math.min(1022, -Math.floor(Math.log2(largest))));
}
