import fc from "fast-check";
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { beforeAll, describe, expect, it } from "vitest";
import type { Kernels } from "../../src/compute/kernels.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { knownSpectrum } from "../../src/experiment/known-eigenvalues.js";
import { type GraphSpectrum, graphSpectrum, spectralDistance } from "../../src/experiment/spectrum.js";
import { buildGraph } from "../../src/graph/build.js";
import {
  barabasiAlbert,
  complete,
  completeBipartite,
  cycle,
  erdosRenyi,
  path,
  star,
} from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { exactProfile } from "../../src/spectrum/exact.js";
import type { MotifFilter } from "../../src/spectrum/motif-filter.js";
import { probeProfile } from "../../src/spectrum/probes.js";
import { sampleProfile } from "../../src/spectrum/sample.js";
import { inlineRunner } from "../../src/spectrum/step-runner.js";
import { edgeInputs } from "../graph/arbitrary.js";
import { denseOperator } from "../spectrum/moments-oracle.js";

let kernels: Kernels;
beforeAll(async () => {
  kernels = await loadKernels();
});

const edgeless = (nodeCount: number) => buildGraph({ nodeCount, sources: [], targets: [] }).graph;
const eigenvalues = (graph: Graph, selfLoops = false) =>
  graph.nodeCount === 0
    ? []
    : new EigenvalueDecomposition(new Matrix(denseOperator(graph, selfLoops)), { assumeSymmetric: true })
        .realEigenvalues;
const exact = (graph: Graph, options = {}, selfLoops = false) =>
  graphSpectrum(graph, exactProfile(graph, { moments: 40, kernels, selfLoops }), { name: "g", ...options });
const smoothMass = ({ density }: GraphSpectrum) =>
  density.reduce((sum, value) => sum + value, 0) * (2 / density.length);
const counts = (graph: Graph, selfLoops = false) =>
  knownSpectrum(graph, "all", selfLoops).eigenvalues.map(({ eigenvalue, count }) => [eigenvalue, count]);

