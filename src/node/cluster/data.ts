/**
 * Bytes by name between the machines of a run: through Redis in chunks, or through the shared folder where there is one and they are
 * many. Where they lie follows from their length alone, so that both sides look in the same place. A name is a hash, and the reader
 * checks the hash of the bytes: what was damaged or exchanged on the way is not used.
 */
import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { GraphdosError } from "../../base/errors.js";
import type { DiskStore } from "../disk-store.js";
import { LIMITS } from "./protocol.js";

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A file that another machine wrote may take a while to be seen through a network file system. */
const SEEN_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 50;

export class RunData {
  constructor(
    private readonly client: Redis,
    private readonly prefix: string,
    private readonly folder: DiskStore | null,
  ) {}

  private inFolder(length: number): boolean {
    return this.folder !== null && length >= LIMITS.folderBytes;
  }

  private chunkKeys(name: string, length: number): string[] {
    const count = Math.max(1, Math.ceil(length / LIMITS.chunkBytes));
    return Array.from({ length: count }, (_, k) => `${this.prefix}:data:${name}:${k}`);
  }

  private storeName(name: string): string {
    return `${this.prefix} ${name}`;
  }

  /** Bytes that this would hold in Redis. */
  inRedis(length: number): number {
    return this.inFolder(length) ? 0 : length;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    if (this.inFolder(bytes.length)) {
      await this.folder!.put(this.storeName(name), bytes);
      if (this.folder!.trouble !== null)
        throw new GraphdosError("io", `the shared folder of the cluster: ${this.folder!.trouble}`);
      return;
    }
    if (bytes.length > LIMITS.redisBytes)
      throw new GraphdosError(
        "limit",
        `${(bytes.length / 2 ** 20).toFixed(0)} MiB of data are too many to go through Redis (${LIMITS.redisBytes / 2 ** 20} MiB at most): give the coordinator and all workers a shared folder with --store`,
      );
    const keys = this.chunkKeys(name, bytes.length);
    for (let k = 0; k < keys.length; k++) {
      const part = bytes.subarray(k * LIMITS.chunkBytes, (k + 1) * LIMITS.chunkBytes);
      await this.client.set(keys[k], Buffer.from(part.buffer, part.byteOffset, part.byteLength));
    }
  }

  /** The bytes, or null where they are not there or are not those of the hash. */
  async get(name: string, length: number, hash: string): Promise<Uint8Array | null> {
    const bytes = this.inFolder(length) ? await this.fromFolder(name) : await this.fromRedis(name, length);
    return bytes !== null && bytes.length === length && sha256(bytes) === hash ? bytes : null;
  }

  private async fromFolder(name: string): Promise<Uint8Array | null> {
    for (const start = Date.now(); ; ) {
      const bytes = await this.folder!.get(this.storeName(name));
      if (bytes !== null || Date.now() - start > SEEN_AFTER_MS) return bytes;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  private async fromRedis(name: string, length: number): Promise<Uint8Array | null> {
    const keys = this.chunkKeys(name, length);
    if (keys.length === 1) return this.client.getBuffer(keys[0]);
    const whole = new Uint8Array(length);
    let at = 0;
    for (const key of keys) {
      const part = await this.client.getBuffer(key);
      if (part === null || at + part.length > length) return null;
      whole.set(part, at);
      at += part.length;
    }
    return at === length ? whole : null;
  }

  async remove(name: string, length: number): Promise<void> {
    if (this.inFolder(length)) await this.folder!.remove(this.storeName(name));
    else await this.client.unlink(...this.chunkKeys(name, length));
  }
}
