/**
 * Inner products, or intersections, of sparse counts, row after row. Settings of a search that differ in the form of the kernel alone
 * have the same ones: within a set they may be kept with the counts, a triangle of 4 n² bytes, for as long as the counts are.
 */
import { throwIfAborted } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import { type CountFeatures, countGramRows } from "../baseline/sparse-counts.js";
import type { CountSignatures } from "./signatures.js";

/** Rows between two looks at the signal. */
const STRIP_GRAPHS = 128;
/** Graphs of which products are kept: 256 MiB. */
const MOST_GRAPHS = 8192;

interface Kept {
  compare: CountSignatures["compare"];
  /** Row g has g numbers and begins at g (g − 1) / 2. */
  triangle: Float64Array;
}
const kept = new WeakMap<CountFeatures, Kept>();

/** Visits graph g with its products with the graphs before `end`: all of them, or within one set those before g. */
export async function compareCounts(
  a: CountSignatures,
  b: CountSignatures,
  { signal, onProgress, keep = false }: RunControl & { keep?: boolean },
  visit: (g: number, row: Float64Array, end: number) => void,
): Promise<void> {
  const known = a === b ? kept.get(a.features) : undefined;
  if (known?.compare === a.compare) {
    for (let g = 0, at = 0; g < a.count; at += g++) visit(g, known.triangle.subarray(at, at + g), g);
    return;
  }
  const triangle =
    keep && a === b && a.count <= MOST_GRAPHS ? new Float64Array((a.count * (a.count - 1)) / 2) : null;
  let g = 0;
  for (const row of countGramRows(a.features, b.features, a.compare === "intersection")) {
    visit(g, row, a === b ? g : b.count);
    triangle?.set(row.subarray(0, g), (g * (g - 1)) / 2);
    if (++g % STRIP_GRAPHS > 0 && g < a.count) continue;
    onProgress?.({ task: "distances", done: g, total: a.count, unit: "graphs" });
    await new Promise((resolve) => setTimeout(resolve, 0));
    throwIfAborted(signal);
  }
  if (triangle !== null) kept.set(a.features, { compare: a.compare, triangle });
}
