/** `graphdos cache [list|clear]`: what is kept between runs, and how to be rid of it. */
import { randomBytes } from "node:crypto";
import { readdir, rename, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Command, Option } from "commander";
import { codeOf, fileError } from "../node/atomic-file.js";
import { cacheFolder, resultsFolder } from "../node/cache-folder.js";
import { bytesIn, cacheLimit, storeEntries } from "../node/cache-limit.js";
import { runFolderIsInUse, runFolders } from "../node/cluster/run-folder.js";
import { codeHash } from "../node/code-hash.js";
import { codeFolder } from "../node/disk-store.js";
import { type FolderUse, folderUse } from "../node/folder-use.js";
import { removeFolder } from "../node/remove-folder.js";
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
      const entries = await storeEntries(resultsFolder(), codeFolder(codeHash()));
      const limit = await cacheLimit(resultsFolder(), bytesIn(entries));
      const ofOtherCode = bytesIn(entries.filter(({ other }) => other));
      if (json) emitJson({ folder: cacheFolder(), limit, ofOtherCode, parts });
      else emit([...listText(parts), limitText(limit, ofOtherCode)].join("\n"));
    });
  cache
    .command("clear")
    .description("remove what is kept, but for runs under way; it is computed or downloaded anew when wanted")
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

function listText(parts: readonly (FolderUse & { name: string; about: string })[]): string[] {
  const lines = parts.map(
    ({ name, about, entries, bytes }) =>
      `${name.padEnd(9)}${formatBytes(bytes).padStart(10)}  ${entries.toLocaleString("en-US")} files: ${about}`,
  );
  return [cacheFolder(), ...lines];
}

const limitText = (limit: number, ofOtherCode: number) =>
  `limit of results ${formatBytes(limit)} (GRAPHDOS_CACHE_LIMIT): what was not used for longest goes${ofOtherCode > 0 ? `, before it ${formatBytes(ofOtherCode)} of other code` : ""}`;

async function clear(name: Part, quiet?: boolean): Promise<void> {
  const folder = join(cacheFolder(), name);
  const before = await folderUse(folder);
  const kept = await clearFolder(folder);
  if (quiet) return;
  const after = await folderUse(join(folder, "runs"));
  const [bytes, entries] = [before.bytes - after.bytes, before.entries - after.entries];
  say(`removed ${formatBytes(Math.max(0, bytes))} in ${Math.max(0, entries)} files from ${folder}`);
  if (kept > 0) say(`kept ${kept} run${kept === 1 ? "" : "s"} of a cluster under way`);
}

/** Removes all but the runs of a cluster that are under way, whose number it gives. */
async function clearFolder(folder: string): Promise<number> {
  const runs = join(folder, "runs");
  let kept = 0;
  for (const run of await runFolders(runs)) if (!(await removeUnused(run))) kept++;
  // fails where a run is left or begins now
  const all = await rmdir(runs).then(
    () => true,
    (error: unknown) => codeOf(error) === "ENOENT",
  );
  if (all) await removeBusy(folder);
  else for (const name of await readdir(folder)) if (name !== "runs") await removeBusy(join(folder, name));
  return kept;
}

/** Removes the folder of a run that nobody computes; one that somebody takes up at this moment is put back. */
async function removeUnused(run: string): Promise<boolean> {
  if (await runFolderIsInUse(run)) return false;
  // named like a run, so that what a killed process left aside goes with the next call
  const aside = join(dirname(run), randomBytes(8).toString("hex"));
  try {
    await rename(run, aside);
    if (await runFolderIsInUse(aside)) {
      await rename(aside, run);
      return false;
    }
    await removeFolder(aside);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw fileError("remove", run, error);
  }
  return true;
}

/**
 * Removes a folder also while another process adds files to it: it is moved aside first, in one step, and whoever writes into it makes a
 * new one. What an earlier call moved aside and was stopped over goes too.
 */
async function removeBusy(folder: string): Promise<void> {
  const [parent, start] = [dirname(folder), `.${basename(folder)}.removed.`];
  try {
    await rename(folder, join(parent, `${start}${process.pid}`)).catch((error) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
    for (const name of await readdir(parent).catch(() => []))
      if (name.startsWith(start)) await removeFolder(join(parent, name));
  } catch (error) {
    throw fileError("remove", folder, error);
  }
}
