/**
 * One graph against a set of n: a row of the Gram matrix without the others. n distances a part, where the matrix has n²/2.
 *
 * The bandwidth of a radial kernel is the median over all pairs of the set, n²/2 of them. Of more than 2,000 graphs it is that over the
 * pairs of 2,000 drawn ones. Its rank among all pairs is ½ with a standard error of at most 1/√2000 = 2.2 %: the share of
 * pairs below a number is a U-statistic of degree 2, with variance 4ζ/m, ζ ≤ ¼ (Hoeffding 1948). Of at most 2,000 graphs the
 * row is that of the matrix, to the bit.
 *
 * The geometric mean of two matrices has no rows of its own: there the whole matrix is made.
 */
import { Random } from "../base/random.js";
import { type Bandwidth, medianBandwidth } from "./bandwidth.js";
import type { GramValues } from "./gram.js";
import { type FittedKernel, kernelCrossGram, kernelDistances, kernelGram, partOptions } from "./registry.js";
import { selectSignatures } from "./select.js";
import {
  type DistanceOptions,
  type Distances,
  givesSimilarities,
  pairwiseDistances,
  rowDistances,
  type Signatures,
} from "./signatures.js";

/** Graphs whose pairs give a bandwidth. */
export const BANDWIDTH_GRAPHS = 2000;
/** Of the stream that draws them. */
const STREAM = 0x62616e64;

export interface RowOptions extends DistanceOptions {
  /** Of the graphs drawn for a bandwidth. Default 0. */
  seed?: number;
}

/** Bandwidths, null for parts without any, and what is to be said of them. */
export interface KernelScale {
  bandwidths: (Bandwidth | null)[];
  notes: string[];
}

export interface KernelRow extends KernelScale {
  of: number;
  /** Kernel values with every graph of the set. */
  values: GramValues;
  /** K(H, H) of every graph of the set. */
  diagonal: Float64Array;
  /** To every graph of the set, 1 × n a part. Bounds of errors are of these distances. */
  distances: Distances[];
  /** What orders the graphs where their values are one number (learn/nearest.ts); left out where the values are all there is. */
  order?: Float64Array[];
}

/** Kernel values of graph `of` with all graphs that the kernel was fitted on. `scale`: its kernelBandwidths, where they are known. */
export async function kernelRow(
  kernel: FittedKernel,
  of: number,
  options: RowOptions,
  scale?: KernelScale,
): Promise<KernelRow> {
  if (needsWholeGram(kernel)) return rowOfGram(kernel, of, options);
  const { bandwidths, notes } = scale ?? (await kernelBandwidths(kernel, options));
  const distances: Distances[] = [];
  for (const { signatures } of kernel.parts) distances.push(await rowDistances(signatures, of, options));
  const { values } = kernelCrossGram(kernel, distances, bandwidths);
  // the diagonal of every part is 1, so that of their combination is one number
  const diagonal = new Float64Array(values.length).fill(values[of]);
  const order = orderOf(values, distances, bandwidths);
  return { of, values, diagonal, distances, bandwidths, notes, order };
}

/**
 * Nearest first. Of one radial part by its distance, which its kernel falls with; else by the values, falling, and where these are one number by
 * Σ γ d^p over the radial parts: −log of their product, and to first order a multiple of what a mean or composite of values near 1 lacks of it.
 */
function orderOf(
  values: GramValues,
  distances: readonly Distances[],
  bandwidths: readonly (Bandwidth | null)[],
): Float64Array[] {
  if (distances.length === 1 && bandwidths[0] !== null) return [Float64Array.from(distances[0].values)];
  const apart = new Float64Array(values.length);
  distances.forEach((part, k) => {
    const bandwidth = bandwidths[k];
    if (bandwidth === null) return;
    const { gamma, exponent } = bandwidth;
    for (let h = 0; h < apart.length; h++) {
      const d = part.values[h];
      apart[h] += gamma * (exponent === 1 ? d : d * d);
    }
  });
  return [Float64Array.from(values, (value) => -value), apart];
}

/** Whether one row costs as much as all. */
export const needsWholeGram = ({ spec, options }: Pick<FittedKernel, "spec" | "options">) =>
  spec.parts.length > 1 && options.combine === "geometric";

async function rowOfGram(kernel: FittedKernel, of: number, options: DistanceOptions): Promise<KernelRow> {
  const within = await kernelDistances(kernel, options);
  const { gram, bandwidths } = kernelGram(kernel, within);
  const n = gram.rows;
  const row = <T extends Float64Array | Float32Array>(values: T) => values.slice(of * n, (of + 1) * n) as T;
  return {
    ...{ of, bandwidths, notes: [] },
    values: row(gram.values),
    diagonal: Float64Array.from({ length: n }, (_, g) => gram.values[g * n + g]),
    distances: within.map((part) => ({ ...part, rows: 1, values: row(part.values) })),
  };
}

/** The bandwidths of a kernel on the graphs that it was fitted on. */
export async function kernelBandwidths(
  { spec, options, parts }: FittedKernel,
  control: RowOptions,
): Promise<KernelScale> {
  const bandwidths: (Bandwidth | null)[] = [];
  for (let k = 0; k < parts.length; k++) {
    const { exponent, multiple } = partOptions(spec, k, options);
    bandwidths.push(
      givesSimilarities(parts[k].signatures)
        ? null
        : medianBandwidth(
            await sampledDistances(parts[k].signatures, control),
            exponent as 1 | 2,
            undefined,
            multiple as number,
          ),
    );
  }
  const count = parts[0].signatures.count;
  const sampled = count > BANDWIDTH_GRAPHS && bandwidths.some((bandwidth) => bandwidth !== null);
  const note = `bandwidths: medians over the pairs of ${BANDWIDTH_GRAPHS} of the ${count} graphs, seed ${control.seed ?? 0}; the standard error of their rank among all pairs is at most ${(100 / Math.sqrt(BANDWIDTH_GRAPHS)).toFixed(1)} %`;
  return { bandwidths, notes: sampled ? [note] : [] };
}

function sampledDistances(set: Signatures, { seed = 0, nameOf, ...options }: RowOptions): Promise<Distances> {
  if (set.count <= BANDWIDTH_GRAPHS) return pairwiseDistances(set, { ...options, nameOf });
  const all = Uint32Array.from({ length: set.count }, (_, g) => g);
  const drawn = new Random(seed, STREAM).shuffle(all).subarray(0, BANDWIDTH_GRAPHS).sort();
  return pairwiseDistances(selectSignatures(set, drawn), {
    ...options,
    nameOf: nameOf && ((g) => nameOf(drawn[g])),
  });
}
