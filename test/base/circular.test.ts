import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosineOfPi, sineOfPi } from "../../src/base/circular.js";

const fraction = fc
  .integer({ min: 1, max: 5000 })
  .chain((q) => fc.tuple(fc.integer({ min: 0, max: q }), fc.constant(q)));

describe("cosine and sine of fractions of π", () => {
  it.each([
    [0, 1, 1, 0],
    [1, 3, 0.5, Math.sqrt(3) / 2],
    [1, 2, 0, 1],
    [2, 3, -0.5, Math.sqrt(3) / 2],
    [1, 4, Math.SQRT1_2, Math.SQRT1_2],
    [5, 6, -Math.sqrt(3) / 2, 0.5],
    [7, 7, -1, 0],
  ])("of π·%d/%d are %d and %d", (p, q, cosine, sine) => {
    expect(Math.abs(cosineOfPi(p, q) - cosine)).toBeLessThanOrEqual(2.3e-16);
    expect(Math.abs(sineOfPi(p, q) - sine)).toBeLessThanOrEqual(2.3e-16);
  });

  it("are those of the engine but for rounding", () => {
    // the engine is given an angle up to π that is off by two roundings, 2·π·2^-53, and by π's own 1.2e-16; both results round once more
    const bound = 2 * Math.PI * 2 ** -53 + 1.3e-16 + 2 * 2 ** -53;
    fc.assert(
      fc.property(fraction, ([p, q]) => {
        const angle = (Math.PI * p) / q;
        expect(Math.abs(cosineOfPi(p, q) - Math.cos(angle))).toBeLessThan(bound);
        expect(Math.abs(sineOfPi(p, q) - Math.sin(angle))).toBeLessThan(bound);
      }),
      { numRuns: 2000 },
    );
  });

  it("keep the symmetries to the bit, and lie on the circle", () => {
    fc.assert(
      fc.property(fraction, ([p, q]) => {
        expect(cosineOfPi(q - p, q)).toBe(-cosineOfPi(p, q) || 0);
        expect(sineOfPi(q - p, q)).toBe(sineOfPi(p, q));
        expect(Math.abs(cosineOfPi(p, q) ** 2 + sineOfPi(p, q) ** 2 - 1)).toBeLessThan(5e-16);
      }),
    );
  });

  it("refuse what is no such fraction", () => {
    for (const [p, q] of [
      [-1, 2],
      [3, 2],
      [0.5, 2],
      [0, 0],
      [Number.NaN, 1],
    ])
      expect(() => cosineOfPi(p, q)).toThrow("expected whole numbers");
  });
});
