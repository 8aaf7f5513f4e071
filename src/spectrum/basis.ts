/**
 * From Chebyshev moments to return probabilities: ∫ λ^k dμ, k = 0..M, from ∫ T_m dμ, m = 0..M. O(M²) a row, M²/4 products.
 *
 *   average       λ^k = 2^(1−k) Σ_m binom(k, (k−m)/2) T_m   (m ≡ k mod 2, the m = 0 term halved)
 *   substitution  the paper's (section 3.2): solve Σ_j T_mj p_j = μ_m downwards, T_mj the monomial coefficients of T_m
 *
 * Both apply the same T⁻¹, whose rows are averages (weights ≥ 0 that sum to 1), so an error in the moments is amplified by neither.
 * The average adds no error of its own. The substitution subtracts numbers of size (1 + √2)^M and amplifies its own rounding:
 * 5e-12 against 7e-17 at M = 50. It is kept to show that (see condition.ts).
 */
import { badCall, unknownName } from "../base/errors.js";

export type BasisChange = "average" | "substitution";

/** Monomial coefficients of T_M stay below the range of doubles up to here: (1 + √2)^800 ≈ 1e306. */
const MAX_SUBSTITUTION_DEGREE = 800;

/**
 * Row k holds the weights of T_0..T_M in λ^k; (M + 1)², row-major, lower triangular. It is the exact inverse of monomialTable.
 * Each row from the one before by λ T_0 = T_1, λ T_m = (T_(m+1) + T_(m−1)) / 2: no binomial is formed, nothing overflows.
 */
export function averagingTable(M: number): Float64Array {
  checkDegree(M);
  const width = M + 1;
  const table = new Float64Array(width * width);
  table[0] = 1;
  for (let k = 1; k <= M; k++) {
    const row = k * width;
    const above = row - width;
    table[row + 1] = table[above];
    for (let m = 1; m < k; m++) {
      const half = table[above + m] / 2;
      table[row + m + 1] += half;
      table[row + m - 1] += half;
    }
  }
  return table;
}

/** Row m holds the coefficients of λ^0..λ^M in T_m; (M + 1)², row-major, lower triangular. */
export function monomialTable(M: number): Float64Array {
  checkDegree(M);
  if (M > MAX_SUBSTITUTION_DEGREE)
    throw badCall(`monomial coefficients: degree: got ${M}, expected at most ${MAX_SUBSTITUTION_DEGREE}`);
  const width = M + 1;
  const table = new Float64Array(width * width);
  table[0] = 1;
  if (M > 0) table[width + 1] = 1;
  for (let m = 2; m <= M; m++)
    for (let j = m & 1; j <= m; j += 2)
      table[m * width + j] = (j > 0 ? 2 * table[(m - 1) * width + j - 1] : 0) - table[(m - 2) * width + j];
  return table;
}

/** `rowCount` rows of M + 1 Chebyshev moments become rows of M + 1 return probabilities, in place or in `out`. */
export function toReturnProbabilities(
  rows: Float64Array,
  rowCount: number,
  M: number,
  out: Float64Array = rows,
  method: BasisChange = "average",
): Float64Array {
  checkDegree(M);
  const width = M + 1;
  if (rows.length !== rowCount * width || out.length !== rows.length)
    throw badCall(
      `return probabilities: got ${rows.length} and ${out.length} numbers, expected ${rowCount} rows of ${width} in both`,
    );
  if (method === "average") average(rows, rowCount, width, out);
  else if (method === "substitution") substitute(rows, rowCount, width, out);
  else throw unknownName("basis change", String(method), ["average", "substitution"]);
  return out;
}

/** Downwards in k: λ^k needs no moment above k, so a row may be its own result. */
function average(rows: Float64Array, rowCount: number, width: number, out: Float64Array): void {
  const table = averagingTable(width - 1);
  for (let r = 0; r < rowCount; r++) {
    const row = r * width;
    for (let k = width - 1; k >= 0; k--) {
      let sum = 0;
      for (let m = k & 1; m <= k; m += 2) sum += table[k * width + m] * rows[row + m];
      out[row + k] = sum;
    }
  }
}

/** Upwards in m: p_m = (μ_m − Σ_(j<m) T_mj p_j) / T_mm. */
function substitute(rows: Float64Array, rowCount: number, width: number, out: Float64Array): void {
  const table = monomialTable(width - 1);
  for (let r = 0; r < rowCount; r++) {
    const row = r * width;
    for (let m = 0; m < width; m++) {
      let sum = rows[row + m];
      for (let j = m & 1; j < m; j += 2) sum -= table[m * width + j] * out[row + j];
      out[row + m] = sum / table[m * width + m];
    }
  }
}

function checkDegree(M: number): void {
  if (!(Number.isInteger(M) && M >= 0))
    throw badCall(`basis change: highest degree: got ${M}, expected an integer of at least 0`);
}
