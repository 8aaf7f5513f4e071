/** Runs in Redis: who coordinates one, how it shows that it is alive, and how it is removed. */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Redis } from "ioredis";
import { GraphdosError } from "../../base/errors.js";
import { stillLives, thisProcess } from "../process-identity.js";
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

export interface RunClaim {
  key: string;
  token: string;
}

const recordKey = (run: string) => `${runPrefix(run)}:record`;

/** Who has a run: host and number for people, the rest of the identity for other processes of the same place, and no two claims alike. */
function newClaim(run: string): RunClaim {
  const { place, pid, born } = thisProcess();
  const token = [hostname(), pid, place, born, randomBytes(8).toString("hex")].join(" ");
  return { key: `${runPrefix(run)}:lock`, token };
}

/** Takes the run where nobody has it; true where this claim has it then. */
async function take(client: Redis, { key, token }: RunClaim, { dead }: Tuning): Promise<boolean> {
  return (await client.set(key, token, "PX", 2 * dead, "NX")) !== null || (await client.get(key)) === token;
}

/** A script of Redis, since others may take the claim between a look and a deletion. */
const RELEASE = 'if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end';

/** 0 where somebody else has the claim. */
const RENEW =
  'local holder = redis.call("GET", KEYS[1]) if holder and holder ~= ARGV[1] then return 0 end redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) return 1';

/** Only as long as the run is there: it may end between a look at its record and what is said of it. */
const SAY = 'if redis.call("EXISTS", KEYS[1]) == 1 then redis.call("HSET", KEYS[2], ARGV[1], ARGV[2]) end';

/** Writes what a worker says of a run under a key of the run, unless the run is over. */
export async function sayOfRun(
  client: Redis,
  run: string,
  key: string,
  worker: string,
  words: string,
): Promise<void> {
  await client.call("EVAL", SAY, 2, recordKey(run), key, worker, words);
}

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
  // first, since nobody says anything of a run without a record: what comes later would stay
  await client.del(recordKey(run));
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

/**
 * Takes the run for this process: one coordinator at a time. A dead one of this place (process-identity.ts) is
 * replaced at once, others when their lock ends.
 */
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
    const [host, pid, place, born] = holder.split(" ");
    if (stillLives({ place, pid: Number(pid), born }) === false) {
      await release(client, { key, token: holder });
      continue;
    }
    const soon = performance.now() - start < REMOVAL_MS;
    if (!told && !soon) {
      const owner = readRecord(runSchema, await client.get(recordKey(run)));
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
  if ((await client.call("EVAL", RENEW, 1, key, token, 2 * dead)) === 0) return false;
  await Promise.all([client.set(recordKey(run), JSON.stringify(record)), client.zadd(RUNS, Date.now(), run)]);
  return true;
}

type Described = Pick<RunRecord, "version" | "code" | "title" | "folder" | "required" | "near">;

export function runRecord(described: Described): RunRecord {
  return { ...described, protocol: PROTOCOL, host: hostname(), pid: process.pid, started: Date.now() };
}
