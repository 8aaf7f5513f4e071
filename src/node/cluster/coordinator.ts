/**
 * The executor of a cluster: units go into a queue (BullMQ on Redis), workers anywhere take them, results come back in any order.
 *
 * A unit is named by the SHA-256 of its bytes: task, code (code-hash.ts) and input. The name is that of its job, its data and its result, so that doing
 * a unit twice changes nothing, and a coordinator that starts again finds what was done: in its journal, among the results in
 * Redis, or in the queue. Messages of the queue are hints; the truth is in the results, which are looked at every second besides.
 *
 * At most LIMITS.unitsAhead units and LIMITS.bytesAhead bytes are in Redis at a time, however much work there is.
 */
import type { Redis } from "ioredis";
import { GraphdosError, throwIfAborted } from "../../base/errors.js";
import type { Executor, MapOptions, Task } from "../../compute/executor.js";
import { decodePlain } from "../../compute/plain-data.js";
import { threadExecutor } from "../worker-threads.js";
import { answers } from "./connection.js";
import type { RunData } from "./data.js";
import { type Failure, failureError } from "./failure-sentence.js";
import type { Journal } from "./journal.js";
import { farKey, LIMITS, type RunRecord, type Tuning } from "./protocol.js";
import type { UnitQueue } from "./queue.js";
import { Results } from "./results.js";
import { SentInputs } from "./sent-inputs.js";
import { Slabs } from "./slabs.js";
import { type Unit, UnitMaker } from "./unit.js";

export interface CoordinatorParts {
  client: Redis;
  queue: UnitQueue;
  data: RunData;
  journal: Journal;
  prefix: string;
  record: RunRecord;
  tuning: Tuning;
  workers: number;
  /** Says how far the run is. */
  progress(task: string, total: number, done: number, failed: number): void;
  /** Rejects when the run cannot go on: taken over by another process, no worker of this code. */
  watch(): Promise<void>;
  /** Tells the workers that the record of the run has changed. */
  announce(): Promise<void>;
  close(finished: boolean): Promise<void>;
}

/** Expected time of a unit: long against the 2 ms that a unit costs, short against a run. */
const UNIT_SECONDS = 0.5;
/** Units that are sent together: few at first, so that the workers begin, then twice as many each time. */
const FIRST_BATCH = 4;
const LARGEST_BATCH = 64;
/** Workers on this machine get so long to begin before the next units are made: that takes a core, and they would wait for one. */
const HEAD_START_MS = 20;

export class ClusterExecutor implements Executor {
  readonly remote = { unitSeconds: UNIT_SECONDS };
  private last: Promise<unknown> = Promise.resolve();
  private finished = true;
  private threads: Executor | null = null;
  private readonly inputs: SentInputs;
  private readonly results: Results;

  constructor(private readonly parts: CoordinatorParts) {
    const { client, data, journal, prefix, record, tuning } = parts;
    this.inputs = new SentInputs(data, record);
    this.results = new Results(client, data, journal, prefix, tuning.fleeting);
  }

  get workers(): number {
    return this.parts.workers;
  }

  /** Started when first needed, as many as there are cores: workers on this machine wait meanwhile. */
  get near(): Executor {
    return (this.threads ??= threadExecutor());
  }

  map<I, O>(task: Task<I, O>, inputs: readonly I[], options: MapOptions<O> = {}): Promise<O[]> {
    const run = this.last.then(() => this.mapNow(task, inputs, options));
    this.last = run.catch(() => {
      this.finished = false;
    });
    return run;
  }

