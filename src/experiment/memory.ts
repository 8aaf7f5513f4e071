/**
 * How much memory a command will need, before it starts: pure functions of sizes. With n graphs, N nodes, R rows of moments (twins once,
 * R <= N), M moments, w workers:
 *
 *   program     Node, and a thread with its kernels for every worker
 *   graphs      twice: as they are, and packed for the workers; 96N for reading and twins
 *   profiles    8R(M + 2) + 4N + 8n(M + 12) bytes for each of A and A + I that is needed
 *   signatures  8nd for vectors of d numbers; local densities also keep 8RM for the rows that they compare
 *   distances   n² numbers for every part of every point of the grid that has its own, and 4n² bytes of tiles: workers give each pair once
 *               in double precision, and the main thread, which then waits for the folds, collects them late
 *   Gram        n² numbers a part and for all parts together; in an evaluation one Gram and one copy for the SVM in every worker
 *
 * Typical sizes stand for what only the work shows (landmarks, patterns): the estimate is meant to be at least the peak and at most
 * twice as much, which bench/memory.ts measures for every kernel. O(1) but for memorySize.
 */
import { DENSE_BINS } from "../baseline/fgsd.js";
import { MAX_CLASSES } from "../baseline/laplacian.js";
import type { Dataset } from "../data/dataset.js";
import { TwinFinder } from "../graph/twins.js";
import type { OptionValues } from "../kernel/options.js";
import { type KernelSpec, kernelByName, kernelNeeds, partOptions } from "../kernel/registry.js";
import { BANDWIDTH_GRAPHS, needsWholeGram } from "../kernel/row.js";
import type { EstimatorChoice } from "../spectrum/profiles.js";
import type { Classifier } from "./evaluation-types.js";
import { type KernelPoint, type KernelRequest, kernelGrid } from "./grid.js";

export interface MemorySize {
  graphs: number;
  nodes: number;
  /** Entries of all adjacency matrices. */
  entries: number;
  /** Rows of moments: twins once. At most the nodes. */
  rows: number;
  /** Of two rows of the same graph, or of a row with itself, in graphs of at most MAX_CLASSES rows. */
  pairs: number;
  /** Graphs with more rows, of which FGSD takes a sample. */
  large: number;
  /** Different node labels; absent where they are not known or there are none. */
  labels?: number;
  /** Of the graphs themselves. */
  bytes: number;
}

export interface MemoryPart {
  what: string;
  bytes: number;
}

/** What is needed in all, and of what it consists, the largest first. */
export interface MemoryEstimate {
  bytes: number;
  parts: MemoryPart[];
}

const MIB = 2 ** 20;
/** With what the heap of Node holds before it is collected. Measured on MUTAG: 95 + 20 for each worker; up to 115 + 50 on ENZYMES. */
const PROGRAM_BYTES = 115 * MIB;
const WORKER_BYTES = 50 * MIB;
/** Landmarks that local densities take at the default tolerance: 2,789 on REDDIT-BINARY, 2,955 on REDDIT-MULTI-5K. */
const TYPICAL_RANK = 3000;
/** Numbers of a row of return probabilities that are left after rotation (signature/spectral-rotation.ts). */
const ROTATED = 24;
/** A stored count with its number, and what a table keeps of a pattern. */
const COUNT_BYTES = 40;

/** Resistances of sparse graphs mostly lie below this: FGSD has no more bins of a graph than fit there. Biharmonic distances have no usual range. */
const TYPICAL_RESISTANCE = 4;

/** While a set is read and its twins are found. Measured: train of REDDIT-BINARY, 859,254 nodes, takes 53 to 68 MiB beside the rest. */
const NODE_BYTES = 96;

/** A neighbour as an object, and its place in the order. */
const NEIGHBOUR_BYTES = 96;

/** Vectors of sage at the peak: results of the units, all together, packed for distances. Measured: 6.7 on AIDS, 7.3 on DD. */
const SAGE_COPIES = 8;

