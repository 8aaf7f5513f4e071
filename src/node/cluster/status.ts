/** What a cluster is doing: its runs with their units, its workers. Reads only. */
import type { Redis } from "ioredis";
import {
  type ProgressRecord,
  progressSchema,
  QUEUE,
  RUNS,
  type RunRecord,
  readRecord,
  runPrefix,
  runSchema,
  TUNING,
  type Tuning,
  WORKERS,
  type WorkerRecord,
  workerKey,
  workerSchema,
} from "./protocol.js";

export interface WorkerStatus {
  id: string;
  record: WorkerRecord;
}

export interface RunStatus {
  id: string;
  record: RunRecord;
  /** Whether its coordinator gave a sign of life of late. */
  coordinated: boolean;
  units: { waiting: number; running: number; retrying: number; failed: number };
  progress: ProgressRecord | null;
  /** Seconds left of the task under way, where a rate is known. */
  secondsLeft: number | null;
}

export interface ClusterStatus {
  runs: RunStatus[];
  workers: WorkerStatus[];
}

export async function readStatus(client: Redis, tuning: Tuning = TUNING): Promise<ClusterStatus> {
  const runs: RunStatus[] = [];
  const entries = await client.zrange(RUNS, "0", "-1", "WITHSCORES");
  for (let k = 0; k < entries.length; k += 2) {
    const [id, seen] = [entries[k], Number(entries[k + 1])];
    const prefix = runPrefix(id);
    const queue = `${prefix}:${QUEUE}`;
    const record = readRecord(runSchema, await client.get(`${prefix}:record`));
    if (record === null) continue;
    const progress = readRecord(progressSchema, await client.get(`${prefix}:progress`));
    const units = {
      waiting: await client.llen(`${queue}:wait`),
      running: await client.llen(`${queue}:active`),
      retrying: await client.zcard(`${queue}:delayed`),
      failed: await client.zcard(`${queue}:failed`),
    };
    const left = progress === null ? 0 : progress.total - progress.done - progress.failed;
    const secondsLeft = progress !== null && progress.rate > 0 ? left / progress.rate : null;
    const coordinated = Date.now() - seen < tuning.dead;
    runs.push({ id, record, coordinated, units, progress, secondsLeft });
  }
  return { runs, workers: await readWorkers(client, tuning) };
}

/** The workers that are alive. */
export async function readWorkers(client: Redis, { dead }: Tuning): Promise<WorkerStatus[]> {
  const ids = await client.zrangebyscore(WORKERS, Date.now() - dead, Number.POSITIVE_INFINITY);
  const records = await Promise.all(ids.map((id) => client.get(workerKey(id))));
  return ids.flatMap((id, k) => {
    const record = readRecord(workerSchema, records[k]);
    return record === null ? [] : [{ id, record }];
  });
}
