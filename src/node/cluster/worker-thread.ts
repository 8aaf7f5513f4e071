/** What a thread of a worker runs: the tasks of the program, which write large results themselves. */
import { parentPort, type TransferListItem } from "node:worker_threads";
import { serveTasks } from "../../compute/executor.js";
import { tasks } from "../../tasks.js";
import { storing } from "./storing.js";

const serve = serveTasks(tasks.map(storing), (answer, transfer) =>
  parentPort!.postMessage(answer, transfer as TransferListItem[]),
);
parentPort!.on("message", (request) => void serve(request));
// a request that cannot be read has no id to answer to: the thread breaks down, which its executor hears
parentPort!.on("messageerror", (error) => {
  throw error;
});
