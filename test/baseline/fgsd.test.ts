import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fgsd, type FgsdDistance, spectralDistances } from "../../src/baseline/fgsd.js";
import { laplacianOperator } from "../../src/baseline/laplacian.js";
import { sparseGram } from "../../src/baseline/sparse-counts.js";
import { buildGraph } from "../../src/graph/build.js";
import {
  complete,
  completeBipartite,
  cycle,
  erdosRenyi,
  path,
  randomTree,
  star,
} from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { symmetricEigen } from "../../src/spectrum/dense-eigen.js";
import { edgeInputs } from "../graph/arbitrary.js";

interface Golden {
  name: string;
  n: number;
  edges: [number, number][];
  weights: number[];
  harmonic: Expected;
  biharmonic: Expected;
}
interface Expected {
  distances: number[];
  histograms: { width: number; bins: number[]; counts: number[] }[];
}

const golden = JSON.parse(readFileSync(new URL("../golden/baseline/fgsd.json", import.meta.url), "utf8")) as {
  cases: Golden[];
};

const graphOf = (nodeCount: number, edges: number[][], weights: number[] | null = null) =>
  buildGraph({ nodeCount, sources: edges.map(([i]) => i), targets: edges.map(([, j]) => j), weights }).graph;

/** bin → count of the only graph. */
function histogram(fgsd: Fgsd, graph: Graph): Map<number, number> {
  const { ids, counts } = fgsd.fit([graph]);
  const bins = fgsd.bins();
  return new Map(Array.from(ids, (id, k) => [bins[id], counts[k]]));
}

/** All distances by all eigenvectors. */
function oracle(graph: Graph, power: number): Float64Array {
  const n = graph.nodeCount;
  const L = new Float64Array(n * n);
  graph.forEachEdge((i, j, w) => {
    if (i === j) return;
    L[i * n + j] = L[j * n + i] = -w;
    L[i * n + i] += w;
    L[j * n + j] += w;
  });
  const { values, vectors } = symmetricEigen(L, n);
  const out = new Float64Array(n * n);
  for (let k = 0; k < n; k++)
    if (values[k] > 1e-9)
      for (let x = 0; x < n; x++)
        for (let y = 0; y < n; y++)
          out[x * n + y] += values[k] ** -power * (vectors[k * n + x] - vectors[k * n + y]) ** 2;
  return out;
}

const closeTo = (values: ArrayLike<number>, digits = 11) =>
  Array.from(values, (x) => expect.closeTo(x, digits));

describe("spectral distances", () => {
  it("of no node, one node, two nodes", () => {
    expect(spectralDistances(graphOf(0, []))).toEqual(new Float64Array(0));
    expect(spectralDistances(graphOf(1, []))).toEqual(Float64Array.of(0));
    expect(spectralDistances(graphOf(2, []))).toEqual(Float64Array.of(0, 0, 0, 0));
    // one edge of weight w: eigenvalue 2w, φ = (1, −1)/√2: S = 2 f(2w)
    const two = graphOf(2, [[0, 1]], [4]);
    expect(Array.from(spectralDistances(two))).toEqual(closeTo([0, 0.25, 0.25, 0], 15));
    expect(Array.from(spectralDistances(two, "biharmonic"))).toEqual(closeTo([0, 2 / 64, 2 / 64, 0], 15));
  });

  it("harmonic ones of a tree are the lengths of the ways, of a cycle k(n − k)/n, of a complete graph 2/n", () => {
    const line = spectralDistances(path(9));
    const ring = spectralDistances(cycle(9));
    const all = spectralDistances(complete(9));
    const hub = spectralDistances(star(8));
    for (let x = 0; x < 9; x++)
      for (let y = 0; y < 9; y++) {
        const k = Math.abs(x - y);
        expect(line[x * 9 + y]).toBeCloseTo(k, 12);
        expect(ring[x * 9 + y]).toBeCloseTo((k * (9 - k)) / 9, 12);
        expect(all[x * 9 + y]).toBeCloseTo(k === 0 ? 0 : 2 / 9, 12);
        expect(hub[x * 9 + y]).toBeCloseTo(k === 0 ? 0 : x === 0 || y === 0 ? 1 : 2, 12);
      }
    const tree = randomTree(60, 3);
    const steps = new Float64Array(3600).fill(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 60; i++) steps[i * 60 + i] = 0;
    tree.forEachEdge((i, j) => {
      steps[i * 60 + j] = steps[j * 60 + i] = 1;
    });
    for (let k = 0; k < 60; k++)
      for (let i = 0; i < 60; i++)
        for (let j = 0; j < 60; j++)
          steps[i * 60 + j] = Math.min(steps[i * 60 + j], steps[i * 60 + k] + steps[k * 60 + j]);
    expect(Array.from(spectralDistances(tree))).toEqual(closeTo(steps));
  });

  it("biharmonic ones across a bridge are m(n − m)/n, of a complete graph 2/n²", () => {
    const line = spectralDistances(path(7), "biharmonic");
    for (let x = 0; x < 6; x++) expect(line[x * 7 + x + 1]).toBeCloseTo(((x + 1) * (6 - x)) / 7, 12);
    expect(spectralDistances(complete(6), "biharmonic")[1]).toBeCloseTo(2 / 36, 14);
  });

  it("between components are the sums of the nodes' own terms", () => {
    // an edge has L⁺_xx = 1/4, an isolated node 0
    const graph = graphOf(5, [
      [0, 1],
      [2, 3],
    ]);
    const S = spectralDistances(graph);
    expect(S[2]).toBeCloseTo(0.5, 14);
    expect(S[4]).toBeCloseTo(0.25, 14);
    expect(S[1]).toBeCloseTo(1, 14);
  });

  it.each(golden.cases)("are numpy's: $name", ({ n, edges, weights, ...expected }) => {
    const graph = graphOf(n, edges, weights);
    for (const distance of ["harmonic", "biharmonic"] as const) {
      const S = spectralDistances(graph, distance);
      const largest = Math.max(...expected[distance].distances);
      for (let k = 0; k < n * n; k++)
        expect(Math.abs(S[k] - expected[distance].distances[k])).toBeLessThan(1e-11 * largest);
    }
  });

  it("equal the sum over all eigenvectors on any graph", () => {
    fc.assert(
      fc.property(edgeInputs, fc.constantFrom<FgsdDistance>("harmonic", "biharmonic"), (input, distance) => {
        const weights = input.weights?.map((w) => (w > 100 ? 3 : w > 0 && w < 1e-100 ? 0.25 : w)) ?? null;
        const { graph } = buildGraph({ ...input, weights });
        const S = spectralDistances(graph, distance);
        const expected = oracle(graph, distance === "harmonic" ? 1 : 2);
        for (let k = 0; k < S.length; k++) expect(Math.abs(S[k] - expected[k])).toBeLessThan(1e-9);
      }),
      { numRuns: 200 },
    );
  });
});

