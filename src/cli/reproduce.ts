/** `graphdos reproduce --out results/`: the paper's table and figures, with a report. */
import { readdir, stat } from "node:fs/promises";
import { cpus, totalmem } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { badCall } from "../base/errors.js";
import { evaluationMemory, type MemorySize } from "../experiment/memory.js";
import { INNER_FOLDS, protocolByName } from "../experiment/protocols.js";
import { SETS } from "../experiment/reproduction/paper.js";
import type { Row } from "../experiment/reproduction/rows.js";
import { reproduce } from "../experiment/reproduction/run.js";
import { EXPERIMENTS, type Reproduction } from "../experiment/reproduction/types.js";
import type { Graph } from "../graph/graph.js";
import { makeFolder, writeFileAtomically } from "../node/atomic-file.js";
import { datasetFolders } from "../node/cache-folder.js";
import { folderUse } from "../node/folder-use.js";
import { defaultMemoryLimit } from "../node/machine-memory.js";
import { openData } from "../node/open.js";
import {
  addDataOptions,
  commandLine,
  type DataOptions,
  emit,
  emitJson,
  positiveInteger,
  wholeNumber,
  withProgress,
} from "./common.js";
import { addClusterOptions, type ClusterOptions, checkExecutor, openExecutor } from "./executor-choice.js";
import { addMemoryOption, localWorkers, type MemoryOptions, memoryRefusal } from "./memory-limit.js";
import { checkWritable } from "./outputs.js";
import { reproductionText } from "./reproduction-text.js";
import { addCacheOption, type CacheOptions, openStore, sayRemoved } from "./result-store.js";
import { foldCount, MAX_WORKERS, positiveNumber, wholeNumberIn } from "./spectral-options.js";
import { say } from "./terminal.js";

interface ReproduceCommand extends DataOptions, ClusterOptions, CacheOptions, MemoryOptions {
  out: string;
  only: string[];
  sets: string[];
  repeats: number;
  folds: number;
  inner: number;
  budget?: number;
  graphs?: string;
  largest: number;
  workers?: number;
  store?: string;
  seed: number;
  json?: boolean;
}

export function addReproduceCommand(program: Command): void {
  const command = program
    .command("reproduce")
    .description("the experiments of the paper: its table, its figures, an ablation, and a report of them")
    .option("--out <folder>", "where the report goes", "results")
    .option("--only <names>", `some of ${EXPERIMENTS.join(", ")}, with commas between`, names(EXPERIMENTS), [
      ...EXPERIMENTS,
    ])
    .option("--sets <names>", `some of ${SETS.join(", ")}, with commas between`, names(SETS), [...SETS])
    .option("--repeats <n>", "repeats of the outer folds", positiveInteger, 10)
    .option("--folds <n>", "outer folds", foldCount, 10)
    .option("--inner <n>", "inner folds, for choosing C and the rest", foldCount, INNER_FOLDS)
    .option(
      "--budget <minutes>",
      "the most valuable first, and no more than fits; what is finished is always taken",
      positiveNumber,
    )
    .option("--graphs <folder>", "single graphs for figure 3 (default: a folder graphs beside the data sets)")
    .option("--largest <edges>", "largest generated graph of figure 3", positiveInteger, 1e7)
    .option("--workers <n>", "worker threads (default: all cores)", wholeNumberIn(1, MAX_WORKERS))
    .option("--seed <n>", "seed of folds and graphs", wholeNumber, 0)
    .option("--json", "print the result as one JSON document");
  addCacheOption(addMemoryOption(addClusterOptions(addDataOptions(command)))).action(
    async (_: unknown, self: Command) => {
      await run(self.optsWithGlobals() as ReproduceCommand);
    },
  );
}

function names(known: readonly string[]) {
  return (text: string): string[] => {
    const chosen = text.split(",").map((name) => name.trim());
    const unknown = chosen.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new InvalidArgumentError(`expected some of ${known.join(", ")}, got ${unknown}.`);
    return chosen;
  };
}

