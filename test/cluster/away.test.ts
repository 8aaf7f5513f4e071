/** A Redis that does not answer, with all connections open (SIGSTOP): who waits for it says so, and the first signal is enough. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  begun,
  endAll,
  ended,
  folder,
  hasRedis,
  heir,
  mortal,
  newLog,
  noRedis,
  open,
  type RedisServer,
  type Started,
  start,
  startRedis,
  startWorker,
  testTask,
  tuning,
  units,
  until,
  working,
} from "./support.js";

describe.skipIf(!hasRedis)(`a Redis that does not answer${hasRedis ? "" : ` (${noRedis})`}`, () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    redis.thaw();
    await endAll();
    await redis.stop();
  });
  const env = { ...process.env, GRAPHDOS_CACHE: join(folder, "cache") };
  const coordinate = (settings: object): Started =>
    start(process.execPath, ["test/cluster/coordinator.mjs", JSON.stringify(settings)], { env });

  /** Four units; two of them wait for a gate. Large results of the first moments, which are kept by the process alone until it is interrupted. */
  function gated(title: string) {
    const log = newLog();
    const gate = `${log}.gate`;
    const inputs = units(4, log, 10).map((unit) => ({
      ...unit,
      filling: 100_000,
      ...(unit.number < 2 ? {} : { gate }),
    }));
    const settings = {
      ...{ address: redis.address, title, units: inputs },
      tuning: { ...tuning, fleeting: 600_000 },
    };
    return { log, settings, openGate: () => writeFileSync(gate, "") };
  }

  it("does not keep a coordinator from ending at the first Ctrl-C, with its results", async () => {
    const worker = startWorker(redis.address);
    await working(worker);
    const { log, settings, openGate } = gated("interrupted while Redis is away");
    const first = coordinate(settings);
    await until("two results are there", () => /unit 0/.test(first.err()) && /unit 1/.test(first.err()));
    redis.freeze();
    first.child.kill("SIGINT");
    expect(await ended(first.child), first.err()).toBe(130);
    expect(first.err()).toContain("interrupted");
    redis.thaw();
    openGate();
    const second = coordinate(settings);
    expect(await ended(second.child), second.err()).toBe(0);
    expect(second.err()).toMatch(/going on with an earlier run: [2-4] units are there/);
    expect(JSON.parse(second.out())).toEqual([0, 1, 4, 9]);
    for (const k of [0, 1]) expect(begun(log).filter((number) => number === k)).toHaveLength(1);
  });

  it("does not keep a coordinator that opens from ending at the first Ctrl-C", async () => {
    redis.freeze();
    const first = coordinate(gated("interrupted at the start").settings);
    await until("it has begun", () => first.err().includes("begins"));
    first.child.kill("SIGINT");
    expect(await ended(first.child), first.err()).toBe(130);
  });

  it("does not keep a worker from ending at the first SIGTERM, idle or in the middle of a unit", async () => {
    const [busy, idle] = [1, 2].map(() => startWorker(redis.address, { tuning: mortal }));
    await Promise.all([working(busy), working(idle)]);
    const { log, settings, openGate } = gated("worker stopped while Redis is away");
    const first = coordinate({ ...settings, units: settings.units.slice(0, 3) });
    await until("one of them is in the middle of a unit", () => begun(log).includes(2));
    redis.freeze();
    for (const { child } of [busy, idle]) child.kill("SIGTERM");
    expect(await Promise.all([busy, idle].map(({ child }) => ended(child)))).toEqual([0, 0]);
    expect(`${busy.err()}${idle.err()}`).toContain("are left to other workers");
    redis.thaw();
    openGate();
    startWorker(redis.address, { tuning: heir });
    expect(await ended(first.child), first.err()).toBe(0);
    expect(JSON.parse(first.out())).toEqual([0, 1, 4]);
  });

  it("is spoken of by a coordinator that waits for it, which then goes on", async () => {
    const told: string[] = [];
    const worker = startWorker(redis.address);
    await working(worker);
    const executor = await open(redis.address, "frozen", { tell: (text: string) => told.push(text) });
    redis.freeze();
    const result = executor.map(testTask, units(2, newLog(), 1));
    const silence = `the Redis server at ${redis.address} does not answer: waiting for it`;
    await until("it says so", () => told.includes(silence));
    redis.thaw();
    expect((await result).map(({ square }) => square)).toEqual([0, 1]);
    await until("it says that it is back", () => told.some((text) => text.endsWith("answers again")));
    expect(told.filter((text) => text === silence)).toHaveLength(1);
    await executor.close();
  });

  it("is a sentence for who only looks", async () => {
    redis.freeze();
    const look = start(process.execPath, ["dist/cli/main.js", "cluster", "status", redis.address], { env });
    expect(await ended(look.child)).toBe(1);
    expect(look.err()).toContain(`the Redis server at ${redis.address} cannot be used: no answer`);
  });
});
