/** Files of a run by path: in full or not at all, but not synced: what a power failure takes is computed anew. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, fileError } from "../atomic-file.js";
import { fillFrom, MOST_AT_ONCE } from "../read-whole-file.js";

const temporaryName = (path: string) => `${path}.${randomBytes(6).toString("hex")}`;

/** A folder that is missing is made. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = temporaryName(path);
  try {
    const file = await openNew(temporary);
    try {
      for (let at = 0; at < bytes.length; )
        at += (await file.write(bytes, at, Math.min(bytes.length - at, MOST_AT_ONCE))).bytesWritten;
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError("write", path, error);
  }
}

/**
 * Parts, one behind the other, without giving way to anything else: they may lie in memory that others use. For a thread that has
 * nothing else to do. Where one of the files that were written before has been given back, its pages are written again, which takes the
 * system a third of the time of new ones.
 */
export function writeWholeNow(path: string, parts: readonly Uint8Array[], before: readonly string[]): void {
  const temporary = temporaryName(path);
  try {
    const file = reopen(temporary, before) ?? openNewNow(temporary);
    try {
      for (const part of parts)
        for (let at = 0; at < part.length; )
          at += writeSync(file, part, at, Math.min(part.length - at, MOST_AT_ONCE));
      ftruncateSync(
        file,
        parts.reduce((sum, { length }) => sum + length, 0),
      );
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // the first error says what is wrong
    }
    throw fileError("write", path, error);
  }
}

/** Says that a file has been read and may be written again. */
export function giveBack(path: string): void {
  try {
    renameSync(path, givenBack(path));
  } catch {
    // gone with its run: nobody will write it
  }
}

const givenBack = (path: string) => `${path}.read`;

/** One of the files that has been given back, under another name; null where none has. */
function reopen(path: string, before: readonly string[]): number | null {
  for (const old of before)
    try {
      renameSync(givenBack(old), path);
      return openSync(path, "r+");
    } catch {
      // not read yet, kept, or gone with its run: a new file does as well
    }
  return null;
}

function openNewNow(path: string): number {
  try {
    return openSync(path, "wx");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "wx");
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
      return (await fillFrom(file, bytes)) === bytes.length;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw fileError("read", path, error);
  }
}

/** The same without giving way to anything else. */
export function readWholeNow(path: string, bytes: Uint8Array): boolean | null {
  try {
    const file = openSync(path, "r");
    try {
      for (let at = 0; at < bytes.length; ) {
        const read = readSync(file, bytes, at, Math.min(bytes.length - at, MOST_AT_ONCE), at);
        if (read === 0) return false;
        at += read;
      }
      return true;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw fileError("read", path, error);
  }
}

/** Removes a file where it is still there, now or by the way. */
export async function removeFile(path: string, now: boolean): Promise<void> {
  try {
    if (now) unlinkSync(path);
    else await unlink(path);
  } catch {
    // gone already
  }
}
