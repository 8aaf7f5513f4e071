/** `graphdos merge OUT part…`: the file that one call without --shard would have written, from the parts that all shards wrote. */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import { graphTitle } from "../data/dataset.js";
import { GRAM_FORMATS } from "../data/write-gram.js";
import { gramMemory } from "../experiment/memory.js";
import { fitKernel, kernelByName, kernelNeeds, kernelOptions } from "../kernel/registry.js";
import { defaultMemoryLimit } from "../node/machine-memory.js";
import type { ProfileOptions } from "../spectrum/profiles.js";
import { withProgress } from "./common.js";
import {
  addClusterOptions,
  checkExecutorAndStore,
  type ExecutorOptions,
  withExecutor,
} from "./executor-choice.js";
import { FEATURE_FORMATS, reportFeatures, writeFeatures } from "./feature-file.js";
import { inputOfParts } from "./feature-part.js";
import { checkLabels, reportGram, writeGram } from "./gram-file.js";
import { distancesOfParts } from "./gram-part.js";
import type { ChosenKernel } from "./kernel-options.js";
import { addMemoryOption, type MemoryOptions, requireMemoryOf } from "./memory-limit.js";
import { checkOutputs, outputKind } from "./outputs.js";
import { type PartHead, readParts } from "./shard.js";
import { MAX_WORKERS, wholeNumberIn } from "./spectral-options.js";

interface MergeOptions extends ExecutorOptions, MemoryOptions {
  labels?: string;
  json?: boolean;
}

type ReadParts = Awaited<ReturnType<typeof readParts>>;

export function addMergeCommand(program: Command): void {
  const command = program
    .command("merge")
    .description("the result of features or gram from the parts that --shard wrote")
    .argument("<out>", "where to write: .npz or .csv for features; .npy, .csv or .libsvm for gram")
    .argument("<parts...>", "the .part files of all shards, in any order")
    .option("--labels <file>", "gram: also write the classes, as an .npy file of int32")
    .option("--json", "print one JSON document");
  addMemoryOption(addClusterOptions(command))
    .option("--workers <number>", "worker threads (default: one a core)", wholeNumberIn(0, MAX_WORKERS))
    .action(async (out: string, parts: string[], _, called: Command) =>
      merge(out, parts, called.optsWithGlobals<MergeOptions>()),
    );
}

async function merge(output: string, paths: string[], options: MergeOptions): Promise<void> {
  const outputs = [
    { option: "the result", path: output, stdout: true },
    { option: "--labels", path: options.labels },
  ];
  await checkOutputs(outputs, { files: paths });
  const read = await readParts(paths);
  if (read.head.command === "gram") return mergeGram(output, read, options);
  if (options.labels !== undefined)
    throw badCall("--labels is for gram: the labels of features are in the .npz file");
  checkExecutorAndStore(options);
  const format = outputKind(output, FEATURE_FORMATS, { standard: "csv" });
  const nodes = read.head.flag;
  if (nodes && format === "csv")
    throw badCall("--nodes writes several arrays, which a table cannot hold: merge into FILE.npz");
  const kernel = kernelOf(read.head);
  const written = { output, format, nodes, json: options.json, quiet: options.quiet };
  const input = inputOfParts(read.parts, read.set);
  const result = await withExecutor(options, async (executor, control) => {
    const fitted = await fitKernel(kernel.spec, input, kernel.options, {
      executor,
      shared: true,
      ...control,
    });
    const made = { set: read.set, kernel, fitted, input };
    await writeFeatures(made, written, control.signal);
    return made;
  });
  reportFeatures(result, written);
}

async function mergeGram(output: string, { head, set, parts }: ReadParts, options: MergeOptions) {
  const format = outputKind(output, GRAM_FORMATS, { standard: "csv" });
  for (const name of ["cluster", "cluster-password-file", "store"] as const)
    if (options[name === "cluster-password-file" ? "clusterPasswordFile" : name] !== undefined)
      throw badCall(`--${name} does nothing for a Gram matrix: its parts hold all that was to be computed`);
  if (options.labels !== undefined) {
    outputKind(options.labels, ["npy"], { option: "--labels" });
  }
  const kernel = kernelOf(head);
  const written = {
    ...{ output, format, labelFile: options.labels, float32: head.flag },
    ...{ json: options.json, quiet: options.quiet },
  };
  checkLabels(set, written);
  const size = { graphs: set.graphs.length, nodes: 0, entries: 0, rows: 0, pairs: 0, large: 0, bytes: 0 };
  requireMemoryOf(size, options.memoryLimit ?? defaultMemoryLimit(), {
    what: `merge of ${set.name}`,
    estimate: () =>
      gramMemory(kernel.spec, kernel.options, { size, moments: 0, workers: 0, float32: head.flag }),
    ways: [],
  });
  const { result, notes } = await withProgress(options, async ({ signal }) => {
    const { distances, notes } = await distancesOfParts(parts, set, head.flag, signal);
    const nameOf = (g: number) => graphTitle(set, g);
    return { result: await writeGram(set, kernel, distances, written, { nameOf, signal }), notes };
  });
  reportGram(set, kernel, result, notes, written);
}

/** The kernel that the parts were made for. */
function kernelOf({ kernel, options, profiling }: PartHead): ChosenKernel {
  const spec = kernelByName(kernel);
  const resolved = kernelOptions(spec, options);
  return {
    spec,
    options: resolved,
    needs: kernelNeeds(spec, resolved),
    profiling: profiling as ProfileOptions,
  };
}
