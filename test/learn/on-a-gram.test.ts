import { EigenvalueDecomposition, Matrix, solve } from "ml-matrix";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { kernelKMeans } from "../../src/learn/kernel-kmeans.js";
import { kernelPca } from "../../src/learn/kernel-pca.js";
import { leadingEigen } from "../../src/learn/leading-eigen.js";
import { nearestGraphs, predictNearest } from "../../src/learn/nearest.js";
import { fitRidge, predictRidge } from "../../src/learn/ridge.js";

/** Points of three clouds in the plane and their linear or RBF Gram. */
function cloud(n: number, seed = 1) {
  const random = new Random(seed);
  const classes = Int32Array.from({ length: n }, (_, i) => i % 3);
  const points = Array.from(classes, (c) => [
    random.normal() + 8 * c,
    random.normal() - 5 * (c === 1 ? 1 : 0),
  ]);
  const gram = (kernel: (a: number[], b: number[]) => number) =>
    Float64Array.from({ length: n * n }, (_, k) => kernel(points[Math.floor(k / n)], points[k % n]));
  const linear = gram((a, b) => a[0] * b[0] + a[1] * b[1]);
  const rbf = gram((a, b) => Math.exp(-((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) / 4));
  return { n, points, classes, linear, rbf };
}

describe("leadingEigen", () => {
  it("finds what another program finds, repeated eigenvalues included", () => {
    const { n, rbf } = cloud(60);
    const values = new EigenvalueDecomposition(Matrix.from1DArray(n, n, rbf), {
      assumeSymmetric: true,
    }).realEigenvalues.sort((a, b) => b - a);
    const multiply = (x: Float64Array, y: Float64Array) => {
      for (let i = 0; i < n; i++) y[i] = x.reduce((sum, value, j) => sum + rbf[i * n + j] * value, 0);
    };
    const found = leadingEigen(multiply, n, 5);
    for (let k = 0; k < 5; k++) expect(found.values[k]).toBeCloseTo(values[k], 8);
    found.vectors.forEach((u, k) => {
      const y = new Float64Array(n);
      multiply(u, y);
      for (let i = 0; i < n; i++) expect(y[i]).toBeCloseTo(found.values[k] * u[i], 6);
    });
    // three times 2, the rest 1
    const repeated = leadingEigen((x, y) => y.set(x.map((v, i) => (i < 3 ? 2 * v : v))), 20, 4);
    expect([...repeated.values].map((v) => Math.round(v * 1e6) / 1e6)).toEqual([2, 2, 2, 1]);
  });

  it("takes few steps where few graphs are distinct", () => {
    let products = 0;
    const n = 500;
    // two distinct graphs: eigenvalues n/2·(1 ± ½)
    const multiply = (x: Float64Array, y: Float64Array) => {
      products++;
      let [even, odd] = [0, 0];
      x.forEach((value, i) => {
        if (i % 2 === 0) even += value;
        else odd += value;
      });
      for (let i = 0; i < n; i++) y[i] = i % 2 === 0 ? even + odd / 2 : odd + even / 2;
    };
    const { values } = leadingEigen(multiply, n, 2);
    expect(values[0]).toBeCloseTo(375, 8);
    expect(values[1]).toBeCloseTo(125, 8);
    expect(products).toBeLessThan(20);
  });

  it("handles n = 1 and more wanted than there are", () => {
    expect([...leadingEigen((x, y) => y.set(x.map((v) => 3 * v)), 1, 2).values]).toEqual([3]);
  });
});

describe("kernelPca", () => {
  it("of a linear kernel in the plane keeps all distances in two dimensions", () => {
    const { n, points, linear } = cloud(40);
    const { coordinates, share } = kernelPca(linear, n, 2);
    expect(share[0] + share[1]).toBeCloseTo(1, 9);
    for (let i = 0; i < n; i += 7)
      for (let j = 0; j < n; j += 5) {
        const mapped = Math.hypot(
          coordinates[2 * i] - coordinates[2 * j],
          coordinates[2 * i + 1] - coordinates[2 * j + 1],
        );
        expect(mapped).toBeCloseTo(Math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]), 6);
      }
  });

  it("gives the same shares of a kernel of another scale, and none of graphs that are all the same", () => {
    const { n, rbf } = cloud(30);
    const { share } = kernelPca(rbf, n, 2);
    for (const scale of [1e-12, 1e12]) {
      const scaled = kernelPca(
        rbf.map((value) => scale * value),
        n,
        2,
      );
      scaled.share.forEach((value, k) => {
        expect(value).toBeCloseTo(share[k], 8);
      });
    }
    for (const value of [1, 0.1, 1e-12 / 3, 1e12 / 3])
      for (const size of [5, 7, 11])
        expect([...kernelPca(new Float64Array(size * size).fill(value), size, 2).share]).toEqual([0, 0]);
  });

  it("puts graphs that are all the same in one place", () => {
    const { coordinates } = kernelPca(new Float64Array(25).fill(1), 5, 2);
    for (const value of coordinates) expect(Math.abs(value)).toBeLessThan(1e-6);
  });
});

