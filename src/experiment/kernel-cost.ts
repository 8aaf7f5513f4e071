/**
 * What a kernel will cost on a data set before the folds begin: processor seconds for features and distances over its whole grid, and bytes for
 * the matrices. A model, not a measurement, so that the same call gives the same answer on every machine: counts of nodes, entries and
 * twin classes, times rough constants for one core of 2024: it tells minutes from hours, no more. O(nodes + edges).
 */

import { EXACT_CLASSES } from "../baseline/fgsd.js";
import type { Dataset } from "../data/dataset.js";
import { connectedComponents } from "../graph/components.js";
import type { Graph } from "../graph/graph.js";
import { twinClasses } from "../graph/twins.js";
import type { OptionValues } from "../kernel/options.js";
import { kernelByName, partOptions } from "../kernel/registry.js";
import type { SkippedKernel } from "./evaluation-types.js";
import { type KernelRequest, kernelGrid } from "./grid.js";
import { formatNumber } from "./wording.js";

/** Sums over the graphs of a set. */
export interface SetSize {
  graphs: number;
  nodes: number;
  entries: number;
  /** Twin classes c: Σ c, Σ c², Σ c³, and Σ c · entries. */
  classes: number;
  squares: number;
  cubes: number;
  searches: number;
  /** Different node labels; 0 without labels. */
  labels: number;
  /** Of the graphs that fgsd samples: Σ c², Σ c³, and what solving for one node costs (solveWork). */
  sampledSquares: number;
  sampledCubes: number;
  solves: number;
}

export function setSize({ graphs }: Pick<Dataset, "graphs">): SetSize {
  const size: SetSize = {
    ...{ graphs: graphs.length, nodes: 0, entries: 0, classes: 0, squares: 0, cubes: 0, searches: 0 },
    labels: 0,
    ...{ sampledSquares: 0, sampledCubes: 0, solves: 0 },
  };
  const labels = new Set<number>();
  for (const graph of graphs) {
    const c = twinClasses(graph).count;
    const entries = graph.targets.length;
    size.nodes += graph.nodeCount;
    size.entries += entries;
    size.classes += c;
    size.squares += c * c;
    size.cubes += c * c * c;
    size.searches += c * entries;
    for (const label of graph.labels ?? []) labels.add(label);
    if (c <= EXACT_CLASSES) continue;
    size.sampledSquares += c * c;
    size.sampledCubes += c * c * c;
    size.solves += solveWork(graph);
  }
  return { ...size, labels: labels.size };
}

/** Steps of conjugate gradients on R-MAT graphs of 20,000 nodes; graphs that mix slowly take more. */
const TYPICAL_STEPS = 135;
/** Besides the steps: bounds before and after them, in steps. */
const STEPS_AROUND = 8;

/** Steps × what one goes over. Preconditioned by a forest there are at most as many steps as independent cycles, and one. */
function solveWork(graph: Graph): number {
  const [nodes, entries] = [graph.nodeCount, graph.targets.length];
  const cycles = Math.max(0, entries / 2 - nodes + connectedComponents(graph).sizes.length);
  return (Math.min(1 + cycles, TYPICAL_STEPS) + STEPS_AROUND) * (entries + 5 * nodes);
}

export interface KernelCost {
  seconds: number;
  bytes: number;
}

