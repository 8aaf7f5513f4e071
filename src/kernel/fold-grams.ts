/**
 * Gram matrices of many grid points over the same graphs and the same training part, as a fold of a cross-validation needs them:
 *
 *   the middle of the distances is found once a matrix, for all exponents and multiples
 *   each entry above the diagonal is made once, all parts of a kernel in one pass (assembly/radial-rows.ts), and mirrored
 *   all points use one buffer of single precision, which is what LIBSVM keeps of its kernel too
 *
 * Kernel values equal those of kernelGram to single precision; parts that are no function of a distance give their values as they are. The geometric mean, which needs whole matrices, is left to kernelGram.
 */
import type { Kernels } from "../compute/kernels.js";
import { type BandwidthRule, bandwidthFrom, type MiddleDistances, middleDistances } from "./bandwidth.js";
import type { OptionValues } from "./options.js";
import { type KernelSpec, kernelGram, partOptions } from "./registry.js";
import type { Distances } from "./signatures.js";

/** One buffer for each worker, as long as its kernels live: a new one for every fold would stand beside the last until it is collected. */
const buffers = new WeakMap<Kernels, Float32Array>();

/** n × n numbers, not cleared, until the next call with these kernels. */
export function foldBuffer(kernels: Kernels, n: number): Float32Array {
  const known = buffers.get(kernels);
  if (known !== undefined && known.length >= n * n) return known.subarray(0, n * n);
  const made = new Float32Array(n * n);
  buffers.set(kernels, made);
  return made;
}

/** Rows that are mirrored together, so that a cache line is written whole. */
const STRIP = 32;

export class FoldGrams {
  private readonly middles = new Map<string, MiddleDistances>();
  private readonly buffer: Float32Array;

  /** `distances`: those that the parts of the points use, n × n each. */
  constructor(
    private readonly kernels: Kernels,
    private readonly n: number,
    private readonly distances: (part: number) => Distances,
    private readonly training: Int32Array,
  ) {
    this.buffer = foldBuffer(kernels, n);
  }

  /** Valid until the next call. `parts`: which of the distances each part of the kernel uses. */
  gram(spec: KernelSpec, options: OptionValues, parts: readonly number[]): Float32Array {
    const chosen = parts.map((part) => this.distances(part));
    const similar = chosen.some((part) => part.kind === "similarities");
    if (similar && chosen.length === 1 && chosen[0].values instanceof Float32Array) return chosen[0].values;
    if (
      similar ||
      options.combine === "geometric" ||
      chosen.some((part) => !(part.values instanceof Float32Array))
    ) {
      this.buffer.set(kernelGram({ spec, options }, chosen, this.training).gram.values);
      return this.buffer;
    }
    const radial = parts.map((part, k) => {
      const own = partOptions(spec, k, options);
      const exponent = own.exponent as 1 | 2;
      const middle = this.middle(part, own.bandwidth as BandwidthRule);
      const { gamma } = bandwidthFrom(middle, exponent, own.multiple as number);
      return { values: chosen[k].values as Float32Array, exponent, scale: gamma * Math.LOG2E };
    });
    const weight =
      parts.length === 1 || options.combine === "product"
        ? 1
        : options.combine === "mean"
          ? 0
          : (options.productWeight as number);
    this.fill(radial, weight, (1 - weight) / parts.length);
    return this.buffer;
  }

  private middle(part: number, rule: BandwidthRule): MiddleDistances {
    const key = `${part} ${rule}`;
    let found = this.middles.get(key);
    if (found === undefined) {
      found = middleDistances(this.distances(part), rule === "median-all" ? undefined : this.training);
      this.middles.set(key, found);
    }
    return found;
  }

  private fill(
    parts: readonly { values: Float32Array; exponent: 1 | 2; scale: number }[],
    weight: number,
    share: number,
  ): void {
    const { kernels, n, buffer } = this;
    const { arena } = kernels;
    const mark = arena.mark();
    const distances = arena.allocate(4 * n + 16);
    const products = arena.allocate(8 * n + 16);
    const sums = arena.allocate(8 * n + 16);
    const out = arena.allocate(4 * n + 16);
    // bits are moved as integers, which no engine converts on the way
    const words = new Int32Array(buffer.buffer, buffer.byteOffset, buffer.length);
    const singles = new Float32Array(arena.f64.buffer, arena.f64.byteOffset, arena.f64.length * 2);
    for (let strip = 0; strip < n; strip += STRIP) {
      const end = Math.min(n, strip + STRIP);
      const count = n - strip;
      for (let i = strip; i < end; i++) {
        parts.forEach(({ values, exponent, scale }, k) => {
          singles.set(values.subarray(i * n + strip, (i + 1) * n), distances >>> 2);
          kernels.radialRow(count, distances, exponent - 1, scale, k === 0 ? 1 : 0, products, sums);
        });
        kernels.blendRow(count, products, sums, weight, share, out);
        buffer.set(singles.subarray(out >>> 2, (out >>> 2) + count), i * n + strip);
      }
      mirror(words, n, strip, end);
    }
    arena.release(mark);
  }
}

/** Copies the rows strip..end right of the diagonal block to the columns below it: 32 rows of it stay in the cache. */
function mirror(words: Int32Array, n: number, strip: number, end: number): void {
  for (let j = end; j < n; j++) {
    let to = j * n + strip;
    for (let from = strip * n + j; from < end * n; from += n) words[to++] = words[from];
  }
}
