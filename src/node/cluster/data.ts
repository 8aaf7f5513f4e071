/**
 * Bytes by name between the machines of a run: through Redis in chunks, or as files in the folder of the run where both sides see one.
 * Names are hashes, never paths. Inputs are named by their own SHA-256, which the reader checks; results carry a CRC-32, unless they were
 * handed over on one machine.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as zlib from "node:zlib";
import type { Redis } from "ioredis";
import { crc32 } from "../../base/crc32.js";
import { GraphdosError } from "../../base/errors.js";
import { MOST_AT_ONCE } from "../read-whole-file.js";
import { LIMITS, type Place } from "./protocol.js";
import { giveBack, readWhole, readWholeNow, removeFile, writeWhole, writeWholeNow } from "./whole-file.js";

/** What the result of a unit is called. */
export const resultName = (unit: string) => `out-${unit}`;

export function sha256(bytes: Uint8Array, mostAtOnce = MOST_AT_ONCE): string {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += mostAtOnce) hash.update(bytes.subarray(at, at + mostAtOnce));
  return hash.digest("hex");
}

/** zlib's own is five times as fast, and new in Node 20.15. */
const nativeCrc = (zlib as { crc32?: (bytes: Uint8Array) => number }).crc32;

export const checksum = (bytes: Uint8Array): number => nativeCrc?.(bytes) ?? crc32(bytes);

/** A file that another machine wrote may take a while to be seen through a network file system. */
const SEEN_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 50;
const NAME = /^(out-)?[0-9a-f]{64}$/;
/**
 * Files of this machine up to so many bytes are read and written at once: that takes milliseconds, and each step that is left to another
 * thread costs two changes of thread on a machine whose cores all have work.
 */
const AT_ONCE_BYTES = 32 * 2 ** 20;

type Bytes = Uint8Array<ArrayBuffer>;
/** Gives so many bytes, not cleared. */
type Memory = (length: number) => Bytes;

export class RunData {
  constructor(
    private readonly client: Redis,
    private readonly prefix: string,
    readonly folder: string | null,
    /** Whether the folder is a condition of the run (--store); it may then be far away. Else it is on this machine. */
    private readonly required: boolean,
  ) {}

  private atOnce(length: number): boolean {
    return !this.required && length <= AT_ONCE_BYTES;
  }

  async put(name: string, whole: Uint8Array, place: Place["place"]): Promise<void> {
    const { length } = whole;
    if (place === "folder") {
      const path = this.pathOf(name);
      return this.atOnce(length) ? writeWholeNow(path, [whole], []) : writeWhole(path, whole);
    }
    checkForRedis(length);
    const keys = this.chunkKeys(name, length);
    for (let k = 0; k < keys.length; k++) {
      const part = whole.subarray(k * LIMITS.chunkBytes, (k + 1) * LIMITS.chunkBytes);
      await this.client.set(keys[k], Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    }
  }

  /** So many bytes in the memory that is given, or null where they are not there. */
  async get(name: string, length: number, place: Place["place"], memory: Memory): Promise<Bytes | null> {
    if (place === "redis") return this.fromRedis(name, length, memory);
    const bytes = memory(length);
    return (await this.fromFolder(this.pathOf(name), bytes)) ? bytes : null;
  }

  /** An input of a unit: in a folder that is no condition only while all workers see it (RunRecord.near), and before its unit is sent. */
  async input(name: string, length: number): Promise<Bytes | null> {
    const inFolder =
      this.folder !== null &&
      length >= LIMITS.folderBytes &&
      (this.required || existsSync(this.pathOf(name)));
    return this.get(name, length, inFolder ? "folder" : "redis", ownMemory);
  }

  async remove(name: string, length: number, place: Place["place"]): Promise<void> {
    if (place === "folder") await removeFile(this.pathOf(name), this.atOnce(0));
    else await this.client.unlink(...this.chunkKeys(name, length));
  }

  /** A file that was handed over by a worker of this machine has been read: who wrote it may write it again. */
  giveBack(name: string): void {
    giveBack(this.pathOf(name));
  }

  /** Where a piece of data lies in the folder of the run. */
  pathOf(name: string): string {
    if (this.folder === null || !NAME.test(name))
      throw new GraphdosError("bad-data", "cluster: data has no place in the folder of the run");
    return join(this.folder, name);
  }

  private chunkKeys(name: string, length: number): string[] {
    const count = Math.max(1, Math.ceil(length / LIMITS.chunkBytes));
    return Array.from({ length: count }, (_, k) => `${this.prefix}:data:${name}:${k}`);
  }

  private async fromFolder(path: string, bytes: Uint8Array): Promise<boolean> {
    for (const start = performance.now(); ; ) {
      const whole = this.atOnce(bytes.length) ? readWholeNow(path, bytes) : await readWhole(path, bytes);
      if (whole !== null) return whole;
      if (performance.now() - start > SEEN_AFTER_MS) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  private async fromRedis(name: string, length: number, memory: Memory): Promise<Bytes | null> {
    const keys = this.chunkKeys(name, length);
    // one chunk that fills its memory is taken as it came
    const first = await this.client.getBuffer(keys[0]);
    if (first?.length === length && first.buffer.byteLength === length)
      return first as Uint8Array<ArrayBuffer>;
    const whole = memory(length);
    let at = 0;
    for (const [k, key] of keys.entries()) {
      const part = k === 0 ? first : await this.client.getBuffer(key);
      if (part === null || at + part.length > length) return null;
      whole.set(part, at);
      at += part.length;
    }
    return at === length ? whole : null;
  }
}

/** Throws where a piece of data is too large for Redis. */
export function checkForRedis(length: number): void {
  if (length > LIMITS.redisBytes)
    throw new GraphdosError(
      "limit",
      `${(length / 2 ** 20).toFixed(0)} MiB of data are too many to go through Redis (${LIMITS.redisBytes / 2 ** 20} MiB at most): give the coordinator and all workers a shared folder with --store`,
    );
}

/** Bytes, not cleared, that are a whole buffer, so that numbers in them can be read in place. */
export const ownMemory = (length: number) => Buffer.allocUnsafeSlow(length) as Uint8Array<ArrayBuffer>;
