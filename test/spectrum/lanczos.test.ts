import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { buildGraph } from "../../src/graph/build.js";
import { symmetricEigen } from "../../src/spectrum/dense-eigen.js";
import { lanczosDensity, lanczosIntegral, lanczosQuadrature } from "../../src/spectrum/lanczos.js";
import { denseNormalised, normalisedAdjacency } from "../../src/spectrum/operator.js";
import { gaussRule } from "../../src/spectrum/tridiagonal.js";
import { itAtSize } from "../at-size.js";

function randomGraph(n: number, p: number, seed: number) {
  const random = new Random(seed, 99);
  const sources: number[] = [];
  const targets: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++)
      if (random.uniform() < p) {
        sources.push(i);
        targets.push(j);
      }
  return buildGraph({ nodeCount: n, sources, targets }).graph;
}

const integralOf = (rule: { nodes: Float64Array; weights: Float64Array }, f: (x: number) => number) =>
  rule.nodes.reduce((s, x, k) => s + rule.weights[k] * f(x), 0);

describe("Gauss rule of a Jacobi matrix", () => {
  it("of the Chebyshev recurrence has Chebyshev nodes and equal weights", () => {
    // ∫ f / (π √(1 − x²)): off-diagonal 1/√2, 1/2, 1/2, …
    const k = 9;
    const off = Float64Array.from({ length: k - 1 }, (_, i) => (i === 0 ? Math.SQRT1_2 : 0.5));
    const { nodes, weights } = gaussRule(new Float64Array(k), off, 1);
    for (let i = 0; i < k; i++) {
      expect(nodes[i]).toBeCloseTo(-Math.cos((Math.PI * (i + 0.5)) / k), 14);
      expect(weights[i]).toBeCloseTo(1 / k, 14);
    }
  });

  it("of Legendre's recurrence has the textbook rule of three points", () => {
    const off = Float64Array.of(1 / Math.sqrt(3), 2 / Math.sqrt(15));
    const { nodes, weights } = gaussRule(new Float64Array(3), off, 2);
    expect(Array.from(nodes)).toEqual([-Math.sqrt(0.6), 0, Math.sqrt(0.6)].map((x) => expect.closeTo(x, 14)));
    expect(Array.from(weights)).toEqual([5 / 9, 8 / 9, 5 / 9].map((x) => expect.closeTo(x, 14)));
  });

  it("of nothing is nothing, of one entry that entry", () => {
    expect(gaussRule(new Float64Array(0), new Float64Array(0), 1).nodes.length).toBe(0);
    expect(gaussRule(Float64Array.of(0.4), new Float64Array(0), 3)).toEqual({
      nodes: Float64Array.of(0.4),
      weights: Float64Array.of(3),
    });
  });
});

describe("Lanczos quadrature", () => {
  it("is exact for polynomials of degree 2k − 1, against all eigenvectors", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: 8 }), fc.nat(), (n, k, seed) => {
        const g = randomGraph(n, 0.3, seed);
        const random = new Random(seed);
        const v = Float64Array.from({ length: n }, () => random.normal());
        const { values, vectors } = symmetricEigen(denseNormalised(g), n);
        const rule = lanczosQuadrature(normalisedAdjacency(g), v, k);
        expect(rule.weights.every((w) => w >= 0)).toBe(true);
        for (let d = 0; d <= 2 * k - 1; d++) {
          let exact = 0;
          for (let q = 0; q < n; q++) {
            let part = 0;
            for (let i = 0; i < n; i++) part += vectors[q * n + i] * v[i];
            exact += part * part * values[q] ** d;
          }
          expect(Math.abs(integralOf(rule, (x) => x ** d) - exact)).toBeLessThan(1e-11 * n);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("stops where the Krylov space ends: an eigenvector gives one node, an isolated node the node 0", () => {
    // the complete graph on 5 nodes: the constant vector has eigenvalue 1
    const sources = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3];
    const targets = [1, 2, 3, 4, 2, 3, 4, 3, 4, 4];
    const k5 = normalisedAdjacency(buildGraph({ nodeCount: 5, sources, targets }).graph);
    const ones = lanczosQuadrature(k5, new Float64Array(5).fill(1), 20);
    expect(ones.nodes.length).toBe(1);
    expect(ones.nodes[0]).toBeCloseTo(1, 14);
    expect(ones.weights[0]).toBeCloseTo(5, 14);
    // e_0 sees 1 (mass 1/5) and −1/4 (mass 4/5)
    const one = lanczosQuadrature(k5, Float64Array.of(1, 0, 0, 0, 0), 20);
    expect(Array.from(one.nodes)).toEqual([-0.25, 1].map((x) => expect.closeTo(x, 13)));
    expect(Array.from(one.weights)).toEqual([0.8, 0.2].map((x) => expect.closeTo(x, 13)));
    const lone = buildGraph({ nodeCount: 2, sources: [], targets: [] }).graph;
    const rule = lanczosQuadrature(normalisedAdjacency(lone), Float64Array.of(0, 2), 5);
    expect(rule).toEqual({ nodes: Float64Array.of(0), weights: Float64Array.of(4) });
  });

  it("stops there on rounded numbers too: a node of the complete bipartite graph sees −1, 0 and 1", () => {
    for (const [a, b] of [
      [7, 13],
      [3, 17],
      [11, 19],
    ]) {
      const sources: number[] = [];
      const targets: number[] = [];
      for (let i = 0; i < a; i++)
        for (let j = 0; j < b; j++) {
          sources.push(i);
          targets.push(a + j);
        }
      const op = normalisedAdjacency(buildGraph({ nodeCount: a + b, sources, targets }).graph);
      const start = new Float64Array(a + b);
      start[0] = 1;
      const { nodes, weights } = lanczosQuadrature(op, start, 30);
      expect(Array.from(nodes)).toEqual([-1, 0, 1].map((x) => expect.closeTo(x, 13)));
      const share = 1 / (2 * a);
      expect(Array.from(weights)).toEqual([share, 1 - 2 * share, share].map((x) => expect.closeTo(x, 13)));
    }
  });

  it("stays on the spectrum when the start is an eigenvector but for 1e-12: one orthogonalisation would be 3e-6 off", () => {
    const g = randomGraph(60, 0.2, 4);
    const random = new Random(8);
    const v = g.degrees().map((d) => Math.sqrt(d) + 1e-12 * random.normal());
    const { nodes } = lanczosQuadrature(normalisedAdjacency(g), v, 60);
    const { values } = symmetricEigen(denseNormalised(g), 60);
    expect(nodes.length).toBeGreaterThan(30);
    for (const x of nodes) expect(Math.min(...values.map((l) => Math.abs(l - x)))).toBeLessThan(1e-12);
  });

  it("with as many steps as nodes gives no ghosts: the trace of the rule is the measure's", () => {
    const g = randomGraph(60, 0.2, 4);
    const random = new Random(4);
    const v = Float64Array.from({ length: 60 }, () => random.normal());
    const rule = lanczosQuadrature(normalisedAdjacency(g), v, 200);
    expect(rule.nodes.length).toBeLessThanOrEqual(60);
    const { values } = symmetricEigen(denseNormalised(g), 60);
    for (const x of rule.nodes) expect(Math.min(...values.map((l) => Math.abs(l - x)))).toBeLessThan(1e-10);
  });

  it("refuses a zero vector, wrong sizes and counts", () => {
    const op = normalisedAdjacency(randomGraph(3, 1, 0));
    expect(() => lanczosQuadrature(op, new Float64Array(3), 2)).toThrow("has length 0");
    expect(() => lanczosQuadrature(op, Float64Array.of(1, Number.NaN, 0), 2)).toThrow("has length NaN");
    expect(() => lanczosQuadrature(op, new Float64Array(2), 2)).toThrow("of 2 numbers, expected 3");
    expect(() => lanczosQuadrature(op, new Float64Array(3), 0)).toThrow("steps: got 0");
  });
});

