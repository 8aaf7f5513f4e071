import { describe, expect, it } from "vitest";
import { chebyshevCondition } from "../../src/spectrum/condition.js";
import { itAtSize } from "../at-size.js";
import golden from "../golden/spectrum/condition.json" with { type: "json" };

const ratio = (a: number, b: number) => Math.abs(a / b - 1);

describe("condition numbers of the Chebyshev coefficient matrix", () => {
  it("agree with exact fractions and 60 digits", () => {
    for (const { M, skeel, skeelAsPrinted, twoNorm } of golden.cases) {
      const got = chebyshevCondition(M);
      expect(got.size).toBe(M + 1);
      expect(ratio(got.skeel, skeel)).toBeLessThan(1e-13);
      expect(ratio(got.skeelAsPrinted, skeelAsPrinted)).toBeLessThan(1e-13);
      expect(ratio(got.twoNorm, twoNorm)).toBeLessThan(1e-12);
    }
  });

  it("have closed forms for even degrees: 2^(M/2), and as printed cosh(M asinh 1)", () => {
    for (const M of [0, 2, 10, 50, 200]) {
      const { skeel, skeelAsPrinted } = chebyshevCondition(M);
      expect(ratio(skeel, 2 ** (M / 2))).toBeLessThan(1e-12);
      expect(ratio(skeelAsPrinted, Math.cosh(M * Math.asinh(1)))).toBeLessThan(1e-12);
    }
  });

  it("are not 10^4 apart at 50, as the paper has it, but 10^11 or not at all; 10^4 is met at 20 rows", () => {
    for (const M of [49, 50]) {
      const { skeel, skeelAsPrinted, twoNorm } = chebyshevCondition(M);
      expect(Math.round(Math.log10(twoNorm / skeel))).toBe(11);
      expect(twoNorm / skeelAsPrinted).toBeGreaterThan(0.9);
      expect(twoNorm / skeelAsPrinted).toBeLessThan(1);
    }
    const { skeel, twoNorm } = chebyshevCondition(19);
    expect(Math.round(Math.log10(twoNorm / skeel))).toBe(4);
  });

  it("by a singular value decomposition in double precision are noise from 50 rows on", () => {
    const { M, numpyCond } = golden.cases.at(-1)!;
    expect(numpyCond / chebyshevCondition(M).twoNorm).toBeGreaterThan(3);
  });

  it("refuse degrees out of range", () => {
    for (const M of [-1, 2.5, 391]) expect(() => chebyshevCondition(M)).toThrow(`got ${M}`);
  });

  itAtSize("are finite up to the highest degree", () => {
    expect(Number.isFinite(chebyshevCondition(390).twoNorm)).toBe(true);
  });
});
