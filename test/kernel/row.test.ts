import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Executor } from "../../src/compute/executor.js";
import { buildGraph } from "../../src/graph/build.js";
import { complete, cycle, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import type { OptionValues } from "../../src/kernel/options.js";
import {
  type FittedKernel,
  fitKernel,
  KERNELS,
  type KernelSpec,
  kernelByName,
  kernelDistances,
  kernelGram,
} from "../../src/kernel/registry.js";
import { BANDWIDTH_GRAPHS, kernelBandwidths, kernelRow } from "../../src/kernel/row.js";
import { rowDistances, type VectorSignatures } from "../../src/kernel/signatures.js";
import { nearestGraphs, nearestInRow } from "../../src/learn/nearest.js";
import { context, executor, inputOf, randomGraphs } from "./helpers.js";

/** Isolated nodes are alike: the rows of these are the same, and only their masses differ. */
const withIsolated = (nodes: number): Graph =>
  buildGraph({ nodeCount: nodes, sources: [0, 1, 2], targets: [1, 2, 3] }).graph;
const graphs = [
  ...randomGraphs(9, 5),
  ...[star(4), cycle(6), path(1), complete(4), cycle(6)],
  ...[9, 5, 13, 6, 11, 7].map(withIsolated),
];
const labelled = graphs.map((graph) => {
  const labels = Int32Array.from({ length: graph.nodeCount }, (_, i) => (graph.offsets[i + 1] * 7 + i) % 3);
  return withLabels(graph, labels);
});

function withLabels(graph: Graph, labels: Int32Array): Graph {
  const [sources, targets, weights]: number[][] = [[], [], []];
  graph.forEachEdge((i, j, weight) => {
    sources.push(i);
    targets.push(j);
    weights.push(weight);
  });
  return buildGraph({ nodeCount: graph.nodeCount, sources, targets, weights, labels }).graph;
}

const plain = await inputOf(graphs);
const marked = await inputOf(labelled);

/** Kernels as they are, in every form and combination, and with exact sums in place of landmarks. */
const settings: [string, KernelSpec, OptionValues][] = KERNELS.flatMap((spec) => {
  const walks: OptionValues = "walks" in spec.options ? { walks: 20 } : {};
  const variants: OptionValues[] = [{}];
  if ("form" in spec.options) variants.push({ form: "linear" }, { form: "radial", exponent: 1 });
  if ("combine" in spec.options)
    for (const combine of ["mean", "product", "geometric"]) variants.push({ combine });
  if ("mmd" in spec.options) variants.push({ mmd: "exact" });
  if ("multiple" in spec.options) variants.push({ multiple: 0.3 });
  return variants.map((options): [string, KernelSpec, OptionValues] => {
    const words = Object.entries(options).map(([name, value]) => `${name}=${value}`);
    return [[spec.name, ...words].join(" "), spec, { ...walks, ...options }];
  });
});

describe.each(settings)("%s", (_name, spec, options) => {
  test.each([
    ["plain", plain],
    ["labelled", marked],
  ])("a row is that of the matrix, to the bit: %s graphs", async (_kind, input) => {
    const fitted = await fitKernel(spec, input, options, context);
    const distances = await kernelDistances(fitted, { executor });
    const { gram, bandwidths } = kernelGram(fitted, distances);
    const n = graphs.length;
    for (let of = 0; of < n; of++) {
      const row = await kernelRow(fitted, of, { executor });
      expect(row.values).toEqual(gram.values.slice(of * n, (of + 1) * n));
      expect(row.bandwidths).toEqual(bandwidths);
      expect(row.notes).toEqual([]);
      expect(nearestInRow({ ...row, order: undefined }, n)).toEqual(nearestGraphs(gram.values, n, of, n));
      row.distances.forEach((part, k) => {
        expect(part.values).toEqual(distances[k].values.slice(of * n, (of + 1) * n));
        expect(part.errorBound).toBeLessThanOrEqual(distances[k].errorBound);
      });
    }
    const [pair] = (await rowDistances(fitted.parts[0].signatures, 3, { executor }, [7])).values;
    expect(pair).toBe(distances[0].values[3 * n + 7]);
  });
});

/** A kernel on points of a line, and how many distances between them are computed. */
function onPoints(points: Float64Array): {
  kernel: FittedKernel;
  counting: Executor;
  computed: () => number;
} {
  const signatures: VectorSignatures = {
    ...{ kind: "vectors", metric: "euclidean", count: points.length, dimension: 1, values: points },
    ...{ missed: null, slack: 0 },
  };
  const spec = kernelByName("dos");
  const part = {
    signatures,
    embed: async () => signatures,
    state: () => ({ values: {}, arrays: {} }),
    notes: [],
  };
  let computed = 0;
  const counting: Executor = {
    ...executor,
    map: (task, inputs, control) =>
      executor.map(task, inputs, {
        ...control,
        onResult(k, result) {
          computed += (result as unknown as Float64Array).length;
          control?.onResult?.(k, result);
        },
      }),
  };
  const options = { exponent: 1, multiple: 1, bandwidth: "median" };
  return { kernel: { spec, options, parts: [part], notes: [] }, counting, computed: () => computed };
}

describe("the nearest of a graph that is far from all others, or very near to some", () => {
  /** Distances of the first of these points to the others: 20 to 60 medians, or 10⁻⁹ of one. */
  const far = Float64Array.of(0, 60, 50, 40, 30, 20, 50.5, 51, 51.5, 52, 52.5, 53, 53.5);
  const near = Float64Array.of(0, 4e-9, 1e-9, 3e-9, 2e-9, 1, 2, 3, 4, 5, 6, 7, 8);
  const expected = { far: [5, 4, 3, 2, 6], near: [2, 4, 3, 1, 5] };

  test.each([
    ["far", far],
    ["near", near],
  ] as const)("are those by distance, for one part and for several: %s", async (name, points) => {
    const { kernel } = onPoints(points);
    const composite = kernelByName("dos+ldos");
    const values = Object.entries(composite.options).map(([option, own]) => [option, own.default]);
    const kernels: FittedKernel[] = [1, 2].map((exponent) => ({
      ...kernel,
      options: { ...kernel.options, exponent },
    }));
    for (const combine of ["composite", "mean", "product"])
      kernels.push({
        spec: composite,
        options: { ...Object.fromEntries(values), combine },
        parts: [kernel.parts[0], kernel.parts[0]],
        notes: [],
      });
    for (const fitted of kernels) {
      const row = await kernelRow(fitted, 0, { executor });
      expect(nearestInRow(row, 5).map(({ index }) => index)).toEqual(expected[name]);
    }
  });

  test("of a Gram matrix are those with the largest values, where the distances are one number", () => {
    const values = Float64Array.of(1, 1e-30, 1e-20, 1e-300, 0, 1e-20);
    const row = { of: 0, values, diagonal: values.map(() => 1) };
    expect(nearestInRow(row, 5).map(({ index }) => index)).toEqual([2, 5, 1, 3, 4]);
  });
});

describe("many graphs", () => {
  const uniform = (n: number) => Float64Array.from({ length: n }, (_, k) => ((k * 7919) % n) / n);

  test("a row costs as many distances as there are graphs, the bandwidth a number that does not grow", async () => {
    const costs = [];
    for (const n of [4000, 8000, 16000]) {
      const { kernel, counting, computed } = onPoints(uniform(n));
      const scale = await kernelBandwidths(kernel, { executor: counting });
      const forBandwidth = computed();
      const { values } = await kernelRow(kernel, 17, { executor: counting }, scale);
      expect(values).toHaveLength(n);
      costs.push({ forBandwidth, forRow: computed() - forBandwidth });
    }
    expect(costs.map(({ forRow }) => forRow)).toEqual([4000, 8000, 16000]);
    for (const { forBandwidth } of costs) expect(forBandwidth).toBeLessThan(BANDWIDTH_GRAPHS ** 2);
    expect(new Set(costs.map(({ forBandwidth }) => forBandwidth)).size).toBe(1);
  });

  test("the bandwidth of a sample is near the median of all pairs, and is said to be one", async () => {
    // |x − y| of two uniform numbers has the median 1 − 1/√2; F(d) = 2d − d²
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const { kernel } = onPoints(uniform(20_000));
        const { bandwidths, notes } = await kernelBandwidths(kernel, { executor, seed });
        const d = bandwidths[0]!.typical;
        // five standard errors of the bound that the note states
        expect(Math.abs(2 * d - d * d - 0.5)).toBeLessThan(5 / Math.sqrt(BANDWIDTH_GRAPHS));
        expect(notes).toEqual([
          `bandwidths: medians over the pairs of 2000 of the 20000 graphs, seed ${seed}; the standard error of their rank among all pairs is at most 2.2 %`,
        ]);
      }),
      { numRuns: 5 },
    );
    const ofSeed = async (seed: number) =>
      (await kernelBandwidths(onPoints(uniform(5000)).kernel, { executor, seed })).bandwidths[0]!.gamma;
    expect(await ofSeed(1)).toBe(await ofSeed(1));
    expect(await ofSeed(1)).not.toBe(await ofSeed(2));
  });

  test("an error names the graph, wherever it was drawn from", async () => {
    const points = uniform(3000);
    points[1234] = Number.NaN;
    const { kernel } = onPoints(points);
    await expect(
      rowDistances(kernel.parts[0].signatures, 1234, { executor, nameOf: (g) => `g${g}` }),
    ).rejects.toThrow(/g1234 to/);
  });
});
