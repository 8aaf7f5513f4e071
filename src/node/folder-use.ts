/** How much is in a folder, all levels of it together. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface FolderUse {
  entries: number;
  bytes: number;
}

/** Nothing for a folder that is not there. */
export async function folderUse(folder: string): Promise<FolderUse> {
  const use: FolderUse = { entries: 0, bytes: 0 };
  const names = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of names) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const inner = await folderUse(path);
      use.entries += inner.entries;
      use.bytes += inner.bytes;
    } else {
      // another process may have removed it meanwhile
      const size = await lstat(path).then(
        (found) => found.size,
        () => null,
      );
      if (size === null) continue;
      use.entries++;
      use.bytes += size;
    }
  }
  return use;
}
