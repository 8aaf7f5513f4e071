/** A file in one run of bytes, also beyond the 2 GiB at which Node's readFile and one call of the operating system end. */
import { constants } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { totalmem } from "node:os";
import { GraphdosError } from "../base/errors.js";
import { formatBytes } from "../experiment/wording.js";
import { fileError } from "./atomic-file.js";

/** The operating system reads and writes at most 2 GiB a call. */
export const MOST_AT_ONCE = 2 ** 30;

/** No array is longer (4 GiB in Node 20), and none that is full can be larger than the memory of the machine. */
export const MOST_FILE_BYTES = Math.min(constants.MAX_LENGTH, totalmem());

export async function readWholeFile(path: string, mostAtOnce = MOST_AT_ONCE): Promise<Buffer> {
  try {
    const file = await open(path, "r");
    try {
      const found = await file.stat();
      // a pipe, or a file of the system, does not say how long it is
      if (!found.isFile() || found.size === 0) return await file.readFile();
      if (found.size > MOST_FILE_BYTES)
        throw new GraphdosError(
          "limit",
          `cannot read ${path}: it has ${formatBytes(found.size)}, and ${formatBytes(MOST_FILE_BYTES)} are the most that is read into one array`,
        );
      const bytes = Buffer.allocUnsafeSlow(found.size);
      return bytes.subarray(0, await fillFrom(file, bytes, mostAtOnce));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** Fills the bytes from the start of the file; gives how many there were. */
export async function fillFrom(
  file: FileHandle,
  bytes: Uint8Array,
  mostAtOnce = MOST_AT_ONCE,
): Promise<number> {
  let at = 0;
  while (at < bytes.length) {
    const { bytesRead } = await file.read(bytes, at, Math.min(bytes.length - at, mostAtOnce), at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return at;
}
