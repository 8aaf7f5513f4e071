/** A grid may ask for more moments than the profiles have, for all parts of a kernel or for one. */
import { expect, it } from "vitest";
import { inlineExecutor } from "../../src/compute/executor.js";
import { subset } from "../../src/data/dataset.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import { evaluate } from "../../src/experiment/evaluation.js";
import type { EvaluationResult } from "../../src/experiment/evaluation-types.js";
import { commonMoments, kernelGrid } from "../../src/experiment/grid.js";
import { protocolByName } from "../../src/experiment/protocols.js";
import { kernelByName, kernelGram, kernelOptions, partOptions } from "../../src/kernel/registry.js";
import { pairwiseDistances } from "../../src/kernel/signatures.js";
import { stratifiedFolds } from "../../src/learn/folds.js";
import { nestedFold } from "../../src/learn/nested.js";
import { computeProfiles } from "../../src/spectrum/profiles.js";

const executor = inlineExecutor();
const dataset = subset(
  syntheticDataset("threads"),
  Array.from({ length: 60 }, (_, k) => k),
);
const protocol = protocolByName("quick", { repeats: 1, folds: 4, Cs: [1, 10] });
const run = (moments: number, grid: object) =>
  evaluate(dataset, {
    kernels: [{ name: "dos+ldos", grid: grid as Record<string, number[]> }],
    protocol,
    profile: { moments },
    executor,
  });
const values = ({ results: [{ predictions, accuracy }] }: EvaluationResult) => ({ predictions, accuracy });
const spec = kernelByName("dos+ldos");

it("computes them for all parts", async () => {
  const more = await run(20, { exponent: [1], moments: [35] });
  expect(values(more)).toEqual(values(await run(35, { exponent: [1] })));
});

it("computes them for the one part that asks, as signatures by hand do", async () => {
  const [point] = kernelGrid(spec, { name: spec.name, grid: { "dos.moments": [35] } });
  expect(point.moments).toEqual([35, null]);
  expect(() => commonMoments(point)).toThrow("can be evaluated but not kept in a model");
  const profiles = [35, 20].map((moments) => computeProfiles(dataset.graphs, { moments }, executor));
  const distances = await Promise.all(
    profiles.map(async (computed, k) => {
      const input = { profiles: await computed, memo: new Map(), nameOf: String };
      const { signatures } = await spec.parts[k].fit(input, partOptions(spec, k, point.options), {
        executor,
      });
      return pairwiseDistances(signatures, { executor, float32: true });
    }),
  );
  const classes = dataset.classes!;
  const options = kernelOptions(spec, { "dos.exponent": 1, "ldos.exponent": 1 });
  const one = await run(20, { exponent: [1], "dos.moments": [35] });
  stratifiedFolds(classes, { folds: 4, seed: 0, repeat: 0 }).folds.forEach(({ train, test }, fold) => {
    const { values: gram } = kernelGram({ spec, options }, distances, train).gram;
    const grid = { points: [{}], gram: () => gram };
    const { predicted } = nestedFold(grid, classes, train, test, {
      ...{ Cs: [1, 10], inner: protocol.inner, seed: fold + 1 },
    });
    expect([...predicted]).toEqual([...test].map((g) => one.results[0].predictions[0][g]));
  });
});
