import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typescriptKernels } from "../../src/compute/twin.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { buildGraph } from "../../src/graph/build.js";
import {
  balancedTree,
  complete,
  completeBipartite,
  cycle,
  erdosRenyi,
  grid,
  hypercube,
  path,
  randomTree,
  star,
} from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { ExactProfiler, exactProfile, profileMany } from "../../src/spectrum/exact.js";
import { exactCost } from "../../src/spectrum/exact-plan.js";
import type { SpectralProfile } from "../../src/spectrum/profile.js";
import { itAtSize } from "../at-size.js";
import {
  chebyshevValues,
  momentsByDenseRecurrence,
  momentsByEigenvectors,
  momentsByRecurrence,
} from "./moments-oracle.js";

const kernels = await loadKernels();
const M = 50;
const TOLERANCE = 1e-10;

function graphOf(nodeCount: number, edges: number[][]): Graph {
  return buildGraph({
    nodeCount,
    sources: edges.map((edge) => edge[0]),
    targets: edges.map((edge) => edge[1]),
    weights: edges.some((edge) => edge.length > 2) ? edges.map((edge) => edge[2] ?? 1) : null,
  }).graph;
}

/** Largest difference between two rows; NaN when there is one. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let worst = 0;
  for (let m = 0; m < a.length; m++) worst = Math.max(worst, Math.abs(a[m] - b[m]));
  return worst;
}

/** Largest difference between a profile and rows of moments, node by node. */
function distance(profile: SpectralProfile, expected: number[][]): number {
  return Math.max(0, ...expected.map((row, i) => difference(profile.nodeMoments(i), row)));
}

/** Random graphs with hubs, pendant trees, loops, weights, isolated nodes and several components. */
const someGraph = fc
  .record({
    nodeCount: fc.integer({ min: 1, max: 24 }),
    density: fc.constantFrom(0.3, 0.8, 1, 2, 6),
    weighted: fc.boolean(),
    loops: fc.boolean(),
    seeds: fc.array(fc.nat(), { minLength: 0, maxLength: 120 }),
  })
  .map(({ nodeCount, density, weighted, loops, seeds }) => {
    const edges = seeds
      .slice(0, Math.floor(density * nodeCount))
      .map((s) => [s % nodeCount, Math.floor(s / nodeCount) % nodeCount, ...(weighted ? [1 + (s % 3)] : [])])
      .filter(([i, j]) => loops || i !== j);
    return graphOf(nodeCount, edges);
  });

describe("exact profile of degenerate graphs", () => {
  it("is empty for no nodes", () => {
    const profile = exactProfile(graphOf(0, []), { kernels });
    expect(profile.rowCount).toBe(0);
    expect([...profile.trace]).toEqual(new Array(M + 1).fill(0));
  });

  it("is cos(mπ/2) for isolated nodes, in one row", () => {
    const profile = exactProfile(graphOf(5, []), { kernels, moments: 8 });
    expect([...profile.weights]).toEqual([5]);
    expect(Array.from(profile.nodeMoments(4), (x) => x + 0)).toEqual([1, 0, -1, 0, 1, 0, -1, 0, 1]);
    expect(Array.from(profile.trace, (x) => x + 0)).toEqual([5, 0, -5, 0, 5, 0, -5, 0, 5]);
  });

  it("is 1 throughout for isolated nodes with self-loops, given or by option", () => {
    const ones = new Array(M + 1).fill(1);
    expect([...exactProfile(graphOf(1, [[0, 0]]), { kernels }).nodeMoments(0)]).toEqual(ones);
    expect([...exactProfile(graphOf(3, []), { kernels, selfLoops: true }).nodeMoments(1)]).toEqual(ones);
  });

  it("is 1, 0, 1, 0, .. for a single edge", () => {
    const row = exactProfile(graphOf(2, [[0, 1]]), { kernels, moments: 6 }).nodeMoments(1);
    expect(Array.from(row, (x) => x + 0)).toEqual([1, 0, 1, 0, 1, 0, 1]);
  });

  it.each([0, 1, 2, 3, 4])("gives %i moments when asked", (moments) => {
    const graph = grid(3, 4);
    const profile = exactProfile(graph, { kernels, moments });
    expect(profile.trace.length).toBe(moments + 1);
    expect(distance(profile, momentsByEigenvectors(graph, moments))).toBeLessThan(1e-13);
  });
});

