import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { medianBandwidth } from "../../src/kernel/bandwidth.js";
import { combineGrams } from "../../src/kernel/composite.js";
import { checkDefinite } from "../../src/kernel/definiteness.js";
import { matrixGeometricMean } from "../../src/kernel/geometric-mean.js";
import { checkFinite, gramFromDistances, radialGram, selectGram } from "../../src/kernel/gram.js";
import {
  crossDistances,
  type Distances,
  pairwiseDistances,
  type Signatures,
} from "../../src/kernel/signatures.js";
import { executor, largestDifference } from "./helpers.js";

const vectors = (
  count: number,
  dimension: number,
  seed: number,
): Extract<Signatures, { kind: "vectors" }> => {
  const random = new Random(seed);
  const values = Float64Array.from({ length: count * dimension }, () => random.normal());
  return { kind: "vectors", metric: "euclidean", count, dimension, values, missed: null, slack: 0 };
};

const matrix = (n: number, distance: (i: number, j: number) => number): Distances => ({
  rows: n,
  columns: n,
  values: Float64Array.from({ length: n * n }, (_, k) => distance(Math.floor(k / n), k % n)),
  mostNegative: 0,
  errorBound: 0,
});

describe("distances of vectors", () => {
  test.each(["euclidean", "l1"] as const)("%s, over several tiles, equal a double loop", async (metric) => {
    const set = { ...vectors(300, 5, 1), metric };
    const { values } = await pairwiseDistances(set, { executor });
    for (const [i, j] of [
      [0, 299],
      [255, 256],
      [17, 17],
      [299, 3],
      [128, 64],
    ]) {
      let sum = 0;
      for (let k = 0; k < 5; k++) {
        const d = Math.abs(set.values[5 * i + k] - set.values[5 * j + k]);
        sum += metric === "l1" ? d : d * d;
      }
      expect(values[i * 300 + j]).toBeCloseTo(metric === "l1" ? sum : Math.sqrt(sum), 13);
    }
  });

  test("a part of the set, in another order or as the other side, has the same bits", async () => {
    const set = vectors(270, 7, 2);
    const picked = [269, 3, 200, 5, 100];
    const subset = {
      ...set,
      count: picked.length,
      values: Float64Array.from(picked.flatMap((g) => Array.from(set.values.slice(7 * g, 7 * g + 7)))),
    };
    const all = await pairwiseDistances(set, { executor });
    const part = await pairwiseDistances(subset, { executor });
    const cross = await crossDistances(subset, set, { executor });
    picked.forEach((g, i) => {
      picked.forEach((h, j) => {
        expect(part.values[i * 5 + j]).toBe(all.values[g * 270 + h]);
      });
      for (let h = 0; h < 270; h++) expect(cross.values[i * 270 + h]).toBe(all.values[g * 270 + h]);
    });
  });

  test("single precision and shared memory change the storage alone", async () => {
    const set = vectors(20, 3, 3);
    const double = await pairwiseDistances(set, { executor });
    const single = await pairwiseDistances(set, { executor, float32: true, shared: true });
    expect(single.values.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(single.values).toEqual(Float32Array.from(double.values));
  });

  test("a number that is not finite is an error with the names of the graphs", async () => {
    const set = vectors(4, 2, 4);
    set.values[5] = Number.NaN;
    await expect(pairwiseDistances(set, { executor, nameOf: (g) => `molecule ${g}` })).rejects.toThrow(
      /molecule 2/,
    );
  });

  test("sets of different kinds are not compared", () => {
    expect(() => crossDistances(vectors(2, 3, 0), vectors(2, 4, 0), { executor })).toThrow(/different kinds/);
  });
});

describe("bandwidth", () => {
  test("is one over the median of d^p over pairs of training graphs, by sorting", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 9, noNaN: true }), { minLength: 2, maxLength: 40 }),
        fc.constantFrom(1 as const, 2 as const),
        fc.integer({ min: 1, max: 3 }),
        (points, exponent, step) => {
          const distances = matrix(points.length, (i, j) => Math.abs(points[i] - points[j]));
          const training = points.map((_, i) => i).filter((i) => i % step === 0);
          const powers = training
            .flatMap((i) =>
              training.filter((j) => j < i).map((j) => Math.abs(points[i] - points[j]) ** exponent),
            )
            .sort((x, y) => x - y);
          const middle = powers.length >> 1;
          const median = powers.length % 2 === 1 ? powers[middle] : (powers[middle - 1] + powers[middle]) / 2;
          if (!(median > 0)) return;
          const { gamma, from } = medianBandwidth(distances, exponent, training, 2);
          expect(from).toBe("median");
          expect(gamma * 2 * median).toBeCloseTo(1, 10);
        },
      ),
    );
  });

  test("does not look at graphs outside training", () => {
    const inside = matrix(5, (i, j) => (i === j ? 0 : i === 4 || j === 4 ? 1e9 : 1 + i + j));
    const changed = matrix(5, (i, j) => (i === j ? 0 : i === 4 || j === 4 ? 1e-9 : 1 + i + j));
    const training = [0, 1, 2, 3];
    const of = (d: Distances, bandwidth: "median" | "median-all") =>
      radialGram(d, training, { exponent: 1, bandwidth, multiple: 1 }).bandwidth.gamma;
    expect(of(inside, "median")).toBe(of(changed, "median"));
    expect(of(inside, "median-all")).not.toBe(of(changed, "median-all"));
  });

  test("a median of 0 is replaced and said: mean of the others, or 1", () => {
    const mostlyEqual = matrix(5, (i, j) => (i === j || (i < 4 && j < 4) ? 0 : 3));
    expect(medianBandwidth(mostlyEqual, 2)).toMatchObject({
      typical: 9,
      from: "mean of the non-zero distances",
    });
    expect(
      medianBandwidth(
        matrix(3, () => 0),
        1,
      ),
    ).toMatchObject({ gamma: 1, from: "1, all graphs being equal" });
    expect(
      medianBandwidth(
        matrix(1, () => 0),
        1,
      ).gamma,
    ).toBe(1);
  });

  test("rejects other exponents and multiples", () => {
    const d = matrix(2, () => 1);
    expect(() => medianBandwidth(d, 3 as 2)).toThrow(/exponent: got 3/);
    expect(() => medianBandwidth(d, 1, undefined, 0)).toThrow(/multiple: got 0/);
  });
});

