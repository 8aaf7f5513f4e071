/** What goes wrong on real clusters, with real processes and a real Redis: nothing is lost, nothing is doubled. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../src/compute/executor.js";
import type { Tuning } from "../../src/node/cluster/protocol.js";
import type { profileTask as ProfileTask } from "../../src/spectrum/profiles.js";
import { built } from "../built.js";
import {
  BALLAST,
  begun,
  begunBy,
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
  type TestUnit,
  testTask,
  tuning,
  units,
  until,
  warmUp,
  working,
} from "./support.js";

afterEach(endAll);

const squares = (count: number) => Array.from({ length: count }, (_, k) => ({ square: k * k }));

/** Units of which all but two wait for a gate, so that a worker can be met in the middle of one. */
function gatedUnits(count: number, log: string): { inputs: TestUnit[]; openGate(): void } {
  const gate = `${log}.gate`;
  const inputs = units(count, log, 20).map((unit) => (unit.number < 2 ? unit : { ...unit, gate }));
  return { inputs, openGate: () => writeFileSync(gate, "") };
}
const holdsUnit = (log: string, { child }: Started) =>
  until("the worker is in the middle of a unit", () =>
    begunBy(log).some(({ number, process }) => number >= 2 && process === child.pid),
  );

/** Runs the units and counts how often each result was handed over. */
async function mapCounting(executor: Executor, inputs: TestUnit[]) {
  const times = inputs.map(() => 0);
  const outputs = await executor.map(testTask, inputs, {
    onResult: (k) => {
      times[k]++;
    },
  });
  expect(times).toEqual(inputs.map(() => 1));
  return outputs;
}

