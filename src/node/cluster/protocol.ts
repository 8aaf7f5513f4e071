/**
 * What coordinators and workers tell each other through Redis: names of keys, limits, and the schema of every record. Whatever is read from
 * Redis goes through one of these before it is used; task names are looked up in the program's own list, data is named by hashes.
 *
 *   graphdos:runs             run ─▶ time of its last sign of life          graphdos:workers   worker ─▶ the same
 *   graphdos:worker:ID        what a worker is and does                     graphdos:changed   says that a run began or ended (channel)
 *   graphdos:ended:ID         the run is over, for a minute
 *   graphdos:run:ID:record    what the run is       graphdos:run:ID:lock      who coordinates it
 *   graphdos:run:ID:progress  how far it is         graphdos:run:ID:refused   worker ─▶ why it does not serve this run
 *   graphdos:run:ID:units:…   the queue (BullMQ)    graphdos:run:ID:results   unit ─▶ result, or where it lies
 *   graphdos:run:ID:data:…    bytes by name, in chunks       graphdos:run:ID:begun     unit ─▶ how often it was begun
 *   graphdos:run:ID:far       workers that wait until large inputs go through Redis
 */
import { z } from "zod";

/** Changes when coordinators and workers of different builds would misunderstand each other. */
export const PROTOCOL = 4;

export const RUNS = "graphdos:runs";
export const WORKERS = "graphdos:workers";
export const CHANGED = "graphdos:changed";
export const workerKey = (worker: string) => `graphdos:worker:${worker}`;
/** Says for a while that a run is over: what is written to it after that is removed by who wrote it. */
export const endedKey = (run: string) => `graphdos:ended:${run}`;
export const QUEUE = "units";

/** All keys of a run begin with this. */
export const runPrefix = (run: string) => `graphdos:run:${run}`;

export const LIMITS = {
  /** A value in Redis; longer bytes are cut into chunks of this length. */
  chunkBytes: 8 * 2 ** 20,
  /** The most bytes of one piece of data through Redis. */
  redisBytes: 256 * 2 ** 20,
  /** The most bytes in Redis that units wait for. */
  totalBytes: 2 ** 30,
  /** The most bytes of one piece of data at all. */
  dataBytes: 2 ** 32,
  /** Arrays of a unit from this size on travel by their own content hash. */
  apartBytes: 64 * 1024,
  /** Pieces from this size on lie in the folder of the run, where there is one for both sides. */
  folderBytes: 64 * 1024,
  /** Results below this are written beside their unit's name. */
  inlineBytes: 16 * 1024,
  /** Units that wait or run at a time, and the bytes that are in Redis for them. */
  unitsAhead: 1024,
  bytesAhead: 256 * 2 ** 20,
  recordBytes: 64 * 1024,
} as const;

/** Times in milliseconds; tests use shorter ones. */
export interface Tuning {
  /** A unit whose worker has not renewed its lock for so long is given to another. */
  lock: number;
  /** First pause before a failed unit is tried again; doubled each time. */
  backoff: number;
  /** Between two looks at the state of things. */
  tick: number;
  /** A worker or coordinator that gave no sign of life for so long is dead. */
  dead: number;
  /**
   * Large results that workers on the coordinator's machine hand over in the first so many milliseconds of a run's work are written down
   * only when it is interrupted or fails: for a run that is killed so early it is cheaper to compute them again than for all others to keep them.
   */
  fleeting: number;
}

export const TUNING: Tuning = { lock: 30_000, backoff: 1_000, tick: 1_000, dead: 15_000, fleeting: 5_000 };

/** Tries of a unit before it has failed for good, and workers that may die with it. */
export const TRIES = 3;

/** Runs without a coordinator for so long are removed. */
export const ABANDONED_MS = 24 * 3_600_000;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().max(1000);
const count = z.number().min(0);

export const runSchema = z.strictObject({
  version: text,
  /** Hash of the coordinator's code (code-hash.ts): a worker of other code would give other numbers. */
  code: hash,
  protocol: z.int(),
  host: text,
  pid: z.int(),
  started: count,
  /** What it computes, for people. */
  title: text,
  /** SHA-256 of a token in the folder of the run, by which a worker knows that it sees the folder. */
  folder: hash,
  /** Whether large inputs lie in the folder, so that only workers that see it can work. Results go there from those that do. */
  required: z.boolean(),
  /**
   * Whether large inputs lie in the folder for now: all workers are on the coordinator's machine. One that does not see the folder says so
   * and waits; the coordinator then sends what is under way through Redis, and all that follows.
   */
  near: z.boolean(),
});
export type RunRecord = z.infer<typeof runSchema>;

export const workerSchema = z.strictObject({
  version: text,
  host: text,
  pid: z.int(),
  threads: z.int().min(1),
  started: count,
  /** Units finished, and those under way. */
  done: count,
  busy: count,
  run: text.nullable(),
});
export type WorkerRecord = z.infer<typeof workerSchema>;

export const progressSchema = z.strictObject({
  task: text,
  total: count,
  done: count,
  failed: count,
  /** Units a second over the last minute. */
  rate: count,
});
export type ProgressRecord = z.infer<typeof progressSchema>;

/** The data of a job: its unit by the hash of its bytes, and the data that it refers to. */
export const jobSchema = z.strictObject({
  unit: hash,
  bytes: z.int().min(1).max(LIMITS.dataBytes),
  apart: z.array(z.tuple([hash, z.int().min(0).max(LIMITS.dataBytes)])).max(1000),
});
export type JobData = z.infer<typeof jobSchema>;

/** The bytes of a unit, decoded. */
export const unitSchema = z.strictObject({
  code: hash,
  task: z.string().max(100),
  input: z.unknown(),
});

/** A result that does not lie beside its unit's name. */
export const placeSchema = z.strictObject({
  place: z.enum(["redis", "folder"]),
  length: z.int().min(0).max(LIMITS.dataBytes),
  /** null: a file that a worker on the same machine handed over. */
  crc: z.int().min(0).nullable(),
});
export type Place = z.infer<typeof placeSchema>;

/** The reason of a failure, as a worker writes it. */
export const failureSchema = z.strictObject({ code: z.string().max(20).nullable(), message: z.string() });

/** Where the coordinator puts an input of a unit. */
export const inputPlace = ({ required, near }: RunRecord, length: number) =>
  (required || near) && length >= LIMITS.folderBytes ? "folder" : "redis";

/** Workers that wait until large inputs go through Redis. */
export const farKey = (prefix: string) => `${prefix}:far`;

/** A record from Redis, or null where there is none or it is not one. */
export function readRecord<T>(schema: z.ZodType<T>, value: string | null): T | null {
  if (value === null || value.length > LIMITS.recordBytes) return null;
  try {
    return schema.parse(JSON.parse(value));
  } catch {
    return null;
  }
}
