/** `graphdos features DATA --kernel K -o f.npz`: one vector a graph, and with --nodes the moments of its nodes, for other programs. */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import type { CountFeatures } from "../baseline/sparse-counts.js";
import { inlineExecutor } from "../compute/executor.js";
import { csvField } from "../data/csv.js";
import { type Dataset, graphTitle } from "../data/dataset.js";
import { type NpzEntry, writeNpz } from "../data/npz.js";
import { integerLabels } from "../data/write-gram.js";
import { kernelInput } from "../experiment/kernel-run.js";
import { quantity } from "../experiment/wording.js";
import { type FittedKernel, fitKernel } from "../kernel/registry.js";
import type { CountSignatures, VectorSignatures } from "../kernel/signatures.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import type { SpectralProfile } from "../spectrum/profile.js";
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

  const parts = columnsOf(fitted);
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
  if (!Array.isArray(signatureOf({ spec, parts })) && format === "csv")
    throw badCall(
      `kernel ${spec.name} counts patterns, far more than a table has room for: use -o FILE.npz, which holds them as a sparse matrix`,
    );
}

/** The dense vectors of a kernel, or the sparse counts of one that counts patterns. */
function signatureOf({
  spec,
  parts,
}: Pick<FittedKernel, "spec" | "parts">): VectorSignatures[] | CountSignatures {
  const [{ signatures }] = parts;
  return parts.length === 1 && signatures.kind === "counts" ? signatures : vectorsOf({ spec, parts });
}

function vectorsOf({ spec, parts }: Pick<FittedKernel, "spec" | "parts">): VectorSignatures[] {
  return parts.map(({ signatures }, k) => {
    if (signatures.kind === "vectors") return signatures;
    const part = spec.parts[k];
    if (signatures.kind === "walks")
      throw badCall(
        `kernel ${spec.name}: labelled walks are counted pair by pair and have no vector for a graph: use --option labels=none, or graphdos gram`,
      );
    const way =
      "mmd" in part.options
        ? `--option ${spec.parts.length > 1 ? `${part.name}.` : ""}mmd=low-rank`
        : "--kernel ldos --self-loops (the same to a stated tolerance) or --kernel retgk2";
    throw badCall(
      `kernel ${spec.name}: ${part.name} compares all nodes of two graphs exactly and has no vector for a graph: use ${way}`,
    );
  });
}

const columnsOf = (fitted: FittedKernel) => {
  const signature = signatureOf(fitted);
  if (!Array.isArray(signature)) return [{ part: fitted.spec.name, columns: signature.features.known }];
  return signature.map(({ dimension }, k) => ({ part: fitted.spec.parts[k].name, columns: dimension }));
};

function featureArrays(
  fitted: FittedKernel,
  labels: Int32Array,
  profiles: readonly SpectralProfile[] | null,
): Uint8Array {
  const vectors = signatureOf(fitted);
  const graphs = labels.length;
  if (!Array.isArray(vectors)) return countArrays(vectors.features, labels);
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

/** Compressed sparse rows, as scipy.sparse.csr_matrix((data, indices, indptr), shape) takes them. */
function countArrays({ graphs, known, offsets, ids, counts }: CountFeatures, labels: Int32Array): Uint8Array {
  return writeNpz({
    signature_data: { data: counts },
    signature_indices: { data: Int32Array.from(ids) },
    signature_indptr: { data: Int32Array.from(offsets) },
    signature_shape: { data: Int32Array.of(graphs, known) },
    labels: { data: labels },
  });
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
function* featureTable(dataset: Dataset, fitted: FittedKernel): Generator<string> {
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
    yield `${csvField(name)},${csvField(label)},${numbers.join(",")}\n`;
  }
}
