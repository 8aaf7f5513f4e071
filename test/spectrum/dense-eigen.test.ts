import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { buildGraph } from "../../src/graph/build.js";
import type { Graph } from "../../src/graph/graph.js";
import { symmetricEigen, symmetricEigenvalues } from "../../src/spectrum/dense-eigen.js";
import { denseNormalised, multiply, normalisedAdjacency } from "../../src/spectrum/operator.js";
import golden from "../golden/spectrum/eigenvalues.json" with { type: "json" };

type Edge = [number, number, number?];

function graph(nodeCount: number, edges: Edge[]): Graph {
  return buildGraph({
    nodeCount,
    sources: edges.map((e) => e[0]),
    targets: edges.map((e) => e[1]),
    weights: edges.some((e) => e[2] !== undefined) ? edges.map((e) => e[2] ?? 1) : null,
  }).graph;
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i);
const path = (n: number) => range(Math.max(0, n - 1)).map((i): Edge => [i, i + 1]);
const cycle = (n: number) => range(n).map((i): Edge => [i, (i + 1) % n]);
const complete = (n: number) => range(n).flatMap((i) => range(i).map((j): Edge => [j, i]));
const bipartite = (a: number, b: number) => range(a).flatMap((i) => range(b).map((j): Edge => [i, a + j]));
const hypercube = (d: number) =>
  range(2 ** d)
    .flatMap((i) => range(d).map((b): Edge => [i, i ^ (1 << b)]))
    .filter(([i, j]) => i < j);
const torus = (a: number, b: number) =>
  range(a * b).flatMap((v): Edge[] => {
    const [x, y] = [v % a, Math.floor(v / a)];
    return [
      [v, ((x + 1) % a) + y * a],
      [v, x + ((y + 1) % b) * a],
    ];
  });

function expectSpectrum(got: Float64Array, expected: number[], tolerance = 1e-13) {
  const sorted = [...expected].sort((a, b) => a - b);
  expect(got.length).toBe(sorted.length);
  for (let k = 0; k < sorted.length; k++) expect(Math.abs(got[k] - sorted[k])).toBeLessThan(tolerance);
}

function randomSymmetric(n: number, seed: number): Float64Array {
  const random = new Random(seed);
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = random.normal();
  return a;
}

/** Largest entry of |A V − V Λ| and of |Vᵀ V − I|. */
function defects(a: Float64Array, n: number) {
  const { values, vectors } = symmetricEigen(a, n);
  let residual = 0;
  let orthogonality = 0;
  for (let k = 0; k < n; k++) {
    const v = vectors.subarray(k * n, (k + 1) * n);
    for (let i = 0; i < n; i++) {
      let s = -values[k] * v[i];
      let t = i === k ? -1 : 0;
      for (let j = 0; j < n; j++) {
        s += a[i * n + j] * v[j];
        t += vectors[i * n + j] * v[j];
      }
      residual = Math.max(residual, Math.abs(s));
      orthogonality = Math.max(orthogonality, Math.abs(t));
    }
  }
  return { values, residual, orthogonality };
}

