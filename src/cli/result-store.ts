/** Where commands keep results between runs: the cache, within its limit, or a folder of the user's own, without one. */
import type { Command } from "commander";
import { cacheFolder, resultsFolder } from "../node/cache-folder.js";
import { cacheLimit } from "../node/cache-limit.js";
import { DiskStore } from "../node/disk-store.js";
import type { GlobalOptions } from "./common.js";
import { formatBytes } from "./format.js";
import { parseSize } from "./memory-limit.js";
import { checkFolder } from "./outputs.js";
import { say } from "./terminal.js";

export interface CacheOptions {
  /** Bytes. */
  cacheLimit?: number;
}

export function addCacheOption(command: Command): Command {
  return command.option(
    "--cache-limit <size>",
    "most that the cache may hold: 2GiB, 500MB; what was not used for longest goes (default: GRAPHDOS_CACHE_LIMIT, else 10 GiB or a tenth of the free disk)",
    parseSize,
  );
}

/** `own`: a folder that the user chose, which is theirs to clear. */
export async function openStore(own: string | undefined, options: CacheOptions): Promise<DiskStore> {
  if (own !== undefined) {
    // it is made with the first result; one that can only be read is read
    await checkFolder(own);
    return new DiskStore(own);
  }
  const folder = resultsFolder();
  const limit = (used: number) => options.cacheLimit ?? cacheLimit(folder, used);
  // a limit that is no size is refused before the work
  await limit(0);
  return new DiskStore(folder, { limit });
}

/** One line where results of earlier runs had to go. */
export function sayRemoved({ removed, limit }: DiskStore, { quiet }: GlobalOptions): void {
  if (removed.entries === 0 || quiet) return;
  say(
    `removed ${removed.entries} of the results in ${cacheFolder()} (${formatBytes(removed.bytes)}), those of other code and those not used for longest first, to stay within ${formatBytes(limit)}; GRAPHDOS_CACHE_LIMIT sets another limit`,
  );
}
