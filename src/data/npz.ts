/**
 * NumPy's .npz: a zip archive with one .npy file an array. Written with fixed times, so that the same arrays give the same bytes
 * everywhere; read through the zip reader, which checks sizes, bounds and checksums. O(size).
 */
import { zipSync } from "fflate";
import { crc32 } from "../base/crc32.js";
import { badCall, GraphdosError, unknownName } from "../base/errors.js";
import { joined } from "../base/joined.js";
import { bytesSource, collect } from "./bytes.js";
import { type Inflate, webInflate } from "./inflate.js";
import { type NpyArray, type NpyData, npyParts, readNpy } from "./npy.js";
import { DEFAULT_MAX_UNPACKED_BYTES } from "./reading.js";
import { openZip } from "./zip.js";

export interface NpzEntry {
  data: NpyData;
  /** Default: one dimension. */
  shape?: readonly number[];
  dtype?: NpyArray["dtype"];
}

export interface NpzOptions {
  /** Deflate the arrays; default false, as numpy.savez. */
  compress?: boolean;
}

/** Local time, because zip times are local and fflate reads them so: the bytes do not depend on the time zone. */
const FIXED_TIME = () => new Date(1980, 0, 1, 12);
/** The same as zip writes it: 1 January 1980, 12 o'clock. */
const FIXED_WORD = (1 << 21) | (1 << 16) | (12 << 11);
const MAX_BYTES = 2 ** 32 - 1;

/** Arrays by name, in the order given. */
export function writeNpz(entries: Record<string, NpzEntry>, options: NpzOptions = {}): Uint8Array {
  for (const key of Object.keys(options))
    if (key !== "compress") throw unknownName("option of npz", key, ["compress"]);
  if (!options.compress) return joined(npzParts(entries));
  const files = namedParts(entries).map(({ path, parts }) => [path, joined(parts)]);
  return zipSync(Object.fromEntries(files), { level: 6, mtime: FIXED_TIME() });
}

/** The bytes of the file, not packed, in parts to be written one behind the other: the arrays themselves, not copies. */
export function npzParts(entries: Record<string, NpzEntry>): Uint8Array[] {
  const out: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const { path, parts, size } of namedParts(entries)) {
    const crc = parts.reduce((sum, part) => crc32(part, sum), 0);
    const local = record(0x04034b50, path, crc, size);
    out.push(local, ...parts);
    directory.push(record(0x02014b50, path, crc, size, at));
    at += local.length + size;
  }
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, directory.length, true);
  view.setUint16(10, directory.length, true);
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  view.setUint32(12, length, true);
  view.setUint32(16, at, true);
  return [...out, ...directory, end];
}

/** Each array as a file in two parts, header and elements. */
function namedParts(entries: Record<string, NpzEntry>) {
  let total = 0;
  const files = Object.entries(entries).map(([name, { data, shape, dtype }]) => {
    if (name === "" || /[/\\\0]/.test(name))
      throw badCall(`npz: name of an array: got ${JSON.stringify(name)}, expected one without slashes`);
    const parts = npyParts(data, shape, dtype);
    const size = parts[0].length + parts[1].length;
    total += size + 2 * name.length + 200;
    return { path: `${name}.npy`, parts, size };
  });
  if (total > MAX_BYTES)
    throw new GraphdosError(
      "limit",
      `npz: ${total} bytes are too many for one file, expected at most ${MAX_BYTES}`,
    );
  return files;
}

/** The header of a stored file, or with `at`, the place of that header, its entry in the directory (APPNOTE.TXT, 4.3.7 and 4.3.12). */
function record(signature: number, path: string, crc: number, size: number, at?: number): Uint8Array {
  const name = new TextEncoder().encode(path);
  const fixed = at === undefined ? 30 : 46;
  const bytes = new Uint8Array(fixed + name.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  let place = 4;
  const word = (value: number) => {
    view.setUint16(place, value, true);
    place += 2;
  };
  if (at !== undefined) word(20);
  word(20);
  // names are UTF-8; the flag says so where that matters
  word(name.length === path.length ? 0 : 0x800);
  word(0);
  for (const value of [FIXED_WORD, crc, size, size]) {
    view.setUint32(place, value, true);
    place += 4;
  }
  word(name.length);
  if (at !== undefined) view.setUint32(42, at, true);
  bytes.set(name, fixed);
  return bytes;
}

/** The arrays of a file by name. Throws for anything in it that is not an array. */
export async function readNpz(
  bytes: Uint8Array,
  where = "npz file",
  options: { inflate?: Inflate; maxUnpackedBytes?: number } = {},
): Promise<Map<string, NpyArray>> {
  const { inflate = webInflate, maxUnpackedBytes = DEFAULT_MAX_UNPACKED_BYTES } = options;
  const { files } = await openZip(bytesSource(where, bytes), inflate, maxUnpackedBytes);
  const arrays = new Map<string, NpyArray>();
  for (const [path, source] of files)
    arrays.set(path.replace(/\.npy$/, ""), readNpy(await collect(source.stream()), `${where}: ${path}`));
  return arrays;
}
