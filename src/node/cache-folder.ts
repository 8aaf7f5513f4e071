/**
 * Where data sets are kept and looked for.
 *
 * The user's cache folder is what the platform says (`~/.cache/graphdos` on Linux, `~/Library/Caches/graphdos` on macOS,
 * `%LOCALAPPDATA%\graphdos\Cache` on Windows), or GRAPHDOS_CACHE.
 */
import { delimiter, join, resolve } from "node:path";
import envPaths from "env-paths";

export interface DatasetFolderOptions {
  /** The folder of --data-dir: looked into first, and downloads go there. */
  dataDir?: string;
}

/** GRAPHDOS_CACHE, else the platform's cache folder for graphdos. It need not exist. */
export function cacheFolder(): string {
  const chosen = process.env.GRAPHDOS_CACHE;
  return chosen ? resolve(chosen) : envPaths("graphdos", { suffix: "" }).cache;
}

/** The folders to look for data sets in, first to last: --data-dir, those of GRAPHDOS_DATA (a list as in PATH), the cache. */
export function datasetFolders({ dataDir }: DatasetFolderOptions = {}): string[] {
  const listed = (process.env.GRAPHDOS_DATA ?? "").split(delimiter).filter((folder) => folder !== "");
  const folders = [...(dataDir ? [dataDir] : []), ...listed, join(cacheFolder(), "datasets")];
  return [...new Set(folders.map((folder) => resolve(folder)))];
}

/** The folder that downloads go to: --data-dir, else the cache. */
export function downloadFolder({ dataDir }: DatasetFolderOptions = {}): string {
  return dataDir ? resolve(dataDir) : join(cacheFolder(), "datasets");
}

/** Where results of long runs are kept, so that an interrupted one goes on. */
export function resultsFolder(): string {
  return join(cacheFolder(), "results");
}
