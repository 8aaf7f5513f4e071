import { describe, expect, test } from "vitest";
import { coupleProbabilities, fitSigmoid, pairProbability } from "../../src/learn/platt.js";
import { readStatistics } from "./golden.js";

describe("Platt's sigmoid", () => {
  test("is the one scikit-learn's calibration finds", () => {
    for (const { decisions, truth, fit } of readStatistics().sigmoids) {
      const { slope, offset } = fitSigmoid(decisions, truth);
      // both stop at a gradient of 1e-5
      expect(Math.abs(slope - fit[0])).toBeLessThan(1e-3 * Math.abs(fit[0]));
      expect(Math.abs(offset - fit[1])).toBeLessThan(1e-3);
    }
  });

  test("of decisions that say nothing is the share of the classes, smoothed", () => {
    const sigmoid = fitSigmoid([0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0]);
    // targets 5/6 and 1/4: their mean
    expect(pairProbability(0, sigmoid)).toBeCloseTo((4 * (5 / 6) + 2 * (1 / 4)) / 6, 6);
  });

  test("rises with the decision and never reaches 0 or 1", () => {
    const sigmoid = fitSigmoid([2, 1.5, 1, -1, -1.5, -2], [1, 1, 1, 0, 0, 0]);
    expect(sigmoid.slope).toBeLessThan(0);
    expect(pairProbability(1, sigmoid)).toBeGreaterThan(pairProbability(0.5, sigmoid));
    expect(pairProbability(1e9, sigmoid)).toBe(1 - 1e-7);
    expect(pairProbability(-1e9, sigmoid)).toBe(1e-7);
  });

  test("gives the same probabilities for decisions in another unit", () => {
    const decisions = [2, 1.5, 1, 0.2, -0.3, -1, -1.5, -2];
    const truth = [1, 1, 0, 1, 0, 1, 0, 0];
    const sigmoid = fitSigmoid(decisions, truth);
    for (const unit of [1e-9, 1e-6, 1e6, 1e9]) {
      const scaled = fitSigmoid(
        decisions.map((value) => unit * value),
        truth,
      );
      for (const value of decisions)
        expect(pairProbability(unit * value, scaled)).toBeCloseTo(pairProbability(value, sigmoid), 8);
    }
  });

  test("of one class or none is finite; of NaN an error", () => {
    expect(Number.isFinite(fitSigmoid([1, 1], [1, 1]).offset)).toBe(true);
    expect(fitSigmoid([], [])).toEqual({ slope: 0, offset: 0 });
    expect(() => fitSigmoid([Number.NaN, 1], [1, 0])).toThrow(/NaN/);
  });
});

describe("pairwise coupling", () => {
  test("solves the linear system of Wu, Lin and Weng", () => {
    for (const { pairwise, p } of readStatistics().couplings) {
      const got = coupleProbabilities(pairwise, p.length);
      p.forEach((value, c) => {
        expect(got[c]).toBeCloseTo(value, 8);
      });
    }
  });

  test("gives back probabilities that the pairs agree on", () => {
    const p = [0.5, 0.2, 0.2, 0.1];
    const pairwise: number[] = [];
    for (let a = 0; a < 4; a++) for (let b = a + 1; b < 4; b++) pairwise.push(p[a] / (p[a] + p[b]));
    coupleProbabilities(pairwise, 4).forEach((value, c) => {
      expect(value).toBeCloseTo(p[c], 9);
    });
  });
});
