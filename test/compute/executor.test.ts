/** Runs against the built package, because worker threads need their files. */
import { afterAll, describe, expect, it } from "vitest";
import type { Task } from "../../src/compute/executor.js";
import { erdosRenyi, rmat, star } from "../../src/graph/generators/index.js";
import type { ProfileOptions } from "../../src/spectrum/profiles.js";
import { built } from "../built.js";

const { threadExecutor } =
  await built<typeof import("../../src/node/worker-threads.js")>("node/worker-threads");
const { computeProfiles } = await built<typeof import("../../src/spectrum/profiles.js")>("spectrum/profiles");
const { sharedRunner } =
  await built<typeof import("../../src/spectrum/step-runner.js")>("spectrum/step-runner");
const { probeProfile } = await built<typeof import("../../src/spectrum/probes.js")>("spectrum/probes");

const executors = new Map([0, 1, 2, 5].map((workers) => [workers, threadExecutor(workers)]));
afterAll(async () => {
  for (const executor of executors.values()) await executor.close();
});

const bytesOf = (p: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }) =>
  Buffer.from(new Uint8Array(p.buffer as ArrayBuffer, p.byteOffset, p.byteLength)).toString("base64");

describe("the number of workers", () => {
  const graphs = [star(30), ...Array.from({ length: 40 }, (_, k) => erdosRenyi(10 + k, 0.2, k))];
  it.each<ProfileOptions["estimator"]>(["exact", "probes", "sample", "auto"])(
    "does not change a bit of %s profiles of many graphs",
    async (estimator) => {
      const options = { moments: 20, estimator, probes: 10, seed: 9 };
      const expected = (await computeProfiles(graphs, options, executors.get(0)!)).map(bytesOf);
      for (const workers of [1, 2, 5])
        expect((await computeProfiles(graphs, options, executors.get(workers)!)).map(bytesOf)).toEqual(
          expected,
        );
    },
  );

  it("nor do calls that overlap on one executor", async () => {
    const calls = ["probes", "exact", "sample", "probes"] as const;
    const options = (k: number) => ({ moments: 10 + 20 * k, estimator: calls[k], probes: 12, seed: k });
    for (const workers of [0, 2]) {
      const executor = executors.get(workers)!;
      const apart = [];
      for (let k = 0; k < calls.length; k++) apart.push(await computeProfiles(graphs, options(k), executor));
      const together = await Promise.all(calls.map((_, k) => computeProfiles(graphs, options(k), executor)));
      expect(together.map((all) => all.map(bytesOf))).toEqual(apart.map((all) => all.map(bytesOf)));
    }
  });

  it("does not change a bit of the probes of one graph whose steps are shared", async () => {
    const graph = rmat({ scale: 13, edges: 40_000, seed: 1 });
    for (const nodes of [true, false]) {
      const options = { moments: 15, probes: 13, nodes, seed: 2 };
      const run = async (workers: number) =>
        bytesOf(await probeProfile(graph, await sharedRunner(executors.get(workers)!), options));
      const expected = await run(0);
      for (const workers of [1, 2, 5]) expect(await run(workers)).toBe(expected);
    }
  });
});

describe("an executor", () => {
  it("starts before there is work, and works as ever", async () => {
    for (const workers of [0, 2]) {
      const executor = threadExecutor(workers);
      await executor.start?.();
      await executor.start?.();
      expect(await computeProfiles([star(3), star(4)], { moments: 4 }, executor)).toHaveLength(2);
      await executor.close();
    }
  });

  it("says which task it does not know, and goes on working afterwards", async () => {
    const executor = executors.get(2)!;
    const unknown: Task<number, number> = { name: "no-such-task", run: () => 0 };
    await expect(executor.map(unknown, [1, 2, 3])).rejects.toThrow("unknown task: no-such-task");
    expect(await computeProfiles([star(3)], { moments: 4 }, executor)).toHaveLength(1);
  });

  it("stops when told to, and goes on working afterwards", async () => {
    const executor = executors.get(2)!;
    const controller = new AbortController();
    const graphs = Array.from({ length: 200 }, (_, k) => erdosRenyi(300, 0.05, k));
    const running = computeProfiles(graphs, { moments: 50 }, executor, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(running).rejects.toMatchObject({ code: "interrupted" });
    expect(await computeProfiles([star(3)], { moments: 4 }, executor)).toHaveLength(1);
  });

  it("refuses bad options before any work", async () => {
    const run = (options: ProfileOptions) => computeProfiles([star(3)], options, executors.get(0)!);
    await expect(run({ moments: 0 })).rejects.toThrow("moments: got 0, expected a whole number from 1");
    await expect(run({ tolerance: 0 })).rejects.toThrow("tolerance: got 0, expected a number above 0");
    await expect(run({ estimator: "exactly" as "exact" })).rejects.toThrow(
      "unknown estimator: exactly; did you mean exact?",
    );
  });
});
