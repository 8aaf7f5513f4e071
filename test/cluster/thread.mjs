/** A worker thread with the program's tasks and that of the tests. */
import { parentPort } from "node:worker_threads";
import { serveTasks } from "../../dist/compute/executor.js";
import { storing } from "../../dist/node/cluster/storing.js";
import { tasks } from "../../dist/tasks.js";
import { testTask } from "./faulty-tasks.mjs";

const serve = serveTasks([...tasks, testTask].map(storing), (answer, transfer) =>
  parentPort.postMessage(answer, transfer),
);
parentPort.on("message", (request) => void serve(request));
