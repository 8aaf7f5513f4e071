/** `graphdos gram DATA --kernel K -o gram.npy`: the kernel matrix of a data set, for numpy, scikit-learn, LIBSVM and others. */
import { totalmem } from "node:os";
import type { Command } from "commander";
import { badCall, badData } from "../base/errors.js";
import type { Dataset } from "../data/dataset.js";
import { writeNpy } from "../data/npy.js";
import {
  GRAM_FORMATS,
  type GramFormat,
  gramCsv,
  gramLibsvm,
  gramNpy,
  integerLabels,
} from "../data/write-gram.js";
import { kernelInput } from "../experiment/kernel-run.js";
import { formatNumber, quantity } from "../experiment/wording.js";
import type { Bandwidth } from "../kernel/bandwidth.js";
import { checkDefinite, type Definiteness } from "../kernel/definiteness.js";
import { checkFinite, type Gram } from "../kernel/gram.js";
import { fitKernel, kernelDistances, kernelGram } from "../kernel/registry.js";
import { type FileContent, writeFileAtomically } from "../node/atomic-file.js";
import { emit, emitJson, loadData } from "./common.js";
import {
  addKernelCommandOptions,
  type ChosenKernel,
  checkDifferent,
  checkWritable,
  chosenKernel,
  type KernelCommandOptions,
  outputKind,
  requireGraphs,
  tell,
  tooLarge,
  warn,
  withExecutor,
} from "./kernel-options.js";

interface GramOptions extends KernelCommandOptions {
  output: string;
  labels?: string;
  float32?: boolean;
}

export function addGramCommand(program: Command): void {
  const command = program
    .command("gram")
    .description("kernel matrix of a data set, for numpy, scikit-learn and LIBSVM")
    .argument("<data>", "a registered name, a file, a folder, or synthetic:NAME")
    .requiredOption("-o, --output <file>", "where to write: .npy, .csv or .libsvm; - is CSV on stdout")
    .option("--labels <file>", "also write the classes, as an .npy file of int32")
    .option("--float32", "single precision: half of the memory and of the file");
  addKernelCommandOptions(command, "dos+ldos")
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
  const { output, labels: labelFile, float32 = false } = options;
  const format = outputKind(output, GRAM_FORMATS, { standard: "csv" });
  if (labelFile !== undefined) outputKind(labelFile, ["npy"], { option: "--labels" });
  checkDifferent(output, labelFile, "--labels");
  if (options.json && output === "-")
    throw badCall("--json and -o - both write to stdout: leave one of them out");
  const kernel = chosenKernel(options, called);
  await checkWritable(output);
  if (labelFile !== undefined) await checkWritable(labelFile);

  const dataset = await loadData(data, options);
  requireGraphs(dataset);
  checkMemory(dataset, kernel, float32);
  const labels = integerLabels(dataset);
  if (labelFile !== undefined && labels.kind === "none")
    throw badData(`${dataset.name} has no classes: leave out --labels`);

  const result = await withExecutor(options, async (executor, control) => {
    const { spec, profiling, needs } = kernel;
    const input = await kernelInput(dataset, needs, profiling, executor, control);
    const context = { executor, ...control };
    const fitted = await fitKernel(spec, input, kernel.options, context);
    const distances = await kernelDistances(fitted, { ...context, float32, nameOf: input.nameOf });
    const made = kernelGram(fitted, distances, undefined, { float32 });
    const matrix = stored(made.gram, float32);
    checkFinite(matrix, input.nameOf);
    const content = gramContent(format, matrix, dataset.targets ?? labels.values);
    if (output === "-") for (const line of content as Iterable<string>) emit(line);
    else await writeFileAtomically(output, content, control);
    if (labelFile !== undefined) await writeFileAtomically(labelFile, writeNpy(labels.values), control);
    return {
      bandwidths: made.bandwidths.map((bandwidth, k) => ({
        ...{ part: spec.parts[k].name, gamma: null, exponent: null, typical: null, from: null, ...bandwidth },
        ...{ errorBound: distances[k].errorBound, mostNegative: distances[k].mostNegative },
      })),
      definiteness: checkDefinite(matrix, `the matrix of kernel ${spec.name}`),
      notes: fitted.notes,
    };
  });

  const { bandwidths, definiteness } = result;
  const scaled = bandwidths.some(({ gamma }) => gamma !== null);
  const notes = [...result.notes, ...gramNotes(dataset, format, labelFile, labels.note, scaled)];
  if (definiteness.warning !== null) warn(definiteness.warning);
  tell(options, ...notes);
  if (output !== "-")
    tell(options, ...[output, labelFile].flatMap((file) => (file ? [`wrote ${file}`] : [])));
  const { spec, options: resolved, profiling } = kernel;
  if (options.json)
    emitJson({
      ...{ dataset: dataset.name, graphs: dataset.graphs.length, kernel: spec.name, options: resolved },
      moments: needsProfiles(kernel) ? profiling.moments : null,
      ...{ float32, bandwidths, definiteness, output, labels: labelFile ?? null, notes },
    });
  else if (output !== "-") emit(gramText(dataset, kernel, bandwidths, definiteness));
}

