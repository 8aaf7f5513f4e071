/**
 * Distances between signature vectors: euclidean ‖x − y‖₂ (on the WASM kernels) or l1 ‖x − y‖₁. A pair's value does not depend on the
 * tile it is computed in, and is the same from either side. 3·dimension operations a pair.
 */
import type { Task } from "../compute/executor.js";
import type { Kernels } from "../compute/kernels.js";
import { quadCount } from "./node-rows.js";

export const METRICS = ["euclidean", "l1"] as const;
export type Metric = (typeof METRICS)[number];

/** Vectors of `dimension` numbers one after another. */
export interface VectorTile {
  metric: Metric;
  dimension: number;
  a: Float64Array;
  /** Null: the same as a. */
  b: Float64Array | null;
}

/** Distance of every vector of a to every one of b, row-major. */
export function vectorDistances(kernels: Kernels, { metric, dimension, a, b }: VectorTile): Float64Array {
  return metric === "euclidean" ? euclidean(kernels, dimension, a, b) : absolute(dimension, a, b ?? a);
}

export const vectorTask: Task<VectorTile, Float64Array> = {
  name: "vector-distances",
  run: ({ kernels }, tile) => vectorDistances(kernels, tile),
  transfer: (out) => [out.buffer as ArrayBuffer],
};

const count = (vectors: Float64Array, dimension: number) =>
  dimension === 0 ? 0 : vectors.length / dimension;

function euclidean(
  kernels: Kernels,
  dimension: number,
  a: Float64Array,
  b: Float64Array | null,
): Float64Array {
  const { arena } = kernels;
  const [rows, columns] = [count(a, dimension), count(b ?? a, dimension)];
  const stride = 4 * quadCount(columns);
  const mark = arena.mark();
  const x = arena.allocate(32 * dimension * quadCount(rows));
  const y = b === null ? x : arena.allocate(8 * dimension * stride);
  const out = arena.allocate(32 * quadCount(rows) * stride);
  pack(arena.f64, x >>> 3, a, dimension);
  if (b !== null) pack(arena.f64, y >>> 3, b, dimension);
  kernels.squaredDistances(dimension, x, quadCount(rows), y, stride / 4, out, stride);
  const distances = new Float64Array(rows * columns);
  const { f64 } = arena;
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++)
      distances[i * columns + j] = Math.sqrt(f64[(out >>> 3) + i * stride + j]);
  arena.release(mark);
  return distances;
}

/** Row-major vectors to quads; what fills the last quad up is 0. */
function pack(to: Float64Array, at: number, vectors: Float64Array, dimension: number): void {
  const rows = count(vectors, dimension);
  to.fill(0, at, at + 4 * dimension * quadCount(rows));
  for (let i = 0, from = 0; i < rows; i++) {
    let place = at + 4 * dimension * (i >>> 2) + (i & 3);
    for (let k = 0; k < dimension; k++, place += 4) to[place] = vectors[from++];
  }
}

function absolute(dimension: number, a: Float64Array, b: Float64Array): Float64Array {
  const [rows, columns] = [count(a, dimension), count(b, dimension)];
  const distances = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < dimension; k++) sum += Math.abs(a[i * dimension + k] - b[j * dimension + k]);
      distances[i * columns + j] = sum;
    }
  return distances;
}
