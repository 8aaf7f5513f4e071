/**
 * How much the cache may hold, and what goes first when it holds more.
 *
 * The limit is GRAPHDOS_CACHE_LIMIT ("2GiB", "500MB"), else 10 GiB or a tenth of what the disk could give to the cache (what is free and what
 * the cache has), whichever is less, but never below 100 MiB. It is for entries of results: data sets that were downloaded, and runs of a cluster with their
 * journals, are neither counted nor removed.
 *
 * Entries of other code go first, since nothing that runs now reads them; then those that were not used for longest, by the time of their
 * file, which reading sets. An entry that another process wants and that is gone is computed anew (disk-store.ts), and one that is just
 * being read stays readable to its reader, so that nobody fails. Cost: one look at every file, some 20 µs each.
 */
import { lstat, readdir, rm, rmdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { badCall } from "../base/errors.js";

const MOST_BYTES = 10 * 2 ** 30;
const SHARE_OF_DISK = 0.1;
/** A small disk that fills up is said as what it is; a limit below this would remove what the same run still needs. */
const LEAST_BYTES = 100 * 2 ** 20;
/** What is removed leaves room, so that not every entry that comes makes another one go. */
const FILLED_TO = 0.9;

const UNITS: Readonly<Record<string, number>> = {
  ...{ b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 },
  ...{ kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 },
};

/** "2GiB", "500 MB": bytes; null for anything else. */
export function bytesOf(text: string): number | null {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const bytes = Number(number) * (UNITS[(unit ?? "").toLowerCase()] ?? Number.NaN);
  return bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER ? Math.floor(bytes) : null;
}

/** In bytes. `used`: what the entries in the folder take now. */
export async function cacheLimit(folder: string, used: number): Promise<number> {
  const chosen = process.env.GRAPHDOS_CACHE_LIMIT;
  if (chosen) {
    const bytes = bytesOf(chosen);
    if (bytes === null)
      throw badCall(`GRAPHDOS_CACHE_LIMIT: got ${chosen}, expected a size such as 2GiB or 500MB`);
    return bytes;
  }
  const free = await freeBytes(folder);
  if (free === null) return MOST_BYTES;
  return Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.floor(SHARE_OF_DISK * (free + used))));
}

/** On the disk of a folder, or of the first folder above it that is there. */
async function freeBytes(folder: string): Promise<number | null> {
  for (let at = folder; ; at = dirname(at)) {
    const state = await statfs(at).catch(() => null);
    if (state !== null) return state.bavail * state.bsize;
    if (dirname(at) === at) return null;
  }
}

export interface Entry {
  path: string;
  bytes: number;
  /** Last use, in milliseconds. */
  used: number;
  /** Whether other code made it than that of the folder `code`. */
  other: boolean;
}

/** The entries of a store: files named by digits in folders named by digits. Nothing else in the folder is looked at. */
export async function storeEntries(folder: string, code: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const walk = async (at: string, other: boolean) => {
    for (const found of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, found.name);
      if (found.isDirectory() && /^([0-9a-f]{2}|[0-9a-f]{32})$/.test(found.name))
        await walk(path, at === folder ? found.name !== code : other);
      else if (found.isFile() && /^[0-9a-f]{62}$/.test(found.name)) {
        // another process may have removed it meanwhile
        const state = await lstat(path).catch(() => null);
        if (state !== null) entries.push({ path, bytes: state.size, used: state.mtimeMs, other });
      }
    }
  };
  await walk(folder, true);
  return entries;
}

export const bytesIn = (entries: readonly Entry[]) => entries.reduce((sum, { bytes }) => sum + bytes, 0);

export interface Removed {
  entries: number;
  bytes: number;
}

/** Removes entries until nine tenths of the limit are left, where there is more than the limit. Never fails. */
export async function removeBeyond(limit: number, entries: readonly Entry[]): Promise<Removed> {
  const removed: Removed = { entries: 0, bytes: 0 };
  let left = bytesIn(entries);
  if (left <= limit) return removed;
  for (const { path, bytes } of [...entries].sort(
    (a, b) => Number(b.other) - Number(a.other) || a.used - b.used,
  )) {
    if (left <= FILLED_TO * limit) break;
    const gone = await rm(path, { force: true }).then(
      () => true,
      () => false,
    );
    if (!gone) continue;
    left -= bytes;
    removed.entries++;
    removed.bytes += bytes;
    // the folders with the last one in them; whoever writes into one now makes it again
    await rmdir(dirname(path))
      .then(() => rmdir(dirname(dirname(path))))
      .catch(() => undefined);
  }
  return removed;
}