describe("nearest graphs", () => {
  const { n, points, classes, linear } = cloud(60);
  it("are those nearest in the plane, for a linear kernel", () => {
    const expected = points
      .map((p, index) => ({ index, d: Math.hypot(p[0] - points[4][0], p[1] - points[4][1]) }))
      .filter(({ index }) => index !== 4)
      .sort((a, b) => a.d - b.d)
      .slice(0, 6);
    const found = nearestGraphs(linear, n, 4, 6);
    expect(found.map((x) => x.index)).toEqual(expected.map((x) => x.index));
    found.forEach((x, k) => {
      expect(x.distance).toBeCloseTo(expected[k].d, 6);
    });
  });

  it("classify clouds that are far apart", () => {
    const train = Array.from({ length: 45 }, (_, i) => i);
    const test = Array.from({ length: 15 }, (_, i) => 45 + i);
    expect([...predictNearest(linear, n, train, test, classes, 3)]).toEqual(test.map((i) => classes[i]));
  });
});

describe("ridge regression", () => {
  it("equals the solution of its normal equations by another program", () => {
    const { n, points, rbf } = cloud(30);
    const targets = points.map(([x, y]) => Math.sin(x) + y);
    const train = Array.from({ length: 20 }, (_, i) => i);
    const model = fitRidge(rbf, n, train, targets, 0.3);
    const mean = train.reduce((sum, i) => sum + targets[i], 0) / 20;
    const k = new Matrix(train.map((i) => train.map((j) => rbf[i * n + j] + (i === j ? 0.3 : 0))));
    const alpha = solve(k, Matrix.columnVector(train.map((i) => targets[i] - mean))).to1DArray();
    alpha.forEach((value, i) => {
      expect(model.alpha[i]).toBeCloseTo(value, 8);
    });
    const [predicted] = predictRidge(model, rbf, n, [25]);
    expect(predicted).toBeCloseTo(
      mean + alpha.reduce((sum, value, i) => sum + value * rbf[25 * n + i], 0),
      8,
    );
    expect(() => fitRidge(rbf, n, train, targets, 0)).toThrow("lambda: got 0, expected a number above 0");
  });
});

describe("kernel k-means", () => {
  it("finds clouds that are far apart, whatever the seed", () => {
    const { n, classes, linear } = cloud(60);
    for (const seed of [0, 1, 2]) expect(kernelKMeans(linear, n, 3, { seed }).cluster).toEqual(classes);
  });

  it("finds the same clusters in a kernel of another scale", () => {
    const copies = Array.from({ length: 40 }, (_, i) => i % 13);
    for (const seed of [1, 2, 3]) {
      const { n, linear, rbf } = cloud(40, seed);
      // each of 13 graphs three times: many distances are equal
      const repeated = Float64Array.from(
        { length: n * n },
        (_, k) => rbf[copies[Math.floor(k / n)] * n + copies[k % n]],
      );
      for (const gram of [linear, rbf, repeated]) {
        const { cluster, cost } = kernelKMeans(gram, n, 5, { seed });
        for (const scale of [1e-12, 1e-9 / 3, 7e5, 1e12]) {
          const scaled = kernelKMeans(
            gram.map((value) => scale * value),
            n,
            5,
            { seed },
          );
          expect(scaled.cluster).toEqual(cluster);
          expect(scaled.cost / scale / cost).toBeCloseTo(1, 9);
        }
      }
    }
  });

  it("never costs more with more clusters, and nothing with one for each", () => {
    const { n, rbf } = cloud(15);
    expect(kernelKMeans(rbf, n, 15).cost).toBeCloseTo(0, 9);
    expect(kernelKMeans(rbf, n, 4).cost).toBeLessThan(kernelKMeans(rbf, n, 2).cost);
    for (const clusters of [0, -1, 1.5, Number.NaN])
      expect(() => kernelKMeans(rbf, n, clusters)).toThrow("expected a whole number from 1 to 15");
    expect(() => kernelKMeans(rbf, n, 16)).toThrow("clusters: got 16, expected a whole number from 1 to 15");
  });
});
