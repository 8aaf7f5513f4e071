/**
 * One Gram matrix from several, entry by entry (paper, section 3.3):
 *
 *   composite  w·Π_k K_k + (1 − w)/parts · Σ_k K_k      w = ½ unless told
 *   mean       1/parts · Σ_k K_k
 *   product    Π_k K_k
 *   geometric  the matrix geometric mean A # B of two (geometric-mean.ts), within one set only
 *
 * Sums, products (Schur) and A # B of positive semi-definite matrices are positive semi-definite. O(parts · n²).
 */
import { badCall, unknownName } from "../base/errors.js";
import { matrixGeometricMean } from "./geometric-mean.js";
import { allocateGram, type Gram } from "./gram.js";

export const COMBINATIONS = ["composite", "mean", "product", "geometric"] as const;
export type Combination = (typeof COMBINATIONS)[number];

export function combineGrams(
  parts: readonly Gram[],
  combination: Combination = "composite",
  productWeight = 0.5,
): Gram {
  if (!COMBINATIONS.includes(combination))
    throw unknownName("combination", String(combination), COMBINATIONS);
  if (!(productWeight >= 0 && productWeight <= 1))
    throw badCall(`combination: weight of the product: got ${productWeight}, expected a number from 0 to 1`);
  if (parts.length === 0) throw badCall("combination: got no Gram matrix, expected at least one");
  const { rows, columns } = parts[0];
  for (const part of parts)
    if (part.rows !== rows || part.columns !== columns)
      throw badCall(
        `combination: got Gram matrices of ${rows} × ${columns} and ${part.rows} × ${part.columns}, expected one size`,
      );
  if (combination === "geometric") return geometric(parts);
  const weight = combination === "composite" ? productWeight : combination === "product" ? 1 : 0;
  const float32 = parts.every((part) => part.values instanceof Float32Array);
  const out = allocateGram(rows, columns, { float32 });
  const share = (1 - weight) / parts.length;
  for (let k = 0; k < out.values.length; k++) {
    let product = 1;
    let sum = 0;
    for (let p = 0; p < parts.length; p++) {
      const value = parts[p].values[k];
      product *= value;
      sum += value;
    }
    out.values[k] = weight * product + share * sum;
  }
  return out;
}

function geometric(parts: readonly Gram[]): Gram {
  const { rows, columns } = parts[0];
  if (parts.length !== 2)
    throw badCall(`combination: the geometric mean is of two parts: got ${parts.length}`);
  if (rows !== columns)
    throw badCall(
      `combination: the geometric mean needs all graphs at once: got ${rows} × ${columns}, expected a square matrix; choose another combination for unseen graphs`,
    );
  const [a, b] = parts.map(({ values }) => Float64Array.from(values));
  return { rows, columns, values: matrixGeometricMean(a, b, rows) };
}
