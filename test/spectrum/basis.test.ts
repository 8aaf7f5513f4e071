import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { averagingTable, monomialTable, toReturnProbabilities } from "../../src/spectrum/basis.js";
import golden from "../golden/spectrum/condition.json" with { type: "json" };

const spectrum = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 });

/** A row of moments of the equal mixture of these eigenvalues, and its powers, both directly. */
function rows(points: number[], M: number) {
  const mean = (f: (x: number) => number) => points.reduce((s, x) => s + f(x), 0) / points.length;
  const moments = Float64Array.from({ length: M + 1 }, (_, m) => mean((x) => Math.cos(m * Math.acos(x))));
  const powers = Float64Array.from({ length: M + 1 }, (_, k) => mean((x) => x ** k));
  return { moments, powers };
}

const largestGap = (a: Float64Array, b: Float64Array) =>
  a.reduce((gap, x, i) => Math.max(gap, Math.abs(x - b[i])), 0);

describe("averaging table", () => {
  it("of degree 0 to 3 is the one from a textbook", () => {
    expect(Array.from(averagingTable(0))).toEqual([1]);
    expect(Array.from(averagingTable(3))).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0.5, 0, 0.5, 0, 0, 0.75, 0, 0.25]);
  });

  it("agrees with exact binomials at degree 50", () => {
    const row = averagingTable(50).subarray(50 * 51);
    for (let m = 0; m <= 50; m++)
      expect(Math.abs(row[m] - golden.lastAveragingRow[m])).toBeLessThan(
        1e-15 * golden.lastAveragingRow[m] + 1e-300,
      );
  });

  it("has rows that are averages, of one parity, up to degree 2000", () => {
    const M = 2000;
    const table = averagingTable(M);
    for (let k = 0; k <= M; k += 97) {
      const row = table.subarray(k * (M + 1), (k + 1) * (M + 1));
      expect(Math.abs(row.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(1e-13);
      expect(row.every((w, m) => w >= 0 && (w === 0 || (m - k) % 2 === 0))).toBe(true);
    }
  });

  it("is the inverse of the monomial coefficients", () => {
    const M = 12;
    const T = monomialTable(M);
    const V = averagingTable(M);
    for (let i = 0; i <= M; i++)
      for (let j = 0; j <= M; j++) {
        let s = 0;
        for (let k = 0; k <= M; k++) s += T[i * (M + 1) + k] * V[k * (M + 1) + j];
        expect(s).toBe(i === j ? 1 : 0);
      }
  });

  it("has T_4 = 8x⁴ − 8x² + 1 beside it", () => {
    expect(Array.from(monomialTable(4).subarray(20))).toEqual([1, 0, -8, 0, 8]);
  });
});

describe("return probabilities from Chebyshev moments", () => {
  it("are the powers of the eigenvalues to 1e-13", () => {
    fc.assert(
      fc.property(spectrum, fc.integer({ min: 0, max: 60 }), (points, M) => {
        const { moments, powers } = rows(points, M);
        expect(largestGap(toReturnProbabilities(moments, 1, M), powers)).toBeLessThan(1e-13);
      }),
    );
  });

  it("of an isolated node are 1, 0, 0, …", () => {
    const moments = Float64Array.of(1, 0, -1, 0, 1, 0, -1);
    expect(Array.from(toReturnProbabilities(moments, 1, 6))).toEqual([1, 0, 0, 0, 0, 0, 0]);
  });

  it("work on many rows at once, into another array, and leave the input", () => {
    const a = rows([0.5], 3);
    const b = rows([-1, 1], 3);
    const all = Float64Array.from([...a.moments, ...b.moments]);
    const before = all.slice();
    const out = toReturnProbabilities(all, 2, 3, new Float64Array(8));
    expect(all).toEqual(before);
    expect(Array.from(out)).toEqual([1, 0.5, 0.25, 0.125, 1, 0, 1, 0].map((x) => expect.closeTo(x, 14)));
  });

  it("do not amplify an error in the moments; substitution amplifies its own rounding, the average has none to speak of", () => {
    const M = 50;
    const { moments, powers } = rows([-0.9, -0.35, 0.2, 0.6, 0.95], M);
    const noisy = moments.map((x, m) => x + 1e-8 * Math.cos(17 * m * m));
    const change = (input: Float64Array, method: "average" | "substitution") =>
      largestGap(toReturnProbabilities(input.slice(), 1, M, undefined, method), powers);
    expect(change(noisy, "average")).toBeLessThan(1.0001e-8);
    expect(change(moments, "average")).toBeLessThan(1e-14);
    expect(change(noisy, "substitution")).toBeLessThan(1.01e-8);
    expect(change(moments, "substitution")).toBeGreaterThan(1e-13);
  });

  it("agree between both methods at low degree", () => {
    const { moments, powers } = rows([-0.9, 0.1, 0.7], 10);
    expect(largestGap(toReturnProbabilities(moments, 1, 10, undefined, "substitution"), powers)).toBeLessThan(
      1e-13,
    );
  });

  it("of no rows are no rows", () => {
    expect(toReturnProbabilities(new Float64Array(0), 0, 5).length).toBe(0);
  });

  it("refuse wrong sizes, degrees and names", () => {
    expect(() => toReturnProbabilities(new Float64Array(5), 1, 5)).toThrow("expected 1 rows of 6");
    expect(() => toReturnProbabilities(new Float64Array(2), 1, 1, new Float64Array(1))).toThrow(
      "got 2 and 1",
    );
    expect(() => averagingTable(-1)).toThrow("got -1");
    expect(() => monomialTable(801)).toThrow("at most 800");
    expect(() => toReturnProbabilities(new Float64Array(2), 1, 1, undefined, "averge" as never)).toThrow(
      "did you mean average?",
    );
  });
});
