/** A page that runs work in web workers, for executor.test.ts to call. What comes back is plain data. */
import {
  computeProfiles,
  evaluate,
  generators,
  type ProfileOptions,
  probeProfile,
  protocolByName,
  sharedRunner,
  syntheticDataset,
  type Task,
  webWorkerExecutor,
} from "../../../src/index.js";

const start = () => new Worker(new URL("./tasks.ts", import.meta.url), { type: "module" });
const executors = new Map([0, 1, 3].map((workers) => [workers, webWorkerExecutor({ workers, start })]));

const text = (p: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }) =>
  btoa(
    Array.from(new Uint8Array(p.buffer, p.byteOffset, p.byteLength).slice(), (byte) =>
      String.fromCharCode(byte),
    ).join(""),
  );

const graphs = () => [
  generators.star(30),
  ...Array.from({ length: 20 }, (_, k) => generators.erdosRenyi(10 + k, 0.2, k)),
];

const calls = {
  isolated: async () => crossOriginIsolated && typeof SharedArrayBuffer !== "undefined",
  profiles: async (workers: number, options: ProfileOptions) =>
    (await computeProfiles(graphs(), options, executors.get(workers)!)).map(text),
  shared: async (workers: number) => {
    const graph = generators.rmat({ scale: 12, edges: 20_000, seed: 1 });
    const runner = await sharedRunner(executors.get(workers)!);
    return text(await probeProfile(graph, runner, { moments: 15, probes: 13, seed: 2 }));
  },
  evaluate: async (workers: number) => {
    const progress: string[] = [];
    const result = await evaluate(syntheticDataset("ego"), {
      kernels: [{ name: "dos" }],
      protocol: protocolByName("quick", { folds: 3 }),
      executor: executors.get(workers)!,
      onProgress: ({ task }) => progress.push(task),
    });
    return { result, progress: [...new Set(progress)] };
  },
  /** Stops profiles under way; then shows that the executor still works. */
  cancelled: async (workers: number) => {
    const controller = new AbortController();
    const many = Array.from({ length: 60 }, (_, k) => generators.erdosRenyi(300, 0.05, k));
    const executor = executors.get(workers)!;
    const { signal } = controller;
    const code = await computeProfiles(many, { moments: 50 }, executor, {
      signal,
      onProgress: () => controller.abort(),
    }).then(
      () => "ended",
      (error: { code: string }) => error.code,
    );
    return { code, after: (await computeProfiles(graphs(), { moments: 4 }, executor)).length };
  },
  unknown: async (workers: number) => {
    const task: Task<number, number> = { name: "no-such-task", run: () => 0 };
    return executors
      .get(workers)!
      .map(task, [1])
      .then(String, (error: Error) => error.message);
  },
  missingScript: async () => {
    const executor = webWorkerExecutor({ workers: 1, start: () => new Worker("./no-such-script.js") });
    const call = () =>
      computeProfiles(graphs(), { moments: 4 }, executor).then(
        () => "ended",
        (error: Error) => error.message,
      );
    return [await call(), await call()];
  },
  badOption: async () => {
    try {
      webWorkerExecutor({ start, wrokers: 2 } as never);
    } catch (error) {
      return (error as Error).message;
    }
    return "accepted";
  },
};
export type Calls = typeof calls;
Object.assign(window, { calls });
