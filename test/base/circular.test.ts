import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addCirclePoint,
  arcCosine,
  cosine,
  cosineOfPi,
  cosineTable,
  sine,
  sineOfPi,
} from "../../src/base/circular.js";

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

describe("cosine and sine of any angle", () => {
  /** The engine's own are within one unit of the last place; ours too. */
  const close = (mine: number, engine: number) =>
    expect(Math.abs(mine - engine)).toBeLessThanOrEqual(2 ** -51 * Math.abs(engine));

  it("are those of the engine but for rounding, from the smallest to the largest number", () => {
    const ordinary = fc.double({ min: -1000, max: 1000, noNaN: true });
    const middling = fc.double({ min: -4e6, max: 4e6, noNaN: true });
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.oneof(ordinary, middling, any), (x) => {
        close(cosine(x), Math.cos(x));
        close(sine(x), Math.sin(x));
      }),
      { numRuns: 5000 },
    );
  });

  it("are right where nearly all digits of the angle cancel", () => {
    // the doubles next to multiples of π/2; 6381956970095103 · 2^797 is the one that is nearest to a multiple of all
    for (let n = 1; n < 3000; n++) {
      const x = n * (Math.PI / 2);
      close(cosine(x), Math.cos(x));
      close(sine(x), Math.sin(x));
    }
    const worst = 6381956970095103 * 2 ** 797;
    close(cosine(worst), -4.687165924254628e-19);
  });

  it("of no finite angle are none", () => {
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(cosine(x)).toBeNaN();
      expect(sine(x)).toBeNaN();
    }
    expect([cosine(0), sine(0)]).toEqual([1, 0]);
    const point = new Float64Array(4);
    for (let k = -2000; k < 2000; k++) {
      point.fill(0.25);
      addCirclePoint(k * 0.37, 3, point, 1);
      expect(Array.from(point)).toEqual([0.25, 0.25 + 3 * cosine(k * 0.37), 0.25 + 3 * sine(k * 0.37), 0.25]);
    }
  });

  it("stand in a table of whole fractions", () => {
    const table = cosineTable(6);
    expect(table.length).toBe(12);
    for (let p = 0; p < 40; p++)
      expect(Math.abs(table[p % 12] - Math.cos((Math.PI * p) / 6))).toBeLessThan(1e-14);
  });
});

describe("the arc cosine", () => {
  it("is that of the engine but for rounding", () => {
    const any = fc.double({ min: -1, max: 1, noNaN: true });
    const ends = fc.double({ min: 1 - 1e-9, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(any, ends), (x) => {
        for (const at of [x, -x])
          expect(Math.abs(arcCosine(at) - Math.acos(at))).toBeLessThanOrEqual(2 ** -51 * Math.acos(at));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    [1, 0],
    [-1, Math.PI],
    [0, Math.PI / 2],
    [1.0000001, Number.NaN],
    [Number.NaN, Number.NaN],
  ])("of %d is %d", (x, expected) => expect(arcCosine(x)).toBe(expected));
});
