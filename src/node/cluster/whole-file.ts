/** Files of a run by path: in full or not at all, but not synced: what a power failure takes is computed anew. */
import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, fileError } from "../atomic-file.js";

/** The parts, one behind the other. A folder that is missing is made. */
export async function writeWhole(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    const file = await openNew(temporary);
    try {
      await file.writev(parts);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError("write", path, error);
  }
}

async function openNew(path: string) {
  try {
    return await open(path, "wx");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true });
    return open(path, "wx");
  }
}

/** Fills the bytes from the start of the file; false where it is shorter, null where there is none. */
export async function readWhole(path: string, bytes: Uint8Array): Promise<boolean | null> {
  try {
    const file = await open(path, "r");
    try {
      for (let at = 0; at < bytes.length; ) {
        const { bytesRead } = await file.read(bytes, at, Math.min(bytes.length - at, MOST_AT_ONCE), at);
        if (bytesRead === 0) return false;
        at += bytesRead;
      }
      return true;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw fileError("read", path, error);
  }
}

/** The operating system reads at most 2 GiB a call. */
const MOST_AT_ONCE = 2 ** 30;
