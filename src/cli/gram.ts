/** `graphdos gram DATA --kernel K -o gram.npy`: the kernel matrix of a data set, for numpy, scikit-learn, LIBSVM and others. */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import { GRAM_FORMATS } from "../data/write-gram.js";
import { kernelInput } from "../experiment/kernel-run.js";
import { gramMemory, type MemorySize } from "../experiment/memory.js";
import { fitKernel, kernelDistances } from "../kernel/registry.js";
import { emit, emitJson, loadData } from "./common.js";
import { checkExecutorAndStore, withExecutor } from "./executor-choice.js";
import { checkLabels, reportGram, writeGram } from "./gram-file.js";
import { writeGramPart } from "./gram-part.js";
import {
  addKernelCommandOptions,
  chosenKernel,
  type KernelCommandOptions,
  requireGraphs,
  tell,
  unusedNotes,
} from "./kernel-options.js";
import { localWorkers, requireMemory } from "./memory-limit.js";
import { checkOutputs, outputKind } from "./outputs.js";
import { addShardOption, type Shard } from "./shard.js";

interface GramOptions extends KernelCommandOptions {
  output: string;
  labels?: string;
  float32?: boolean;
  shard?: Shard;
}

export function addGramCommand(program: Command): void {
  const command = program
    .command("gram")
    .description("kernel matrix of a data set, for numpy, scikit-learn and LIBSVM")
    .argument("<data>", "a registered name, a file, a folder, or synthetic:NAME")
    .requiredOption("-o, --output <file>", "where to write: .npy, .csv or .libsvm; - is CSV on stdout")
    .option("--labels <file>", "also write the classes, as an .npy file of int32")
    .option("--float32", "single precision: half of the memory and of the file");
  addShardOption(addKernelCommandOptions(command, "dos+ldos"))
    .addHelpText(
      "after",
      `
The bandwidth is the median over all graphs, because a matrix alone has no training part. Accuracies measured on
parts of it are a little too good: graphdos evaluate takes the bandwidth from the training graphs of each fold.
The .libsvm file is LIBSVM's precomputed format: svm-train -t 4 FILE.`,
    )
    .action(async (data: string, _, called: Command) =>
      gram(data, called.optsWithGlobals<GramOptions>(), called),
    );
}

async function gram(data: string, options: GramOptions, called: Command): Promise<void> {
  const { output, labels: labelFile, float32 = false, shard, json, quiet } = options;
  if (shard !== undefined) {
    outputKind(output, ["part"]);
    if (labelFile !== undefined) throw badCall("--labels is of the whole: give it to graphdos merge");
  }
  const format = shard === undefined ? outputKind(output, GRAM_FORMATS, { standard: "csv" }) : "npy";
  if (labelFile !== undefined) outputKind(labelFile, ["npy"], { option: "--labels" });
  if (json && output === "-") throw badCall("--json and -o - both write to stdout: leave one of them out");
  const kernel = chosenKernel(options, called);
  checkExecutorAndStore(options);
  const outputs = [
    { option: "--output", path: output, stdout: true },
    { option: "--labels", path: labelFile },
  ];
  await checkOutputs(outputs, { ...options, data: [data] });

  const dataset = await loadData(data, options);
  requireGraphs(dataset);
  const written = { output, format, labelFile, float32, json, quiet };
  if (shard === undefined) checkLabels(dataset, written);
  const { spec, profiling } = kernel;
  const [workers, moments] = [localWorkers(options), profiling.moments ?? 50];
  const task = { moments, workers, float32, estimator: profiling.estimator };
  const needs = (change: Partial<typeof task>) => (size: MemorySize) =>
    gramMemory(spec, kernel.options, { ...task, ...change, size });
  requireMemory(dataset, options, {
    what: `gram of ${dataset.name}`,
    estimate: needs({}),
    ways: [
      { words: "--float32", estimate: needs({ float32: true }) },
      { words: "--workers 1", estimate: needs({ workers: Math.min(1, workers) }) },
      { words: `--moments ${moments >> 1}`, estimate: needs({ moments: moments >> 1 }) },
    ],
  });
  const result = await withExecutor(options, async (executor, control) => {
    const input = await kernelInput(dataset, kernel.needs, profiling, executor, control);
    const context = { executor, shared: true, ...control };
    const made = await fitKernel(spec, input, kernel.options, context);
    const unused = unusedNotes(dataset, kernel, { targets: format === "libsvm" });
    const fitted = { ...made, notes: [...unused, ...made.notes] };
    const distanceOptions = { ...context, float32, nameOf: input.nameOf };
    if (shard !== undefined)
      return {
        ...(await writeGramPart({ output, dataset, kernel, fitted, float32, shard }, distanceOptions)),
        notes: unused,
      };
    const distances = await kernelDistances(fitted, distanceOptions);
    const matrix = await writeGram(dataset, kernel, distances, written, {
      nameOf: input.nameOf,
      signal: control.signal,
    });
    return { ...matrix, notes: fitted.notes };
  });
  if ("bandwidths" in result) return reportGram(dataset, kernel, result, result.notes, written);
  const { units, of, notes } = result;
  tell(options, ...notes, `wrote ${output}`);
  if (json) emitJson({ dataset: dataset.name, units, of, shard, output, notes });
  else emit(`${dataset.name}: shard ${shard!.index}/${shard!.count}, ${units} of ${of} tiles`);
}
