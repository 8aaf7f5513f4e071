/**
 * The small text files of a TU set: one line a node or a graph, numbers separated by commas or blanks. Bytes in, typed arrays out.
 */
import { badData } from "../../base/errors.js";
import type { ByteSource } from "../bytes.js";
import { forEachBlock, textLines } from "../lines.js";
import { NOT_A_NUMBER, NumberScanner, wordAt } from "../numbers.js";

const COMMA = 44;
const isSeparator = (byte: number) => byte === 32 || byte === 9 || byte === COMMA || byte === 59;
const isLineEnd = (byte: number) => byte === 10 || byte === 13;

export interface Table {
  rows: number;
  columns: number;
  /** Row-major. */
  values: Float64Array;
}

/** All numbers of the file; every line must have as many as the first. Blank lines are passed over. O(size). */
export async function readTable(source: ByteSource, signal?: AbortSignal): Promise<Table> {
  const scanner = new NumberScanner();
  let values = new Float64Array(Math.max(16, Math.ceil(source.size / 4)));
  let count = 0;
  let columns = 0;
  let rows = 0;
  let line = 0;
  await forEachBlock(
    source,
    (bytes, start, end) => {
      for (let at = start; at < end; ) {
        line++;
        let inLine = 0;
        while (at < end && !isLineEnd(bytes[at])) {
          if (isSeparator(bytes[at])) {
            at++;
            continue;
          }
          if (scanner.scan(bytes, at, end) === NOT_A_NUMBER || !endsHere(bytes, scanner.next, end))
            throw badData(`${source.name} line ${line}: not a number: got ${wordAt(bytes, at, end)}`);
          at = scanner.next;
          if (count === values.length) {
            const larger = new Float64Array(2 * count);
            larger.set(values);
            values = larger;
          }
          values[count++] = scanner.value;
          inLine++;
        }
        if (bytes[at] === 13) at++;
        at++;
        if (inLine === 0) continue;
        if (rows === 0) columns = inLine;
        else if (inLine !== columns)
          throw badData(
            `${source.name} line ${line}: ${inLine} numbers, expected ${columns} as in the first line`,
          );
        rows++;
      }
    },
    signal,
  );
  return { rows, columns, values: values.slice(0, count) };
}

const endsHere = (bytes: Uint8Array, at: number, end: number) =>
  at >= end || isSeparator(bytes[at]) || isLineEnd(bytes[at]);

/** The first column as 32-bit integers; the place of the first that is none is named. */
export function integerColumn(table: Table, name: string, low: number, high: number): Int32Array {
  const column = new Int32Array(table.rows);
  for (let row = 0; row < table.rows; row++) {
    const value = table.values[row * table.columns];
    if (!(Number.isInteger(value) && value >= low && value <= high))
      throw badData(`${name} entry ${row + 1}: got ${value}, expected a whole number from ${low} to ${high}`);
    column[row] = value;
  }
  return column;
}

/** The lines that are not blank, trimmed: labels of graphs may be words. */
export async function readWords(source: ByteSource): Promise<string[]> {
  const words: string[] = [];
  for await (const { text } of textLines(source)) if (text.trim() !== "") words.push(text.trim());
  return words;
}
