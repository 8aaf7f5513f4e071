/**
 * Kernel matrices as files that other programs read, piece by piece, so that no second copy of the matrix is ever held:
 *
 *   .npy     one array of graphs × graphs, float64 or float32                      numpy.load, scikit-learn's kernel="precomputed"
 *   .csv     a line a graph, no header                                             numpy.loadtxt(delimiter=",")
 *   .libsvm  `label 0:i 1:K(i,1) … n:K(i,n)` a line, i and columns from 1          svm-train -t 4
 *
 * Numbers are written with as many digits as bring back the same number. O(n²).
 */
import { badCall } from "../base/errors.js";
import type { SetSummary } from "./dataset.js";
import { npyHeader } from "./npy.js";

export const GRAM_FORMATS = ["npy", "csv", "libsvm"] as const;
export type GramFormat = (typeof GRAM_FORMATS)[number];

const CHUNK_BYTES = 1 << 24;

/** rows × columns numbers, row by row. */
export interface Matrix {
  rows: number;
  columns: number;
  values: Float64Array | Float32Array;
}

/** Classes as integers for files of numbers. */
export interface IntegerLabels {
  values: Int32Array;
  /** What the numbers are: the data set's own, its classes numbered from 0, or -1 for want of classes. */
  kind: "values" | "indices" | "none";
  /** A sentence where the numbers need one; else null. */
  note: string | null;
}

/** The classes as the data set writes them where these are integers (1 and 01 are not both), else 0, 1, …; -1 where there are none. */
export function integerLabels({ name, graphs, classes, classNames }: SetSummary): IntegerLabels {
  if (classes === null)
    return {
      values: new Int32Array(graphs.length).fill(-1),
      kind: "none",
      note: `${name} has no classes: every label is -1`,
    };
  const numbers = classNames.map(Number);
  const integers = numbers.every(
    (value, k) => classNames[k].trim() !== "" && Number.isInteger(value) && Math.abs(value) < 2 ** 31,
  );
  if (integers && new Set(numbers).size === numbers.length)
    return { values: Int32Array.from(classes, (c) => numbers[c]), kind: "values", note: null };
  const shown = classNames.slice(0, 12).map((word, k) => `${k} is ${word}`);
  if (classNames.length > shown.length) shown.push("…");
  return {
    values: Int32Array.from(classes),
    kind: "indices",
    note: `the classes of ${name} are not integers, so labels are their numbers: ${shown.join(", ")}`,
  };
}

export function* gramNpy({ values, rows, columns }: Matrix): Generator<Uint8Array> {
  yield npyHeader(values instanceof Float32Array ? "float32" : "float64", [rows, columns]);
  for (let from = 0; from < values.byteLength; from += CHUNK_BYTES)
    yield new Uint8Array(
      values.buffer,
      values.byteOffset + from,
      Math.min(CHUNK_BYTES, values.byteLength - from),
    );
}

export function* gramCsv(gram: Matrix): Generator<string> {
  for (let i = 0; i < gram.rows; i++) yield `${rowWords(gram, i).join(",")}\n`;
}

/** `labels`: a number for each row, a class or a target. */
export function* gramLibsvm(gram: Matrix, labels: ArrayLike<number>): Generator<string> {
  if (labels.length !== gram.rows)
    throw badCall(`LIBSVM file: got ${labels.length} labels, expected one for each of ${gram.rows} rows`);
  for (let i = 0; i < gram.rows; i++) {
    const entries = rowWords(gram, i).map((word, j) => `${j + 1}:${word}`);
    yield `${labels[i]} 0:${i + 1} ${entries.join(" ")}\n`;
  }
}

function rowWords({ values, columns }: Matrix, i: number): string[] {
  const single = values instanceof Float32Array;
  return Array.from({ length: columns }, (_, j) => {
    const value = values[i * columns + j];
    // nine digits tell all single precision numbers apart
    return String(single ? Number(value.toPrecision(9)) : value);
  });
}
