import { describe, expect, it } from "vitest";
import { PatternTable } from "../../src/baseline/pattern-table.js";
import {
  type CountFeatures,
  CountRows,
  intersectionDiagonal,
  intersectionGram,
  normaliseGram,
  sparseDiagonal,
  sparseGram,
} from "../../src/baseline/sparse-counts.js";

function features(rows: Record<number, number>[], known: number): CountFeatures {
  const builder = new CountRows();
  for (const row of rows) {
    for (const [id, count] of Object.entries(row).reverse()) builder.add(Number(id), count);
    builder.endGraph();
  }
  return builder.finish(known);
}

describe("pattern table", () => {
  it("numbers 300,000 sequences apart, though about ten pairs of them share a 32-bit hash", () => {
    const table = new PatternTable();
    const words = new Int32Array(3);
    const number = (k: number) => {
      words[1] = k % 1000;
      words[2] = Math.floor(k / 1000);
      return table.intern(words, 1, 2);
    };
    for (let k = 0; k < 300_000; k++)
      if (number(k) !== k) throw new Error(`sequence ${k} was taken for another`);
    expect(table.size).toBe(300_000);
    expect(number(123_456)).toBe(123_456);
  });

  it("tells sequences of different lengths apart", () => {
    const table = new PatternTable();
    const zeros = new Int32Array(4);
    expect([1, 2, 3, 2, 0, 1].map((length) => table.intern(zeros, 0, length))).toEqual([0, 1, 2, 1, 3, 0]);
  });

  it("numbers on over another table and leaves that as it is", () => {
    const base = new PatternTable();
    base.intern(Int32Array.of(7), 0, 1);
    const over = new PatternTable(base);
    expect(over.intern(Int32Array.of(8), 0, 1)).toBe(1);
    expect(over.intern(Int32Array.of(7), 0, 1)).toBe(0);
    expect(over.intern(Int32Array.of(8), 0, 1)).toBe(1);
    expect([base.size, over.size]).toEqual([1, 2]);
    expect(base.intern(Int32Array.of(9), 0, 1)).toBe(1);
  });
});

describe("Gram of sparse counts", () => {
  const a = features([{ 0: 2, 3: 1 }, {}, { 3: 4, 0: 0.5, 9: 1 }], 10);
  const b = features([{ 3: 2, 11: 5 }, { 1: 1 }], 10);

  it("sorts rows by pattern and adds repeated ones up", () => {
    const rows = new CountRows();
    rows.add(5, 1);
    rows.add(2000, 2);
    rows.add(5, 3);
    rows.endGraph(0.5);
    const { ids, counts, offsets } = rows.finish(2001);
    expect([Array.from(ids), Array.from(counts), Array.from(offsets)]).toEqual([
      [5, 2000],
      [2, 1],
      [0, 2],
    ]);
  });

  it("multiplies out by hand, empty rows and unseen patterns included", () => {
    expect(Array.from(sparseGram(a, a))).toEqual([5, 0, 5, 0, 0, 0, 5, 0, 17.25]);
    expect(Array.from(sparseGram(a, b))).toEqual([2, 0, 0, 0, 8, 0]);
    expect(Array.from(sparseGram(b, a))).toEqual([2, 0, 8, 0, 0, 0]);
    expect(Array.from(sparseDiagonal(b))).toEqual([29, 1]);
  });

  it("intersects by hand", () => {
    expect(Array.from(intersectionGram(a, a))).toEqual([3, 0, 1.5, 0, 0, 0, 1.5, 0, 5.5]);
    expect(Array.from(intersectionGram(b, a))).toEqual([1, 0, 2, 0, 0, 0]);
    expect(Array.from(intersectionDiagonal(b))).toEqual([7, 1]);
  });

  it("normalises to a unit diagonal, rows of zeros staying", () => {
    const diagonal = sparseDiagonal(a);
    const gram = normaliseGram(sparseGram(a, a), diagonal, diagonal);
    expect(gram[0]).toBeCloseTo(1, 15);
    expect(gram[4]).toBe(0);
    expect(gram[2]).toBeCloseTo(5 / Math.sqrt(5 * 17.25), 15);
    expect(normaliseGram(sparseGram(b, a), sparseDiagonal(b), diagonal)[2]).toBeCloseTo(
      8 / Math.sqrt(29 * 17.25),
      15,
    );
  });

  it("takes sets without graphs", () => {
    const none = features([], 10);
    expect(sparseGram(none, none).length).toBe(0);
    expect(sparseGram(none, a).length).toBe(0);
    expect(sparseGram(a, none).length).toBe(0);
  });
});