const needsProfiles = ({ needs }: ChosenKernel) => needs.some(({ selfLoops }) => selfLoops !== null);

/** Distances and Gram of every part, and the Gram of all together. */
function checkMemory({ graphs, name }: Dataset, { spec }: ChosenKernel, float32: boolean): void {
  const matrices = spec.parts.length === 1 ? 2 : 2 * spec.parts.length + 1;
  const bytes = matrices * graphs.length ** 2 * (float32 ? 4 : 8);
  if (bytes > totalmem())
    throw tooLarge(`the kernel matrix of ${quantity(graphs.length, "graph")} of ${name}`, bytes, totalmem());
}

/** The geometric mean is made in double precision whatever was asked for. */
function stored(matrix: Gram, float32: boolean): Gram {
  return float32 && matrix.values instanceof Float64Array
    ? { ...matrix, values: Float32Array.from(matrix.values) }
    : matrix;
}

function gramContent(format: GramFormat, matrix: Gram, labels: ArrayLike<number>): FileContent {
  if (format === "npy") return gramNpy(matrix);
  return format === "csv" ? gramCsv(matrix) : gramLibsvm(matrix, labels);
}

function gramNotes(
  dataset: Dataset,
  format: GramFormat,
  labelFile: string | undefined,
  labelNote: string | null,
  scaled: boolean,
): string[] {
  const notes = scaled
    ? ["the bandwidth is that of all graphs, as there is no training part; see graphdos evaluate"]
    : [];
  if (format === "libsvm" && dataset.targets !== null)
    notes.push(`the labels of the file are the target values of ${dataset.name}`);
  else if (labelNote !== null && (format === "libsvm" || labelFile !== undefined)) notes.push(labelNote);
  return notes;
}

/** What the Gram of a part was made with; nulls for parts without a bandwidth. */
interface PartBandwidth extends Record<keyof Bandwidth, unknown> {
  part: string;
  gamma: number | null;
  exponent: 1 | 2 | null;
  typical: number | null;
  from: Bandwidth["from"] | null;
  errorBound: number;
}

function gramText(
  { name, graphs }: Dataset,
  { spec }: ChosenKernel,
  bandwidths: readonly PartBandwidth[],
  { smallest, largest, method }: Definiteness,
): string {
  const lines = [`${name}: ${quantity(graphs.length, "graph")}, kernel ${spec.name} (${spec.title})`];
  for (const { part, gamma, exponent, typical, from, errorBound } of bandwidths) {
    if (gamma === null || typical === null) {
      lines.push(`  ${part.padEnd(8)} normalised inner products, no bandwidth`);
      continue;
    }
    const power = exponent === 2 ? "d²" : "d";
    const error = errorBound > 0 ? `; distances right within ${errorBound.toExponential(1)}` : "";
    lines.push(
      `  ${part.padEnd(8)} exp(−γ ${power}), γ = ${formatNumber(gamma, 4)} (${power} = ${formatNumber(typical, 4)}: ${from})${error}`,
    );
  }
  const how = method === "lanczos" ? " (Lanczos iteration: the smallest may be a little smaller)" : "";
  lines.push(`  eigenvalues from ${smallest.toExponential(2)} to ${largest.toExponential(2)}${how}`);
  return lines.join("\n");
}
