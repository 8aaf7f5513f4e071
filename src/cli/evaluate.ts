/** `graphdos evaluate DATA`: nested cross-validation of one or several kernels. */
import { type Command, Option } from "commander";
import { badCall } from "../base/errors.js";
import type { Executor } from "../compute/executor.js";
import { memoryStore, type ResultStore } from "../compute/store.js";
import { evaluate } from "../experiment/evaluation.js";
import { CLASSIFIERS, type Classifier, type EvaluationResult } from "../experiment/evaluation-types.js";
import type { KernelRequest } from "../experiment/grid.js";
import { affordable, setSize } from "../experiment/kernel-cost.js";
import { evaluationMemory, type MemorySize } from "../experiment/memory.js";
import { PROTOCOLS, protocolByName, protocolOptions } from "../experiment/protocols.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import { DiskStore } from "../node/disk-store.js";
import {
  addDataOptions,
  commandLine,
  type DataOptions,
  emit,
  emitJson,
  loadData,
  positiveInteger,
  withProgress,
} from "./common.js";
import { evaluationText } from "./evaluation-text.js";
import { addAddressOptions, type ClusterOptions, checkExecutor, openExecutor } from "./executor-choice.js";
import { addKernelOptions, type KernelChoice, kernelRequests, numbersAboveZero } from "./kernel-choice.js";
import { addMemoryOption, localWorkers, type MemoryOptions, requireMemory } from "./memory-limit.js";
import { checkOutputs } from "./outputs.js";
import { addCacheOption, type CacheOptions, openStore, sayRemoved } from "./result-store.js";
import {
  addSpectralOptions,
  foldCount,
  positiveNumber,
  profileOptions,
  type SpectralOptions,
} from "./spectral-options.js";
import { say } from "./terminal.js";

interface EvaluateCommand
  extends Omit<DataOptions, "seed">,
    SpectralOptions,
    Omit<KernelChoice, "damping" | "seed">,
    ClusterOptions,
    CacheOptions,
    MemoryOptions {
  protocol: string;
  repeats?: number;
  folds?: number;
  inner?: number;
  c?: number[];
  group?: "isomorphic";
  classifier?: Classifier;
  limit: number;
  maxIterations?: number;
  json?: boolean;
  report?: string;
  /** A folder, true for the cache, false for none. */
  store: boolean | string;
}

export function addEvaluateCommand(program: Command): void {
  const command = program
    .command("evaluate")
    .description("nested cross-validation: how well kernels tell the classes apart")
    .argument("<data>", "a data set by name, file or folder, or synthetic:NAME");
  addCacheOption(
    addMemoryOption(
      addAddressOptions(addDataOptions(addKernelOptions(addSpectralOptions(command), "dos+ldos"))),
    ),
  )
    .addOption(new Option("--protocol <name>", "how to evaluate").choices(PROTOCOLS).default("paper"))
    .option("--repeats <n>", "repeat with other splits", positiveInteger)
    .option("--folds <n>", "outer folds", foldCount)
    .option("--inner <n>", "inner folds", foldCount)
    .option("--c <list>", "values of C to choose from, with commas", numbersAboveZero)
    .addOption(new Option("--group <kind>", "keep copies of a graph in one fold").choices(["isomorphic"]))
    .addOption(
      new Option("--classifier <name>", "svm, or 1nn: the class of the nearest training graph").choices(
        CLASSIFIERS,
      ),
    )
    .option(
      "--limit <minutes>",
      "--kernel all: leave out what would take more processor time than this before the folds",
      positiveNumber,
      10,
    )
    .option("--max-iterations <n>", "cap on the steps of one SVM", positiveInteger)
    .option("--json", "print one JSON document")
    .option("--report <file>", "write a page with pictures")
    .option(
      "--store <folder>",
      "where to keep results of folds (default: the cache); workers of a cluster share it",
      true,
    )
    .option("--no-store", "neither use nor keep results of folds in the cache")
    .action(async (data: string, _: unknown, self: Command) => {
      await run(data, self.optsWithGlobals() as EvaluateCommand, self);
    });
}

