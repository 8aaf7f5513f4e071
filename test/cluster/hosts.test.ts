/**
 * Several hosts: two network namespaces, a worker in each, joined to this one by a virtual cable each (veth). One cable is pulled in the
 * middle of the work: no packet comes through, no connection is closed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  begun,
  begunBy,
  doneByWorkers,
  hasRedis,
  mortal,
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

const hostsOf = (subnet: number) =>
  [1, 2].map((k) => ({
    name: `graphdos-${subnet}-${k}`,
    cable: `gd${subnet}v${k}`,
    here: `10.231.${subnet}.${16 * k + 1}`,
    there: `10.231.${subnet}.${16 * k + 2}`,
  }));
const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe" });

/** Null, or why there can be no namespaces here. */
function whyNot(): string | null {
  if (!hasRedis) return noRedis;
  const probe = `graphdos-probe-${process.pid}`;
  const made = spawnSync("ip", ["netns", "add", probe], { encoding: "utf8" });
  if (made.error !== undefined) return "ip (iproute2) is not installed";
  spawnSync("ip", ["netns", "del", probe]);
  return made.status === 0 ? null : `network namespaces are not permitted: ${made.stderr.trim()}`;
}
const reason = whyNot();

/** Hosts in a subnet of their own: a machine gives the name of a namespace to one process alone. */
function claimHosts(): ReturnType<typeof hostsOf> {
  for (let subnet = 1; subnet < 255; subnet++) {
    const hosts = hostsOf(subnet);
    if (spawnSync("ip", ["netns", "add", hosts[0].name]).status === 0) {
      ip("netns", "add", hosts[1].name);
      return hosts;
    }
  }
  throw new Error("all subnets are taken: remove namespaces that were left behind (ip netns list)");
}

describe.skipIf(reason !== null)(`two hosts${reason === null ? "" : ` (${reason})`}`, () => {
  let hosts: ReturnType<typeof hostsOf> = [];
  beforeAll(() => {
    hosts = claimHosts();
  });
  afterAll(() => {
    for (const { name, cable } of hosts) {
      spawnSync("ip", ["link", "del", cable]);
      spawnSync("ip", ["netns", "del", name]);
    }
  });

  it("finish the work when one of them is cut off in the middle, and both work when it is back", async () => {
    for (const { name, cable, here, there } of hosts) {
      ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name);
      ip("addr", "add", `${here}/28`, "dev", cable);
      ip("link", "set", cable, "up");
      ip("-n", name, "addr", "add", `${there}/28`, "dev", "eth0");
      ip("-n", name, "link", "set", "eth0", "up");
    }
    const redis = await startRedis({ bind: hosts.map(({ here }) => here) });
    const workers = hosts.map(({ name, here }) =>
      startWorker(`redis://${here}:${redis.port}`, { tuning: mortal }, ["ip", "netns", "exec", name]),
    );
    await Promise.all(workers.map(working));
    const executor = await open(redis.address, "two hosts");
    await warmUp(executor, redis, 2);
    const log = newLog();
    const gate = `${log}.gate`;
    const result = executor.map(
      testTask,
      units(10, log, 20).map((unit) => ({ ...unit, gate })),
    );
    await until("the second is in the middle of a unit", () =>
      begunBy(log).some((one) => one.process === workers[1].child.pid),
    );
    ip("link", "set", hosts[1].cable, "down");
    writeFileSync(gate, "");
    const outputs = await result;
    expect(outputs.map(({ square }) => square)).toEqual(outputs.map((_, k) => k * k));
    expect(new Set(begun(log)).size).toBe(10);
    // the cut-off unit was done again by the other host
    expect(begun(log).length).toBeGreaterThan(10);

    ip("link", "set", hosts[1].cable, "up");
    await until("the host is back", () => doneByWorkers(redis).length === 2);
    await warmUp(executor, redis, 2, Math.min(...doneByWorkers(redis)));
    await executor.close();
  });
});
