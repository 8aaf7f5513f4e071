/**
 * Exact profiles, 50 moments, on all cores, against what a Python user would write (../shared/peers/peer.py): NumPy's eigh with two
 * BLAS threads, and the paper's 2000 random probes.      npx tsx bench/profile.ts [--no-probes]
 *
 * Reading the files is no part of any time. NumPy comes compiled; our code is compiled by the engine while it first runs, in each
 * thread. So the ratio is taken when that is over: the median of five runs after eight. The very first run is printed too.
 */
import { existsSync } from "node:fs";
import { runModule, timeShell, verdict } from "./measure.js";

const PEER = "../shared/peers/peer.py";
const library = new URL("../dist/node.js", import.meta.url).href;

/** Set, peer's job, graphs from the first (0: all), bar. */
const BARS: [string, "ldos-eigh" | "ldos-probes", number, number][] = [
  ["IMDB-BINARY", "ldos-eigh", 0, 30],
  ["COLLAB", "ldos-eigh", 200, 4],
  ["REDDIT-BINARY", "ldos-eigh", 200, 15],
  ["REDDIT-BINARY", "ldos-probes", 200, 100],
];

for (const [set, job, first, bar] of BARS) {
  const file = `../shared/datasets/${set}.zip`;
  if (job === "ldos-probes" && process.argv.includes("--no-probes")) continue;
  if (!existsSync(file)) {
    console.log(`${set}: skipped, ../shared is missing`);
    continue;
  }
  const { result } = runModule<{ count: number; seconds: number; first: number }>(`
    const { openData, threadExecutor, computeProfiles } = await import(${JSON.stringify(library)});
    const set = await openData(${JSON.stringify(file)});
    const graphs = ${first} === 0 ? set.graphs : set.graphs.slice(0, ${first});
    const executor = threadExecutor();
    const run = async (some) => {
      const start = performance.now();
      await computeProfiles(some, { estimator: "exact" }, executor);
      return (performance.now() - start) / 1000;
    };
    const first = await run(graphs);
    for (let k = 1; k < 8; k++) await run(graphs);
    const runs = [];
    for (let k = 0; k < 5; k++) runs.push(await run(graphs));
    const seconds = runs.sort((a, b) => a - b)[2];
    await executor.close();
    return { count: graphs.length, seconds, first };`);
  const command = `OPENBLAS_NUM_THREADS=2 ${PEER} ${job} ${file} ${first === 0 ? "all" : first}`;
  let theirs: number;
  try {
    theirs = JSON.parse(timeShell(command).stdout).seconds;
  } catch (failure) {
    console.log(
      `${set}: the peer does not run here (python3-numpy, python3-scipy): ${(failure as Error).message.slice(0, 200)}`,
    );
    continue;
  }
  const { count, seconds, first: cold } = result;
  console.log(
    `${set}, ${count} graphs: ours ${(1000 * seconds).toFixed(1)} ms (very first run: ${(1000 * cold).toFixed(1)} ms), ${job} ${theirs.toFixed(2)} s`,
  );
  verdict(`${set}: ${job} / ours`, theirs / seconds, bar, "at least");
}