async function run(options: ReproduceCommand): Promise<void> {
  const { repeats, folds, inner, seed, sets } = options;
  checkExecutor(options);
  const graphs = await singleGraphs(options);
  const out = resolve(options.out);
  await makeFolder(out);
  for (const name of REPORT_FILES) await checkWritable(join(out, name));
  const store = await openStore(options.store, options);
  const executor = await openExecutor(options);
  const note = (text: string) => {
    if (!options.quiet) say(text);
  };
  try {
    const result = await withProgress(options, (control) =>
      reproduce(
        {
          ...control,
          sets,
          experiments: options.only,
          protocol: protocolByName("paper", { repeats, folds, inner, seed }),
          executor,
          // all sets are opened before the first experiment
          open: (name) => openData(name, { ...control, dataDir: options.dataDir }),
          graphs,
          largest: options.largest,
          store,
          budget: options.budget === undefined ? undefined : 60 * options.budget,
          refusal: rowRefusal(options),
          onLeftOut: (sentence) => note(`left out: ${sentence}`),
        },
        {
          date: new Date().toISOString().slice(0, 10),
          command: commandLine(),
          machine: {
            node: process.version,
            platform: `${process.platform} ${process.arch}`,
            cpu: cpus()[0]?.model ?? "unknown",
            cores: cpus().length,
            workers: executor.workers,
            memoryGiB: totalmem() / 2 ** 30,
          },
        },
        // what there is so far, so that a run that is stopped leaves its numbers
        (soFar) => writeFileAtomically(join(out, "reproduction.json"), JSON.stringify(soFar, null, 1)),
      ),
    );
    sayRemoved(store, options);
    if (store.trouble) result.leftOut.push(`results are not kept for another run: ${store.trouble}`);
    result.cache = { folder: store.folder, ...(await folderUse(store.folder)) };
    await writeReport(out, result);
    note(`wrote ${join(out, "reproduction.html")}`);
    if (options.json) emitJson(result);
    else emit(reproductionText(result));
  } finally {
    await executor.close();
  }
}

/** Of the report, which also has tables and pictures: these three are always written. */
const REPORT_FILES = ["reproduction.html", "reproduction.md", "reproduction.json"];

/** Why a row of a table does not fit into memory, in words. */
function rowRefusal(options: ReproduceCommand) {
  const workers = localWorkers(options);
  const limit = options.memoryLimit ?? defaultMemoryLimit();
  return (what: string, { request, classifier }: Row, size: MemorySize): string | null => {
    const estimate = (count: number) => () =>
      evaluationMemory(request, { size, moments: 50, workers: count, classifier });
    return memoryRefusal(size, limit, {
      what,
      estimate: estimate(workers),
      ways: [{ words: "--workers 1", estimate: estimate(Math.min(1, workers)) }],
    });
  };
}

async function writeReport(out: string, result: Reproduction): Promise<void> {
  const { reproductionFiles } = await import("../report/reproduction-tables.js");
  for (const { name, content } of reproductionFiles(result))
    await writeFileAtomically(join(out, name), content);
}

/** Edge lists in --graphs, or in a folder `graphs` beside one of the folders of data sets. */
async function singleGraphs({
  graphs,
  dataDir,
}: ReproduceCommand): Promise<{ name: string; open: () => Promise<Graph> }[]> {
  const folders =
    graphs !== undefined
      ? [graphs]
      : datasetFolders({ dataDir }).map((folder) => join(folder, "..", "graphs"));
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  const there = await Promise.all(folders.map(isFolder));
  const folder = folders.find((_, k) => there[k]);
  if (folder === undefined) {
    if (graphs !== undefined) throw badCall(`--graphs: no such folder: ${graphs}`);
    return [];
  }
  const files = (await readdir(folder)).filter((name) => /\.(txt|edges|csv|mtx)(\.gz)?$/.test(name)).sort();
  return files.map((name) => ({
    name: basename(name).replace(/\..*$/, ""),
    open: async () => (await openData(join(folder, name))).graphs[0],
  }));
}
