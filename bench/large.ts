/**
 * One large graph: trace moments, 100 moments, 20 probes, float64, against SciPy's CSR × (n × 20) block (peer.py dos).
 * Reading the file is not part of the time on either side.      npx tsx bench/large.ts
 */
import { existsSync } from "node:fs";
import { runModule, timeShell, verdict } from "./measure.js";

const library = new URL("../dist/node.js", import.meta.url).href;
const peer = "../shared/peers/peer.py";

for (const name of ["ego-Twitter", "cnr-2000"]) {
  const file = `../shared/graphs/${name}.txt.gz`;
  if (!existsSync(file)) {
    console.log(`${name}: skipped, ../shared is missing`);
    continue;
  }
  const ours = runModule<{ cold: number; warm: number; second: number; error: number }>(`
    const { openData, threadExecutor, sharedRunner, probeProfile } = await import(${JSON.stringify(library)});
    const { graphs: [graph] } = await openData(${JSON.stringify(file)});
    const executor = threadExecutor();
    const run = async () => {
      const start = performance.now();
      const options = { moments: 100, probes: 20, nodes: false };
      const profile = await probeProfile(graph, await sharedRunner(executor), options);
      return { seconds: (performance.now() - start) / 1000, profile };
    };
    const cold = await run();
    const warm = await run();
    await executor.close();
    const { trace, standardError } = cold.profile;
    return { cold: cold.seconds, warm: warm.seconds, second: trace[2] / trace[0], error: standardError.trace[2] / trace[0] };`);
  const { cold, warm, second, error } = ours.result;
  let theirs: { seconds: number; second: number };
  try {
    theirs = JSON.parse(timeShell(`OPENBLAS_NUM_THREADS=2 ${peer} dos ${file} 100 20 float64`).stdout);
  } catch (failure) {
    console.log(
      `${name}: the peer does not run here (python3-numpy, python3-scipy): ${(failure as Error).message.slice(0, 200)}`,
    );
    continue;
  }
  console.log(
    `${name}: ours ${cold.toFixed(2)} s (again: ${warm.toFixed(2)} s), SciPy ${theirs.seconds.toFixed(2)} s; ` +
      `second mean moment ${second.toFixed(6)} ± ${error.toExponential(1)}, SciPy's ${theirs.second.toFixed(6)}`,
  );
  verdict(`${name}: SciPy / ours, first run`, theirs.seconds / cold, 3, "at least");
}
