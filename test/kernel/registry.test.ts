import { describe, expect, test } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { expand, kernelGrid } from "../../src/experiment/grid.js";
import { barabasiAlbert, cycle, path } from "../../src/graph/generators/index.js";
import { checkDefinite } from "../../src/kernel/definiteness.js";
import type { OptionValue, OptionValues } from "../../src/kernel/options.js";
import {
  fitKernel,
  isStochastic,
  KERNELS,
  type KernelSpec,
  kernelByName,
  kernelCrossDistances,
  kernelCrossGram,
  kernelDistances,
  kernelGram,
  kernelNeeds,
  kernelOptions,
} from "../../src/kernel/registry.js";
import {
  AWKWARD,
  context,
  executor,
  inputOf,
  largestDifference,
  randomGraphs,
  relabelled,
} from "./helpers.js";

/** Fewer walks than usual, so that a star of 10,000 leaves is walked in a second. */
const quick = (spec: KernelSpec): OptionValues => ("walks" in spec.options ? { walks: 20 } : {});

async function gramOf(spec: KernelSpec, input: Awaited<ReturnType<typeof inputOf>>, options = quick(spec)) {
  const fitted = await fitKernel(spec, input, options, context);
  const distances = await kernelDistances(fitted, { executor });
  return { fitted, distances, ...kernelGram(fitted, distances) };
}

/** Bins of a fixed width cannot tell distances of 1e300 apart: fgsd refuses tiny weights, and says so. */
const taken = (spec: KernelSpec) =>
  AWKWARD.filter(([name]) => spec.name !== "fgsd" || !/tiny/.test(name)).map(([, graph]) => graph);
/** Graphs whose spectra are far apart in few directions: a Gaussian of L1 distances is indefinite on them. */
const lines = Array.from({ length: 12 }, (_, k) => [
  path(k + 2),
  cycle(k + 3),
  barabasiAlbert(10 + k, 2, k),
]).flat();
const exponentsOf = ({ parts }: KernelSpec) =>
  [1, 2].filter((p) =>
    parts.every(({ options }) => (options.exponent.allowed as readonly OptionValue[]).includes(p)),
  );
const random = randomGraphs(24, 3);
const randomInput = await inputOf(random);

