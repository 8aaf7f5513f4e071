/**
 * What a cluster costs on one machine: a Redis of its own on a free port, two worker processes of one thread each.
 *
 *   profiles of REDDIT-BINARY   wall time over that of two threads, medians of pairs that follow one another: in a process of its own each
 *                               time, as a command has it, from opening the executor to closing it, and of that the profiles alone; and in
 *                               one process again and again; and the processor time of all processes. With other worker processes
 *                               every few pairs: where their memory lies changes how fast they are by some hundredths
 *   tiny units                  wall time a unit, 10,000 units that compute next to nothing
 *   one unit                    there and back when nothing else is to be done
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runModule, verdict } from "./measure.js";

/** Seconds of processor time: of main threads, and of all others (computation, garbage collection). */
type Shares = Record<
  "caller, main thread" | "caller, others" | "workers, main threads" | "workers, others" | "Redis",
  number
>;

interface Timed {
  seconds: number;
  processor: Shares;
}
/** Two threads, then two workers. */
type Pair = [Timed, Timed];

const GENERATIONS = 3;
/** Pairs of each generation of workers: the first warm them up. */
const LEFT_OUT = 2;
const COUNTED = 7;
const PAIRS = LEFT_OUT + COUNTED;
const medianOf = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const ratio = ([threads, workers]: Pair) => workers.seconds / threads.seconds;

/** Medians, and the median of the ratios of neighbours, which a machine that is now fast and now slow changes least. */
function report(what: string, pairs: Pair[]): void {
  const median = (side: 0 | 1, number: (timed: Timed) => number) =>
    medianOf(pairs.map((pair) => number(pair[side]))).toFixed(2);
  const total = ({ processor }: Timed) => Object.values(processor).reduce((sum, share) => sum + share, 0);
  const more = medianOf(pairs.map(([a, b]) => total(b) / total(a)));
  console.log(`${what}: ratio ${medianOf(pairs.map(ratio)).toFixed(2)}`);
  const seconds = ({ seconds: all }: Timed) => all;
  console.log(`  two threads ${median(0, seconds)} s, two workers ${median(1, seconds)} s`);
  console.log(
    `  processor time of all processes: ${median(0, total)} s and ${median(1, total)} s, ${more.toFixed(2)} times as much`,
  );
  for (const who of Object.keys(pairs[0][0].processor) as (keyof Shares)[]) {
    const share = ({ processor }: Timed) => processor[who];
    console.log(`    ${who}: ${median(0, share)} s and ${median(1, share)} s`);
  }
  console.log(`  all ratios: ${pairs.map((pair) => ratio(pair).toFixed(2)).join(" ")}`);
}

const dist = (path: string) => JSON.stringify(new URL(`../dist/${path}`, import.meta.url).href);
const SET = "../shared/datasets/REDDIT-BINARY.zip";
const folder = mkdtempSync(join(tmpdir(), "graphdos-bench-"));
const started: ChildProcess[] = [];

function begin(command: string, args: string[], ready: RegExp): Promise<ChildProcess> {
  const env = { ...process.env, GRAPHDOS_CACHE: folder };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  return new Promise((resolve, reject) => {
    const listen = (text: Buffer) => {
      if (ready.test(text.toString())) resolve(child);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("error", reject);
  });
}

const port = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port: free } = server.address() as { port: number };
    server.close(() => resolve(free));
  });
});
const address = `redis://127.0.0.1:${port}`;
const redis = [
  "--port",
  String(port),
  "--bind",
  "127.0.0.1",
  "--dir",
  folder,
  "--save",
  "",
  "--appendonly",
  "no",
];

