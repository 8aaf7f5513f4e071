import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { availableMemory, defaultMemoryLimit, machineMemory } from "../../src/node/machine-memory.js";

const MIB = 2 ** 20;
const folder = mkdtempSync(join(tmpdir(), "graphdos-machine-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder that looks like / as far as memory goes. */
function machine(name: string, files: Record<string, string>): string {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
  }
  return root;
}

const meminfo = (mebibytes: number) =>
  `MemTotal:       24684096 kB\nMemFree:            1000 kB\nMemAvailable:   ${1024 * mebibytes} kB\nBuffers:  5 kB\n`;

describe("memory at hand", () => {
  it("is what the system can give, not what the machine has", () => {
    const root = machine("busy", { "proc/meminfo": meminfo(700), "proc/self/cgroup": "0::/\n" });
    expect(availableMemory(root)).toBe(700 * MIB);
    expect(machineMemory(root)).toBe(totalmem());
    const limit = defaultMemoryLimit(root);
    expect(limit).toBeGreaterThan(0.9 * 700 * MIB);
    expect(limit).toBeLessThan(0.9 * totalmem());
  });

  it("is what a container of cgroup v2 leaves, and its page cache is no loss", () => {
    const root = machine("v2", {
      "proc/meminfo": meminfo(10_000),
      "proc/self/cgroup": "0::/\n",
      "sys/fs/cgroup/memory.max": `${512 * MIB}\n`,
      "sys/fs/cgroup/memory.current": `${300 * MIB}\n`,
      "sys/fs/cgroup/memory.stat": `anon 1\nfile 2\ninactive_file ${150 * MIB}\nactive_file ${50 * MIB}\nslab 3\n`,
    });
    expect(machineMemory(root)).toBe(512 * MIB);
    expect(availableMemory(root)).toBe((512 - 100) * MIB);
    expect(defaultMemoryLimit(root)).toBeLessThanOrEqual(0.9 * 512 * MIB);
  });

  it("obeys the tightest group on the way to the root", () => {
    const root = machine("nested", {
      "proc/meminfo": meminfo(10_000),
      "proc/self/cgroup": "0::/user.slice/job/step\n",
      "sys/fs/cgroup/user.slice/memory.max": `${400 * MIB}\n`,
      "sys/fs/cgroup/user.slice/memory.current": `${350 * MIB}\n`,
      "sys/fs/cgroup/user.slice/job/memory.max": "max\n",
      "sys/fs/cgroup/user.slice/job/step/memory.max": `${900 * MIB}\n`,
      "sys/fs/cgroup/user.slice/job/step/memory.current": `${10 * MIB}\n`,
    });
    expect(machineMemory(root)).toBe(400 * MIB);
    expect(availableMemory(root)).toBe(50 * MIB);
  });

  it("is what a container of cgroup v1 leaves, where its own path is not to be seen from inside", () => {
    const root = machine("v1", {
      "proc/meminfo": meminfo(10_000),
      "proc/self/cgroup": "9:name=systemd:/\n4:memory:/docker/0123abcd\n1:cpu,cpuacct:/docker/0123abcd\n",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": `${256 * MIB}\n`,
      "sys/fs/cgroup/memory/memory.usage_in_bytes": `${200 * MIB}\n`,
      "sys/fs/cgroup/memory/memory.stat": `inactive_file 7\ntotal_inactive_file ${20 * MIB}\ntotal_active_file ${16 * MIB}\n`,
    });
    expect(machineMemory(root)).toBe(256 * MIB);
    expect(availableMemory(root)).toBe((256 - 200 + 36) * MIB);
  });

  it("has no limit where the group has none, and is never negative", () => {
    const open = machine("open", {
      "proc/meminfo": meminfo(5000),
      "proc/self/cgroup": "4:memory:/a\n0::/a\n",
      "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n",
      "sys/fs/cgroup/memory/a/memory.usage_in_bytes": "5\n",
      "sys/fs/cgroup/unified/a/memory.max": "max\n",
    });
    expect(availableMemory(open)).toBe(5000 * MIB);
    const over = machine("over", {
      "proc/meminfo": meminfo(5000),
      "proc/self/cgroup": "0::/\n",
      "sys/fs/cgroup/memory.max": `${100 * MIB}\n`,
      "sys/fs/cgroup/memory.current": `${110 * MIB}\n`,
    });
    expect(availableMemory(over)).toBe(0);
  });

  it("is something on this machine", () => {
    expect(availableMemory()).toBeGreaterThan(0);
    expect(availableMemory()).toBeLessThanOrEqual(totalmem());
  });
});
