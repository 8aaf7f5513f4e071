/**
 * A zip archive seen as a FileTree: entries are found through the central directory at the end and unpacked as streams when
 * read, so memory does not grow with the archive. Stored and deflated entries, zip64; sizes and checksums are verified.
 *
 * Refused with a sentence: a truncated archive, a path that climbs out of it, encryption, an archive that unpacks to more than
 * the limit (declared or found while unpacking), overlapping entries (a known kind of zip bomb).
 * Format: PKWARE APPNOTE.TXT, sections 4.3 and 4.4.
 */
import { crc32 } from "../base/crc32.js";
import { badData, GraphdosError } from "../base/errors.js";
import { type ByteSource, collect } from "./bytes.js";
import { type Inflate, tooLarge } from "./inflate.js";
import type { FileTree } from "./reading.js";

const END_OF_DIRECTORY = 0x06054b50;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_END = 0x06064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

interface ZipEntry {
  path: string;
  method: number;
  flags: number;
  crc: number;
  packedSize: number;
  size: number;
  /** Where its local header starts. */
  at: number;
}

export const isZip = (head: Uint8Array) =>
  head[0] === 0x50 &&
  head[1] === 0x4b &&
  ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));

export async function openZip(source: ByteSource, inflate: Inflate, maxBytes: number): Promise<FileTree> {
  const entries = await readDirectory(source);
  const total = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (total > maxBytes) throw tooLarge(source.name, maxBytes);
  const files = new Map<string, ByteSource>();
  for (const entry of entries) {
    checkPath(source.name, entry.path);
    if (!entry.path.endsWith("/")) files.set(entry.path, entrySource(source, entry, inflate));
  }
  return { name: source.name.replace(/\.zip$/i, ""), files };
}

const damaged = (name: string, what: string) =>
  badData(`${name}: the zip file is damaged or cut off: ${what}; get the file again`);

async function view(source: ByteSource, start: number, end: number): Promise<DataView> {
  const bytes = await collect(source.stream(start, end));
  if (bytes.length !== end - start)
    throw damaged(source.name, `expected ${end - start} bytes at ${start}, got ${bytes.length}`);
  return new DataView(bytes.buffer);
}

/** Reads the end record (searched from the back: a comment may follow it) and the directory that it points to. */
async function readDirectory(source: ByteSource): Promise<ZipEntry[]> {
  const tailStart = Math.max(0, source.size - 65557 - 20);
  const tail = await view(source, tailStart, source.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw damaged(source.name, "the directory at its end is missing");
  let count = tail.getUint16(end + 10, true);
  let size = tail.getUint32(end + 12, true);
  let start = tail.getUint32(end + 16, true);
  if (end >= 20 && tail.getUint32(end - 20, true) === ZIP64_LOCATOR) {
    const at = readUint64(tail, end - 20 + 8);
    if (!(at + 56 <= source.size)) throw damaged(source.name, "the zip64 directory lies outside the file");
    const record = await view(source, at, at + 56);
    if (record.getUint32(0, true) !== ZIP64_END)
      throw damaged(source.name, "the zip64 end record is missing");
    count = readUint64(record, 32);
    size = readUint64(record, 40);
    start = readUint64(record, 48);
  }
  if (!(start + size <= tailStart + end)) throw damaged(source.name, "its directory lies outside the file");
  return parseDirectory(source, await view(source, start, start + size), count);
}

const readUint64 = (data: DataView, at: number) =>
  data.getUint32(at, true) + data.getUint32(at + 4, true) * 4294967296;

function parseDirectory(source: ByteSource, directory: DataView, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let k = 0; k < count; k++) {
    if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== ENTRY)
      throw damaged(source.name, `entry ${k} of ${count} in its directory is not readable`);
    const nameLength = directory.getUint16(at + 28, true);
    const extraLength = directory.getUint16(at + 30, true);
    const next = at + 46 + nameLength + extraLength + directory.getUint16(at + 32, true);
    if (next > directory.byteLength)
      throw damaged(source.name, `entry ${k} of ${count} in its directory is cut off`);
    const entry: ZipEntry = {
      path: entryName(new Uint8Array(directory.buffer, directory.byteOffset + at + 46, nameLength)),
      flags: directory.getUint16(at + 8, true),
      method: directory.getUint16(at + 10, true),
      crc: directory.getUint32(at + 16, true),
      packedSize: directory.getUint32(at + 20, true),
      size: directory.getUint32(at + 24, true),
      at: directory.getUint32(at + 42, true),
    };
    readZip64Extra(directory, at + 46 + nameLength, extraLength, entry);
    entries.push(entry);
    at = next;
  }
  checkSizes(source, entries);
  checkOverlap(source, entries);
  return entries;
}

