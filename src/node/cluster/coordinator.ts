/**
 * The executor of a cluster: units go into a queue (BullMQ on Redis), workers anywhere take them, results come back in any order.
 *
 * A unit is named by the SHA-256 of its bytes: task, version and input. The name is that of its job, its data and its result, so that doing
 * a unit twice changes nothing, and a coordinator that starts again finds what was done: in its journal, among the results in
 * Redis, or in the queue. Messages of the queue are hints; the truth is in the results, which are looked at every second besides.
 *
 * At most LIMITS.unitsAhead units and LIMITS.bytesAhead bytes are in Redis at a time, however much work there is.
 */
import type { Redis } from "ioredis";
import { GraphdosError, throwIfAborted } from "../../base/errors.js";
import type { Executor, MapOptions, Task } from "../../compute/executor.js";
import { decodePlain, encodePlain } from "../../compute/plain-data.js";
import { checksum, type RunData, resultName, sha256 } from "./data.js";
import { type Failure, failureError } from "./failure-sentence.js";
import type { Journal } from "./journal.js";
import {
  inputPlace,
  type JobData,
  LIMITS,
  placeSchema,
  type RunRecord,
  readRecord,
  type Tuning,
} from "./protocol.js";
import type { UnitQueue } from "./queue.js";
import { Slabs } from "./slabs.js";

interface Unit {
  name: string;
  job: JobData;
  bytes: Uint8Array;
  apart: Map<string, Uint8Array>;
  /** Which inputs it is: equal inputs are one unit. */
  indices: number[];
  /** When it was sent, by performance.now; 0 before. */
  added: number;
  taking: boolean;
}

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
  /** Rejects when the run cannot go on: taken over by another process, no worker of this version. */
  watch(): Promise<void>;
  close(finished: boolean): Promise<void>;
}

/** Expected time of a unit: long against the 2 ms that a unit costs, short against a run. Guesses of time are often ten times too long. */
const UNIT_SECONDS = 2;
/** Data that no unit waits for stays in Redis up to this many bytes: other units may want it. */
const IDLE_BYTES = LIMITS.bytesAhead;
/** Units that are sent together: few at first, so that the workers begin, then twice as many each time. */
const FIRST_BATCH = 4;
const LARGEST_BATCH = 64;

export class ClusterExecutor implements Executor {
  readonly remote = { unitSeconds: UNIT_SECONDS };
  private last: Promise<unknown> = Promise.resolve();
  private finished = true;
  /** Milliseconds of the maps before, and when the current one began. */
  private worked = 0;
  private since: number | null = null;
  /** Results of the current map that are fleeting. */
  private notKept = 0;
  /** Data in Redis or the folder by hash: its size and the units that wait for it. */
  private readonly sent = new Map<string, { length: number; users: number }>();

  constructor(private readonly parts: CoordinatorParts) {}

