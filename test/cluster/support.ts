/** Real Redis servers on free loopback ports, and real processes against them. Everything that was started is ended with the test file. */
import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Executor, Task } from "../../src/compute/executor.js";
import type { Tuning } from "../../src/node/cluster/protocol.js";
import { built } from "../built.js";

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
export const noRedis = "redis-server is not installed";

export const folder = mkdtempSync(join(tmpdir(), "graphdos-cluster-"));
const started = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await Promise.all([...started].map(ended));
  rmSync(folder, { recursive: true, force: true });
});

/** Ends the runs and the workers that a test has left: one that failed must not make the next ones fail. */
const workers = new Set<ChildProcess>();
const executors = new Set<Executor>();
export async function endAll(): Promise<void> {
  for (const executor of executors) await executor.close();
  executors.clear();
  for (const child of workers) child.kill("SIGKILL");
  await Promise.all([...workers].map(ended));
  workers.clear();
}

/**
 * Short times, but for the lock: nobody is given a unit that a living worker has, however long a busy machine keeps that worker from
 * renewing its lock. So tests may count how often a unit was begun.
 */
export const tuning: Tuning = { lock: 30_000, backoff: 50, tick: 200, dead: 4000, fleeting: 0 };
/** Of a worker that a test ends in the middle of a unit: the unit is free within 2.5 seconds. */
export const mortal: Tuning = { ...tuning, lock: 2500 };
/** Of a worker that takes such units over: it looks for them every five seconds. */
export const heir: Tuning = { ...tuning, lock: 10_000 };

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once("exit", (code) => resolve(code));
  });

/** Against a hang alone, and before the limit of Vitest, which cannot say what was waited for. */
const NEVER_MS = 240_000;

/** Waits until something is so; says what when it never is. */
export async function until(what: string, test: () => boolean | Promise<boolean>): Promise<void> {
  for (const start = Date.now(); !(await test()); await pause(25))
    if (Date.now() - start > NEVER_MS) throw new Error(`never: ${what}`);
}

export interface Started {
  child: ChildProcess;
  /** What it has printed on stdout and stderr so far. */
  out(): string;
  err(): string;
}

export function start(command: string, args: string[], options: SpawnOptions = {}): Started {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  started.add(child);
  child.once("exit", () => started.delete(child));
  let [out, err] = ["", ""];
  child.stdout!.on("data", (text) => {
    out += text;
  });
  child.stderr!.on("data", (text) => {
    err += text;
  });
  return { child, out: () => out, err: () => err };
}

