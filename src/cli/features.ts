/** `graphdos features DATA --kernel K -o f.npz`: one vector a graph, and with --nodes the moments of its nodes, for other programs. */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import { type Executor, inlineExecutor } from "../compute/executor.js";
import type { Dataset } from "../data/dataset.js";
import { featureSignature, featureVectors } from "../experiment/feature-files.js";
import { type ComputedInput, kernelInput } from "../experiment/kernel-run.js";
import { featuresMemory, type MemorySize } from "../experiment/memory.js";
import { quantity } from "../experiment/wording.js";
import type { KernelNeeds } from "../kernel/part.js";
import { type FittedKernel, fitKernel } from "../kernel/registry.js";
import { chooseEstimator } from "../spectrum/profiles.js";
import { emit, emitJson, loadData } from "./common.js";
import { checkExecutorAndStore, withExecutor } from "./executor-choice.js";
import { FEATURE_FORMATS, type FeatureFormat, reportFeatures, writeFeatures } from "./feature-file.js";
import { writeFeaturePart } from "./feature-part.js";
import {
  addKernelCommandOptions,
  type ChosenKernel,
  chosenKernel,
  type KernelCommandOptions,
  requireGraphs,
  tell,
  unusedNotes,
} from "./kernel-options.js";
import { localWorkers, requireMemory } from "./memory-limit.js";
import { checkOutputs, outputKind } from "./outputs.js";
import { addShardOption, type Shard } from "./shard.js";

interface FeaturesOptions extends KernelCommandOptions {
  output: string;
  nodes?: boolean;
  shard?: Shard;
}

