/** Large and extreme graphs against closed forms of their spectra; `npm run bench -- awkward` has them at 10^6 nodes, with time and memory. */
import { describe, expect, it } from "vitest";
import { inlineExecutor } from "../../src/compute/executor.js";
import { buildGraph } from "../../src/graph/build.js";
import { complete, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import type { SpectralProfile } from "../../src/spectrum/profile.js";
import { computeProfiles, type EstimatorChoice } from "../../src/spectrum/profiles.js";

const MOMENTS = 30;
const executor = inlineExecutor();

async function profileOf(graph: Graph, estimator: EstimatorChoice = "auto", nodes = false) {
  const [profile] = await computeProfiles(
    [graph],
    { moments: MOMENTS, estimator, nodes, probes: 16 },
    executor,
  );
  return profile;
}

/** Finite, T_0 = n, every moment of the graph within [−n, n] and of a node within [−1, 1]. */
function checkBounds(profile: SpectralProfile, { nodeCount: n }: Graph): void {
  const slack = 1 + 1e-9;
  expect(profile.trace[0]).toBeCloseTo(n, 6);
  for (const moment of profile.trace) expect(Math.abs(moment)).toBeLessThanOrEqual(slack * n);
  for (const moment of profile.rows) expect(Number.isFinite(moment)).toBe(true);
  if (profile.standardError === null)
    for (const moment of profile.rows) expect(Math.abs(moment)).toBeLessThanOrEqual(slack);
}

const matching = (pairs: number) =>
  buildGraph({
    nodeCount: 2 * pairs,
    sources: Uint32Array.from({ length: pairs }, (_, k) => 2 * k),
    targets: Uint32Array.from({ length: pairs }, (_, k) => 2 * k + 1),
  }).graph;
const isolated = (nodeCount: number) => buildGraph({ nodeCount, sources: [], targets: [] }).graph;
/** Triangles and paths of three nodes, as many of each. */
function components(each: number): Graph {
  const sources: number[] = [];
  const targets: number[] = [];
  for (let k = 0; k < each; k++) {
    const first = 6 * k;
    sources.push(first, first + 1, first, first + 3, first + 4);
    targets.push(first + 1, first + 2, first + 2, first + 4, first + 5);
  }
  return buildGraph({ nodeCount: 6 * each, sources, targets }).graph;
}

const sign = (m: number) => (m % 2 === 0 ? 1 : -1);
/** T_m(x) for |x| <= 1. */
const chebyshev = (m: number, x: number) => Math.cos(m * Math.acos(x));

const CASES: [string, Graph, (m: number) => number][] = [
  ["a star of 10^6 leaves", star(1e6), (m) => 1 + sign(m) + (1e6 - 1) * chebyshev(m, 0)],
  ["10^6 isolated nodes", isolated(1e6), (m) => 1e6 * chebyshev(m, 0)],
  ["a matching of 20,000 nodes", matching(1e4), (m) => 1e4 * (1 + sign(m))],
  ["a complete graph of 500 nodes", complete(500), (m) => 1 + 499 * chebyshev(m, -1 / 499)],
  [
    "20,000 components",
    components(1e4),
    (m) => 1e4 * (1 + 2 * chebyshev(m, -1 / 2) + 1 + sign(m) + chebyshev(m, 0)),
  ],
];

describe.each(CASES)("%s", (_, graph, closed) => {
  it("has the moments of its closed form", async () => {
    const profile = await profileOf(graph);
    checkBounds(profile, graph);
    for (let m = 0; m <= MOMENTS; m++) {
      const error = profile.standardError?.trace?.[m] ?? 0;
      expect(Math.abs(profile.trace[m] - closed(m))).toBeLessThanOrEqual(1e-9 * graph.nodeCount + 6 * error);
    }
  });
});

describe("a path of 50,000 nodes", () => {
  const n = 50_000;
  const graph = path(n);

  it.each(["probes", "sample"] as const)(
    "has the moments of its closed form by %s, to their errors",
    async (estimator) => {
      const profile = await profileOf(graph, estimator, estimator === "sample");
      checkBounds(profile, graph);
      for (let m = 0; m <= MOMENTS; m++) {
        let closed = 0;
        for (let k = 0; k < n; k++) closed += Math.cos((m * Math.PI * k) / (n - 1));
        const error = profile.standardError!.trace![m];
        expect(Math.abs(profile.trace[m] - closed)).toBeLessThanOrEqual(6 * error + 1e-3 * n);
      }
    },
  );
});

describe("weights from 1e-300 to 1e300", () => {
  const n = 2000;
  const weightOf = (e: number) => 10 ** (((e * 7919) % 601) - 300);
  const edges = {
    path: Array.from({ length: n - 1 }, (_, i) => [i, i + 1]),
    star: Array.from({ length: n - 1 }, (_, i) => [0, i + 1]),
    matching: Array.from({ length: n / 2 }, (_, i) => [2 * i, 2 * i + 1]),
  };

  it.each(
    Object.entries(edges).flatMap(([name, list]) =>
      (["exact", "probes", "sample"] as const).map((by) => [name, by, list] as const),
    ),
  )("a %s has finite moments within bounds by %s", async (_, estimator, list) => {
    const { graph } = buildGraph({
      nodeCount: n,
      sources: list.map(([i]) => i),
      targets: list.map(([, j]) => j),
      weights: list.map((__, e) => weightOf(e)),
    });
    checkBounds(await profileOf(graph, estimator, true), graph);
  });
});
