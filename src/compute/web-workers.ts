/**
 * The executor of browsers: web workers that run the tasks of this package. Results are the same bits as those of any other executor.
 *
 *   page (or a worker of it)   const executor = webWorkerExecutor({ start: () => new Worker(new URL("./tasks.js", import.meta.url), { type: "module" }) });
 *   tasks.js                   import { serveWebWorker } from "graphdos"; serveWebWorker();
 *
 * Where the page is cross-origin isolated large inputs lie in shared memory; elsewhere they are copied to each unit, which costs memory and
 * time, not results. Cancelling ends the workers; the next call starts new ones.
 */
import { badCall, unknownName } from "../base/errors.js";
import {
  type Executor,
  inlineExecutor,
  type WorkerAnswer,
  WorkerExecutor,
  type WorkerPort,
} from "./executor.js";

export interface WebWorkerOptions {
  /** How many. Default: one a core; with 0 everything runs in the calling thread. */
  workers?: number;
  /** Starts one worker whose script calls serveWebWorker. */
  start: () => Worker;
}

export function webWorkerExecutor(options: WebWorkerOptions): Executor {
  const known = ["workers", "start"];
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw unknownName("option of web workers", name, known);
  const { workers = navigator.hardwareConcurrency || 1, start } = options;
  if (!(Number.isInteger(workers) && workers >= 0))
    throw badCall(`web workers: got ${workers}, expected a whole number from 0 on`);
  return workers === 0 ? inlineExecutor() : new WorkerExecutor(workers, () => portOf(start()));
}

function portOf(worker: Worker): WorkerPort {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(onMessage, onBreak) {
      worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => onMessage(data);
      worker.onmessageerror = () => onBreak("its answer could not be read");
      worker.onerror = (event) => {
        event.preventDefault();
        onBreak(event.message || "its script could not be loaded");
      };
    },
    async terminate() {
      worker.onmessage = worker.onmessageerror = worker.onerror = null;
      worker.terminate();
    },
  };
}