  get workers(): number {
    return this.parts.workers;
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
    const { queue, tuning } = this.parts;
    throwIfAborted(signal);
    this.since = performance.now();
    this.notKept = 0;
    this.hashes = new WeakMap();
    const outputs = new Array<O>(inputs.length);
    const slabs = new Slabs(inputs.length);
    const open = new Map<string, Unit>();
    const failures: Failure[] = [];
    let next = 0;
    let done = 0;
    let most = FIRST_BATCH;
    let wake: () => void = () => undefined;
    let broken: unknown = null;
    const fail = (error: unknown) => {
      broken ??= error;
      wake();
    };
    const deliver = (unit: Unit, bytes: Uint8Array) => {
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
      await this.release(unit);
      this.parts.progress(task.name, inputs.length, done, failures.length);
      wake();
    };
    /** Takes the result of a unit where there is one. */
    const take = async (unit: Unit, value: Buffer | null): Promise<void> => {
      if (value === null || unit.taking) return;
      unit.taking = true;
      const bytes = await this.takeResult(unit.name, value, slabs);
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
          this.result(name)
            .then((value) => take(unit, value))
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
      await this.parts.watch();
      const units = [...open.values()].filter((unit) => unit.added > 0);
      if (units.length === 0) return;
      const values = await this.results(units.map(({ name }) => name));
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
      const again = (await this.results(lost)).flatMap((value, k) =>
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
          const unit = this.unitOf(task, inputs[next], next);
          next++;
          const same = open.get(unit.name);
          if (same !== undefined) {
            same.indices.push(...unit.indices);
            continue;
          }
          const kept = await this.kept(unit.name, slabs);
          if (kept !== null) {
            deliver(unit, kept);
            continue;
          }
          open.set(unit.name, unit);
          batch.push(unit);
        }
        if (batch.length > 0) {
          most = Math.min(2 * most, LARGEST_BATCH);
          const values = await this.results(batch.map(({ name }) => name));
          await this.send(batch.filter((_, k) => values[k] === null));
          await Promise.all(batch.map((unit, k) => take(unit, values[k])));
        } else if (done + failures.length < inputs.length)
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (broken !== null) resolve();
          });
      }
    } catch (error) {
      await queue.drain();
      throw error;
    } finally {
      clearInterval(clock);
      stop();
      signal?.removeEventListener("abort", onAbort);
      await looking;
      this.worked = this.workedMs();
      this.since = null;
    }
    if (failures.length > 0) throw failureError(task, inputs, failures, this.notKept);
    return outputs;
  }

  private hasRoom(open: ReadonlyMap<string, Unit>): boolean {
    return open.size === 0 || (open.size < LIMITS.unitsAhead && this.bytesInUse() < LIMITS.bytesAhead);
  }

  private bytesInUse(): number {
    let bytes = 0;
    for (const { length, users } of this.sent.values()) if (users > 0) bytes += this.inRedis(length);
    return bytes;
  }

  private inRedis(length: number): number {
    return inputPlace(this.parts.record, length) === "redis" ? length : 0;
  }

  private unitOf<I, O>(task: Task<I, O>, input: I, index: number): Unit {
    const apart = new Map<string, Uint8Array>();
    const { version } = this.parts.record;
    const bytes = encodePlain(
      { version, task: task.name, input },
      {
        elsewhere: (part) => {
          if (part.length < LIMITS.apartBytes) return null;
          const hash = this.hashOf(part);
          apart.set(hash, part);
          return hash;
        },
      },
    );
    const name = sha256(bytes);
    const job = {
      unit: name,
      bytes: bytes.length,
      apart: [...apart].map(([hash, { length }]) => [hash, length]),
    };
    return { name, job: job as JobData, bytes, apart, indices: [index], added: 0, taking: false };
  }

  /** Many units of a map share large arrays: each is hashed once. Between maps their numbers may change. */
  private hashes = new WeakMap<ArrayBufferLike, Map<string, string>>();
  private hashOf(part: Uint8Array): string {
    const known = this.hashes.get(part.buffer) ?? new Map<string, string>();
    this.hashes.set(part.buffer, known);
    const range = `${part.byteOffset} ${part.byteLength}`;
    const hash = known.get(range) ?? sha256(part);
    known.set(range, hash);
    return hash;
  }

  private async send(units: readonly Unit[], again = false): Promise<void> {
    const { data, queue, record } = this.parts;
    if (units.length === 0) return;
    const pieces = new Map<string, Uint8Array>();
    for (const unit of units)
      for (const [name, bytes] of [[unit.name, unit.bytes] as const, ...unit.apart]) {
        const known = this.sent.get(name);
        if (known === undefined || again) pieces.set(name, bytes);
        if (again) continue;
        if (known === undefined) this.sent.set(name, { length: bytes.length, users: 1 });
        else known.users++;
      }
    if (this.bytesInUse() > LIMITS.totalBytes)
      throw new GraphdosError(
        "limit",
        `the units of this run share more than ${LIMITS.totalBytes / 2 ** 20} MiB of data, too many to go through Redis: give the coordinator and all workers a shared folder with --store`,
      );
    await Promise.all(
      Array.from(pieces, ([name, bytes]) => data.put(name, bytes, inputPlace(record, bytes.length))),
    );
    await queue.add(units.map(({ job }) => job));
    for (const unit of units) unit.added = performance.now();
  }

  /** A unit is over: its own data goes, shared data when there is too much that nobody waits for. */
  private async release(unit: Unit): Promise<void> {
    const { data, record } = this.parts;
    for (const name of [unit.name, ...unit.apart.keys()]) {
      const known = this.sent.get(name);
      if (known !== undefined) known.users--;
    }
    const own = this.sent.get(unit.name);
    if (own !== undefined) {
      this.sent.delete(unit.name);
      await data.remove(unit.name, own.length, inputPlace(record, own.length));
    }
    let idle = 0;
    for (const { length, users } of this.sent.values()) if (users === 0) idle += this.inRedis(length);
    for (const [name, { length, users }] of this.sent) {
      if (idle <= IDLE_BYTES) break;
      if (users > 0) continue;
      this.sent.delete(name);
      idle -= this.inRedis(length);
      await data.remove(name, length, inputPlace(record, length));
    }
  }

  private async result(name: string): Promise<Buffer | null> {
    return (await this.results([name]))[0];
  }

  private async results(names: readonly string[]): Promise<(Buffer | null)[]> {
    if (names.length === 0) return [];
    return this.parts.client.hmgetBuffer(`${this.parts.prefix}:results`, ...names);
  }

  /** The result of a unit that was finished before; null where there is none, or it is damaged. */
  private async kept(name: string, slabs: Slabs): Promise<Uint8Array | null> {
    const { journal, data } = this.parts;
    const entry = journal.entry(name);
    if (entry === undefined) return null;
    const { length, crc, at } = entry;
    const memory = (size: number) => slabs.take(size);
    const bytes =
      at >= 0 ? await journal.read(entry) : await data.get(resultName(name), length, "folder", memory);
    if (bytes !== null && checksum(bytes) === crc) return bytes;
    journal.forget(name);
    return null;
  }

  /**
   * The bytes of a result, beside its name or where that says, once they are in the journal (or fleeting); in Redis nothing is left of
   * them. Null when they are missing or damaged: the unit is then done again.
   */
  private async takeResult(name: string, value: Buffer, slabs: Slabs): Promise<Uint8Array | null> {
    const { client, data, journal, prefix, tuning } = this.parts;
    const inline = value[0] === 0 ? new Uint8Array(value.subarray(1)) : null;
    const found =
      inline === null
        ? readRecord(placeSchema, value.subarray(1).toString())
        : { place: "redis" as const, length: inline.length, crc: null };
    let bytes = inline;
    if (found !== null && inline === null) {
      bytes = await data.get(resultName(name), found.length, found.place, (size) => slabs.take(size));
      if (bytes !== null && found.crc !== null && checksum(bytes) !== found.crc) bytes = null;
    }
    const inFile = found?.place === "folder";
    const fleeting = inFile && found.crc === null && this.workedMs() < tuning.fleeting;
    if (found !== null && bytes !== null && !fleeting && journal.entry(name) === undefined) {
      const { length, crc } = found;
      await journal.append(name, { length, crc: crc ?? checksum(bytes) }, inFile ? null : bytes);
    }
    // who is killed after this leaves bytes that nobody asks for; the other way round, a place where nothing is
    await client.hdel(`${prefix}:results`, name);
    if (fleeting) {
      if (bytes !== null) this.notKept++;
      await data.giveBack(resultName(name));
    } else if (found !== null && inline === null && !inFile)
      await data.remove(resultName(name), found.length, found.place);
    return bytes;
  }

  /** How long this run has worked. */
  private workedMs(): number {
    return this.worked + (this.since === null ? 0 : performance.now() - this.since);
  }

  async close(): Promise<void> {
    await this.parts.close(this.finished);
  }
}