describe.skipIf(!hasRedis)(`a cluster on loopback${hasRedis ? "" : ` (${noRedis})`}`, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  /** A worker that was under way removes what it wrote after the end. */
  const nothingLeft = () =>
    until("all keys are gone", () => redis.cli("--scan", "--pattern", "graphdos:run*") === "");

  it("redoes the unit of a worker that was killed in the middle of it", async () => {
    const [first, second] = [mortal, heir].map((times) => startWorker(redis.address, { tuning: times }));
    await Promise.all([working(first), working(second)]);
    const executor = await open(redis.address, "killed worker");
    await warmUp(executor, redis, 2);
    const log = newLog();
    const { inputs, openGate } = gatedUnits(8, log);
    const result = mapCounting(executor, inputs);
    await holdsUnit(log, first);
    first.child.kill("SIGKILL");
    openGate();
    expect(await result).toEqual(squares(8));
    // one unit was cut off and begun again, all others were begun once
    expect(begun(log).length).toBe(9);
    expect(new Set(begun(log)).size).toBe(8);
    await executor.close();
    await nothingLeft();
    second.child.kill("SIGTERM");
    expect(await ended(second.child)).toBe(0);
  });

  it("redoes a lost unit of one run while an older run has nothing to do", async () => {
    const idle = await open(redis.address, "idle");
    const executor = await open(redis.address, "lost unit");
    const first = startWorker(redis.address, { tuning: mortal });
    await working(first);
    const log = newLog();
    const { inputs, openGate } = gatedUnits(3, log);
    const result = mapCounting(executor, inputs);
    await holdsUnit(log, first);
    // nothing waits any more: the unit counts as begun, by a worker that is gone
    first.child.kill("SIGKILL");
    openGate();
    await ended(first.child);
    startWorker(redis.address, { tuning: heir });
    expect(await result).toEqual(squares(3));
    expect(begun(log)).toHaveLength(4);
    await executor.close();
    await idle.close();
  });

  it("redoes the unit of a worker that hangs, and takes no second result when it wakes up", async () => {
    const [first, second] = [mortal, heir].map((times) => startWorker(redis.address, { tuning: times }));
    await Promise.all([working(first), working(second)]);
    const executor = await open(redis.address, "hanging worker");
    await warmUp(executor, redis, 2);
    const log = newLog();
    const { inputs, openGate } = gatedUnits(8, log);
    const result = mapCounting(executor, inputs);
    await holdsUnit(log, first);
    first.child.kill("SIGSTOP");
    openGate();
    await until("the hung unit is begun again", () => begun(log).length >= 8 && hasTwice(begun(log)));
    first.child.kill("SIGCONT");
    expect(await result).toEqual(squares(8));
    expect(await mapCounting(executor, units(8, log, 1))).toEqual(squares(8));
    await executor.close();
  });

  it("ends a unit that runs for ever with its thread, and tries it again", async () => {
    startWorker(redis.address, { unitSeconds: 1 });
    const executor = await open(redis.address, "endless unit");
    const log = newLog();
    const inputs = units(3, log, 1);
    inputs[1].fault = "spin once";
    expect(await mapCounting(executor, inputs)).toEqual(squares(3));
    expect(begun(log).filter((number) => number === 1).length).toBe(2);
    await executor.close();
  });

  /** Kills a coordinator after four results and starts it again; the units that were begun. */
  async function killCoordinator(title: string, own: Partial<Tuning>, filling?: number): Promise<number[]> {
    const worker = startWorker(redis.address);
    await working(worker);
    const log = newLog();
    // all but four wait until the first coordinator is dead: it cannot come to its end before
    const gate = `${log}.gate`;
    const settings = {
      ...{ address: redis.address, title, tuning: { ...tuning, ...own } },
      units: units(12, log, 20).map((unit) => ({
        ...{ ...unit, filling },
        gate: unit.number < 4 ? undefined : gate,
      })),
    };
    const env = { ...process.env, GRAPHDOS_CACHE: join(folder, "cache") };
    const coordinate = () =>
      start(process.execPath, ["test/cluster/coordinator.mjs", JSON.stringify(settings)], { env });
    const first = coordinate();
    await until("four results are there", () => first.err().split("unit ").length > 4);
    first.child.kill("SIGKILL");
    await ended(first.child);
    writeFileSync(gate, "");
    const second = coordinate();
    expect(await ended(second.child), second.err()).toBe(0);
    expect(JSON.parse(second.out())).toEqual(squares(12).map(({ square }) => square));
    const goesOn = /going on with an earlier run: \d+ units are there/.test(second.err());
    expect(goesOn).toBe(own.fleeting === undefined);
    await nothingLeft();
    return begun(log).toSorted((a, b) => a - b);
  }

  it.each([undefined, 100_000])(
    "goes on where a killed coordinator was, results filled with %s bytes",
    async (filling) => {
      const once = await killCoordinator(`killed coordinator ${filling}`, {}, filling);
      // not one unit was computed twice
      expect(once).toEqual(squares(12).map((_, k) => k));
    },
  );

  it("begins anew when a coordinator was killed before large results are kept", async () => {
    const numbers = await killCoordinator("killed early", { fleeting: 3_600_000 }, 100_000);
    expect([...new Set(numbers)]).toEqual(squares(12).map((_, k) => k));
    expect(numbers.length).toBeGreaterThanOrEqual(12 + 4);
  });

  it("waits for a coordinator of the same run that is alive, instead of working against it", async () => {
    const executor = await open(redis.address, "twice");
    const told: string[] = [];
    const second = open(redis.address, "twice", { tell: (text: string) => told.push(text) });
    await until("the second waits", () => told.some((text) => text.includes("coordinated by process")));
    await executor.close();
    await (await second).close();
  });

  it("shares nothing with the same command on another Redis: what the one ends with stays with it", async () => {
    const other = await startRedis();
    const told: string[] = [];
    const openAt = (address: string) =>
      open(address, "two servers", { tell: (text: string) => told.push(text) });
    startWorker(redis.address);
    startWorker(other.address);
    const log = newLog();
    const { inputs, openGate } = gatedUnits(4, log);
    const stop = new AbortController();
    const there: number[] = [];
    const first = await openAt(redis.address);
    const result = first.map(testTask, inputs, { signal: stop.signal, onResult: (k) => there.push(k) });
    await until("two results are there", () => there.length === 2);
    const second = await openAt(other.address);
    expect(told.filter((text) => text.includes("earlier run"))).toEqual([]);
    expect(await mapCounting(second, units(3, newLog(), 1))).toEqual(squares(3));
    await second.close();
    stop.abort();
    await expect(result).rejects.toMatchObject({ code: "interrupted" });
    await first.close();
    openGate();
    const again = await openAt(redis.address);
    expect(told).toContain("going on with an earlier run: 2 units are there");
    expect(await mapCounting(again, inputs)).toEqual(squares(4));
    for (const k of there) expect(begun(log).filter((number) => number === k)).toHaveLength(1);
    await again.close();
  });

  it("tries a unit that fails three times, finishes and keeps the rest, and names the graph", async () => {
    startWorker(redis.address, { threads: 2 });
    const executor = await open(redis.address, "failing unit");
    const log = newLog();
    const inputs = units(6, log, 1);
    inputs[2].fault = "fail";
    const there = new Set<number>();
    const failed = executor.map(testTask, inputs, { onResult: (k) => there.add(k) });
    await expect(failed).rejects.toThrow(
      "test-unit: graph 2 failed for good: graph 2 is beyond help (tried 3 times); the other 5 units are finished and kept",
    );
    expect([...there].sort()).toEqual([0, 1, 3, 4, 5]);
    expect(begun(log).filter((number) => number === 2).length).toBe(3);
    await executor.close();
    await nothingLeft();

    // the same again does only what is missing
    const again = await open(redis.address, "failing unit");
    await expect(again.map(testTask, inputs)).rejects.toThrow("graph 2");
    expect(begun(log).filter((number) => number === 2).length).toBe(6);
    expect(begun(log).length).toBe(11);
    await again.close();
  });

  /** Units with large results, and a run that does not keep such results at once. */
  const early = (count: number, log: string) =>
    units(count, log, 100).map((unit): TestUnit => ({ ...unit, filling: 100_000 }));
  const openEarly = (title: string) =>
    open(redis.address, title, { tuning: { ...tuning, fleeting: 3_600_000 } });

  it("keeps the large results of its first moments too when a unit fails", async () => {
    startWorker(redis.address);
    const log = newLog();
    const inputs = early(5, log);
    inputs[0].fault = "fail";
    for (const times of [1, 2]) {
      const executor = await openEarly("failing early");
      await expect(executor.map(testTask, inputs)).rejects.toThrow(
        "graph 0 failed for good: graph 0 is beyond help (tried 3 times); the other 4 units are finished and kept",
      );
      await executor.close();
      expect(begun(log).toSorted()).toEqual([...new Array(3 * times).fill(0), 1, 2, 3, 4]);
    }
  });

  it("keeps the large results of its first moments too when it is interrupted", async () => {
    startWorker(redis.address);
    const log = newLog();
    const stop = new AbortController();
    const there: number[] = [];
    const first = await openEarly("interrupted early");
    const result = first.map(testTask, early(12, log), {
      signal: stop.signal,
      onResult(k) {
        if (there.push(k) === 4) stop.abort();
      },
    });
    await expect(result).rejects.toMatchObject({ code: "interrupted" });
    await first.close();
    const second = await openEarly("interrupted early");
    const outputs = await mapCounting(second, early(12, log));
    expect(outputs.map(({ square }) => square)).toEqual(squares(12).map(({ square }) => square));
    for (const k of there) expect(begun(log).filter((number) => number === k)).toHaveLength(1);
    await second.close();
  });

  it("sends large inputs through its folder while all workers see it, and through Redis when one comes that does not", async () => {
    const near = startWorker(redis.address);
    await working(near);
    const executor = await open(redis.address, "near and far");
    const log = newLog();
    const { inputs, openGate } = gatedUnits(12, log);
    const ballast = new Uint8Array(100_000).fill(BALLAST);
    const key = `*:data:${createHash("sha256").update(ballast).digest("hex")}:*`;
    const result = mapCounting(
      executor,
      inputs.map((unit) => ({ ...unit, ballast })),
    );
    await holdsUnit(log, near);
    expect(redis.cli("--scan", "--pattern", key)).toBe("");
    const far = startWorker(redis.address, {}, ["env", `GRAPHDOS_CACHE=${join(folder, "elsewhere")}`]);
    await holdsUnit(log, far);
    expect(redis.cli("--scan", "--pattern", key)).not.toBe("");
    openGate();
    expect(await result).toEqual(squares(12));
    expect(begun(log).toSorted((a, b) => a - b)).toEqual(squares(12).map((_, k) => k));
    await executor.close();
    await nothingLeft();
  });

  it("goes on with a worker elsewhere where a coordinator was killed whose workers were all on its machine", async () => {
    const cache = (name: string) => ["env", `GRAPHDOS_CACHE=${join(folder, name)}`];
    const near = startWorker(redis.address, { tuning: mortal });
    await working(near);
    const log = newLog();
    const { inputs, openGate } = gatedUnits(8, log);
    const coordinate = (after?: string) => {
      const settings = {
        ...{ address: redis.address, title: "killed near", tuning, after },
        ...{ units: inputs, ballast: 100_000 },
      };
      const [command, ...args] = [...cache("cache"), process.execPath, "test/cluster/coordinator.mjs"];
      return start(command, [...args, JSON.stringify(settings)]);
    };
    const first = coordinate();
    await holdsUnit(log, near);
    for (const { child } of [first, near]) {
      child.kill("SIGKILL");
      await ended(child);
    }
    const far = startWorker(redis.address, { tuning: heir }, cache("elsewhere"));
    await until("the worker elsewhere has asked", () => redis.cli("--scan", "--pattern", "*:far") !== "");
    const second = coordinate(`${log}.after`);
    await until("the worker elsewhere serves it", () => far.err().includes("serving the run"));
    // units that the first process sent would have been tried three times by then
    const waits = ["wait", "delayed"].map((state) => `graphdos:run:*:units:${state}`);
    await until("nothing waits", () => waits.every((keys) => redis.cli("--scan", "--pattern", keys) === ""));
    writeFileSync(`${log}.after`, "");
    openGate();
    expect(await ended(second.child), second.err()).toBe(0);
    expect(JSON.parse(second.out())).toEqual(squares(8).map(({ square }) => square));
  });

  it("gives up a unit that three workers died with", async () => {
    const workers = Array.from({ length: 4 }, () => startWorker(redis.address, { tuning: mortal }));
    await Promise.all(workers.map(working));
    const executor = await open(redis.address, "deadly unit");
    const log = newLog();
    const inputs = units(4, log, 1);
    inputs[1].fault = "exit";
    await expect(executor.map(testTask, inputs)).rejects.toThrow(
      "graph 1 failed for good: 3 workers died or hung while they had it; the other 3 units",
    );
    expect(begun(log).filter((number) => number === 1).length).toBe(3);
    await executor.close();
  });

  it("names the graph of a unit of profiles whose data is broken", async () => {
    startWorker(redis.address);
    const executor = await open(redis.address, "broken graph");
    const { profileTask } = await built<{ profileTask: typeof ProfileTask }>("spectrum/profiles");
    const unit = { graphs: new ArrayBuffer(24), indices: [17], options: {} };
    new Float64Array(unit.graphs).set([1, 8, 0]);
    await expect(executor.map(profileTask, [unit])).rejects.toThrow(
      "profiles: graph 17 failed for good: unit of profiles: graphs: packed graph 0",
    );
    await executor.close();
  });

  it("refuses a worker of another version, with both versions", async () => {
    const worker = startWorker(redis.address, { version: "9.9.9" });
    await working(worker);
    const executor = await open(redis.address, "versions");
    await expect(executor.map(testTask, units(1, newLog(), 1))).rejects.toThrow(
      /the coordinator is graphdos 0\.\d+\.\d+, the worker on .* is graphdos 9\.9\.9: install the same version/,
    );
    await until("the worker says so too", () => /not serving .*9\.9\.9/.test(worker.err()));
    await executor.close();
  });

  it("refuses a worker of the same version and other code, with the beginnings of both hashes", async () => {
    const worker = startWorker(redis.address, { code: "f".repeat(64) });
    await working(worker);
    const executor = await open(redis.address, "codes");
    await expect(executor.map(testTask, units(1, newLog(), 1))).rejects.toThrow(
      /are both graphdos 0\.\d+\.\d+, but of different code, [0-9a-f]{8} and ffffffff: install the same build/,
    );
    await until("the worker says so too", () => /not serving .*ffffffff/.test(worker.err()));
    await executor.close();
  });

  it("is served at once by a worker that looks for runs only now and then, one run after another", async () => {
    const worker = startWorker(redis.address, { tuning: { ...tuning, tick: 3_600_000 } });
    await working(worker);
    // by its clock it would look again after the end of this test
    for (const title of ["heard of", "heard of next"]) {
      const executor = await open(redis.address, title);
      expect(await mapCounting(executor, units(1, newLog(), 1))).toEqual(squares(1));
      await executor.close();
    }
  });

  it("is the same run again as soon as it is over: workers that leave the one touch nothing of the other", async () => {
    const workers = [startWorker(redis.address), startWorker(redis.address)];
    await Promise.all(workers.map(working));
    for (let round = 0; round < 40; round++) {
      const executor = await open(redis.address, "again and again");
      const inputs = units(8, newLog(), 0).map((unit) => ({ ...unit, number: unit.number + 8 * round }));
      const outputs = await executor.map(testTask, inputs);
      expect(outputs).toEqual(inputs.map(({ number }) => ({ square: number * number })));
      await executor.close();
    }
    await nothingLeft();
  });

  it("says that there are no workers, and uses those that come later", async () => {
    const told: string[] = [];
    const executor = await open(redis.address, "nobody", { tell: (text: string) => told.push(text) });
    const result = mapCounting(executor, units(2, newLog(), 1));
    await until("it says so", () =>
      told.some((text) =>
        /(no workers yet|all workers are gone): start some with graphdos worker/.test(text),
      ),
    );
    startWorker(redis.address);
    expect(await result).toEqual(squares(2));
    await executor.close();
  });

  it("stops at once when it is interrupted, and leaves nothing behind", async () => {
    const worker = startWorker(redis.address);
    await working(worker);
    const executor = await open(redis.address, "interrupted");
    const log = newLog();
    const stop = new AbortController();
    // the gate stays closed: it cannot come to its end before
    const result = executor.map(testTask, gatedUnits(20, log).inputs, { signal: stop.signal });
    await until("a unit has begun", () => begun(log).length > 0);
    stop.abort();
    await expect(result).rejects.toMatchObject({ code: "interrupted" });
    await executor.close();
    await nothingLeft();
  });

  it("does 2,000 tiny units, equal ones once", async () => {
    startWorker(redis.address, { threads: 2 });
    const executor = await open(redis.address, "tiny");
    const log = newLog();
    const inputs = Array.from({ length: 2000 }, (_, k) => ({ number: k % 1000, log, milliseconds: 0 }));
    const outputs = await mapCounting(executor, inputs);
    expect(outputs.every(({ square }, k) => square === (k % 1000) ** 2)).toBe(true);
    expect(begun(log).length).toBe(1000);
    await executor.close();
  });
});

describe.skipIf(!hasRedis).each([true, false])("Redis stopped and started again, data kept: %s", (keep) => {
  it("goes on", async () => {
    const redis = await startRedis({ keep });
    const worker = startWorker(redis.address, { threads: 2 });
    await working(worker);
    const told: string[] = [];
    const executor = await open(redis.address, `restart ${keep}`, {
      tell: (text: string) => told.push(text),
    });
    const log = newLog();
    const result = mapCounting(executor, units(16, log, 200));
    await until("some units have begun", () => begun(log).length >= 3);
    await redis.stop();
    await until("it is missed", () => told.some((text) => text.includes("waiting for it")));
    await redis.startAgain();
    expect(await result).toEqual(squares(16));
    expect(told.join("\n")).toMatch(/lost the Redis server at redis:.*waiting for it\n.* is back/);
    // with its data at most what was under way is done again
    if (keep) expect(begun(log).length).toBeLessThanOrEqual(18);
    await executor.close();
  });
});

const hasTwice = (numbers: number[]) => new Set(numbers).size < numbers.length;
