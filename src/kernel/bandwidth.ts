/**
 * The bandwidth of a radial kernel exp(−γ d^p): γ = 1 / (multiple · median of d^p over pairs of graphs).
 *
 *   median      over the pairs of training graphs only: nothing of a test graph enters the kernel
 *   median-all  over all pairs, test graphs included, as RetGK's and GraKeL's scripts do: leaks, kept for comparison
 *
 * Where more than half of the pairs are equal graphs the median is 0; then the mean of the non-zero d^p takes its place, or 1 when all
 * graphs are equal, and `from` says so. O(n²): see middleDistances. The two middle distances serve every p and every multiple.
 */
import { badCall } from "../base/errors.js";
import { pairMiddle } from "./pair-middle.js";
import type { Distances } from "./signatures.js";

export const BANDWIDTHS = ["median", "median-all"] as const;
export type BandwidthRule = (typeof BANDWIDTHS)[number];

export interface Bandwidth {
  gamma: number;
  exponent: 1 | 2;
  /** The typical d^p that γ was made from, the multiple not included. */
  typical: number;
  /** Which number that is. */
  from: "median" | "mean of the non-zero distances" | "1, all graphs being equal";
}

/** The middle of the distances between some graphs: all that a bandwidth needs to know of them. */
export interface MiddleDistances {
  /** The two middle ones, the same number twice when they are odd in number; 0 of none. */
  lower: number;
  upper: number;
  /** Means of the non-zero d and d², where the upper one is 0; else null. */
  nonZero: { mean: number; meanSquare: number } | null;
}

/** `training`: the graphs whose pairs count; all when left out. */
export function middleDistances(distances: Distances, training?: ArrayLike<number>): MiddleDistances {
  const { rows: n, values } = distances;
  if (distances.columns !== n)
    throw badCall(`bandwidth: got ${n} × ${distances.columns} distances, expected those within one set`);
  const indices = training ?? Int32Array.from({ length: n }, (_, i) => i);
  const { lower, upper } = pairMiddle(values, n, indices);
  if (upper > 0) return { lower, upper, nonZero: null };
  let [sum, squares, count] = [0, 0, 0];
  for (let i = 0; i < indices.length; i++)
    for (let j = 0; j < i; j++) {
      const d = values[indices[i] * n + indices[j]];
      if (d === 0) continue;
      sum += d;
      squares += d * d;
      count++;
    }
  return {
    lower,
    upper,
    nonZero: { mean: sum / Math.max(1, count), meanSquare: squares / Math.max(1, count) },
  };
}

export function bandwidthFrom(middle: MiddleDistances, exponent: 1 | 2, multiple = 1): Bandwidth {
  if (exponent !== 1 && exponent !== 2)
    throw badCall(`bandwidth: exponent: got ${exponent}, expected 1 or 2`);
  if (!(multiple > 0 && multiple < Number.POSITIVE_INFINITY))
    throw badCall(`bandwidth: multiple: got ${multiple}, expected a finite number above 0`);
  const result = (typical: number, from: Bandwidth["from"]): Bandwidth => ({
    gamma: 1 / (multiple * typical),
    exponent,
    typical,
    from,
  });
  const { lower, upper, nonZero } = middle;
  if (nonZero === null)
    return result(exponent === 1 ? (lower + upper) / 2 : (lower * lower + upper * upper) / 2, "median");
  const mean = exponent === 1 ? nonZero.mean : nonZero.meanSquare;
  return mean > 0 ? result(mean, "mean of the non-zero distances") : result(1, "1, all graphs being equal");
}

/** `training`: the graphs whose pairs count; all when left out. */
export function medianBandwidth(
  distances: Distances,
  exponent: 1 | 2,
  training?: ArrayLike<number>,
  multiple = 1,
): Bandwidth {
  return bandwidthFrom(middleDistances(distances, training), exponent, multiple);
}
