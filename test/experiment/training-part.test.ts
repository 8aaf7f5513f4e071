/** What an evaluation gives its folds, looked at on the way to the executor. */
import { describe, expect, it } from "vitest";
import { type Executor, inlineExecutor } from "../../src/compute/executor.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { type Dataset, subset } from "../../src/data/dataset.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import { evaluate } from "../../src/experiment/evaluation.js";
import { type FoldUnit, foldTask } from "../../src/experiment/evaluation-unit.js";
import { knowsOption } from "../../src/experiment/kernel-run.js";
import { protocolByName } from "../../src/experiment/protocols.js";
import { buildGraph } from "../../src/graph/build.js";
import { complete, erdosRenyi } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import type { OptionValue } from "../../src/kernel/options.js";
import { KERNELS, type KernelSpec, kernelByName } from "../../src/kernel/registry.js";
import { stratifiedFolds } from "../../src/learn/folds.js";

/** The graph with two attributes a node, of about this size, and node labels from `lowest` on. */
function marked(graph: Graph, size: number, lowest: number): Graph {
  const sources: number[] = [];
  const targets: number[] = [];
  graph.forEachEdge((i, j) => {
    sources.push(i);
    targets.push(j);
  });
  const { nodeCount } = graph;
  const values = Array.from({ length: 2 * nodeCount }, (_, k) => size * Math.sin(7 * k + nodeCount));
  const labels = Array.from({ length: nodeCount }, (_, i) => lowest + (i % 3));
  return buildGraph({ nodeCount, sources, targets, labels, attributes: { values, dimension: 2 } }).graph;
}

const N = 30;
const base = subset(
  syntheticDataset("threads"),
  Array.from({ length: N }, (_, k) => k),
);
const set: Dataset = {
  ...base,
  graphs: base.graphs.map((_, g) => marked(erdosRenyi(6 + (g % 5), 0.4, g), 1, 5)),
};
const protocol = protocolByName("quick", { repeats: 1, folds: 3, inner: 2, Cs: [1] });
const { folds } = stratifiedFolds(base.classes!, { folds: 3, seed: protocol.seed, repeat: 0 });
const { train, test } = folds[1];
/** Other graphs in the test part of the second fold: dense, with attributes a hundred times as large and labels that the training part lacks. */
const others: Dataset = {
  ...set,
  graphs: set.graphs.map((graph, g) =>
    test.includes(g) ? marked(complete(12 + (g % 3)), 100, g % 9) : graph,
  ),
};

async function unitOf(
  dataset: Dataset,
  spec: KernelSpec,
  options: Record<string, OptionValue>,
  classifier: "svm" | "1nn" = "svm",
): Promise<FoldUnit> {
  const units: FoldUnit[] = [];
  const inline = inlineExecutor();
  const executor: Executor = {
    ...inline,
    map(task, inputs, control) {
      if (task.name === foldTask.name) units.push(...(inputs as unknown as FoldUnit[]));
      return inline.map(task, inputs, control);
    },
  };
  await evaluate(dataset, {
    kernels: [{ name: spec.name, options, grid: {} }],
    protocol: { ...protocol, classifier },
    profile: { moments: 12 },
    executor,
  });
  const found = units.filter((unit) => unit.test.join() === test.join());
  expect(found).toHaveLength(1);
  return found[0];
}

/** Of every matrix, what is between graphs of the training part. */
const among = ({ distances }: FoldUnit) =>
  distances.map(({ values }) => Array.from(train, (i) => Array.from(train, (j) => values[i * N + j])));

const options = (spec: KernelSpec) =>
  Object.fromEntries(
    Object.entries({ labels: "nodes", attributes: "nodes", mmd: "exact", walks: 20, features: 40 }).filter(
      ([name]) => knowsOption(spec, name) && !(spec.name.startsWith("retgk-mc") && name === "mmd"),
    ),
  ) as Record<string, OptionValue>;

describe("the training part of a fold", () => {
  it.each(KERNELS.filter(({ name }) => name !== "dgk").map((spec) => [spec.name, spec] as const))(
    "of %s has the same kernel values whatever the test graphs are",
    async (_name, spec) => {
      const given = options(spec);
      expect(among(await unitOf(others, spec, given))).toEqual(among(await unitOf(set, spec, given)));
    },
  );

  it("with landmarks, which see all graphs, within their tolerance", async () => {
    const given = { attributes: "nodes", mmd: "low-rank", tolerance: 1e-3 };
    const [a, b] = [
      await unitOf(set, kernelByName("ldos"), given),
      await unitOf(others, kernelByName("ldos"), given),
    ];
    const [first, second] = [among(a).flat(2), among(b).flat(2)];
    const exact = among(await unitOf(set, kernelByName("ldos"), { ...given, mmd: "exact" })).flat(2);
    exact.forEach((d, k) => {
      expect(Math.abs(first[k] - d)).toBeLessThan(1.01e-3);
      expect(Math.abs(second[k] - d)).toBeLessThan(1.01e-3);
    });
  });
});

describe("the nearest neighbour", () => {
  it("gets distances in double precision", async () => {
    const { distances } = await unitOf(set, kernelByName("netlsd"), {}, "1nn");
    expect(distances[0].values).toBeInstanceOf(Float64Array);
  });

  /** What the first of some points on a line is taken for, by the distances of all of them as the only ones of every part. */
  async function classOfFirst(kernel: string, x: readonly number[], classes: readonly number[], scale = 1) {
    const kernels = await loadKernels();
    const values = Float64Array.from(x.flatMap((a) => x.map((b) => scale * Math.abs(a - b))));
    const spec = kernelByName(kernel);
    const all = Object.fromEntries(Object.entries(spec.options).map(([name, own]) => [name, own.default]));
    const distances = { kind: "distances", rows: x.length, columns: x.length, values, mostNegative: 0 };
    const outcome = await foldTask.run({ kernels } as Parameters<typeof foldTask.run>[0], {
      ...{ kernel, points: [{ label: {}, options: all, parts: spec.parts.map(() => 0) }] },
      distances: [distances as unknown as FoldUnit["distances"][0]],
      ...{ classes: Int32Array.from(classes), groups: null, test: Int32Array.of(0) },
      train: Int32Array.from({ length: x.length - 1 }, (_, k) => k + 1),
      ...{ Cs: [1], inner: 2, seed: 0, classifier: "1nn" },
    });
    return outcome.predicted[0];
  }

  it.each([1e-9, 1e3])(
    "tells graphs apart whose kernel values are the same number (distances of %d)",
    async (scale) => {
      // two far apart, which make the median, and three close together, the first of class 0 a little further than the second
      expect(await classOfFirst("netlsd", [0, 3e-7, 2e-7, 1, 2, 4], [0, 0, 1, 0, 1, 0], scale)).toBe(1);
    },
  );

  it.each(["netlsd", "dos+ldos"])(
    "of a graph far from all others goes by its distances: %s",
    async (name) => {
      // e^-100 and e^-110 of 1, where the median is 1
      expect(await classOfFirst(name, [0, 10.5, 10, 11, 9.9, 12], [0, 0, 0, 0, 1, 0])).toBe(1);
    },
  );
});