  private async mapNow<I, O>(
    task: Task<I, O>,
    inputs: readonly I[],
    { signal, onResult }: MapOptions<O>,
  ): Promise<O[]> {
    const { client, queue, record, tuning } = this.parts;
    const { results } = this;
    throwIfAborted(signal);
    results.begin();
    const maker = new UnitMaker(record.code);
    const outputs = new Array<O>(inputs.length);
    const slabs = new Slabs(inputs.length);
    const open = new Map<string, Unit>();
    const failures: Failure[] = [];
    let next = 0;
    let done = 0;
    let most = FIRST_BATCH;
    let wake: () => void = () => undefined;
    let broken: unknown = null;
    let over = false;
    let giveIn: (error: unknown) => void = () => undefined;
    const failing = new Promise<never>((_, reject) => {
      giveIn = reject;
    });
    failing.catch(() => undefined);
    let step: Promise<unknown> = Promise.resolve();
    /** A step that needs Redis, which may never answer: an interrupt does not wait for it. */
    const orFail = <T>(next: Promise<T>): Promise<T> => {
      step = next;
      return Promise.race([next, failing]);
    };
    /** Waits until something has happened, or for so long. */
    const woken = (milliseconds = Number.POSITIVE_INFINITY) =>
      new Promise<void>((resolve) => {
        const timer = milliseconds < Number.POSITIVE_INFINITY ? setTimeout(resolve, milliseconds) : undefined;
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (broken !== null) wake();
      });
    const fail = (error: unknown) => {
      broken ??= error;
      giveIn(error);
      wake();
    };
    const deliver = (unit: Unit, bytes: Uint8Array) => {
      if (over) return;
      for (const index of unit.indices) {
        const own = index === unit.indices[0];
        outputs[index] = decodePlain(bytes, { own, where: `result of ${task.name}` }) as O;
        onResult?.(index, outputs[index]);
        done++;
      }
    };
    const settle = async (unit: Unit, bytes: Uint8Array | null) => {
      if (!open.delete(unit.name)) return;
      if (bytes !== null) deliver(unit, bytes);
      await this.inputs.release(unit);
      this.parts.progress(task.name, inputs.length, done, failures.length);
      wake();
    };
    /** Takes the result of a unit where there is one. */
    const take = async (unit: Unit, value: Buffer | null): Promise<void> => {
      if (value === null || unit.taking) return;
      unit.taking = true;
      const bytes = await results.take(unit.name, value, slabs);
      unit.taking = false;
      if (bytes !== null) await settle(unit, bytes);
    };
    const giveUp = async (unit: Unit, reason: string) => {
      if (!open.has(unit.name)) return;
      for (const index of unit.indices) failures.push({ index, reason });
      await settle(unit, null);
    };
    const stop = queue.listen({
      completed: (name) => {
        const unit = open.get(name);
        if (unit !== undefined)
          results
            .look([name])
            .then(([value]) => take(unit, value))
            .catch(fail);
      },
      failed: (name, reason) => {
        const unit = open.get(name);
        if (unit !== undefined) giveUp(unit, reason).catch(fail);
      },
    });
    const onAbort = () => fail(new GraphdosError("interrupted", "interrupted", { cause: signal?.reason }));
    signal?.addEventListener("abort", onAbort);
    const look = async () => {
      await this.meetFar(open.values());
      await this.parts.watch();
      const units = [...open.values()].filter((unit) => unit.added > 0);
      if (units.length === 0) return;
      const values = await results.look(units.map(({ name }) => name));
      await Promise.all(units.map((unit, k) => take(unit, values[k])));
      for (const [name, reason] of await queue.failures()) {
        const unit = open.get(name);
        if (unit !== undefined) await giveUp(unit, reason);
      }
      // what is neither waiting, running nor done was lost with the memory of a Redis that kept no data
      const late = units.filter(
        (unit) => open.has(unit.name) && performance.now() - unit.added > 3 * tuning.tick,
      );
      const lost = await queue.missing(late.map(({ name }) => name));
      const again = (await results.look(lost)).flatMap((value, k) =>
        value === null ? [open.get(lost[k])] : [],
      );
      for (const unit of again) if (unit !== undefined) await this.send([unit], true);
    };
    let looking: Promise<void> = Promise.resolve();
    let atIt = false;
    const clock = setInterval(() => {
      if (atIt) return;
      atIt = true;
      looking = look()
        .catch(fail)
        .finally(() => {
          atIt = false;
        });
    }, tuning.tick);

    try {
      this.parts.progress(task.name, inputs.length, 0, 0);
      while (done + failures.length < inputs.length) {
        if (broken !== null) throw broken;
        const batch: Unit[] = [];
        while (next < inputs.length && batch.length < most && this.hasRoom(open)) {
          const unit = maker.make(task, inputs[next], next);
          next++;
          const same = open.get(unit.name);
          if (same !== undefined) {
            same.indices.push(...unit.indices);
            continue;
          }
          const kept = await results.kept(unit.name, slabs);
          if (kept !== null) {
            deliver(unit, kept);
            continue;
          }
          open.set(unit.name, unit);
          batch.push(unit);
        }
        if (batch.length > 0) {
          most = Math.min(2 * most, LARGEST_BATCH);
          const values = await orFail(results.look(batch.map(({ name }) => name)));
          await orFail(this.send(batch.filter((_, k) => values[k] === null)));
          await orFail(Promise.all(batch.map((unit, k) => take(unit, values[k]))));
          if (record.near && done === 0 && next === batch.length && next < inputs.length)
            await woken(HEAD_START_MS);
        } else if (done + failures.length < inputs.length) await woken();
      }
      if (failures.length > 0) await results.keepAll();
    } catch (error) {
      // a full disk must not hide that it was interrupted
      if (signal?.aborted) await results.keepAll().catch(() => undefined);
      if (await answers(client)) {
        await step.catch(() => undefined);
        await queue.drain();
      } else looking = Promise.resolve();
      throw error;
    } finally {
      clearInterval(clock);
      stop();
      signal?.removeEventListener("abort", onAbort);
      await looking;
      over = true;
      results.end();
    }
    if (failures.length > 0) throw failureError(task, inputs, failures);
    return outputs;
  }

  private hasRoom(open: ReadonlyMap<string, Unit>): boolean {
    return open.size === 0 || (open.size < LIMITS.unitsAhead && this.inputs.bytesInUse() < LIMITS.bytesAhead);
  }

  private async send(units: readonly Unit[], again = false): Promise<void> {
    if (units.length === 0) return;
    await this.inputs.send(units, again);
    await this.parts.queue.add(units.map(({ job }) => job));
    for (const unit of units) unit.added = performance.now();
  }

  /** Where a worker that does not see the folder of the run waits: lets it in. */
  private async meetFar(open: Iterable<Unit>): Promise<void> {
    const { client, prefix, record, watch, announce } = this.parts;
    if (!record.near || (await client.exists(farKey(prefix))) === 0) return;
    await this.inputs.sendFar(open);
    await watch();
    await announce();
  }

  async close(): Promise<void> {
    await this.threads?.close();
    await this.parts.close(this.finished);
  }
}
