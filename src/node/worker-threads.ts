/** The executor of Node: worker threads. */
import { availableParallelism } from "node:os";
import { type TransferListItem, Worker } from "node:worker_threads";
import {
  type Executor,
  inlineExecutor,
  type WorkerAnswer,
  WorkerExecutor,
  type WorkerPort,
} from "../compute/executor.js";

const MAIN = new URL("./worker-main.js", import.meta.url);

/** `workers` threads (default: one a core); with 0 everything runs in the calling thread. `main` is what a thread runs. */
export function threadExecutor(workers: number = availableParallelism(), main: URL = MAIN): Executor {
  return workers === 0 ? inlineExecutor() : new WorkerExecutor(workers, () => spawnThread(main));
}

function spawnThread(main: URL): WorkerPort {
  const worker = new Worker(main, { execArgv: [] });
  worker.unref();
  return {
    post(message, transfer) {
      worker.ref();
      worker.postMessage(message, transfer as TransferListItem[]);
    },
    listen(onMessage, onBreak) {
      worker.on("message", (answer: WorkerAnswer) => {
        worker.unref();
        onMessage(answer);
      });
      worker.on("messageerror", (error) => onBreak(`its answer could not be read: ${error.message}`));
      worker.on("error", (error) => onBreak(error.message));
      worker.on("exit", (code) => onBreak(`its thread ended with code ${code}`));
    },
    terminate() {
      worker.removeAllListeners();
      // an error on the way out has no one to tell, and without a listener would end the program
      worker.on("error", () => undefined);
      return worker.terminate();
    },
  };
}
