/** The commands on a cluster as people call them: files and numbers are those of one machine, for any number of workers. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/compute/executor.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { barabasiAlbert } from "../../src/graph/generators/index.js";
import { probeProfile } from "../../src/spectrum/probes.js";
import type * as Remote from "../../src/spectrum/remote-blocks.js";
import { inlineRunner } from "../../src/spectrum/step-runner.js";
import { built } from "../built.js";
import {
  ended,
  folder,
  hasRedis,
  noRedis,
  open,
  type RedisServer,
  type Started,
  start,
  startRedis,
  startWorker,
  until,
  working,
} from "./support.js";

const at = (name: string) => join(folder, name);
const bytes = (name: string) => readFileSync(at(name));
const env = { ...process.env, GRAPHDOS_CACHE: at("cache"), GRAPHDOS_DATA: "" };
const graphdos = (args: string[], more: NodeJS.ProcessEnv = {}): Started =>
  start(process.execPath, ["dist/cli/main.js", ...args], { env: { ...env, ...more } });

async function done(command: Started): Promise<Started> {
  const code = await ended(command.child);
  if (code !== 0) throw new Error(command.err());
  return command;
}

/** Forty stars and paths with a chord. */
function smallSet(): string {
  const path = at("set");
  mkdirSync(path, { recursive: true });
  const rows: string[] = [];
  for (let k = 0; k < 40; k++) {
    const n = 5 + ((7 * k) % 23);
    const edges = Array.from({ length: n }, (_, i) => (k % 2 === 0 ? `0 ${i + 1}` : `${i} ${i + 1}`));
    writeFileSync(join(path, `g${k}.txt`), `${edges.join("\n")}\n1 3\n`);
    rows.push(`g${k}.txt,${k % 2}`);
  }
  writeFileSync(join(path, "labels.csv"), `file,label\n${rows.join("\n")}\n`);
  return path;
}

