import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadKernels } from "../../src/compute/wasm.js";
import { type Combination, combineGrams } from "../../src/kernel/composite.js";
import type { OptionValues } from "../../src/kernel/options.js";
import { fitKernel, kernelByName, kernelDistances, kernelGram } from "../../src/kernel/registry.js";
import { dosVectors } from "../../src/signature/dos.js";
import { profileMany } from "../../src/spectrum/exact.js";
import { context, type Edge, executor, graphOf, inputOf, largestDifference } from "./helpers.js";

interface Golden {
  moments: number;
  graphs: { name: string; nodeCount: number; edges: Edge[] }[];
  train: number[];
  dos: Record<string, number[][]>;
  distances: Record<string, number[][]>;
  grams: Record<string, number[][]>;
}

const golden: Golden = JSON.parse(
  readFileSync(new URL("../golden/kernel/kernels.json", import.meta.url), "utf8"),
);
const graphs = golden.graphs.map(({ nodeCount, edges }) => graphOf(nodeCount, edges));
const input = await inputOf(graphs, golden.moments);

describe("DOS vectors equal numpy's", () => {
  test.each([
    ["trace", {}],
    ["mean", { scale: "mean" }],
    ["log", { transform: "log" }],
    ["monomialUndamped", { basis: "monomial", damping: "none" }],
    ["zeroth", { zeroth: true }],
  ] as const)("%s", async (name, options) => {
    const profiles = profileMany(graphs, { kernels: await loadKernels(), moments: golden.moments });
    expect(largestDifference(dosVectors(profiles, options).values, golden.dos[name].flat())).toBeLessThan(
      1e-11,
    );
  });
});

const distancesOf = async (kernel: string, options: OptionValues) => {
  const fitted = await fitKernel(kernelByName(kernel), input, options, context);
  return { fitted, distances: await kernelDistances(fitted, { executor }) };
};

describe("distances equal numpy's", () => {
  // a distance of nearly equal graphs is the root of a rounded difference: compare squares
  const squares = (values: ArrayLike<number>) => Array.from(values, (d) => d * d);
  test.each([
    ["dos", "dos", {}, 1e-9],
    ["dosCumulative", "dos-cdf", {}, 1e-9],
    ["ldos", "ldos", { mmd: "exact" }, 1e-13],
    ["ldosLaplacian", "ldos", { mmd: "exact", node: "laplacian", width: 0.3 }, 1e-9],
    ["ldosChebyshev", "ldos", { mmd: "exact", basis: "chebyshev", width: 0.5 }, 1e-13],
    ["retgk1", "retgk1", {}, 1e-13],
    ["retgk1", "ldos", { mmd: "exact", selfLoops: true }, 1e-13],
  ] as const)("%s by %s %o", async (name, kernel, options, tolerance) => {
    const { distances } = await distancesOf(kernel, options);
    const wanted = golden.distances[name].flat();
    expect(largestDifference(squares(distances[0].values), squares(wanted))).toBeLessThan(tolerance);
  });

  test("low-rank MMD is within its printed bound of numpy's, and the bound within the tolerance", async () => {
    for (const tolerance of [0.1, 1e-3]) {
      const { distances } = await distancesOf("ldos", { tolerance });
      const error = largestDifference(distances[0].values, golden.distances.ldos.flat());
      expect(error).toBeLessThanOrEqual(distances[0].errorBound);
      expect(distances[0].errorBound).toBeLessThanOrEqual(tolerance);
    }
  });
});

describe("Gram matrices equal numpy's, with the bandwidth of the training graphs", () => {
  test.each(["composite", "mean", "product"])("dos+ldos, %s", async (combine) => {
    const { fitted, distances } = await distancesOf("dos+ldos", {
      combine,
      "ldos.mmd": "exact",
      "ldos.exponent": 1,
    });
    const { gram } = kernelGram(fitted, distances, golden.train);
    expect(largestDifference(gram.values, golden.grams[combine].flat())).toBeLessThan(1e-7);
  });

  test("the matrix geometric mean equals scipy's", () => {
    const n = graphs.length;
    const gram = (name: string) => ({
      rows: n,
      columns: n,
      values: Float64Array.from(golden.grams[name].flat()),
    });
    const mean = combineGrams([gram("dos"), gram("ldos")], "geometric" satisfies Combination);
    expect(largestDifference(mean.values, golden.grams.geometric.flat())).toBeLessThan(1e-7);
  });
});