describe("eigenvalues of a dense symmetric matrix", () => {
  it("of size 0, 1 and 2 come out by hand", () => {
    expect(symmetricEigenvalues(new Float64Array(0), 0).length).toBe(0);
    expect(symmetricEigen(new Float64Array(0), 0).vectors.length).toBe(0);
    expect(Array.from(symmetricEigenvalues(Float64Array.of(-3), 1))).toEqual([-3]);
    expect(Array.from(symmetricEigen(Float64Array.of(-3), 1).vectors)).toEqual([1]);
    expectSpectrum(symmetricEigenvalues(Float64Array.of(2, 1, 1, 2), 2), [1, 3], 1e-15);
    expectSpectrum(symmetricEigenvalues(Float64Array.of(0, 1, 1, 0), 2), [-1, 1], 1e-15);
  });

  it("of the zero matrix are zero, of a diagonal one its diagonal", () => {
    expect(Array.from(symmetricEigenvalues(new Float64Array(25), 5))).toEqual([0, 0, 0, 0, 0]);
    const a = new Float64Array(9);
    [a[0], a[4], a[8]] = [3, -1, 2];
    expect(Array.from(symmetricEigenvalues(a, 3))).toEqual([-1, 2, 3]);
    expect(Array.from(symmetricEigen(a, 3).vectors).map(Math.abs)).toEqual([0, 1, 0, 0, 0, 1, 1, 0, 0]);
  });

  it("agree with numpy's, repeated ones included", () => {
    for (const { n, matrix, values } of golden.cases) {
      const a = Float64Array.from(matrix);
      expectSpectrum(symmetricEigenvalues(a, n), values, 2e-14 * n);
      expectSpectrum(symmetricEigen(a, n).values, values, 2e-14 * n);
    }
  });

  it("come with orthonormal vectors that satisfy A v = λ v", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), (n, seed) => {
        const a = randomSymmetric(n, seed);
        const { values, residual, orthogonality } = defects(a, n);
        expect(residual).toBeLessThan(1e-13 * n);
        expect(orthogonality).toBeLessThan(1e-14 * (n + 10));
        expectSpectrum(symmetricEigenvalues(a, n), Array.from(values), 1e-13 * n);
      }),
      { numRuns: 60 },
    );
  });

  it("do so for highly repeated eigenvalues too: the complete bipartite graph, rank 2 of 30", () => {
    const a = denseNormalised(graph(30, bipartite(11, 19)));
    const { residual, orthogonality } = defects(a, 30);
    expect(residual).toBeLessThan(1e-14);
    expect(orthogonality).toBeLessThan(1e-14);
  });

  it("keep their digits at scales of 1e±150 and 1e±300", () => {
    const a = randomSymmetric(15, 3);
    const values = symmetricEigenvalues(a, 15);
    for (const scale of [1e-300, 1e-150, 1e150, 1e300]) {
      const big = symmetricEigen(
        a.map((x) => x * scale),
        15,
      );
      for (let k = 0; k < 15; k++) expect(Math.abs(big.values[k] / scale - values[k])).toBeLessThan(1e-13);
      expect(Array.from(big.vectors).every(Number.isFinite)).toBe(true);
    }
  });

  it("do not depend on the upper triangle, and leave the matrix as it was", () => {
    const a = randomSymmetric(8, 5);
    const before = a.slice();
    const values = symmetricEigenvalues(a, 8);
    symmetricEigen(a, 8);
    expect(a).toEqual(before);
    for (let i = 0; i < 8; i++) for (let j = i + 1; j < 8; j++) a[i * 8 + j] = 99;
    expect(symmetricEigenvalues(a, 8)).toEqual(values);
  });

  it("refuse entries that are not finite and wrong sizes", () => {
    expect(() => symmetricEigenvalues(Float64Array.of(Number.NaN), 1)).toThrow("entry 0, 0: got NaN");
    expect(() => symmetricEigen(Float64Array.of(1, 0, Number.POSITIVE_INFINITY, 1), 2)).toThrow("entry 1, 0");
    expect(() => symmetricEigenvalues(new Float64Array(3), 2)).toThrow("got 3 entries for n = 2");
  });
});

describe("spectra with a closed form", () => {
  const spectrumOf = (g: Graph) => symmetricEigenvalues(denseNormalised(g), g.nodeCount);
  const cosines = (n: number) => range(n).map((k) => Math.cos((2 * Math.PI * k) / n));

  it("path: cos(πk / (n−1))", () => {
    for (const n of [2, 3, 10, 101])
      expectSpectrum(
        spectrumOf(graph(n, path(n))),
        range(n).map((k) => Math.cos((Math.PI * k) / (n - 1))),
      );
  });
  it("cycle: cos(2πk / n)", () => {
    for (const n of [3, 4, 25, 100]) expectSpectrum(spectrumOf(graph(n, cycle(n))), cosines(n));
  });
  it("star: −1, 0 (n−2 times), 1", () => {
    expectSpectrum(spectrumOf(graph(50, bipartite(1, 49))), [-1, ...range(48).map(() => 0), 1]);
  });
  it("complete: −1/(n−1) (n−1 times), 1", () => {
    expectSpectrum(spectrumOf(graph(40, complete(40))), [...range(39).map(() => -1 / 39), 1]);
  });
  it("complete bipartite: −1, 0, 1", () => {
    expectSpectrum(spectrumOf(graph(20, bipartite(7, 13))), [-1, ...range(18).map(() => 0), 1]);
  });
  it("hypercube: 1 − 2k/d, binom(d, k) times", () => {
    const bits = (v: number): number => (v === 0 ? 0 : (v & 1) + bits(v >> 1));
    expectSpectrum(
      spectrumOf(graph(64, hypercube(6))),
      range(64).map((v) => 1 - (2 * bits(v)) / 6),
    );
  });
  it("torus, a product of cycles: half the sums", () => {
    const expected = cosines(5).flatMap((x) => cosines(8).map((y) => (x + y) / 2));
    expectSpectrum(spectrumOf(graph(40, torus(5, 8))), expected);
  });
});

