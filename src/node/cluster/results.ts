/**
 * The results of units: where workers leave them, and how they are kept, so that a coordinator that starts again does not compute them again.
 *
 * Small ones stand in Redis and are copied into the journal, large ones of workers that see the folder of the run stay there as files. Only
 * large ones that workers on the coordinator's machine hand over in the first moments of a run (Tuning.fleeting) are read and their
 * files given back: to keep them costs every run more than to compute them again costs the few that are killed so early. A run that is
 * interrupted, or of which a unit fails, keeps these too.
 */
import type { Redis } from "ioredis";
import { checksum, type RunData, resultName } from "./data.js";
import type { Journal } from "./journal.js";
import { placeSchema, readRecord } from "./protocol.js";
import type { Slabs } from "./slabs.js";

export class Results {
  /** Results of the current map that are fleeting, by unit. */
  private readonly notKept = new Map<string, Uint8Array>();
  /** Milliseconds of the maps before, and when the current one began. */
  private worked = 0;
  private since: number | null = null;
  private readonly key: string;

  constructor(
    private readonly client: Redis,
    private readonly data: RunData,
    private readonly journal: Journal,
    prefix: string,
    private readonly fleetingMs: number,
  ) {
    this.key = `${prefix}:results`;
  }

  /** A map begins. */
  begin(): void {
    this.since = performance.now();
  }

  /** The map is over: what it gave is with who asked for it. */
  end(): void {
    this.worked = this.workedMs();
    this.since = null;
    this.notKept.clear();
  }

  /** How long this run has worked. */
  private workedMs(): number {
    return this.worked + (this.since === null ? 0 : performance.now() - this.since);
  }

  /** What stands in Redis for some units: a result, or where it lies. */
  async look(names: readonly string[]): Promise<(Buffer | null)[]> {
    return names.length === 0 ? [] : this.client.hmgetBuffer(this.key, ...names);
  }

  /** The result of a unit that was finished before; null where there is none, or it is damaged. */
  async kept(name: string, slabs: Slabs): Promise<Uint8Array | null> {
    const { journal, data } = this;
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
  async take(name: string, value: Buffer, slabs: Slabs): Promise<Uint8Array | null> {
    const { client, data, journal } = this;
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
    const fleeting = inFile && found.crc === null && this.workedMs() < this.fleetingMs;
    if (found !== null && bytes !== null && !fleeting && journal.entry(name) === undefined) {
      const { length, crc } = found;
      await journal.append(name, { length, crc: crc ?? checksum(bytes) }, inFile ? null : bytes);
    }
    // who is killed after this leaves bytes that nobody asks for; the other way round, a place where nothing is
    await client.hdel(this.key, name);
    if (fleeting) {
      if (bytes !== null) this.notKept.set(name, bytes);
      data.giveBack(resultName(name));
    } else if (found !== null && inline === null && !inFile)
      await data.remove(resultName(name), found.length, found.place);
    return bytes;
  }

  /** Keeps the fleeting results of this map too: it ends before its time, and the run may be taken up again. */
  async keepAll(): Promise<void> {
    for (const [name, bytes] of this.notKept)
      await this.journal.append(name, { length: bytes.length, crc: checksum(bytes) }, bytes);
    this.notKept.clear();
  }
}
