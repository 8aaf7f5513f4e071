/** `graphdos spectrum GRAPH`: the density of states of one graph, in the terminal, as a picture, as a table or as JSON. */
import type { Command } from "commander";
import { badCall, badData, nearestName } from "../base/errors.js";
import { type Dataset, graphTitle, type NodeIds } from "../data/dataset.js";
import {
  type LocalDensityMap,
  type LocalMapOptions,
  localDensityMap,
  namedDensityMap,
} from "../experiment/local-map.js";
import { type MemorySize, spectrumMemory } from "../experiment/memory.js";
import { type GraphSpectrum, graphSpectrum, spectralDistance } from "../experiment/spectrum.js";
import { densityTable } from "../experiment/spectrum-table.js";
import { unusedMarks } from "../experiment/unused-marks.js";
import { formatNumber } from "../experiment/wording.js";
import type { Graph } from "../graph/graph.js";
import { writeFileAtomically } from "../node/atomic-file.js";
import { threadExecutor } from "../node/worker-threads.js";
import type { SpectralProfile } from "../spectrum/profile.js";
import { chooseEstimator, computeProfiles } from "../spectrum/profiles.js";
import { exactNodeMoments } from "../spectrum/sample.js";
import { sharedRunner } from "../spectrum/step-runner.js";
import {
  addDataOptions,
  type DataOptions,
  emit,
  emitJson,
  loadData,
  wholeNumber,
  withProgress,
} from "./common.js";
import { tell } from "./kernel-options.js";
import { addMemoryOption, type MemoryOptions, ownWorkers, requireMemory } from "./memory-limit.js";
import { checkOutputs, outputKind } from "./outputs.js";
import { addSpectralOptions, profileOptions, type SpectralOptions } from "./spectral-options.js";
import { chartWidth, localMapText, spectrumText } from "./spectrum-text.js";
import { say } from "./terminal.js";

interface SpectrumCommandOptions extends DataOptions, SpectralOptions, MemoryOptions {
  float32?: boolean;
  seed: number;
  graph?: number;
  output?: string;
  nodes?: boolean;
  node?: string[];
  compare?: string;
  compareGraph?: number;
  json?: boolean;
}

const OUTPUTS = ["svg", "png", "csv"] as const;
type OutputFormat = (typeof OUTPUTS)[number];

const TERMINAL_ROWS = 12;

export function addSpectrumCommand(program: Command): void {
  const command = addDataOptions(program.command("spectrum"))
    .description("density of states of one graph, with the eigenvalues of its motifs marked")
    .argument("<graph>", "a graph file, or a data set with --graph")
    .option("--graph <number>", "which graph of a data set, from 0", wholeNumber)
    .option("-o, --output <file>", "write a picture (.svg, .png) or a table (.csv)")
    .option("--nodes", "also the local densities of the nodes: a heat map, or columns of a table")
    .option(
      "--node <names>",
      "the local densities of these nodes, by name, with commas between; exact in graphs of any size (repeatable)",
      (text: string, before: string[] | undefined) => [...(before ?? []), text],
    )
    .option("--compare <graph>", "draw the density of a second graph too, and give their distance")
    .option("--compare-graph <number>", "which graph of the second data set, from 0", wholeNumber)
    .option(
      "--float32",
      "with --estimator probes: vectors in single precision, twice as many probes at a time",
    )
    .option("--json", "print one JSON document");
  addMemoryOption(addSpectralOptions(command)).action(async (data: string, _, called: Command) =>
    spectrum(data, called.optsWithGlobals<SpectrumCommandOptions>()),
  );
}

