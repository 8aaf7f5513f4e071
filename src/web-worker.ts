/** What runs inside a web worker: answers requests of webWorkerExecutor with the tasks of the package. */
import { serveTasks, type WorkerRequest } from "./compute/executor.js";
import { tasks } from "./tasks.js";

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  postMessage(message: unknown, options: { transfer: Transferable[] }): void;
  addEventListener(
    type: "message" | "messageerror",
    listener: (event: MessageEvent<WorkerRequest>) => void,
  ): void;
}

/** To be called once, when the worker's script starts. */
export function serveWebWorker(scope: WorkerScope = self): void {
  const serve = serveTasks(tasks, (answer, transfer) => scope.postMessage(answer, { transfer }));
  scope.addEventListener("message", ({ data }) => void serve(data));
  // it has no id to answer to: the worker breaks down, which its executor hears
  scope.addEventListener("messageerror", () => {
    throw new Error("a request could not be read");
  });
}
