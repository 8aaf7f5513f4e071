/** What `features` writes, from a fitted kernel: the .npz and .csv files, and the words on stdout and stderr about them. */
import { badCall } from "../base/errors.js";
import { graphTitle, type SetSummary } from "../data/dataset.js";
import { type NpzEntry, writeNpz } from "../data/npz.js";
import { integerLabels } from "../data/write-gram.js";
import type { ComputedInput } from "../experiment/kernel-run.js";
import { quantity } from "../experiment/wording.js";
import type { FittedKernel } from "../kernel/registry.js";
import type { VectorSignatures } from "../kernel/signatures.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import type { SpectralProfile } from "../spectrum/profile.js";
import { emit, emitJson } from "./common.js";
import { type ChosenKernel, tell } from "./kernel-options.js";

export const FEATURE_FORMATS = ["npz", "csv"] as const;
export type FeatureFormat = (typeof FEATURE_FORMATS)[number];

export interface FeatureResult {
  set: SetSummary;
  kernel: ChosenKernel;
  fitted: FittedKernel;
  input: ComputedInput;
}

export interface FeatureOutput {
  output: string;
  format: FeatureFormat;
  nodes: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** Writes the file; what is to be said about it is said by `reportFeatures`. */
export async function writeFeatures(
  { set, fitted, input }: FeatureResult,
  { output, format, nodes }: FeatureOutput,
  signal?: AbortSignal,
): Promise<void> {
  const content =
    format === "csv"
      ? featureTable(set, fitted)
      : featureArrays(
          fitted,
          integerLabels(set).values,
          nodes ? (input.profiles ?? input.selfLoopProfiles!) : null,
        );
  if (output === "-") for (const line of content as Iterable<string>) emit(line);
  else await writeFileAtomically(output, content, { signal });
}

export function reportFeatures({ set, kernel, fitted, input }: FeatureResult, options: FeatureOutput): void {
  const { output, format, nodes } = options;
  const labels = integerLabels(set);
  const profiles = input.profiles ?? input.selfLoopProfiles ?? [];
  const parts = columnsOf(fitted);
  const dimensions = parts.reduce((sum, { columns }) => sum + columns, 0);
  const notes = [...fitted.notes, ...(format === "csv" || labels.note === null ? [] : [labels.note])];
  tell(options, ...notes);
  if (output !== "-") tell(options, `wrote ${output}`);
  if (options.json) {
    const rows = profiles.reduce((sum, { rowCount }) => sum + rowCount, 0);
    emitJson({
      ...{ dataset: set.name, graphs: set.graphs.length, kernel: kernel.spec.name },
      ...{ options: fitted.options, moments: profiles[0]?.moments ?? null, dimensions, parts },
      labels: labels.kind,
      ...(nodes ? { nodeRows: rows, nodeProfilesOf: nodeProfilesOf(kernel) } : {}),
      ...{ output, notes },
    });
  } else if (output !== "-")
    emit(
      `${set.name}: ${quantity(set.graphs.length, "graph")}, ${quantity(dimensions, "dimension")} (${parts
        .map(({ part, columns }) => `${part} ${columns}`)
        .join(", ")})`,
    );
}

/** Which profiles --nodes writes: those of A where the kernel uses them. */
const nodeProfilesOf = ({ needs }: ChosenKernel) =>
  needs.some(({ selfLoops }) => selfLoops === false) ? "A" : "A + I";

export function vectorsOf({ spec, parts }: Pick<FittedKernel, "spec" | "parts">): VectorSignatures[] {
  return parts.map(({ signatures }, k) => {
    if (signatures.kind === "vectors") return signatures;
    const part = spec.parts[k];
    const way =
      "mmd" in part.options
        ? `--option ${spec.parts.length > 1 ? `${part.name}.` : ""}mmd=low-rank`
        : "--kernel ldos --self-loops (the same to a stated tolerance) or --kernel retgk2";
    throw badCall(
      `kernel ${spec.name}: ${part.name} compares all nodes of two graphs exactly and has no vector for a graph: use ${way}`,
    );
  });
}

const columnsOf = (fitted: FittedKernel) =>
  vectorsOf(fitted).map(({ dimension }, k) => ({ part: fitted.spec.parts[k].name, columns: dimension }));

function featureArrays(
  fitted: FittedKernel,
  labels: Int32Array,
  profiles: readonly SpectralProfile[] | null,
): Uint8Array {
  const vectors = vectorsOf(fitted);
  const graphs = labels.length;
  const width = vectors.reduce((sum, { dimension }) => sum + dimension, 0);
  const signature = new Float64Array(graphs * width);
  let column = 0;
  for (const { dimension, values } of vectors) {
    for (let g = 0; g < graphs; g++)
      signature.set(values.subarray(g * dimension, (g + 1) * dimension), g * width + column);
    column += dimension;
  }
  const entries: Record<string, NpzEntry> = {
    signature: { data: signature, shape: [graphs, width] },
    labels: { data: labels },
  };
  if (profiles !== null) Object.assign(entries, nodeArrays(profiles));
  return writeNpz(entries);
}

function nodeArrays(profiles: readonly SpectralProfile[]): Record<string, NpzEntry> {
  const offsets = new Int32Array(profiles.length + 1);
  profiles.forEach(({ rowCount }, g) => {
    offsets[g + 1] = offsets[g] + rowCount;
  });
  const rows = offsets[profiles.length];
  const width = profiles[0].moments + 1;
  const weights = new Float64Array(rows);
  const moments = new Float64Array(rows * width);
  profiles.forEach((profile, g) => {
    weights.set(profile.weights, offsets[g]);
    moments.set(profile.rows, offsets[g] * width);
  });
  return {
    node_offsets: { data: offsets },
    node_weights: { data: weights },
    node_moments: { data: moments, shape: [rows, width] },
  };
}

/** graph, class, then the numbers of each part, counted from 1. */
function* featureTable(dataset: SetSummary, fitted: FittedKernel): Generator<string> {
  const vectors = vectorsOf(fitted);
  const head = vectors.flatMap(({ dimension }, k) =>
    Array.from({ length: dimension }, (_, d) => `${fitted.spec.parts[k].name}_${d + 1}`),
  );
  yield `graph,class,${head.join(",")}\n`;
  for (let g = 0; g < dataset.graphs.length; g++) {
    const numbers = vectors.flatMap(({ dimension, values }) =>
      Array.from(values.subarray(g * dimension, (g + 1) * dimension)),
    );
    const name = dataset.graphNames === null ? String(g) : graphTitle(dataset, g);
    const label = dataset.classes === null ? "" : dataset.classNames[dataset.classes[g]];
    yield `${field(name)},${field(label)},${numbers.join(",")}\n`;
  }
}

const field = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
