/**
 * Files that are there in full or not at all.
 *
 * The bytes go to a temporary file in the same folder (partial-files.ts), which is synced and then renamed over the old file: a
 * reader sees the old file or the new one, a failure leaves the old one as it was and no temporary file. Only a killed process leaves
 * its temporary file; the next one to write the same file removes it. What takes long and can be resumed is made in a work
 * folder of the same name instead, which outlives the process.
 */
import { existsSync, rmSync } from "node:fs";
import {
  access,
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { GraphdosError, throwIfAborted } from "../base/errors.js";
import {
  isOld,
  ownerIsGone,
  partialName,
  partialOwner,
  partialStart,
  releasedName,
  sweepPartialFiles,
} from "./partial-files.js";

export type FileContent =
  | string
  | Uint8Array
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>;

/** Temporary files that are open now in this process, so that an interrupt handler, which cannot wait, can remove them. */
const pending = new Set<string>();

/** Removes the temporary files of all unfinished writes, synchronously: for a handler of Ctrl-C that then exits. */
export function removePartialFiles(): void {
  for (const path of pending) rmSync(path, { force: true });
  pending.clear();
}

/** Small chunks are gathered into writes of this many bytes. */
const GATHER_BYTES = 1 << 16;

/**
 * Writes a file in full or not at all; an existing file keeps its permissions and is reached through a symbolic link. A
 * device or pipe (/dev/null, /dev/stdout) is written to directly. Strings are written as UTF-8.
 */
export async function writeFileAtomically(
  path: string,
  content: FileContent,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  throwIfAborted(signal);
  const { target, mode, atomic } = await writing(path, () => resolveTarget(path));
  const folder = dirname(target);
  const temporary = atomic ? join(folder, partialName(basename(target))) : target;
  if (atomic) await sweepPartialFiles(folder, basename(target));
  const handle = await writing(path, () => open(temporary, atomic ? "wx" : "w", mode ?? 0o666));
  if (atomic) pending.add(temporary);
  try {
    try {
      if (atomic && mode !== null) await writing(path, () => handle.chmod(mode));
      await writeChunks(path, handle, content, signal);
      if (atomic) await writing(path, () => handle.sync());
    } finally {
      await writing(path, () => handle.close());
    }
    throwIfAborted(signal);
    if (atomic) await writing(path, () => rename(temporary, target));
  } catch (error) {
    if (atomic) await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    pending.delete(temporary);
  }
}

async function resolveTarget(
  path: string,
): Promise<{ target: string; mode: number | null; atomic: boolean }> {
  let found: Awaited<ReturnType<typeof stat>>;
  try {
    found = await stat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { target: path, mode: null, atomic: true };
    throw error;
  }
  if (found.isDirectory()) throw Object.assign(new Error("is a folder"), { code: "EISDIR" });
  await access(path, constants.W_OK);
  // a rename would put a plain file in the place of the device
  if (!found.isFile() || resolve(path).startsWith("/dev/"))
    return { target: path, mode: null, atomic: false };
  return { target: await realpath(path), mode: found.mode & 0o7777, atomic: true };
}

async function writeChunks(
  path: string,
  handle: FileHandle,
  content: FileContent,
  signal: AbortSignal | undefined,
): Promise<void> {
  const gathered = Buffer.allocUnsafe(GATHER_BYTES);
  let used = 0;
  const flush = async () => {
    if (used > 0) await writing(path, () => handle.writeFile(gathered.subarray(0, used)));
    used = 0;
  };
  const chunks = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
  for await (const chunk of chunks) {
    throwIfAborted(signal);
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (used + bytes.length > GATHER_BYTES) await flush();
    if (bytes.length > GATHER_BYTES) {
      await writing(path, () => handle.writeFile(bytes));
    } else {
      gathered.set(bytes, used);
      used += bytes.length;
    }
  }
  await flush();
}

/**
 * A folder beside `path` in which this process alone makes the file, over several runs if need be: the largest work folder of the
 * same file whose process is dead or has released it, with the files in it, else a new one. Taking one over is one rename, so
 * that of two processes one gets it. Other abandoned ones are removed.
 */
export async function claimWorkFolder(path: string): Promise<string> {
  const folder = join(dirname(path), partialName(basename(path)));
  let claimed = false;
  for (const old of await abandonedFolders(path)) {
    if (claimed) await rm(old, { recursive: true, force: true });
    else
      claimed = await rename(old, folder).then(
        () => true,
        () => false,
      );
  }
  if (!claimed) await mkdir(folder);
  return folder;
}

/** Leaves a work folder to whoever claims one for `path` next. Where one lies there already, this one is removed. */
export async function releaseWorkFolder(folder: string, path: string): Promise<void> {
  await rename(folder, releasedFolder(path)).catch(() => rm(folder, { recursive: true, force: true }));
}

const releasedFolder = (path: string) => join(dirname(path), releasedName(basename(path)));

async function abandonedFolders(path: string): Promise<string[]> {
  const start = partialStart(basename(path));
  const found: { folder: string; size: number }[] = [];
  for (const entry of await readdir(dirname(path), { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith(start)) continue;
    const owner = partialOwner(entry.name.slice(start.length));
    if (owner === undefined) continue;
    const folder = join(dirname(path), entry.name);
    const { size, changed } = await folderState(folder);
    // after an hour a living process of that number is another one
    if (owner === null || ownerIsGone(owner, changed) || isOld(changed)) found.push({ folder, size });
  }
  return found.sort((a, b) => b.size - a.size).map(({ folder }) => folder);
}

async function folderState(folder: string): Promise<{ size: number; changed: number }> {
  const names = await readdir(folder).catch(() => []);
  const states = await Promise.all(["", ...names].map((name) => stat(join(folder, name)).catch(() => null)));
  return {
    size: states.reduce((sum, state) => sum + (state?.isFile() ? state.size : 0), 0),
    changed: Math.max(...states.map((state) => state?.mtimeMs ?? 0)),
  };
}

/** A folder with those above it; a failure becomes a sentence. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw fileError("write", path, codeOf(error) === "ENOENT" ? await mkdirError(path, error) : error);
  }
}

/** Node's recursive mkdir says ENOENT where a file system is read-only; one level alone tells the reason. */
async function mkdirError(path: string, error: unknown): Promise<unknown> {
  let first = resolve(path);
  for (let above = dirname(first); above !== first && !existsSync(above); above = dirname(above))
    first = above;
  return mkdir(first).then(
    () => error,
    (reason) => reason,
  );
}

/** Runs one step on the file system; its failure becomes a sentence. Errors of the content's own source stay what they are. */
async function writing<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw fileError("write", path, error);
  }
}

type Verb = "read" | "write" | "remove";

/** "cannot write out/x.npz: the disk is full": what the operating system's error code means, in words. */
export function fileError(verb: Verb, path: string, cause: unknown): GraphdosError {
  if (cause instanceof GraphdosError) return cause;
  return new GraphdosError("io", `cannot ${verb} ${path}: ${reason(verb, path, cause)}`, { cause });
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function reason(verb: Verb, path: string, cause: unknown): string {
  switch (codeOf(cause)) {
    case "ENOSPC":
      return "the disk is full";
    case "EDQUOT":
      return "the disk quota is used up";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EROFS":
      return "the file system is read-only";
    case "ENOENT":
      return verb === "write" ? `the folder ${dirname(path)} does not exist` : "no such file or folder";
    case "ENOTDIR":
      return `${dirname(path)} is not a folder`;
    case "EEXIST":
      return "a file of that name is there, and no folder";
    case "EISDIR":
      return "it is a folder";
    case "EFBIG":
      return "the file is larger than the file system allows";
    case "ENAMETOOLONG":
      return "the name is too long";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open";
    default:
      return cause instanceof Error ? cause.message : String(cause);
  }
}
