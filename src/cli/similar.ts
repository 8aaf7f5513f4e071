/** `graphdos similar DATA --graph 12`: the nearest graphs of one. `graphdos similar A B`: how far apart two graphs are, and why. */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import { type Dataset, graphTitle } from "../data/dataset.js";
import { type ComputedInput, kernelInput } from "../experiment/kernel-run.js";
import { type MemorySize, similarMemory } from "../experiment/memory.js";
import { type ComparedGraph, type NodeGap, nodeGaps } from "../experiment/similarity.js";
import { graphSpectrum, spectralDistance } from "../experiment/spectrum.js";
import type { KernelContext } from "../kernel/part.js";
import { type FittedKernel, fitKernel, kernelCrossGram, kernelDistances } from "../kernel/registry.js";
import { kernelBandwidths, kernelRow } from "../kernel/row.js";
import { type Distances, pairwiseDistances } from "../kernel/signatures.js";
import { nearestInRow } from "../learn/nearest.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import { PICTURE_FORMATS } from "../report/picture.js";
import { emit, emitJson, loadData, wholeNumber } from "./common.js";
import { checkExecutorAndStore, withExecutor } from "./executor-choice.js";
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
import {
  className,
  comparisonText,
  type Difference,
  distanceText,
  neighbourText,
  type PartDistance,
} from "./similar-text.js";
import { wholeNumberIn } from "./spectral-options.js";

interface SimilarOptions extends KernelCommandOptions {
  graph?: number;
  otherGraph?: number;
  neighbours?: number;
  reference?: string;
  output?: string;
}

const NEIGHBOURS = 10;

export function addSimilarCommand(program: Command): void {
  const command = program
    .command("similar")
    .description("the nearest graphs of one graph, or how far apart two graphs are and why")
    .argument("<data>", "a data set with --graph, or the first of two graph files")
    .argument("[other]", "the second graph file, or a data set with --other-graph")
    .option("--graph <number>", "which graph of <data>, from 0", wholeNumber)
    .option("--other-graph <number>", "which graph of [other], from 0", wholeNumber)
    .option(
      "-k, --neighbours <number>",
      `how many of the nearest graphs (default ${NEIGHBOURS})`,
      wholeNumberIn(1, Number.MAX_SAFE_INTEGER),
    )
    .option("--reference <data>", "two graphs: give the kernel value too, with this data set's bandwidths")
    .option("-o, --output <file>", "a picture (.svg, .png): both densities, and the nodes that differ most");
  addKernelCommandOptions(command, "dos+ldos")
    .addHelpText(
      "after",
      `
A kernel value needs a bandwidth, the typical distance in a set of graphs. Of two graphs alone it would be their own
distance and every pair would be equally similar, so two graphs get distances; --reference gives them a scale.
With --graph alone the picture compares the graph with its nearest.`,
    )
    .action(async (data: string, other: string | undefined, _, called: Command) => {
      const options = called.optsWithGlobals<SimilarOptions>();
      const kernel = chosenKernel(options, called, { spectra: true });
      checkExecutorAndStore(options);
      if (options.output !== undefined) outputKind(options.output, PICTURE_FORMATS);
      const inputs = { ...options, data: [data, other, options.reference] };
      await checkOutputs([{ option: "--output", path: options.output }], inputs);
      if (other === undefined) await nearest(data, options, kernel);
      else await compare(data, other, options, kernel);
    });
}

