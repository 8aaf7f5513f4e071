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
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "../base/crc32.js";
import type { ResultStore } from "../compute/store.js";
import { codeOf, makeFolder, writeFileAtomically } from "./atomic-file.js";
import { codeHash } from "./code-hash.js";
import { sweepPartialFiles } from "./partial-files.js";

const MAGIC = 0x53524447;
const VERSION = 1;
const HEADER_BYTES = 56;
/** How often an entry is written again whose folder another process removed meanwhile. */
const TRIES = 5;

export class DiskStore implements ResultStore {
  /** Why results are not kept, when they are not. */
  trouble: string | null = null;
  private swept: Promise<void> | null = null;

  constructor(
    readonly folder: string,
    private readonly code: string = codeHash(),
  ) {}

  pathOf(key: string): string {
    const name = this.digest(key).toString("hex");
    return join(this.folder, codeFolder(this.code), name.slice(0, 2), name.slice(2));
  }

  private digest(key: string): Buffer {
    return createHash("sha256").update(`${this.code} ${key}`).digest();
  }

  async get(key: string): Promise<Uint8Array | null> {
    let bytes: Buffer;
    try {
      bytes = await readFile(this.pathOf(key));
    } catch {
      return null;
    }
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
    this.swept ??= sweep(this.folder);
    await this.swept;
    try {
      await this.write(this.pathOf(key), [header, bytes]);
    } catch (error) {
      this.trouble ??= (error as Error).message;
    }
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
const codeFolder = (code: string) => code.slice(0, 32);
