/**
 * Exact profiles, 50 moments, on all cores, against what a Python user would write (../shared/peers/peer.py): NumPy's eigh with two
 * BLAS threads, and the paper's 2000 random probes.      npx tsx bench/profile.ts [--no-probes]
 *
 * The ratio is that of the first run in a fresh process: the median over five processes, none of which has profiled anything
 * before. Not part of it, on either side: starting the process, loading code (NumPy's import; here the start of the worker threads, which
 * have answered that they are there) and reading the file. Part of it: posting the graphs to the threads and the profiles back, and
 * whatever the engine compiles while it first runs. Beside it stands the compiled state: the median of five runs after eight.
 */
import { existsSync } from "node:fs";
import { runModule, timeShell, verdict } from "./measure.js";

const PEER = "../shared/peers/peer.py";
const PROCESSES = 5;
const library = new URL("../dist/node.js", import.meta.url).href;

/** Set, peer's job and how often it runs, graphs from the first (0: all), bar. */
const BARS: [string, "ldos-eigh" | "ldos-probes", number, number, number][] = [
  ["IMDB-BINARY", "ldos-eigh", 3, 0, 30],
  ["COLLAB", "ldos-eigh", 3, 200, 4],
  ["REDDIT-BINARY", "ldos-eigh", 3, 200, 15],
  ["REDDIT-BINARY", "ldos-probes", 1, 200, 100],
];

interface Run {
  count: number;
  first: number;
  /** Runs after the first, when they were asked for. */
  more: number[];
}

/** A fresh process: the first run in it, and so many more. */
function freshRun(file: string, first: number, more: number): Run {
  return runModule<Run>(`
    const { openData, threadExecutor, computeProfiles } = await import(${JSON.stringify(library)});
    const set = await openData(${JSON.stringify(file)});
    const graphs = ${first} === 0 ? set.graphs : set.graphs.slice(0, ${first});
    const executor = threadExecutor();
    await executor.start();
    const run = async () => {
      const start = performance.now();
      await computeProfiles(graphs, { estimator: "exact" }, executor);
      return (performance.now() - start) / 1000;
    };
    const first = await run();
    const more = [];
    for (let k = 0; k < ${more}; k++) more.push(await run());
    await executor.close();
    return { count: graphs.length, first, more };`).result;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

for (const [set, job, times, first, bar] of BARS) {
  const file = `../shared/datasets/${set}.zip`;
  if (job === "ldos-probes" && process.argv.includes("--no-probes")) continue;
  if (!existsSync(file)) {
    console.log(`${set}: skipped, ../shared is missing`);
    continue;
  }
  const runs = Array.from({ length: PROCESSES }, (_, k) => freshRun(file, first, k === 0 ? 13 : 0));
  const command = `OPENBLAS_NUM_THREADS=2 ${PEER} ${job} ${file} ${first === 0 ? "all" : first}`;
  let theirs: number;
  try {
    theirs = median(
      Array.from({ length: times }, () => JSON.parse(timeShell(command).stdout).seconds as number),
    );
  } catch (failure) {
    console.log(
      `${set}: the peer does not run here (python3-numpy, python3-scipy): ${(failure as Error).message.slice(0, 200)}`,
    );
    continue;
  }
  const ours = median(runs.map((run) => run.first));
  const compiled = median(runs[0].more.slice(-5));
  const milliseconds = (seconds: number) => `${(1000 * seconds).toFixed(1)} ms`;
  console.log(
    `${set}, ${runs[0].count} graphs: first run ${milliseconds(ours)}, ${job} ${theirs.toFixed(2)} s; ` +
      `compiled ${milliseconds(compiled)}, ${(theirs / compiled).toFixed(1)} times`,
  );
  verdict(`${set}: ${job} / first run of ours`, theirs / ours, bar, "at least");
}