describe("FGSD", () => {
  it.each(golden.cases)("has numpy's histograms: $name", ({ n, edges, weights, ...expected }) => {
    const graph = graphOf(n, edges, weights);
    for (const distance of ["harmonic", "biharmonic"] as const)
      for (const { width, bins, counts } of expected[distance].histograms)
        expect(histogram(new Fgsd({ distance, binWidth: width }), graph)).toEqual(
          new Map(bins.map((bin, k) => [bin, counts[k]])),
        );
  });

  it("puts whole distances in their bins whatever the rounding", () => {
    // a path of 200: the distance k occurs 2(200 − k) times
    const counts = histogram(new Fgsd({ binWidth: 1e-5 }), path(200));
    expect(counts.size).toBe(200);
    for (let k = 1; k < 200; k++) expect(counts.get(k * 1e5)).toBe(2 * (200 - k));
    expect(counts.get(0)).toBe(200);
  });

  it("of an edgeless graph counts n² zeros, of no nodes nothing", () => {
    expect(histogram(new Fgsd(), graphOf(7, []))).toEqual(new Map([[0, 49]]));
    expect(new Fgsd().fit([graphOf(0, []), path(1)]).offsets).toEqual(Uint32Array.of(0, 0, 1));
  });

  it("numbers bins at the fit, and new ones behind them at the transform", () => {
    const fgsd = new Fgsd();
    const train = fgsd.fit([path(2), star(3)]);
    expect(train.known).toBe(3);
    const test = fgsd.transform([path(2), complete(3), path(2)]);
    expect(test.known).toBe(3);
    expect(Array.from(test.ids)).toEqual([0, 1, 0, 3, 0, 1]);
    // path of 2: two zeros and two ones; star of 3 leaves: four zeros, six ones, six twos
    expect(Array.from(sparseGram(train, test))).toEqual([8, 6, 8, 20, 12, 20]);
    expect(() => new Fgsd().transform([path(2)])).toThrow("before fit");
  });

  it("by a sample of all nodes has the exact histogram, and says how near", () => {
    for (const graph of [complete(6), completeBipartite(3, 5), path(12)])
      for (const distance of ["harmonic", "biharmonic"] as const) {
        const approximate = new Fgsd({ distance, method: "sampled" });
        expect(histogram(approximate, graph)).toEqual(histogram(new Fgsd({ distance }), graph));
        expect(approximate.fit([graph]).notes[0]).toMatch(
          /graph 0: distances among \d+ of \d+ nodes .* at most/,
        );
      }
  });

  it("by a sample covers disconnected, edgeless and single-node graphs", () => {
    const sampled = () => new Fgsd({ method: "sampled" });
    for (const graph of [
      graphOf(1, []),
      graphOf(4, []),
      graphOf(5, [
        [0, 1],
        [1, 2],
        [2, 2],
      ]),
    ])
      expect(histogram(sampled(), graph)).toEqual(histogram(new Fgsd(), graph));
  });

  it("keeps to its bound on long graphs: the way on a path, i (n - i) / n round a cycle", () => {
    const n = 5000;
    const options = { method: "sampled", sample: 40, binWidth: 0.5 } as const;
    const whole = histogram(new Fgsd(options), path(n));
    // distances on a path are whole numbers, even bins of 0.5, on average (n² - 1) / 3n
    expect([...whole.keys()].every((bin) => bin % 2 === 0)).toBe(true);
    const mean = [...whole].reduce((sum, [bin, count]) => sum + 0.5 * bin * count, 0) / n ** 2;
    expect(Math.abs(mean / ((n * n - 1) / (3 * n)) - 1)).toBeLessThan(0.15);
    const round = new Set(Array.from({ length: n }, (_, i) => Math.floor((2 * i * (n - i)) / n + 1e-4)));
    expect([...histogram(new Fgsd(options), cycle(n)).keys()].filter((bin) => !round.has(bin))).toEqual([]);
    expect([...new Fgsd({ sample: 40, binWidth: 0.5 }).fit([path(n)]).notes][0]).toMatch(
      /error at most \d\.\de-/,
    );
  });

  it("puts every pair into the bin of the exact pseudo-inverse, on graphs that mix slowly and fast", () => {
    for (const graph of [cycle(300), randomTree(200, 3), erdosRenyi(150, 0.1, 2), completeBipartite(40, 60)])
      for (const distance of ["harmonic", "biharmonic"] as const) {
        const wide = { distance, binWidth: 1e-2, sample: 1000 };
        const near = histogram(new Fgsd({ ...wide, method: "sampled" }), graph);
        const exact = histogram(new Fgsd({ ...wide, method: "exact" }), graph);
        expect(near).toEqual(exact);
      }
  });

  it("refuses a graph whose distances it cannot bound by a bin", () => {
    const few = new Fgsd({ method: "sampled", steps: 1, sample: 20 });
    expect(() => few.fit([erdosRenyi(200, 0.05, 1)])).toThrow(
      /may be wrong by .* after 1 steps, expected at most the bin width/,
    );
  });

  it("samples nodes without bias: n² pairs in all, the same for the same seed", () => {
    const graph = randomTree(300, 1);
    const options = { method: "sampled", sample: 60, binWidth: 0.5 } as const;
    const mean = (counts: Map<number, number>) =>
      [...counts].reduce((sum, [bin, count]) => sum + bin * count, 0) / 300 ** 2;
    const exact = mean(histogram(new Fgsd({ binWidth: 0.5 }), graph));
    const means = [0, 1, 2, 3].map((seed) => {
      const counts = histogram(new Fgsd({ ...options, seed }), graph);
      expect([...counts.values()].reduce((a, b) => a + b)).toBeCloseTo(90000, 6);
      return mean(counts);
    });
    expect(Math.abs(means.reduce((a, b) => a + b) / 4 / exact - 1)).toBeLessThan(0.1);
    expect(new Fgsd(options).fit([graph])).toEqual(new Fgsd(options).fit([graph]));
  });

  it("refuses unknown names and bad values", () => {
    expect(() => new Fgsd({ bins: 3 } as never)).toThrow("unknown option of FGSD: bins");
    expect(() => new Fgsd({ distance: "harmonics" as never })).toThrow("did you mean harmonic?");
    expect(() => new Fgsd({ binWidth: 0 })).toThrow("binWidth: got 0");
    expect(() => new Fgsd({ sample: 1 })).toThrow("sample: got 1, expected an integer of at least 2");
  });
});

