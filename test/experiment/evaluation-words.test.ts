import { expect, it } from "vitest";
import { comparisonText } from "../../src/experiment/evaluation-words.js";

/** A pair that would be significant alone: what counts is p with Holm's correction. */
const compare = (difference: number, pHolm: number) =>
  comparisonText({ first: "a", second: "b", difference, t: 3, p: 0.0001, pHolm });

it("calls one kernel better only where that is significant, else not distinguishable", () => {
  expect(compare(0.012, 0.031)).toBe("a is better than b by 1.2 points, p = 0.03");
  expect(compare(0.05, 1e-7)).toBe("a is better than b by 5.0 points, p < 0.001");
  expect(compare(0.01, 0.412)).toBe("a is not distinguishable from b: 1.0 points ahead, p = 0.41");
  expect(compare(0.0004, 0.9)).toBe("a is not distinguishable from b: 0.04 points ahead, p = 0.9");
  expect(compare(0, 1)).toBe("a and b are equally good");
  // not rounded to the other side of the border
  expect(compare(0.01, 0.0496)).toContain("better than b by 1.0 points, p = 0.0496");
  expect(compare(0.01, 0.0504)).toContain("p = 0.0504");
});
