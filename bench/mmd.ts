/**
 * MMD Gram matrices from profiles, two worker threads.
 *
 *   exact     against what a Python user would write: peer.py mmd (numpy, stacked and blocked, two BLAS threads), on the same 50 Chebyshev
 *             moments and width
 *   low-rank  all of REDDIT-BINARY at tolerance 0.001 against our exact sums, timed on a sample of the graphs and scaled by the number of
 *             kernel values; the errors on the sample must be within the printed bound
 *   embedding and Gram of all of REDDIT-MULTI-5K: seconds and peak memory, the process's start and the profiles not counted in
 *             the seconds
 *
 * Run: npm run bench -- mmd. Profiles are computed first and not part of any time.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { runModule, verdict } from "./measure.js";

const DATA = "../shared/datasets/";
const PEER = "../shared/peers/peer.py";

/** The start of every measured process: profiles of the first graphs of a set, or of every step-th. */
const prepare = (set: string, first: number, step = 1) => `
  const { openData } = await import("./dist/node/open.js");
  const { computeProfiles } = await import("./dist/spectrum/profiles.js");
  const { threadExecutor } = await import("./dist/node/worker-threads.js");
  const { fitKernel, kernelByName, kernelDistances, kernelGram } = await import("./dist/kernel/registry.js");
  const data = await openData("${DATA}${set}.zip");
  const graphs = data.graphs.filter((_, g) => g % ${step} === 0).slice(0, ${first || "undefined"});
  const executor = threadExecutor(2);
  let profiles = await computeProfiles(graphs, { estimator: "exact" }, executor);
  const context = { executor, shared: true };
  const rows = profiles.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const gramOf = async (options) => {
    const start = performance.now();
    const kernel = await fitKernel(kernelByName("ldos"), { profiles }, options, context);
    const distances = await kernelDistances(kernel, { executor });
    const { gram } = kernelGram(kernel, distances);
    const { errorBound, values } = distances[0];
    return { seconds: (performance.now() - start) / 1000, errorBound, values, notes: kernel.notes, gram };
  };`;

function peerSeconds(set: string, first: number): number {
  const arguments_ = [PEER, "mmd", `${DATA}${set}.zip`, first === 0 ? "all" : String(first)];
  const env = { ...process.env, OPENBLAS_NUM_THREADS: "2" };
  return JSON.parse(execFileSync("/usr/bin/python3", arguments_, { env, encoding: "utf8" })).seconds;
}

if (!existsSync(DATA)) throw new Error(`the data sets are not at ${DATA}`);

for (const [set, first] of [
  ["IMDB-BINARY", 0],
  ["REDDIT-BINARY", 300],
] as const) {
  const { result } = runModule<{ seconds: number; rows: number }>(`${prepare(set, first)}
    const { seconds } = await gramOf({ mmd: "exact", basis: "chebyshev" });
    await executor.close();
    return { seconds, rows };`);
  const peer = peerSeconds(set, first);
  console.log(
    `${set}: ${result.rows} rows, exact ${result.seconds.toFixed(2)} s, numpy ${peer.toFixed(2)} s`,
  );
  verdict(`exact MMD, ${set}`, peer / result.seconds, 8, "at least");
}

{
  const STEP = 10;
  const sample = runModule<{
    seconds: number;
    rows: number;
    values: number[];
  }>(`${prepare("REDDIT-BINARY", 0, STEP)}
    const { seconds, values } = await gramOf({ mmd: "exact" });
    await executor.close();
    return { seconds, rows, values: Array.from(values) };`).result;
  const { result } = runModule<{
    seconds: number;
    rows: number;
    errorBound: number;
    notes: string[];
    values: number[];
  }>(
    `${prepare("REDDIT-BINARY", 0)}
    const { seconds, errorBound, values, notes } = await gramOf({ mmd: "low-rank", tolerance: 1e-3 });
    await executor.close();
    const n = graphs.length;
    const picked = graphs.map((_, g) => g).filter((g) => g % ${STEP} === 0);
    return { seconds, rows, errorBound, notes, values: picked.flatMap((g) => picked.map((h) => values[g * n + h])) };`,
  );
  const exact = sample.seconds * (result.rows / sample.rows) ** 2;
  const error = result.values.reduce((most, d, k) => Math.max(most, Math.abs(d - sample.values[k])), 0);
  console.log(
    `REDDIT-BINARY: low-rank ${result.seconds.toFixed(1)} s; exact ${exact.toFixed(0)} s by a sample; ${result.notes[0]}`,
  );
  verdict("low-rank against exact MMD, REDDIT-BINARY", exact / result.seconds, 50, "at least");
  verdict("error on the sample, share of the printed bound", error / result.errorBound, 1, "at most");
}

{
  const { result, peakMiB } = runModule<{ seconds: number; errorBound: number; notes: string[] }>(
    `${prepare("REDDIT-MULTI-5K", 0)}
    const { seconds, errorBound, notes } = await gramOf({});
    await executor.close();
    return { seconds, errorBound, notes };`,
  );
  console.log(`REDDIT-MULTI-5K: ${result.notes[0]}; error bound ${result.errorBound.toExponential(2)}`);
  verdict("REDDIT-MULTI-5K, embedding and Gram, seconds", result.seconds, 60, "at most");
  verdict("REDDIT-MULTI-5K, peak GiB", peakMiB / 1024, 4, "at most");
}
