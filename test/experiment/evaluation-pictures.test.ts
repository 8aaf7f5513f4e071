import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classQuotas, evaluationPictures } from "../../src/experiment/evaluation-pictures.js";

const set = (classes: number[], names?: string[]) => ({
  name: "toy",
  classes: Int32Array.from(classes),
  classNames: names ?? Array.from({ length: Math.max(0, ...classes) + 1 }, (_, c) => `c${c}`),
});

/** Gram of points on a line: k(x, y) = x·y, whose centred form has one axis, the points minus their mean. */
const linear = (points: number[]) => Float64Array.from(points.flatMap((x) => points.map((y) => x * y)));

/** Chebyshev moments of a spectrum by their definition: Σ cos(m arccos λ). */
const profileOf = (eigenvalues: number[], moments = 60) => ({
  nodeCount: eigenvalues.length,
  trace: Float64Array.from({ length: moments + 1 }, (_, m) =>
    eigenvalues.reduce((sum, x) => sum + Math.cos(m * Math.acos(x)), 0),
  ),
});

describe("quotas of classes", () => {
  const counts = fc.array(fc.nat(60), { minLength: 1, maxLength: 8 });

  test("sum to the total, stay within their classes and leave no class out while there is room", () => {
    fc.assert(
      fc.property(counts, fc.nat(500), (sizes, total) => {
        const quotas = classQuotas(sizes, total);
        const graphs = sizes.reduce((a, b) => a + b, 0);
        expect(quotas.reduce((a, b) => a + b, 0)).toBe(Math.min(total, graphs));
        const filled = sizes.filter((size) => size > 0).length;
        sizes.forEach((size, c) => {
          expect(quotas[c]).toBeLessThanOrEqual(size);
          if (size > 0 && total >= filled) expect(quotas[c]).toBeGreaterThan(0);
        });
      }),
    );
  });

  test("are in proportion", () => {
    expect(classQuotas([100, 300, 600], 10)).toEqual([1, 3, 6]);
    expect(classQuotas([2, 998], 10)).toEqual([1, 9]);
    expect(classQuotas([5, 0, 5], 4)).toEqual([2, 0, 2]);
    expect(classQuotas([5, 9, 7], 2)).toEqual([0, 1, 1]);
  });
});

describe("pictures of an evaluation", () => {
  test("of no graphs, one graph and alike graphs have no variance and do not fail", () => {
    for (const n of [0, 1, 2, 40]) {
      const gram = new Float64Array(n * n).fill(0.7);
      const { map, heatMap, densities } = evaluationPictures(
        set(Array.from({ length: n }, (_, g) => g % 2)),
        gram,
        n,
        null,
      );
      expect(densities).toBeNull();
      expect([...map.coordinates]).toEqual(Array.from({ length: 2 * n }, () => 0));
      expect(map.share).toEqual([0, 0]);
      expect(heatMap.order.length).toBe(n);
      expect(heatMap.values.length).toBe(n * n);
    }
  });

  test("map points on a line onto their line, up to its direction", () => {
    const points = [3, -1, 4, 1, -5, 9, 2, -6];
    const { map } = evaluationPictures(set([0, 1, 0, 1, 0, 1, 0, 1]), linear(points), 8, null);
    const mean = points.reduce((a, b) => a + b) / 8;
    const sign = Math.sign(map.coordinates[0] * (points[0] - mean));
    points.forEach((x, g) => {
      expect(sign * map.coordinates[2 * g]).toBeCloseTo(x - mean, 6);
    });
    expect(map.share[0]).toBeCloseTo(1, 8);
    expect(map.share[1]).toBeLessThan(1e-8);
    expect(map.classes).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  });

  test("order the heat map by class, and within a class so that alike graphs are neighbours", () => {
    const points = [3, -1, 4, 1, -5, 9, 2, -6];
    const classes = [1, 0, 1, 0, 1, 0, 1, 0];
    const gram = linear(points);
    const { order, values } = evaluationPictures(set(classes), gram, 8, null).heatMap;
    expect([...order].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(order.map((g) => classes[g])).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    for (const block of [order.slice(0, 4), order.slice(4)]) {
      const line = block.map((g) => points[g]);
      const ascending = [...line].sort((a, b) => a - b);
      expect([ascending, ascending.toReversed()]).toContainEqual(line);
    }
    order.forEach((g, i) => {
      order.forEach((h, j) => {
        expect(values[8 * i + j]).toBe(points[g] * points[h]);
      });
    });
  });

  test("thin out large sets evenly by class", () => {
    const classes = Array.from({ length: 90 }, (_, g) => (g < 60 ? 0 : 1));
    const points = classes.map((_, g) => Math.sin(g));
    const { heatMap, map } = evaluationPictures(set(classes), linear(points), 90, null, {
      heatMapGraphs: 9,
      mapGraphs: 30,
    });
    expect(heatMap.order.map((g) => classes[g])).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1]);
    expect(new Set(heatMap.order).size).toBe(9);
    // of 60 graphs one in every ten
    const tens = heatMap.order.slice(0, 6).map((g) => Math.floor(g / 10));
    expect(tens.sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(map.classes.filter((c) => c === 0).length).toBe(20);
    expect(map.classes.length).toBe(30);
    expect(map.coordinates.length).toBe(60);
  });
});

