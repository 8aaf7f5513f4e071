/** DATA as a user names it, opened: a synthetic set, a file, a folder, a registered set found on disk or downloaded. */
import type { Dataset } from "../data/dataset.js";
import { readDataset } from "../data/read.js";
import type { ReadOptions } from "../data/reading.js";
import { syntheticDataset } from "../data/synthetic/index.js";
import { download } from "./download.js";
import { fileSource, folderTree, nodeInflate } from "./file-source.js";
import { type LocateOptions, locateDataset } from "./locate.js";

export interface OpenOptions extends ReadOptions, LocateOptions {
  /** Seed of synthetic sets. Default 0. */
  seed?: number;
}

export async function openData(nameOrPath: string, options: OpenOptions = {}): Promise<Dataset> {
  const read: OpenOptions = { inflate: nodeInflate, ...options };
  const found = await locateDataset(nameOrPath, options);
  switch (found.kind) {
    case "synthetic":
      return syntheticDataset(found.name, { seed: options.seed });
    case "folder":
      return readDataset(await folderTree(found.path), read);
    case "file":
      return readDataset(await fileSource(found.path), read);
    case "download":
      await download(found.url, found.destination, options);
      return readDataset(await fileSource(found.destination), read);
  }
}