describe.each(KERNELS.map((spec) => [spec.name, spec] as const))("%s", (_name, spec) => {
  test("takes every awkward graph: finite, symmetric, 1 on the diagonal, positive semi-definite", async () => {
    const graphs = taken(spec);
    const { gram, distances } = await gramOf(spec, await inputOf(graphs));
    const n = graphs.length;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const value = gram.values[i * n + j];
        // inner products of embeddings may be negative
        expect(value).toBeGreaterThanOrEqual(spec.name === "dgk" ? -1 : 0);
        expect(value).toBeLessThanOrEqual(1);
        expect(value).toBe(gram.values[j * n + i]);
        if (i === j) expect(value).toBe(1);
      }
    for (const { mostNegative } of distances) expect(mostNegative).toBeGreaterThan(-1e-12);
    expect(checkDefinite(gram).warning).toBeNull();
  });

  test("is positive semi-definite on random graphs", async () => {
    const { gram } = await gramOf(spec, randomInput);
    expect(checkDefinite(gram).smallest).toBeGreaterThan(-1e-8);
  });

  test("is so with every exponent that it takes or a search tries, at narrow and wide bandwidths", async () => {
    const options = { ...quick(spec), ...("form" in spec.options ? { form: "radial" } : {}) };
    const fitted = await fitKernel(spec, await inputOf([...random, ...lines]), options, context);
    const distances = await kernelDistances(fitted, { executor });
    for (const exponent of exponentsOf(spec))
      for (const multiple of [0.1, 1, 100]) {
        const radial = { ...fitted.options, ...expand(spec, { exponent, multiple }) };
        const { gram } = kernelGram({ spec, options: radial }, distances);
        expect(checkDefinite(gram).warning, `${exponent}, ${multiple}`).toBeNull();
      }
    for (const { label } of kernelGrid(spec, { name: spec.name }))
      if (label.exponent !== undefined) expect(exponentsOf(spec)).toContain(label.exponent);
  });

  test("does not depend on the order of the graphs", async () => {
    const { gram } = await gramOf(spec, randomInput);
    const order = random.map((_, g) => (g * 7 + 5) % random.length);
    const turned = await gramOf(spec, await inputOf(order.map((g) => random[g])));
    const n = random.length;
    // low-rank landmarks are chosen in another order: then to its tolerance
    const bound = turned.distances.reduce((sum, { errorBound }) => sum + errorBound, 0);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const [a, b] = [turned.gram.values[i * n + j], gram.values[order[i] * n + order[j]]];
        // an embedding is learnt from sums over all graphs, in their order
        if (spec.name === "dgk") expect(Math.abs(a - b)).toBeLessThan(1e-9);
        else if (bound === 0) expect(a).toBe(b);
        else expect(Math.abs(a - b)).toBeLessThan(20 * bound);
      }
  });

  test("does not depend on the numbering of the nodes", async () => {
    // what is drawn at random is drawn by the numbers of the nodes
    if (spec.name === "retgk-mc" || spec.name === "slaq") return;
    const options = spec.name === "graphlet" ? { size: 3 } : quick(spec);
    const shuffled = random.map((graph) =>
      relabelled(
        graph,
        Array.from({ length: graph.nodeCount }, (_, i) => graph.nodeCount - 1 - i),
      ),
    );
    const [a, b] = [
      await gramOf(spec, randomInput, options),
      await gramOf(spec, await inputOf(shuffled), options),
    ];
    const bound = a.distances.reduce((sum, { errorBound }) => sum + errorBound, 0);
    expect(largestDifference(a.gram.values, b.gram.values)).toBeLessThan(1e-7 + 20 * bound);
  });

  test("sees an unseen graph as it sees the same graph among the fitted ones", async () => {
    const { fitted, gram, bandwidths, distances } = await gramOf(spec, randomInput);
    const cross = await kernelCrossDistances(fitted, await inputOf(random.slice(5, 8)), context, {
      executor,
    });
    const crossGram = kernelCrossGram(fitted, cross, bandwidths);
    const n = random.length;
    expect(crossGram.rows).toBe(3);
    expect(crossGram.columns).toBe(n);
    const bound = distances.reduce((sum, { errorBound }) => sum + errorBound, 0);
    const part = gram.values.slice(5 * n, 8 * n);
    expect(largestDifference(crossGram.values, part)).toBeLessThan(bound === 0 ? 1e-300 : 1e-6);
  });

  test("gives the same bits for the same seed, and works for no graph and for one", async () => {
    const [first, again] = [await gramOf(spec, randomInput), await gramOf(spec, randomInput)];
    expect(again.gram.values).toEqual(first.gram.values);
    expect((await gramOf(spec, await inputOf([]))).gram.values).toHaveLength(0);
    expect(Array.from((await gramOf(spec, await inputOf(random.slice(0, 1)))).gram.values)).toEqual([1]);
  });

  test("rejects options that it does not have, and says what it needs", () => {
    expect(() => kernelOptions(spec, { sigmaa: 1 })).toThrow(GraphdosError);
    const needs = kernelNeeds(spec, kernelOptions(spec));
    expect(needs).toHaveLength(spec.parts.length);
    expect(typeof isStochastic(spec, kernelOptions(spec))).toBe("boolean");
    for (const option of Object.values(spec.options))
      for (const value of option.grid ?? [])
        expect(() => kernelOptions(spec, { [nameOf(spec, option)]: value })).not.toThrow();
  });
});

const nameOf = (spec: KernelSpec, option: object) =>
  Object.entries(spec.options).find(([, value]) => value === option)![0];

test("fgsd refuses weights of 1e-300 in a sentence", async () => {
  const tiny = AWKWARD.filter(([name]) => /tiny/.test(name)).map(([, graph]) => graph);
  expect(tiny).toHaveLength(2);
  for (const graph of tiny)
    await expect(gramOf(kernelByName("fgsd"), await inputOf([graph]))).rejects.toThrow(
      /FGSD: a distance of \S+e\+299 has no bin of width 0\.001; scale the weights up|Laplacian: the weights are too far apart for its inverse; scale or remove the smallest/,
    );
});

test("a missing profile is an error that says which", async () => {
  await expect(
    fitKernel(kernelByName("ldos"), { profiles: [] }, { selfLoops: true }, context),
  ).rejects.toThrow(/no profiles of A \+ I/);
});

test("NaN in a profile is an error that names the graph", async () => {
  const input = await inputOf(random.slice(0, 4));
  for (const profile of input.profiles!.slice(2, 3)) {
    profile.trace.fill(Number.NaN);
    profile.rows.fill(Number.NaN);
  }
  const named = { ...input, nameOf: (g: number) => `thread ${g}` };
  for (const name of ["dos", "ldos", "dos-cdf"])
    await expect(fitKernel(kernelByName(name), named, {}, context)).rejects.toThrow(/thread 2/);
});

test("an exponent that makes a kernel indefinite is refused, with the reason", () => {
  for (const name of ["dos-cdf", "wwl"])
    expect(() => kernelOptions(kernelByName(name), { exponent: 2 })).toThrow(
      `kernel ${name}: exponent: got 2, expected 1: exp(-gamma d^2) of an L1 distance is not positive definite`,
    );
});

test("an unknown kernel is named with its neighbour", () => {
  expect(() => kernelByName("ldoss")).toThrow(/unknown kernel: ldoss; did you mean ldos\?/);
});
