/**
 * How badly conditioned the change from Chebyshev to monomial moments is as a linear system: T (M + 1 by M + 1) holds the monomial
 * coefficients of T_0..T_M, and T⁻¹ is known exactly (averagingTable), so no ill-conditioned inverse is ever computed.
 *
 *   skeel           ‖ |T⁻¹| |T| ‖_∞   unchanged when rows are scaled: Skeel's number. 2^(M/2) for even M.
 *   skeelAsPrinted  ‖ |T| |T⁻¹| ‖_∞   as the paper prints it (section 3.2.1). Unchanged when columns are scaled, and, the rows of T⁻¹
 *                                     being averages, equal to ‖T‖_∞: cosh(M asinh 1) for even M.
 *   twoNorm         ‖T‖₂ ‖T⁻¹‖₂, each norm the root of the largest eigenvalue of XᵀX, which is well conditioned. O(M³).
 *
 * At M = 50 (51 rows): skeel 3.36e7, as printed 6.88e18, 2-norm 6.49e18. The paper says that Skeel's number of T_50 is smaller by 10^4;
 * exactly computed it is smaller by 1.9e11 (by 1.1e11 for 50 rows), as printed not at all, and 10^4 is met near 20 rows. A 2-norm number above 1e16
 * taken from a singular value decomposition in double precision is rounding noise (numpy: 4.0e19).
 */
import { badCall } from "../base/errors.js";
import { averagingTable, monomialTable } from "./basis.js";
import { symmetricEigenvalues } from "./dense-eigen.js";

export interface ChebyshevCondition {
  /** Rows of the matrix: M + 1. */
  size: number;
  skeel: number;
  skeelAsPrinted: number;
  twoNorm: number;
}

/** (1 + √2)^M must stay below the root of the largest double: XᵀX squares it. */
const MAX_DEGREE = 390;

export function chebyshevCondition(M: number): ChebyshevCondition {
  if (!(Number.isInteger(M) && M >= 0 && M <= MAX_DEGREE))
    throw badCall(`condition number: highest degree: got ${M}, expected an integer from 0 to ${MAX_DEGREE}`);
  const size = M + 1;
  const T = monomialTable(M);
  const inverse = averagingTable(M);
  return {
    size,
    skeel: productNorm(inverse, T, size),
    skeelAsPrinted: productNorm(T, inverse, size),
    twoNorm: twoNorm(T, size) * twoNorm(inverse, size),
  };
}

/** ‖ |A| |B| ‖_∞ = max_i Σ_k |A_ik| Σ_j |B_kj|. */
function productNorm(a: Float64Array, b: Float64Array, n: number): number {
  const rowSums = new Float64Array(n);
  for (let k = 0; k < n; k++) for (let j = 0; j < n; j++) rowSums[k] += Math.abs(b[k * n + j]);
  let largest = 0;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += Math.abs(a[i * n + k]) * rowSums[k];
    largest = Math.max(largest, sum);
  }
  return largest;
}

function twoNorm(a: Float64Array, n: number): number {
  const gram = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++)
      for (let j = 0, aki = a[k * n + i]; j <= i; j++) gram[i * n + j] += aki * a[k * n + j];
  return Math.sqrt(symmetricEigenvalues(gram, n)[n - 1]);
}
