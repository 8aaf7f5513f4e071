/** Runs against the built package, because worker threads need their files. */
import { afterAll, describe, expect, it, vi } from "vitest";
import { memoryStore, type ResultStore } from "../../src/compute/store.js";
import { type Dataset, subset } from "../../src/data/dataset.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import type { EvaluationResult, KernelResult } from "../../src/experiment/evaluation-types.js";
import { protocolByName } from "../../src/experiment/protocols.js";
import { built } from "../built.js";

const { threadExecutor } =
  await built<typeof import("../../src/node/worker-threads.js")>("node/worker-threads");
const { evaluate } =
  await built<typeof import("../../src/experiment/evaluation.js")>("experiment/evaluation");

const executors = new Map([0, 1, 2, 5].map((workers) => [workers, threadExecutor(workers)]));
afterAll(async () => {
  for (const executor of executors.values()) await executor.close();
});

const small = (): Dataset =>
  subset(
    syntheticDataset("threads"),
    Array.from({ length: 60 }, (_, k) => k),
  );
const protocol = protocolByName("quick", { repeats: 2, folds: 4, Cs: [1, 10] });
const run = (
  dataset: Dataset,
  workers: number,
  store?: ResultStore,
  kernels = [{ name: "dos" }, { name: "dos-cdf" }],
) =>
  evaluate(dataset, {
    kernels,
    protocol,
    profile: { moments: 20 },
    executor: executors.get(workers)!,
    store,
  });

/** Times differ between runs, and with them the kernel that is recommended; nothing else may. */
const timeless = (result: EvaluationResult): EvaluationResult => ({
  ...result,
  recommendation: null,
  results: result.results.map(untimed),
  sizeAlone: untimed(result.sizeAlone!),
});
const untimed = (row: KernelResult) => ({ ...row, seconds: { profile: 0, signature: 0, gram: 0, svm: 0 } });

describe("evaluate", () => {
  it("gives the same numbers for any number of workers", async () => {
    const expected = timeless(await run(small(), 0));
    for (const workers of [1, 2, 5]) expect(timeless(await run(small(), workers))).toEqual(expected);
    const [dos] = expected.results;
    expect(dos.accuracy.mean).toBeGreaterThan(0.6);
    expect(dos.accuracy.perRepeat).toHaveLength(2);
    expect(dos.accuracy.perFold).toHaveLength(8);
    expect(dos.predictions.flat()).not.toContain(-1);
    expect(dos.confusion.flat().reduce((sum, count) => sum + count, 0)).toBe(120);
    expect(dos.chosen.reduce((sum, choice) => sum + choice.times, 0)).toBe(8);
    expect(expected.comparisons).toHaveLength(1);
  });

  it("needs no digests without a store: pages that came over plain HTTP have none", async () => {
    const expected = timeless(await run(small(), 0, memoryStore()));
    vi.stubGlobal("crypto", undefined);
    try {
      expect(timeless(await run(small(), 0))).toEqual(expected);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("does not depend on what the test graphs are called: shuffled classes are not learnt", async () => {
    const set = small();
    const classes = Int32Array.from(set.classes!, (_, i) => (i * 7919) % 2);
    const { results } = await run({ ...set, classes }, 0);
    expect(results[0].accuracy.mean).toBeLessThan(0.72);
  });

  it("goes on from the folds that a stopped run had finished, to the same numbers", async () => {
    const kept = memoryStore();
    const controller = new AbortController();
    let stored = 0;
    const store: ResultStore = {
      get: (key) => kept.get(key),
      put: (key, bytes) => {
        stored++;
        return kept.put(key, bytes);
      },
    };
    const options = {
      kernels: [{ name: "dos" }],
      protocol,
      profile: { moments: 20 },
      executor: executors.get(0)!,
    };
    const stopped = evaluate(small(), {
      ...options,
      store,
      signal: controller.signal,
      onProgress: ({ unit, done }) => {
        if (unit === "folds" && done === 3) controller.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
    expect(stored).toBe(3);
    let computed = 0;
    const counting: ResultStore = { get: (key) => kept.get(key), put: async () => void computed++ };
    const resumed = await evaluate(small(), { ...options, store: counting });
    // and the folds of size alone, which come after the kernels
    expect(computed).toBe(8 - stored + 8);
    expect(timeless(resumed)).toEqual(timeless(await evaluate(small(), options)));
  });

  it("says from kept folds alone what the run that computed them said", async () => {
    const store = memoryStore();
    const first = await run(small(), 0, store, [{ name: "ldos" }]);
    expect(first.results[0].notes).toEqual([expect.stringContaining("landmarks")]);
    expect(timeless(await run(small(), 0, store, [{ name: "ldos" }]))).toEqual(timeless(first));
  });

  it("counts kept folds with the time they took, so that what is recommended does not depend on the cache", async () => {
    const store = memoryStore();
    const first = await run(small(), 0, store);
    for (const { seconds } of first.results)
      for (const stage of Object.values(seconds)) expect(stage).toBeGreaterThan(0);
    const again = await run(small(), 0, store);
    expect(again.results.map(({ seconds }) => seconds)).toEqual(first.results.map(({ seconds }) => seconds));
    expect(again.recommendation).toEqual(first.recommendation);
  });

  it("searches a grid, moments and options of parts among it", async () => {
    const kernels = [{ name: "dos", grid: { scale: ["trace", "mean"], moments: [5, 20] } }];
    const { results } = await run(small(), 0, undefined, kernels);
    for (const { point } of results[0].chosen) expect(Object.keys(point)).toEqual(["scale", "moments"]);
    await expect(
      run(small(), 0, undefined, [{ name: "dos", grid: { moments: [0] } }] as never),
    ).rejects.toThrow("moments: got 0, expected whole numbers from 1 to 4096");
    await expect(
      run(small(), 0, undefined, [{ name: "dos", grid: { scales: ["trace"] } }] as never),
    ).rejects.toThrow("unknown option of kernel dos: scales; did you mean scale?");
  });

  it("refuses one class only and missing labels, and warns of a class smaller than the number of folds", async () => {
    const set = small();
    await expect(run({ ...set, classes: null }, 0)).rejects.toThrow(
      "labels are missing: a set without classes cannot be evaluated",
    );
    await expect(run({ ...set, classes: new Int32Array(60) }, 0)).rejects.toThrow(
      "all graphs are of one class",
    );
    const classes = set.classes!.map((c, i) => (i < 2 ? 2 : c));
    const { warnings } = await run({ ...set, classes, classNames: ["a", "b", "tiny"] }, 0);
    expect(warnings).toContain("class tiny has 2 graphs, fewer than the 4 folds: some folds test none of it");
  });

  it("reports fits that hit the cap", async () => {
    const { warnings } = await evaluate(small(), {
      kernels: [{ name: "dos" }],
      protocol,
      profile: { moments: 20 },
      executor: executors.get(0)!,
      maxIterations: 2,
    });
    expect(warnings.join(" ")).toMatch(
      /dos: \d+ of \d+ SVM fits ended at the cap on iterations, with a gap of up to/,
    );
  });
});
