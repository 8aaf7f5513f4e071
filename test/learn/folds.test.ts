import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { type FoldSet, repeatedFolds, stratifiedFolds } from "../../src/learn/folds.js";

const labels = fc
  .array(fc.integer({ min: 0, max: 4 }), { minLength: 4, maxLength: 120 })
  .filter((classes) => new Set(classes).size > 1);

/** Every index in exactly one test fold and in the training part of all others. */
function partition({ folds }: FoldSet, indices: number[]) {
  const sorted = [...indices].sort((a, b) => a - b);
  expect(folds.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual(sorted);
  for (const { train, test } of folds) expect([...train, ...test].sort((a, b) => a - b)).toEqual(sorted);
}

describe("stratified folds", () => {
  test("partition the points, evenly in all and in every class", () => {
    fc.assert(
      fc.property(labels, fc.integer({ min: 2, max: 12 }), fc.integer({ min: 0 }), (classes, k, seed) => {
        fc.pre(k <= classes.length);
        const set = stratifiedFolds(classes, { folds: k, seed });
        expect(set.folds.length).toBe(k);
        partition(
          set,
          classes.map((_, i) => i),
        );
        const sizes = set.folds.map(({ test }) => test.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        for (const name of new Set(classes)) {
          const ideal = classes.filter((c) => c === name).length / k;
          for (const { test } of set.folds)
            expect(Math.abs(test.filter((i) => classes[i] === name).length - ideal)).toBeLessThan(1);
        }
      }),
    );
  });

  test("split a part of the points when told to", () => {
    fc.assert(
      fc.property(labels, fc.integer({ min: 0 }), (classes, seed) => {
        const indices = classes.map((_, i) => i).filter((i) => i % 3 !== 1);
        fc.pre(new Set(indices.map((i) => classes[i])).size > 1);
        partition(stratifiedFolds(classes, { folds: 2, seed, indices }), indices);
      }),
    );
  });

  test("are the same for the same seed and others for another seed or repeat", () => {
    const classes = Array.from({ length: 60 }, (_, i) => i % 3);
    const base = stratifiedFolds(classes, { seed: 7 });
    expect(stratifiedFolds(classes, { seed: 7 })).toEqual(base);
    expect(stratifiedFolds(classes, { seed: 8 })).not.toEqual(base);
    const repeats = repeatedFolds(classes, 3, { seed: 7 });
    expect(repeats[0]).toEqual(base);
    expect(repeats[1]).not.toEqual(base);
    expect(repeats[2]).not.toEqual(repeats[1]);
    expect(repeats[2]).toEqual(stratifiedFolds(classes, { seed: 7, repeat: 2 }));
  });

  test("put every point in every fold about equally often over many repeats", () => {
    const classes = [0, 0, 0, 0, 0, 1, 1, 1];
    const counts = new Int32Array(8);
    for (const { folds } of repeatedFolds(classes, 3000, { folds: 4 }))
      for (const i of folds[0].test) counts[i]++;
    // 8 points in 4 folds: each is in fold 0 a quarter of the time, standard deviation 24
    for (const count of counts) expect(Math.abs(count - 750)).toBeLessThan(120);
  });

  test("keep a group in one fold and near the ideal shares", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 2, max: 10 }), (seed, k) => {
        const random = new Random(seed);
        const groups = Array.from({ length: 200 }, () => random.integer(80));
        const classes = groups.map((g) => (random.uniform() < 0.9 ? g % 3 : random.integer(3)));
        const set = stratifiedFolds(classes, { folds: k, seed, groups });
        partition(
          set,
          classes.map((_, i) => i),
        );
        for (const { train, test } of set.folds) {
          const inside = new Set(Array.from(test, (i) => groups[i]));
          for (const i of train) expect(inside.has(groups[i])).toBe(false);
          // the groups have 1 to 9 members
          expect(Math.abs(test.length - 200 / k)).toBeLessThan(9);
          for (let c = 0; c < 3; c++) {
            const ideal = classes.filter((name) => name === c).length / k;
            expect(Math.abs(test.filter((i) => classes[i] === c).length - ideal)).toBeLessThan(9);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test("of groups of one are as even as without groups", () => {
    const classes = Array.from({ length: 50 }, (_, i) => i % 2);
    const { folds } = stratifiedFolds(classes, { folds: 5, groups: classes.map((_, i) => i) });
    for (const { test } of folds) expect(test.filter((i) => classes[i] === 0).length).toBe(5);
  });

  test("leave no fold empty, even when the groups are few and large", () => {
    const groups = [0, 0, 0, 0, 0, 0, 1, 2, 3];
    const classes = [0, 0, 0, 1, 1, 1, 0, 1, 0];
    for (const { test } of stratifiedFolds(classes, { folds: 4, groups }).folds)
      expect(test.length).toBeGreaterThan(0);
  });

  test("list their points in ascending order, whatever the order of the indices", () => {
    const classes = [0, 1, 0, 1, 0, 1, 0, 1];
    const indices = [7, 2, 5, 0, 3, 6];
    for (const { train, test } of stratifiedFolds(classes, { folds: 2, indices }).folds)
      for (const part of [train, test]) expect([...part]).toEqual([...part].sort((a, b) => a - b));
    // the order of the indices chooses among equal splits, not their sizes
    expect(stratifiedFolds(classes, { folds: 2, indices }).folds[0].test.length).toBe(3);
  });

  test("of groups deal the largest first, to where their classes are fewest", () => {
    // one group of four, two of two, four of one: two folds of six each, three of each class
    const groups = [0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6];
    const classes = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1];
    for (let seed = 0; seed < 20; seed++)
      for (const { test } of stratifiedFolds(classes, { folds: 2, seed, groups }).folds)
        expect([test.length, test.filter((i) => classes[i] === 0).length]).toEqual([6, 3]);
  });

  test("warn of a class with fewer members than folds", () => {
    const set = stratifiedFolds([0, 0, 0, 0, 0, 1, 1, 2], { folds: 3 });
    expect(set.warnings).toEqual([
      "class 1 has 2 members, fewer than the 3 folds: some folds test none of it",
      "class 2 has 1 member, fewer than the 3 folds: some folds test none of it",
    ]);
    expect(stratifiedFolds([0, 0, 0, 1, 1, 1], { folds: 3 }).warnings).toEqual([]);
  });

  test("refuse what cannot be split", () => {
    expect(() => stratifiedFolds([1, 1, 1], { folds: 2 })).toThrow(/classes: got 1/);
    expect(() => stratifiedFolds([], { folds: 2 })).toThrow(/2 folds of 0 points/);
    expect(() => stratifiedFolds([0, 1], { folds: 3 })).toThrow(/3 folds of 2 points/);
    expect(() => stratifiedFolds([0, 1], { folds: 1 })).toThrow(/folds: got 1/);
    expect(() => stratifiedFolds([0, 1], { folds: 2, indices: [0, 0] })).toThrow(/got 0 twice/);
    expect(() => stratifiedFolds([0, 1], { folds: 2, indices: [0, 2] })).toThrow(/index: got 2/);
    expect(() => stratifiedFolds([0, 1, 0], { folds: 3, groups: [1, 1, 2] })).toThrow(/3 folds of 2 groups/);
    expect(() => stratifiedFolds([0, 1], { folds: 2, indices: [0, -1] })).toThrow(
      /index: got -1, expected 0 to 1/,
    );
    for (const missing of [undefined, Number.NaN])
      expect(() => stratifiedFolds([0, 1], { folds: 2, groups: [1, missing as number] })).toThrow(
        /group of point 1/,
      );
    expect(() => stratifiedFolds([0, 1], { fold: 3 } as object)).toThrow(/did you mean folds/);
    expect(() => repeatedFolds([0, 1], 0)).toThrow(/repeats: got 0/);
  });
});
