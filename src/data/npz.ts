/**
 * NumPy's .npz: a zip archive with one .npy file an array. Written with fixed times, so that the same arrays give the same bytes
 * everywhere; read through the zip reader, which checks sizes, bounds and checksums. O(size).
 */
import { zipSync } from "fflate";
import { badCall, GraphdosError, unknownName } from "../base/errors.js";
import { bytesSource, collect } from "./bytes.js";
import { type Inflate, webInflate } from "./inflate.js";
import { type NpyArray, type NpyData, readNpy, writeNpy } from "./npy.js";
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
const MAX_BYTES = 2 ** 32 - 1;

/** Arrays by name, in the order given. */
export function writeNpz(entries: Record<string, NpzEntry>, options: NpzOptions = {}): Uint8Array {
  for (const key of Object.keys(options))
    if (key !== "compress") throw unknownName("option of npz", key, ["compress"]);
  const files: Record<string, Uint8Array> = {};
  let total = 0;
  for (const [name, { data, shape, dtype }] of Object.entries(entries)) {
    if (name === "" || /[/\\\0]/.test(name))
      throw badCall(`npz: name of an array: got ${JSON.stringify(name)}, expected one without slashes`);
    const bytes = writeNpy(data, shape, dtype);
    files[`${name}.npy`] = bytes;
    total += bytes.length + 2 * name.length + 200;
  }
  if (total > MAX_BYTES)
    throw new GraphdosError(
      "limit",
      `npz: ${total} bytes are too many for one file, expected at most ${MAX_BYTES}`,
    );
  return zipSync(files, { level: options.compress ? 6 : 0, mtime: FIXED_TIME() });
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
