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
import {
  endedKey,
  PROTOCOL,
  RUNS,
  type RunRecord,
  readRecord,
  runPrefix,
  runSchema,
  type Tuning,
} from "./protocol.js";

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

export interface RunClaim {
  key: string;
  token: string;
}

const newClaim = (run: string): RunClaim => ({
  key: `${runPrefix(run)}:lock`,
  token: `${hostname()} ${process.pid} ${randomBytes(8).toString("hex")}`,
});

/** Takes the run where nobody has it; true where this claim has it then. */
async function take(client: Redis, { key, token }: RunClaim, { dead }: Tuning): Promise<boolean> {
  return (await client.set(key, token, "PX", 2 * dead, "NX")) !== null || (await client.get(key)) === token;
}

/** A script of Redis, since others may take the claim between a look and a deletion. */
const RELEASE = 'if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end';

/** Ends a claim, not one that has taken its place meanwhile. */
async function release(client: Redis, { key, token }: RunClaim): Promise<void> {
  await client.call("EVAL", RELEASE, 1, key, token);
}

/** Long enough for whoever was in the middle of a unit to hear that the run is over. */
const ENDED_MS = 60_000;

/** Removes a run that is over, by who has it. */
export async function endRun(client: Redis, run: string, tuning: Tuning, claim: RunClaim): Promise<void> {
  await client.set(endedKey(run), claim.token, "PX", ENDED_MS);
  await removeRun(client, run, tuning, claim);
}

/**
 * Whether a run is over. One of which nothing is there need not be: a Redis that keeps no data has lost it with all else when it was
 * started again, and its coordinator goes on with it.
 */
export async function isOver(client: Redis, run: string): Promise<boolean> {
  const [alive, ended] = await Promise.all([client.zscore(RUNS, run), client.exists(endedKey(run))]);
  return alive === null && ended === 1;
}

/**
 * Removes everything of a run, unless somebody else has it: the same command may have been started again meanwhile, and what it sent must
 * not go. Who removes has the run until all is gone, so that nobody begins in the midst of it.
 */
export async function removeRun(
  client: Redis,
  run: string,
  tuning: Tuning,
  claim: RunClaim = newClaim(run),
): Promise<void> {
  if (!(await take(client, claim, tuning))) return;
  await client.zrem(RUNS, run);
  let cursor = "0";
  do {
    const [next, found] = await client.scan(cursor, "MATCH", `${runPrefix(run)}:*`, "COUNT", 1000);
    const keys = found.filter((key) => key !== claim.key);
    if (keys.length > 0) await client.unlink(...keys);
    cursor = next;
  } while (cursor !== "0");
  await release(client, claim);
}

/** A run that is being removed is free in a moment: nobody is told to wait for it. */
const REMOVAL_MS = 1000;
const REMOVAL_LOOK_MS = 10;

/** Takes the run for this process: one coordinator at a time. A dead one on this machine is replaced at once, others when their lock ends. */
export async function claimRun(
  client: Redis,
  run: string,
  tuning: Tuning,
  signal: AbortSignal | undefined,
  tell: (sentence: string) => void,
): Promise<RunClaim> {
  const claim = newClaim(run);
  const { key } = claim;
  const start = performance.now();
  let told = false;
  while (!(await take(client, claim, tuning))) {
    const holder = (await client.get(key)) ?? "";
    const [host, pid] = holder.split(" ");
    if (host === hostname() && !isAlive(Number(pid))) {
      await release(client, { key, token: holder });
      continue;
    }
    const soon = performance.now() - start < REMOVAL_MS;
    if (!told && !soon) {
      const owner = readRecord(runSchema, await client.get(`${runPrefix(run)}:record`));
      tell(
        `this very command is coordinated by process ${pid} on ${host} already${owner === null ? "" : ` (since ${new Date(owner.started).toISOString()})`}: waiting until it ends`,
      );
      told = true;
    }
    if (signal?.aborted) throw new GraphdosError("interrupted", "interrupted");
    await new Promise((resolve) => setTimeout(resolve, soon ? REMOVAL_LOOK_MS : tuning.tick));
  }
  return claim;
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