describe("stochastic Lanczos quadrature", () => {
  const g = randomGraph(80, 0.08, 11);
  const op = normalisedAdjacency(g);
  const { values } = symmetricEigen(denseNormalised(g), 80);
  const heat = (x: number) => Math.exp(-3 * (1 - x));

  it("of no nodes is empty", () => {
    const empty = lanczosDensity(normalisedAdjacency(randomGraph(0, 1, 0)));
    expect(empty.nodes.length).toBe(0);
    expect(lanczosIntegral(empty, () => 1)).toEqual({ value: 0, standardError: 0 });
  });

  it("has the mass n exactly, because the length of every probe is √n", () => {
    const { value, standardError } = lanczosIntegral(lanczosDensity(op, { probes: 5, steps: 10 }), () => 1);
    expect(value).toBeCloseTo(80, 10);
    expect(standardError).toBeLessThan(1e-10);
  });

  itAtSize(
    "finds the trace of the heat kernel within its own standard error, which is neither too small nor too large",
    () => {
      const exact = values.reduce((s, x) => s + heat(x), 0);
      const runs = 40;
      let within = 0;
      let squaredErrors = 0;
      let squaredClaims = 0;
      for (let seed = 0; seed < runs; seed++) {
        const { value, standardError } = lanczosIntegral(
          lanczosDensity(op, { probes: 20, steps: 20, seed }),
          heat,
        );
        if (Math.abs(value - exact) < 2 * standardError!) within++;
        squaredErrors += (value - exact) ** 2;
        squaredClaims += standardError! ** 2;
      }
      // 94 % expected (Student, 19 degrees of freedom): 32 or fewer of 40 has a chance of 0.2 %
      expect(within).toBeGreaterThan(32);
      expect(Math.sqrt(squaredClaims / squaredErrors)).toBeGreaterThan(0.7);
      expect(Math.sqrt(squaredClaims / squaredErrors)).toBeLessThan(1.5);
    },
  );

  it("gives the same bits for the same seed, and other ones for another", () => {
    const a = lanczosDensity(op, { probes: 3, steps: 8, seed: 5 });
    expect(lanczosDensity(op, { probes: 3, steps: 8, seed: 5 })).toEqual(a);
    expect(lanczosDensity(op, { probes: 3, steps: 8, seed: 6 }).nodes).not.toEqual(a.nodes);
  });

  it("draws each probe from its own stream: more probes keep the first ones", () => {
    const few = lanczosDensity(op, { probes: 2, steps: 8, seed: 5 });
    const many = lanczosDensity(op, { probes: 4, steps: 8, seed: 5 });
    expect(many.nodes.slice(0, few.nodes.length)).toEqual(few.nodes);
  });

  it("does not claim an error from one probe", () => {
    expect(lanczosIntegral(lanczosDensity(op, { probes: 1 }), heat).standardError).toBeNull();
  });

  it("refuses unknown options and bad counts", () => {
    expect(() => lanczosDensity(op, { probe: 3 } as never)).toThrow("did you mean probes?");
    expect(() => lanczosDensity(op, { probes: 0 })).toThrow("probes: got 0");
    expect(() => lanczosDensity(op, { seed: -1 })).toThrow("seed: got -1");
  });
});
