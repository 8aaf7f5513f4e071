/**
 * The middle of the distances between some graphs, out of a symmetric matrix, without copying them all.
 *
 * The leading 16 bits of a non-negative float order it among others: one pass counts the distances by these bits, a second collects those
 * of the one or two buckets that hold the middle, which are then few and are searched by Hoare's selection. Two passes over
 * n²/2 numbers, exact and deterministic.
 */
import { badCall } from "../base/errors.js";

const BUCKETS = 1 << 15;
/** Drops the sign, which only a zero may have. */
const SIGNLESS = BUCKETS - 1;

/** `values` is stride × stride, symmetric, none negative. The lower and the upper middle, the same for an odd number; 0 of none. */
export function pairMiddle(
  values: Float64Array | Float32Array,
  stride: number,
  indices: ArrayLike<number>,
): { lower: number; upper: number } {
  const count = indices.length;
  const pairs = (count * (count - 1)) / 2;
  if (pairs === 0) return { lower: 0, upper: 0 };
  if (pairs >= 2 ** 32) throw badCall(`pairs: got ${pairs}, expected fewer than 2^32: at most 92,681 graphs`);
  // the high word of a float64 stands behind its low word
  const wide = values instanceof Float64Array ? 1 : 0;
  const step = 1 + wide;
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length * step);
  // places of the high words within a row
  const places = Int32Array.from(indices, (index) => index * step + wide);
  const counts = new Uint32Array(BUCKETS);
  for (let i = 1; i < count; i++) {
    const row = words.subarray(indices[i] * stride * step, (indices[i] + 1) * stride * step);
    for (let j = 0; j < i; j++) counts[(row[places[j]] >>> 16) & SIGNLESS]++;
  }
  const upperAt = Math.floor(pairs / 2);
  const lowerAt = pairs % 2 === 1 ? upperAt : upperAt - 1;
  const lower = bucketOf(counts, lowerAt);
  const upper = bucketOf(counts, upperAt);
  const collected = new Float64Array(
    counts[lower.bucket] + (upper.bucket === lower.bucket ? 0 : counts[upper.bucket]),
  );
  for (let i = 1, k = 0; i < count; i++) {
    const at = indices[i] * stride;
    const row = words.subarray(at * step, (at + stride) * step);
    for (let j = 0; j < i; j++) {
      const bucket = (row[places[j]] >>> 16) & SIGNLESS;
      if (bucket === lower.bucket || bucket === upper.bucket) collected[k++] = values[at + indices[j]];
    }
  }
  const upperValue = select(collected, upperAt - lower.before);
  return {
    lower: lowerAt === upperAt ? upperValue : select(collected, lowerAt - lower.before),
    upper: upperValue,
  };
}

/** The bucket of the number at place `at` in ascending order, and how many stand before that bucket. */
function bucketOf(counts: Uint32Array, at: number): { bucket: number; before: number } {
  let before = 0;
  let bucket = 0;
  while (before + counts[bucket] <= at) before += counts[bucket++];
  return { bucket, before };
}

/** The k-th smallest number; those before place k are then not larger (Hoare's selection, pivot the median of three). */
function select(a: Float64Array, k: number): number {
  let [left, right] = [0, a.length - 1];
  while (left < right) {
    const pivot = middleOfThree(a[left], a[left + ((right - left) >>> 1)], a[right]);
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
