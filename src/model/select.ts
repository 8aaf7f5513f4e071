/** The signatures of some graphs of a set. */
import type { Signatures } from "../kernel/signatures.js";
import { selectGraphs } from "../signature/node-rows.js";

export function selectSignatures(set: Signatures, graphs: ArrayLike<number>): Signatures {
  const pick = (from: Float64Array) =>
    Float64Array.from({ length: graphs.length }, (_, k) => from[graphs[k]]);
  const count = graphs.length;
  if (set.kind === "measures")
    return {
      ...set,
      count,
      rows: selectGraphs(set.rows, graphs),
      keys: pick(set.keys),
      squares: pick(set.squares),
    };
  const { dimension } = set;
  const values = new Float64Array(count * dimension);
  for (let k = 0; k < count; k++)
    values.set(set.values.subarray(graphs[k] * dimension, (graphs[k] + 1) * dimension), k * dimension);
  return { ...set, count, values, missed: set.missed && pick(set.missed) };
}
