/**
 * The units of work of the landmark embedding (landmarks.ts), each a function of typed arrays: coordinates of graphs in the span of
 * landmarks, and the rows of a graph that the span misses most.
 */
import type { Task } from "../compute/executor.js";
import type { Kernels } from "../compute/kernels.js";
import { NearSums } from "./near-sums.js";
import type { NodeKernel } from "./node-kernel.js";
import {
  type GraphRange,
  isShared,
  type NodeRows,
  numbers,
  onSharedMemory,
  quadCount,
  selectRows,
} from "./node-rows.js";
import { sortedRows } from "./row-order.js";

export interface CoordinatesInput {
  node: NodeKernel;
  range: GraphRange;
  /** The landmarks from <= l < rank. */
  landmarks: NodeRows;
  from: number;
  rank: number;
  /** K = L Lᵀ over all landmarks: the rows from <= l < rank of L, packed. */
  factor: Float64Array;
  /** The coordinates below `from` of the graphs of the range: packs of quads with some coordinates each, one after another. */
  solved: readonly Float64Array[];
}

/**
 * Coordinates from <= l < rank of every graph of the range: means k̄_l = Σ_i mass_i k(x_i, z_l) first, then one triangular solve a
 * graph, z = L⁻¹k̄. A pack of quads, on shared memory where the rows are. Cost: rows × landmarks kernel values + graphs × (rank² −
 * from²)/2.
 */
export function landmarkCoordinates(kernels: Kernels, input: CoordinatesInput): Float64Array {
  const { range, landmarks, from, rank, solved } = input;
  const { rows } = range;
  const { arena } = kernels;
  const sums = new NearSums(kernels, input.node, rows.dimension);
  const quads = quadCount(range.to - range.from);
  const fresh = rank - from;
  const mark = arena.mark();
  const vectors = arena.allocate(32 * rank * quads);
  const factor = arena.allocate(8 * input.factor.length);
  const points = sums.points(landmarks);
  arena.f64.set(input.factor, factor >>> 3);
  for (let q = 0; q < quads; q++) {
    let at = (vectors >>> 3) + 4 * rank * q;
    for (const pack of solved) {
      const length = pack.length / quads;
      arena.f64.set(pack.subarray(q * length, (q + 1) * length), at);
      at += length;
    }
    arena.f64.fill(0, at, at + 4 * fresh);
  }
  for (let g = range.from; g < range.to; g++) {
    const lane = g - range.from;
    const target = (vectors >>> 3) + 4 * (rank * (lane >>> 2) + from) + (lane & 3);
    const place = sums.means(rows, rows.offsets[g], rows.offsets[g + 1], points);
    const { f64 } = arena;
    for (let l = 0; l < fresh; l++) f64[target + 4 * points.order[l]] = f64[place + l];
  }
  kernels.solveLower(factor, from, rank, vectors, 32 * rank, quads);
  const out = new Float64Array(numbers(32 * fresh * quads, isShared(rows)));
  for (let q = 0; q < quads; q++) {
    const begin = (vectors >>> 3) + 4 * (rank * q + from);
    out.set(arena.f64.subarray(begin, begin + 4 * fresh), 4 * fresh * q);
  }
  arena.release(mark);
  return out;
}

export const landmarkTask: Task<CoordinatesInput, Float64Array> = {
  name: "landmark-coordinates",
  run: ({ kernels }, input) => landmarkCoordinates(kernels, input),
  transfer: (out) => (onSharedMemory(out) ? [] : [out.buffer as ArrayBuffer]),
};

export interface WitnessInput {
  node: NodeKernel;
  range: GraphRange;
  /** All landmarks, and their factor. */
  landmarks: NodeRows;
  factor: Float64Array;
  /** Coordinates of the graphs of the range, row by row. */
  coordinates: Float64Array;
  /** Rows to name for each graph. */
  picks: number;
}

/**
 * For every graph of the range the rows (numbered within the graph) where the witness of what is missed is largest,
 *
 *   f(x) = ⟨φ(x), μ − Pμ⟩ = Σ_i mass_i k(x_i, x) − Σ_l a_l k(z_l, x),   a = L⁻ᵀz:
 *
 * `picks` of them, f being lowered by f(x)·k(x, ·) around each before the next is taken; −1 where a graph has no more.
 * Cost: rows × (rows + rank) kernel values + rank²/2 a graph.
 */
export function witnessRows(kernels: Kernels, input: WitnessInput): Int32Array {
  const { range, picks } = input;
  const { rows } = range;
  const { arena } = kernels;
  const sums = new NearSums(kernels, input.node, rows.dimension);
  const out = new Int32Array(picks * (range.to - range.from)).fill(-1);
  const order = sortedRows(input.landmarks);
  const landmarks = selectRows(input.landmarks, order);
  const rank = order.length;
  const weightsOf = expansionWeights(kernels, input, rank);
  for (let g = range.from; g < range.to; g++) {
    const [begin, end] = [rows.offsets[g], rows.offsets[g + 1]];
    const index = g - range.from;
    const mark = arena.mark();
    const points = sums.points(rows, begin, end);
    const witness = new Float64Array(end - begin);
    const add = (factor: number, from: NodeRows, first: number, last: number) => {
      const place = sums.means(from, first, last, points);
      for (let c = 0; c < witness.length; c++) witness[points.order[c]] += factor * arena.f64[place + c];
    };
    add(1, rows, begin, end);
    for (let l = 0; l < rank; l++) landmarks.masses[l] = weightsOf[index * rank + order[l]];
    add(-1, landmarks, 0, rank);
    for (let pick = 0; pick < Math.min(picks, witness.length); pick++) {
      let best = 0;
      for (let i = 1; i < witness.length; i++) if (Math.abs(witness[i]) > Math.abs(witness[best])) best = i;
      out[index * picks + pick] = best;
      add(-witness[best] / rows.masses[begin + best], rows, begin + best, begin + best + 1);
    }
    arena.release(mark);
  }
  return out;
}

/** a = L⁻ᵀz of every graph of the range, row by row. */
function expansionWeights(
  kernels: Kernels,
  { factor, coordinates }: WitnessInput,
  rank: number,
): Float64Array {
  const { arena } = kernels;
  const count = coordinates.length / rank;
  const mark = arena.mark();
  const vectors = arena.allocate(32 * rank * quadCount(count));
  const entries = arena.allocate(8 * factor.length);
  const { f64 } = arena;
  f64.fill(0, vectors >>> 3, (vectors >>> 3) + 4 * rank * quadCount(count));
  f64.set(factor, entries >>> 3);
  const placeOf = (k: number) => (vectors >>> 3) + 4 * rank * (k >>> 2) + (k & 3);
  for (let k = 0; k < count; k++)
    for (let l = 0, place = placeOf(k); l < rank; l++, place += 4) f64[place] = coordinates[k * rank + l];
  kernels.solveUpper(entries, rank, vectors, quadCount(count));
  const weights = new Float64Array(coordinates.length);
  for (let k = 0; k < count; k++)
    for (let l = 0, place = placeOf(k); l < rank; l++, place += 4) weights[k * rank + l] = f64[place];
  arena.release(mark);
  return weights;
}

export const witnessTask: Task<WitnessInput, Int32Array> = {
  name: "landmark-witness",
  run: ({ kernels }, input) => witnessRows(kernels, input),
  transfer: (out) => [out.buffer as ArrayBuffer],
};
