/** Kernels that are no function of a distance, and labels and attributes in those that are: by hand and by brute force. */
import { afterAll, describe, expect, test } from "vitest";
import { Fgsd } from "../../src/baseline/fgsd.js";
import { ShortestPath } from "../../src/baseline/shortest-path.js";
import { normaliseGram, sparseDiagonal, sparseGram } from "../../src/baseline/sparse-counts.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { buildGraph } from "../../src/graph/build.js";
import { cycle, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import type { KernelInput } from "../../src/kernel/part.js";
import { fitKernel, kernelByName, kernelDistances, kernelGram } from "../../src/kernel/registry.js";
import { profileMany } from "../../src/spectrum/exact.js";
import { denseNormalised } from "../../src/spectrum/operator.js";
import { built } from "../built.js";
import { context, executor, inputOf, largestDifference, randomGraphs } from "./helpers.js";

const { threadExecutor } =
  await built<typeof import("../../src/node/worker-threads.js")>("node/worker-threads");
const threads = threadExecutor(2);
afterAll(() => threads.close());

function labelled(
  edges: readonly (readonly [number, number])[],
  labels: number[],
  attributes: number[] | null = null,
): Graph {
  return buildGraph({
    nodeCount: labels.length,
    sources: edges.map(([i]) => i),
    targets: edges.map(([, j]) => j),
    labels,
    attributes: attributes && { values: attributes, dimension: attributes.length / labels.length },
  }).graph;
}

async function gram(name: string, graphs: readonly Graph[], options = {}, input?: KernelInput) {
  const fitted = await fitKernel(kernelByName(name), input ?? { graphs }, options, context);
  const distances = await kernelDistances(fitted, { executor });
  return { values: kernelGram(fitted, distances).gram.values, distances, fitted };
}

const edge = labelled([[0, 1]], [1, 2]);
const path = labelled(
  [
    [0, 1],
    [1, 2],
  ],
  [1, 2, 1],
);

describe("by hand", () => {
  test("counts of labels: 1·2 + 1·1 = 3 of √2·√5, and 2 of √2·√3 in common", async () => {
    const wl = await gram("wl", [edge, path], { iterations: 0 });
    expect(wl.values[1]).toBeCloseTo(3 / Math.sqrt(10), 14);
    expect(wl.distances[0].kind).toBe("similarities");
    const assignment = await gram("wl-oa", [edge, path], { iterations: 0 });
    expect(assignment.values[1]).toBeCloseTo(2 / Math.sqrt(6), 14);
  });

  test("radial forms: the distance of unit vectors, and of the counts as they are", async () => {
    const unit = await gram("wl", [edge, path], { iterations: 0, form: "radial" });
    expect(unit.distances[0].values[1]).toBeCloseTo(Math.sqrt(2 - 6 / Math.sqrt(10)), 14);
    expect(unit.values[1]).toBeCloseTo(Math.exp(-1), 14);
    const raw = await gram("wl", [edge, path], { iterations: 0, form: "radial-counts" });
    expect(raw.distances[0].values[1]).toBeCloseTo(Math.sqrt(2 + 5 - 6), 14);
  });

  test("graphs without any pattern are alike, and unlike all others", async () => {
    const bare = [labelled([], [1]), labelled([], [1, 1])];
    const { values } = await gram("sp", [...bare, edge]);
    expect(Array.from(values)).toEqual([1, 1, 0, 1, 1, 0, 0, 0, 1]);
  });

  test("unlabelled walks of regular graphs are those of their degree: n and n·dᵏ", async () => {
    const { values } = await gram("rw", [cycle(5), cycle(8)]);
    expect(values[1]).toBeCloseTo(1, 12);
    const other = await gram("rw", [cycle(5), star(3)]);
    expect(other.values[1]).toBeLessThan(1 - 1e-6);
  });
});

test("labelled walks equal the series over the product graph", async () => {
  const graphs = [
    labelled(
      [
        [0, 1],
        [1, 2],
        [2, 0],
        [2, 3],
      ],
      [0, 1, 0, 1],
    ),
    labelled(
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ],
      [1, 0, 1, 1, 0],
    ),
    path,
  ];
  const { values, fitted } = await gram("rw", graphs, { share: 0.6 });
  const lambda = (fitted.parts[0].state().values.root as number) ** 2;
  const walks = (a: Graph, b: Graph) => {
    const nodes: [number, number][] = [];
    for (let i = 0; i < a.nodeCount; i++)
      for (let j = 0; j < b.nodeCount; j++) if (a.labels![i] === b.labels![j]) nodes.push([i, j]);
    let x = nodes.map(() => 1);
    let sum = 0;
    for (let k = 0; k < 400; k++) {
      sum += x.reduce((s, v) => s + v, 0);
      x = nodes.map(([i, j]) =>
        nodes.reduce((s, [p, q], at) => s + lambda * a.weight(i, p) * b.weight(j, q) * x[at], 0),
      );
    }
    return sum;
  };
  const n = graphs.length;
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const [a, b] = [graphs[i], graphs[j]];
      expect(values[i * n + j]).toBeCloseTo(walks(a, b) / Math.sqrt(walks(a, a) * walks(b, b)), 9);
    }
});

