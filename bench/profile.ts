/**
 * Exact profiles, 50 moments, one thread, against what a Python user would write (../shared/peers/peer.py): NumPy's eigh with two
 * BLAS threads, and the paper's 2000 random probes. Run: npx tsx bench/profile.ts [--no-probes]
 *
 * Wall time and processor time of a first run (code not yet compiled by the engine) and the best of three more.
 * Reading the files is not part of any time. A shared machine is noisy: compare the processor times too.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { loadKernels } from "../src/compute/wasm.js";
import type { Graph } from "../src/graph/graph.js";
import { openData } from "../src/node/open.js";
import { exactCost, profileMany } from "../src/spectrum/exact.js";

const PEER = "../shared/peers/peer.py";
const DATA = "../shared/datasets/";

interface Bar {
  set: string;
  job: "ldos-eigh" | "ldos-probes";
  /** Graphs from the first; 0 for all. */
  first: number;
  /** How many times faster two threads must be. */
  bar: number;
}

const BARS: Bar[] = [
  { set: "IMDB-BINARY", job: "ldos-eigh", first: 0, bar: 30 },
  { set: "COLLAB", job: "ldos-eigh", first: 200, bar: 4 },
  { set: "REDDIT-BINARY", job: "ldos-eigh", first: 200, bar: 15 },
  { set: "REDDIT-BINARY", job: "ldos-probes", first: 200, bar: 100 },
];

const kernels = await loadKernels();

function timed(work: () => void): { wall: number; processor: number } {
  const before = process.cpuUsage();
  const started = performance.now();
  work();
  const wall = (performance.now() - started) / 1000;
  const used = process.cpuUsage(before);
  return { wall, processor: (used.user + used.system) / 1e6 };
}

function peerSeconds({ job, set, first }: Bar): number {
  const out = execFileSync(
    "/usr/bin/python3",
    [PEER, job, `${DATA}${set}.zip`, first === 0 ? "all" : String(first)],
    {
      env: { ...process.env, OPENBLAS_NUM_THREADS: "2" },
      encoding: "utf8",
    },
  );
  return JSON.parse(out).seconds;
}

const milliseconds = (seconds: number) => `${(1000 * seconds).toFixed(1)} ms`;

for (const bar of BARS) {
  if (bar.job === "ldos-probes" && process.argv.includes("--no-probes")) continue;
  if (!existsSync(`${DATA}${bar.set}.zip`)) {
    process.stdout.write(`${bar.set}: ${DATA}${bar.set}.zip is missing, skipped\n`);
    continue;
  }
  const all = (await openData(`${DATA}${bar.set}.zip`)).graphs;
  const graphs: Graph[] = bar.first === 0 ? all : all.slice(0, bar.first);
  const run = () => timed(() => void profileMany(graphs, { kernels }));
  const cold = run();
  const warm = [run(), run(), run()].reduce((a, b) => (a.wall < b.wall ? a : b));
  const plans = graphs.map((graph) => exactCost(graph));
  const foreseen = plans.reduce((sum, plan) => sum + plan.seconds, 0);
  process.stdout.write(
    `${bar.set}, ${graphs.length} graphs: first ${milliseconds(cold.wall)} (processor ${milliseconds(cold.processor)}), ` +
      `then ${milliseconds(warm.wall)} (processor ${milliseconds(warm.processor)}), foreseen ${milliseconds(foreseen)}\n`,
  );
  if (!existsSync(PEER)) continue;
  const peer = peerSeconds(bar);
  process.stdout.write(
    `  ${bar.job}: ${milliseconds(peer)}: first run ${(peer / cold.wall).toFixed(1)} times faster, ` +
      `then ${(peer / warm.wall).toFixed(1)} times; the bar for two threads is ${bar.bar}\n`,
  );
}
