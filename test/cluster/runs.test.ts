/** Who has a run in Redis, and what is removed of it when several processes have to do with it at once. */
import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { claimRun, endRun, isOver, removeRun } from "../../src/node/cluster/runs.js";
import { hasRedis, noRedis, pause, startRedis, tuning } from "./support.js";

const RUN = "0123456789abcdef";
const LOCK = `graphdos:run:${RUN}:lock`;

describe.skipIf(!hasRedis)(`a run in Redis${hasRedis ? "" : ` (${noRedis})`}`, () => {
  let client: Redis;
  beforeAll(async () => {
    const { port } = await startRedis();
    client = new Redis(port, "127.0.0.1");
  });
  afterAll(() => client.disconnect());
  beforeEach(async () => {
    await client.flushall();
    await client.zadd("graphdos:runs", Date.now(), RUN);
    await client.set(`graphdos:run:${RUN}:data:x:0`, "sent");
  });
  const claim = (told: string[] = []) => claimRun(client, RUN, tuning, undefined, (text) => told.push(text));
  const keys = async () => (await client.keys("*")).sort();

  it("is removed by who has it, and by others when nobody has it", async () => {
    await removeRun(client, RUN, tuning, await claim());
    expect(await keys()).toEqual([]);
    await client.set(`graphdos:run:${RUN}:results`, "late");
    await removeRun(client, RUN, tuning);
    expect(await keys()).toEqual([]);
  });

  it("is over when who has it ends it, and not because Redis has lost it, or because it is another by then", async () => {
    await client.flushall();
    expect(await isOver(client, RUN)).toBe(false);
    await endRun(client, RUN, tuning, await claim());
    expect(await isOver(client, RUN)).toBe(true);
    expect(await keys()).toEqual([`graphdos:ended:${RUN}`]);
    expect(await client.pttl(`graphdos:ended:${RUN}`)).toBeGreaterThan(0);
    await client.zadd("graphdos:runs", Date.now(), RUN);
    expect(await isOver(client, RUN)).toBe(false);
  });

  it("is left alone by others while somebody has it: what was sent meanwhile is not theirs", async () => {
    const { token } = await claim();
    const before = await keys();
    await removeRun(client, RUN, tuning);
    expect(await keys()).toEqual(before);
    expect(await client.get(LOCK)).toBe(token);
  });

  it("is left alone by who had it and lost it", async () => {
    const lost = await claim();
    await client.set(LOCK, "another 1 0011223344556677");
    const before = await keys();
    await removeRun(client, RUN, tuning, lost);
    expect(await keys()).toEqual(before);
  });

  it("is free for nobody before all of it is removed", async () => {
    const many = Array.from({ length: 20_000 }, (_, k) => [`graphdos:run:${RUN}:data:${k}:0`, "x"]).flat();
    await client.mset(...many);
    const told: string[] = [];
    const removal = removeRun(client, RUN, tuning);
    await pause(0);
    await claim(told);
    expect(await keys()).toEqual([LOCK]);
    await removal;
    expect(await keys()).toEqual([LOCK]);
    expect(told).toEqual([]);
  });

  it("is taken from a process that died on this machine, at once", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    await client.set(LOCK, `${hostname()} ${pid} 0011223344556677`);
    const start = performance.now();
    const { token } = await claim();
    expect(await client.get(LOCK)).toBe(token);
    expect(performance.now() - start).toBeLessThan(tuning.tick);
  });
});