describe.skipIf(!hasRedis)(`commands on a cluster${hasRedis ? "" : ` (${noRedis})`}`, () => {
  let redis: RedisServer;
  const workers: Started[] = [];
  const set = smallSet();
  const store = at("store");
  const more = async (count: number, ...words: string[]) => {
    const fresh = Array.from({ length: count }, () =>
      graphdos(["worker", "--workers", "1", ...words], { GRAPHDOS_CLUSTER: redis.address }),
    );
    workers.push(...fresh);
    await Promise.all(fresh.map(working));
  };
  beforeAll(async () => {
    redis = await startRedis();
    await more(1);
  });

  const features = ["features", set, "--kernel", "dos+ldos", "--nodes", "--moments", "16"];
  const gram = ["gram", set, "--kernel", "retgk1+dos", "--moments", "16"];
  const evaluate = [
    "evaluate",
    set,
    "--kernel",
    "dos,ldos",
    "--protocol",
    "quick",
    "--folds",
    "3",
    "--json",
    "--no-store",
  ];
  /** All but how long things took. */
  const numbers = (text: string) =>
    JSON.parse(text, (key, value) => (key === "seconds" ? undefined : value)) as unknown;

  it("give the files of one machine with one worker and with three", async () => {
    await Promise.all([
      done(graphdos([...features, "-o", at("f.npz"), "--workers", "1"])),
      done(graphdos([...gram, "-o", at("g.npy"), "--workers", "1"])),
    ]);
    for (const count of [1, 3]) {
      if (count > 1) await more(count - 1);
      await done(graphdos([...features, "-o", at(`f${count}.npz`), "--cluster", redis.address]));
      await done(graphdos([...gram, "-o", at(`g${count}.npy`)], { GRAPHDOS_CLUSTER: redis.address }));
      expect(bytes(`f${count}.npz`).equals(bytes("f.npz"))).toBe(true);
      expect(bytes(`g${count}.npy`).equals(bytes("g.npy"))).toBe(true);
    }
  });

  it("evaluate to the same numbers", async () => {
    const [here, there] = await Promise.all([
      done(graphdos([...evaluate, "--workers", "1"])),
      done(graphdos([...evaluate, "--cluster", redis.address])),
    ]);
    expect(numbers(there.out())).toEqual(numbers(here.out()));
  });

  it("share data through a folder where one is given, and say so when a worker does not see it", async () => {
    const [blind] = workers;
    for (const worker of workers.splice(1)) {
      worker.child.kill("SIGTERM");
      expect(await ended(worker.child)).toBe(0);
    }
    const refused = graphdos([...gram, "-o", at("x.npy"), "--cluster", redis.address, "--store", store]);
    expect(await ended(refused.child)).toBe(1);
    expect(refused.err()).toMatch(/does not see the shared folder of the coordinator: start it with --store/);
    await more(1, "--store", store);
    const args = [...gram, "-o", at("s.npy"), "--cluster", redis.address, "--store", store];
    await done(graphdos(args));
    expect(bytes("s.npy").equals(bytes("g.npy"))).toBe(true);
    await until("the other worker says so", () => blind.err().includes("does not see the shared folder"));
    blind.child.kill("SIGTERM");
    await ended(blind.child);
  });

  it("run blocks of probes of one graph on the workers, to the same bits", async () => {
    const graph = barabasiAlbert(3000, 4, 1);
    const options = { moments: 20, probes: 24, seed: 2, nodes: false };
    const here = await probeProfile(graph, inlineRunner(await loadKernels()), options);
    const executor: Executor = await open(redis.address, "probes", { store });
    const { blocksElsewhere } = await built<typeof Remote>("spectrum/remote-blocks");
    const elsewhere = await blocksElsewhere(executor, graph, undefined);
    const runner = inlineRunner(await loadKernels());
    const there = await probeProfile(graph, runner, options, elsewhere.probes(options));
    expect(Array.from(there.trace)).toEqual(Array.from(here.trace));
    await executor.close();
  });

  it("show what they are doing", async () => {
    let idle = "";
    // what a worker says of itself is up to a second old
    await until("the worker says that it is idle", async () => {
      idle = (await done(graphdos(["cluster", "status", redis.address]))).out();
      return /^1 worker, 0 of 1 threads busy\n {2}\S+ \(process \d+, graphdos [\d.]+\)/.test(idle);
    });
    expect(idle).toContain("no runs");
    const slow = startWorker(redis.address);
    const executor = await open(redis.address, "a long computation");
    const { testTask, units, newLog } = await import("./support.js");
    for (const worker of workers.splice(0)) worker.child.kill("SIGTERM");
    // all but three wait until somebody has looked
    const gate = at("looked");
    const inputs = units(12, newLog(), 20).map((unit) => (unit.number < 3 ? unit : { ...unit, gate }));
    const result = executor.map(testTask, inputs);
    result.catch(() => undefined);
    const progress = () => {
      const key = redis.cli("--raw", "keys", "*:progress");
      return key === "" ? null : (JSON.parse(redis.cli("get", key)) as { done: number });
    };
    await until("three units are done", () => (progress()?.done ?? 0) >= 3);
    const watched = graphdos(["cluster", "status", redis.address, "--watch", "--json"]);
    const looks = () =>
      watched
        .out()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    // one in the thread, one that the worker has fetched besides, which it may do a moment later
    await until(
      "two looks, the last at two units under way",
      () => looks().length >= 2 && looks().at(-1).runs[0]?.units.running === 2,
    );
    watched.child.kill("SIGINT");
    expect(await ended(watched.child)).toBe(0);
    const [run] = looks().at(-1).runs;
    expect(run.record).toMatchObject({ title: "a long computation" });
    expect(run.coordinated).toBe(true);
    expect(run.progress).toMatchObject({ task: "test-unit", total: 12, done: 3, failed: 0 });
    expect(run.units).toEqual({ waiting: 7, running: 2, retrying: 0, failed: 0 });
    writeFileSync(gate, "");
    await result;
    await executor.close();
    slow.child.kill("SIGKILL");
  });

  it("are looked at without a change: by a user of Redis who may only read", async () => {
    redis.cli("zadd", "graphdos:workers", "1", "died-long-ago");
    redis.cli("acl", "setuser", "reader", "on", ">secret", "~*", "+@read", "+@connection", "+info");
    const look = graphdos(["cluster", "status", redis.address.replace("//", "//reader@")], {
      GRAPHDOS_CLUSTER_PASSWORD: "secret",
    });
    expect((await done(look)).out()).toContain("no runs");
  });

  it("refuse calls that contradict themselves", async () => {
    const refusal = async (...args: string[]) => {
      const command = graphdos(args);
      const code = await ended(command.child);
      return `${code} ${command.err()}`;
    };
    expect(await refusal("worker")).toMatch(/^2 .*where is the cluster/);
    // a timer of Node that is told to wait longer fires at once
    expect(await refusal("worker", "--cluster", redis.address, "--unit-limit", "2147484")).toMatch(
      /^2 .*--unit-limit.* expected a whole number from 1 to 2147483, got 2147484/,
    );
    expect(await refusal("cluster", "status")).toMatch(/^2 .*of which cluster/);
    expect(
      await refusal(...features, "-o", at("x.npz"), "--cluster", redis.address, "--workers", "2"),
    ).toMatch(/^2 .*leave one of them out/);
    expect(await refusal(...features, "-o", at("x.npz"), "--store", store)).toMatch(
      /^2 .*nothing without --cluster/,
    );
    expect(await refusal(...features, "-o", at("x.npz"), "--cluster", "http://127.0.0.1")).toMatch(
      /^2 .*unknown kind: got http:/,
    );
    expect(await refusal("cluster", "status", "redis://127.0.0.1:1")).toMatch(/^1 .*nothing listens there/);
  });
});

describe("without the packages of a cluster", () => {
  it("a sentence says what to install", async () => {
    const hook = `import Module from "node:module";
      const find = Module._resolveFilename;
      Module._resolveFilename = (name, ...rest) => {
        if (name === "bullmq") throw Object.assign(new Error(name), { code: "MODULE_NOT_FOUND" });
        return find(name, ...rest);
      };`;
    const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
    const args = ["--import", preload, "dist/cli/main.js", "cluster", "status", "redis://127.0.0.1:1"];
    const command = start(process.execPath, args, { env });
    expect(await ended(command.child)).toBe(1);
    expect(command.err()).toContain("npm install bullmq ioredis");
  });
});
