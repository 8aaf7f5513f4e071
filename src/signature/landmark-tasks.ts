/**
 * The units of work of the landmark embedding (landmarks.ts), each a function of typed arrays: coordinates of graphs in the span of
 * landmarks, and the rows of a graph that the span misses most.
 */
import type { Task } from "../compute/executor.js";
import type { Kernels } from "../compute/kernels.js";
import { type NodeKernel, NodeKernelSums } from "./node-kernel.js";
import { type GraphRange, type NodeRows, quadCount } from "./node-rows.js";

export interface CoordinatesInput {
  node: NodeKernel;
  range: GraphRange;
  /** The landmarks from <= l < rank. */
  landmarks: NodeRows;
  from: number;
  rank: number;
  /** K = L Lᵀ over all landmarks, packed by rows. */
  factor: Float64Array;
  /** The coordinates below `from` of the graphs of the range: a pack of quads. */
  solved: Float64Array;
}

/**
 * Coordinates from <= l < rank of every graph of the range: means k̄_l = Σ_i mass_i k(x_i, z_l) first, then one triangular solve a
 * graph, z = L⁻¹k̄. A pack of quads. Cost: rows × landmarks kernel values + graphs × (rank² − from²)/2.
 */
export function landmarkCoordinates(kernels: Kernels, input: CoordinatesInput): Float64Array {
  const { range, landmarks, from, rank, solved } = input;
  const { rows } = range;
  const { arena } = kernels;
  const sums = new NodeKernelSums(kernels, input.node, rows.dimension);
  const quads = quadCount(range.to - range.from);
  const fresh = rank - from;
  const mark = sums.mark();
  const vectors = arena.allocate(32 * rank * quads);
  const factor = arena.allocate(8 * input.factor.length);
  const columns = sums.load(landmarks);
  const room = sums.allocateSums(fresh);
  arena.f64.fill(0, vectors >>> 3, (vectors >>> 3) + 4 * rank * quads);
  arena.f64.set(input.factor, factor >>> 3);
  for (let q = 0; q < quads; q++)
    arena.f64.set(solved.subarray(4 * from * q, 4 * from * (q + 1)), (vectors >>> 3) + 4 * rank * q);
  for (let g = range.from; g < range.to; g++) {
    const inner = sums.mark();
    const [begin, end] = [rows.offsets[g], rows.offsets[g + 1]];
    const loaded = sums.load(rows, begin, end);
    const place = sums.sum(loaded, begin, end, columns, 0, fresh, room);
    const { f64 } = arena;
    const lane = g - range.from;
    let target = (vectors >>> 3) + 4 * (rank * (lane >>> 2) + from) + (lane & 3);
    for (let l = 0; l < fresh; l++, target += 4) f64[target] = f64[place + l];
    sums.release(inner);
  }
  kernels.solveLower(factor, from, rank, vectors, 32 * rank, quads);
  const out = new Float64Array(4 * fresh * quads);
  for (let q = 0; q < quads; q++) {
    const begin = (vectors >>> 3) + 4 * (rank * q + from);
    out.set(arena.f64.subarray(begin, begin + 4 * fresh), 4 * fresh * q);
  }
  sums.release(mark);
  return out;
}

export const landmarkTask: Task<CoordinatesInput, Float64Array> = {
  name: "landmark-coordinates",
  run: ({ kernels }, input) => landmarkCoordinates(kernels, input),
  transfer: (out) => [out.buffer as ArrayBuffer],
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
  const { range, landmarks, picks } = input;
  const { rows } = range;
  const rank = landmarks.masses.length;
  const sums = new NodeKernelSums(kernels, input.node, rows.dimension);
  const out = new Int32Array(picks * (range.to - range.from)).fill(-1);
  const mark = sums.mark();
  const columns = sums.load(landmarks);
  const weightsOf = expansionWeights(kernels, input, rank);
  for (let g = range.from; g < range.to; g++) {
    const [begin, end] = [rows.offsets[g], rows.offsets[g + 1]];
    const index = g - range.from;
    const weights = weightsOf.subarray(index * rank, (index + 1) * rank);
    const inner = sums.mark();
    const loaded = sums.load(rows, begin, end);
    const room = sums.allocateSums(end - begin);
    const own = sums.sum(loaded, begin, end, loaded, begin, end, room);
    const witness = sums.numbers.slice(own, own + end - begin);
    sums.numbers.set(weights, columns.masses >>> 3);
    const approximated = sums.sum(columns, 0, rank, loaded, begin, end, room);
    for (let i = 0; i < witness.length; i++) witness[i] -= sums.numbers[approximated + i];
    for (let pick = 0; pick < Math.min(picks, witness.length); pick++) {
      let best = 0;
      for (let i = 1; i < witness.length; i++) if (Math.abs(witness[i]) > Math.abs(witness[best])) best = i;
      out[index * picks + pick] = best;
      const height = witness[best];
      sums.numbers[(loaded.masses >>> 3) + begin - loaded.firstRow + best] = 1;
      const bump = sums.sum(loaded, begin + best, begin + best + 1, loaded, begin, end, room);
      for (let i = 0; i < witness.length; i++) witness[i] -= height * sums.numbers[bump + i];
    }
    sums.release(inner);
  }
  sums.release(mark);
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