/** Costs of one part with one setting, without the pairs of vectors. */
function partSeconds(part: string, options: OptionValues, s: SetSize): number {
  const number = (name: string) => options[name] as number;
  const profiles = 5e-9 * s.searches;
  const exactPairs = 6e-9 * s.classes ** 2;
  switch (part) {
    case "wl":
    case "wl-oa":
    case "wwl":
      return 1e-7 * (s.nodes + s.entries) * (1 + number("iterations")) + 2e-8 * s.graphs ** 2;
    case "propagation": {
      const h = number("iterations");
      return (1e-7 * s.nodes + 2e-9 * h * s.entries) * (1 + h) + 2e-8 * s.graphs ** 2;
    }
    case "sp":
      return 6e-9 * s.searches + 2e-8 * s.graphs ** 2;
    case "graphlet":
      return s.graphs * (options.size === 3 ? 1e-5 : options.size === 4 ? 1.5e-4 : 5e-4);
    case "rw":
      return options.labels !== "none" && s.labels > 0
        ? (6.4e-8 * s.nodes * s.entries) / s.labels
        : 3e-9 * s.entries * 110 + 1.5e-7 * s.graphs ** 2;
    case "fgsd": {
      // of one core: 0.35 s a sampled node on an R-MAT graph of 20,000 nodes, 9 ms on a path of as many
      const sampled = options.method === "exact" ? 0 : 1;
      const squares = s.squares - sampled * s.sampledSquares;
      const cubes = s.cubes - sampled * s.sampledCubes;
      const exact =
        options.distance === "harmonic" ? 2e-7 * squares + 1e-10 * cubes : 2.5e-7 * squares + 5e-10 * cubes;
      return exact + 7.5e-9 * number("sample") * sampled * s.solves;
    }
    case "netlsd":
      return 2.2e-10 * s.cubes + 5e-6 * s.classes;
    case "slaq":
      return number("probes") * number("steps") * (3e-8 * s.classes + 4e-6 * s.graphs);
    case "dgk":
      return 5e-7 * (s.nodes + s.entries) * (1 + number("iterations")) + 3;
    case "retgk-mc": {
      // walks, then the Fourier features of every node, or landmarks
      const features = options.mmd === "fourier" ? 0.5 * number("features") : 300;
      const steps = number("steps");
      return s.nodes * (5e-9 * number("walks") * steps + features * (1.5e-9 * steps + 1e-7));
    }
    case "sage":
      return profiles + 5e-8 * s.classes * number("features");
    case "dos":
    case "dos-cdf":
      return profiles;
    default:
      return profiles + (options.mmd === "exact" || part === "retgk1" ? exactPairs : 5e-5 * s.classes);
  }
}

export function kernelCost(size: SetSize, request: KernelRequest): KernelCost {
  const spec = kernelByName(request.name);
  const points = kernelGrid(spec, request);
  const matrices = new Map<string, number>();
  for (const point of points)
    spec.parts.forEach((part, k) => {
      const own = partOptions(spec, k, point.options);
      matrices.set(sharedKey(part.name, own, point.moments[k]), partSeconds(part.name, own, size));
    });
  const distances = new Set(points.flatMap((point) => point.distanceKeys)).size;
  let seconds = 1e-8 * distances * size.graphs ** 2;
  for (const one of matrices.values()) seconds += one;
  return { seconds, bytes: 8 * distances * size.graphs ** 2 };
}

/** Traces are computed once for all settings of the grid, counts once for all forms. */
function sharedKey(part: string, options: OptionValues, moments: number | null): string {
  const { form: _form, exponent: _exponent, bandwidth: _bandwidth, multiple: _multiple, ...own } = options;
  return part === "netlsd" || part === "slaq" ? part : JSON.stringify([part, moments, own]);
}

/** Matrices beyond this are not kept for a comparison of all kernels: 6 GiB. */
const MOST_BYTES = 6 * 2 ** 30;

/** The kernels that stay within so many processor seconds, and those that do not, each with a sentence. */
export function affordable(
  size: SetSize,
  requests: readonly KernelRequest[],
  limitSeconds: number,
): { kept: KernelRequest[]; skipped: SkippedKernel[] } {
  const kept: KernelRequest[] = [];
  const skipped: SkippedKernel[] = [];
  for (const request of requests) {
    const { seconds, bytes } = kernelCost(size, request);
    const reason =
      seconds > limitSeconds
        ? `too costly for this set: about ${minutes(seconds)} of processor time before the folds, more than the limit of ${minutes(limitSeconds)}; raise --limit, or name the kernel to have it in any case`
        : bytes > MOST_BYTES
          ? `too large for this set: its grid needs ${formatNumber(bytes / 2 ** 30, 1)} GiB of kernel matrices; name the kernel with a smaller --grid`
          : null;
    if (reason === null) kept.push(request);
    else skipped.push({ kernel: request.name, reason });
  }
  return { kept, skipped };
}

const minutes = (seconds: number) =>
  seconds < 120
    ? `${formatNumber(seconds, 0)} s`
    : seconds < 7200
      ? `${formatNumber(seconds / 60, 0)} min`
      : `${formatNumber(seconds / 3600, 1)} h`;
