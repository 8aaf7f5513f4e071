/** Files that were dropped or picked, folders walked through, as the engine takes them. */
import { GraphdosError } from "graphdos";
import type { OpenInput, PageFile } from "../engine/protocol.js";

export function pickedFiles(list: FileList): OpenInput | null {
  const files = Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }));
  return toInput(files, folderOf(files));
}

/** Rejects with a sentence where there is nothing to open or a file cannot be had. Listing a folder takes a while. */
export async function droppedFiles(transfer: DataTransfer): Promise<OpenInput> {
  // all must be taken before anything is awaited: the transfer is emptied after the event
  const files: PageFile[] = [];
  const entries: FileSystemEntry[] = [];
  for (const item of transfer.items) {
    const entry = item.webkitGetAsEntry();
    const file = item.getAsFile();
    if (entry !== null) entries.push(entry);
    else if (file !== null) files.push({ path: file.name, file });
  }
  for (const entry of entries) await walk(entry, files);
  const folder = entries.length === 1 && entries[0].isDirectory ? entries[0].name : null;
  const input = toInput(files, folder);
  if (input === null)
    throw new GraphdosError(
      "bad-data",
      `${folder ?? "what was dropped"} holds no files (hidden ones are left out)`,
    );
  return input;
}

const folderOf = (files: readonly PageFile[]) => {
  const first = files[0]?.path.split("/") ?? [];
  return first.length > 1 ? first[0] : null;
};

/** A folder's own name is taken off its paths, as where the command line opens it. */
function toInput(files: PageFile[], folder: string | null): OpenInput | null {
  const shown = files.filter(({ path }) => !path.split("/").some((part) => part.startsWith(".")));
  if (shown.length === 0) return null;
  if (folder === null)
    return { kind: "files", name: shown.length === 1 ? shown[0].file.name : "dropped files", files: shown };
  const inside = shown.map(({ path, file }) => ({ path: path.slice(folder.length + 1), file }));
  return { kind: "files", name: folder, files: inside };
}

/** A callback interface as a promise. */
const taken = <T>(
  { fullPath }: FileSystemEntry,
  ask: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> =>
  new Promise((resolve, reject) => {
    ask(resolve, ({ message }) => {
      reject(new GraphdosError("io", `${fullPath.replace(/^\//, "")} cannot be read: ${message}`));
    });
  });

async function walk(entry: FileSystemEntry, found: PageFile[]): Promise<void> {
  if (entry.isFile) {
    const file = await taken<File>(entry, (...heard) => (entry as FileSystemFileEntry).file(...heard));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await taken<FileSystemEntry[]>(entry, (...heard) => reader.readEntries(...heard));
    if (entries.length === 0) return;
    for (const each of entries) await walk(each, found);
  }
}