async function spectrum(data: string, options: SpectrumCommandOptions): Promise<void> {
  const { compare, compareGraph, nodes = false, node, output, damping, filter } = options;
  if (nodes && node !== undefined)
    throw badCall("--nodes is of all nodes, --node of some: leave one of them out");
  if (compare !== undefined && (nodes || node !== undefined))
    throw badCall(
      `--node${nodes ? "s" : ""} draws the nodes of one graph: leave out --compare, or draw each graph by itself`,
    );
  if (compare === undefined && compareGraph !== undefined)
    throw badCall(`--compare-graph ${compareGraph} belongs to --compare; to choose the graph, use --graph`);
  if (options.float32 && options.estimator !== "probes")
    throw badCall("--float32 is for --estimator probes: give both, or neither");
  const profiling = { ...profileOptions(options), nodes: false, float32: options.float32 };
  const format = output === undefined ? null : outputKind(output, OUTPUTS);
  await checkOutputs([{ option: "--output", path: output }], { ...options, data: [data, compare] });

  const chosen = [pickGraph(await loadData(data, options), options.graph, "--graph")];
  if (compare !== undefined)
    chosen.push(pickGraph(await loadData(compare, options), compareGraph, "--compare-graph"));
  const { moments = 50, estimator } = profiling;
  const task = { moments, estimator, workers: ownWorkers(options) };
  const needs = (workers: number) => (size: MemorySize) => spectrumMemory({ ...task, workers, size }, nodes);
  requireMemory({ graphs: chosen.map(({ graph }) => graph) }, options, {
    what: `spectrum of ${chosen.map(({ name }) => name).join(" and ")}`,
    estimate: needs(task.workers),
    ways: [{ words: "--workers 1", estimate: needs(1) }],
  });
  const named = node === undefined ? null : pickNodes(node, chosen[0]);
  const { profiles, local } = await withProgress(options, async (control) => {
    const executor = threadExecutor(options.workers);
    const graphs = chosen.map(({ graph }) => graph);
    // rows of exact moments and of a sample cost their sums nothing; beside probes, the nodes have an estimator of their own
    const together = nodes && chooseEstimator(graphs[0], profiling).name !== "probes";
    try {
      const profiles = await computeProfiles(graphs, { ...profiling, nodes: together }, executor, control);
      if (named !== null) {
        const { moments = 50, selfLoops = false } = profiling;
        const own = { moments, selfLoops, ...control };
        const rows = await exactNodeMoments(graphs[0], named.indices, await sharedRunner(executor), own);
        const local = (shape: LocalMapOptions) => namedDensityMap(named.names, rows, shape);
        return { profiles, local };
      }
      if (!nodes || together) return { profiles, local: nodes ? mapOf(profiles[0]) : null };
      const own = { ...profiling, nodes: true, float32: false };
      if (profiling.estimator === "auto") own.tolerance = undefined;
      return { profiles, local: mapOf((await computeProfiles(graphs, own, executor, control))[0]) };
    } finally {
      await executor.close();
    }
  });
  const notes = chosen.flatMap(({ unused }) => (unused === null ? [] : [unused]));
  tell(options, ...new Set(notes));
  const spectra = chosen.map(({ graph, name }, k) =>
    graphSpectrum(graph, profiles[k], { name, damping, filter }),
  );
  const distance = spectra.length === 2 ? spectralDistance(spectra[0], spectra[1]) : null;

  if (output !== undefined && format !== null) {
    // a table has the nodes in columns beside the density, on its grid
    const columns = format === "csv" ? spectra[0].grid.length : undefined;
    const map = local?.({ damping, columns });
    await writeFileAtomically(output, await outputContent(format, spectra, distance, map));
    if (!options.quiet) say(`wrote ${output}`);
  }
  if (options.json) emitJson({ ...jsonDocument(spectra, distance, local), notes: [...new Set(notes)] });
  else emit(terminalText(spectra, distance, local, options));
}

/** The local densities in as many rows and columns as are asked for. */
type LocalMap = (shape: LocalMapOptions) => LocalDensityMap;

const mapOf =
  (profile: SpectralProfile): LocalMap =>
  (shape) =>
    localDensityMap(profile, shape);

/** The nodes of `--node a,b --node c`: by what their file calls them, else by number from 0. */
function pickNodes(texts: readonly string[], { graph, name, nodeIds }: Chosen) {
  const ids = nodeIds === null ? null : Array.from(nodeIds as ArrayLike<string | number>, String);
  const known = new Map(ids?.map((id, i) => [id, i]));
  const find = (id: string): number | undefined =>
    ids !== null ? known.get(id) : /^\d+$/.test(id) && Number(id) < graph.nodeCount ? Number(id) : undefined;
  // a name may hold a comma itself
  const names = texts.flatMap((text) => (find(text) === undefined ? text.split(",") : [text]));
  const indices = names.map((id) => {
    const index = find(id);
    if (index !== undefined) return index;
    const near = ids === null ? null : nearestName(id, ids);
    const hint = near !== null ? `; did you mean ${near}?` : ids === null ? nodeRange(graph) : "";
    throw badCall(`--node ${id}: ${name} has no such node${hint}`);
  });
  return { names, indices };
}

