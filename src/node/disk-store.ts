/**
 * A ResultStore in a folder: one file a key, written atomically.
 *
 *   bytes 0..3 magic "GDRS", 4..7 version, 8..11 CRC-32 of the payload, 12..15 zero, 16..23 length of the payload (float64),
 *   24..55 SHA-256 of the key, then the payload
 *
 * An entry that is damaged, cut short or of another key is passed over, so that the result is computed anew. A folder that cannot be
 * written to is no error: results are then not kept, and `trouble` says why, once.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "../base/crc32.js";
import { GraphdosError } from "../base/errors.js";
import type { ResultStore } from "../compute/store.js";
import { writeFileAtomically } from "./atomic-file.js";

const MAGIC = 0x53524447;
const VERSION = 1;
const HEADER_BYTES = 56;

export class DiskStore implements ResultStore {
  /** Why results are not kept, when they are not. */
  trouble: string | null = null;

  constructor(readonly folder: string) {}

  pathOf(key: string): string {
    const name = digest(key).toString("hex");
    return join(this.folder, name.slice(0, 2), name.slice(2));
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
      bytes.readDoubleLE(16) === payload.length &&
      bytes.subarray(24, HEADER_BYTES).equals(digest(key)) &&
      bytes.readUInt32LE(8) === crc32(payload);
    return whole ? payload : null;
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(MAGIC, 0);
    header.writeUInt32LE(VERSION, 4);
    header.writeUInt32LE(crc32(bytes), 8);
    header.writeDoubleLE(bytes.length, 16);
    digest(key).copy(header, 24);
    const path = this.pathOf(key);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFileAtomically(path, [header, bytes]);
    } catch (error) {
      this.trouble ??=
        error instanceof GraphdosError ? error.message : `cannot write ${path}: ${(error as Error).message}`;
    }
  }
}

const digest = (key: string) => createHash("sha256").update(key).digest();
