/**
 * Chebyshev vectors of an operator from any start vectors, in strips of up to eight columns, and what doubling makes of their dot
 * products: with A_j = ⟨v_j, v_j⟩ and B_j = ⟨v_j, v_j−1⟩, the moments ⟨v_0, T_m v_0⟩ of a column are
 *
 *   μ_0 = A_0,  μ_1 = B_1,  μ_2j = 2A_j − A_0,  μ_2j+1 = 2B_j+1 − B_1:   M moments for ⌈M/2⌉ products.
 *
 * A strip keeps its last two vectors (when asked to), so that more moments go on from there.
 */
import { GraphdosError, throwIfAborted } from "../base/errors.js";
import { MAX_BYTES } from "../compute/arena.js";
import type { RowOperator } from "./row-operator.js";
import type { StepPlan } from "./row-steps.js";
import type { StepRunner } from "./step-runner.js";

/** Columns of a strip: a cache line a row (8 in double, 16 in single precision), less where few are left or memory is short. */
export type StripWidth = 2 | 4 | 8 | 16;

export interface Strip {
  width: StripWidth;
  /** Columns in use: the rest are zero vectors. */
  used: number;
  current: number;
  previous: number;
  /** Copy of the start vectors, for the diagonal; else 0. */
  start: number;
  done: number;
  /** A_0 of each column. */
  squares: Float64Array;
  /** B_1 of each column, once known. */
  firsts: Float64Array;
}

/** Fills one column of start vectors: write value(i) for the rows i; returns ⟨v_0, v_0⟩. */
export type ColumnFill = (column: number, write: (row: number, value: number) => void) => number;

export const stripBytes = (rows: number, width: number, diagonal: boolean) =>
  (diagonal ? 3 : 2) * rows * bytesOfRow(width);

/** Sixteen columns are single precision. */
const bytesOfRow = (width: number) => (width === 16 ? 64 : 8 * width);

/** The widest strip, of at most `columns`, whose vectors fit into what is left of the memory. */
export function chooseWidth(
  rows: number,
  columns: number,
  diagonal: boolean,
  free: number,
  single = false,
): StripWidth {
  if (single && stripBytes(rows, 16, false) <= free) return 16;
  const wanted: StripWidth = columns > 4 ? 8 : columns > 2 ? 4 : 2;
  for (let width: number = wanted; width >= 2; width /= 2)
    if (stripBytes(rows, width, diagonal) <= free) return width as StripWidth;
  throw new GraphdosError(
    "limit",
    `probes: too little memory: the vectors of two probes take ${stripBytes(rows, 2, diagonal)} bytes, ${free} are left of the ${MAX_BYTES} that 32-bit addresses reach; split the graph`,
  );
}

export function makeStrip(
  runner: StepRunner,
  operator: RowOperator,
  width: StripWidth,
  used: number,
  diagonal: boolean,
  fill: ColumnFill,
): Strip {
  const { arena } = runner.kernels;
  const { rows, roots } = operator;
  const bytes = rows * bytesOfRow(width);
  const current = arena.allocate(bytes);
  const previous = arena.allocate(bytes);
  const start = diagonal ? arena.allocate(bytes) : 0;
  const { f64 } = arena;
  const vectors =
    width === 16
      ? new Float32Array(f64.buffer, current, rows * width)
      : new Float64Array(f64.buffer, current, rows * width);
  f64.fill(0, current / 8, (current + bytes) / 8);
  f64.fill(0, previous / 8, (previous + bytes) / 8);
  const squares = new Float64Array(width);
  for (let column = 0; column < used; column++)
    squares[column] = fill(column, (row, value) => {
      vectors[row * width + column] = roots[row] * value;
    });
  if (start !== 0) f64.copyWithin(start / 8, current / 8, current / 8 + rows * width);
  return { width, used, current, previous, start, done: 0, squares, firsts: new Float64Array(width) };
}

/** Where the diagonal sums of consecutive steps are collected over all strips. */
export interface DiagonalBlock {
  steps: number;
  sums: number;
  squares: number;
}

/**
 * Takes `steps` more steps. Returns, for each used column, the pairs (A_j, B_j) of the new steps; with a diagonal block, instead the
 * column sums ⟨v_0, v_j⟩. Working memory is given back.
 */
export async function advance(
  runner: StepRunner,
  operator: RowOperator,
  strip: Strip,
  steps: number,
  block: DiagonalBlock | null,
  signal?: AbortSignal,
): Promise<{ a: Float64Array[]; b: Float64Array[]; sums: Float64Array[] }> {
  throwIfAborted(signal);
  const { arena } = runner.kernels;
  const { width, used } = strip;
  const chunks = operator.chunks.length - 1;
  const mark = arena.mark();
  const dots = arena.allocate(steps * chunks * 16 * width);
  const columns = block === null ? 0 : arena.allocate(steps * chunks * 8 * width);
  const single = width === 16;
  const { offsets, targets, mass, rows } = operator;
  const { values, scale, loop } = single ? operator.single! : operator;
  const plan: StepPlan = {
    ...{ k: width, single, steps, done: strip.done, offsets, targets, values, scale, loop, mass, rows },
    ...{ chunks: operator.chunks, current: strip.current, previous: strip.previous, dots, columns },
    ...{ start: block === null ? 0 : strip.start, sums: block?.sums ?? 0, squares: block?.squares ?? 0 },
    barrier: runner.barrier,
  };
  await runner.run(plan, signal);
  const { f64 } = arena;
  const collect = (address: number, stride: number, offset: number) =>
    Array.from({ length: used }, (_, column) => {
      const out = new Float64Array(steps);
      for (let step = 0; step < steps; step++)
        for (let c = 0; c < chunks; c++)
          out[step] += f64[address / 8 + (step * chunks + c) * stride + offset + column];
      return out;
    });
  const a = collect(dots, 2 * width, 0);
  const b = collect(dots, 2 * width, width);
  const sums = block === null ? [] : collect(columns, width, 0);
  arena.release(mark);
  if (strip.done === 0) for (let column = 0; column < used; column++) strip.firsts[column] = b[column][0];
  strip.done += steps;
  if (steps % 2 === 1) [strip.current, strip.previous] = [strip.previous, strip.current];
  return { a, b, sums };
}

/** Writes μ_2j and μ_2j+1 − as far as `moments` − of the steps first+1.. of one column into `out` (M + 1 numbers). */
export function doubledMoments(
  out: Float64Array,
  first: number,
  a: Float64Array,
  b: Float64Array,
  square: number,
  firstMoment: number,
): void {
  const moments = out.length - 1;
  out[0] = square;
  for (let step = 0; step < a.length; step++) {
    const j = first + step + 1;
    if (2 * j - 1 <= moments) out[2 * j - 1] = j === 1 ? b[step] : 2 * b[step] - firstMoment;
    if (2 * j <= moments) out[2 * j] = 2 * a[step] - square;
  }
}
