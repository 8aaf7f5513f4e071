/** Where the engine's work units run: web workers that the engine starts, one a core, from its own script (worker.ts). */
import { type Executor, webWorkerExecutor } from "graphdos";

/** The name by which a worker knows that it is not the engine. */
export const TASK_WORKER = "graphdos task";

export const engineExecutor = (): Executor =>
  webWorkerExecutor({
    start: () => new Worker(self.location.href, { type: "module", name: TASK_WORKER }),
  });
