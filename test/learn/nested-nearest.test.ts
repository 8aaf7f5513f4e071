import { describe, expect, it } from "vitest";
import { predictNearest } from "../../src/learn/nearest.js";
import { nestedNearestFold } from "../../src/learn/nested-nearest.js";

/** Points on a line as a Gram: exp(−|x − y|). */
const gramOf = (points: readonly number[]) =>
  Float64Array.from(points.flatMap((x) => points.map((y) => Math.exp(-Math.abs(x - y)))));

const n = 40;
const classes = Int32Array.from({ length: n }, (_, i) => i % 2);
const clear = Array.from({ length: n }, (_, i) => 10 * (i % 2) + i / n);
const mixed = Array.from({ length: n }, (_, i) => (i * 7919) % 41);
const train = Int32Array.from({ length: 30 }, (_, i) => i);
const test = Int32Array.from({ length: 10 }, (_, i) => 30 + i);
const grid = (...sets: number[][]) => ({
  points: sets.map((_, k) => ({ k })),
  gram: (k: number) => gramOf(sets[k]),
});

describe("nested cross-validation with the nearest neighbour", () => {
  it("chooses the point that tells the classes apart, and answers as the plain classifier does", () => {
    const found = nestedNearestFold(grid(mixed, clear), classes, train, test, { inner: 3 });
    expect(found).toMatchObject({ point: 1, C: 0, innerAccuracy: 1 });
    expect(found.predicted).toEqual(predictNearest(gramOf(clear), n, train, test, classes));
    expect(Array.from(found.predicted)).toEqual(Array.from(test, (i) => classes[i]));
  });

  it("measures distances, not similarities: a long vector is not near for being long", () => {
    // a linear kernel: x · y is largest with the largest y
    const points = Array.from({ length: n }, (_, i) => 1 + 10 * (i % 2) + i / n);
    const linear = Float64Array.from(points.flatMap((x) => points.map((y) => x * y)));
    const found = nestedNearestFold({ points: [{}], gram: () => linear }, classes, train, test);
    expect(Array.from(found.predicted)).toEqual(Array.from(test, (i) => classes[i]));
    expect(found.predicted).toEqual(predictNearest(linear, n, train, test, classes));
  });

  it("with several neighbours takes the most frequent class, on a tie that of the nearest", () => {
    const line = gramOf([0, 1, 2, 3, 10]);
    const one = (of: number[], k: number) => predictNearest(line, 5, of, [4], [0, 1, 1, 0, 9], k)[0];
    expect([one([0, 1, 2, 3], 1), one([0, 1, 2, 3], 2), one([0, 1, 2, 3], 3)]).toEqual([0, 0, 1]);
    expect(one([0, 1, 2, 3], 4)).toBe(0);
  });

  it("never looks at the classes of the test part", () => {
    const turned = classes.map((c, i) => (i >= 30 ? 1 - c : c));
    const [a, b] = [classes, turned].map((all) =>
      nestedNearestFold(grid(clear, mixed), all, train, test, { inner: 3 }),
    );
    expect(b.predicted).toEqual(a.predicted);
    expect(b.point).toBe(a.point);
  });

  it("takes the smaller index among equally near graphs, and has nothing to choose with one point", () => {
    const same = nestedNearestFold(grid(Array.from({ length: n }, () => 0)), classes, train, test);
    expect(Array.from(same.predicted)).toEqual(Array.from({ length: 10 }, () => classes[0]));
    expect(same.innerAccuracy).toBeNaN();
  });
});
