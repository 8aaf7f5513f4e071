/**
 * Several hosts: two network namespaces, a worker in each, joined to this one by a virtual cable each (veth). One cable is pulled in the
 * middle of the work: no packet comes through, no connection is closed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import {
  begun,
  hasRedis,
  newLog,
  noRedis,
  open,
  startRedis,
  startWorker,
  testTask,
  units,
  until,
  warmUp,
  working,
} from "./support.js";

const tag = `gd${process.pid % 100_000}`;
const subnet = 1 + (process.pid % 250);
const hosts = [1, 2].map((k) => ({
  name: `${tag}n${k}`,
  cable: `${tag}v${k}`,
  here: `10.231.${subnet}.${16 * k + 1}`,
  there: `10.231.${subnet}.${16 * k + 2}`,
}));
const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe" });

/** Null, or why there can be no namespaces here. */
function whyNot(): string | null {
  if (!hasRedis) return noRedis;
  const made = spawnSync("ip", ["netns", "add", `${tag}x`], { encoding: "utf8" });
  if (made.error !== undefined) return "ip (iproute2) is not installed";
  spawnSync("ip", ["netns", "del", `${tag}x`]);
  return made.status === 0 ? null : `network namespaces are not permitted: ${made.stderr.trim()}`;
}
const reason = whyNot();

describe.skipIf(reason !== null)(`two hosts${reason === null ? "" : ` (${reason})`}`, () => {
  afterAll(() => {
    for (const { name, cable } of hosts) {
      spawnSync("ip", ["link", "del", cable]);
      spawnSync("ip", ["netns", "del", name]);
    }
  });

  it("finish the work when one of them is cut off in the middle, and both work when it is back", async () => {
    for (const { name, cable, here, there } of hosts) {
      ip("netns", "add", name);
      ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name);
      ip("addr", "add", `${here}/28`, "dev", cable);
      ip("link", "set", cable, "up");
      ip("-n", name, "addr", "add", `${there}/28`, "dev", "eth0");
      ip("-n", name, "link", "set", "eth0", "up");
    }
    const redis = await startRedis({ bind: hosts.map(({ here }) => here) });
    const workers = hosts.map(({ name, here }) =>
      startWorker(`redis://${here}:${redis.port}`, {}, ["ip", "netns", "exec", name]),
    );
    await Promise.all(workers.map(working));
    const executor = await open(redis.address, "two hosts");
    await warmUp(executor, redis, 2);
    const log = newLog();
    const result = executor.map(testTask, units(10, log, 300));
    await until("both have begun", () => begun(log).length >= 4);
    ip("link", "set", hosts[1].cable, "down");
    const outputs = await result;
    expect(outputs.map(({ square }) => square)).toEqual(outputs.map((_, k) => k * k));
    expect(new Set(begun(log)).size).toBe(10);
    // the cut-off unit was done again by the other host
    expect(begun(log).length).toBeGreaterThan(10);

    ip("link", "set", hosts[1].cable, "up");
    const doneBy = () =>
      redis
        .cli("--raw", "keys", "graphdos:worker:*")
        .split("\n")
        .filter(Boolean)
        .map((key) => JSON.parse(redis.cli("get", key)) as { done: number; busy: number });
    await until("the host is back", () => doneBy().length === 2);
    const before = Math.min(...doneBy().map(({ done }) => done));
    await executor.map(testTask, units(30, newLog(), 100));
    await until("it has worked again", () => Math.min(...doneBy().map(({ done }) => done)) > before);
    await executor.close();
  });
});