async function run(data: string, options: EvaluateCommand, called: Command): Promise<void> {
  const { repeats, folds, inner, seed } = options;
  const protocol = protocolByName(options.protocol, {
    repeats,
    folds,
    inner,
    Cs: options.c,
    seed,
    grouped: options.group ? true : undefined,
    classifier: options.classifier,
  });
  if (protocol.classifier === "1nn" && options.c !== undefined)
    throw badCall("--c does nothing with --classifier 1nn: a nearest neighbour has no C");
  const written = (name: string) => called.getOptionValueSource(name) === "cli";
  if (written("limit") && options.kernel !== "all")
    throw badCall(
      `--limit ${options.limit} does nothing without --kernel all, of which it leaves kernels out`,
    );
  if (written("cacheLimit") && options.store !== true)
    throw badCall("--cache-limit does nothing with --store or --no-store: it is that of the cache");
  const requests = kernelRequests(options, {
    fixed: protocolOptions(protocol.name),
    called,
    // the page has densities of the classes
    spectra: options.report !== undefined,
  });
  const profile = profileOptions(options);
  checkExecutor(options);
  await checkOutputs([{ option: "--report", path: options.report }], { ...options, data: [data] });
  const store: ResultStore =
    options.store === false
      ? memoryStore()
      : await openStore(options.store === true ? undefined : options.store, options);
  const dataset = await loadData(data, options);
  const { kept: kernels, skipped } =
    options.kernel === "all"
      ? affordable(setSize(dataset), requests, 60 * options.limit)
      : { kept: requests, skipped: [] };
  if (kernels.length === 0)
    throw badCall(
      `--limit ${options.limit}: every kernel was left out; the first, ${skipped[0].kernel}, is ${skipped[0].reason}`,
    );
  const workers = localWorkers(options);
  for (const request of kernels) {
    const estimate =
      (count: number, grid = request.grid) =>
      (size: MemorySize) =>
        evaluationMemory(
          { ...request, grid },
          { size, moments: profile.moments ?? 50, workers: count, classifier: protocol.classifier },
        );
    requireMemory(dataset, options, {
      what: `evaluate of ${request.name} on ${dataset.name}`,
      estimate: estimate(workers),
      ways: [
        { words: "--workers 1", estimate: estimate(Math.min(1, workers)) },
        { words: "a smaller --grid", estimate: estimate(workers, {}) },
      ],
    });
  }
  const executor = await openExecutor(options);
  try {
    const result = await withProgress(options, (control) =>
      evaluate(dataset, {
        ...control,
        kernels,
        protocol,
        profile,
        executor,
        store,
        skipped,
        maxIterations: options.maxIterations,
      }),
    );
    if (store instanceof DiskStore && store.trouble)
      result.warnings.push(`folds are not kept: ${store.trouble}`);
    if (store instanceof DiskStore) sayRemoved(store, options);
    // first: a page that cannot be written costs no result
    if (options.json) emitJson(result);
    else emit(evaluationText(result));
    if (options.report) await writeReport(options.report, dataset, result, { kernels, options, executor });
  } finally {
    await executor.close();
  }
}

async function writeReport(
  path: string,
  dataset: Awaited<ReturnType<typeof loadData>>,
  result: EvaluationResult,
  { kernels, options, executor }: { kernels: KernelRequest[]; options: EvaluateCommand; executor: Executor },
): Promise<void> {
  const { bestKernelPictures } = await import("../experiment/best-kernel.js");
  const { evaluationReport } = await import("../report/evaluation-report.js");
  const pictures = await withProgress(options, (control) =>
    bestKernelPictures(dataset, result, kernels, profileOptions(options), executor, control),
  );
  const date = new Date().toISOString().slice(0, 10);
  await writeFileAtomically(path, evaluationReport(result, pictures, { command: commandLine(), date }));
  if (!options.quiet) say(`wrote ${path}`);
}