export interface RedisServer {
  address: string;
  port: number;
  cli(...args: string[]): string;
  /** SIGSTOP and SIGCONT: while it is frozen, connections stay open and nothing is answered. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
  startAgain(): Promise<void>;
}

/** Below the ports that the system hands out by itself: nobody gets this one between a stop and the next start. */
const somePort = () => 10_000 + Math.floor(20_000 * Math.random());

export interface RedisOptions {
  /** Keep the data over a restart. Default: no. */
  keep?: boolean;
  args?: string[];
  /** Addresses besides 127.0.0.1. */
  bind?: string[];
  /** Speak TLS alone, with these files. */
  tls?: { key: string; certificate: string };
}

/** A server with its data in a folder of its own, on a port that it could take. */
export async function startRedis({
  keep = false,
  args = [],
  bind = [],
  tls,
}: RedisOptions = {}): Promise<RedisServer> {
  const data = mkdtempSync(join(folder, "redis-"));
  const fixed = ["--bind", "127.0.0.1", ...bind, "--dir", data, "--save", "", "--daemonize", "no"];
  // data outlives the process without a sync, for which a busy disk would make all commands wait
  fixed.push("--appendonly", keep ? "yes" : "no", "--appendfsync", "no", "--protected-mode", "no", ...args);
  if (tls !== undefined)
    fixed.push("--tls-cert-file", tls.certificate, "--tls-key-file", tls.key, "--tls-auth-clients", "no");
  let server: Started;
  /** False where the port is taken. */
  const begin = async (port: number): Promise<boolean> => {
    const ports = tls === undefined ? ["--port", `${port}`] : ["--port", "0", "--tls-port", `${port}`];
    server = start("redis-server", [...ports, ...fixed]);
    const ready = () => server.out().includes("Ready to accept connections");
    await until("redis answers", () => ready() || server.child.exitCode !== null);
    if (!ready() && !server.out().includes("Address already in use"))
      throw new Error(`redis-server does not start: ${server.out()}${server.err()}`);
    return ready();
  };
  let port = somePort();
  while (!(await begin(port))) port = somePort();
  return {
    ...{ address: `redis${tls === undefined ? "" : "s"}://127.0.0.1:${port}`, port },
    cli: (...words) =>
      execFileSync("redis-cli", ["-h", "127.0.0.1", "-p", `${port}`, ...words], { encoding: "utf8" }).trim(),
    freeze: () => void server.child.kill("SIGSTOP"),
    thaw: () => void server.child.kill("SIGCONT"),
    async stop() {
      server.child.kill("SIGTERM");
      await ended(server.child);
    },
    async startAgain() {
      await until("the port is free again", () => begin(port));
    },
  };
}

/** Work that a test can watch: every unit writes a line when it begins. */
export interface TestUnit {
  number: number;
  log: string;
  milliseconds: number;
  /** Go on only when this file is there: until then, whoever has begun the unit has it. */
  gate?: string;
  /** Bytes that go with the unit, every one BALLAST. */
  ballast?: Uint8Array;
  /** So many bytes in the result besides. */
  filling?: number;
  /** Throw, spin for ever at the first try, or end the process. */
  fault?: "fail" | "spin once" | "exit";
}
export const testTask: Task<TestUnit, { square: number }> = {
  name: "test-unit",
  describe: ({ number }) => `graph ${number}`,
  run: () => {
    throw new Error("runs in the workers of the tests only");
  },
};
export const BALLAST = 7;
export const units = (count: number, log: string, milliseconds: number): TestUnit[] =>
  Array.from({ length: count }, (_, number) => ({ number, log, milliseconds }));

/** The units that were begun and the processes that began them, in order. */
export const begunBy = (log: string) =>
  (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").filter(Boolean) : [])
    .map((line) => line.split(" ").map(Number))
    .map(([number, process]) => ({ number, process }));
export const begun = (log: string) => begunBy(log).map(({ number }) => number);

/** A worker of the built program with the test's tasks and times, on the coordinator's machine: it sees its cache. */
export function startWorker(
  address: string,
  options: Record<string, unknown> = {},
  wrap: string[] = [],
): Started {
  const settings = JSON.stringify({ address, tuning, threads: 1, ...options });
  const [command, ...args] = [...wrap, process.execPath, "test/cluster/worker.mjs", settings];
  const worker = start(command, args, { env: { ...process.env, GRAPHDOS_CACHE: join(folder, "cache") } });
  workers.add(worker.child);
  return worker;
}

export const working = (worker: Started) =>
  until("the worker waits for work", () => worker.err().includes("waiting for work"));

/** An executor as commands have it, with the times of tests. */
export async function open(
  address: string,
  title: string,
  options: Record<string, unknown> = {},
): Promise<Executor> {
  process.env.GRAPHDOS_CACHE = join(folder, "cache");
  type Opening = typeof import("../../src/node/cluster/cluster-executor.js");
  type Addresses = typeof import("../../src/node/cluster/address.js");
  const { clusterExecutor } = await built<Opening>("node/cluster/cluster-executor");
  const { clusterAddress } = await built<Addresses>("node/cluster/address");
  const executor = await clusterExecutor({
    address: clusterAddress(address, { environment: {} }),
    title,
    tuning,
    ...options,
  });
  executors.add(executor);
  return executor;
}

/** Units that each living worker has done. */
export const doneByWorkers = (redis: RedisServer): number[] =>
  redis
    .cli("--raw", "keys", "graphdos:worker:*")
    .split("\n")
    .filter(Boolean)
    .map((key) => redis.cli("get", key).trim())
    // the key of a worker that is gone may end between the two commands
    .filter((record) => record !== "")
    .map((record) => (JSON.parse(record) as { done: number }).done);

/**
 * Gives the workers small units until each of them has done more than `before`: their threads run then, on a busy machine too.
 */
export async function warmUp(
  executor: Executor,
  redis: RedisServer,
  count: number,
  before = 0,
): Promise<void> {
  await until("all workers have done a unit", async () => {
    await executor.map(testTask, units(2 * count, newLog(), 100));
    return doneByWorkers(redis).filter((done) => done > before).length === count;
  });
}

let logs = 0;
export const newLog = () => join(folder, `log-${logs++}`);
