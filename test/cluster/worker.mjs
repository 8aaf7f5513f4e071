/** A worker process of the built program, with the tasks and times of the tests: node worker.mjs '{"address": …}' */
import { clusterAddress } from "../../dist/node/cluster/address.js";
import { runClusterWorker } from "../../dist/node/cluster/worker.js";
import { testTask } from "./faulty-tasks.mjs";

const { address, ...options } = JSON.parse(process.argv[2]);
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
await runClusterWorker({
  ...options,
  address: clusterAddress(address),
  signal: stop.signal,
  tell: (sentence) => process.stderr.write(`${sentence}\n`),
  extra: { tasks: [testTask], main: new URL("./thread.mjs", import.meta.url) },
});
