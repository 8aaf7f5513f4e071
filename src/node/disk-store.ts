/**
 * A ResultStore in a folder: one file a key, written atomically, in a folder CODE/XY of the hash of the code that computed it
 * (code-hash.ts) and the first digits of its name. Other code has other keys, so it never reads what this code computed.
 *
 *   bytes 0..3 magic "GDRS", 4..7 version, 8..11 CRC-32 of the payload, 12..15 zero, 16..23 length of the payload (float64),
 *   24..55 SHA-256 of code and key, whose digits are its name too, then the payload
 *
 * An entry that is damaged, cut short or of another key is passed over, so that the result is computed anew. A folder that cannot be
 * written to is no error: results are then not kept, and `trouble` says why, once. Another process may write the same entries, or
 * remove them all, at any time; what killed processes left half-written is removed before the first entry is put.
 *
 * With a limit (cache-limit.ts) what was not used for longest goes: before the first entry is put, and whenever the entries put since
 * would fill the store, or a tenth of the limit, since other processes put entries too. `removed` says how much went.
 */
import { createHash } from "node:crypto";
import { readdir, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "../base/crc32.js";
import type { ResultStore } from "../compute/store.js";
import { formatBytes } from "../experiment/wording.js";
import { codeOf, makeFolder, writeFileAtomically } from "./atomic-file.js";
import { bytesIn, type Removed, removeBeyond, storeEntries } from "./cache-limit.js";
import { codeHash } from "./code-hash.js";
import { sweepPartialFiles } from "./partial-files.js";
import { readWholeFile } from "./read-whole-file.js";

const MAGIC = 0x53524447;
const VERSION = 1;
const HEADER_BYTES = 56;
/** How often an entry is written again whose folder another process removed meanwhile. */
const TRIES = 5;

export interface DiskStoreOptions {
  /** Default: the hash of the code that runs. */
  code?: string;
  /** Most bytes of all entries together, given those that there are. Default: no limit. */
  limit?: (used: number) => number | Promise<number>;
}

export class DiskStore implements ResultStore {
  /** Why results are not kept, when they are not. */
  trouble: string | null = null;
  /** What went to stay within the limit. */
  readonly removed: Removed = { entries: 0, bytes: 0 };
  private swept: Promise<void> | null = null;
  private readonly code: string;
  private readonly limitFor: DiskStoreOptions["limit"];
  /** In bytes. */
  limit = Infinity;
  /** Bytes that may be put before the store is looked at again. */
  private room = Infinity;
  private trimming: Promise<void> | null = null;

  constructor(
    readonly folder: string,
    { code = codeHash(), limit }: DiskStoreOptions = {},
  ) {
    this.code = code;
    this.limitFor = limit;
  }

  pathOf(key: string): string {
    const name = this.digest(key).toString("hex");
    return join(this.folder, codeFolder(this.code), name.slice(0, 2), name.slice(2));
  }

  private digest(key: string): Buffer {
    return createHash("sha256").update(`${this.code} ${key}`).digest();
  }

  async get(key: string): Promise<Uint8Array | null> {
    const path = this.pathOf(key);
    let bytes: Buffer;
    try {
      bytes = await readWholeFile(path);
    } catch {
      return null;
    }
    // used now; where that cannot be written down, it is only forgotten sooner
    const now = new Date();
    await utimes(path, now, now).catch(() => undefined);
    if (bytes.length < HEADER_BYTES) return null;
    const payload = bytes.subarray(HEADER_BYTES);
    const whole =
      bytes.readUInt32LE(0) === MAGIC &&
      bytes.readUInt32LE(4) === VERSION &&
      bytes.readUInt32LE(12) === 0 &&
      bytes.readDoubleLE(16) === payload.length &&
      bytes.subarray(24, HEADER_BYTES).equals(this.digest(key)) &&
      bytes.readUInt32LE(8) === crc32(payload);
    return whole ? payload : null;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(MAGIC, 0);
    header.writeUInt32LE(VERSION, 4);
    header.writeUInt32LE(crc32(bytes), 8);
    header.writeDoubleLE(bytes.length, 16);
    this.digest(key).copy(header, 24);
    this.swept ??= this.start();
    await this.swept;
    const size = HEADER_BYTES + bytes.length;
    if (size > this.limit) {
      this.trouble ??= `a result of ${formatBytes(size)} is beyond the limit of the cache, ${formatBytes(this.limit)}`;
      return;
    }
    try {
      await this.write(this.pathOf(key), [header, bytes]);
    } catch (error) {
      this.trouble ??= (error as Error).message;
      return;
    }
    this.room -= size;
    if (this.room >= 0) return;
    this.trimming ??= this.trim().finally(() => {
      this.trimming = null;
    });
    await this.trimming;
  }

  private async start(): Promise<void> {
    await sweep(this.folder);
    await this.trim();
  }

  /** Looks at what there is, and removes what is beyond the limit. */
  private async trim(): Promise<void> {
    if (this.limitFor === undefined) return;
    const entries = await storeEntries(this.folder, codeFolder(this.code));
    const used = bytesIn(entries);
    this.limit = await this.limitFor(used);
    const removed = await removeBeyond(this.limit, entries);
    this.removed.entries += removed.entries;
    this.removed.bytes += removed.bytes;
    this.room = Math.min(Math.max(0, this.limit - (used - removed.bytes)), this.limit / 10);
  }

  private async write(path: string, parts: Uint8Array[]): Promise<void> {
    for (let left = TRIES; ; left--)
      try {
        // the folder of the store first, so that a sentence about it names it
        await makeFolder(this.folder);
        await makeFolder(dirname(path));
        return await writeFileAtomically(path, parts);
      } catch (error) {
        if (left <= 1 || codeOf((error as Error).cause) !== "ENOENT") throw error;
      }
  }
}

async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (/^[0-9a-f]{32}$/.test(name))
      for (const inner of await readdir(join(folder, name)).catch(() => []))
        await sweepPartialFiles(join(folder, name, inner));
}

/** Names of folders of entries: half of the digits are enough to tell codes apart, and the entries hold them all. */
export const codeFolder = (code: string) => code.slice(0, 32);