describe("normalised adjacency", () => {
  it("of no nodes, one node and isolated nodes is zero", () => {
    expect(normalisedAdjacency(graph(0, [])).values.length).toBe(0);
    expect(Array.from(denseNormalised(graph(1, [])))).toEqual([0]);
    expect(Array.from(denseNormalised(graph(3, [[0, 2]])))).toEqual([0, 0, 1, 0, 0, 0, 1, 0, 0]);
  });

  it("counts a self-loop's weight once: one node with a loop is 1", () => {
    expect(Array.from(denseNormalised(graph(1, [[0, 0]])))).toEqual([1]);
    // degrees 3 and 1
    const a = denseNormalised(
      graph(2, [
        [0, 0, 2],
        [0, 1, 1],
      ]),
    );
    expect(Array.from(a)).toEqual([2 / 3, 1 / Math.sqrt(3), 1 / Math.sqrt(3), 0]);
  });

  it("with self-loops has A_ii = 1 in place of what stood there, isolated nodes included, and rows stay sorted", () => {
    const a = normalisedAdjacency(
      graph(4, [
        [0, 0, 5],
        [0, 1, 1],
        [1, 2, 1],
      ]),
      { selfLoops: true },
    );
    expect(Array.from(a.targets)).toEqual([0, 1, 0, 1, 2, 1, 2, 3]);
    expect(Array.from(a.offsets)).toEqual([0, 2, 5, 7, 8]);
    const [r4, r6] = [1 / Math.sqrt(4), 1 / Math.sqrt(6)];
    expect(Array.from(a.values)).toEqual(
      [r4, r6, r6, 1 / 3, r6, r6, 0.5, 1].map((x) => expect.closeTo(x, 15)),
    );
  });

  it("is symmetric to the bit and finite for weights from 1e-300 to 1e300 mixed", () => {
    const exponent = fc.integer({ min: -300, max: 300 });
    const node = fc.nat({ max: 7 });
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node, exponent), { maxLength: 20 }), (edges) => {
        const g = graph(
          8,
          edges.map(([i, j, e]): Edge => [i, j, 10 ** e]),
        );
        const a = denseNormalised(g);
        for (let i = 0; i < 8; i++)
          for (let j = 0; j < 8; j++) {
            expect(a[i * 8 + j]).toBe(a[j * 8 + i]);
            expect(a[i * 8 + j] >= 0 && a[i * 8 + j] <= 1 + 1e-15).toBe(true);
          }
        const values = symmetricEigenvalues(a, 8);
        expect(values[0]).toBeGreaterThan(-1 - 1e-14);
        expect(values[7]).toBeLessThan(1 + 1e-14);
      }),
    );
  });

  it("does not depend on the scale of the weights", () => {
    const edges: Edge[] = [
      [0, 1, 1],
      [1, 2, 3],
      [0, 2, 2],
      [2, 3, 7],
    ];
    const a = denseNormalised(graph(4, edges));
    for (const scale of [1e-300, 1e300]) {
      const b = denseNormalised(
        graph(
          4,
          edges.map(([i, j, w]): Edge => [i, j, w! * scale]),
        ),
      );
      for (let k = 0; k < 16; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-15);
    }
  });

  it("keeps the digits of an entry that the other order of divisions would lose to underflow", () => {
    // degrees 1e-307 and 1e15: 1e-307 / √1e15 has left the normal range, 1e-307 / √1e-307 has not
    const a = denseNormalised(
      graph(3, [
        [0, 1, 1e-307],
        [1, 2, 1e15],
      ]),
    );
    expect(Math.abs(a[1] / 1e-161 - 1)).toBeLessThan(1e-13);
    expect(a[5]).toBeCloseTo(1, 14);
  });

  it("multiplies as its dense form does", () => {
    const op = normalisedAdjacency(
      graph(4, [
        [0, 1],
        [1, 2],
        [2, 3],
        [1, 3],
      ]),
    );
    const x = Float64Array.of(1, -2, 3, 0.5);
    const y = new Float64Array(4);
    multiply(op, x, y);
    const a = denseNormalised(
      graph(4, [
        [0, 1],
        [1, 2],
        [2, 3],
        [1, 3],
      ]),
    );
    for (let i = 0; i < 4; i++)
      expect(y[i]).toBeCloseTo(
        range(4).reduce((s, j) => s + a[i * 4 + j] * x[j], 0),
        14,
      );
    expect(() => multiply(op, x, new Float64Array(3))).toThrow("vectors of 4 and 3");
  });

  it("refuses weights that overflow a degree, naming the node, and unknown options", () => {
    const g = graph(3, [
      [0, 1, 1.5e308],
      [1, 2, 1.5e308],
    ]);
    expect(() => normalisedAdjacency(g)).toThrow("at node 1 add up beyond");
    expect(() => normalisedAdjacency(g, { selfloops: true } as never)).toThrow("did you mean selfLoops?");
    expect(() => normalisedAdjacency(g, { selfLoops: "yes" } as never)).toThrow("got yes");
  });
});