/** `twins: false` takes every node for a row, which needs no look at the edges. */
export function memorySize({ graphs }: Pick<Dataset, "graphs">, { twins = false } = {}): MemorySize {
  const size: MemorySize = {
    graphs: graphs.length,
    nodes: 0,
    entries: 0,
    rows: 0,
    pairs: 0,
    large: 0,
    bytes: 0,
  };
  const labels = new Set<number>();
  const finder = twins ? new TwinFinder() : null;
  for (const graph of graphs) {
    size.nodes += graph.nodeCount;
    size.entries += graph.targets.length;
    const rows = finder === null ? graph.nodeCount : finder.find(graph).count;
    size.rows += rows;
    if (rows > MAX_CLASSES) size.large++;
    else size.pairs += (rows * (rows + 1)) / 2;
    size.bytes += graph.byteLength;
    for (const label of graph.labels ?? []) labels.add(label);
  }
  if (labels.size > 0) size.labels = labels.size;
  return size;
}

/** The header of a profile. */
const PROFILE_BYTES = 88;
/** Nodes that a graph is sampled at unless told. */
const SAMPLED = 256;

/** Rows, weights, trace and the row of each node. Probes also give the standard error of every moment; a sample has few rows. */
export function profileBytes(size: MemorySize, moments: number, estimator: EstimatorChoice = "auto"): number {
  const rows = estimator === "sample" ? Math.min(size.rows, SAMPLED * size.graphs) : size.rows;
  const each = PROFILE_BYTES + 8 * (moments + 1);
  return (estimator === "probes" ? 16 : 8) * rows * (moments + 2) + 4 * size.nodes + each * size.graphs;
}

/** The rows as they are and without repeats, the coordinates as they grow and as one array; the triangular factor as it grows. */
function landmarkBytes(options: OptionValues, { graphs }: MemorySize, rows: number, width: number): number {
  const rank = Math.min(options.maximumRank as number, TYPICAL_RANK, rows);
  return 2 * 8 * rows * width + 2 * 8 * graphs * rank + 8 * rank ** 2;
}

/** What a part keeps of the graphs, besides their profiles. */
export function signatureBytes(
  part: string,
  options: OptionValues,
  size: MemorySize,
  moments: number,
): number {
  const { graphs, nodes, entries, rows } = size;
  const number = (name: string) => options[name] as number;
  switch (part) {
    case "dos":
      return 8 * graphs * (moments + 1);
    case "dos-cdf":
      return 8 * graphs * number("points");
    case "ldos":
    case "retgk1":
    case "retgk2": {
      const mmd = part === "retgk1" ? "exact" : part === "retgk2" ? "fourier" : options.mmd;
      if (mmd === "exact") return 8 * rows * moments;
      if (mmd === "fourier") return 8 * rows * moments + 8 * graphs * number("features");
      return landmarkBytes(options, size, rows, Math.min(moments, ROTATED));
    }
    case "retgk-mc": {
      // a row for every node, and the counts that became it
      const steps = number("steps");
      if (options.mmd === "exact") return 12 * nodes * steps;
      if (options.mmd === "fourier") return 12 * nodes * steps + 8 * graphs * number("features");
      return 4 * nodes * steps + landmarkBytes(options, size, nodes, steps);
    }
    case "wl":
    case "wl-oa":
      // twins have one label between them in every iteration
      return COUNT_BYTES * rows * (1 + number("iterations")) + 4 * entries;
    case "sp":
      return COUNT_BYTES * nodes;
    case "fgsd": {
      // no more bins than pairs of twin classes, and one for each class; counts of near bins lie in a table, which is copied as it grows
      const pairs = size.pairs + size.large * number("sample") ** 2;
      const range = options.distance === "biharmonic" ? Number.POSITIVE_INFINITY : TYPICAL_RESISTANCE;
      const bins = range / number("binWidth");
      const table = graphs > 0 ? 16 * Math.min(DENSE_BINS, bins) : 0;
      return COUNT_BYTES * (rows + Math.min(pairs, graphs * bins)) + table;
    }
    case "sage":
      return (
        SAGE_COPIES *
        8 *
        graphs *
        number("features") *
        (options.labels === "nodes" ? 1 + (size.labels ?? 0) : 1)
      );
    default:
      return 8 * graphs * 256;
  }
}

