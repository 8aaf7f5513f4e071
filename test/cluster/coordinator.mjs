/** A coordinator process: runs the units of the tests and prints the sum of their results: node coordinator.mjs '{"address": …}' */
import { clusterAddress } from "../../dist/node/cluster/address.js";
import { clusterExecutor } from "../../dist/node/cluster/cluster-executor.js";
import { testTask } from "./faulty-tasks.mjs";

const { address, units, ballast, hesitate = 0, ...options } = JSON.parse(process.argv[2]);
const executor = await clusterExecutor({
  ...options,
  address: clusterAddress(address),
  tell: (sentence) => process.stderr.write(`${sentence}\n`),
});
await new Promise((resolve) => setTimeout(resolve, hesitate));
const inputs =
  ballast === undefined
    ? units
    : units.map((unit) => ({ ...unit, ballast: new Uint8Array(ballast).fill(7) }));
const outputs = await executor.map(testTask, inputs, {
  onResult: (unit) => process.stderr.write(`unit ${unit}\n`),
});
const wrong = outputs.filter(({ square, filling }) => filling?.some((byte) => byte ** 2 !== square));
if (wrong.length > 0) throw new Error("a filling is wrong");
process.stdout.write(JSON.stringify(outputs.map(({ square }) => square)));
await executor.close();
