/**
 * What a user means by DATA: `synthetic:NAME`, a file or folder, or the name of a data set.
 *
 * A path that exists wins over a name. A name is looked up as NAME.zip and NAME/ in each of `datasetFolders`, in that order; a
 * registered name that is in none of them is to be downloaded.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { badCall, GraphdosError, nearestName } from "../base/errors.js";
import { datasetAddress, findRegistered, type RegisteredSet, registry } from "../data/registry.js";
import { codeOf, fileError } from "./atomic-file.js";
import { type DatasetFolderOptions, datasetFolders, downloadFolder } from "./cache-folder.js";

export interface LocateOptions extends DatasetFolderOptions {
  /** Base address of a mirror of the public collection. Default: GRAPHDOS_MIRROR, else the collection itself. */
  from?: string;
}

export type Located =
  | { kind: "synthetic"; name: string }
  | { kind: "file"; path: string }
  | { kind: "folder"; path: string }
  | { kind: "download"; set: RegisteredSet; url: string; destination: string };

const SYNTHETIC = "synthetic:";

export async function locateDataset(nameOrPath: string, options: LocateOptions = {}): Promise<Located> {
  if (nameOrPath === "")
    throw badCall("no data set given: expected a file, a folder or a name such as MUTAG");
  if (nameOrPath.startsWith(SYNTHETIC))
    return { kind: "synthetic", name: nameOrPath.slice(SYNTHETIC.length) };
  const there = await existing(nameOrPath);
  if (there) return there;
  if (/[\\/]/.test(nameOrPath)) throw new GraphdosError("io", `no such file or folder: ${nameOrPath}`);

  if (options.dataDir !== undefined && (await existing(options.dataDir))?.kind !== "folder")
    throw badCall(`--data-dir: no such folder: ${options.dataDir}`);
  const set = findRegistered(nameOrPath);
  const copy = await findCopy(set?.name ?? nameOrPath, options);
  if (copy) return copy;
  if (set === null) throw notFound(nameOrPath);
  return downloadOf(set, options);
}

/** The first copy of a set in the data folders: NAME.zip or NAME/. */
export async function findCopy(
  name: string,
  options: DatasetFolderOptions = {},
): Promise<{ kind: "file" | "folder"; path: string } | null> {
  for (const folder of datasetFolders(options)) {
    const zip = await existing(join(folder, `${name}.zip`));
    if (zip?.kind === "file") return zip;
    const unpacked = await existing(join(folder, name));
    if (unpacked?.kind === "folder") return unpacked;
  }
  return null;
}

/** Where a registered set is downloaded from and to. */
export function downloadOf(set: RegisteredSet, options: LocateOptions = {}): Located & { kind: "download" } {
  if (!set.downloadable)
    throw new GraphdosError(
      "io",
      `${set.name} is not in the public collection and no copy was found: ${copyHint(`${set.name}.zip`)}`,
    );
  return {
    kind: "download",
    set,
    url: datasetAddress(set.name, options.from || process.env.GRAPHDOS_MIRROR || undefined),
    destination: join(downloadFolder(options), `${set.name}.zip`),
  };
}

/** What to do where a data set cannot be downloaded. */
export const copyHint = (file: string) =>
  `copy ${file} into a folder and name that folder by --data-dir or GRAPHDOS_DATA`;

async function existing(path: string): Promise<{ kind: "file" | "folder"; path: string } | null> {
  try {
    return { kind: (await stat(path)).isDirectory() ? "folder" : "file", path };
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"].includes(codeOf(error))) return null;
    throw fileError("read", path, error);
  }
}

function notFound(name: string): GraphdosError {
  const bare = name.replace(/\.zip$/i, "");
  const near = nearestName(
    bare,
    registry.map((set) => set.name),
  );
  const help = near ? `did you mean ${near}?` : "`graphdos datasets list` shows the known ones";
  return badCall(`no file, folder or known data set: ${name}; ${help}`);
}