const nodeRange = ({ nodeCount }: Graph) =>
  nodeCount === 0 ? "" : `: expected a number from 0 to ${nodeCount - 1}`;

interface Chosen {
  graph: Graph;
  name: string;
  nodeIds: NodeIds | null;
  unused: string | null;
}

function pickGraph(dataset: Dataset, wanted: number | undefined, option: string): Chosen {
  const { graphs, name } = dataset;
  if (graphs.length === 0) throw badData(`${name}: has no graphs`);
  if (wanted === undefined && graphs.length > 1)
    throw badCall(
      `${name} holds ${graphs.length} graphs: choose one with ${option}, 0 to ${graphs.length - 1}`,
    );
  const number = wanted ?? 0;
  if (number >= graphs.length)
    throw badCall(
      `${option} ${number}: ${name} has no such graph: expected ${graphs.length === 1 ? "0, its only one" : `0 to ${graphs.length - 1}`}`,
    );
  const graph = graphs[number];
  const unused = unusedMarks({ graphs: [graph], targets: dataset.targets, unread: dataset.unread }, null);
  const nodeIds = dataset.nodeIds?.[number] ?? null;
  return { graph, name: graphTitle(dataset, number), nodeIds, unused };
}

async function outputContent(
  format: OutputFormat,
  spectra: readonly GraphSpectrum[],
  distance: number | null,
  localMap: LocalDensityMap | undefined,
): Promise<string | Uint8Array> {
  if (format === "csv") return densityTable(spectra, localMap);
  // Plot, the small DOM and the renderer take a while to load: only when they are needed
  const [{ densityPicture }, { pictureBytes }] = await Promise.all([
    import("../report/density-figure.js"),
    import("../report/picture.js"),
  ]);
  const note = distance === null ? undefined : distanceText(distance);
  const svg = densityPicture(spectra as [GraphSpectrum] | [GraphSpectrum, GraphSpectrum], { note, localMap });
  return pictureBytes(svg, format);
}

const distanceText = (distance: number) =>
  `Wasserstein-1 distance of the two spectra: ${formatNumber(distance, 3)}`;

function jsonDocument(spectra: readonly GraphSpectrum[], distance: number | null, local: LocalMap | null) {
  const [first, second] = spectra.map(({ name, ...rest }) => ({ graph: name, ...plainArrays(rest) }));
  if (second !== undefined) return { ...first, compare: second, distance };
  if (local === null) return first;
  const { grid, nodes, rows, names, values, estimator } = local({ damping: spectra[0].damping });
  const density = Array.from({ length: rows }, (_, r) =>
    Array.from(values.subarray(r * grid.length, (r + 1) * grid.length)),
  );
  return { ...first, local: { nodes, names, estimator, grid: Array.from(grid), density } };
}

/** The same with typed arrays as lists, which JSON would else write as objects. */
function plainArrays(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      entry instanceof Float64Array
        ? Array.from(entry)
        : key === "histogram"
          ? plainArrays(entry as object)
          : entry,
    ]),
  );
}

function terminalText(
  spectra: readonly GraphSpectrum[],
  distance: number | null,
  local: LocalMap | null,
  options: SpectrumCommandOptions,
): string {
  const columns = process.stdout.columns ?? 80;
  const chosen = options.estimator === "auto";
  const parts = spectra.map((each) => spectrumText(each, { columns, chosen }));
  if (local !== null && spectra[0].nodes > 0) {
    const shape = { rows: TERMINAL_ROWS, columns: chartWidth(columns), damping: options.damping };
    parts.push(localMapText(local(shape)));
  }
  if (distance !== null) parts.push(distanceText(distance));
  return parts.join("\n\n");
}
