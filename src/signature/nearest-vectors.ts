/** Distances to the nearest other vector, tile by tile: O(vectors² · dimension), half of it when all are asked for. */
import type { Executor } from "../compute/executor.js";
import { type VectorTile, vectorTask } from "./vector-distances.js";

const TILE = 512;

/**
 * nearest[g] ← Euclidean distance of vector g to the nearest other one, for the g of `wanted`; infinite for a vector alone, 0 when there
 * are no numbers. `vectors` lie row by row.
 */
export async function nearestDistances(
  vectors: Float64Array,
  dimension: number,
  nearest: Float64Array,
  wanted: readonly number[],
  executor: Executor,
  signal?: AbortSignal,
): Promise<void> {
  const count = nearest.length;
  for (const g of wanted) nearest[g] = dimension === 0 ? 0 : Number.POSITIVE_INFINITY;
  if (dimension === 0) return;
  const symmetric = 2 * wanted.length > count;
  const down = symmetric ? Array.from(nearest.keys()) : wanted;
  if (symmetric) nearest.fill(Number.POSITIVE_INFINITY);
  const part = (graphs: readonly number[]) => {
    const out = new Float64Array(graphs.length * dimension);
    graphs.forEach((g, k) => {
      out.set(vectors.subarray(g * dimension, (g + 1) * dimension), k * dimension);
    });
    return out;
  };
  for (let from = 0; from < down.length; from += TILE) {
    const strip = down.slice(from, from + TILE);
    const a = part(strip);
    const firsts: number[] = [];
    for (let first = symmetric ? from : 0; first < count; first += TILE) firsts.push(first);
    const inputs = firsts.map((first): VectorTile => {
      const b = vectors.slice(first * dimension, Math.min(count, first + TILE) * dimension);
      return { metric: "euclidean", dimension, a, b };
    });
    await executor.map(vectorTask, inputs, {
      signal,
      onResult(t, distances) {
        const last = Math.min(count, firsts[t] + TILE);
        let k = 0;
        for (const g of strip)
          for (let h = firsts[t]; h < last; h++, k++) {
            if (g === h) continue;
            if (distances[k] < nearest[g]) nearest[g] = distances[k];
            if (symmetric && distances[k] < nearest[h]) nearest[h] = distances[k];
          }
      },
    });
  }
}
