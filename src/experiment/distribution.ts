/**
 * Five-number summary, mean and histogram of a list of numbers. O(n log n) for the sort.
 *
 * Quartiles interpolate linearly between order statistics (type 7 of Hyndman and Fan, 1996: numpy's and R's default). Bins are
 * [edge k, edge k+1), the last one closed. Counts that span more than a factor of LOG_RATIO get bins of equal ratio, so
 * that a few giants do not push all else into the first bin; zeros then have a bin of their own.
 */
import { exponential } from "../base/exponential.js";
import { logarithm } from "../base/logarithm.js";

export interface Histogram {
  scale: "linear" | "log";
  /** Ascending; one more than counts. */
  edges: number[];
  counts: number[];
}

export interface Distribution {
  count: number;
  min: number;
  q1: number;
  median: number;
  mean: number;
  q3: number;
  max: number;
  histogram: Histogram;
}

const LOG_RATIO = 64;
const BINS = 24;

/** The values are not changed. An empty list gives zeros and no bins. */
export function distribution(values: ArrayLike<number>): Distribution {
  const sorted = Float64Array.from(values).sort();
  const count = sorted.length;
  if (count === 0)
    return {
      count,
      min: 0,
      q1: 0,
      median: 0,
      mean: 0,
      q3: 0,
      max: 0,
      histogram: { scale: "linear", edges: [], counts: [] },
    };
  let sum = 0;
  for (let k = 0; k < count; k++) sum += sorted[k];
  const { scale, edges } = histogramEdges(sorted);
  return {
    count,
    min: sorted[0],
    q1: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    mean: sum / count,
    q3: quantile(sorted, 0.75),
    max: sorted[count - 1],
    histogram: { scale, edges, counts: binCounts(sorted, edges) },
  };
}

/** Linear interpolation at position q (n − 1) of ascending values. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const at = q * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

/** How many values fall into each bin; values outside of the edges fall into none. */
export function binCounts(values: ArrayLike<number>, edges: readonly number[]): number[] {
  const bins = edges.length - 1;
  const counts = Array.from({ length: Math.max(0, bins) }, () => 0);
  for (let k = 0; k < values.length; k++) {
    const x = values[k];
    if (bins < 1 || x < edges[0] || x > edges[bins]) continue;
    let low = 0;
    let high = bins;
    while (high - low > 1) {
      const middle = low + ((high - low) >>> 1);
      if (edges[middle] <= x) low = middle;
      else high = middle;
    }
    counts[low]++;
  }
  return counts;
}

/** Edges for ascending values: whole numbers for whole values, so that every bin holds as many of them as it is wide. */
function histogramEdges(sorted: Float64Array): { scale: "linear" | "log"; edges: number[] } {
  const min = sorted[0];
  const max = sorted[sorted.length - 1];
  const whole = sorted.every(Number.isInteger);
  const smallest = sorted.find((x) => x > 0) ?? 0;
  if (whole && min >= 0 && max >= LOG_RATIO * Math.max(1, smallest))
    return { scale: "log", edges: logEdges(min, smallest, max) };
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (max - min <= 1e-9 * size || size < 1e-300)
    return { scale: "linear", edges: [min, whole ? max + 1 : max + (size || 1)] };
  const top = whole ? max + 1 : max;
  const step = niceStep((top - min) / BINS, whole);
  const first = Math.floor(min / step);
  const last = Math.max(first + 1, Math.ceil(top / step));
  const edges = Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
  // rounding must not leave the outermost values out
  edges[0] = Math.min(edges[0], min);
  edges[edges.length - 1] = Math.max(edges[edges.length - 1], max);
  return { scale: "linear", edges };
}

/** smallest · e^(k step) rounded up to whole numbers, the last one above max; 0 in front when there are zeros. */
function logEdges(min: number, smallest: number, max: number): number[] {
  const edges = min === 0 ? [0] : [];
  const step = logarithm((max + 1) / smallest) / BINS;
  for (let k = 0; k <= BINS; k++) {
    const edge = k === BINS ? max + 1 : Math.round(smallest * exponential(k * step));
    if (edges.length === 0 || edge > edges[edges.length - 1]) edges.push(edge);
  }
  return edges;
}

/** The next of 1, 2, 5 times a power of ten that is not below the step; at least 1 for whole numbers. */
function niceStep(step: number, whole: boolean): number {
  // "2.5e-3": the digits of a number are fixed by the language, its logarithm is not
  const power = Number(`1${step.toExponential().replace(/^[^e]*/, "")}`);
  const nice = [1, 2, 5, 10].find((m) => m * power >= step * (1 - 1e-9))! * power;
  return whole ? Math.max(1, nice) : nice;
}
