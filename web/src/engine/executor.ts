/** Where the engine's work units run: web workers that the engine starts, one a core. */
import { type Executor, webWorkerExecutor } from "graphdos";

export const engineExecutor = (): Executor =>
  webWorkerExecutor({
    start: () => new Worker(new URL("./task-worker.ts", import.meta.url), { type: "module" }),
  });
