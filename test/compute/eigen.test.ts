import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { denseEigen } from "../../src/compute/eigen.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { symmetricEigen } from "../../src/spectrum/dense-eigen.js";
import { implicitQL } from "../../src/spectrum/tridiagonal.js";

const kernels = await loadKernels();

function symmetric(n: number, random: Random, density = 1, scale = 1): Float64Array {
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++)
      a[i * n + j] = a[j * n + i] = random.uniform() < density ? scale * random.normal() : 0;
  return a;
}

/** Largest entry of A·v − λ·v over all pairs, and of VVᵀ − I. */
function residual(a: Float64Array, n: number, values: Float64Array, vectors: Float64Array): number {
  let worst = 0;
  for (let k = 0; k < n; k++) {
    const v = vectors.subarray(k * n, (k + 1) * n);
    for (let i = 0; i < n; i++) {
      let sum = 0;
      let dot = 0;
      for (let j = 0; j < n; j++) {
        sum += a[i * n + j] * v[j];
        dot += vectors[i * n + j] * v[j];
      }
      worst = Math.max(worst, Math.abs(sum - values[k] * v[i]), Math.abs(dot - (i === k ? 1 : 0)));
    }
  }
  return worst;
}

describe("denseEigen", () => {
  it.each([0, 1, 2, 3, 4, 5, 8, 9, 30, 63])(
    "solves order %i: A·v = λ·v, VVᵀ = I, values as by ml-matrix",
    (n) => {
      for (const density of [1, 0.3, 0]) {
        const a = symmetric(n, new Random(n), density);
        const { values, vectors } = denseEigen(kernels, a, n);
        expect(residual(a, n, values, vectors!)).toBeLessThan(1e-12);
        if (n === 0) continue;
        const rows = Array.from({ length: n }, (_, i) => [...a.subarray(i * n, (i + 1) * n)]);
        const expected = new EigenvalueDecomposition(new Matrix(rows), { assumeSymmetric: true })
          .realEigenvalues;
        expected.sort((p, q) => p - q);
        for (let k = 0; k < n; k++) expect(Math.abs(values[k] - expected[k])).toBeLessThan(1e-12);
        const alone = denseEigen(kernels, a, n, { vectors: false });
        expect(alone.vectors).toBeNull();
        expect(alone.values).toEqual(values);
      }
    },
  );

  it("gives the same bits in plain TypeScript", () => {
    const plain = typescriptKernels();
    for (const n of [1, 2, 5, 12, 41]) {
      const a = symmetric(n, new Random(7, n), 0.5);
      expect(denseEigen(plain, a, n)).toEqual(denseEigen(kernels, a, n));
    }
  });

  it("solves a matrix of many equal eigenvalues and one whose log of rotations overflows", () => {
    const n = 180;
    const ones = new Float64Array(n * n).fill(1);
    const { values, vectors } = denseEigen(kernels, ones, n);
    expect(values[n - 1]).toBeCloseTo(n, 10);
    expect(Math.abs(values[0])).toBeLessThan(1e-12);
    expect(residual(ones, n, values, vectors!)).toBeLessThan(1e-11);
    const a = symmetric(n, new Random(3));
    const solved = denseEigen(kernels, a, n);
    expect(residual(a, n, solved.values, solved.vectors!)).toBeLessThan(1e-11);
  });

  it.each([1e-300, 1e300])("takes entries of size %f", (scale) => {
    const n = 12;
    const plain = denseEigen(kernels, symmetric(n, new Random(2)), n);
    const scaled = denseEigen(kernels, symmetric(n, new Random(2), 1, scale), n);
    for (let k = 0; k < n; k++) expect(scaled.values[k] / scale).toBeCloseTo(plain.values[k], 11);
  });

  it("takes entries from 1e-300 to 1 in one matrix: A·v = λ·v, VVᵀ = I, the same by both solvers", () => {
    const plain = typescriptKernels();
    for (let run = 0; run < 400; run++) {
      const random = new Random(11, run);
      const n = 2 + random.integer(9);
      const pool = Array.from({ length: 3 }, () => -random.integer(300));
      const a = new Float64Array(n * n);
      for (let i = 0; i < n; i++)
        for (let j = 0; j <= i; j++)
          a[i * n + j] = a[j * n + i] = random.normal() * 10 ** [0, ...pool][random.integer(4)];
      const { values, vectors } = denseEigen(kernels, a, n);
      expect(residual(a, n, values, vectors!)).toBeLessThan(1e-12);
      expect(denseEigen(plain, a, n)).toEqual({ values, vectors });
      const oracle = symmetricEigen(a, n);
      expect(residual(a, n, oracle.values, oracle.vectors)).toBeLessThan(1e-12);
    }
  });

  it.each([1e-300, 1e-160, 1e160, 1e300])(
    "solves a tridiagonal matrix of size %f as one of size 1",
    (scale) => {
      const n = 20;
      const solve = (by: number) => {
        const d = Float64Array.from({ length: n }, (_, k) => by * Math.sin(k));
        const e = Float64Array.from({ length: n }, (_, k) => by * Math.cos(3 * k));
        const z = new Float64Array(n).fill(1, 0, 1);
        implicitQL(d, e, n, z, 1);
        return { values: d, first: z };
      };
      const [plain, scaled] = [solve(1), solve(scale)];
      for (let k = 0; k < n; k++) {
        expect(scaled.values[k] / scale).toBeCloseTo(plain.values[k], 11);
        expect(scaled.first[k]).toBeCloseTo(plain.first[k], 11);
      }
    },
  );

  it("solves a tridiagonal matrix whose row sums are beyond the largest number", () => {
    const d = Float64Array.of(1e308, -1e308);
    implicitQL(d, Float64Array.of(1e308, 0), 2, new Float64Array(0), 0);
    expect(Array.from(d.sort(), (x) => x / 1e308)).toEqual([
      expect.closeTo(-Math.SQRT2, 12),
      expect.closeTo(Math.SQRT2, 12),
    ]);
  });

  it("refuses what is not a finite matrix", () => {
    expect(() => denseEigen(kernels, new Float64Array(3), 2)).toThrow(/3 entries for n = 2/);
    expect(() => denseEigen(kernels, Float64Array.of(Number.NaN), 1)).toThrow(/not finite/);
  });
});
