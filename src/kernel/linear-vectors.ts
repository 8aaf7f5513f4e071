/** Dense feature vectors whose inner products are the kernel: which signature each form of it needs (form.ts). */
import type { Vectors } from "../signature/dos.js";
import type { Form } from "./form.js";
import type { VectorSignatures } from "./signatures.js";

/** Radial forms of unit vectors have one number more, 1 for a zero vector: as far from all others as two that share nothing. */
export function linearSignatures(made: Vectors, form: Form): VectorSignatures {
  const base = { kind: "vectors" as const, missed: null, slack: 0 };
  if (form === "linear") return { ...base, metric: "cosine", ...made };
  if (form === "radial-counts") return { ...base, metric: "euclidean", ...made };
  const { count, dimension } = made;
  const values = new Float64Array(count * (dimension + 1));
  for (let g = 0; g < count; g++) {
    const row = made.values.subarray(g * dimension, (g + 1) * dimension);
    const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
    for (let k = 0; k < dimension; k++) values[g * (dimension + 1) + k] = length > 0 ? row[k] / length : 0;
    if (length === 0) values[g * (dimension + 1) + dimension] = 1;
  }
  return { ...base, metric: "euclidean", count, dimension: dimension + 1, values };
}
