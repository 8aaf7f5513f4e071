/** What `features` writes, from a fitted kernel: the .npz and .csv files, and the words on stdout and stderr about them. */
import type { SetSummary } from "../data/dataset.js";
import { npzParts } from "../data/npz.js";
import { integerLabels } from "../data/write-gram.js";
import { featureColumns, featureEntries, featureTable } from "../experiment/feature-files.js";
import type { ComputedInput } from "../experiment/kernel-run.js";
import { quantity } from "../experiment/wording.js";
import type { FittedKernel } from "../kernel/registry.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import { emit, emitData, emitJson } from "./common.js";
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
      : npzParts(
          featureEntries(
            fitted,
            integerLabels(set).values,
            nodes ? (input.profiles ?? input.selfLoopProfiles!) : null,
          ),
        );
  if (output === "-") for (const line of content as Iterable<string>) emitData(line);
  else await writeFileAtomically(output, content as Iterable<string | Uint8Array>, { signal });
}

export function reportFeatures({ set, kernel, fitted, input }: FeatureResult, options: FeatureOutput): void {
  const { output, format, nodes } = options;
  const labels = integerLabels(set);
  const profiles = input.profiles ?? input.selfLoopProfiles ?? [];
  const parts = featureColumns(fitted);
  const dimensions = parts.reduce((sum, { columns }) => sum + columns, 0);
  const notes = [...fitted.notes, ...(format === "csv" || labels.note === null ? [] : [labels.note])];
  tell(options, ...notes);
  if (output !== "-") tell(options, `wrote ${output}`);
  if (options.json) {
    const rows = profiles.reduce((sum, { rowCount }) => sum + rowCount, 0);
    emitJson({
      ...{ dataset: set.name, graphs: set.graphs.length, kernel: kernel.spec.name },
      ...{ options: fitted.options, moments: momentsOf(kernel), dimensions, parts },
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

const momentsOf = ({ needs, profiling }: ChosenKernel) =>
  needs.some(({ selfLoops }) => selfLoops !== null) ? (profiling.moments ?? 50) : null;

/** Which profiles --nodes writes: those of A where the kernel uses them. */
const nodeProfilesOf = ({ needs }: ChosenKernel) =>
  needs.some(({ selfLoops }) => selfLoops === false) ? "A" : "A + I";
