/**
 * The bandwidth of a radial kernel exp(−γ d^p): γ = 1 / (multiple · median of d^p over pairs of graphs).
 *
 *   median      over the pairs of training graphs only: nothing of a test graph enters the kernel
 *   median-all  over all pairs, test graphs included, as RetGK's and GraKeL's scripts do: leaks, kept for comparison
 *
 * Where more than half of the pairs are equal graphs the median is 0; then the mean of the non-zero d^p takes its place, or 1 when all
 * graphs are equal, and `from` says so. O(n²) by selection; deterministic.
 */
import { badCall } from "../base/errors.js";
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

/** `training`: the graphs whose pairs count; all when left out. */
export function medianBandwidth(
  distances: Distances,
  exponent: 1 | 2,
  training?: ArrayLike<number>,
  multiple = 1,
): Bandwidth {
  const { rows: n, values } = distances;
  if (distances.columns !== n)
    throw badCall(`bandwidth: got ${n} × ${distances.columns} distances, expected those within one set`);
  if (exponent !== 1 && exponent !== 2)
    throw badCall(`bandwidth: exponent: got ${exponent}, expected 1 or 2`);
  if (!(multiple > 0 && multiple < Number.POSITIVE_INFINITY))
    throw badCall(`bandwidth: multiple: got ${multiple}, expected a finite number above 0`);
  const indices = training ?? { length: n };
  const count = indices.length;
  const pairs = new Float64Array((count * (count - 1)) / 2);
  for (let i = 0, k = 0; i < count; i++) {
    const row = (training === undefined ? i : training[i]) * n;
    for (let j = 0; j < i; j++) pairs[k++] = values[row + (training === undefined ? j : training[j])];
  }
  const power = (d: number) => (exponent === 1 ? d : d * d);
  const middle = median(pairs, power);
  if (middle > 0) return result(middle, "median");
  let sum = 0;
  let nonZero = 0;
  for (const d of pairs)
    if (d > 0) {
      sum += power(d);
      nonZero++;
    }
  if (sum > 0) return result(sum / nonZero, "mean of the non-zero distances");
  return result(1, "1, all graphs being equal");

  function result(typical: number, from: Bandwidth["from"]): Bandwidth {
    return { gamma: 1 / (multiple * typical), exponent, typical, from };
  }
}

/** Median of the power of non-negative numbers, the mean of the two middle ones when they are even in number; 0 of none. */
function median(numbers: Float64Array, power: (d: number) => number): number {
  const n = numbers.length;
  if (n === 0) return 0;
  const upper = select(numbers, n >>> 1);
  if (n % 2 === 1) return power(upper);
  let lower = numbers[0];
  for (let k = 1; k < n >>> 1; k++) if (numbers[k] > lower) lower = numbers[k];
  return (power(lower) + power(upper)) / 2;
}

/** The k-th smallest number; those before place k are then not larger (Hoare's selection, pivot the median of three). */
function select(a: Float64Array, k: number): number {
  let [left, right] = [0, a.length - 1];
  while (left < right) {
    const pivot = middleOfThree(a[left], a[(left + right) >>> 1], a[right]);
    let [i, j] = [left, right];
    while (i <= j) {
      while (a[i] < pivot) i++;
      while (a[j] > pivot) j--;
      if (i <= j) {
        const x = a[i];
        a[i++] = a[j];
        a[j--] = x;
      }
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else break;
  }
  return a[k];
}

const middleOfThree = (x: number, y: number, z: number) =>
  Math.max(Math.min(x, y), Math.min(Math.max(x, y), z));