describe("exact profile against closed-form spectra", () => {
  /** Checks the trace against eigenvalues with multiplicities. */
  function expectSpectrum(graph: Graph, spectrum: [number, number][]): void {
    const { trace } = exactProfile(graph, { kernels });
    const expected = new Array(M + 1).fill(0);
    for (const [value, count] of spectrum)
      chebyshevValues(value, M).forEach((x, m) => {
        expected[m] += count * x;
      });
    for (let m = 0; m <= M; m++) expect(Math.abs(trace[m] - expected[m])).toBeLessThan(1e-10);
  }

  it("path: cos(πk/(n−1))", () => {
    expectSpectrum(
      path(30),
      Array.from({ length: 30 }, (_, k) => [Math.cos((Math.PI * k) / 29), 1]),
    );
  });
  it("cycle: cos(2πk/n)", () => {
    for (const n of [3, 17, 40])
      expectSpectrum(
        cycle(n),
        Array.from({ length: n }, (_, k) => [Math.cos((2 * Math.PI * k) / n), 1]),
      );
  });
  it("star: 1, −1, 0", () => {
    expectSpectrum(star(99), [
      [1, 1],
      [-1, 1],
      [0, 98],
    ]);
  });
  it("complete: 1, −1/(n−1)", () => {
    expectSpectrum(complete(12), [
      [1, 1],
      [-1 / 11, 11],
    ]);
  });
  it("complete bipartite: 1, −1, 0", () => {
    expectSpectrum(completeBipartite(5, 9), [
      [1, 1],
      [-1, 1],
      [0, 12],
    ]);
  });
  it("hypercube: 1 − 2k/d with binomial multiplicities", () => {
    expectSpectrum(hypercube(4), [
      [1, 1],
      [0.5, 4],
      [0, 6],
      [-0.5, 4],
      [-1, 1],
    ]);
  });
  it("cycle: T_m at a node is 1 where n divides m, else 0 below n", () => {
    const row = exactProfile(cycle(23), { kernels }).nodeMoments(7);
    for (let m = 0; m <= M; m++) expect(Math.abs(row[m] - (m % 23 === 0 ? 1 : 0))).toBeLessThan(1e-12);
  });
});

describe("exact profile against eigenvectors", () => {
  it("agrees on random graphs, with and without A + I", () => {
    fc.assert(
      fc.property(someGraph, fc.boolean(), (graph, selfLoops) => {
        const profile = exactProfile(graph, { kernels, selfLoops });
        expect(distance(profile, momentsByEigenvectors(graph, M, selfLoops))).toBeLessThan(TOLERANCE);
      }),
      { numRuns: 300 },
    );
  });

  it("agrees for each way of computing: trees, probes, dense reduction", () => {
    const cases: [Graph, string][] = [
      [randomTree(80, 3), "treeNodes"],
      [balancedTree(3, 4), "treeNodes"],
      [grid(9, 11), "probes"],
      [cycle(61), "probes"],
      [erdosRenyi(70, 0.4, 5), "denseOrder"],
    ];
    for (const [graph, way] of cases) {
      const profile = exactProfile(graph, { kernels });
      expect(profile.estimator.detail[way]).toBeGreaterThan(0);
      expect(distance(profile, momentsByEigenvectors(graph, M))).toBeLessThan(TOLERANCE);
    }
  });

  it("leaves small trees to dense reduction when moments are very many, and agrees", () => {
    const graph = randomTree(60, 4);
    const profile = exactProfile(graph, { kernels, moments: 900 });
    expect(profile.estimator.detail.denseOrder).toBeGreaterThan(0);
    expect(profile.estimator.detail.treeNodes).toBeGreaterThan(0);
    expect(distance(profile, momentsByEigenvectors(graph, 900))).toBeLessThan(TOLERANCE);
  });

  itAtSize("stays exact for 300 moments on a long path with loops and weights", () => {
    const n = 1200;
    const edges = Array.from({ length: n - 1 }, (_, i) => [i, i + 1, 1 + (i % 7)]);
    for (let i = 0; i < n; i += 3) edges.push([i, i, 2]);
    const graph = graphOf(n, edges);
    const profile = exactProfile(graph, { kernels, moments: 300 });
    expect(profile.estimator.detail.treeNodes).toBe(n);
    for (const i of [0, 1, 300, 777, n - 1]) {
      const expected = momentsByRecurrence(graph, 300, i);
      expect(difference(profile.nodeMoments(i), expected)).toBeLessThan(TOLERANCE);
    }
  });

  it("takes weights of any size: only their ratios count", () => {
    const edges = [
      [0, 1, 1],
      [1, 2, 3],
      [2, 0, 2],
      [2, 3, 5],
      [3, 4, 1],
      [4, 4, 2],
    ];
    const expected = momentsByEigenvectors(graphOf(5, edges), M);
    for (const scale of [1e-300, 1e300, 2.2e307]) {
      const graph = graphOf(
        5,
        edges.map(([i, j, w]) => [i, j, w * scale]),
      );
      expect(distance(exactProfile(graph, { kernels }), expected)).toBeLessThan(TOLERANCE);
    }
  });

  it("takes weights of very different size in one graph", () => {
    const graph = graphOf(6, [
      [0, 1, 1e-300],
      [1, 2, 2e-300],
      [3, 4, 1e300],
      [4, 5, 2e300],
    ]);
    const expected = momentsByEigenvectors(
      graphOf(6, [
        [0, 1, 1],
        [1, 2, 2],
        [3, 4, 1],
        [4, 5, 2],
      ]),
      M,
    );
    expect(distance(exactProfile(graph, { kernels }), expected)).toBeLessThan(TOLERANCE);
  });
});

