/**
 * The finished units of a run in one file, so that a coordinator that was killed goes on where it was: appended one behind the
 * other, never changed.
 *
 *   32 bytes unit (SHA-256), length of the result (float64), CRC-32 of the result, 1 where the result is a file of its own in the folder
 *   of the run and 0 where it follows, the result
 *
 * What follows a record that is cut short is dropped when the file is opened; a damaged result is computed anew.
 */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { fileError } from "../atomic-file.js";
import { checksum, ownMemory } from "./data.js";

const HEADER_BYTES = 48;

/** Where a result is: in the journal from byte `at` on, or elsewhere (−1). */
export interface JournalEntry {
  length: number;
  crc: number;
  at: number;
}

export class Journal {
  private readonly entries = new Map<string, JournalEntry>();
  private end = 0;
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  static async open(path: string): Promise<Journal> {
    try {
      await mkdir(dirname(path), { recursive: true });
      await (await open(path, "a")).close();
      const journal = new Journal(path, await open(path, "r+"));
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
      const elsewhere = header.readUInt32LE(44) === 1;
      const next = this.end + HEADER_BYTES + (elsewhere ? 0 : length);
      if (!(Number.isSafeInteger(length) && length >= 0 && next <= size)) break;
      const at = elsewhere ? -1 : this.end + HEADER_BYTES;
      this.entries.set(header.subarray(0, 32).toString("hex"), { length, crc: header.readUInt32LE(40), at });
      this.end = next;
    }
    await this.file.truncate(this.end);
  }

  get size(): number {
    return this.entries.size;
  }

  entry(unit: string): JournalEntry | undefined {
    return this.entries.get(unit);
  }

  /** The result of an entry that is in the journal; null where it is damaged. */
  async read({ length, crc, at }: JournalEntry): Promise<Uint8Array<ArrayBuffer> | null> {
    await this.writing;
    const bytes = ownMemory(length);
    const { bytesRead } = await this.file.read(bytes, 0, length, at);
    return bytesRead === length && checksum(bytes) === crc ? bytes : null;
  }

  forget(unit: string): void {
    this.entries.delete(unit);
  }

  /** `bytes`: the result, or null where it stays in a file of its own. */
  append(unit: string, { length, crc }: Omit<JournalEntry, "at">, bytes: Uint8Array | null): Promise<void> {
    const header = Buffer.alloc(HEADER_BYTES);
    header.write(unit, 0, 32, "hex");
    header.writeDoubleLE(length, 32);
    header.writeUInt32LE(crc, 40);
    header.writeUInt32LE(bytes === null ? 1 : 0, 44);
    const start = this.end;
    this.end += HEADER_BYTES + (bytes?.length ?? 0);
    this.entries.set(unit, { length, crc, at: bytes === null ? -1 : start + HEADER_BYTES });
    const write = this.writing.then(async () => {
      try {
        await this.file.writev(bytes === null ? [header] : [header, bytes], start);
      } catch (error) {
        throw fileError("write", this.path, error);
      }
    });
    this.writing = write.catch(() => undefined);
    return write;
  }

  async close(): Promise<void> {
    await this.writing;
    await this.file.close();
  }
}
