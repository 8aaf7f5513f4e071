/**
 * Names of what is still being written, `.NAME.<pid>.<place>.<random>.partial`, and how to be rid of what a killed process left under
 * them. Process numbers mean something on one machine only, so `place` (process-identity.ts) says
 * where the owner lives: one that is dead here has lost its file at once, one elsewhere when it was not touched for an hour.
 */
import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, PLACE } from "./process-identity.js";

/** What nobody elsewhere touched for so long is nobody's. */
const ABANDONED_AFTER = 3_600_000;

/** As much of a file's name as goes into the name of its partial file, which so is never longer than a name may be. */
const NAME_LETTERS = 48;

export function partialName(name: string): string {
  return `${partialStart(name)}${process.pid}.${PLACE}.${randomBytes(6).toString("hex")}.partial`;
}

/** What all partial files of a file begin with. */
export const partialStart = (name: string) => `.${name.slice(0, NAME_LETTERS)}.`;

/** The name of a partial file that its owner gave up: anyone may take it. */
export const releasedName = (name: string) => `${partialStart(name)}partial`;

interface Owner {
  pid: number;
  place: string;
}

/** Who writes a partial file, by its name after `partialStart`: null when nobody does, undefined when it is no such name. */
export function partialOwner(end: string): Owner | null | undefined {
  const found = /^(?:(\d+)\.([0-9a-f]{8})\.[0-9a-f]{12}\.)?partial$/.exec(end);
  if (found === null) return undefined;
  return found[1] === undefined ? null : { pid: Number(found[1]), place: found[2] };
}

/** `changed`: when it was last written to, by the clock of the file system, in milliseconds. */
export function ownerIsGone({ pid, place }: Owner, changed: number): boolean {
  return place === PLACE ? !isAlive(pid) : isOld(changed);
}

/** A clock that was set back makes things young: they then wait for their owner's end, or longer. */
export const isOld = (changed: number) => Date.now() - changed > ABANDONED_AFTER;

/** Removes the abandoned partial files in a folder (not work folders): those of the file `name`, or all. Never fails. */
export async function sweepPartialFiles(folder: string, name?: string): Promise<void> {
  const start = name === undefined ? "." : partialStart(name);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.startsWith(start)) continue;
    const end =
      name === undefined ? entry.name.split(".").slice(-4).join(".") : entry.name.slice(start.length);
    const owner = partialOwner(end);
    if (!owner) continue;
    const path = join(folder, entry.name);
    const state = await stat(path).catch(() => null);
    if (state !== null && ownerIsGone(owner, state.mtimeMs))
      await rm(path, { force: true }).catch(() => undefined);
  }
}