describe("exact profile of weights from 1e-300 to 1e300 in one graph", () => {
  /** Some magnitudes near which squares of couplings vanish, come back with few bits, or overflow when inverted. */
  const exponent = fc.oneof(
    fc.integer({ min: -300, max: 300 }),
    fc.constantFrom(-300, -163, -162, -160, -156, -154, -150, -78, 0, 78, 150, 156, 300),
  );
  const graphs = fc
    .integer({ min: 3, max: 9 })
    .chain((nodeCount) =>
      fc.record({
        nodeCount: fc.constant(nodeCount),
        pool: fc.array(exponent, { minLength: 1, maxLength: 4 }),
        edges: fc.array(
          fc.tuple(
            fc.nat(nodeCount - 1),
            fc.nat(nodeCount - 1),
            fc.nat(3),
            fc.double({ min: 1, max: 9, noNaN: true }),
          ),
          { minLength: 3, maxLength: 40 },
        ),
      }),
    )
    .map(({ nodeCount, pool, edges }) =>
      graphOf(
        nodeCount,
        edges.map(([i, j, k, w]) => [i, j, w * 10 ** pool[k % pool.length]]),
      ),
    );

  it("has finite moments where two pairs of nodes hang together by 1e-156", () => {
    // couplings that differ, so that no two nodes are twins
    const edges = [
      [0, 1, 1],
      [2, 3, 2],
      [0, 2, 1e-156],
      [0, 3, 2e-156],
      [1, 2, 3e-156],
      [1, 3, 5e-156],
    ];
    // ±1 twice over, to rounding
    for (const make of [kernels, typescriptKernels()])
      for (let i = 0; i < 4; i++)
        exactProfile(graphOf(4, edges), { kernels: make })
          .nodeMoments(i)
          .forEach((x, m) => {
            expect(x).toBeCloseTo(m % 2 === 0 ? 1 : 0, 11);
          });
  });

  it("agrees with the recurrence on the full matrix, and to the bit in plain TypeScript", () => {
    const plain = typescriptKernels();
    fc.assert(
      fc.property(graphs, fc.boolean(), (graph, selfLoops) => {
        const profile = exactProfile(graph, { kernels, selfLoops });
        expect(distance(profile, momentsByDenseRecurrence(graph, M, selfLoops))).toBeLessThan(TOLERANCE);
        expect(exactProfile(graph, { kernels: plain, selfLoops }).rows).toEqual(profile.rows);
      }),
      { numRuns: 800 },
    );
  });
});