/** The nearest graphs of one, over the whole data set. */
async function nearest(data: string, options: SimilarOptions, kernel: ChosenKernel): Promise<void> {
  const { neighbours: k = NEIGHBOURS, output } = options;
  if (options.otherGraph !== undefined)
    throw badCall(`--other-graph ${options.otherGraph} belongs to a second data set; to choose, use --graph`);
  if (options.reference !== undefined)
    throw badCall("--reference belongs to two graphs: the bandwidth here is that of the data set itself");
  const dataset = await loadData(data, options);
  const of = pick(dataset, options.graph, "--graph");
  if (dataset.graphs.length === 1)
    throw badCall(`${dataset.name} has one graph only: give a second graph to compare it with`);
  checkMemory(`similar in ${dataset.name}`, dataset, options, kernel);

  const { found, bandwidths, distances, notes, pair } = await withExecutor(
    options,
    async (executor, control) => {
      const needs = [...kernel.needs, ...(output === undefined ? [] : [spectralNeed(kernel, options)])];
      const input = await kernelInput(dataset, needs, kernel.profiling, executor, control);
      const context = { executor, shared: true, ...control };
      const fitted = await fitKernel(kernel.spec, input, kernel.options, context);
      const row = await kernelRow(fitted, of, {
        executor,
        ...control,
        nameOf: input.nameOf,
        seed: options.seed,
      });
      const list = nearestInRow(row, k);
      return {
        ...{ found: list, bandwidths: row.bandwidths, distances: row.distances },
        notes: [...unusedNotes(dataset, kernel), ...fitted.notes, ...row.notes],
        pair: output === undefined ? null : explain(dataset, input, [of, list[0].index], options, kernel),
      };
    },
  );
  if (pair !== null) await draw(output!, pair, options);

  const neighbours = found.map(({ index, similarity, distance }) => ({
    ...{ graph: index, name: graphTitle(dataset, index), class: className(dataset, index) },
    ...{ similarity, distance, parts: partDistances(kernel, distances, index) },
    nodes: dataset.graphs[index].nodeCount,
    edges: dataset.graphs[index].edgeCount,
  }));
  tell(options, ...notes);
  if (options.json)
    emitJson({
      ...{ dataset: dataset.name, graph: of, name: graphTitle(dataset, of), class: className(dataset, of) },
      ...{ kernel: kernel.spec.name, options: kernel.options, neighbours },
      bandwidths: bandwidths.map((bandwidth, p) => ({ part: kernel.spec.parts[p].name, ...bandwidth })),
      ...{ output: output ?? null, notes },
    });
  else emit(neighbourText(dataset, of, kernel.spec, neighbours));
}

/** `set`: all graphs that a kernel is fitted on or compares. */
function checkMemory(
  what: string,
  set: Pick<Dataset, "graphs">,
  options: SimilarOptions,
  kernel: ChosenKernel,
): void {
  const task = { moments: kernel.profiling.moments ?? 50, workers: localWorkers(options) };
  const estimate = (workers: number) => (size: MemorySize) =>
    similarMemory(kernel.spec, kernel.options, { ...task, workers, size });
  requireMemory(set, options, {
    what,
    estimate: estimate(task.workers),
    ways: [{ words: "--workers 1", estimate: estimate(Math.min(1, task.workers)) }],
  });
}

/** Two graphs by themselves. */
async function compare(
  data: string,
  other: string,
  options: SimilarOptions,
  kernel: ChosenKernel,
): Promise<void> {
  const { reference, output } = options;
  if (options.neighbours !== undefined)
    throw badCall(`--neighbours ${options.neighbours} does nothing with two graphs; leave it out`);
  if (reference !== undefined && kernel.options.combine === "geometric")
    throw badCall("combine=geometric has no value for a single pair of graphs: choose another combination");
  const sets = [await loadData(data, options), await loadData(other, options)];
  const chosen = [
    pick(sets[0], options.graph, "--graph"),
    pick(sets[1], options.otherGraph, "--other-graph"),
  ];
  const names = chosen.map((g, k) => graphTitle(sets[k], g));
  const pairSet: Dataset = {
    ...sets[0],
    name: `${data} and ${other}`,
    graphs: chosen.map((g, k) => sets[k].graphs[g]),
    graphNames: names[0] === names[1] ? [data, other] : names,
    nodeIds: chosen.map((g, k) => sets[k].nodeIds?.[g] ?? null),
    ...{ classes: null, classNames: [], targets: null },
    unread: [...new Set(sets.flatMap(({ unread = [] }) => unread))],
  };
  const referenceSet = reference === undefined ? null : await loadData(reference, options);
  if (referenceSet !== null) requireGraphs(referenceSet);
  const all = { graphs: [...pairSet.graphs, ...(referenceSet?.graphs ?? [])] };
  checkMemory(`similar of ${pairSet.name}`, all, options, kernel);

  const {
    pair,
    distances,
    scaled,
    notes: made,
  } = await withExecutor(options, async (executor, control) => {
    const { spec, needs, profiling } = kernel;
    const context = { executor, ...control };
    const wanted = [...needs, spectralNeed(kernel, options)];
    const input = await kernelInput(pairSet, wanted, profiling, executor, control);
    const difference = explain(pairSet, input, [0, 1], options, kernel);
    if (referenceSet === null) {
      const fitted = await fitKernel(spec, input, kernel.options, context);
      const parts = await kernelDistances(fitted, { ...context, nameOf: input.nameOf });
      return { pair: difference, distances: parts, scaled: null, notes: fitted.notes };
    }
    const learnt = await kernelInput(referenceSet, needs, profiling, executor, control);
    const fitted = await fitKernel(spec, learnt, kernel.options, context);
    const scale = { ...context, nameOf: learnt.nameOf, seed: options.seed };
    const { bandwidths, notes: drawn } = await kernelBandwidths(fitted, scale);
    const parts = await embeddedDistances(fitted, input, context);
    const value = kernelCrossGram(fitted, parts, bandwidths).values[1];
    return {
      ...{ pair: difference, distances: parts, notes: [...fitted.notes, ...drawn] },
      scaled: { value, reference: referenceSet.name, bandwidths },
    };
  });
  if (output !== undefined) await draw(output, pair, options);

  const parts = partDistances(kernel, distances, 1);
  const notes = [...unusedNotes(pairSet, kernel), ...made];
  tell(options, ...notes);
  if (options.json) {
    const { spectra, gaps, distance } = pair;
    emitJson({
      graphs: spectra.map(({ name, nodes, edges }) => ({ name, nodes, edges })),
      ...{ kernel: kernel.spec.name, options: kernel.options, parts, spectralDistance: distance },
      similarity: scaled,
      nodes: { first: gaps.first.map(plainGap), second: gaps.second.map(plainGap) },
      ...{ output: output ?? null, notes },
    });
  } else emit(comparisonText(kernel.spec, pair, parts, scaled));
}

