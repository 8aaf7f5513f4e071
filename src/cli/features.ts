/** `graphdos features DATA --kernel K -o f.npz`: one vector a graph, and with --nodes the moments of its nodes, for other programs. */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import { inlineExecutor } from "../compute/executor.js";
import { integerLabels } from "../data/write-gram.js";
import {
  featureArrays,
  featureColumns,
  featureSignature,
  featureTable,
  featureVectors,
} from "../experiment/feature-files.js";
import { kernelInput } from "../experiment/kernel-run.js";
import { quantity } from "../experiment/wording.js";
import { fitKernel } from "../kernel/registry.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import { emit, emitJson, loadData } from "./common.js";
import {
  addKernelCommandOptions,
  type ChosenKernel,
  checkWritable,
  chosenKernel,
  type KernelCommandOptions,
  outputKind,
  requireGraphs,
  tell,
  withExecutor,
} from "./kernel-options.js";

interface FeaturesOptions extends KernelCommandOptions {
  output: string;
  nodes?: boolean;
}

const FORMATS = ["npz", "csv"] as const;

export function addFeaturesCommand(program: Command): void {
  const command = program
    .command("features")
    .description("one vector a graph, and the moments of its nodes, for numpy and others")
    .argument("<data>", "a registered name, a file, a folder, or synthetic:NAME")
    .requiredOption("-o, --output <file>", "where to write: .npz or .csv; - is CSV on stdout")
    .option("--nodes", "also the Chebyshev moments of the nodes, twins once with their weight (.npz)");
  addKernelCommandOptions(command, "ldos")
    .addHelpText(
      "after",
      `
The .npz file holds
  signature     graphs × dimensions, float64; the vectors of several parts side by side
  labels        int32: the classes where they are integers, else their numbers from 0; -1 without classes
for kernels that count patterns (wl, wl-oa, sp, graphlet, fgsd), in place of signature
  signature_data, signature_indices, signature_indptr, signature_shape
                a sparse matrix of counts, as scipy.sparse.csr_matrix((data, indices, indptr), shape) takes it
and with --nodes
  node_offsets  graphs + 1, int32: rows node_offsets[g] to node_offsets[g + 1] are those of graph g
  node_weights  float64: how many nodes a row stands for
  node_moments  rows × (moments + 1), float64: T_m(Ã)_ii, m = 0, 1, …, not damped`,
    )
    .action(async (data: string, _, called: Command) =>
      features(data, called.optsWithGlobals<FeaturesOptions>(), called),
    );
}

async function features(data: string, options: FeaturesOptions, called: Command): Promise<void> {
  const { output, nodes = false } = options;
  const format = outputKind(output, FORMATS, { standard: "csv" });
  const kernel = chosenKernel(options, called);
  if (nodes && format === "csv")
    throw badCall("--nodes writes several arrays, which a table cannot hold: use -o FILE.npz");
  if (nodes && kernel.needs.every(({ selfLoops }) => selfLoops === null))
    throw badCall(`--nodes: kernel ${kernel.spec.name} uses no moments of nodes; choose another, as ldos`);
  if (options.json && output === "-")
    throw badCall("--json and -o - both write to stdout: leave one of them out");
  await checkVectors(kernel, format);
  await checkWritable(output);

  const dataset = await loadData(data, options);
  requireGraphs(dataset);
  const labels = integerLabels(dataset);
  const { fitted, profiles } = await withExecutor(options, async (executor, control) => {
    const needs = kernel.needs.map((need) => (nodes ? { ...need, nodes } : need));
    const input = await kernelInput(dataset, needs, kernel.profiling, executor, control);
    const made = await fitKernel(kernel.spec, input, kernel.options, { executor, ...control });
    const content =
      format === "csv"
        ? featureTable(dataset, made)
        : featureArrays(made, labels.values, nodes ? (input.profiles ?? input.selfLoopProfiles!) : null);
    if (output === "-") for (const line of content as Iterable<string>) emit(line);
    else await writeFileAtomically(output, content, control);
    return { fitted: made, profiles: input.profiles ?? input.selfLoopProfiles ?? [] };
  });

  const parts = featureColumns(fitted);
  const dimensions = parts.reduce((sum, { columns }) => sum + columns, 0);
  const notes = [...fitted.notes, ...(format === "csv" || labels.note === null ? [] : [labels.note])];
  tell(options, ...notes);
  if (output !== "-") tell(options, `wrote ${output}`);
  if (options.json) {
    const rows = profiles.reduce((sum, { rowCount }) => sum + rowCount, 0);
    emitJson({
      ...{ dataset: dataset.name, graphs: dataset.graphs.length, kernel: kernel.spec.name },
      ...{ options: fitted.options, moments: profiles[0]?.moments ?? null, dimensions, parts },
      labels: labels.kind,
      ...(nodes ? { nodeRows: rows, nodeProfilesOf: nodeProfilesOf(kernel) } : {}),
      ...{ output, notes },
    });
  } else if (output !== "-")
    emit(
      `${dataset.name}: ${quantity(dataset.graphs.length, "graph")}, ${quantity(dimensions, "dimension")} (${parts
        .map(({ part, columns }) => `${part} ${columns}`)
        .join(", ")})`,
    );
}

/** Which profiles --nodes writes: those of A where the kernel uses them. */
const nodeProfilesOf = ({ needs }: ChosenKernel) =>
  needs.some(({ selfLoops }) => selfLoops === false) ? "A" : "A + I";

/** The signatures of no graphs at all tell whether they are vectors: before the work, not after it. */
async function checkVectors({ spec, options }: ChosenKernel, format: "npz" | "csv"): Promise<void> {
  const nothing = { profiles: [], selfLoopProfiles: [], graphs: [] };
  const { parts } = await fitKernel(spec, nothing, options, { executor: inlineExecutor() });
  if (format === "csv") featureVectors({ spec, parts });
  else featureSignature({ spec, parts });
}