describe("densities by class", () => {
  const profiles = [
    profileOf([0, 0, 0.6]),
    profileOf([0.6, 0.6, 0.6, 0.6, 0]),
    profileOf([-0.5]),
    profileOf([]),
  ];
  const gram = linear([1, 2, 3, 4]);
  const densities = evaluationPictures(set([0, 0, 1, 2]), gram, 4, profiles).densities!;

  test("have mass 1, whatever the number of nodes, and peaks at the eigenvalues", () => {
    expect(densities.grid.length).toBe(200);
    const near = (at: number, values: number[]) =>
      values.reduce((sum, value, k) => (Math.abs(densities.grid[k] - at) < 0.2 ? sum + value / 100 : sum), 0);
    for (const { mean } of densities.classes)
      expect(near(0, mean) + near(0.6, mean) + near(-0.5, mean)).toBeCloseTo(1, 1);
    const [first, second] = densities.classes;
    // means of the shares: (2/3 + 1/5) / 2 at 0 and (1/3 + 4/5) / 2 at 0.6
    expect(near(0, first.mean)).toBeCloseTo((2 / 3 + 1 / 5) / 2, 2);
    expect(near(0.6, first.mean)).toBeCloseTo((1 / 3 + 4 / 5) / 2, 2);
    expect(near(-0.5, second.mean)).toBeCloseTo(1, 2);
    const total = second.mean.reduce((sum, value) => sum + value / 100, 0);
    expect(total).toBeCloseTo(1, 10);
  });

  test("have the 10 % and 90 % quantiles between their graphs, and those of one graph are itself", () => {
    const [first, second] = densities.classes;
    expect(second.low).toEqual(second.mean);
    expect(second.high).toEqual(second.mean);
    first.mean.forEach((mean, k) => {
      // of two values a, b: a + 0.1 (b − a) and a + 0.9 (b − a), so their middle is the mean
      expect((first.low[k] + first.high[k]) / 2).toBeCloseTo(mean, 10);
      expect(first.high[k]).toBeGreaterThanOrEqual(first.low[k]);
    });
  });

  test("leave out classes that have no nodes, and are null without any", () => {
    expect(densities.classes.map(({ name }) => name)).toEqual(["c0", "c1"]);
    expect(evaluationPictures(set([0]), linear([1]), 1, [profileOf([])]).densities).toBeNull();
  });
});

describe("calls that are wrong", () => {
  const gram = linear([1, 2]);
  test("name what was got and what was expected", () => {
    expect(() => evaluationPictures({ ...set([0, 1]), classes: null }, gram, 2, null)).toThrow(/no classes/);
    expect(() => evaluationPictures(set([0, 1]), gram, 3, null)).toThrow(/got 2 classes, expected 3/);
    expect(() => evaluationPictures(set([0, 1]), linear([1]), 2, null)).toThrow(/expected 2 × 2/);
    expect(() => evaluationPictures(set([0, 1]), gram, 2, [])).toThrow(/got 0 profiles, expected 2/);
    const wrong = { bin: 3 } as object;
    expect(() => evaluationPictures(set([0, 1]), gram, 2, null, wrong)).toThrow(/bin/);
    expect(() => evaluationPictures(set([0, 1]), gram, 2, null, { bins: 0 })).toThrow(/bins: got 0/);
    const notANumber = Float64Array.of(1, Number.NaN, Number.NaN, 1);
    expect(() => evaluationPictures(set([0, 1]), notANumber, 2, null)).toThrow(/not finite/);
  });
});
