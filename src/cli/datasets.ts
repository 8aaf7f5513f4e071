/** `graphdos datasets list | get`: the data sets known by name, where copies of them are, and how to fetch one. */
import { join } from "node:path";
import type { Command } from "commander";
import { findRegistered, type RegisteredSet, registry, unknownSet } from "../data/registry.js";
import { formatNumber } from "../experiment/wording.js";
import { cacheFolder, datasetFolders, downloadFolder } from "../node/cache-folder.js";
import { download } from "../node/download.js";
import { downloadOf, findCopy } from "../node/locate.js";
import { emit, emitJson, type GlobalOptions, withProgress } from "./common.js";
import { formatBytes } from "./format.js";
import { say } from "./terminal.js";

interface ListOptions extends GlobalOptions {
  json?: boolean;
  dataDir?: string;
}

interface GetOptions extends GlobalOptions {
  force?: boolean;
  dataDir?: string;
  from?: string;
}

export function addDatasetsCommand(program: Command): void {
  const datasets = program.command("datasets").description("the data sets known by name");
  datasets
    .command("list")
    .description("known data sets, and where a copy of each was found")
    .option("--data-dir <folder>", "where to look for copies first")
    .option("--json", "print one JSON document")
    .action(async (_, command: Command) => list(command.optsWithGlobals<ListOptions>()));
  datasets
    .command("get")
    .description("download a data set; prints the path of its zip")
    .argument("<name>", "a name of the list, in capitals or not")
    .option("--data-dir <folder>", `the folder to put it in (default: ${join(cacheFolder(), "datasets")})`)
    .option("--force", "download it again even if a copy is there")
    .option(
      "--from <address>",
      "download from a mirror of the TU collection: ADDRESS/NAME.zip (default: GRAPHDOS_MIRROR, else the collection)",
    )
    .action(async (name: string, _, command: Command) => get(name, command.optsWithGlobals<GetOptions>()));
}

async function list({ json, dataDir }: ListOptions): Promise<void> {
  const sets: (RegisteredSet & { copy: string | null })[] = [];
  for (const set of registry)
    sets.push({ ...set, copy: (await findCopy(set.name, { dataDir }))?.path ?? null });
  if (json) return emitJson({ folders: datasetFolders({ dataDir }), sets });
  const number = (value: number | null, digits: number) =>
    value === null
      ? "?"
      : value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const classes = (set: RegisteredSet) => (set.classes === 0 ? "-" : number(set.classes, 0));
  emit(
    table([
      ["name", "graphs", "classes", "nodes", "edges", "copy"],
      ...sets.map((set) => [
        set.name,
        number(set.graphs, 0),
        classes(set),
        number(set.meanNodes, 2),
        number(set.meanEdges, 2),
        set.copy ?? (set.downloadable ? "-" : "- (not in the public collection)"),
      ]),
    ]),
  );
}

/** Columns side by side: the first and the last to the left, the numbers between them to the right. */
function table(rows: string[][]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const pad = (cell: string, column: number, last: number) =>
    column === last ? cell : column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]);
  return rows
    .map((row) => row.map((cell, column) => pad(cell, column, row.length - 1)).join("  "))
    .join("\n");
}

async function get(name: string, options: GetOptions): Promise<void> {
  const { dataDir, force, from, quiet } = options;
  const note = (text: string) => !quiet && say(text);
  const set = findRegistered(name);
  if (set === null) throw unknownSet(name);
  const copy = force ? null : await copyAtHand(set, dataDir);
  if (copy !== null) {
    note(`${set.name} is already there; --force downloads it again`);
    return emit(copy);
  }
  const { url, destination } = downloadOf(set, { dataDir, from });
  const { bytes } = await withProgress(options, (control) => download(url, destination, control));
  const graphs = set.graphs === null ? "" : `, ${formatNumber(set.graphs)} graphs`;
  note(`${set.name}: ${formatBytes(bytes)}${graphs}, from ${url}`);
  emit(destination);
}

/** A copy that makes the download needless: in the named folder when one is named, else in any of the data folders. */
async function copyAtHand(set: RegisteredSet, dataDir: string | undefined): Promise<string | null> {
  const path = (await findCopy(set.name, { dataDir }))?.path ?? null;
  return path !== null && (dataDir === undefined || path.startsWith(join(downloadFolder({ dataDir }), "/")))
    ? path
    : null;
}
