/** Runs in Redis: who coordinates one, how it shows that it is alive, the token of its shared folder, and how it is removed. */
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import type { Redis } from "ioredis";
import { GraphdosError } from "../../base/errors.js";
import { writeFileAtomically } from "../atomic-file.js";
import { resultsFolder } from "../cache-folder.js";
import { sha256 } from "./data.js";
import { PROTOCOL, RUNS, type RunRecord, readRecord, runPrefix, runSchema, type Tuning } from "./protocol.js";

/** The folder of a run: in the --store of the process, else in its cache. */
export const runFolder = (store: string | undefined, run: string) =>
  join(store ?? resultsFolder(), "runs", run);

/** What a folder is recognised by: the hash of some bytes in it; null where there are none. */
export async function folderToken(folder: string): Promise<string | null> {
  const bytes = await readFile(join(folder, "token")).catch(() => null);
  return bytes === null ? null : sha256(bytes);
}

/** The token, made where it is missing. */
export async function makeFolderToken(folder: string): Promise<string> {
  const known = await folderToken(folder);
  if (known !== null) return known;
  const token = randomBytes(32);
  await writeFileAtomically(join(folder, "token"), token);
  return sha256(token);
}

/** Folders of runs that failed and were never taken up again go after a week. */
const FORGOTTEN_MS = 7 * 24 * 3_600_000;

export async function removeForgotten(folder: string): Promise<void> {
  const all = dirname(folder);
  for (const name of await readdir(all).catch(() => [])) {
    if (!/^[0-9a-f]{16}$/.test(name) || join(all, name) === folder) continue;
    const state = await stat(join(all, name)).catch(() => null);
    if (state !== null && Date.now() - state.mtimeMs > FORGOTTEN_MS)
      await rm(join(all, name), { recursive: true, force: true });
  }
}

/** Removes everything of a run. */
export async function removeRun(client: Redis, run: string): Promise<void> {
  await client.zrem(RUNS, run);
  let cursor = "0";
  do {
    const [next, keys] = await client.scan(cursor, "MATCH", `${runPrefix(run)}:*`, "COUNT", 1000);
    if (keys.length > 0) await client.unlink(...keys);
    cursor = next;
  } while (cursor !== "0");
}

/** Takes the run for this process: one coordinator at a time. A dead one on this machine is replaced at once, others when their lock ends. */
export async function claimRun(
  client: Redis,
  run: string,
  { dead, tick }: Tuning,
  signal: AbortSignal | undefined,
  tell: (sentence: string) => void,
): Promise<RunClaim> {
  const key = `${runPrefix(run)}:lock`;
  const token = `${hostname()} ${process.pid} ${randomBytes(8).toString("hex")}`;
  let told = false;
  while ((await client.set(key, token, "PX", 2 * dead, "NX")) === null) {
    const [host, pid] = ((await client.get(key)) ?? "").split(" ");
    if (host === hostname() && !isAlive(Number(pid))) {
      await client.del(key);
      continue;
    }
    if (!told) {
      const owner = readRecord(runSchema, await client.get(`${runPrefix(run)}:record`));
      tell(
        `this very command is coordinated by process ${pid} on ${host} already${owner === null ? "" : ` (since ${new Date(owner.started).toISOString()})`}: waiting until it ends`,
      );
      told = true;
    }
    if (signal?.aborted) throw new GraphdosError("interrupted", "interrupted");
    await new Promise((resolve) => setTimeout(resolve, tick));
  }
  return { key, token };
}

export interface RunClaim {
  key: string;
  token: string;
}

/** Shows that the run is alive; false when another process has taken it. Missing records are written anew: Redis may have lost them. */
export async function keepRun(
  client: Redis,
  run: string,
  { key, token }: RunClaim,
  record: RunRecord,
  { dead }: Tuning,
): Promise<boolean> {
  const holder = await client.get(key);
  if (holder !== null && holder !== token) return false;
  await Promise.all([
    client.set(key, token, "PX", 2 * dead),
    client.set(`${runPrefix(run)}:record`, JSON.stringify(record)),
    client.zadd(RUNS, Date.now(), run),
  ]);
  return true;
}

type Described = Pick<RunRecord, "version" | "title" | "folder" | "required" | "near">;

export function runRecord(described: Described): RunRecord {
  return { ...described, protocol: PROTOCOL, host: hostname(), pid: process.pid, started: Date.now() };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