try {
  const server = await begin("redis-server", redis, /Ready to accept/);
  const worker = ["dist/cli/main.js", "worker", "--cluster", address, "--workers", "1"];
  const beginWorkers = async () => [
    await begin(process.execPath, worker, /waiting for work/),
    await begin(process.execPath, worker, /waiting for work/),
  ];
  let workers = await beginWorkers();
  const open = `
    process.env.GRAPHDOS_CACHE = ${JSON.stringify(folder)};
    const { clusterExecutor } = await import(${dist("node/cluster/cluster-executor.js")});
    const { clusterAddress } = await import(${dist("node/cluster/address.js")});
    const cluster = await clusterExecutor({ address: clusterAddress(${JSON.stringify(address)}), title: "bench" });
    const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];`;

  const tiny = runModule<{ single: number; unit: number; right: boolean }>(`${open}
    const { vectorTask } = await import(${dist("signature/vector-distances.js")});
    const unit = (k) => ({ metric: "l1", dimension: 1, a: new Float64Array([k]), b: new Float64Array([2 * k]) });
    await cluster.map(vectorTask, Array.from({ length: 500 }, (_, k) => unit(-k - 1)));
    const single = [];
    for (let k = 0; k < 50; k++) {
      const start = performance.now();
      await cluster.map(vectorTask, [unit(20000 + k)]);
      single.push(performance.now() - start);
    }
    const start = performance.now();
    const outputs = await cluster.map(vectorTask, Array.from({ length: 10000 }, (_, k) => unit(k)));
    const seconds = (performance.now() - start) / 1000;
    await cluster.close();
    return { single: median(single), unit: seconds / 10, right: outputs.every((output, k) => output[0] === k) };`).result;
  console.log(
    `10,000 tiny units ${tiny.right ? "finished, all right" : "came back wrong"}; one alone takes ${tiny.single.toFixed(1)} ms there and back`,
  );
  verdict("overhead a unit, ms", tiny.unit, 5, "at most");

  if (!existsSync(SET)) console.log("REDDIT-BINARY: skipped, ../shared is missing");
  else {
    const commands: Pair[] = [];
    const first: Pair[] = [];
    const again: Pair[] = [];
    for (let generation = 0; generation < GENERATIONS; generation++) {
      if (generation > 0) {
        for (const child of workers) child.kill("SIGTERM");
        await Promise.all(workers.map((child) => once(child, "exit")));
        workers = await beginWorkers();
      }
      const pids = JSON.stringify([server, ...workers].map(({ pid }) => pid));
      const setUp = `
        const { readFileSync } = await import("node:fs");
        const { openData, threadExecutor, computeProfiles } = await import(${dist("node.js")});
        const set = await openData(${JSON.stringify(SET)});
        const words = (path) => {
          try {
            return readFileSync(path, "utf8").split(") ").at(-1).split(" ");
          } catch {
            return [];
          }
        };
        // seconds on a processor so far, of all threads of a process and of its first; 0 where there is no /proc
        const all = (pid) => {
          const [user = 0, system = 0] = words("/proc/" + pid + "/stat").slice(11).map(Number);
          return (user + system) / 100;
        };
        const main = (pid) => Number(words("/proc/" + pid + "/task/" + pid + "/schedstat")[0] ?? 0) / 1e9;
        const [redis, ...workers] = ${pids};
        const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
        const shares = (pids) => [sum(pids.map(main)), sum(pids.map((pid) => all(pid) - main(pid)))];
        const processor = () => {
          const [[first, others], [firsts, threads]] = [shares([process.pid]), shares(workers)];
          return {
            "caller, main thread": first,
            "caller, others": others,
            "workers, main threads": firsts,
            "workers, others": threads,
            Redis: all(redis),
          };
        };
        const timed = async (work) => {
          const [start, before] = [performance.now(), processor()];
          await work();
          const [seconds, after] = [(performance.now() - start) / 1000, processor()];
          for (const who in after) after[who] -= before[who];
          return { seconds, processor: after };
        };
        const profiles = (executor) => computeProfiles(set.graphs, { estimator: "exact" }, executor);`;
      const inProcess = (make: string) =>
        runModule<{ whole: Timed; profiles: Timed }>(`${setUp}
          let first;
          const whole = await timed(async () => {
            ${make}
            first = await timed(() => profiles(executor));
            await executor.close();
          });
          return { whole, profiles: first };`).result;
      for (let k = 0; k < PAIRS; k++) {
        const threads = inProcess("const executor = threadExecutor(2); await executor.start();");
        const cluster = inProcess(`${open} const executor = cluster;`);
        if (k < LEFT_OUT) continue;
        commands.push([threads.whole, cluster.whole]);
        first.push([threads.profiles, cluster.profiles]);
      }
      again.push(
        ...runModule<Pair[]>(`${open} ${setUp}
          const { vectorTask } = await import(${dist("signature/vector-distances.js")});
          await cluster.close();
          const local = threadExecutor(2);
          const pairs = [];
          for (let k = 0; k < ${PAIRS}; k++) {
            const cluster = await clusterExecutor({ address: clusterAddress(${JSON.stringify(address)}), title: "bench" });
            const unit = (number) => ({ metric: "l1", dimension: 1, a: new Float64Array([number]), b: new Float64Array([k]) });
            await cluster.map(vectorTask, [1, 2, 3, 4].map(unit));
            pairs.push([await timed(() => profiles(local)), await timed(() => profiles(cluster))]);
            await cluster.close();
          }
          await local.close();
          return pairs;`).result.slice(LEFT_OUT),
      );
    }
    report("profiles of REDDIT-BINARY, each in a process of its own, executor opened and closed", commands);
    report("of that the profiles alone, threads and workers started", first);
    report("the profiles again and again in one process, both executors at work before", again);
    verdict(
      "two worker processes / two threads, as commands",
      medianOf(commands.map(ratio)),
      1.15,
      "at most",
    );
    verdict(
      "two worker processes / two threads, profiles alone",
      medianOf(first.map(ratio)),
      1.15,
      "at most",
    );
    verdict("two worker processes / two threads, again", medianOf(again.map(ratio)), 1.15, "at most");
  }
} finally {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
