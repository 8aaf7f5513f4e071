import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exponentialMinusOne } from "../../src/base/exponential.js";
import { logarithm, logarithmOfOnePlus, power } from "../../src/base/logarithm.js";

/** Units in the last place between two finite numbers of one sign. */
function ulps(a: number, b: number): number {
  const bits = new BigInt64Array(new Float64Array([a, b]).buffer);
  return Number(bits[0] > bits[1] ? bits[0] - bits[1] : bits[1] - bits[0]);
}

/** ln(p / 2^20) in integers of 300 bits, by 2 artanh of (x − 1) / (x + 1) after halving to below 2; sign-safe for p ≥ 2^20. */
function inIntegers(p: number): number {
  const bits = 300n;
  const artanh = (above: bigint, below: bigint) => {
    let term = (above << bits) / below;
    let sum = 0n;
    for (let k = 1n; term !== 0n; k += 2n) {
      sum += term / k;
      term = (term * above * above) / (below * below);
    }
    return 2n * sum;
  };
  let halvings = 0n;
  let below = 1n << 20n;
  while (BigInt(p) > 2n * below) {
    below *= 2n;
    halvings++;
  }
  const sum = artanh(BigInt(p) - below, BigInt(p) + below) + halvings * artanh(1n, 3n);
  return Number(sum >> 150n) / 2 ** 150;
}

describe("the logarithm", () => {
  it("is within one unit of the last place of the series in integers", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2 ** 20 + 1, max: 2 ** 40 }), (p) => {
        expect(ulps(logarithm(p / 2 ** 20), inIntegers(p))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is within two units of the last place of the engine's own, everywhere", () => {
    const positive = fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true });
    const near = fc.double({ min: 0.5, max: 2, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(positive, near), (x) => {
        expect(ulps(logarithm(x), Math.log(x))).toBeLessThanOrEqual(2);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    [1, 0],
    [0, Number.NEGATIVE_INFINITY],
    [-0, Number.NEGATIVE_INFINITY],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [-1, Number.NaN],
    [Number.NEGATIVE_INFINITY, Number.NaN],
    [Number.NaN, Number.NaN],
    [2, Math.LN2],
    [10, Math.LN10],
  ])("of %d is %d", (x, expected) => expect(logarithm(x)).toBe(expected));
});

describe("the functions made for small numbers", () => {
  it("are within two units of the last place of the engine's own", () => {
    const small = fc.double({ min: -1 + 1e-15, max: 1e300, noNaN: true });
    const tiny = fc.double({ min: -1e-8, max: 1e-8, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(small, tiny), (x) => {
        expect(ulps(logarithmOfOnePlus(x), Math.log1p(x))).toBeLessThanOrEqual(2);
        if (x < 700) expect(ulps(exponentialMinusOne(x), Math.expm1(x))).toBeLessThanOrEqual(2);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    [0, 0],
    [-0, -0],
    [-1, Number.NEGATIVE_INFINITY],
    [-2, Number.NaN],
    [Number.NaN, Number.NaN],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])("ln(1 + %d) is %d", (x, expected) => expect(logarithmOfOnePlus(x)).toBe(expected));

  it("e^x − 1 is -1 at the far left and keeps 0", () => {
    expect(exponentialMinusOne(Number.NEGATIVE_INFINITY)).toBe(-1);
    expect(exponentialMinusOne(-0)).toBe(-0);
    expect(exponentialMinusOne(Number.NaN)).toBeNaN();
  });
});

describe("powers", () => {
  it("are those of repeated multiplication, but for the rounding of the exponent", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        fc.integer({ min: 0, max: 20 }),
        (x, n) => {
          let product = 1;
          for (let k = 0; k < n; k++) product *= x;
          const bound = (Math.abs(n * Math.log(x)) + 2 * n + 2) * 2 ** -52;
          expect(Math.abs(power(x, n) / product - 1)).toBeLessThanOrEqual(bound);
          expect(Math.abs(power(x, -n) * product - 1)).toBeLessThanOrEqual(bound);
        },
      ),
    );
  });
});
