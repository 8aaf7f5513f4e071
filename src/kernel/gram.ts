/**
 * The Gram matrix of a radial kernel: K = exp(−γ d^p), from distances that are kept, so that other bandwidths cost one pass. Kernels that
 * are no function of a distance give their values as they are.
 *
 * The diagonal of a Gram within one set is 1. Every entry is a function of its distance alone: with a fixed bandwidth the Gram of a
 * subset is the subset of the Gram, to the bit. O(n²).
 */
import { badData } from "../base/errors.js";
import { exponential } from "../base/exponential.js";
import { type Bandwidth, type BandwidthRule, medianBandwidth } from "./bandwidth.js";
import type { Distances } from "./signatures.js";

export type GramValues = Float64Array | Float32Array;

export interface Gram {
  rows: number;
  columns: number;
  /** rows × columns, row by row. */
  values: GramValues;
}

export interface GramStorage {
  /** Default: as the distances. */
  float32?: boolean;
  /** On a SharedArrayBuffer. Default false. */
  shared?: boolean;
}

export function gramFromDistances(
  distances: Distances,
  { gamma, exponent }: Pick<Bandwidth, "gamma" | "exponent">,
  storage: GramStorage = {},
): Gram {
  const { rows, columns } = distances;
  const gram = allocateGram(rows, columns, {
    float32: distances.values instanceof Float32Array,
    ...storage,
  });
  const { values } = gram;
  const from = distances.values;
  for (let k = 0; k < values.length; k++) {
    const d = from[k];
    values[k] = exponential(-gamma * (exponent === 1 ? d : d * d));
  }
  return gram;
}

/** Kernel values as a Gram: the same memory where it is stored as asked for. */
export function storedGram({ rows, columns, values }: Distances, storage: GramStorage = {}): Gram {
  const { float32 = values instanceof Float32Array } = storage;
  if (float32 === values instanceof Float32Array && !storage.shared) return { rows, columns, values };
  const gram = allocateGram(rows, columns, { ...storage, float32 });
  gram.values.set(values);
  return gram;
}

export interface RadialOptions {
  exponent: 1 | 2;
  bandwidth: BandwidthRule;
  multiple: number;
}

/** Bandwidth and Gram in one: the bandwidth comes from the training graphs alone unless it is median-all. */
export function radialGram(
  distances: Distances,
  training: ArrayLike<number> | undefined,
  { exponent, bandwidth, multiple }: RadialOptions,
  storage: GramStorage = {},
): { gram: Gram; bandwidth: Bandwidth } {
  const chosen = medianBandwidth(
    distances,
    exponent,
    bandwidth === "median-all" ? undefined : training,
    multiple,
  );
  return { gram: gramFromDistances(distances, chosen, storage), bandwidth: chosen };
}

export function allocateGram(rows: number, columns: number, storage: GramStorage): Gram {
  const bytes = rows * columns * (storage.float32 ? 4 : 8);
  const buffer = storage.shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  return { rows, columns, values: storage.float32 ? new Float32Array(buffer) : new Float64Array(buffer) };
}

/** The rows and columns at `down` and `across` (default: the same). */
export function selectGram(gram: Gram, down: ArrayLike<number>, across: ArrayLike<number> = down): Gram {
  const out = allocateGram(down.length, across.length, { float32: gram.values instanceof Float32Array });
  for (let i = 0, k = 0; i < down.length; i++)
    for (let j = 0; j < across.length; j++, k++)
      out.values[k] = gram.values[down[i] * gram.columns + across[j]];
  return out;
}

/** Throws for the first entry that is not a finite number, naming its graphs. */
export function checkFinite(gram: Gram, nameOf: (g: number) => string = (g) => `graph ${g}`): void {
  const { values, columns } = gram;
  for (let k = 0; k < values.length; k++)
    if (!Number.isFinite(values[k]))
      throw badData(
        `Gram matrix: ${nameOf(Math.floor(k / columns))}, column ${k % columns}: got ${values[k]}, expected a finite number`,
      );
}