describe("known eigenvalues", () => {
  it("of graphs whose spectrum is all known", () => {
    expect(counts(edgeless(0))).toEqual([]);
    expect(counts(edgeless(3))).toEqual([[0, 3]]);
    expect(counts(edgeless(3), true)).toEqual([[1, 3]]);
    expect(counts(path(2))).toEqual([
      [-1, 1],
      [1, 1],
    ]);
    expect(counts(star(5))).toEqual([
      [-1, 1],
      [0, 4],
      [1, 1],
    ]);
    expect(counts(complete(5))).toEqual([
      [-1 / 4, 4],
      [1, 1],
    ]);
    expect(counts(completeBipartite(3, 4))).toEqual([
      [-1, 1],
      [0, 5],
      [1, 1],
    ]);
    expect(counts(complete(4), true)).toEqual([
      [0, 3],
      [1, 1],
    ]);
  });

  it("two nodes with nothing but a self-loop are counted once each", () => {
    const { graph } = buildGraph({ nodeCount: 3, sources: [0, 1], targets: [0, 1] });
    expect(counts(graph)).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it("tells leaves, open twins and clique twins apart", () => {
    const kinds = (graph: Graph) => knownSpectrum(graph, "all", false).eigenvalues.map((e) => e.kinds);
    expect(kinds(star(3))).toContainEqual({ leaves: 2 });
    expect(kinds(completeBipartite(2, 3))).toContainEqual({ "open twins": 3 });
    expect(kinds(complete(3))).toContainEqual({ "clique twins": 2 });
  });

  it("occur in the dense spectrum at least as often as they are counted", () => {
    const light = edgeInputs.map((input) => ({
      ...input,
      weights: input.weights?.map((w) => (w > 1e100 ? 3 : w < 1e-100 ? 0.25 : w)) ?? null,
    }));
    fc.assert(
      fc.property(light, fc.boolean(), (input, selfLoops) => {
        const { graph } = buildGraph(input);
        const all = eigenvalues(graph, selfLoops);
        for (const { eigenvalue, count } of knownSpectrum(graph, "all", selfLoops).eigenvalues)
          expect(all.filter((value) => Math.abs(value - eigenvalue) < 1e-7).length).toBeGreaterThanOrEqual(
            count,
          );
      }),
      { numRuns: 300 },
    );
  });

  it("add up from the nodes, for any weights", () => {
    fc.assert(
      fc.property(
        edgeInputs,
        fc.boolean(),
        fc.constantFrom<MotifFilter>("all", "paper"),
        (input, selfLoops, filter) => {
          const { graph } = buildGraph(input);
          const known = knownSpectrum(graph, filter, selfLoops);
          let local = 0;
          for (let i = 0; i < graph.nodeCount; i++)
            for (const { at, mass } of known.localAtoms(i)) {
              expect(Math.abs(at)).toBeLessThanOrEqual(1);
              local += mass;
            }
          expect(local).toBeCloseTo(
            known.eigenvalues.reduce((sum, { count }) => sum + count, 0),
            9,
          );
        },
      ),
    );
  });
});

describe("the spectrum of a graph", () => {
  it.each([
    ["no nodes", () => edgeless(0)],
    ["one node", () => edgeless(1)],
    ["two nodes", () => path(2)],
    ["no edges", () => edgeless(7)],
    ["a star", () => star(6)],
    ["a clique", () => complete(6)],
  ])("%s: all atoms, nothing smooth, finite numbers", (_, make) => {
    const graph = make();
    const spectrum = exact(graph);
    expect(spectrum.density.every((value) => value === 0)).toBe(true);
    const mass = spectrum.atoms.reduce((sum, atom) => sum + atom.mass, 0);
    expect(mass).toBeCloseTo(graph.nodeCount > 0 ? 1 : 0, 12);
    expect([...spectrum.cdf, ...spectrum.histogram.share].every(Number.isFinite)).toBe(true);
  });

  it("density is the mean over each bin of Jackson's kernel at the eigenvalues that are not atoms", () => {
    const graph = barabasiAlbert(40, 2, 3);
    const spectrum = exact(graph, { bins: 50 });
    const rest = Array.from(eigenvalues(graph));
    for (const { eigenvalue, count } of spectrum.atoms)
      for (let k = 0; k < count; k++)
        rest.splice(
          rest.findIndex((value) => Math.abs(value - eigenvalue) < 1e-8),
          1,
        );
    const M = 40;
    const jackson = (m: number) => {
      const a = Math.PI / (M + 2);
      return ((M + 2 - m) * Math.cos(m * a) + Math.sin(m * a) / Math.tan(a)) / (M + 2);
    };
    const kernel = (x: number, value: number) => {
      let sum = 1;
      for (let m = 1; m <= M; m++)
        sum += 2 * jackson(m) * Math.cos(m * Math.acos(x)) * Math.cos(m * Math.acos(value));
      return sum / (Math.PI * Math.sqrt(1 - x * x));
    };
    for (const b of [5, 17, 25, 33]) {
      let mean = 0;
      for (let k = 0; k < 200; k++)
        for (const value of rest) mean += kernel(-1 + (b + (k + 0.5) / 200) * 0.04, value) / 200 / 40;
      expect(spectrum.density[b]).toBeCloseTo(mean, 4);
    }
  });

  it("density, atoms, cumulative share and histogram hold the same whole mass", () => {
    for (const [graph, filter] of [
      [barabasiAlbert(200, 1, 1), "all"],
      [barabasiAlbert(200, 1, 1), "paper"],
      [barabasiAlbert(200, 1, 1), "none"],
      [erdosRenyi(100, 0.02, 2), "all"],
      [path(9), "all"],
    ] as const) {
      const spectrum = exact(graph, { filter });
      const mass = spectrum.atoms.reduce((sum, atom) => sum + atom.mass, 0);
      expect(smoothMass(spectrum) + mass).toBeCloseTo(1, 10);
      expect(spectrum.histogram.share.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
      expect(Math.min(...spectrum.density)).toBeGreaterThan(-1e-9);
      for (let b = 1; b < spectrum.cdf.length; b++)
        expect(spectrum.cdf[b]).toBeGreaterThan(spectrum.cdf[b - 1] - 1e-9);
      expect(spectrum.cdf[0]).toBeGreaterThanOrEqual(0);
      expect(spectrum.atoms.length === 0).toBe(filter === "none");
    }
  });

  it("rejects a profile of another graph", () => {
    expect(() =>
      graphSpectrum(path(3), exactProfile(path(4), { moments: 4, kernels }), { name: "g" }),
    ).toThrow("a profile of 4 nodes, expected the 3 of g");
  });
});

describe("the error of a sampled density", () => {
  const graph = barabasiAlbert(300, 2, 8);
  const TRIALS = 120;

  /** Observed deviation of the density over the trials, and the mean of the stated errors, a few bins. */
  async function trials(make: (seed: number) => Promise<GraphSpectrum>) {
    const truth = exact(graph, { bins: 40 });
    const runs: GraphSpectrum[] = [];
    for (let seed = 1; seed <= TRIALS; seed++) runs.push(await make(seed));
    return Array.from({ length: 40 }, (_, b) => ({
      observed: Math.sqrt(
        runs.reduce((sum, run) => sum + (run.density[b] - truth.density[b]) ** 2, 0) / TRIALS,
      ),
      stated: runs.reduce((sum, run) => sum + run.densityError![b], 0) / TRIALS,
      bias: runs.reduce((sum, run) => sum + run.density[b] - truth.density[b], 0) / TRIALS,
    }));
  }

  it("probes: bounds the observed deviation, and not by far", async () => {
    const bins = await trials(async (seed) => {
      const options = { moments: 40, probes: 8, seed, nodes: false };
      const profile = await probeProfile(graph, inlineRunner(kernels), options);
      return graphSpectrum(graph, profile, { name: "g", bins: 40 });
    });
    for (const { observed, stated } of bins) expect(observed).toBeLessThan(1.25 * stated);
    for (const { observed, stated } of bins.slice(4, 36)) expect(observed).toBeGreaterThan(0.6 * stated);
  });

  it("sample: is the observed deviation, without bias", async () => {
    const bins = await trials(async (seed) => {
      const profile = await sampleProfile(graph, inlineRunner(kernels), { moments: 40, sample: 60, seed });
      return graphSpectrum(graph, profile, { name: "g", bins: 40 });
    });
    for (const { observed, stated, bias } of bins) {
      expect(observed).toBeLessThan(1.35 * stated);
      expect(observed).toBeGreaterThan(stated / 1.35);
      expect(Math.abs(bias)).toBeLessThan((5 * stated) / Math.sqrt(TRIALS));
    }
  });

  it("sampled spectra keep the whole mass and the exact atoms", async () => {
    const profile = await sampleProfile(graph, inlineRunner(kernels), { moments: 40, sample: 30, seed: 1 });
    const spectrum = graphSpectrum(graph, profile, { name: "g" });
    const mass = spectrum.atoms.reduce((sum, atom) => sum + atom.mass, 0);
    expect(smoothMass(spectrum) + mass).toBeCloseTo(1, 10);
    expect(spectrum.atoms).toEqual(exact(graph).atoms);
    expect(spectrum.standardError).not.toBeNull();
  });
});

describe("the distance of two spectra", () => {
  it("of atoms is the distance by hand", () => {
    // K3: 1, −1/2, −1/2; K2: 1, −1. Quantile functions differ by 1/2 on (0, 1/2), by 3/2 on (1/2, 2/3).
    expect(spectralDistance(exact(complete(3)), exact(path(2)))).toBeCloseTo(0.25 + 0.25, 6);
    expect(spectralDistance(exact(edgeless(4)), exact(edgeless(9)))).toBe(0);
    expect(spectralDistance(exact(edgeless(1)), exact(path(2)))).toBeCloseTo(1, 12);
  });

  it("is zero for copies and symmetric, and obeys the triangle inequality", () => {
    const [a, b, c] = [cycle(30), path(30), barabasiAlbert(50, 2, 1)].map((graph) => exact(graph));
    expect(spectralDistance(a, a)).toBe(0);
    expect(spectralDistance(a, b)).toBe(spectralDistance(b, a));
    expect(spectralDistance(a, c)).toBeLessThanOrEqual(spectralDistance(a, b) + spectralDistance(b, c));
    expect(spectralDistance(a, c)).toBeGreaterThan(0.05);
  });
});