export interface MemoryTask {
  size: MemorySize;
  /** M of the profiles. */
  moments: number;
  workers: number;
  estimator?: EstimatorChoice;
}

const program = (workers: number): MemoryPart => ({
  what: "the program",
  bytes: PROGRAM_BYTES + workers * WORKER_BYTES,
});
/** Parts that number labels in the order in which they meet them, and compare counts: all in the main thread, and no worker is started. */
const SEQUENTIAL: readonly string[] = ["wl", "wl-oa", "wwl"];

/** For what is done of a kernel before folds. */
const kernelProgram = ({ parts }: KernelSpec, workers: number): MemoryPart =>
  program(parts.every(({ name }) => SEQUENTIAL.includes(name)) ? 0 : workers);

/** Distances as workers give them: each pair once, in double precision. */
const tiles = ({ graphs }: MemorySize): MemoryPart => ({
  what: "tiles of distances",
  bytes: 4 * graphs ** 2,
});
const total = (parts: readonly MemoryPart[]) => parts.reduce((sum, { bytes }) => sum + bytes, 0);

function estimate(...parts: MemoryPart[]): MemoryEstimate {
  const present = parts.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes);
  return { bytes: total(present), parts: present };
}

type Setting = Pick<KernelPoint, "options" | "moments">;

const single = (spec: KernelSpec, options: OptionValues): Setting[] => [
  { options, moments: spec.parts.map(() => null) },
];

/** Graphs, the profiles of all settings, and the signatures of the setting that has the largest. `nodes`: rows are wanted in any case. */
function fitParts(
  spec: KernelSpec,
  settings: readonly Setting[],
  task: MemoryTask,
  nodes = false,
): MemoryPart[] {
  const { size, estimator } = task;
  /** By degree and kind: whether rows are wanted. */
  const profiles = new Map<string, { order: number; rows: boolean }>();
  let signatures = 0;
  for (const { options, moments } of settings) {
    const orders = moments.map((own) => Math.max(task.moments, own ?? 0));
    kernelNeeds(spec, options).forEach((need, k) => {
      if (need.selfLoops === null) return;
      const key = `${orders[k]} ${need.selfLoops}`;
      const rows = nodes || need.nodes || (profiles.get(key)?.rows ?? false);
      profiles.set(key, { order: orders[k], rows });
    });
    const own = spec.parts.reduce(
      (sum, part, k) =>
        sum + signatureBytes(part.name, partOptions(spec, k, options), size, moments[k] ?? task.moments),
      0,
    );
    signatures = Math.max(signatures, own);
  }
  let bytes = 0;
  for (const { order, rows } of profiles.values())
    bytes += profileBytes(rows ? size : { ...size, rows: size.graphs }, order, rows ? estimator : "auto");
  return [
    { what: "graphs", bytes: 2 * size.bytes + NODE_BYTES * size.nodes },
    { what: "profiles", bytes },
    { what: "signatures", bytes: signatures },
  ];
}

/**
 * `graphdos features`: the vectors once more as the file. `nodes`: the moments of the nodes too; `ownRows`: these come from profiles of
 * their own, and those of the signature are still there.
 */
export function featuresMemory(
  spec: KernelSpec,
  options: OptionValues,
  task: MemoryTask & { nodes: boolean; ownRows?: boolean },
): MemoryEstimate {
  const { size, moments, workers, nodes, ownRows = false } = task;
  const [graphs, profiles, signatures] = fitParts(spec, single(spec, options), task, nodes);
  if (ownRows) profiles.bytes += fitParts(spec, single(spec, options), task)[1].bytes;
  const vectors = spec.parts.reduce((sum, part, k) => {
    const own = partOptions(spec, k, options);
    return sum + Math.min(signatureBytes(part.name, own, size, moments), 8 * size.graphs * TYPICAL_RANK);
  }, 0);
  const file = 2 * vectors + (nodes ? 3 * 8 * size.rows * (moments + 2) : 0);
  return estimate(kernelProgram(spec, workers), graphs, profiles, signatures, {
    what: "the file",
    bytes: file,
  });
}

/**
 * `graphdos similar` of one graph in a set: the distances within the graphs that bandwidths come from, of one part after another, then
 * one row of distances and kernel values, and the neighbours in order. The geometric mean makes the whole matrix (kernel/row.ts).
 */
