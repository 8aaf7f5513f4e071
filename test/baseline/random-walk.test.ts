import fc from "fast-check";
import { Matrix, solve } from "ml-matrix";
import { describe, expect, it } from "vitest";
import { spectralRadiusBound } from "../../src/baseline/labelled-walks.js";
import { RandomWalk } from "../../src/baseline/random-walk.js";
import {
  complete,
  completeBipartite,
  cycle,
  erdosRenyi,
  path,
  star,
} from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { draw, reversed, sketches, smallestEigenvalue } from "./counting-support.js";

/** eᵀ(I − λW)⁻¹e with W written out over all pairs of nodes, or over those with equal labels. */
function plainKernel(a: Graph, b: Graph, decay: number, useLabels: boolean): number {
  const pairs: [number, number][] = [];
  for (let i = 0; i < a.nodeCount; i++)
    for (let j = 0; j < b.nodeCount; j++) if (!useLabels || a.labels![i] === b.labels![j]) pairs.push([i, j]);
  if (pairs.length === 0) return 0;
  const system = Matrix.eye(pairs.length, pairs.length);
  pairs.forEach(([i, j], p) => {
    pairs.forEach(([k, l], q) => {
      system.set(p, q, system.get(p, q) - decay * a.weight(i, k) * b.weight(j, l));
    });
  });
  return solve(system, Matrix.ones(pairs.length, 1)).sum();
}

describe("random walk", () => {
  it("counts pairs of nodes alone when there are no edges", () => {
    const graphs = [path(0), path(1), draw({ nodeCount: 3, edges: [], labels: null, weighted: false })];
    const kernel = new RandomWalk().fit(graphs);
    expect(Array.from(kernel.gram(graphs, graphs))).toEqual([0, 0, 0, 0, 1, 3, 0, 3, 9]);
    expect(new RandomWalk().fit([]).gram([], []).length).toBe(0);
  });

  it("is n m / (1 − λ c d) for regular graphs with degrees c and d", () => {
    const graphs = [cycle(5), complete(4), path(2)];
    const [n, d] = [
      [5, 4, 2],
      [2, 3, 1],
    ];
    const kernel = new RandomWalk({ decay: 0.1 }).fit(graphs);
    const gram = kernel.gram(graphs, graphs);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        expect(gram[3 * i + j]).toBeCloseTo((n[i] * n[j]) / (1 - 0.1 * d[i] * d[j]), 11);
    expect(Array.from(kernel.diagonal(graphs), (value) => value.toFixed(9))).toEqual(
      [0, 4, 8].map((k) => gram[k].toFixed(9)),
    );
  });

  for (const labelled of [false, true])
    it(`solves the system of the direct product graph, ${labelled ? "labels equal" : "all pairs"}, with weights and without`, () => {
      const one = (weighted: boolean) => sketches({ labelled, weighted, maximum: 7 });
      const some = fc.array(fc.oneof(one(false), one(true)), { minLength: 1, maxLength: 3 });
      fc.assert(
        fc.property(some, some, (training, testing) => {
          const graphs = training.map(draw);
          const others = testing.map(draw);
          const kernel = new RandomWalk({ labels: labelled ? "nodes" : "none" }).fit([...graphs, ...others]);
          const check = (left: Graph[], right: Graph[]) => {
            const gram = kernel.gram(left, right);
            left.forEach((a, i) => {
              right.forEach((b, j) => {
                const expected = plainKernel(a, b, kernel.decay, labelled);
                expect(Math.abs(gram[i * right.length + j] - expected)).toBeLessThanOrEqual(1e-11 * expected);
              });
            });
            return gram;
          };
          const gram = check(graphs, graphs);
          check(graphs, others);
          expect(smallestEigenvalue(gram, graphs.length)).toBeGreaterThan(-1e-9);
          const again = kernel.gram(training.map(reversed).map(draw), graphs);
          again.forEach((value, k) => {
            expect(Math.abs(value - gram[k])).toBeLessThanOrEqual(1e-11 * gram[k]);
          });
        }),
        { numRuns: 50 },
      );
    });

  it("bounds the spectral radius from above, closely: known values", () => {
    const cases: [Graph, number][] = [
      [star(10_000), 100],
      [complete(9), 8],
      [completeBipartite(4, 9), 6],
      [path(30), 2 * Math.cos(Math.PI / 31)],
      [path(1), 0],
    ];
    for (const [graph, radius] of cases)
      for (const power of [2, 16, 256]) {
        const bound = spectralRadiusBound(graph, power);
        expect(bound).toBeGreaterThanOrEqual(radius * (1 - 1e-12));
        expect(bound).toBeLessThanOrEqual(radius * graph.nodeCount ** (1 / (2 * power)) * (1 + 1e-12));
      }
  });

  it("takes a star of 10,000 leaves: walks of k steps number 10001, 20000, 10000·10001, ...", () => {
    const graphs = [star(10_000)];
    const kernel = new RandomWalk().fit(graphs);
    expect(kernel.decay).toBeCloseTo(1 / (2 * 10_000), 12);
    let expected = 0;
    // w_2k = 10^4k (10^4 + 1), w_2k+1 = 2 · 10^4(k+1)
    for (let k = 0; k < 60; k++) {
      const walks = k % 2 === 0 ? 10_001 : 2 * 100;
      expected += 0.5 ** k * walks * walks;
    }
    expect(kernel.gram(graphs, graphs)[0] / expected).toBeCloseTo(1, 12);
  });

  it("stands weights near the ends of the numbers", () => {
    for (const weight of [1e-200, 1e200]) {
      const graph = draw({ nodeCount: 2, edges: [[0, 1, weight]], labels: [1, 1], weighted: true });
      for (const labels of ["none", "nodes"] as const)
        expect(new RandomWalk({ labels }).fit([graph]).gram([graph], [graph])[0]).toBeCloseTo(8, 9);
    }
  });

  it("refuses a decay for which the series does not converge, and says which would do", () => {
    const graphs = [path(3), complete(5)];
    expect(() => new RandomWalk({ decay: 1 / 16 }).fit(graphs)).toThrow(
      /random walk: the series does not converge, or too slowly, on graph 1: got a decay of 0\.0625, expected well below 1\/ρ² = 0\.0625/,
    );
    expect(new RandomWalk({ decay: 0.06 }).fit(graphs).decay).toBeCloseTo(0.06, 12);
    const kernel = new RandomWalk().fit([path(3)]);
    expect(() => kernel.gram([path(3)], [complete(9)])).toThrow("choose a smaller decay");
  });

  it("comes close to the limit: a decay of 0.98 / ρ² still gives the solution of the system", () => {
    const graph = erdosRenyi(12, 0.4, 5);
    const decay = 0.98 / spectralRadiusBound(graph, 4096) ** 2;
    const kernel = new RandomWalk({ decay }).fit([graph]);
    expect(kernel.gram([graph], [graph])[0] / plainKernel(graph, graph, decay, false)).toBeCloseTo(1, 9);
  });

  it("refuses wrong calls with a sentence", () => {
    expect(() => new RandomWalk({ decay: 0 })).toThrow("decay: got 0, expected a positive number");
    expect(() => new RandomWalk({ lambda: 1 } as object)).toThrow("unknown option of random walk: lambda");
    expect(() => new RandomWalk({ labels: "all" as "none" })).toThrow("unknown labels of random walk: all");
    expect(() => new RandomWalk().gram([], [])).toThrow("used before fit");
    expect(() => new RandomWalk({ labels: "nodes" }).fit([path(2)]).gram([path(2)], [path(2)])).toThrow(
      "no node labels",
    );
  });
});
