/**
 * What a cluster costs on one machine: a Redis of its own on a free port, two worker processes of one thread each.
 *
 *   profiles of REDDIT-BINARY   results through files, as on one machine; wall time over that of two threads of one process; medians of
 *                               runs that alternate, the first two left out; and the processor time of all processes, which other
 *                               programs on the machine change less
 *   tiny units                  wall time a unit, 10,000 units that compute next to nothing
 *   one unit                    there and back when nothing else is to be done
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runModule, verdict } from "./measure.js";

const dist = (path: string) => JSON.stringify(new URL(`../dist/${path}`, import.meta.url).href);
const SET = "../shared/datasets/REDDIT-BINARY.zip";
const folder = mkdtempSync(join(tmpdir(), "graphdos-bench-"));
const started: ChildProcess[] = [];

function begin(command: string, args: string[], ready: RegExp): Promise<void> {
  const env = { ...process.env, GRAPHDOS_CACHE: folder };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  return new Promise((resolve, reject) => {
    const listen = (text: Buffer) => {
      if (ready.test(text.toString())) resolve();
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
  await begin("redis-server", redis, /Ready to accept/);
  const worker = ["dist/cli/main.js", "worker", "--cluster", address, "--workers", "1"];
  for (let k = 0; k < 2; k++) await begin(process.execPath, worker, /waiting for work/);
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
    const pids = JSON.stringify(started.map(({ pid }) => pid));
    type Times = Record<"threads" | "workers" | "threadsCpu" | "workersCpu", number[]>;
    const { threads, workers, threadsCpu, workersCpu } = runModule<Times>(`${open}
      const { readFileSync } = await import("node:fs");
      const { openData, threadExecutor, computeProfiles } = await import(${dist("node.js")});
      const set = await openData(${JSON.stringify(SET)});
      const local = threadExecutor(2);
      // seconds of user and system time so far, of this process, the workers and Redis; 0 where there is no /proc
      const processor = () => [process.pid, ...${pids}].reduce((sum, pid) => {
        try {
          const numbers = readFileSync("/proc/" + pid + "/stat", "utf8").split(") ")[1].split(" ");
          return sum + (Number(numbers[11]) + Number(numbers[12])) / 100;
        } catch {
          return sum;
        }
      }, 0);
      const times = { threads: [], workers: [], threadsCpu: [], workersCpu: [] };
      const run = async (executor, seed, name) => {
        const [start, before] = [performance.now(), processor()];
        await computeProfiles(set.graphs, { estimator: "exact", seed }, executor);
        times[name].push((performance.now() - start) / 1000);
        times[name + "Cpu"].push(processor() - before);
      };
      // exact moments have no seed, but a new one makes new units, which no journal answers
      for (let k = 0; k < 9; k++) {
        await run(local, k, "threads");
        await run(cluster, k, "workers");
      }
      await local.close();
      await cluster.close();
      return times;`).result;
    const median = (times: number[]) => times.slice(2).toSorted((a, b) => a - b)[3];
    const [ours, theirs] = [median(workers), median(threads)];
    console.log(
      `REDDIT-BINARY profiles: two threads ${theirs.toFixed(2)} s, two workers ${ours.toFixed(2)} s`,
    );
    console.log(
      `  processor time of all processes: ${median(threadsCpu).toFixed(2)} s and ${median(workersCpu).toFixed(2)} s, ${(median(workersCpu) / median(threadsCpu)).toFixed(2)} times as much`,
    );
    console.log(`  all runs, threads: ${threads.map((t) => t.toFixed(2)).join(" ")}`);
    console.log(`  all runs, workers: ${workers.map((t) => t.toFixed(2)).join(" ")}`);
    verdict("two worker processes / two threads", ours / theirs, 1.15, "at most");
  }
} finally {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
