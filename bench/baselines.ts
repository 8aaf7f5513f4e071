/**
 * The baselines, two worker threads, against one yardstick timed in the same run: peer.py ldos-eigh on the first 200 graphs of REDDIT-BINARY
 * (numpy's dense eigensolver, two BLAS threads).
 *
 *   WL, 5 iterations: features and Gram of all of REDDIT-BINARY, time and peak memory
 *   NetLSD and FGSD (both distances): the vectors of the first 200
 *   every baseline on all of IMDB-BINARY: features and Gram
 *
 * Run: npm run bench -- baselines. Reading, and starting the threads, are not part of any time.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { runModule, verdict } from "./measure.js";

const DATA = "../shared/datasets/";
const PEER = "../shared/peers/peer.py";
const BASELINES = [
  "wl",
  "wl-oa",
  "sp",
  "graphlet",
  "rw",
  "fgsd",
  "netlsd",
  "slaq",
  "dgk",
  "sage",
  "wwl",
  "propagation",
];

/** Seconds for the features, and for features and Gram, of the first graphs of a set. */
function timed(kernel: string, options: object, set: string, first: number) {
  return runModule<{ features: number; all: number }>(`
    const { openData } = await import("./dist/node/open.js");
    const { threadExecutor } = await import("./dist/node/worker-threads.js");
    const { profileTask } = await import("./dist/spectrum/profiles.js");
    const { packGraphs } = await import("./dist/graph/pack.js");
    const { kernelInput } = await import("./dist/experiment/kernel-run.js");
    const { fitKernel, kernelByName, kernelDistances, kernelGram, kernelNeeds, kernelOptions } = await import("./dist/kernel/registry.js");
    const data = await openData("${DATA}${set}.zip");
    data.graphs.length = Math.min(data.graphs.length, ${first || "Infinity"});
    const executor = threadExecutor(2);
    const nothing = () => ({ graphs: packGraphs([]), indices: [], options: {} });
    await executor.map(profileTask, [nothing(), nothing()]);
    const spec = kernelByName("${kernel}");
    const options = kernelOptions(spec, ${JSON.stringify(options)});
    const start = performance.now();
    const input = await kernelInput(data, kernelNeeds(spec, options), {}, executor);
    const fitted = await fitKernel(spec, input, options, { executor, shared: true });
    const features = (performance.now() - start) / 1000;
    kernelGram(fitted, await kernelDistances(fitted, { executor }));
    const all = (performance.now() - start) / 1000;
    await executor.close();
    return { features, all };`);
}

if (!existsSync(DATA)) throw new Error(`the data sets are not at ${DATA}`);
const check = (what: string, value: number, bar: number) => verdict(what, value, bar, "at most");

const env = { ...process.env, OPENBLAS_NUM_THREADS: "2" };
const yardstick: number = JSON.parse(
  execFileSync("/usr/bin/python3", [PEER, "ldos-eigh", `${DATA}REDDIT-BINARY.zip`, "200"], {
    env,
    encoding: "utf8",
  }),
).seconds;
console.log(`yardstick: ldos-eigh of the first 200 of REDDIT-BINARY ${yardstick.toFixed(2)} s`);

const wl = timed("wl", { iterations: 5 }, "REDDIT-BINARY", 0);
check(
  "WL, features and Gram of all of REDDIT-BINARY, share of the yardstick",
  wl.result.all / yardstick,
  0.25,
);
check("WL, peak memory in MB", wl.peakMiB * 1.048576, 500);
for (const [kernel, options] of [
  ["netlsd", {}],
  ["fgsd", { distance: "harmonic" }],
  ["fgsd", { distance: "biharmonic" }],
  ["fgsd", { distance: "harmonic", binWidth: 1e-5 }],
  ["slaq", {}],
] as const) {
  const { result } = timed(kernel, options, "REDDIT-BINARY", 200);
  const what = `${kernel} ${Object.values(options).join(" ")}`.trim();
  check(`${what}, vectors of the first 200, share of the yardstick`, result.features / yardstick, 0.5);
}
for (const kernel of BASELINES) {
  const { result } = timed(kernel, {}, "IMDB-BINARY", 0);
  check(`${kernel}, features and Gram of IMDB-BINARY, seconds`, result.all, kernel === "dgk" ? 5 : 10);
}
