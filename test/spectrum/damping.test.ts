import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dampingFactors } from "../../src/spectrum/damping.js";
import golden from "../golden/spectrum/damping.json" with { type: "json" };

const largestGap = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  expect(a.length).toBe(b.length);
  return Array.from(a).reduce((gap, x, i) => Math.max(gap, Math.abs(x - b[i])), 0);
};

describe("damping factors", () => {
  it("of a single moment are 1, whatever the kind", () => {
    for (const kind of ["jackson", "lorentz", "none"] as const)
      expect(Array.from(dampingFactors(kind, 0))).toEqual([1]);
  });

  it("of Jackson for two moments are 1 and 1/2, by hand: (2 cos 60° + sin 60° cot 60°) / 3", () => {
    expect(largestGap(dampingFactors("jackson", 1), [1, 0.5])).toBeLessThan(2e-16);
  });

  it("of Jackson are those of Weisse and NetworkDOS with N = M + 1, and those of the paper with M the highest degree", () => {
    for (const { M, weisse, paper } of golden.cases) {
      expect(largestGap(dampingFactors("jackson", M), weisse)).toBeLessThan(1e-15);
      expect(largestGap(dampingFactors("jackson", M), paper)).toBeLessThan(1e-15);
    }
  });

  it("of Jackson differ from the paper's formula when its M is read as the number of moments", () => {
    const M = 50;
    const paper = golden.cases.find((c) => c.M === M)!.paper;
    expect(largestGap(dampingFactors("jackson", M - 1), paper.slice(0, M))).toBeGreaterThan(1e-3);
  });

  it("of Lorentz agree with sinh at 60 digits", () => {
    for (const { M, lorentz4 } of golden.cases) {
      expect(largestGap(dampingFactors("lorentz", M), lorentz4)).toBeLessThan(1e-15);
      expect(largestGap(dampingFactors("lorentz", M, { lambda: 4 }), lorentz4)).toBeLessThan(1e-15);
    }
  });

  it("of Lorentz do not overflow for large lambda and tend to 1 - m/N for small", () => {
    expect(dampingFactors("lorentz", 4, { lambda: 1e4 })).toEqual(Float64Array.of(1, 0, 0, 0, 0));
    expect(largestGap(dampingFactors("lorentz", 4, { lambda: 1e-9 }), [1, 0.8, 0.6, 0.4, 0.2])).toBeLessThan(
      1e-8,
    );
  });

  it("start at 1, fall and stay positive for Jackson and Lorentz", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.constantFrom("jackson", "lorentz"), (M, kind) => {
        const g = dampingFactors(kind as "jackson" | "lorentz", M);
        expect(g[0]).toBeCloseTo(1, 14);
        for (let m = 1; m <= M; m++) expect(g[m] < g[m - 1] && g[m] > 0).toBe(true);
      }),
    );
  });

  it("may be any function of m and M", () => {
    expect(Array.from(dampingFactors((m, M) => 1 - m / (M + 1), 3))).toEqual([1, 0.75, 0.5, 0.25]);
  });

  it("refuse unknown names, options and values", () => {
    expect(() => dampingFactors("jakson" as "jackson", 5)).toThrow(
      "unknown damping: jakson; did you mean jackson?",
    );
    expect(() => dampingFactors("lorentz", 5, { lamda: 3 } as never)).toThrow("did you mean lambda?");
    expect(() => dampingFactors("jackson", 5, { lambda: 3 })).toThrow("lambda belongs to lorentz");
    expect(() => dampingFactors("lorentz", 5, { lambda: 0 })).toThrow("above 0");
    expect(() => dampingFactors("none", 1.5)).toThrow("got 1.5");
    expect(() => dampingFactors("none", -1)).toThrow("got -1");
    expect(() => dampingFactors(() => Number.NaN, 2)).toThrow("factor 0 of 2");
  });
});
