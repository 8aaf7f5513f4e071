/**
 * How much memory this process can have: what the system can give without taking it from others, within the limits of all the
 * containers (cgroups, version 1 and 2) that the process is in. The total is no guide: beside other programs, or in a container, the
 * system's killer comes long before.
 *
 *   available   min(MemAvailable, limit − (usage − page cache) of every cgroup on the way to the root)
 *
 * A few small files of /proc and /sys are read, below a millisecond; other systems have no cgroups.
 */
import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import { join } from "node:path";

/** Most of it, so that the system and other programs keep some room. */
const SHARE = 0.9;

/** Bytes that can still be taken; what this process holds already is not among them. `root` is where /proc and /sys are, for tests. */
export function availableMemory(root = "/"): number {
  return Math.max(
    0,
    Math.min(systemAvailable(root), ...cgroups(root).map(({ limit, used }) => limit - used)),
  );
}

/** Bytes that there are in all: those of the machine, or of the tightest container. */
export function machineMemory(root = "/"): number {
  return Math.min(totalmem(), ...cgroups(root).map(({ limit }) => limit));
}

/** Estimates are of whole processes, so what this one holds already counts as its own. */
export const defaultMemoryLimit = (root = "/") =>
  Math.floor(SHARE * Math.min(machineMemory(root), availableMemory(root) + process.memoryUsage.rss()));

function systemAvailable(root: string): number {
  const [, kibibytes] = /^MemAvailable:\s*(\d+) kB$/m.exec(read(root, "proc/meminfo")) ?? [];
  if (kibibytes !== undefined) return 1024 * Number(kibibytes);
  // macOS counts neither its page cache nor what it can compress as free
  return process.platform === "darwin" ? Math.max(freemem(), totalmem() / 2) : freemem();
}

interface Cgroup {
  limit: number;
  /** Without the page cache, which the system takes back before it kills. */
  used: number;
}

/** Names of the files of the two versions of cgroups, and of the lines of memory.stat that are page cache. */
const VERSIONS = [
  {
    line: /^0::(\/.*)$/m,
    mounts: ["sys/fs/cgroup", "sys/fs/cgroup/unified"],
    ...{ limit: "memory.max", usage: "memory.current", cache: /^(?:in)?active_file (\d+)$/gm },
  },
  {
    line: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m,
    mounts: ["sys/fs/cgroup/memory"],
    ...{
      limit: "memory.limit_in_bytes",
      usage: "memory.usage_in_bytes",
      cache: /^total_(?:in)?active_file (\d+)$/gm,
    },
  },
] as const;

/** Every cgroup with a limit from that of this process up to the root, as far as they can be seen from inside a container. */
function cgroups(root: string): Cgroup[] {
  const own = read(root, "proc/self/cgroup");
  const found: Cgroup[] = [];
  for (const { line, mounts, limit, usage, cache } of VERSIONS) {
    const [, path] = line.exec(own) ?? [];
    if (path === undefined) continue;
    const names = path.split("/").filter((name) => name !== "" && name !== "..");
    for (const mount of mounts)
      for (let depth = names.length; depth >= 0; depth--) {
        const at = join(mount, ...names.slice(0, depth));
        // "max", nothing, and the largest number that there is mean no limit
        const most = Number.parseInt(read(root, join(at, limit)), 10);
        if (!(most < totalmem())) continue;
        const pages = [...read(root, join(at, "memory.stat")).matchAll(cache)];
        const reclaimable = pages.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
        const held = Number.parseInt(read(root, join(at, usage)), 10) || 0;
        found.push({ limit: most, used: Math.max(0, held - reclaimable) });
      }
  }
  return found;
}

function read(root: string, path: string): string {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return "";
  }
}