describe("counting on workers", () => {
  const graphs = randomGraphs(40, 11, 15, 30);

  test.each([
    ["sp", new ShortestPath()],
    ["fgsd", new Fgsd()],
  ] as const)("%s gives what one vectoriser gives", async (name, vectoriser) => {
    const features = vectoriser.fit(graphs);
    const diagonal = sparseDiagonal(features);
    const expected = normaliseGram(sparseGram(features, features), diagonal, diagonal);
    const { values } = await gram(name, graphs, { form: "linear" });
    expect(largestDifference(values, expected)).toBeLessThan(1e-14);
  });

  test.each(["sp", "graphlet", "fgsd", "netlsd", "slaq", "rw"])(
    "%s: the same bits with threads",
    async (name) => {
      const marked = graphs.map((graph) => {
        const edges: [number, number][] = [];
        graph.forEachEdge((i, j) => {
          edges.push([i, j]);
        });
        return labelled(
          edges,
          Array.from({ length: graph.nodeCount }, (_, i) => i % 3),
        );
      });
      const inline = await gram(name, marked);
      const fitted = await fitKernel(kernelByName(name), { graphs: marked }, {}, { executor: threads });
      const spread = kernelGram(fitted, await kernelDistances(fitted, { executor: threads }));
      expect(spread.gram.values).toEqual(inline.values);
    },
  );
});

describe("labels and attributes", () => {
  const graphs = [
    labelled(
      [
        [0, 1],
        [1, 2],
        [2, 0],
        [2, 3],
      ],
      [0, 1, 0, 1],
      [0, 1, 2, 5],
    ),
    labelled(
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
      [1, 0, 1, 7],
      [3, 1, 1, 0],
    ),
    labelled([[0, 1]], [0, 0], [2, 2]),
  ];
  const moments = 8;
  const returns = (graph: Graph) => {
    const n = graph.nodeCount;
    const A = denseNormalised(graph);
    let P = A.slice();
    const rows: number[][] = Array.from({ length: n }, () => []);
    for (let k = 1; k <= moments; k++) {
      for (let i = 0; i < n; i++) rows[i].push(P[i * n + i]);
      const next = new Float64Array(n * n);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++)
          for (let l = 0; l < n; l++) next[i * n + j] += P[i * n + l] * A[l * n + j];
      P = next;
    }
    return rows;
  };
  const all = graphs.flatMap((graph) => Array.from(graph.attributes!));
  const mean = all.reduce((s, x) => s + x, 0) / all.length;
  const deviation = Math.sqrt(all.reduce((s, x) => s + (x - mean) ** 2, 0) / all.length);
  const width = 0.3;
  const product = (a: Graph, b: Graph) => {
    const [x, y] = [returns(a), returns(b)];
    let sum = 0;
    for (let i = 0; i < a.nodeCount; i++)
      for (let j = 0; j < b.nodeCount; j++) {
        if (a.labels![i] !== b.labels![j]) continue;
        const square = x[i].reduce((s, v, k) => s + (v - y[j][k]) ** 2, 0);
        const apart = (a.attributes![i] - b.attributes![j]) / deviation;
        sum += Math.exp(-square / (2 * width ** 2) - apart ** 2 / 2);
      }
    return sum / (a.nodeCount * b.nodeCount);
  };

  test.each(["exact", "low-rank"])("ldos with both, %s, is the MMD of the product kernel", async (mmd) => {
    const kernels = await loadKernels();
    const input = { graphs, profiles: profileMany(graphs, { kernels, moments }) };
    const options = { mmd, width, labels: "nodes", attributes: "nodes", tolerance: 1e-6 };
    const { distances } = await gram("ldos", graphs, options, input);
    const n = graphs.length;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < i; j++) {
        const [a, b] = [graphs[i], graphs[j]];
        const expected = Math.sqrt(product(a, a) + product(b, b) - 2 * product(a, b));
        expect(Math.abs(distances[0].values[i * n + j] - expected)).toBeLessThan(1e-5);
      }
  });

  test("graphs that differ in labels alone are told apart by every kernel that uses them, and by none that does not", async () => {
    const twins = [
      labelled(
        [
          [0, 1],
          [1, 2],
        ],
        [0, 1, 0],
      ),
      labelled(
        [
          [0, 1],
          [1, 2],
        ],
        [0, 0, 1],
      ),
    ];
    const input = await inputOf(twins);
    for (const name of ["dos", "ldos", "retgk1", "retgk2", "sage"]) {
      const blind = await gram(name, twins, { labels: "none" }, input);
      expect(blind.distances[0].values[1], name).toBeLessThan(1e-7);
      const seeing = await gram(name, twins, { labels: "nodes" }, input);
      expect(seeing.distances[0].values[1], name).toBeGreaterThan(0.1);
    }
  });

  test("a graph without labels is refused by name when the fit had them", async () => {
    const input = await inputOf([edge, path]);
    const { fitted } = await gram("ldos", [edge, path], { labels: "nodes" }, input);
    const bare = { ...(await inputOf([cycle(4)])), nameOf: () => "thread 7" };
    await expect(fitted.parts[0].embed(bare, context)).rejects.toThrow("thread 7");
  });
});
