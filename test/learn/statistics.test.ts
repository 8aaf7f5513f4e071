import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accuracy, balancedAccuracy, confusionMatrix } from "../../src/learn/metrics.js";
import {
  correctedResampledTTest,
  holm,
  regularisedBeta,
  studentCdf,
  studentTwoSided,
} from "../../src/learn/significance.js";
import { readStatistics } from "./golden.js";

describe("Student's t", () => {
  test("has scipy's tails and distribution function", () => {
    for (const [t, freedom, tails, below] of readStatistics().student) {
      expect(Math.abs(studentTwoSided(t, freedom) - tails)).toBeLessThanOrEqual(1e-11 * tails + 1e-300);
      expect(Math.abs(studentCdf(t, freedom) - below)).toBeLessThanOrEqual(1e-11 * below);
    }
  });

  test("with one degree of freedom is Cauchy's, with two has a closed form", () => {
    for (const t of [-5, -0.1, 0, 0.7, 30]) {
      expect(studentCdf(t, 1)).toBeCloseTo(0.5 + Math.atan(t) / Math.PI, 13);
      expect(studentCdf(t, 2)).toBeCloseTo(0.5 + t / (2 * Math.sqrt(2 + t * t)), 13);
    }
  });

  test("rests on an incomplete beta function that is a power where b = 1, and symmetric", () => {
    expect(regularisedBeta(0.3, 0.7, 4, 1)).toBeCloseTo(0.3 ** 4, 14);
    expect(regularisedBeta(0.3, 0.7, 2.5, 4)).toBeCloseTo(1 - regularisedBeta(0.7, 0.3, 4, 2.5), 13);
    expect(regularisedBeta(0, 1, 2, 3)).toBe(0);
    expect(regularisedBeta(1, 0, 2, 3)).toBe(1);
  });
});

describe("the corrected resampled t test", () => {
  const { first, second, t, p } = readStatistics().test;

  test("is Nadeau and Bengio's formula with scipy's p", () => {
    const got = correctedResampledTTest(first, second, 1 / 9);
    expect(got.t).toBeCloseTo(t, 10);
    expect(got.p).toBeCloseTo(p, 10);
    expect(got.degreesOfFreedom).toBe(29);
  });

  test("only turns its sign when the two change places", () => {
    const there = correctedResampledTTest(first, second, 1 / 9);
    const back = correctedResampledTTest(second, first, 1 / 9);
    expect(back.t).toBeCloseTo(-there.t, 12);
    expect(back.p).toBeCloseTo(there.p, 12);
  });

  test("says p = 1 for equal accuracies and p = 0 for a difference that never varies", () => {
    expect(correctedResampledTTest(first, first, 1 / 9)).toMatchObject({ t: 0, p: 1 });
    const worse = correctedResampledTTest([0.5, 0.75], [0.75, 1], 1 / 9);
    expect(worse).toMatchObject({ difference: -0.25, t: -Infinity, p: 0 });
  });

  test("refuses lists of other lengths", () => {
    expect(() => correctedResampledTTest([1, 2], [1], 1)).toThrow(/got 2 and 1/);
    expect(() => correctedResampledTTest([1], [1], 1)).toThrow(/at least 2/);
    expect(() => correctedResampledTTest([1, 2], [1, 2], -1)).toThrow(/testPerTrain: got -1/);
  });
});

describe("metrics", () => {
  const truth = [3, 3, 3, 3, 5, 5];
  const said = [3, 3, 3, 5, 5, 9];

  test("count truth against prediction", () => {
    const { classes, counts } = confusionMatrix(truth, said);
    expect(Array.from(classes)).toEqual([3, 5, 9]);
    expect(Array.from(counts)).toEqual([3, 1, 0, 0, 1, 1, 0, 0, 0]);
    expect(accuracy(truth, said)).toBeCloseTo(4 / 6, 15);
    expect(balancedAccuracy(truth, said)).toBeCloseTo((3 / 4 + 1 / 2) / 2, 15);
  });

  test("of nothing are NaN, of lists of other lengths an error", () => {
    expect(accuracy([], [])).toBeNaN();
    expect(balancedAccuracy([], [])).toBeNaN();
    expect(() => accuracy([1], [])).toThrow(/got 0, expected 1/);
    expect(() => confusionMatrix([1], [])).toThrow(/got 0, expected 1/);
  });
});

describe("Holm's correction", () => {
  test("is the closed test of Bonferroni's: the largest |S|·min p over all families S with the hypothesis", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (ps) => {
        const expected = ps.map((_, k) => {
          let largest = 0;
          for (let family = 0; family < 1 << ps.length; family++) {
            if (!(family & (1 << k))) continue;
            const own = ps.filter((_, j) => family & (1 << j));
            largest = Math.max(largest, Math.min(1, own.length * Math.min(...own)));
          }
          return largest;
        });
        expect(holm(ps)).toEqual(expected);
      }),
    );
  });
});
