import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  laplacianSpectrum,
  logarithmicTimes,
  type NetlsdNormalisation,
  type NetlsdTrace,
  netlsdVectors,
} from "../../src/baseline/netlsd.js";
import { slaqVectors } from "../../src/baseline/slaq.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { buildGraph } from "../../src/graph/build.js";
import { barabasiAlbert, complete, cycle, path, randomTree, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { symmetricEigenvalues } from "../../src/spectrum/dense-eigen.js";
import { denseNormalised } from "../../src/spectrum/operator.js";
import { edgeInputs } from "../graph/arbitrary.js";

const kernels = await loadKernels();
type Traces = Record<NetlsdTrace, Record<NetlsdNormalisation, number[]>>;
const golden = JSON.parse(
  readFileSync(new URL("../golden/baseline/netlsd.json", import.meta.url), "utf8"),
) as {
  cases: ({ name: string; n: number; edges: number[][]; weights: number[]; times: number[] } & Traces)[];
};

const graphOf = (nodeCount: number, edges: number[][], weights: number[] | null = null) =>
  buildGraph({ nodeCount, sources: edges.map(([i]) => i), targets: edges.map(([, j]) => j), weights }).graph;

/** The spectrum with every value as often as it occurs, ascending. */
function expanded(graph: Graph): number[] {
  const { values, multiplicities } = laplacianSpectrum(kernels, graph);
  return Array.from(values)
    .flatMap((value, j) => new Array<number>(multiplicities[j]).fill(value))
    .sort((a, b) => a - b);
}

const closeTo = (values: ArrayLike<number>, digits = 12) =>
  Array.from(values, (x) => expect.closeTo(x, digits));

describe("spectrum of the normalised Laplacian", () => {
  it("of nothing, of isolated nodes, of one edge, of a self-loop", () => {
    expect(expanded(graphOf(0, []))).toEqual([]);
    expect(expanded(graphOf(1, []))).toEqual([0]);
    expect(expanded(graphOf(3, []))).toEqual([0, 0, 0]);
    expect(expanded(graphOf(2, [[0, 1]]))).toEqual(closeTo([0, 2]));
    expect(expanded(graphOf(2, [[1, 1]]))).toEqual(closeTo([0, 0]));
  });

  it("in closed form: complete graphs, stars, cycles, and a zero for every component", () => {
    expect(expanded(complete(5))).toEqual(closeTo([0, 1.25, 1.25, 1.25, 1.25]));
    expect(expanded(star(4))).toEqual(closeTo([0, 1, 1, 1, 2]));
    expect(expanded(cycle(7))).toEqual(
      closeTo(Array.from({ length: 7 }, (_, k) => 1 - Math.cos((2 * Math.PI * k) / 7)).sort((a, b) => a - b)),
    );
    const three = graphOf(6, [
      [0, 1],
      [2, 3],
      [3, 4],
    ]);
    expect(expanded(three)).toEqual(closeTo([0, 0, 0, 1, 2, 2]));
  });

  it("is that of the whole matrix on any graph, isolated nodes at 0", () => {
    fc.assert(
      fc.property(edgeInputs, (input) => {
        const weights = input.weights?.map((w) => (w > 100 ? 3 : w > 0 && w < 1e-100 ? 0.25 : w)) ?? null;
        const { graph } = buildGraph({ ...input, weights });
        const n = graph.nodeCount;
        const L = denseNormalised(graph).map((x) => -x);
        for (let i = 0; i < n; i++) if (graph.neighbourCount(i) > 0) L[i * n + i] += 1;
        expect(expanded(graph)).toEqual(closeTo(symmetricEigenvalues(L, n), 10));
      }),
    );
  });
});

describe("NetLSD", () => {
  it.each(golden.cases)("is numpy's: $name", ({ n, edges, weights, times, ...expected }) => {
    const graph = graphOf(n, edges, weights);
    for (const trace of ["heat", "wave"] as const)
      for (const normalisation of ["none", "empty", "complete"] as const) {
        const options = { trace, normalisation, times: Float64Array.from(times) };
        const { values, dimension } = netlsdVectors(kernels, [graph], options);
        expect(dimension).toBe(6);
        for (let k = 0; k < 6; k++) {
          const right = expected[trace][normalisation][k];
          // waves at t = 100 feel eigenvalues a hundred times over
          expect(Math.abs(values[k] - right)).toBeLessThan(1e-10 * (1 + Math.abs(right)));
        }
      }
  });

  it("has 250 times from 0.01 to 100, evenly spaced in the logarithm", () => {
    const times = logarithmicTimes();
    expect(times.length).toBe(250);
    expect(times[0]).toBe(0.01);
    expect(times[249]).toBeCloseTo(100, 10);
    expect(times[100] / times[99]).toBeCloseTo(10 ** (4 / 249), 12);
    expect(netlsdVectors(kernels, [path(3), path(4)]).values.length).toBe(500);
  });

  it("is 1 for the complete graph under complete, for the empty graph under empty", () => {
    for (const trace of ["heat", "wave"] as const)
      for (const n of [1, 2, 3, 8]) {
        const options = { trace, times: Float64Array.of(0.01, 0.5, 1.2, 7) };
        const whole = netlsdVectors(kernels, [complete(n)], { ...options, normalisation: "complete" });
        expect(Array.from(whole.values)).toEqual(closeTo([1, 1, 1, 1], 9));
        const empty = netlsdVectors(kernels, [graphOf(n, [])], { ...options, normalisation: "empty" });
        expect(Array.from(empty.values)).toEqual([1, 1, 1, 1]);
      }
  });

  it("of no nodes is zero; at t = 0 it is the number of nodes", () => {
    expect(netlsdVectors(kernels, [graphOf(0, [])]).values).toEqual(new Float64Array(250));
    const options = { normalisation: "none", times: Float64Array.of(0) } as const;
    expect(netlsdVectors(kernels, [star(6)], options).values[0]).toBeCloseTo(7, 12);
  });

  it("does not see the order of the nodes, and its heat falls", () => {
    const tree = randomTree(40, 5);
    const edges: number[][] = [];
    tree.forEachEdge((i, j) => edges.push([39 - i, 39 - j]));
    const { values } = netlsdVectors(kernels, [tree, graphOf(40, edges)], { normalisation: "none" });
    for (let k = 0; k < 250; k++) expect(values[250 + k]).toBeCloseTo(values[k], 10);
    for (let k = 1; k < 250; k++) expect(values[k]).toBeLessThan(values[k - 1]);
  });

  it("refuses unknown names and bad times", () => {
    expect(() => netlsdVectors(kernels, [], { trace: "heats" as never })).toThrow("did you mean heat?");
    expect(() => netlsdVectors(kernels, [], { normalization: "none" } as never)).toThrow("normalisation");
    expect(() => netlsdVectors(kernels, [], { times: Float64Array.of(-1) })).toThrow("times: got -1");
    expect(() => logarithmicTimes(0, 1)).toThrow("got 0 to 1");
  });
});

describe("SLaQ", () => {
  const times = logarithmicTimes(0.01, 100, 20);

  it("is exact where everything is known: isolated nodes, cliques", () => {
    const graphs = [graphOf(0, []), graphOf(1, []), graphOf(4, []), complete(6)];
    const exact = netlsdVectors(kernels, graphs, { times });
    const { values, standardErrors } = slaqVectors(graphs, { times });
    expect(Array.from(values)).toEqual(closeTo(exact.values));
    expect(standardErrors!.every((e) => e === 0)).toBe(true);
  });

  it("finds the signatures of NetLSD within its standard errors, which are neither too small nor too large", () => {
    const graph = barabasiAlbert(150, 2, 4);
    for (const trace of ["heat", "wave"] as const) {
      const options = { trace, normalisation: "none", times: Float64Array.of(0.3, 2, 9) } as const;
      const exact = netlsdVectors(kernels, [graph], options).values;
      const runs = 40;
      for (let k = 0; k < 3; k++) {
        let [errors, claims] = [0, 0];
        for (let seed = 0; seed < runs; seed++) {
          const found = slaqVectors([graph], { ...options, probes: 20, steps: 25, seed });
          errors += (found.values[k] - exact[k]) ** 2;
          claims += found.standardErrors![k] ** 2;
        }
        // χ² with 40 degrees of freedom: the ratio is outside of 0.65 to 1.6 once in 10,000
        expect(Math.sqrt(errors / claims)).toBeGreaterThan(0.6);
        expect(Math.sqrt(errors / claims)).toBeLessThan(1.6);
      }
    }
  });

  it("divides value and error by the same trace", () => {
    const graph = randomTree(50, 2);
    const options = { trace: "wave", times, probes: 5 } as const;
    const plain = slaqVectors([graph], { ...options, normalisation: "none" });
    const divided = slaqVectors([graph], { ...options, normalisation: "complete" });
    for (let k = 0; k < times.length; k++) {
      const ratio = divided.values[k] / plain.values[k];
      expect(divided.standardErrors![k]).toBeCloseTo(Math.abs(ratio) * plain.standardErrors![k], 10);
    }
  });

  it("gives the same bits for the same seed whatever stands beside a graph, and no error from one probe", () => {
    const [a, b] = [randomTree(60, 1), barabasiAlbert(40, 3, 1)];
    const options = { times, probes: 3, seed: 9 };
    expect(slaqVectors([b, a], options).values.slice(times.length)).toEqual(slaqVectors([a], options).values);
    expect(slaqVectors([a], { ...options, seed: 8 }).values).not.toEqual(slaqVectors([a], options).values);
    expect(slaqVectors([a], { times, probes: 1 }).standardErrors).toBeNull();
    expect(() => slaqVectors([a], { probes: 0 })).toThrow("probes: got 0");
    expect(() => slaqVectors([a], { probe: 1 } as never)).toThrow("did you mean probes?");
  });
});

const zip = new URL("../../../shared/datasets/REDDIT-BINARY.zip", import.meta.url);
describe.skipIf(!existsSync(zip))(
  "NetLSD on real threads (needs ../shared/datasets/REDDIT-BINARY.zip)",
  () => {
    it("has the moments of the matrix: Σ λ = nodes with edges, Σ λ² = that and Σ of squared entries", async () => {
      const { openData } = await import("../../src/node/open.js");
      const { graphs } = await openData(zip.pathname);
      for (const graph of graphs.slice(0, 10)) {
        let [nodes, squares] = [0, 0];
        for (let i = 0; i < graph.nodeCount; i++) if (graph.neighbourCount(i) > 0) nodes++;
        graph.forEachEdge((i, j) => {
          squares += 2 / (graph.degree(i) * graph.degree(j));
        });
        const spectrum = expanded(graph);
        expect(spectrum.length).toBe(graph.nodeCount);
        expect(spectrum.reduce((s, x) => s + x, 0)).toBeCloseTo(nodes, 8);
        expect(spectrum.reduce((s, x) => s + x * x, 0)).toBeCloseTo(nodes + squares, 8);
      }
    });
  },
);
