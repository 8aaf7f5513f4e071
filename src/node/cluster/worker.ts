/**
 * A worker: takes units of whatever run has some, computes them in its threads, writes the results back. Until it is told to stop.
 *
 * Nothing that comes through the queue is executed or names a file: a unit names one of the program's own tasks, and its data is found
 * by hashes. Runs of other code (code-hash.ts), or of a shared folder that this worker does not see, are refused with a sentence that
 * the coordinator prints.
 */
import { randomBytes } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import type { Job, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { GraphdosError, throwIfAborted } from "../../base/errors.js";
import type { Task } from "../../compute/executor.js";
import { decodePlain } from "../../compute/plain-data.js";
import { tasks } from "../../tasks.js";
import { version } from "../../version.js";
import { codeHash, shortCode } from "../code-hash.js";
import { availableMemory } from "../machine-memory.js";
import { threadExecutor } from "../worker-threads.js";
import type { ClusterAddress } from "./address.js";
import { answers, clusterLibraries, connect } from "./connection.js";
import { Crew } from "./crew.js";
import { checksum, RunData, resultName, sha256 } from "./data.js";
import { Fetched } from "./fetched.js";
import {
  ABANDONED_MS,
  CHANGED,
  farKey,
  jobSchema,
  LIMITS,
  type Place,
  PROTOCOL,
  QUEUE,
  RUNS,
  type RunRecord,
  readRecord,
  runPrefix,
  runSchema,
  TRIES,
  TUNING,
  type Tuning,
  unitSchema,
  WORKERS,
  type WorkerRecord,
  workerKey,
} from "./protocol.js";
import { folderToken, runFolder } from "./run-folder.js";
import { isOver, removeRun, sayOfRun } from "./runs.js";
import { type Stored, type StoringUnit, storing } from "./storing.js";
import { checkUnit } from "./unit-schemas.js";

export interface ClusterWorkerOptions {
  address: ClusterAddress;
  /** The folder that the coordinator calls --store. */
  store?: string;
  /** Default: one a core. */
  threads?: number;
  /** A unit that takes longer is ended; at most LONGEST_TIMER_MS. Default an hour. */
  unitSeconds?: number;
  /** Bytes of fetched data to keep. Default a quarter of what the system and containers can give. */
  keepBytes?: number;
  signal: AbortSignal;
  tell?: (sentence: string) => void;
  /** For tests. */
  tuning?: Partial<Tuning>;
  version?: string;
  code?: string;
  /** For tests: tasks besides the program's own, and the script that threads run. */
  extra?: { tasks: readonly Task<never, unknown>[]; main: URL };
}

interface Serving {
  run: string;
  /** The folder that the run had when it was joined: a coordinator that starts again may have another. */
  folder: string;
  worker: Worker;
  /** Of the queue. */
  connection: Redis;
  stop: AbortController;
  load: Load;
}

/** Units that the queue has given out and whose results are not handed in yet. */
interface Load {
  units: number;
}

/** A run that is served, as its units see it. */
interface Joined {
  prefix: string;
  data: RunData;
  fetch: (hash: string, length: number) => Promise<Uint8Array | null>;
  fetched: Fetched;
  /** Whether large results are written by the threads themselves. */
  threadsWrite: boolean;
  load: Load;
  signal: AbortSignal;
}

const THREAD = new URL("./worker-thread.js", import.meta.url);
const placeValue = (found: Place) => Buffer.concat([Buffer.from([1]), Buffer.from(JSON.stringify(found))]);

/** Serves until the signal; resolves when all is put away. */
export async function runClusterWorker(options: ClusterWorkerOptions): Promise<void> {
  const worker = new ClusterWorker(options);
  await worker.start();
  try {
    await worker.serve();
  } finally {
    await worker.close();
  }
}

/** How often, and how long apart, a worker looks for late writes of a unit that was cut off. */
const LATE_ROUNDS = 10;
const LATE_MS = 250;

/** How often a worker that was stopped looks whether its units are finished. */
const FINISH_LOOK_MS = 100;

class TooManyTries extends Error {}

class ClusterWorker {
  private readonly id = `${hostname()
    .replace(/[^\w.-]/g, "_")
    .slice(0, 60)}-${process.pid}-${randomBytes(4).toString("hex")}`;
  private readonly tuning: Tuning;
  private readonly version: string;
  private readonly code: string;
  private readonly crew: Crew;
  private readonly byName: Map<string, Task<StoringUnit<never>, Stored>>;
  private readonly extraTasks: ReadonlySet<string>;
  private readonly started = Date.now();
  private readonly told = new Set<string>();
  private client!: Redis;
  /** Hears that a run began or ended: nobody then waits for the next look. */
  private ears!: Redis;
  private wake: () => void = () => undefined;
  private serving: Serving | null = null;
  /** The look for work that is under way. */
  private step: Promise<void> = Promise.resolve();
  private done = 0;

  constructor(private readonly options: ClusterWorkerOptions) {
    const { threads = availableParallelism(), unitSeconds = 3600, extra } = options;
    this.tuning = { ...TUNING, ...options.tuning };
    this.version = options.version ?? version;
    this.code = options.code ?? codeHash();
    this.crew = new Crew(threads, () => threadExecutor(1, extra?.main ?? THREAD), unitSeconds);
    this.extraTasks = new Set(extra?.tasks.map(({ name }) => name));
    this.byName = new Map([...tasks, ...(extra?.tasks ?? [])].map((task) => [task.name, storing(task)]));
  }

  private tell(sentence: string): void {
    if (!this.told.has(sentence)) this.options.tell?.(sentence);
    this.told.add(sentence);
  }

  async start(): Promise<void> {
    const { address, tell, signal } = this.options;
    this.client = await connect(address, { tell, pipelining: true, signal });
    this.ears = await connect(address, { signal }).catch((error: unknown) => {
      this.client.disconnect();
      throw error;
    });
    this.ears.on("message", () => this.wake());
    // a user of Redis who may not listen waits for the next look
    await this.ears.subscribe(CHANGED).catch(() => undefined);
    await this.signOfLife();
    tell?.(
      `worker ${this.id} of graphdos ${this.version}: ${this.crew.threads} threads, waiting for work at ${address.shown}`,
    );
  }

  /** Looks for work until the signal. */
  async serve(): Promise<void> {
    const { signal } = this.options;
    while (!signal.aborted) {
      const heard = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.step = this.look().catch((error: unknown) => {
        if (!signal.aborted) this.tell((error as Error).message);
      });
      // Redis may never answer: who stops the worker does not wait for that
      await orAborted(this.step, signal);
      const { tick } = this.tuning;
      await Promise.race([heard, pause(this.serving === null ? tick / 4 : tick, signal)]);
    }
  }

  private async look(): Promise<void> {
    await this.signOfLife();
    const run = await this.chooseRun();
    if (run?.id === this.serving?.run && run?.record.folder === this.serving?.folder) return;
    await this.leave();
    if (run !== null && !this.options.signal.aborted) await this.join(run.id, run.record);
  }

  private async signOfLife(): Promise<void> {
    const record: WorkerRecord = {
      ...{ version: this.version, host: hostname(), pid: process.pid, threads: this.crew.threads },
      ...{ started: this.started, done: this.done, busy: this.crew.busy, run: this.serving?.run ?? null },
    };
    const [runs] = await Promise.all([
      this.client.zrange(RUNS, "0", "-1", "WITHSCORES"),
      this.client.set(workerKey(this.id), JSON.stringify(record), "PX", 2 * this.tuning.dead),
      this.client.zadd(WORKERS, Date.now(), this.id),
      // others that died and are forgotten
      this.client.zremrangebyscore(WORKERS, 0, Date.now() - 4 * this.tuning.dead),
    ]);
    for (let k = 0; k < runs.length; k += 2)
      if (Date.now() - Number(runs[k + 1]) > ABANDONED_MS) await removeRun(this.client, runs[k], this.tuning);
  }

  /**
   * The run that is served already while it has units, else the oldest with some, else one whose units others have begun, since they may
   * be lost and only who serves the run notices, else any.
   */
  private async chooseRun(): Promise<{ id: string; record: RunRecord } | null> {
    const found: { id: string; record: RunRecord; waiting: number; begun: number }[] = [];
    for (const id of await this.client.zrange(RUNS, "0", "-1")) {
      if (!/^[0-9a-f]{16}$/.test(id)) continue;
      const prefix = runPrefix(id);
      const queue = `${prefix}:${QUEUE}`;
      const [record, next, later, begun] = await Promise.all([
        this.client.get(`${prefix}:record`),
        this.client.llen(`${queue}:wait`),
        this.client.zcard(`${queue}:delayed`),
        this.client.llen(`${queue}:active`),
      ]);
      const parsed = readRecord(runSchema, record);
      if (parsed === null) continue;
      const sees = await this.sees(id, parsed);
      const refusal = this.refusal(parsed, sees);
      if (refusal === null && parsed.near && !sees)
        await sayOfRun(this.client, id, farKey(prefix), this.id, "1");
      else if (refusal === null) {
        found.push({ id, record: parsed, waiting: next + later, begun });
        await this.client.hdel(`${prefix}:refused`, this.id);
      } else {
        this.tell(`not serving the run "${parsed.title}" of ${parsed.host}: ${refusal}`);
        await sayOfRun(this.client, id, `${prefix}:refused`, this.id, refusal);
      }
    }
    found.sort((a, b) => a.record.started - b.record.started);
    const current = found.find(({ id }) => id === this.serving?.run);
    if (current !== undefined && (current.waiting > 0 || this.crew.busy > 0)) return current;
    return (
      found.find(({ waiting }) => waiting > 0) ??
      [current, ...found].find((run) => run !== undefined && run.begun > 0) ??
      current ??
      found[0] ??
      null
    );
  }

  /** Whether this worker sees the folder of the run: on the same machine, or through --store. */
  private async sees(run: string, { folder }: RunRecord): Promise<boolean> {
    return (await folderToken(runFolder(this.options.store, run))) === folder;
  }

  private refusal(record: RunRecord, sees: boolean): string | null {
    if (record.version !== this.version || record.protocol !== PROTOCOL)
      return `the coordinator is graphdos ${record.version}, the worker on ${hostname()} is graphdos ${this.version}: install the same version on both`;
    if (record.code !== this.code)
      return `the coordinator and the worker on ${hostname()} are both graphdos ${this.version}, but of different code, ${shortCode(record.code)} and ${shortCode(this.code)}: install the same build on both and start the worker again`;
    return sees || !record.required
      ? null
      : `the worker on ${hostname()} does not see the shared folder of the coordinator: start it with --store and the same folder`;
  }

  private async join(run: string, record: RunRecord): Promise<void> {
    const { bullmq } = clusterLibraries();
    const { lock } = this.tuning;
    const prefix = runPrefix(run);
    const folder = (await this.sees(run, record)) ? runFolder(this.options.store, run) : null;
    const data = new RunData(this.client, prefix, folder, record.required);
    const keep = this.options.keepBytes ?? availableMemory() / 4;
    const fetch = async (hash: string, length: number) => {
      const bytes = await data.input(hash, length);
      return bytes !== null && sha256(bytes) === hash ? bytes : null;
    };
    const fetched = new Fetched(keep, fetch);
    const stop = new AbortController();
    // threads write into a folder of this machine; one that is far away must not hold them up
    const threadsWrite = folder !== null && !record.required;
    const load = { units: 0 };
    const joined = { prefix, data, fetch, fetched, threadsWrite, load, signal: stop.signal };
    // the queue has a connection of its own: its commands block
    const connection = await connect(this.options.address, { signal: this.options.signal });
    const worker = new bullmq.Worker(QUEUE, (job) => this.work(job, joined), {
      ...{ connection, prefix, concurrency: this.crew.threads + 1, drainDelay: 1 },
      ...{ lockDuration: lock, stalledInterval: lock / 2, maxStalledCount: 10 * TRIES },
      ...{ removeOnComplete: { count: 0 }, runRetryDelay: 500 },
    });
    worker.on("error", () => undefined);
    this.serving = { run, folder: record.folder, worker, connection, stop, load };
    this.tell(`serving the run "${record.title}" of ${record.host}`);
  }

  private async work(job: Job, joined: Joined): Promise<null> {
    joined.load.units++;
    try {
      return await this.compute(job, joined);
    } finally {
      joined.load.units--;
    }
  }

  private async compute(
    job: Job,
    { prefix, data, fetch, fetched, threadsWrite, signal }: Joined,
  ): Promise<null> {
    try {
      const { unit, bytes: length, apart } = jobSchema.parse(job.data);
      const [bytes, find, tries] = await Promise.all([
        fetch(unit, length),
        fetched.gather(apart),
        this.client.hget(`${prefix}:begun`, unit),
      ]);
      if (bytes === null) throw new GraphdosError("io", "the unit is missing or damaged");
      const { code, task, input } = unitSchema.parse(decodePlain(bytes, { find, where: "a unit" }));
      const known = this.byName.get(task);
      if (known === undefined || code !== this.code)
        throw new GraphdosError("bad-data", `unknown task ${task} of the code ${shortCode(code)}`);
      if (!this.extraTasks.has(task)) await checkUnit(task, input);
      // who has left the run writes nothing more
      throwIfAborted(signal);
      const file = threadsWrite ? data.pathOf(resultName(unit)) : null;
      const stored = await this.crew.run(known, { input: input as never, file }, signal, () =>
        this.begin(prefix, unit, tries === null),
      );
      throwIfAborted(signal);
      await this.putResult(prefix, data, unit, stored);
      this.done++;
      return null;
    } catch (error) {
      // the run is over and its queue gone: nobody waits for an answer, and this is no failure of the unit
      if (signal.aborted) return new Promise(() => undefined);
      if (error instanceof TooManyTries) {
        const { bullmq } = clusterLibraries();
        throw new bullmq.UnrecoverableError(error.message);
      }
      // BullMQ keeps the message of an error and nothing else
      const code = error instanceof GraphdosError ? error.code : null;
      const message = (error as Error).message.slice(0, 4000);
      throw new Error(JSON.stringify({ code, message }));
    }
  }

  /**
   * Counts the tries of a unit, those included whose worker died: one that ends workers must not end them all. At the first try nobody
   * waits for the answer, only until the count is on its way: it gets there though this process may die.
   */
  private async begin(prefix: string, unit: string, first: boolean): Promise<void> {
    const count = this.client.hincrby(`${prefix}:begun`, unit, 1);
    if (first) {
      count.catch(() => undefined);
      // after the commands that the connection has gathered
      await new Promise((resolve) => setImmediate(resolve));
    } else if ((await count) > TRIES)
      throw new TooManyTries(`${TRIES} workers died or hung while they had it`);
  }

  private async putResult(prefix: string, data: RunData, unit: string, stored: Stored): Promise<void> {
    const value =
      stored instanceof Uint8Array
        ? await this.putBytes(data, unit, stored)
        : placeValue({ place: "folder", length: stored.length, crc: null });
    await this.client.hset(`${prefix}:results`, unit, value);
  }

  private async putBytes(data: RunData, unit: string, bytes: Uint8Array): Promise<Buffer> {
    const { length } = bytes;
    if (length < LIMITS.inlineBytes) return Buffer.concat([Buffer.from([0]), bytes]);
    const place = data.folder !== null && length >= LIMITS.folderBytes ? "folder" : "redis";
    await data.put(resultName(unit), bytes, place);
    return placeValue({ place, length, crc: checksum(bytes) });
  }

  /** Leaves a run: what is under way is given up, unless it is to be finished first and Redis can be told. */
  private async leave({ finish = false } = {}): Promise<void> {
    const { serving } = this;
    if (serving === null) return;
    this.serving = null;
    const cutOff = serving.load.units > 0;
    const finished = finish && (await this.finishUnits(serving));
    if (!finished) serving.stop.abort();
    await serving.worker.close(!finished).catch(() => undefined);
    // what the queue has sent is done before anything is removed
    if (!finish || finished) await answers(serving.connection);
    serving.connection.disconnect();
    if (finish && !finished) return;
    // what this worker wrote after the coordinator had cleaned up; of a unit that was cut off, more may still be on its way
    for (let round = 0; round < (cutOff ? LATE_ROUNDS : 1); round++) {
      if (round > 0) await pause(LATE_MS, new AbortController().signal);
      if (this.client.status !== "ready" || !(await isOver(this.client, serving.run))) return;
      await removeRun(this.client, serving.run, this.tuning);
    }
  }

  /** Waits for the units under way; false where Redis does not answer, so that their results cannot be handed in. */
  private async finishUnits({ worker, load }: Serving): Promise<boolean> {
    await worker.pause(true);
    const never = new AbortController().signal;
    for (;;) {
      if (!(await answers(this.client))) break;
      if (load.units === 0) return true;
      await pause(Math.min(this.tuning.tick, FINISH_LOOK_MS), never);
    }
    if (load.units > 0)
      this.tell("the Redis server does not answer: the units under way are left to other workers");
    return false;
  }

  async close(): Promise<void> {
    if (this.crew.busy > 0) this.tell("finishing the units under way; stop again to end at once");
    if (await answers(this.client)) await this.step;
    await this.leave({ finish: true });
    await this.crew.close();
    if (await answers(this.client))
      await Promise.all([this.client.del(workerKey(this.id)), this.client.zrem(WORKERS, this.id)]).catch(
        () => undefined,
      );
    for (const connection of [this.client, this.ears]) connection.disconnect();
  }
}

/** Waits for a step that never fails, or until the signal. */
function orAborted(step: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      signal.removeEventListener("abort", done);
      resolve();
    };
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
    void step.then(done);
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
