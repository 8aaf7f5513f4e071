import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { intersectionDiagonal, intersectionGram } from "../../src/baseline/sparse-counts.js";
import { WassersteinWeisfeilerLehman } from "../../src/baseline/wwl.js";
import { complete, cycle, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { fitKernel, kernelByName, kernelDistances, kernelGram } from "../../src/kernel/registry.js";
import { context, executor } from "../kernel/helpers.js";
import { draw, sketches, smallestEigenvalue } from "./counting-support.js";

/** The labels of each node in all rounds, written out in full. */
function sequences(graph: Graph, iterations: number): string[][] {
  let labels = Array.from({ length: graph.nodeCount }, (_, i) => String(graph.neighbourCount(i)));
  const all = labels.map((label) => [label]);
  for (let round = 0; round < iterations; round++) {
    labels = labels.map((label, i) => {
      const near = graph.targets.subarray(graph.offsets[i], graph.offsets[i + 1]);
      return `(${label}|${Array.from(near, (j) => labels[j])
        .sort()
        .join(",")})`;
    });
    for (const [i, label] of labels.entries()) all[i].push(label);
  }
  return all;
}

/** The cheapest one-to-one assignment, by trying all. */
function assignment(costs: number[][]): number {
  const used = new Array<boolean>(costs.length).fill(false);
  const cheapest = (row: number): number => {
    if (row === costs.length) return 0;
    let best = Number.POSITIVE_INFINITY;
    for (let k = 0; k < used.length; k++) {
      if (used[k]) continue;
      used[k] = true;
      best = Math.min(best, costs[row][k] + cheapest(row + 1));
      used[k] = false;
    }
    return best;
  };
  return cheapest(0);
}

/** Transport of uniform masses: each node as often as makes the numbers equal, then the best assignment. */
function transport(a: Graph, b: Graph, iterations: number): number {
  const [left, right] = [sequences(a, iterations), sequences(b, iterations)];
  const size = [...Array(1 + left.length * right.length).keys()].find(
    (k) => k > 0 && k % left.length === 0 && k % right.length === 0,
  )!;
  const costs = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => {
      const [u, v] = [left[i % left.length], right[j % right.length]];
      return u.filter((label, round) => label !== v[round]).length / (iterations + 1);
    }),
  );
  return assignment(costs) / size;
}

async function distances(graphs: readonly Graph[], iterations: number) {
  const fitted = await fitKernel(kernelByName("wwl"), { graphs }, { iterations }, context);
  const made = await kernelDistances(fitted, { executor });
  return { values: made[0].values, gram: kernelGram(fitted, made).gram.values };
}

// shares are multiples of 2^-50: up to twelve of them are wrong by 5e-15 together
describe("Wasserstein WL", () => {
  it("is by hand two thirds of the mass for a path and a triangle in round 0, all of it for what shares nothing", async () => {
    // degrees: path 1 2 1, triangle 2 2 2: two thirds of the mass move; an edge and a triangle share no degree
    const { values } = await distances([path(3), cycle(3), path(2)], 0);
    expect(values[1]).toBeCloseTo(2 / 3, 14);
    expect(values[5]).toBe(1);
    expect(values[2]).toBeCloseTo(1 / 3, 14);
  });

  it("is the cheapest transport between the nodes, found by trying all", async () => {
    const graphs = [
      path(1),
      path(2),
      path(3),
      cycle(3),
      star(2),
      path(6),
      cycle(6),
      star(5),
      complete(3),
      path(4),
    ];
    const pairs: [Graph, Graph][] = graphs.flatMap((a) =>
      graphs
        .filter((b) => a.nodeCount * b.nodeCount <= 9 || (6 % a.nodeCount) + (6 % b.nodeCount) === 0)
        .map((b): [Graph, Graph] => [a, b]),
    );
    expect(pairs.length).toBeGreaterThan(30);
    for (const iterations of [0, 1, 3])
      for (const [a, b] of pairs.filter((_, k) => k % 3 === iterations % 3))
        expect((await distances([a, b], iterations)).values[1]).toBeCloseTo(transport(a, b, iterations), 12);
  });

  it("does not change when a graph is repeated, and is 0 between copies", async () => {
    const twice = draw({
      nodeCount: 6,
      edges: [
        [0, 1, 1],
        [1, 2, 1],
        [3, 4, 1],
        [4, 5, 1],
      ],
      labels: null,
      weighted: false,
    });
    const { values } = await distances([path(3), twice, path(3), star(4)], 4);
    expect(values[1]).toBeCloseTo(0, 14);
    expect(values[2]).toBe(0);
    expect(values[3]).toBeCloseTo(values[7], 14);
  });

  it("is far from the graph without nodes, which is like itself", async () => {
    const { values, gram } = await distances([path(0), path(0), path(3), path(5)], 2);
    expect(Array.from(values.subarray(0, 2))).toEqual([0, 0]);
    for (const far of values.subarray(2, 4)) expect(far).toBeCloseTo(1, 14);
    expect(Array.from(gram).every(Number.isFinite)).toBe(true);
  });

  it("is a distance and gives positive semidefinite matrices", async () => {
    const some = fc.array(sketches({ labelled: false }), { minLength: 3, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(some, async (list) => {
        const n = list.length;
        const { values } = await distances(list.map(draw), 2);
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++)
            for (let k = 0; k < n; k++)
              expect(values[i * n + j]).toBeLessThan(values[i * n + k] + values[k * n + j] + 1e-12);
        const laplacian = Float64Array.from(values, (d) => Math.exp(-d));
        expect(smallestEigenvalue(laplacian, n)).toBeGreaterThan(-1e-9);
      }),
      { numRuns: 40 },
    );
  });

  it("counts unseen graphs by the labels of the fit", () => {
    const wwl = new WassersteinWeisfeilerLehman({ iterations: 2 });
    const fitted = wwl.fit([path(4), star(3)]);
    const fresh = wwl.transform([star(3), cycle(5)]);
    const cross = intersectionGram(fresh, fitted);
    expect(cross[1]).toBeCloseTo(1, 14);
    expect(cross[0]).toBe(intersectionGram(fitted, fitted)[2]);
    expect(intersectionDiagonal(fresh)[1]).toBeCloseTo(1, 14);
  });

  it("has one exponent, that of its paper", async () => {
    await expect(
      fitKernel(kernelByName("wwl"), { graphs: [path(2)] }, { exponent: 2 }, context),
    ).rejects.toThrow("exponent");
  });
});
