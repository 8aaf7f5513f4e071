/**
 * The folder of a run, in the cache or in --store: `token`, by which workers know that they see it, `owner`, the process that coordinates it
 * now, the journal, and data of units. The owner is touched while the process lives: one in another place, of which nobody here can
 * tell whether it lives, has the folder until it was not touched for an hour.
 */
import { randomBytes } from "node:crypto";
import { readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, writeFileAtomically } from "../atomic-file.js";
import { resultsFolder } from "../cache-folder.js";
import { isOld } from "../partial-files.js";
import { type ProcessIdentity, stillLives, thisProcess } from "../process-identity.js";
import { sha256 } from "./data.js";

/** The folder of a run: in the --store of the process, else in its cache. */
export const runFolder = (store: string | undefined, run: string) =>
  join(store ?? resultsFolder(), "runs", run);

const ownerFile = (folder: string) => join(folder, "owner");

/** Makes the folder where it is missing; it is this process's from now on. */
export async function takeRunFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  await writeFileAtomically(ownerFile(folder), JSON.stringify(thisProcess()));
}

/** Shows that the owner lives. */
export async function touchRunFolder(folder: string): Promise<void> {
  const now = new Date();
  await utimes(ownerFile(folder), now, now).catch(() => undefined);
}

/**
 * The run is over for now: what is in the folder is for the process that takes it up again. One that has done so already is the owner now,
 * and stays it.
 */
export async function leaveRunFolder(folder: string): Promise<void> {
  const owner = await readFile(ownerFile(folder), "utf8").catch(() => null);
  if (owner === JSON.stringify(thisProcess())) await rm(ownerFile(folder), { force: true });
}

/** Whether a living process has the folder. */
export async function runFolderIsInUse(folder: string): Promise<boolean> {
  const [text, state] = await Promise.all([
    readFile(ownerFile(folder), "utf8").catch(() => null),
    stat(ownerFile(folder)).catch(() => null),
  ]);
  if (text === null || state === null) return false;
  const lives = ownerLives(text);
  return lives ?? !isOld(state.mtimeMs);
}

function ownerLives(text: string): boolean | null {
  try {
    return stillLives(JSON.parse(text) as ProcessIdentity);
  } catch {
    return false;
  }
}

/** What a folder is recognised by: the hash of some bytes in it; null where there are none. */
export async function folderToken(folder: string): Promise<string | null> {
  const bytes = await readFile(join(folder, "token")).catch(() => null);
  return bytes === null ? null : sha256(bytes);
}

/** The token, made where it is missing. */
export async function makeFolderToken(folder: string): Promise<string> {
  const known = await folderToken(folder);
  if (known !== null) return known;
  const token = randomBytes(32);
  await writeFileAtomically(join(folder, "token"), token);
  return sha256(token);
}

/** Folders of runs that failed and were never taken up again go after a week. */
const FORGOTTEN_MS = 7 * 24 * 3_600_000;

/** The folders of all runs in a folder `runs`. */
export async function runFolders(all: string): Promise<string[]> {
  const names = await readdir(all).catch(() => []);
  return names.filter((name) => /^[0-9a-f]{16}$/.test(name)).map((name) => join(all, name));
}

/** Removes the forgotten ones beside this one. The journal of a long run grows without a change of its folder. */
export async function removeForgotten(folder: string): Promise<void> {
  for (const other of await runFolders(dirname(folder))) {
    if (other === folder || (await runFolderIsInUse(other))) continue;
    const parts = ["", "journal", "owner"].map((name) => stat(join(other, name)).catch(() => null));
    const changed = Math.max(...(await Promise.all(parts)).map((state) => state?.mtimeMs ?? 0));
    if (Date.now() - changed > FORGOTTEN_MS) await rm(other, { recursive: true, force: true });
  }
}
