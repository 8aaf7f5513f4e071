/** The signatures of some graphs of a set. */
import type { CountFeatures } from "../baseline/sparse-counts.js";
import { selectGraphs } from "../signature/node-rows.js";
import type { Signatures } from "./signatures.js";

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
  if (set.kind === "counts")
    return { ...set, count, features: selectCounts(set.features, graphs), squares: pick(set.squares) };
  if (set.kind === "walks")
    return { ...set, count, graphs: Array.from(graphs, (g) => set.graphs[g]), squares: pick(set.squares) };
  const { dimension } = set;
  const values = new Float64Array(count * dimension);
  for (let k = 0; k < count; k++)
    values.set(set.values.subarray(graphs[k] * dimension, (graphs[k] + 1) * dimension), k * dimension);
  return { ...set, count, values, missed: set.missed && pick(set.missed) };
}

function selectCounts(features: CountFeatures, graphs: ArrayLike<number>): CountFeatures {
  const { offsets, ids, counts } = features;
  const starts = new Uint32Array(graphs.length + 1);
  for (let k = 0; k < graphs.length; k++)
    starts[k + 1] = starts[k] + offsets[graphs[k] + 1] - offsets[graphs[k]];
  const out = {
    ...features,
    graphs: graphs.length,
    offsets: starts,
    ids: new Uint32Array(starts[graphs.length]),
    counts: new Float64Array(starts[graphs.length]),
  };
  for (let k = 0; k < graphs.length; k++) {
    const [from, to] = [offsets[graphs[k]], offsets[graphs[k] + 1]];
    out.ids.set(ids.subarray(from, to), starts[k]);
    out.counts.set(counts.subarray(from, to), starts[k]);
  }
  return out;
}
