/** What runs inside a worker thread of Node: answers requests with the tasks of the program. */

import type { TransferListItem } from "node:worker_threads";
import { parentPort } from "node:worker_threads";
import { serveTasks } from "../compute/executor.js";
import { tasks } from "../tasks.js";

const serve = serveTasks(tasks, (answer, transfer) =>
  parentPort!.postMessage(answer, transfer as TransferListItem[]),
);
parentPort!.on("message", (request) => void serve(request));
// a request that cannot be read has no id to answer to: the thread breaks down, which its executor hears
parentPort!.on("messageerror", (error) => {
  throw error;
});
