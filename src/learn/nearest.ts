/**
 * Nearest graphs by kernel distance d²(x, y) = K(x, x) + K(y, y) − 2K(x, y), and the k-nearest-neighbour classifier on them.
 */
import { badCall } from "../base/errors.js";
import type { GramValues } from "./smo.js";

export interface Neighbour {
  index: number;
  similarity: number;
  distance: number;
}

/** The k nearest of `candidates` to graph `of`, itself left out; nearest first, smaller index first on a tie. O(n log n). */
export function nearestGraphs(
  gram: GramValues,
  n: number,
  of: number,
  k: number,
  candidates: ArrayLike<number> = Array.from({ length: n }, (_, i) => i),
): Neighbour[] {
  const own = Float64Array.from({ length: n }, (_, i) => gram[i * n + i]);
  return nearestInRow({ of, values: gram.subarray(of * n, (of + 1) * n), diagonal: own }, k, candidates);
}

/** Row `of` of a Gram matrix, and the diagonal of the matrix. */
export interface GramRow {
  of: number;
  values: GramValues;
  diagonal: GramValues;
  /**
   * What tells the graphs apart where rounding makes their distances one number: the nearer has the smaller first one, on a tie the smaller
   * second one. Default: d², then the larger value. exp(−γ d²) of a graph that is far from all others is below 10⁻¹⁶, and all of them are
   * at √2.
   */
  order?: readonly ArrayLike<number>[];
}

/** The same from one row. */
export function nearestInRow(
  { of, values, diagonal, order }: GramRow,
  k: number,
  candidates: ArrayLike<number> = Array.from({ length: values.length }, (_, i) => i),
): Neighbour[] {
  if (!(Number.isInteger(k) && k >= 1))
    throw badCall(`nearest graphs: got ${k}, expected a whole number of at least 1`);
  const all: Neighbour[] = [];
  for (let c = 0; c < candidates.length; c++) {
    const index = candidates[c];
    if (index === of) continue;
    const similarity = values[index];
    const square = diagonal[of] + diagonal[index] - 2 * similarity;
    all.push({ index, similarity, distance: Math.sqrt(Math.max(0, square)) });
  }
  const before =
    order === undefined
      ? (a: Neighbour, b: Neighbour) => a.distance - b.distance || b.similarity - a.similarity
      : (a: Neighbour, b: Neighbour) => {
          for (const keys of order) if (keys[a.index] !== keys[b.index]) return keys[a.index] - keys[b.index];
          return 0;
        };
  all.sort((a, b) => before(a, b) || a.index - b.index);
  return all.slice(0, k);
}

/** The class most frequent among the k nearest training graphs; on a tie, that of the nearest among the tied. */
export function predictNearest(
  gram: GramValues,
  n: number,
  train: ArrayLike<number>,
  test: ArrayLike<number>,
  classes: ArrayLike<number>,
  k = 1,
): Int32Array {
  return Int32Array.from({ length: test.length }, (_, t) => {
    const near = nearestGraphs(gram, n, test[t], k, train);
    const votes = new Map<number, number>();
    for (const { index } of near) votes.set(classes[index], (votes.get(classes[index]) ?? 0) + 1);
    const most = Math.max(...votes.values());
    return classes[near.find(({ index }) => votes.get(classes[index]) === most)!.index];
  });
}