describe("moments that no graph has", () => {
  it("are refused, with the number of the graph", async () => {
    const { computeProfiles } = await import("../../src/spectrum/profiles.js");
    const { inlineExecutor } = await import("../../src/compute/executor.js");
    const triangle = [
      [0, 1, 1],
      [1, 2, 2],
      [2, 0, 3],
    ];
    // no reader lets this through: it stands for whatever else may go wrong in the numbers
    for (const weight of [Number.NaN, 1e6]) {
      const broken = graphOf(3, triangle);
      broken.weights![broken.offsets[1]] = weight;
      for (const make of [kernels, typescriptKernels()])
        expect(() => profileMany([complete(5), broken], { kernels: make })).toThrow(
          /^graph 1: its moments came out not finite or above 1/,
        );
      for (const estimator of ["exact", "probes", "sample"] as const)
        if (Number.isNaN(weight))
          await expect(
            computeProfiles([complete(5), star(4), broken], { estimator }, inlineExecutor()),
          ).rejects.toThrow(/^graph 2: its moments came out not finite or above 1/);
    }
  });
});

describe("exact profile as a function of graphs", () => {
  it("has no odd moments on bipartite graphs", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 60 }), (pairs) => {
        const graph = graphOf(
          20,
          pairs.map(([i, j]) => [i, 10 + j]),
        );
        const { rows } = exactProfile(graph, { kernels });
        for (let k = 0; k < rows.length; k++)
          if ((k % (M + 1)) % 2 === 1) expect(Math.abs(rows[k])).toBeLessThan(1e-12);
      }),
      { numRuns: 50 },
    );
  });

  it("moves with the nodes when they are renumbered", () => {
    fc.assert(
      fc.property(someGraph, fc.nat(), (graph, seed) => {
        const n = graph.nodeCount;
        const image = Array.from({ length: n }, (_, i) => i).sort(
          (a, b) => ((a * 7919 + seed) % 101) - ((b * 7919 + seed) % 101) || a - b,
        );
        const edges: number[][] = [];
        graph.forEachEdge((i, j, w) => edges.push([image[i], image[j], w]));
        const before = exactProfile(graph, { kernels });
        const after = exactProfile(graphOf(n, edges), { kernels });
        expect(after.rowCount).toBe(before.rowCount);
        for (let i = 0; i < n; i++) {
          expect(difference(before.nodeMoments(i), after.nodeMoments(image[i]))).toBeLessThan(1e-11);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("of a disjoint union is the two side by side", () => {
    fc.assert(
      fc.property(someGraph, someGraph, (first, second) => {
        const edges: number[][] = [];
        first.forEachEdge((i, j, w) => edges.push([i, j, w]));
        second.forEachEdge((i, j, w) => edges.push([i + first.nodeCount, j + first.nodeCount, w]));
        const both = exactProfile(graphOf(first.nodeCount + second.nodeCount, edges), { kernels });
        const parts = [exactProfile(first, { kernels }), exactProfile(second, { kernels })];
        for (let i = 0; i < both.nodeCount; i++) {
          const [part, node] = i < first.nodeCount ? [parts[0], i] : [parts[1], i - first.nodeCount];
          expect(difference(both.nodeMoments(i), part.nodeMoments(node))).toBeLessThan(1e-11);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("has a trace that is the sum over the nodes, and |T_m| <= 1", () => {
    fc.assert(
      fc.property(someGraph, (graph) => {
        const profile = exactProfile(graph, { kernels });
        expect(profile.weights.reduce((sum, w) => sum + w, 0)).toBe(graph.nodeCount);
        for (let m = 0; m <= M; m++) {
          let sum = 0;
          for (let i = 0; i < graph.nodeCount; i++) {
            const x = profile.nodeMoments(i)[m];
            expect(Math.abs(x)).toBeLessThan(1 + 1e-12);
            sum += x;
          }
          expect(Math.abs(profile.trace[m] - sum)).toBeLessThan(1e-11);
        }
      }),
      { numRuns: 50 },
    );
  });

  const bytes = (p: SpectralProfile) => Buffer.from(p.buffer as ArrayBuffer, p.byteOffset, p.byteLength);

  it("is the same to the bit by WASM and by plain TypeScript, alone and among others", () => {
    const plain = typescriptKernels();
    fc.assert(
      fc.property(
        fc.array(someGraph, { maxLength: 4 }),
        fc.integer({ min: 0, max: 60 }),
        fc.boolean(),
        (graphs, moments, selfLoops) => {
          const many = profileMany(graphs, { kernels, moments, selfLoops });
          expect(many).toHaveLength(graphs.length);
          for (let g = 0; g < graphs.length; g++) {
            const alone = exactProfile(graphs[g], { kernels: plain, moments, selfLoops });
            expect(bytes(many[g]).equals(bytes(alone))).toBe(true);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("is the same to the bit by both for every way of computing, few moments and many", () => {
    const plain = typescriptKernels();
    const heavy = graphOf(
      40,
      Array.from({ length: 90 }, (_, k) => [k % 40, (7 * k + 3) % 40, 1e308 / (1 + (k % 3))]),
    );
    const graphs = [
      randomTree(90, 7),
      balancedTree(3, 4),
      grid(9, 11),
      cycle(61),
      star(30),
      complete(17),
      completeBipartite(6, 9),
      erdosRenyi(70, 0.4, 5),
      erdosRenyi(200, 0.012, 6),
      heavy,
    ];
    for (const moments of [3, 50, 150])
      for (const selfLoops of [false, true]) {
        const options = { moments, selfLoops };
        profileMany(graphs, { kernels, ...options }).forEach((profile, g) => {
          const stepwise = exactProfile(graphs[g], { kernels: plain, ...options });
          expect(bytes(profile).equals(bytes(stepwise))).toBe(true);
        });
      }
  });

  it("of many graphs fills several buffers without losing one", () => {
    const graphs = Array.from({ length: 60 }, (_, k) => path(1000 + k));
    const profiles = profileMany(graphs, { kernels });
    expect(new Set(profiles.map(({ buffer }) => buffer)).size).toBe(2);
    expect(profiles.map(({ nodeCount }) => nodeCount)).toEqual(graphs.map(({ nodeCount }) => nodeCount));
    for (const g of [0, 37, 59])
      expect(bytes(profiles[g]).equals(bytes(exactProfile(graphs[g], { kernels })))).toBe(true);
    expect(profileMany([], { kernels })).toEqual([]);
  });
});

describe("exact profile at size", () => {
  itAtSize("is linear in the number of components and of isolated nodes", () => {
    // 40,000 squares with a tail, 200,000 isolated nodes
    const edges: number[][] = [];
    for (let c = 0; c < 40_000; c++) {
      const at = 5 * c;
      edges.push([at, at + 1], [at + 1, at + 2], [at + 2, at + 3], [at + 3, at], [at, at + 4]);
    }
    // a second; with one look at all components for each of the 240,000 it would not end within the limit of a test
    const profile = exactProfile(graphOf(400_000, edges), { kernels, moments: 10 });
    const one = exactProfile(graphOf(5, edges.slice(0, 5)), { kernels, moments: 10 });
    expect([...profile.nodeMoments(5 * 31_234 + 4)]).toEqual([...one.nodeMoments(4)]);
    expect(profile.weights.at(-1)).toBe(200_000);
  });

  it("takes a path of 100,000 nodes: no probe, inner nodes as on an endless path", () => {
    const profile = exactProfile(path(100_000), { kernels, moments: 20 });
    expect(profile.estimator.detail.probes).toBe(0);
    const row = profile.nodeMoments(50_000);
    for (let m = 1; m <= 20; m++) expect(Math.abs(row[m])).toBeLessThan(1e-12);
  });

  it("foresees what it will do", () => {
    const tree = exactCost(randomTree(2000, 1));
    expect(tree).toMatchObject({ nodes: 2000, probes: 0, denseOrder: 0, treeNodes: tree.classes });
    const small = exactCost(grid(20, 20));
    const large = exactCost(grid(40, 40));
    expect(large.seconds / small.seconds).toBeGreaterThan(10);
    expect(exactCost(complete(1000)).classes).toBe(1);
  });
});

describe("options of the exact profile", () => {
  const graph = path(3);
  it("refuses unknown options and values", () => {
    expect(() => new ExactProfiler({ kernels, moment: 3 } as never)).toThrow(/unknown option: moment/);
    expect(() => exactProfile(graph, { kernels, moments: -1 })).toThrow(/moments: got -1/);
    expect(() => exactProfile(graph, { kernels, moments: 2.5 })).toThrow(/moments: got 2.5/);
    expect(() => exactProfile(graph, { kernels, selfLoops: 1 as never })).toThrow(/selfLoops: got 1/);
  });
});
