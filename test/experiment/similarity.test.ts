import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Kernels } from "../../src/compute/kernels.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { type ComparedGraph, nodeGaps } from "../../src/experiment/similarity.js";
import { buildGraph } from "../../src/graph/build.js";
import { barabasiAlbert, cycle, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { computeProfiles, inlineExecutor } from "../../src/index.js";
import { cumulativeAt } from "../../src/spectrum/density.js";
import { exactProfile } from "../../src/spectrum/exact.js";
import { edgeInputs } from "../graph/arbitrary.js";

let kernels: Kernels;
beforeAll(async () => {
  kernels = await loadKernels();
});

const compared = (graph: Graph, moments = 30): ComparedGraph => ({
  name: "graph",
  graph,
  profile: exactProfile(graph, { moments, kernels }),
  nodeIds: null,
});

const edgeless = (nodeCount: number) => buildGraph({ nodeCount, sources: [], targets: [] }).graph;

/** Both graphs side by side, not joined. */
function union(a: Graph, b: Graph): Graph {
  const [sources, targets]: [number[], number[]] = [[], []];
  const add = (graph: Graph, shift: number) =>
    graph.forEachEdge((i, j) => {
      sources.push(i + shift);
      targets.push(j + shift);
    });
  add(a, 0);
  add(b, a.nodeCount);
  return buildGraph({ nodeCount: a.nodeCount + b.nodeCount, sources, targets }).graph;
}

/** Every node against every node, by the cumulative densities at the ends of the bins. */
function bruteForce(a: ComparedGraph, b: ComparedGraph, bins: number): number[] {
  const ends = Array.from({ length: bins }, (_, k) => -1 + (2 * (k + 1)) / bins);
  const rows = ({ graph, profile }: ComparedGraph) =>
    Array.from({ length: graph.nodeCount }, (_, i) => cumulativeAt(profile.nodeMoments(i), "jackson", ends));
  const other = rows(b);
  return rows(a).map((own) =>
    Math.min(
      ...other.map((row) => own.reduce((sum, value, k) => sum + Math.abs(value - row[k]), 0) * (2 / bins)),
    ),
  );
}

describe("gaps between the nodes of two graphs", () => {
  it("no nodes, one node, no edges", () => {
    const [none, one, two] = [0, 1, 2].map((n) => compared(edgeless(n)));
    expect(nodeGaps(none, one)).toMatchObject({ first: [], second: [] });
    expect(nodeGaps(one, none)).toMatchObject({ first: [], second: [] });
    // isolated nodes are all alike
    expect(nodeGaps(one, two)).toMatchObject({ first: [], second: [] });
    // mass at 0 against mass at ±1, each blurred by the damping
    const { first, second } = nodeGaps(compared(path(2), 200), compared(edgeless(1), 200));
    expect(first).toHaveLength(1);
    expect(first[0]).toMatchObject({ node: "0", degree: 1, alike: 2, nearest: { node: "0", degree: 0 } });
    expect(first[0].gap).toBeGreaterThan(0.97);
    expect(first[0].gap).toBeLessThan(1);
    expect(second[0].gap).toBeCloseTo(first[0].gap, 12);
  });

  it("profiles of sums over the nodes are refused: no node of theirs could differ", async () => {
    const graph = barabasiAlbert(40, 2, 7);
    const [profile] = await computeProfiles([graph], { moments: 30, nodes: false }, inlineExecutor());
    const sums = { ...compared(graph), name: "sums", profile };
    const whole = compared(star(5));
    for (const pair of [[sums, whole] as const, [whole, sums] as const])
      expect(() => nodeGaps(...pair)).toThrow("the profile of sums has sums over its nodes");
  });

  it("a graph with its nodes in another order has no gaps", () => {
    const graph = barabasiAlbert(40, 2, 7);
    const [sources, targets]: [number[], number[]] = [[], []];
    graph.forEachEdge((i, j) => {
      sources.push((i * 7 + 3) % 40);
      targets.push((j * 7 + 3) % 40);
    });
    const other = buildGraph({ nodeCount: 40, sources, targets }).graph;
    expect(nodeGaps(compared(graph), compared(other))).toMatchObject({ first: [], second: [] });
  });

  it("a part that only one graph has is all that is found, its like nodes once", () => {
    const common = star(5);
    const { first, second } = nodeGaps(compared(union(common, cycle(5))), compared(common));
    expect(second).toEqual([]);
    expect(first.map(({ node, degree, alike }) => [node, degree, alike])).toEqual([["6", 2, 5]]);
  });

  it("are those of all pairs of nodes, largest first", () => {
    const graphs = edgeInputs.map((input) => {
      const weights = input.weights?.map((w) => (w > 1e3 || w < 1e-3 ? 1 : w)) ?? null;
      return buildGraph({ ...input, weights }).graph;
    });
    fc.assert(
      fc.property(graphs, graphs, (x, y) => {
        const [a, b] = [compared(x), compared(y)];
        const { first, grid } = nodeGaps(a, b, { count: 100 });
        const brute = bruteForce(a, b, grid.length);
        for (let k = 1; k < first.length; k++) expect(first[k].gap).toBeLessThan(first[k - 1].gap + 1e-8);
        for (const { index, gap } of first) expect(gap).toBeCloseTo(brute[index], 9);
        // alike nodes are counted, none is lost
        const nodes = first.reduce((sum, { alike }) => sum + alike, 0);
        expect(nodes).toBe(brute.filter((gap) => gap > 1e-8).length);
      }),
      { numRuns: 60 },
    );
  });

  it("are few when few are asked for, and named as the file names the nodes", () => {
    const a = {
      ...compared(barabasiAlbert(60, 2, 1)),
      nodeIds: Array.from({ length: 60 }, (_, i) => `n${i}`),
    };
    const { first, second } = nodeGaps(a, compared(path(12)), { count: 3 });
    expect(first).toHaveLength(3);
    expect(second).toHaveLength(3);
    for (const { node, index } of first) expect(node).toBe(`n${index}`);
    for (const { nearest } of second) expect(nearest.node).toBe(`n${nearest.index}`);
  });

  it("refuses profiles of different lengths", () => {
    expect(() => nodeGaps(compared(path(3), 10), compared(path(3), 20))).toThrow(/10 and 20 moments/);
  });
});
