/** `graphdos cache [list|clear]`: what is kept between runs, and how to be rid of it. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { GraphdosError } from "../base/errors.js";
import { cacheFolder } from "../node/cache-folder.js";
import { type FolderUse, folderUse } from "../node/folder-use.js";
import { emit, emitJson, type GlobalOptions } from "./common.js";
import { formatBytes } from "./format.js";
import { say } from "./terminal.js";

/** Folders of the cache, and what is in them. */
const PARTS = {
  results: "folds, profiles, signatures and distances of evaluations",
  datasets: "downloaded data sets",
} as const;
type Part = keyof typeof PARTS;

export function addCacheCommand(program: Command): void {
  const cache = program.command("cache").description("what is kept between runs: list it, clear it");
  cache
    .command("list", { isDefault: true })
    .description("sizes of what is kept")
    .option("--json", "print one JSON document")
    .action(async ({ json }: { json?: boolean }) => {
      const parts = await Promise.all(
        (Object.keys(PARTS) as Part[]).map(async (name) => ({
          name,
          about: PARTS[name],
          ...(await folderUse(join(cacheFolder(), name))),
        })),
      );
      if (json) emitJson({ folder: cacheFolder(), parts });
      else emit(listText(parts));
    });
  cache
    .command("clear")
    .description("remove what is kept; it is computed or downloaded anew when wanted")
    .addOption(
      new Option("--part <name>", "what to remove")
        .choices([...Object.keys(PARTS), "all"])
        .default("results"),
    )
    .action(async (_: unknown, self: Command) => {
      const { part, quiet } = self.optsWithGlobals() as GlobalOptions & { part: Part | "all" };
      for (const name of part === "all" ? (Object.keys(PARTS) as Part[]) : [part]) await clear(name, quiet);
    });
}

function listText(parts: readonly (FolderUse & { name: string; about: string })[]): string {
  const lines = parts.map(
    ({ name, about, entries, bytes }) =>
      `${name.padEnd(9)}${formatBytes(bytes).padStart(10)}  ${entries.toLocaleString("en-US")} files: ${about}`,
  );
  return [cacheFolder(), ...lines].join("\n");
}

async function clear(name: Part, quiet?: boolean): Promise<void> {
  const folder = join(cacheFolder(), name);
  const use = await folderUse(folder);
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    throw new GraphdosError("bad-data", `cache: cannot remove ${folder}: ${(error as Error).message}`);
  }
  if (!quiet) say(`removed ${formatBytes(use.bytes)} in ${use.entries} files from ${folder}`);
}