describe("Gram", () => {
  test("is exp(−γ d^p), and the Gram of a subset is the subset of the Gram to the bit", async () => {
    const distances = await pairwiseDistances(vectors(30, 4, 5), { executor });
    const bandwidth = { gamma: 0.7, exponent: 1 as const };
    const gram = gramFromDistances(distances, bandwidth);
    expect(gram.values[7]).toBeCloseTo(Math.exp(-0.7 * distances.values[7]), 15);
    const picked = [4, 29, 11];
    const part = selectGram({ ...distances }, picked);
    const small = gramFromDistances({ ...distances, ...part }, bandwidth);
    expect(small.values).toEqual(selectGram(gram, picked).values);
  });

  test("NaN in a Gram is an error that names the graph", () => {
    const values = Float64Array.of(1, 0, Number.NaN, 1);
    expect(() => checkFinite({ rows: 2, columns: 2, values }, (g) => `thread ${g}`)).toThrow(/thread 1/);
  });
});

describe("smallest eigenvalue", () => {
  test("dense and Lanczos find the negative eigenvalue of a shifted matrix and warn", () => {
    for (const n of [2, 60, 600]) {
      // J − 1.5·I/… : eigenvalues n·1 − s once and −s otherwise
      const shift = 0.25;
      const values = new Float64Array(n * n).fill(1);
      for (let i = 0; i < n; i++) values[i * n + i] = 1 - shift;
      const { smallest, largest, warning, method } = checkDefinite({ rows: n, columns: n, values });
      expect(method).toBe(n > 500 ? "lanczos" : "dense");
      expect(smallest).toBeCloseTo(-shift, 8);
      expect(largest).toBeCloseTo(n - shift, 6);
      expect(warning).toMatch(/not positive semi-definite/);
    }
  });

  test("is found whatever the scale of the matrix", () => {
    const n = 600;
    // J − I/4 is −1/4 on all but one direction
    for (const scale of [1e-14, 1e14]) {
      const values = new Float64Array(n * n).fill(scale);
      for (let i = 0; i < n; i++) values[i * n + i] = 0.75 * scale;
      const { smallest, largest, warning } = checkDefinite({ rows: n, columns: n, values });
      expect(smallest / scale).toBeCloseTo(-0.25, 8);
      expect(largest / scale).toBeCloseTo(n - 0.25, 6);
      expect(warning).toMatch(/not positive semi-definite/);
    }
  });

  test("does not warn for a Gram with repeated graphs", async () => {
    const set = vectors(600, 3, 6);
    set.values.copyWithin(0, 900, 1800);
    const gram = gramFromDistances(await pairwiseDistances(set, { executor }), { gamma: 1, exponent: 2 });
    expect(checkDefinite(gram).warning).toBeNull();
  });
});

