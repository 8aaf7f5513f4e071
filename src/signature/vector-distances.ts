/**
 * Distances between signature vectors: euclidean ‖x − y‖₂ (on the WASM kernels) or l1 ‖x − y‖₁; or their cosine xᵀy / (‖x‖ ‖y‖), which is 1
 * for two zero vectors and 0 for one. A pair's value does not depend on the tile it is computed in, and is the same from either side.
 * 3·dimension operations a pair.
 */
import type { Task } from "../compute/executor.js";
import type { Kernels } from "../compute/kernels.js";
import { quadCount } from "./node-rows.js";

export const METRICS = ["euclidean", "l1", "cosine"] as const;
export type Metric = (typeof METRICS)[number];

/** Vectors of `dimension` numbers one after another. */
export interface VectorTile {
  metric: Metric;
  dimension: number;
  a: Float64Array;
  /** Null: the same as a. */
  b: Float64Array | null;
}

/** Distance, or cosine, of every vector of a to every one of b, row-major. */
export function vectorDistances(kernels: Kernels, { metric, dimension, a, b }: VectorTile): Float64Array {
  if (metric === "euclidean") return euclidean(kernels, dimension, a, b);
  return metric === "l1" ? absolute(dimension, a, b ?? a) : cosines(dimension, a, b ?? a);
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

function cosines(dimension: number, a: Float64Array, b: Float64Array): Float64Array {
  const [rows, columns] = [count(a, dimension), count(b, dimension)];
  const product = (x: Float64Array, i: number, y: Float64Array, j: number) => {
    let sum = 0;
    for (let k = 0; k < dimension; k++) sum += x[i * dimension + k] * y[j * dimension + k];
    return sum;
  };
  const squares = Float64Array.from({ length: columns }, (_, j) => product(b, j, b, j));
  const out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    const own = product(a, i, a, i);
    for (let j = 0; j < columns; j++) out[i * columns + j] = cosine(product(a, i, b, j), own, squares[j]);
  }
  return out;
}

/** xᵀy / √(xᵀx · yᵀy). √(s·s) is s to the bit, so that equal vectors have the cosine 1. */
export function cosine(product: number, a: number, b: number): number {
  if (a === 0 || b === 0) return a === b ? 1 : 0;
  return Math.max(-1, Math.min(1, product / Math.sqrt(a * b)));
}
