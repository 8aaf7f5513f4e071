/**
 * What the inputs of units are made of, as schemas: arrays of numbers of one kind, packed graphs, rows of nodes, distances. A schema holds
 * where every index is in range and every length fits, so that what runs on it stays within its memory and comes to an end.
 *
 * Cost: O(entries) for graphs, O(graphs) for rows of nodes, O(1) for distances, whose numbers are not looked at.
 */
import { z } from "zod";
import { GraphdosError } from "../../base/errors.js";
import { eachPacked } from "../../graph/pack.js";
import { MAX_MOMENTS } from "../../spectrum/exact-plan.js";

/** Numbers that a tile may give: 1 GiB. */
export const MOST_NUMBERS = 2 ** 27;

/** −∞, ∞ and NaN included. */
export const anyNumber = z.custom<number>((value) => typeof value === "number", "expected a number");
export const whole = (from: number, to: number) => z.int().min(from).max(to);
export const seed = z.number();
/** Whole numbers of a range; an object a number, as z.array has them, would cost more than to look at the graphs themselves. */
export const wholes = (from: number, to: number) =>
  z.custom<number[]>(
    (value) => Array.isArray(value) && value.every((n) => Number.isInteger(n) && n >= from && n <= to),
    `expected whole numbers from ${from} to ${to}`,
  );
export const moments = whole(1, MAX_MOMENTS);
export const positive = z.number().gt(0);

const arrayOf = <T>(type: new (length: number) => T) =>
  z.custom<T>((value) => value instanceof type, `expected a ${type.name}`);
export const float64 = arrayOf(Float64Array);
export const int32 = arrayOf(Int32Array);
export const uint32 = arrayOf(Uint32Array);

const isBuffer = (value: unknown) => value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;

/** Graphs that were found whole: units of one large graph share its memory, which is looked at once. */
const known = new WeakMap<ArrayBufferLike, number>();

/** How many graphs are packed there; throws where one of them is none. */
export function countGraphs(packed: ArrayBufferLike): number {
  const found = known.get(packed);
  if (found !== undefined) return found;
  let count = 0;
  for (const graph of eachPacked(packed)) graph.validate(`packed graph ${count++}`);
  known.set(packed, count);
  return count;
}

/** Packed graphs (graph/pack.ts), every one of them sound. */
export const packedGraphs = z
  .custom<ArrayBuffer | SharedArrayBuffer>(isBuffer, "expected a buffer")
  .superRefine((packed, context) => {
    try {
      countGraphs(packed);
    } catch (error) {
      if (!(error instanceof GraphdosError)) throw error;
      context.addIssue(error.message);
    }
  });

export const nodeKernel = z.strictObject({ shape: z.enum(["gaussian", "laplacian"]), width: positive });

/** Rows of a pack: offsets rise from 0 to the number of rows, and the numbers fill its quads. */
export const nodeRows = z
  .strictObject({ dimension: whole(0, 2 ** 16), offsets: uint32, masses: float64, values: float64 })
  .refine(({ dimension, offsets, masses, values }) => {
    if (offsets.length === 0 || offsets[0] !== 0 || offsets[offsets.length - 1] !== masses.length)
      return false;
    for (let g = 1; g < offsets.length; g++) if (offsets[g] < offsets[g - 1]) return false;
    return values.length === 4 * dimension * Math.ceil(masses.length / 4);
  }, "the lengths of the rows do not fit together");

export const graphRange = z
  .strictObject({ rows: nodeRows, from: whole(0, 2 ** 31), to: whole(0, 2 ** 31) })
  .refine(({ rows, from, to }) => from <= to && to < rows.offsets.length, "no such graphs in the rows");

export const distances = z
  .strictObject({
    kind: z.enum(["distances", "similarities"]).optional(),
    rows: whole(0, 2 ** 24),
    columns: whole(0, 2 ** 24),
    values: z.union([arrayOf(Float32Array), float64]),
    mostNegative: anyNumber,
    errorBound: anyNumber,
    notes: z.array(z.string().max(10_000)).max(1000).optional(),
  })
  .refine(({ rows, columns, values }) => values.length === rows * columns, "expected rows × columns values");

/** Distances within one set of n graphs, at least one. */
export const squares = z.array(distances).min(1).max(10_000);
export const areSquare = (all: z.infer<typeof squares>, n: number) =>
  all.every(({ rows, columns }) => rows === n && columns === n);

const value = z.union([z.string().max(1000), anyNumber, z.boolean()]);
export const optionValues = z.record(z.string().max(100), value);
