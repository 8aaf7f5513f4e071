import { beforeAll, describe, expect, it } from "vitest";
import type { Kernels } from "../../src/compute/kernels.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { buildGraph } from "../../src/graph/build.js";
import { barabasiAlbert, erdosRenyi, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import type { ProbeOptions } from "../../src/spectrum/probe-options.js";
import { ProbeEstimation, probeProfile } from "../../src/spectrum/probes.js";
import type { SpectralProfile } from "../../src/spectrum/profile.js";
import { chooseEstimator, type ProfileOptions } from "../../src/spectrum/profiles.js";
import { sampleProfile } from "../../src/spectrum/sample.js";
import { inlineRunner } from "../../src/spectrum/step-runner.js";
import { itAtSize } from "../at-size.js";
import { momentsByEigenvectors } from "./moments-oracle.js";

let kernels: Kernels;
beforeAll(async () => {
  kernels = await loadKernels();
});

const M = 12;
const probe = (graph: Graph, options: ProbeOptions) =>
  probeProfile(graph, inlineRunner(kernels), { moments: M, ...options });

/** Leaves, cliques, a long tail, loops, an isolated node: everything that filters act on. */
function motley(weighted = false): Graph {
  const edges: [number, number][] = [];
  barabasiAlbert(30, 2, 4).forEachEdge((i, j) => edges.push([i, j]));
  for (let leaf = 30; leaf < 38; leaf++) edges.push([0, leaf]);
  for (let a = 38; a < 43; a++) for (let b = 38; b < a; b++) edges.push([a, b]);
  edges.push([38, 1], [7, 7], [43, 30]);
  return buildGraph({
    nodeCount: 45,
    sources: edges.map(([i]) => i),
    targets: edges.map(([, j]) => j),
    weights: weighted ? edges.map(([i, j]) => 1 + ((i * j) % 3)) : null,
  }).graph;
}

const sum = (rows: number[][], m: number) => rows.reduce((total, row) => total + row[m], 0);
const cases: [string, Graph, boolean][] = [
  ["a motley graph", motley(), false],
  ["a motley graph with A + I", motley(), true],
  ["a weighted graph", motley(true), false],
  ["a weighted graph with A + I", motley(true), true],
];

describe.each(cases)("probes on %s", (_, graph, selfLoops) => {
  const exact = momentsByEigenvectors(graph, M, selfLoops);

  it.each([
    ["all", "rademacher"],
    ["paper", "rademacher"],
    ["none", "rademacher"],
    ["all", "gaussian"],
    ["none", "gaussian"],
  ] as const)("filter %s, %s: trace and nodes within five standard errors", async (filter, distribution) => {
    const profile = await probe(graph, { probes: 400, filter, distribution, selfLoops, seed: 5 });
    const { trace, rows } = profile.standardError!;
    let outside = 0;
    for (let m = 0; m <= M; m++) {
      const error = Math.abs(profile.trace[m] - sum(exact, m));
      expect(error).toBeLessThanOrEqual(5 * trace![m] + 1e-9);
      for (let i = 0; i < graph.nodeCount; i++) {
        const at = profile.rowOf[i] * (M + 1) + m;
        if (Math.abs(profile.rows[at] - exact[i][m]) > 4 * rows![at] + 1e-9) outside++;
      }
    }
    // about 6 in 100,000 of normal estimates lie outside; those of few distinct values somewhat more
    expect(outside).toBeLessThan(0.005 * graph.nodeCount * M);
  });

  it("the trace alone, by doubling, agrees too", async () => {
    const profile = await probe(graph, { probes: 400, nodes: false, selfLoops });
    expect(profile.rowCount).toBe(0);
    for (let m = 0; m <= M; m++)
      expect(Math.abs(profile.trace[m] - sum(exact, m))).toBeLessThanOrEqual(
        5 * profile.standardError!.trace![m] + 1e-9,
      );
  });

  it("a sample of all nodes is exact", async () => {
    const profile = await sampleProfile(graph, inlineRunner(kernels), {
      moments: M,
      sample: 1000,
      selfLoops,
    });
    for (let i = 0; i < graph.nodeCount; i++)
      for (let m = 0; m <= M; m++) expect(profile.nodeMoments(i)[m]).toBeCloseTo(exact[i][m], 10);
    for (let m = 0; m <= M; m++) expect(profile.trace[m]).toBeCloseTo(sum(exact, m), 9);
    expect(profile.standardError!.trace!.every((e) => e < 1e-12)).toBe(true);
  });
});

describe("the motif filter", () => {
  it("leaves the even moments of a star no random mass", async () => {
    const profile = await probe(star(50), { probes: 4, filter: "all" });
    // eigenvalues 1, −1 and 49 times 0; the quotient is the matrix (0 1; 1 0), whose even moments have no off-diagonal part
    for (let m = 0; m <= M; m += 2) {
      expect(profile.trace[m]).toBeCloseTo(2 + 49 * (-1) ** (m / 2), 9);
      expect(profile.standardError!.trace![m]).toBeLessThan(1e-9);
    }
  });

  it("lowers the standard error on a graph full of twins", async () => {
    // a ring of 20 hubs, each with 10 leaves
    const sources = Array.from({ length: 220 }, (_, k) => k % 20);
    const targets = Array.from({ length: 220 }, (_, k) => (k < 20 ? (k + 1) % 20 : k));
    const { graph } = buildGraph({ nodeCount: 220, sources, targets });
    const errors = async (filter: "all" | "paper" | "none") =>
      (await probe(graph, { probes: 200, filter })).standardError!.trace!;
    const [all, paper, none] = [await errors("all"), await errors("paper"), await errors("none")];
    expect(all[4]).toBeLessThan(0.7 * none[4]);
    // its only twins are dangling ones, eigenvalue 0, which are among the paper's
    expect(paper).toEqual(all);
  });
});

const bytes = (profile: SpectralProfile) =>
  new Uint8Array(profile.buffer as ArrayBuffer, profile.byteOffset, profile.byteLength).slice();

describe("a ProbeEstimation", () => {
  const graph = motley();
  const start = (options: ProbeOptions) =>
    new ProbeEstimation(graph, inlineRunner(kernels), { moments: M, keepVectors: true, ...options });

  it.each([true, false])(
    "gives the same bits when probes are added in two goes (nodes: %s)",
    async (nodes) => {
      const first = await start({ probes: 6, nodes }).refine();
      await first.addProbes(7);
      const refined = first.profile();
      const whole = await probe(graph, { probes: 13, nodes });
      expect(refined.trace).toEqual(whole.trace);
      expect(refined.standardError!.trace).toEqual(whole.standardError!.trace);
      expect(refined.rows.length).toBe(whole.rows.length);
      for (let k = 0; k < whole.rows.length; k++) expect(refined.rows[k]).toBeCloseTo(whole.rows[k], 12);
    },
  );

  it.each([true, false])("gives the same bits when moments are added later (nodes: %s)", async (nodes) => {
    const first = await start({ probes: 10, moments: 7, nodes }).refine();
    await first.addMoments(M);
    expect(bytes(first.profile())).toEqual(bytes(await probe(graph, { probes: 10, nodes })));
  });

  it("adds probes until the tolerance holds, and says when the cap came first", async () => {
    const profile = await probe(graph, { probes: 4, tolerance: 0.01 });
    expect(Math.max(...profile.standardError!.trace!) / graph.nodeCount).toBeLessThanOrEqual(0.01);
    expect(profile.estimator.detail.probes).toBeGreaterThan(4);
    const capped = await probe(graph, { probes: 4, tolerance: 1e-9, maxProbes: 20 });
    expect(capped.estimator.reason).toContain("the tolerance 1e-9 was not met: the standard error is");
  });

  it("is what auto takes for a tolerance where exact moments take too long, with nodes and without", () => {
    const large = barabasiAlbert(20_000, 6, 5);
    const choice = (options: ProfileOptions) => chooseEstimator(large, options).name;
    expect(choice({ nodes: true })).toBe("sample");
    for (const nodes of [true, false]) expect(choice({ nodes, tolerance: 0.1 })).toBe("probes");
    expect(chooseEstimator(graph, { nodes: true, tolerance: 0.1 }).name).toBe("exact");
  });

  it.each([true, false])(
    "takes no more memory for more probes, however many a tolerance needs (nodes: %s)",
    async (nodes) => {
      const { arena } = kernels;
      const estimation = await new ProbeEstimation(graph, inlineRunner(kernels), {
        moments: M,
        nodes,
      }).refine();
      const taken = arena.mark();
      await estimation.addProbes(500);
      expect(arena.mark()).toBe(taken);
    },
  );

  it("keeps vectors only of probes that run here", () => {
    expect(
      () =>
        new ProbeEstimation(graph, inlineRunner(kernels), { keepVectors: true }, () => Promise.resolve([])),
    ).toThrow("vectors of probes that run elsewhere cannot be kept");
  });
});

describe("the same seed", () => {
  it("gives the same bits by WASM and by its twin, another seed others", async () => {
    for (const graph of [motley(), motley(true)]) {
      const options = { moments: M, probes: 11, seed: 3 };
      const wasm = bytes(await probeProfile(graph, inlineRunner(kernels), options));
      expect(bytes(await probeProfile(graph, inlineRunner(typescriptKernels()), options))).toEqual(wasm);
      expect(bytes(await probeProfile(graph, inlineRunner(kernels), { ...options, seed: 4 }))).not.toEqual(
        wasm,
      );
    }
  });
});

describe("single precision", () => {
  it.each([
    ["a pattern", motley(), false],
    ["A + I", motley(), true],
    ["weights", motley(true), false],
  ])("agrees with double precision to its rounding, for %s", async (_, graph, selfLoops) => {
    const options = { probes: 21, nodes: false, selfLoops };
    const double = await probe(graph, options);
    const single = await probe(graph, { ...options, float32: true });
    for (let m = 0; m <= M; m++)
      expect(Math.abs(single.trace[m] - double.trace[m])).toBeLessThan(2e-5 * graph.nodeCount);
    expect(single.trace).not.toEqual(double.trace);
  });

  it("gives the same bits by WASM and by its twin", async () => {
    for (const graph of [motley(), motley(true)]) {
      const options = { moments: M, probes: 19, nodes: false, float32: true };
      expect(bytes(await probeProfile(graph, inlineRunner(typescriptKernels()), options))).toEqual(
        bytes(await probeProfile(graph, inlineRunner(kernels), options)),
      );
    }
  });

  it("is refused where the moments of single nodes are wanted", async () => {
    await expect(probe(motley(), { float32: true })).rejects.toThrow(
      "float32: single precision is for the sums over all nodes",
    );
  });
});

describe("intervals in 1000 seeded trials", () => {
  const graph = erdosRenyi(60, 0.08, 2);
  const exact = momentsByEigenvectors(graph, 6);
  const moment = 4;
  const truth = sum(exact, moment);
  const trial = {
    probes: (seed: number) => probe(graph, { moments: 6, probes: 40, nodes: false, seed }),
    sample: (seed: number) => sampleProfile(graph, inlineRunner(kernels), { moments: 6, sample: 30, seed }),
  };
  itAtSize.each(["probes", "sample"] as const)(
    "%s: the 95 %% interval covers the truth in 92 to 98 %%, none is beyond 4 errors",
    async (name) => {
      // Student's t at 39 and 29 degrees of freedom
      const quantile = name === "probes" ? 2.023 : 2.045;
      let covered = 0;
      let far = 0;
      for (let seed = 0; seed < 1000; seed++) {
        const profile = await trial[name](seed);
        const errors = Math.abs(profile.trace[moment] - truth) / profile.standardError!.trace![moment];
        if (errors <= quantile) covered++;
        if (errors > 4) far++;
      }
      expect(covered).toBeGreaterThanOrEqual(920);
      expect(covered).toBeLessThanOrEqual(980);
      expect(far).toBe(0);
    },
  );
});

describe("bad options", () => {
  it.each([
    [{ moments: 0 }, "moments: got 0, expected a whole number of at least 1"],
    [{ moments: -3 }, "moments: got -3"],
    [{ tolerance: 0 }, "tolerance: got 0, expected a number above 0"],
    [{ probes: 1 }, "probes: got 1, expected a whole number of at least 2"],
    [{ probes: 1e12 }, "probes and 12 moments for"],
  ])("%j", async (options, sentence) => {
    await expect(probe(path(100), options)).rejects.toThrow(sentence);
  });

  it("says how much memory too many probes would need, before it starts", async () => {
    await expect(probe(path(100), { probes: 1e9, keepVectors: false })).rejects.toThrow(
      /need \d+\.\d GiB, the limit is 4\.0 GiB/,
    );
  });
});

describe("degenerate graphs", () => {
  it.each([1, 2, 5])("%d isolated nodes have the moments of eigenvalue 0", async (n) => {
    const { graph } = buildGraph({ nodeCount: n, sources: [], targets: [] });
    for (const filter of ["all", "none"] as const) {
      const profile = await probe(graph, { probes: 3, filter });
      for (let m = 0; m <= M; m++) expect(profile.trace[m]).toBeCloseTo(n * Math.cos((m * Math.PI) / 2), 9);
    }
  });
});
