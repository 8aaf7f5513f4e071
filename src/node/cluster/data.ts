/**
 * Bytes by name between the machines of a run: through Redis in chunks, or as files in the folder of the run where both sides see one.
 * Names are hashes, never paths. Inputs are named by their own SHA-256, which the reader checks; results carry a CRC-32.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as zlib from "node:zlib";
import type { Redis } from "ioredis";
import { crc32 } from "../../base/crc32.js";
import { GraphdosError } from "../../base/errors.js";
import { codeOf, fileError } from "../atomic-file.js";
import { LIMITS } from "./protocol.js";

export type Place = "redis" | "folder";

export function sha256(...parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** zlib's own is five times as fast, and new in Node 20.15. */
const nativeCrc = (zlib as { crc32?: (bytes: Uint8Array, value?: number) => number }).crc32;

export function checksum(parts: readonly Uint8Array[]): number {
  if (nativeCrc !== undefined) return parts.reduce((value, part) => nativeCrc(part, value), 0);
  return crc32(parts.length === 1 ? parts[0] : Buffer.concat(parts));
}

export const lengthOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, { length }) => sum + length, 0);

/** A file that another machine wrote may take a while to be seen through a network file system. */
const SEEN_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 50;
const NAME = /^(out-)?[0-9a-f]{64}$/;

export class RunData {
  constructor(
    private readonly client: Redis,
    private readonly prefix: string,
    readonly folder: string | null,
  ) {}

  async put(name: string, parts: readonly Uint8Array[], place: Place): Promise<void> {
    if (place === "folder") return this.toFolder(this.pathOf(name), parts);
    const length = lengthOf(parts);
    if (length > LIMITS.redisBytes)
      throw new GraphdosError(
        "limit",
        `${(length / 2 ** 20).toFixed(0)} MiB of data are too many to go through Redis (${LIMITS.redisBytes / 2 ** 20} MiB at most): give the coordinator and all workers a shared folder with --store`,
      );
    const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts, length);
    const keys = this.chunkKeys(name, length);
    for (let k = 0; k < keys.length; k++) {
      const part = whole.subarray(k * LIMITS.chunkBytes, (k + 1) * LIMITS.chunkBytes);
      await this.client.set(keys[k], Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    }
  }

  /** So many bytes in memory of their own, or null where they are not there. */
  async get(name: string, length: number, place: Place): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes =
      place === "folder"
        ? await this.fromFolder(this.pathOf(name), length)
        : await this.fromRedis(name, length);
    return bytes?.length === length ? bytes : null;
  }

  async remove(name: string, length: number, place: Place): Promise<void> {
    if (place === "folder") await rm(this.pathOf(name), { force: true });
    else await this.client.unlink(...this.chunkKeys(name, length));
  }

  private pathOf(name: string): string {
    if (this.folder === null || !NAME.test(name))
      throw new GraphdosError("bad-data", "cluster: data has no place in the folder of the run");
    return join(this.folder, name);
  }

  private chunkKeys(name: string, length: number): string[] {
    const count = Math.max(1, Math.ceil(length / LIMITS.chunkBytes));
    return Array.from({ length: count }, (_, k) => `${this.prefix}:data:${name}:${k}`);
  }

  /** In full or not at all, but not synced: what a power failure takes is computed anew. */
  private async toFolder(path: string, parts: readonly Uint8Array[]): Promise<void> {
    const temporary = `${path}.${randomBytes(6).toString("hex")}`;
    try {
      await mkdir(this.folder!, { recursive: true });
      const file = await open(temporary, "wx");
      try {
        await file.writev(parts);
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw fileError("write", path, error);
    }
  }

  private async fromFolder(path: string, length: number): Promise<Uint8Array<ArrayBuffer> | null> {
    for (const start = performance.now(); ; ) {
      try {
        const file = await open(path, "r");
        try {
          const bytes = ownMemory(length);
          const { bytesRead } = await file.read(bytes, 0, length, 0);
          return bytesRead === length ? bytes : null;
        } finally {
          await file.close();
        }
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw fileError("read", path, error);
        if (performance.now() - start > SEEN_AFTER_MS) return null;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    }
  }

  private async fromRedis(name: string, length: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const whole = ownMemory(length);
    let at = 0;
    for (const key of this.chunkKeys(name, length)) {
      const part = await this.client.getBuffer(key);
      if (part === null || at + part.length > length) return null;
      whole.set(part, at);
      at += part.length;
    }
    return at === length ? whole : null;
  }
}

/** Bytes, not cleared, that are a whole buffer, so that numbers in them can be read in place. */
export const ownMemory = (length: number) => Buffer.allocUnsafeSlow(length) as Uint8Array<ArrayBuffer>;
