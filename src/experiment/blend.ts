/**
 * The search of a large grid, and what is made of it.
 *
 *   a stratified sample of the training part ─▶ search among all points there ─▶ the best few ─▶ the mean of their Grams
 *
 * Choosing one point of many by cross-validation follows the noise of that validation; the mean of the best few kernels, which is a kernel,
 * follows it less, and needs no second choice but C. A fit costs at least n², so that with 1,500 of 4,500 graphs nine points are tried for the price
 * of one. Only training graphs take part. Bandwidths come from the sample while searching, which moves a median of 10^6 distances by little.
 */
import { Random } from "../base/random.js";
import type { FoldGrams } from "../kernel/fold-grams.js";
import type { Distances } from "../kernel/signatures.js";

export interface Blend {
  /** Graphs of the sample on which the grid is searched; a smaller training part is taken whole. */
  sample: number;
  /** Points whose Grams are averaged. */
  best: number;
}

/** `count` of the indices with the shares of the classes kept, ascending. Largest remainders get what rounding leaves. */
export function stratifiedSample(
  indices: Int32Array,
  classes: Int32Array,
  count: number,
  seed: number,
): Int32Array {
  const present = [...new Set(Array.from(indices, (index) => classes[index]))].sort((a, b) => a - b);
  const lists = present.map((c) => indices.filter((index) => classes[index] === c));
  const share = count / indices.length;
  const sizes = lists.map((list) => Math.floor(list.length * share));
  const byRemainder = lists
    .map((list, c) => ({ c, remainder: list.length * share - sizes[c] }))
    .sort((a, b) => b.remainder - a.remainder || a.c - b.c);
  const short = count - sizes.reduce((sum, size) => sum + size, 0);
  for (let k = 0; k < short; k++) sizes[byRemainder[k].c]++;
  const random = new Random(seed, 0x7363726e);
  return Int32Array.from(lists.flatMap((list, c) => [...random.shuffle(list).subarray(0, sizes[c])])).sort();
}

/** The distances among some graphs alone, gathered when they are first asked for. O(m²) each. */
export function distancesAmong(
  distances: readonly Distances[],
  among: Int32Array,
): (part: number) => Distances {
  const gathered = new Map<number, Distances>();
  return (part) => {
    const known = gathered.get(part) ?? gather(distances[part], among);
    gathered.set(part, known);
    return known;
  };
}

function gather(distances: Distances, among: Int32Array): Distances {
  const m = among.length;
  const { values, columns } = distances;
  const chosen = values instanceof Float32Array ? new Float32Array(m * m) : new Float64Array(m * m);
  for (let i = 0; i < m; i++) {
    const row = among[i] * columns;
    for (let j = 0; j < m; j++) chosen[i * m + j] = values[row + among[j]];
  }
  return { ...distances, rows: m, columns: m, values: chosen };
}

/** The mean of some Grams of single precision. `gram(k)` may reuse its memory. */
export function meanGram(count: number, gram: (k: number) => ReturnType<FoldGrams["gram"]>): Float32Array {
  const mean = gram(0).map((x) => x / count);
  for (let k = 1; k < count; k++) {
    const values = gram(k);
    for (let i = 0; i < mean.length; i++) mean[i] += values[i] / count;
  }
  return mean;
}
