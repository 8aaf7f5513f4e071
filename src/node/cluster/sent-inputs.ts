/**
 * The inputs of units that are under way: which of them lie where, and for how many units. What no unit waits for goes; of data that units
 * share, LIMITS.bytesAhead bytes stay, since other units may want it.
 *
 * While all workers are on the coordinator's machine (RunRecord.near) large inputs lie in the folder of the run. When a worker that does not
 * see it wants to join, what is under way goes through Redis too, and so does all that follows.
 */
import { GraphdosError } from "../../base/errors.js";
import { checkForRedis, type RunData } from "./data.js";
import { inputPlace, LIMITS, type Place, type RunRecord } from "./protocol.js";
import { piecesOf, type Unit } from "./unit.js";

interface Sent {
  length: number;
  /** Units that wait for it. */
  users: number;
  places: Set<Place["place"]>;
}

export class SentInputs {
  private readonly sent = new Map<string, Sent>();

  constructor(
    private readonly data: RunData,
    private readonly record: RunRecord,
  ) {}

  /** Bytes that units under way have in Redis, or would have as soon as a worker elsewhere joins. */
  bytesInUse(): number {
    let bytes = 0;
    for (const { length, users } of this.sent.values()) if (users > 0) bytes += this.inRedis(length);
    return bytes;
  }

  /** `again`: the units were sent before, but what they need may be lost. */
  async send(units: readonly Unit[], again: boolean): Promise<void> {
    const { data, record } = this;
    const pieces = new Map<string, Uint8Array>();
    for (const unit of units)
      for (const [name, bytes] of piecesOf(unit)) {
        const { length } = bytes;
        if (this.inRedis(length) > 0) checkForRedis(length);
        const place = inputPlace(record, length);
        const known = this.sent.get(name) ?? { length, users: 0, places: new Set() };
        this.sent.set(name, known);
        if (again || !known.places.has(place)) pieces.set(name, bytes);
        known.places.add(place);
        if (!again) known.users++;
      }
    if (this.bytesInUse() > LIMITS.totalBytes)
      throw new GraphdosError(
        "limit",
        `the units of this run share more than ${LIMITS.totalBytes / 2 ** 20} MiB of data, too many to go through Redis: give the coordinator and all workers a shared folder with --store`,
      );
    await Promise.all(
      Array.from(pieces, ([name, bytes]) => data.put(name, bytes, inputPlace(record, bytes.length))),
    );
  }

  /** From now on through Redis, what is under way too. */
  async sendFar(units: Iterable<Unit>): Promise<void> {
    this.record.near = false;
    for (const unit of [...units])
      for (const [name, bytes] of piecesOf(unit)) {
        const places = this.sent.get(name)?.places;
        if (places === undefined || places.has("redis")) continue;
        places.add("redis");
        await this.data.put(name, bytes, "redis");
      }
  }

  /** A unit is over: its own data goes, shared data when there is too much that nobody waits for. */
  async release(unit: Unit): Promise<void> {
    for (const [name] of piecesOf(unit)) {
      const known = this.sent.get(name);
      if (known !== undefined) known.users--;
    }
    const own = this.sent.get(unit.name);
    if (own !== undefined) await this.forget(unit.name, own);
    let idle = 0;
    for (const { length, users } of this.sent.values()) if (users === 0) idle += this.inRedis(length);
    for (const [name, known] of this.sent) {
      if (idle <= LIMITS.bytesAhead) break;
      if (known.users > 0) continue;
      idle -= this.inRedis(known.length);
      await this.forget(name, known);
    }
  }

  private async forget(name: string, { length, places }: Sent): Promise<void> {
    this.sent.delete(name);
    for (const place of places) await this.data.remove(name, length, place);
  }

  private inRedis(length: number): number {
    return inputPlace({ ...this.record, near: false }, length) === "redis" ? length : 0;
  }
}