/** Distances between the two graphs of `input`, embedded as the fitted kernel embeds unseen graphs. */
async function embeddedDistances(
  fitted: FittedKernel,
  input: ComputedInput,
  context: KernelContext,
): Promise<Distances[]> {
  const all: Distances[] = [];
  for (const part of fitted.parts)
    all.push(await pairwiseDistances(await part.embed(input, context), { ...context, nameOf: input.nameOf }));
  return all;
}

function pick({ graphs, name }: Dataset, wanted: number | undefined, option: string): number {
  requireGraphs({ graphs, name } as Dataset);
  if (wanted === undefined && graphs.length > 1)
    throw badCall(
      `${name} holds ${graphs.length} graphs: choose one with ${option}, 0 to ${graphs.length - 1}`,
    );
  if (wanted !== undefined && wanted >= graphs.length)
    throw badCall(
      `${option} ${wanted}: ${name} has no such graph: expected ${graphs.length === 1 ? "0, its only one" : `0 to ${graphs.length - 1}`}`,
    );
  return wanted ?? 0;
}

/** The profiles whose densities are drawn: those that the kernel uses, where it uses any. */
const spectralNeed = ({ needs }: ChosenKernel, options: SimilarOptions) => ({
  selfLoops: needs.find(({ selfLoops }) => selfLoops !== null)?.selfLoops ?? options.selfLoops ?? false,
  graphs: false,
  nodes: true,
});

function explain(
  dataset: Dataset,
  input: ComputedInput,
  two: readonly [number, number],
  options: SimilarOptions,
  kernel: ChosenKernel,
): Difference {
  const profiles = spectralNeed(kernel, options).selfLoops ? input.selfLoopProfiles! : input.profiles!;
  const { damping, filter } = options;
  const [a, b] = two.map((g): ComparedGraph => {
    const nodeIds = dataset.nodeIds?.[g] ?? null;
    return { name: graphTitle(dataset, g), graph: dataset.graphs[g], profile: profiles[g], nodeIds };
  });
  const spectrum = ({ name, graph, profile }: ComparedGraph) =>
    graphSpectrum(graph, profile, { name, damping, filter });
  const spectra: Difference["spectra"] = [spectrum(a), spectrum(b)];
  return { spectra, distance: spectralDistance(...spectra), gaps: nodeGaps(a, b, { damping }) };
}

async function draw(path: string, { spectra, gaps, distance }: Difference, options: SimilarOptions) {
  // Plot, the small DOM and the renderer take a while to load: only when they are needed
  const [{ similarityPicture }, { pictureBytes }] = await Promise.all([
    import("../report/similarity-figure.js"),
    import("../report/picture.js"),
  ]);
  const svg = similarityPicture(spectra, gaps, { note: distanceText(distance) });
  await writeFileAtomically(path, await pictureBytes(svg, outputKind(path, PICTURE_FORMATS)));
  tell(options, `wrote ${path}`);
}

/** Entry `at` of the distances of each part. */
const partDistances = ({ spec }: ChosenKernel, distances: readonly Distances[], at: number): PartDistance[] =>
  distances.map(({ kind, values, errorBound }, p) => ({
    part: spec.parts[p].name,
    distance: kind === "similarities" ? Math.sqrt(Math.max(0, 2 - 2 * values[at])) : values[at],
    errorBound,
  }));

/** Without the densities, which are for the picture. */
const plainGap = ({ node, index, degree, alike, gap, nearest: near }: NodeGap) => ({
  ...{ node, index, degree, alike, gap, nearest: near },
});
