import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exponential } from "../../src/base/exponential.js";

/** Units in the last place between two finite numbers of one sign. */
function ulps(a: number, b: number): number {
  const bits = new BigInt64Array(new Float64Array([a, b]).buffer);
  return Number(bits[0] > bits[1] ? bits[0] - bits[1] : bits[1] - bits[0]);
}

/** e^x of a rational x = p / 2^20, by its Taylor series in integers: correct to far more digits than a double has. */
function taylor(p: number): number {
  const bits = 200n;
  const x = (BigInt(p) << bits) >> 20n;
  let term = 1n << bits;
  let sum = 0n;
  for (let k = 1n; term !== 0n; k++) {
    sum += term;
    term = (term * x) >> bits;
    term /= k;
  }
  return Number(sum >> 100n) / 2 ** 100;
}

describe("the exponential function", () => {
  it("is within one unit of the last place of the series in integers", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 * 2 ** 20 }), (p) => {
        expect(ulps(exponential(p / 2 ** 20), taylor(p))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is within one unit of the last place of the engine's own, everywhere", () => {
    fc.assert(
      fc.property(fc.double({ min: -745, max: 709.7, noNaN: true }), (x) => {
        expect(ulps(exponential(x), Math.exp(x))).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    [0, 1],
    [-0, 1],
    [1, Math.E],
    [1e-300, 1],
    [-1e-300, 1],
    [710, Number.POSITIVE_INFINITY],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [-746, 0],
    [Number.NEGATIVE_INFINITY, 0],
    [-745.1, 5e-324],
  ])("of %d is %d", (x, expected) => expect(exponential(x)).toBe(expected));

  it("of no number is none", () => expect(exponential(Number.NaN)).toBeNaN());

  it("falls along with its argument to at most 1 below zero, as kernels need it", () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 0, noNaN: true }), (x) => {
        expect(exponential(x)).toBeLessThanOrEqual(1);
        expect(exponential(x)).toBeGreaterThan(0);
      }),
    );
  });
});