describe("combinations", () => {
  const of = (...values: number[]) => ({
    rows: 1,
    columns: values.length,
    values: Float64Array.from(values),
  });

  test("by hand: two and three parts", () => {
    const [a, b, c] = [of(0.5, 1), of(0.25, 0.5), of(1, 0)];
    expect(Array.from(combineGrams([a, b]).values)).toEqual([0.25, 0.625]);
    expect(Array.from(combineGrams([a, b], "mean").values)).toEqual([0.375, 0.75]);
    expect(Array.from(combineGrams([a, b, c], "product").values)).toEqual([0.125, 0]);
    expect(combineGrams([a, b, c], "composite", 0.25).values[0]).toBeCloseTo(0.25 * 0.125 + 0.25 * 1.75, 15);
  });

  test("wrong shapes, names and weights are errors", () => {
    expect(() => combineGrams([of(1), of(1, 2)])).toThrow(/one size/);
    expect(() => combineGrams([of(1)], "sum" as "mean")).toThrow(/unknown combination: sum/);
    expect(() => combineGrams([of(1)], "composite", 2)).toThrow(/got 2/);
    expect(() => combineGrams([of(1, 2), of(1, 2)], "geometric")).toThrow(/square/);
  });

  test("the geometric mean of diagonal matrices is the root of the product, A # A = A, A # B = B # A", () => {
    const diagonal = (...d: number[]) =>
      Float64Array.from({ length: d.length ** 2 }, (_, k) =>
        k % (d.length + 1) === 0 ? d[k / (d.length + 1)] : 0,
      );
    const mean = matrixGeometricMean(diagonal(1, 4, 9), diagonal(4, 1, 1), 3, 0);
    expect(largestDifference(mean, diagonal(2, 2, 3))).toBeLessThan(1e-14);
    const random = new Random(9);
    const definite = () => {
      const x = Float64Array.from({ length: 36 }, () => random.normal());
      return Float64Array.from({ length: 36 }, (_, k) => {
        let sum = k % 7 === 0 ? 0.5 : 0;
        for (let l = 0; l < 6; l++) sum += x[6 * Math.floor(k / 6) + l] * x[6 * (k % 6) + l];
        return sum;
      });
    };
    const [a, b] = [definite(), definite()];
    expect(largestDifference(matrixGeometricMean(a, a, 6, 0), a)).toBeLessThan(1e-12);
    expect(largestDifference(matrixGeometricMean(a, b, 6, 0), matrixGeometricMean(b, a, 6, 0))).toBeLessThan(
      1e-11,
    );
  });
});
