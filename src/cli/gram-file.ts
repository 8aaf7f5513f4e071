/** What `gram` writes, from the distances of a kernel: the matrix and its labels, and the words on stdout and stderr about them. */
import { badData } from "../base/errors.js";
import type { SetSummary } from "../data/dataset.js";
import { writeNpy } from "../data/npy.js";
import { type GramFormat, gramCsv, gramLibsvm, gramNpy, integerLabels } from "../data/write-gram.js";
import { formatNumber, quantity } from "../experiment/wording.js";
import type { Bandwidth } from "../kernel/bandwidth.js";
import { checkDefinite, type Definiteness } from "../kernel/definiteness.js";
import { checkFinite, type Gram } from "../kernel/gram.js";
import { kernelGram } from "../kernel/registry.js";
import type { Distances } from "../kernel/signatures.js";
import { type FileContent, writeFileAtomically } from "../node/atomic-file.js";
import { emit, emitData, emitJson } from "./common.js";
import { type ChosenKernel, tell, warn } from "./kernel-options.js";

export interface GramOutput {
  output: string;
  format: GramFormat;
  labelFile?: string;
  float32: boolean;
  json?: boolean;
  quiet?: boolean;
}

export interface GramResult {
  bandwidths: PartBandwidth[];
  definiteness: Definiteness;
}

/** Says before the work that there are no labels to write. */
export function checkLabels(set: SetSummary, { labelFile }: GramOutput): void {
  if (labelFile !== undefined && integerLabels(set).kind === "none")
    throw badData(`${set.name} has no classes: leave out --labels`);
}

export async function writeGram(
  set: SetSummary,
  { spec, options }: ChosenKernel,
  distances: readonly Distances[],
  { output, format, labelFile, float32 }: GramOutput,
  { nameOf, signal }: { nameOf: (g: number) => string; signal?: AbortSignal },
): Promise<GramResult> {
  const labels = integerLabels(set);
  const made = kernelGram({ spec, options }, distances, undefined, { float32 });
  const matrix = stored(made.gram, float32);
  checkFinite(matrix, nameOf);
  const content = gramContent(format, matrix, set.targets ?? labels.values);
  if (output === "-") for (const line of content as Iterable<string>) emitData(line);
  else await writeFileAtomically(output, content, { signal });
  if (labelFile !== undefined) await writeFileAtomically(labelFile, writeNpy(labels.values), { signal });
  return {
    bandwidths: made.bandwidths.map((bandwidth, k) => ({
      ...{ part: spec.parts[k].name, gamma: null, exponent: null, typical: null, from: null, ...bandwidth },
      ...{ errorBound: distances[k].errorBound, mostNegative: distances[k].mostNegative },
    })),
    definiteness: checkDefinite(matrix, `the matrix of kernel ${spec.name}`),
  };
}

export function reportGram(
  set: SetSummary,
  kernel: ChosenKernel,
  { bandwidths, definiteness }: GramResult,
  made: readonly string[],
  options: GramOutput,
): void {
  const { output, format, labelFile, float32 } = options;
  const scaled = bandwidths.some(({ gamma }) => gamma !== null);
  const notes = [...made, ...gramNotes(set, format, labelFile, integerLabels(set).note, scaled)];
  if (definiteness.warning !== null) warn(definiteness.warning);
  tell(options, ...notes);
  if (output !== "-")
    tell(options, ...[output, labelFile].flatMap((file) => (file ? [`wrote ${file}`] : [])));
  const { spec, options: resolved, profiling } = kernel;
  if (options.json)
    emitJson({
      ...{ dataset: set.name, graphs: set.graphs.length, kernel: spec.name, options: resolved },
      moments: needsProfiles(kernel) ? profiling.moments : null,
      ...{ float32, bandwidths, definiteness, output, labels: labelFile ?? null, notes },
    });
  else if (output !== "-") emit(gramText(set, kernel, bandwidths, definiteness));
}

const needsProfiles = ({ needs }: ChosenKernel) => needs.some(({ selfLoops }) => selfLoops !== null);

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
  dataset: SetSummary,
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
  mostNegative: number;
}

function gramText(
  { name, graphs }: SetSummary,
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