describe("Laplacian operator", () => {
  it("is D − A without self-loops, rows ascending", () => {
    const { offsets, targets, values } = laplacianOperator(
      graphOf(
        3,
        [
          [1, 1],
          [0, 2],
        ],
        [5, 2],
      ),
    );
    expect(Array.from(offsets)).toEqual([0, 2, 3, 5]);
    expect(Array.from(targets)).toEqual([0, 2, 1, 0, 2]);
    expect(Array.from(values)).toEqual([2, -2, 0, -2, 2]);
  });
});

const zip = new URL("../../../shared/datasets/REDDIT-BINARY.zip", import.meta.url);
describe.skipIf(!existsSync(zip))("FGSD on real threads (needs ../shared/datasets/REDDIT-BINARY.zip)", () => {
  it("satisfies Foster: the resistances of the edges add up to nodes − components", async () => {
    const { openData } = await import("../../src/node/open.js");
    const { graphs } = await openData(zip.pathname);
    const graph = graphs[0];
    const n = graph.nodeCount;
    const S = spectralDistances(graph);
    // Foster: Σ over edges of resistance = n − components
    let sum = 0;
    graph.forEachEdge((i, j) => {
      sum += S[i * n + j];
    });
    const { connectedComponents } = await import("../../src/graph/components.js");
    expect(sum).toBeCloseTo(n - connectedComponents(graph).count, 7);
  });
});
