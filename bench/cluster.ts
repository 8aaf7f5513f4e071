/**
 * What a cluster costs on one machine: a Redis of its own on a free port, two worker processes of one thread each.
 *
 *   profiles of REDDIT-BINARY   wall time over that of two threads, medians of pairs that follow one another: in a process of its own each
 *                               time, as a command has it, from opening the executor to closing it; and in one process again and again
 *                               with executors that are at work; and the processor time of all processes. With other worker processes
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

interface Timed {
  seconds: number;
  processor: number;
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
  const seconds = (side: 0 | 1, field: keyof Timed) =>
    medianOf(pairs.map((pair) => pair[side][field])).toFixed(2);
  const processor = medianOf(pairs.map(([a, b]) => b.processor / a.processor));
  console.log(`${what}: ratio ${medianOf(pairs.map(ratio)).toFixed(2)}`);
  console.log(`  two threads ${seconds(0, "seconds")} s, two workers ${seconds(1, "seconds")} s`);
  console.log(
    `  processor time of all processes: ${seconds(0, "processor")} s and ${seconds(1, "processor")} s, ${processor.toFixed(2)} times as much`,
  );
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
    const alone: Pair[] = [];
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
        // seconds of user and system time so far, of this process, the workers and Redis; 0 where there is no /proc
        const processor = () => [process.pid, ...${pids}].reduce((sum, pid) => {
          try {
            const numbers = readFileSync("/proc/" + pid + "/stat", "utf8").split(") ")[1].split(" ");
            return sum + (Number(numbers[11]) + Number(numbers[12])) / 100;
          } catch {
            return sum;
          }
        }, 0);
        const timed = async (work) => {
          const [start, before] = [performance.now(), processor()];
          await work();
          return { seconds: (performance.now() - start) / 1000, processor: processor() - before };
        };
        const profiles = (executor) => computeProfiles(set.graphs, { estimator: "exact" }, executor);`;
      const whole = (make: string) =>
        runModule<Timed>(`${setUp}
          return timed(async () => {
            ${make}
            await profiles(executor);
            await executor.close();
          });`).result;
      const pairs = Array.from(
        { length: PAIRS },
        (): Pair => [
          whole("const executor = threadExecutor(2);"),
          whole(`${open} const executor = cluster;`),
        ],
      );
      alone.push(...pairs.slice(LEFT_OUT));
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
    report("profiles of REDDIT-BINARY, each in a process of its own, executor opened and closed", alone);
    report("the same again and again in one process, both executors at work before", again);
    verdict("two worker processes / two threads, as commands", medianOf(alone.map(ratio)), 1.15, "at most");
    verdict("two worker processes / two threads, again", medianOf(again.map(ratio)), 1.15, "at most");
  }
} finally {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
