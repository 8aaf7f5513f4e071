/**
 * The finished units of a run in one file, so that a coordinator that was killed goes on where it was: appended one behind the
 * other, never changed.
 *
 *   32 bytes unit (SHA-256), length of the result (float64), CRC-32 of the result, 4 zero bytes, the result
 *
 * What follows a record that is cut short is dropped when the file is opened; a damaged result is computed anew.
 */
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { crc32 } from "../../base/crc32.js";
import { fileError } from "../atomic-file.js";

const HEADER_BYTES = 48;

export class Journal {
  private readonly places = new Map<string, { at: number; length: number; crc: number }>();
  private end = 0;
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async open(path: string): Promise<Journal> {
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, "a+").then(async (made) => {
        await made.close();
        return open(path, "r+");
      });
      const journal = new Journal(path, file);
      await journal.scan();
      return journal;
    } catch (error) {
      throw fileError("write", path, error);
    }
  }

  private async scan(): Promise<void> {
    const { size } = await this.file.stat();
    const header = Buffer.alloc(HEADER_BYTES);
    while (this.end + HEADER_BYTES <= size) {
      await this.file.read(header, 0, HEADER_BYTES, this.end);
      const length = header.readDoubleLE(32);
      const at = this.end + HEADER_BYTES;
      if (!(Number.isSafeInteger(length) && length >= 0 && at + length <= size)) break;
      this.places.set(header.subarray(0, 32).toString("hex"), { at, length, crc: header.readUInt32LE(40) });
      this.end = at + length;
    }
    await this.file.truncate(this.end);
  }

  get size(): number {
    return this.places.size;
  }

  async get(unit: string): Promise<Uint8Array | null> {
    const place = this.places.get(unit);
    if (place === undefined) return null;
    await this.writing;
    const bytes = Buffer.alloc(place.length);
    const { bytesRead } = await this.file.read(bytes, 0, place.length, place.at);
    if (bytesRead === place.length && crc32(bytes) === place.crc) return bytes;
    this.places.delete(unit);
    return null;
  }

  has(unit: string): boolean {
    return this.places.has(unit);
  }

  append(unit: string, bytes: Uint8Array): Promise<void> {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write(unit, 0, 32, "hex");
    header.writeDoubleLE(bytes.length, 32);
    const crc = crc32(bytes);
    header.writeUInt32LE(crc, 40);
    const at = this.end;
    this.end += HEADER_BYTES + bytes.length;
    this.places.set(unit, { at: at + HEADER_BYTES, length: bytes.length, crc });
    const write = this.writing.then(async () => {
      try {
        await this.file.writev([header, bytes], at);
      } catch (error) {
        throw fileError("write", this.path, error);
      }
    });
    this.writing = write.catch(() => undefined);
    return write;
  }

  async close({ remove }: { remove: boolean }): Promise<void> {
    await this.writing;
    await this.file.close();
    if (remove) await rm(this.path, { force: true });
  }
}
