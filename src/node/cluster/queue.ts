/** The queue of a run: BullMQ with our names, our tries and our words for failures. */
import type { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { clusterLibraries } from "./connection.js";
import { failureSchema, type JobData, QUEUE, readRecord, TRIES, type Tuning } from "./protocol.js";

export interface QueueListener {
  completed(unit: string): void;
  failed(unit: string, reason: string): void;
}

export class UnitQueue {
  private readonly listeners = new Set<QueueListener>();

  private constructor(
    private readonly queue: Queue,
    private readonly events: QueueEvents,
    private readonly client: Redis,
    private readonly tuning: Tuning,
  ) {
    queue.on("error", () => undefined);
    events.on("error", () => undefined);
    events.on("completed", ({ jobId }) => {
      for (const listener of this.listeners) listener.completed(jobId);
    });
    events.on("failed", ({ jobId, failedReason }) => {
      for (const listener of this.listeners) listener.failed(jobId, words(failedReason));
    });
  }

  /** `client` is for commands, `blocking` for listening. Units that failed in an earlier run of the same are forgotten: they are tried again. */
  static async open(client: Redis, blocking: Redis, prefix: string, tuning: Tuning): Promise<UnitQueue> {
    const { bullmq } = clusterLibraries();
    const queue = new bullmq.Queue(QUEUE, { connection: client, prefix });
    const events = new bullmq.QueueEvents(QUEUE, { connection: blocking, prefix });
    const made = new UnitQueue(queue, events, client, tuning);
    await events.waitUntilReady();
    await queue.clean(0, 0, "failed");
    await client.del(`${prefix}:begun`);
    return made;
  }

  listen(listener: QueueListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async add(jobs: readonly JobData[]): Promise<void> {
    await this.queue.addBulk(
      jobs.map((data) => ({
        name: "unit",
        data,
        opts: {
          ...{ jobId: data.unit, attempts: TRIES, removeOnComplete: true },
          backoff: { type: "exponential", delay: this.tuning.backoff },
        },
      })),
    );
  }

  /** Units that have failed for good, with the reason. */
  async failures(): Promise<[string, string][]> {
    const jobs = await this.queue.getFailed(0, 99);
    return jobs.flatMap((job) =>
      job?.id === undefined ? [] : [[job.id, words(job.failedReason)] as [string, string]],
    );
  }

  /** Which of the units are no jobs. */
  async missing(units: readonly string[]): Promise<string[]> {
    const there = await Promise.all(units.map((unit) => this.client.exists(this.queue.toKey(unit))));
    return units.filter((_, k) => there[k] === 0);
  }

  /** Takes back all units that nobody has begun. */
  async drain(): Promise<void> {
    await this.queue.drain(true).catch(() => undefined);
  }

  /** Forgets all units, those that somebody has begun too: sent again, they are new. */
  async clear(): Promise<void> {
    await this.queue.obliterate({ force: true });
  }

  async close(): Promise<void> {
    await this.events.close().catch(() => undefined);
    await this.queue.close().catch(() => undefined);
  }
}

/** The reason of a failure in words. */
function words(reason: string | undefined): string {
  const failure = readRecord(failureSchema, reason ?? null);
  if (failure !== null) return `${failure.message} (tried ${TRIES} times)`;
  return reason ?? "no reason given";
}