export function addFeaturesCommand(program: Command): void {
  const command = program
    .command("features")
    .description("one vector a graph, and the moments of its nodes, for numpy and others")
    .argument("<data>", "a registered name, a file, a folder, or synthetic:NAME")
    .requiredOption("-o, --output <file>", "where to write: .npz or .csv; - is CSV on stdout")
    .option("--nodes", "also the Chebyshev moments of the nodes, twins once with their weight (.npz)");
  addShardOption(addKernelCommandOptions(command, "ldos"))
    .addHelpText(
      "after",
      `
The .npz file holds
  signature     graphs × dimensions, float64; the vectors of several parts side by side
  labels        int32: the classes where they are integers, else their numbers from 0; -1 without classes
for kernels that count patterns (wl, wl-oa, wwl, propagation, sp, graphlet, fgsd), in place of signature
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
  const { output, nodes = false, shard } = options;
  if (shard !== undefined) outputKind(output, ["part"]);
  const format = shard === undefined ? outputKind(output, FEATURE_FORMATS, { standard: "csv" }) : "npz";
  const kernel = chosenKernel(options, called);
  if (nodes && format === "csv")
    throw badCall("--nodes writes several arrays, which a table cannot hold: use -o FILE.npz");
  if (kernel.needs.every(({ selfLoops }) => selfLoops === null)) {
    if (nodes)
      throw badCall(`--nodes: kernel ${kernel.spec.name} uses no moments of nodes; choose another, as ldos`);
    if (shard !== undefined)
      throw badCall(`--shard: kernel ${kernel.spec.name} has no profiles to share out: leave it out`);
  }
  if (options.json && output === "-")
    throw badCall("--json and -o - both write to stdout: leave one of them out");
  await checkVectors(kernel, format);
  checkExecutorAndStore(options);
  await checkOutputs([{ option: "--output", path: output, stdout: true }], { ...options, data: [data] });

  const dataset = await loadData(data, options);
  requireGraphs(dataset);
  const ownRows = nodes && rowsApart(dataset, kernel);
  const needs = kernel.needs.map((need) => (nodes && !ownRows ? { ...need, nodes } : need));
  checkMemory(dataset, options, kernel, ownRows);
  if (shard !== undefined) {
    if (ownRows)
      throw badCall(
        `--shard with --nodes: a part holds one profile of a graph, and here the moments of nodes are not those of the signature, which come from probes: leave --nodes out, or give --estimator exact or sample`,
      );
    const graphs = await withExecutor(options, (executor, control) =>
      writeFeaturePart({ output, dataset, kernel, needs, nodes, shard }, executor, control),
    );
    tell(options, ...unusedNotes(dataset, kernel), `wrote ${output}`);
    const summary = { dataset: dataset.name, graphs, of: dataset.graphs.length, shard, output };
    if (options.json) emitJson(summary);
    else emit(`${dataset.name}: shard ${shard.index}/${shard.count}, ${graphs} of ${summary.of} graphs`);
    return;
  }
  const written = { output, format, nodes, json: options.json, quiet: options.quiet };
  const result = await withExecutor(options, async (executor, control) => {
    const made = {
      set: dataset,
      kernel,
      ...(await fittedOn({ dataset, kernel, needs, nodes, ownRows }, executor, control)),
    };
    await writeFeatures(made, written, control.signal);
    return made;
  });
  reportFeatures(result, written);
}

/**
 * Whether --nodes needs profiles beside those of the kernel: where traces alone would come from probes. Rows of exact moments and of a
 * sample cost their sums nothing, and a kernel that looks at nodes has them already.
 */
function rowsApart({ graphs }: Dataset, { needs, profiling }: ChosenKernel): boolean {
  return [false, true].some((selfLoops) => {
    const own = needs.filter((need) => need.selfLoops === selfLoops);
    if (own.length === 0 || own.some((need) => need.nodes)) return false;
    const traces = { ...profiling, selfLoops, nodes: false };
    return graphs.some((graph) => chooseEstimator(graph, traces).name === "probes");
  });
}

interface FeatureWork {
  dataset: Dataset;
  kernel: ChosenKernel;
  needs: readonly KernelNeeds[];
  nodes: boolean;
  /** Profiles of their own for --nodes. */
  ownRows: boolean;
}

/** The fitted kernel; the profiles, the largest of all that was made, are let go before the file is made unless they go into it. */
async function fittedOn(
  { dataset, kernel, needs, nodes, ownRows }: FeatureWork,
  executor: Executor,
  control: RunControl,
): Promise<{ fitted: FittedKernel; input: ComputedInput }> {
  const input = await kernelInput(dataset, needs, kernel.profiling, executor, control);
  const context = { executor, shared: true, ...control };
  const fitted = await fitKernel(kernel.spec, input, kernel.options, context);
  const notes = [...unusedNotes(dataset, kernel), ...fitted.notes];
  if (!ownRows) return { fitted: { ...fitted, notes }, input: nodes ? input : { nameOf: input.nameOf } };
  // a tolerance is that of means, which the signature has: rows of `auto` are a sample of nodes
  const { tolerance, ...sampled } = kernel.profiling;
  const chosen = kernel.profiling.estimator === "auto";
  const rowNeeds = kernel.needs.map((need) => ({ ...need, nodes }));
  const rows = await kernelInput(dataset, rowNeeds, chosen ? sampled : kernel.profiling, executor, control);
  return {
    fitted: { ...fitted, notes: [...notes, rowsNote(rows, chosen ? tolerance : undefined)] },
    input: rows,
  };
}

/** How the moments of nodes were computed, where they are not those that the signature was made of. */
function rowsNote({ profiles, selfLoopProfiles }: ComputedInput, left: number | undefined): string {
  const names = (profiles ?? selfLoopProfiles!).map(({ estimator }) => estimator.name);
  const counts = [...new Set(names)].map(
    (name) => `${name} for ${quantity(names.filter((own) => own === name).length, "graph")}`,
  );
  const tolerance = left === undefined ? "" : `; --tolerance ${left} is that of the signature alone`;
  return `--nodes: the moments of nodes were computed apart from the signature, which comes from probes: ${counts.join(", ")}${tolerance}`;
}

function checkMemory(
  dataset: Dataset,
  options: FeaturesOptions,
  { spec, options: own, profiling }: ChosenKernel,
  ownRows: boolean,
): void {
  const [workers, moments] = [localWorkers(options), profiling.moments ?? 50];
  const task = { moments, workers, nodes: options.nodes ?? false, ownRows, estimator: profiling.estimator };
  const estimate = (change: Partial<typeof task>) => (size: MemorySize) =>
    featuresMemory(spec, own, { ...task, ...change, size });
  requireMemory(dataset, options, {
    what: `features of ${dataset.name}`,
    estimate: estimate({}),
    ways: [
      { words: `--moments ${moments >> 1}`, estimate: estimate({ moments: moments >> 1 }) },
      { words: "--workers 1", estimate: estimate({ workers: Math.min(1, workers) }) },
      { words: "no --nodes", estimate: estimate({ nodes: false, ownRows: false }) },
    ],
  });
}

/** The signatures of no graphs at all tell whether they are vectors: before the work, not after it. */
async function checkVectors({ spec, options }: ChosenKernel, format: FeatureFormat): Promise<void> {
  const nothing = { profiles: [], selfLoopProfiles: [], graphs: [] };
  const { parts } = await fitKernel(spec, nothing, options, { executor: inlineExecutor() });
  if (format === "csv") featureVectors({ spec, parts });
  else featureSignature({ spec, parts });
}