export function similarMemory(spec: KernelSpec, options: OptionValues, task: MemoryTask): MemoryEstimate {
  if (needsWholeGram({ spec, options })) return gramMemory(spec, options, { ...task, float32: false });
  const { graphs } = task.size;
  return estimate(
    kernelProgram(spec, task.workers),
    ...fitParts(spec, single(spec, options), task),
    { what: "distances for the bandwidth", bytes: 8 * Math.min(graphs, BANDWIDTH_GRAPHS) ** 2 },
    { what: "kernel values", bytes: (8 * 2 * spec.parts.length + NEIGHBOUR_BYTES) * graphs },
  );
}

/** `graphdos gram`: distances and Gram of every part, and the Gram of all together. */
export function gramMemory(
  spec: KernelSpec,
  options: OptionValues,
  task: MemoryTask & { float32: boolean },
): MemoryEstimate {
  const matrix = (task.float32 ? 4 : 8) * task.size.graphs ** 2;
  const parts = spec.parts.length;
  return estimate(
    kernelProgram(spec, task.workers),
    ...fitParts(spec, single(spec, options), task),
    tiles(task.size),
    { what: "distances", bytes: parts * matrix },
    { what: "the Gram matrix", bytes: (parts === 1 ? 1 : parts + 1) * matrix },
  );
}

/**
 * `graphdos evaluate` with one kernel: distances for the whole grid, kept while every worker makes Gram matrices of them. `train` keeps
 * the same distances, in double precision, and one worker fits. The nearest neighbour and the geometric mean need double precision too; what
 * they make anew for every point stands beside the last until it is collected.
 */
export function evaluationMemory(
  request: KernelRequest,
  task: MemoryTask & { train?: boolean; classifier?: Classifier },
): MemoryEstimate {
  const spec = kernelByName(request.name);
  const points = kernelGrid(spec, request);
  const { size, workers, train = false, classifier = "svm" } = task;
  const square = size.graphs ** 2;
  const geometric = points.some((point) => point.options.combine === "geometric");
  const nearest = classifier === "1nn";
  const double = train || nearest || geometric;
  const keys = new Set(points.flatMap((point) => point.distanceKeys)).size;
  const distances = { what: `distances (${keys} in the grid)`, bytes: (double ? 8 : 4) * keys * square };
  const fit = fitParts(spec, points, task);
  const whole = 8 * (1 + spec.parts.length);
  const each = nearest
    ? 2 * (spec.parts.length === 1 ? 8 : whole)
    : (train ? whole : geometric ? whole + 4 : request.blend === undefined ? 4 : 8) + 4;
  const folds = {
    what: "Gram matrices of the workers",
    bytes: each * square * (train ? 1 : Math.max(1, workers)),
  };
  const fitting = estimate(program(workers), ...fit, distances, tiles(size));
  const folding = estimate(program(workers), fit[0], distances, tiles(size), folds);
  return fitting.bytes > folding.bytes ? fitting : folding;
}

/** `graphdos predict`: profiles and signatures of the unseen graphs, and their distances to the supports. */
export function predictMemory(
  spec: KernelSpec,
  options: OptionValues,
  task: MemoryTask & { supports: number },
): MemoryEstimate {
  const matrix = 8 * task.size.graphs * task.supports;
  const bytes = 2 * spec.parts.length * matrix;
  return estimate(kernelProgram(spec, task.workers), ...fitParts(spec, single(spec, options), task), {
    what: "kernel values",
    bytes,
  });
}

/** `graphdos spectrum`: the graphs, a copy that the workers share, blocks of vectors and the profiles. */
export function spectrumMemory(task: MemoryTask, nodes: boolean): MemoryEstimate {
  const { size, moments, workers, estimator } = task;
  const LANES = 8;
  const vectors = 3 * 8 * LANES * size.nodes * Math.max(1, workers);
  return estimate(
    program(workers),
    { what: "graphs", bytes: 3 * size.bytes },
    { what: "vectors", bytes: vectors },
    { what: "profiles", bytes: nodes ? profileBytes(size, moments, estimator) : 0 },
  );
}
