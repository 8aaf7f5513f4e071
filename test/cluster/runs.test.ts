/** Who has a run in Redis, and what is removed of it when several processes have to do with it at once. */
import { execFileSync } from "node:child_process";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  claimRun,
  endRun,
  isOver,
  keepRun,
  removeRun,
  runRecord,
  sayOfRun,
} from "../../src/node/cluster/runs.js";
import { type ProcessIdentity, thisProcess } from "../../src/node/process-identity.js";
import { hasRedis, noRedis, open, startRedis, tuning, until } from "./support.js";

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

  it("hears what workers say of it, and nothing once it is over, whatever they had read before", async () => {
    const refused = `graphdos:run:${RUN}:refused`;
    const held = await claim();
    const record = { version: "1", code: "c", title: "t", folder: "f", required: false, near: true };
    await keepRun(client, RUN, held, runRecord(record), tuning);
    await sayOfRun(client, RUN, refused, "worker", "why");
    expect(await client.hgetall(refused)).toEqual({ worker: "why" });
    await endRun(client, RUN, tuning, held);
    await sayOfRun(client, RUN, refused, "worker", "why");
    expect(await keys()).toEqual([`graphdos:ended:${RUN}`]);
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
    // one connection: the removal has the run before the claim is asked for
    const removal = removeRun(client, RUN, tuning);
    await claim();
    expect(await keys()).toEqual([LOCK]);
    await removal;
    expect(await keys()).toEqual([LOCK]);
  });

  it("is taken from a process that died in this place, at once", async () => {
    const dead = identityOfDead();
    // without an end: who waits for that waits for ever
    await client.set(LOCK, `${hostname()} ${dead.pid} ${dead.place} ${dead.born} 0011223344556677`);
    const told: string[] = [];
    const { token } = await claim(told);
    expect(await client.get(LOCK)).toBe(token);
    expect(told).toEqual([]);
  });

  it("is taken from a process whose number is another's now", async () => {
    const { place, pid } = thisProcess();
    await client.set(LOCK, `${hostname()} ${pid} ${place} 1 0011223344556677`);
    const { token } = await claim();
    expect(await client.get(LOCK)).toBe(token);
  });

  it("is not taken from a process in another place: a host of the same name, where that number lives", async () => {
    const dead = identityOfDead();
    const holder = `${hostname()} ${dead.pid} 00000000 ${dead.born} 0011223344556677`;
    await client.set(LOCK, holder);
    const told: string[] = [];
    const waiting = claim(told);
    await until("it says that it waits", () => told.length > 0);
    expect(told).toEqual([expect.stringContaining(`coordinated by process ${dead.pid} on ${hostname()}`)]);
    expect(await client.get(LOCK)).toBe(holder);
    await client.del(LOCK);
    expect(await client.get(LOCK)).not.toBe(holder);
    await waiting;
  });

  it("is renewed by who has it, and not by who has lost it", async () => {
    const own = await claim();
    const record = runRecord({
      ...{ version: "1", code: "0".repeat(64), title: "x", folder: "0".repeat(64) },
      ...{ required: false, near: false },
    });
    await client.pexpire(LOCK, 1000);
    expect(await keepRun(client, RUN, own, record, tuning)).toBe(true);
    expect(await client.pttl(LOCK)).toBeGreaterThan(1000);
    await client.set(LOCK, "another");
    expect(await keepRun(client, RUN, own, record, tuning)).toBe(false);
    expect(await client.get(LOCK)).toBe("another");
  });
});

describe.skipIf(!hasRedis)("a coordinator", () => {
  it("renews its lock while it computes for itself, without any unit under way", async () => {
    const { address, cli } = await startRedis();
    const executor = await open(address, "between maps");
    const left = () => Number(cli("pttl", cli("--raw", "keys", "*:lock")));
    let before = left();
    let renewals = 0;
    await until("it was renewed three times", () => {
      const now = left();
      if (now > before) renewals++;
      before = now;
      return renewals === 3;
    });
    await executor.close();
  });
});

/** The identity of a process of this place that is gone. */
function identityOfDead(): ProcessIdentity {
  const module = JSON.stringify(pathToFileURL(resolve("dist/node/process-identity.js")).href);
  const script = `import { thisProcess } from ${module}; process.stdout.write(JSON.stringify(thisProcess()));`;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }),
  );
}
