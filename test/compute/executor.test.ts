/** Runs against the built package, because worker threads need their files. */
import { afterAll, describe, expect, it } from "vitest";
import {
  type Task,
  type WorkerAnswer,
  WorkerExecutor,
  type WorkerRequest,
} from "../../src/compute/executor.js";
import { webWorkerExecutor } from "../../src/compute/web-workers.js";
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

/** A worker by hand: keeps the requests, answers when told to. A request whose input is a function cannot be posted, as in every engine. */
class HandWorker {
  readonly requests: WorkerRequest[] = [];
  answer: (answer: WorkerAnswer) => void = () => undefined;
  breakDown: (reason: string) => void = () => undefined;

  post(message: unknown): void {
    structuredClone(message);
    this.requests.push(message as WorkerRequest);
  }

  listen(onMessage: (answer: WorkerAnswer) => void, onBreak: (reason: string) => void): void {
    this.answer = onMessage;
    this.breakDown = onBreak;
  }

  async terminate(): Promise<void> {}

  /** Answers request number k with its input, doubled. */
  double(k: number): void {
    const { id, input } = this.requests[k];
    this.answer({ id, output: 2 * (input as number) });
  }
}

describe("the workers of an executor", () => {
  const double: Task<unknown, number> = { name: "double", run: (_, input) => 2 * (input as number) };
  const staff = (workers: number) => {
    const hired: HandWorker[] = [];
    const spawn = () => {
      hired.push(new HandWorker());
      return hired.at(-1)!;
    };
    return { hired, executor: new WorkerExecutor(workers, spawn) };
  };
  /** Until everything that is ready has run. */
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it("answer the map that asked, also after one whose input could not be posted", async () => {
    const { hired, executor } = staff(2);
    await expect(executor.map(double, [1, () => 0])).rejects.toThrow(/could not be cloned/);
    const late = hired[0];
    const second = executor.map(double, [10, 20]);
    await turn();
    late.double(0);
    for (const worker of hired.filter((each) => each.requests.some(({ input }) => (input as number) >= 10)))
      worker.double(worker.requests.length - 1);
    expect(await second).toEqual([20, 40]);
  });

  it("do not leave a map waiting whose later input cannot be posted", async () => {
    const { hired, executor } = staff(1);
    const map = executor.map(double, [1, () => 0]);
    const failure = expect(map).rejects.toThrow(/could not be cloned/);
    await turn();
    hired[0].double(0);
    await failure;
  });

  it("are not heard with an answer to another request", async () => {
    const { hired, executor } = staff(1);
    const map = executor.map(double, [4]);
    await turn();
    hired[0].answer({ id: hired[0].requests[0].id + 1, output: -1 });
    hired[0].answer({ id: hired[0].requests[0].id - 1, error: { message: "of another" } });
    hired[0].double(0);
    expect(await map).toEqual([8]);
    // and once more, when the next request is under way
    const next = executor.map(double, [5]);
    await turn();
    hired[0].double(0);
    hired[0].double(1);
    expect(await next).toEqual([10]);
  });

  it("are replaced when they broke down between two maps", async () => {
    const { hired, executor } = staff(1);
    const first = executor.map(double, [1]);
    await turn();
    hired[0].double(0);
    await first;
    hired[0].breakDown("out of memory");
    const second = executor.map(double, [2]);
    await turn();
    expect(hired.length).toBe(2);
    hired[1].double(0);
    expect(await second).toEqual([4]);
  });

  it("fail the map under way when the executor is closed", async () => {
    const { executor } = staff(2);
    const map = executor.map(double, [1, 2, 3]);
    const failure = expect(map).rejects.toMatchObject({ code: "interrupted" });
    await turn();
    await executor.close();
    await failure;
  });

  const script = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`);
  it.each([
    ["is missing", new URL("file:///no/such/worker.js"), /a worker broke down in .*Cannot find module/],
    ["throws", script("throw new Error('no engine here')"), /a worker broke down in .*no engine here/],
    ["ends at once", script("process.exit(3)"), /a worker broke down in .*ended with code 3/],
  ])("of Node fail every call when their script %s", async (_, main, sentence) => {
    const executor = threadExecutor(2, main);
    for (let call = 0; call < 3; call++)
      await expect(computeProfiles([star(3), star(4)], { moments: 4 }, executor)).rejects.toThrow(sentence);
    await expect(executor.start!()).rejects.toThrow(sentence);
    await executor.close();
  });

  it("of a browser fail every call when their script cannot be loaded", async () => {
    class Unloaded {
      onerror: ((event: object) => void) | null = null;
      constructor() {
        setTimeout(() => this.onerror?.({ message: "", preventDefault: () => undefined }), 0);
      }
      postMessage(): void {}
      terminate(): void {}
    }
    const executor = webWorkerExecutor({ workers: 2, start: () => new Unloaded() as unknown as Worker });
    for (let call = 0; call < 3; call++)
      await expect(executor.map(double, [1, 2, 3])).rejects.toThrow(/script could not be loaded/);
  });

  it("say what was thrown, also where it is no error", async () => {
    const { serveTasks } = await import("../../src/compute/executor.js");
    const answers: WorkerAnswer[] = [];
    const odd: Task<never, unknown> = { name: "odd", run: () => Promise.reject(null) };
    await serveTasks([odd], (answer) => answers.push(answer))({ id: 7, task: "odd", input: 0 });
    expect(answers).toMatchObject([{ id: 7, error: { message: "null" } }]);
  });
});
