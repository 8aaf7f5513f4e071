/** A coordinator process: runs the units of the tests and prints the sum of their results: node coordinator.mjs '{"address": …}' */
import { existsSync } from "node:fs";
import { clusterAddress } from "../../dist/node/cluster/address.js";
import { clusterExecutor } from "../../dist/node/cluster/cluster-executor.js";
import { testTask } from "./faulty-tasks.mjs";

const { address, units, ballast, after, ...options } = JSON.parse(process.argv[2]);
const stop = new AbortController();
process.on("SIGINT", () => stop.abort());
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.code === "interrupted" ? 130 : 1;
});
process.stderr.write("begins\n");
const executor = await clusterExecutor({
  ...options,
  signal: stop.signal,
  address: clusterAddress(address),
  tell: (sentence) => process.stderr.write(`${sentence}\n`),
});
// sends its units only when this file is there
while (after !== undefined && !existsSync(after)) await new Promise((resolve) => setTimeout(resolve, 20));
const inputs =
  ballast === undefined
    ? units
    : units.map((unit) => ({ ...unit, ballast: new Uint8Array(ballast).fill(7) }));
const outputs = await executor
  .map(testTask, inputs, {
    signal: stop.signal,
    onResult: (unit) => process.stderr.write(`unit ${unit}\n`),
  })
  .catch(async (error) => {
    await executor.close();
    throw error;
  });
const wrong = outputs.filter(({ square, filling }) => filling?.some((byte) => byte ** 2 !== square));
if (wrong.length > 0) throw new Error("a filling is wrong");
process.stdout.write(JSON.stringify(outputs.map(({ square }) => square)));
await executor.close();