/**
 * Names are in UTF-8, or, from older programs, in a code page that the file does not tell: byte b is then the character b, as in our
 * readers of text, so that two names never become one.
 */
function entryName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return String.fromCharCode(...bytes);
  }
}

/** Sizes that do not fit 32 bits stand in the extra field 1, in this order, each only where the short field is all ones. */
function readZip64Extra(data: DataView, start: number, length: number, entry: ZipEntry): void {
  for (let at = start; at + 4 <= start + length; ) {
    const fieldLength = data.getUint16(at + 2, true);
    if (data.getUint16(at, true) === 1) {
      let field = at + 4;
      const fieldEnd = Math.min(at + 4 + fieldLength, start + length);
      for (const key of ["size", "packedSize", "at"] as const)
        if (entry[key] === 0xffffffff && field + 8 <= fieldEnd) {
          entry[key] = readUint64(data, field);
          field += 8;
        }
    }
    at += 4 + fieldLength;
  }
}

/** Deflate packs at most 1032 bytes into one; sizes beyond are lies that would have memory set aside for nothing. */
const MOST_RATIO = 1032;

function checkSizes(source: ByteSource, entries: readonly ZipEntry[]): void {
  for (const { path, method, size, packedSize } of entries)
    if (method === STORED ? size !== packedSize : size > MOST_RATIO * packedSize)
      throw damaged(source.name, `${path} cannot unpack from ${packedSize} to ${size} bytes`);
}

function checkOverlap(source: ByteSource, entries: ZipEntry[]): void {
  let end = 0;
  for (const entry of [...entries].sort((a, b) => a.at - b.at)) {
    if (entry.at < end) throw damaged(source.name, `${entry.path} overlaps the entry before it`);
    end = entry.at + 30 + entry.packedSize;
    if (!(end <= source.size)) throw damaged(source.name, `${entry.path} lies outside the file`);
  }
}

function checkPath(name: string, path: string): void {
  const parts = path.split(/[/\\]/);
  if (parts.includes("..") || /^([/\\]|[A-Za-z]:)/.test(path) || path.includes("\0"))
    throw badData(
      `${name}: refused: the entry ${JSON.stringify(path)} has a path that climbs out of the archive`,
    );
}

function entrySource(zip: ByteSource, entry: ZipEntry, inflate: Inflate): ByteSource {
  const where = `${zip.name}: ${entry.path}`;
  return {
    name: entry.path,
    size: entry.size,
    async *stream(start = 0, end = entry.size) {
      const packed = await packedStream(zip, entry, where);
      const chunks = entry.method === STORED ? packed : inflate("deflate-raw", packed);
      let at = 0;
      let crc = 0;
      try {
        for await (const chunk of chunks) {
          if (at + chunk.length > entry.size)
            throw damaged(where, `it unpacks to more than the ${entry.size} bytes that its directory names`);
          crc = crc32(chunk, crc);
          const from = Math.max(0, start - at);
          const to = Math.min(chunk.length, end - at);
          if (to > from) yield chunk.subarray(from, to);
          at += chunk.length;
          if (at >= end && end < entry.size) return;
        }
      } catch (error) {
        if (error instanceof GraphdosError) throw error;
        throw badData(
          `${where}: the packed data is damaged after ${at} of ${entry.size} bytes; get the file again`,
          error,
        );
      }
      if (at !== entry.size) throw damaged(where, `it unpacks to ${at} bytes, expected ${entry.size}`);
      if (crc !== entry.crc) throw damaged(where, "its checksum does not match");
    },
  };
}

async function packedStream(
  zip: ByteSource,
  entry: ZipEntry,
  where: string,
): Promise<AsyncIterable<Uint8Array>> {
  if (entry.flags & ENCRYPTED)
    throw badData(`${where}: encrypted entries cannot be read; unpack it with its password first`);
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw badData(
      `${where}: unknown compression method: got ${entry.method}, expected 0 (stored) or 8 (deflated)`,
    );
  const header = await view(zip, entry.at, entry.at + 30);
  if (header.getUint32(0, true) !== LOCAL) throw damaged(where, "its local header is missing");
  const start = entry.at + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  return zip.stream(start, start + entry.packedSize);
}
