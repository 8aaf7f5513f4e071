/**
 * Mean embeddings by random Fourier features (RetGK_II): a shift-invariant kernel is the mean of cos(ω·(x − y)) over its spectral
 * density, so that with m draws of ω
 *
 *   z_G = (1/√m) (Σ_i mass_i cos(ω_j·x_i), Σ_i mass_i sin(ω_j·x_i))_j,   ⟨z_G, z_H⟩ ≈ ⟨μ_G, μ_H⟩, error O(1/√m).
 *
 *   gaussian   ω = g / width,          g standard normal
 *   laplacian  ω = g / (|h| width),    g standard normal, h one standard normal number: the multivariate Cauchy density
 *
 * Frequency j draws from stream j of the seed. Cost: rows × m × dimension, on all workers. Source: Rahimi, Recht, "Random features for large-scale
 * kernel machines", NIPS 2007.
 */
import { addCirclePoint } from "../base/circular.js";
import { badCall } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import { Random } from "../base/random.js";
import type { Executor, Task } from "../compute/executor.js";
import type { Vectors } from "./dos.js";
import { checkNodeKernel, type NodeKernel } from "./node-kernel.js";
import { cutByRows, type GraphRange, graphCount, graphRange, type NodeRows } from "./node-rows.js";

export interface FourierOptions {
  /** Numbers of a graph's vector, two a frequency: even. Default 400. */
  features?: number;
  /** Default 0. */
  seed?: number;
}

/** features/2 frequencies of `dimension` numbers, row by row. */
export function fourierFrequencies(
  node: NodeKernel,
  dimension: number,
  options: FourierOptions = {},
): Float64Array {
  const { features = 400, seed = 0 } = options;
  checkNodeKernel(node);
  if (!(Number.isInteger(features) && features >= 2 && features % 2 === 0))
    throw badCall(`Fourier features: got ${features} of them, expected an even number of at least 2`);
  const frequencies = new Float64Array((features / 2) * dimension);
  for (let j = 0; j < features / 2; j++) {
    const random = new Random(seed, j, dimension);
    const scale = node.shape === "gaussian" ? node.width : node.width * Math.abs(random.normal());
    for (let k = 0; k < dimension; k++) frequencies[j * dimension + k] = random.normal() / scale;
  }
  return frequencies;
}

export interface FourierUnit {
  range: GraphRange;
  frequencies: Float64Array;
}

export const fourierTask: Task<FourierUnit, Float64Array> = {
  name: "fourier-vectors",
  run: (_, { range, frequencies }) => vectorsOf(range, frequencies),
  transfer: (vectors) => [vectors.buffer as ArrayBuffer],
};

/** Products (rows × frequencies × dimension) of a unit of work, and of a second: roughly, since sines take their time too. */
const PRODUCTS_A_UNIT = 1e8;
const PRODUCTS_A_SECOND = 3e8;

export async function fourierVectors(
  rows: NodeRows,
  frequencies: Float64Array,
  executor: Executor,
  { signal, onProgress }: RunControl = {},
): Promise<Vectors> {
  const { dimension } = rows;
  const count = dimension === 0 ? 0 : frequencies.length / dimension;
  if (!Number.isInteger(count))
    throw badCall(`Fourier features: got ${frequencies.length} numbers for rows of ${dimension}`);
  const total = graphCount(rows);
  const values = new Float64Array(total * 2 * count);
  const { remote } = executor;
  const products = remote === undefined ? PRODUCTS_A_UNIT : remote.unitSeconds * PRODUCTS_A_SECOND;
  const cuts = cutByRows(rows, Math.max(1, products / Math.max(1, frequencies.length)));
  const units = cuts.slice(1).map((to, u) => ({ range: graphRange(rows, cuts[u], to), frequencies }));
  let done = 0;
  await executor.map(fourierTask, units, {
    signal,
    onResult(u, vectors) {
      values.set(vectors, cuts[u] * 2 * count);
      done += cuts[u + 1] - cuts[u];
      onProgress?.({ task: "Fourier features", done, total, unit: "graphs" });
    },
  });
  return { count: total, dimension: 2 * count, values };
}

/** Four rows at a time, as they lie in memory; a graph's sums run over its rows in their order. */
function vectorsOf({ rows, from, to }: GraphRange, frequencies: Float64Array): Float64Array {
  const { dimension, offsets, masses, values } = rows;
  const count = dimension === 0 ? 0 : frequencies.length / dimension;
  const scale = 1 / Math.sqrt(count);
  const out = new Float64Array((to - from) * 2 * count);
  const angles = new Float64Array(4);
  for (let g = from; g < to; g++)
    for (let first = offsets[g] & ~3; first < offsets[g + 1]; first += 4) {
      const begin = Math.max(first, offsets[g]);
      const end = Math.min(first + 4, offsets[g + 1]);
      for (let j = 0, at = 2 * count * (g - from); j < count; j++, at += 2) {
        dotProducts(frequencies, j * dimension, values, dimension * first, dimension, angles);
        for (let i = begin; i < end; i++) addCirclePoint(angles[i - first], scale * masses[i], out, at);
      }
    }
  return out;
}

/** Of one frequency with four rows. */
function dotProducts(
  frequencies: Float64Array,
  frequency: number,
  values: Float64Array,
  quad: number,
  dimension: number,
  out: Float64Array,
): void {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let k = 0, x = quad; k < dimension; k++, x += 4) {
    const w = frequencies[frequency + k];
    a += w * values[x];
    b += w * values[x + 1];
    c += w * values[x + 2];
    d += w * values[x + 3];
  }
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
}
