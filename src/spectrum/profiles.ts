/**
 * Profiles of many graphs, or of one large graph, over all workers of an executor; the estimator is chosen by cost when asked to.
 *
 * Many graphs: chunks of about equal cost, each a unit. A graph whose expected time is long, alone: its steps run in all workers
 * over one shared memory, or its probes on other machines (remote-blocks.ts). `auto` takes exact moments where they cost at most AUTO_SECONDS a graph, else probes (trace only) or a sample
 * of nodes (where the moments of nodes are wanted), and says so in the profile.
 */
import { badCall, GraphdosError, unknownName } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Executor, Task } from "../compute/executor.js";
import { loadKernels } from "../compute/wasm.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs, unpackGraphs } from "../graph/pack.js";
import { BufferPool } from "./buffer-pool.js";
import { ExactProfiler, exactCost, MAX_MOMENTS } from "./exact.js";
import type { MotifFilter } from "./motif-filter.js";
import type { ProbeDistribution } from "./probe-options.js";
import { probeProfile } from "./probes.js";
import { SpectralProfile } from "./profile.js";
import { blocksElsewhere, type Elsewhere } from "./remote-blocks.js";
import { sampleProfile } from "./sample.js";
import { inlineRunner, type StepRunner, sharedRunner } from "./step-runner.js";

export const ESTIMATORS = ["auto", "exact", "probes", "sample"] as const;
export type EstimatorChoice = (typeof ESTIMATORS)[number];

export interface ProfileOptions {
  /** The highest moment M. Default 50. */
  moments?: number;
  estimator?: EstimatorChoice;
  /** Number of probes (probes) or of nodes (sample). Defaults 32 and 256. */
  probes?: number;
  tolerance?: number;
  /** Use A + I. Default false. */
  selfLoops?: boolean;
  seed?: number;
  filter?: MotifFilter;
  distribution?: ProbeDistribution;
  /** Probes for the trace alone: vectors in single precision. Default false. */
  float32?: boolean;
  /** Whether the moments of single nodes are wanted. Default true. */
  nodes?: boolean;
}

/** Exact moments that take longer than this for one graph are left to sampling by `auto`. */
export const AUTO_SECONDS = 20;
/** A graph with an expected time above this gets all workers for itself. */
const ALONE_SECONDS = 5;
/** Chunks for each worker: enough to even out wrong guesses of cost. */
const CHUNKS_A_WORKER = 8;
/** Chunks at least on other machines, whose number is not known. */
const REMOTE_CHUNKS = 64;

export function checkProfileOptions(options: ProfileOptions): void {
  const { moments = 50, estimator = "auto", tolerance } = options;
  if (!(Number.isSafeInteger(moments) && moments >= 1 && moments <= MAX_MOMENTS))
    throw badCall(`moments: got ${moments}, expected a whole number from 1 to ${MAX_MOMENTS}`);
  if (!ESTIMATORS.includes(estimator)) throw unknownName("estimator", estimator, ESTIMATORS);
  if (tolerance !== undefined && !(tolerance > 0))
    throw badCall(`tolerance: got ${tolerance}, expected a number above 0`);
  if (tolerance !== undefined && (estimator === "exact" || estimator === "sample"))
    throw badCall(`tolerance belongs to the estimator probes: got it with ${estimator}`);
}

interface ProfileUnit {
  graphs: ArrayBuffer;
  /** Numbers of the graphs in the set: each has random streams of its own. */
  indices: number[];
  options: ProfileOptions;
}

interface ProfileUnitResult {
  /** Each the part of a buffer that holds profiles. */
  buffers: Uint8Array[];
  /** Which of them, and the byte offset in it, of each profile. */
  places: [number, number][];
}

export const profileTask: Task<ProfileUnit, ProfileUnitResult> = {
  name: "profiles",
  describe: ({ indices }) => namesOf(indices),
  async run({ kernels }, { graphs: packed, indices, options }) {
    const graphs = unpackGraphs(packed);
    const { moments, selfLoops } = options;
    const exact = new ExactProfiler({ moments, selfLoops, kernels });
    const pool = new BufferPool();
    const profiles: SpectralProfile[] = [];
    for (let k = 0; k < graphs.length; k++) {
      const graph = graphs[k];
      try {
        if (chooseEstimator(graph, options).name === "exact") profiles.push(exact.profile(graph, pool));
        else profiles.push(await sampledProfile(graph, indices[k], inlineRunner(kernels), options));
      } catch (error) {
        throw ofGraph(indices[k], error);
      }
    }
    const ends = new Map<ArrayBufferLike, number>();
    for (const { buffer, byteOffset, byteLength } of profiles)
      ends.set(buffer, Math.max(ends.get(buffer) ?? 0, byteOffset + byteLength));
    const order = [...ends.keys()];
    return {
      buffers: order.map((buffer) => new Uint8Array(buffer, 0, ends.get(buffer))),
      places: profiles.map(({ buffer, byteOffset }) => [order.indexOf(buffer), byteOffset]),
    };
  },
  give: (unit) => [unit.graphs],
  transfer: (result) => result.buffers.map(({ buffer }) => buffer as ArrayBuffer),
};

/** The same error, saying of which graph. */
function ofGraph(index: number, error: unknown): unknown {
  if (!(error instanceof GraphdosError) || error.code === "bad-call") return error;
  return new GraphdosError(error.code, `graph ${index}: ${error.message}`, { cause: error });
}

const MOST_NAMED = 5;

/** "graph 7", "graphs 3, 8 and 12", "graphs 3, 8, 9, 12, 14 and 20 others" */
function namesOf(indices: readonly number[]): string {
  if (indices.length === 1) return `graph ${indices[0]}`;
  const named = indices.slice(0, indices.length > MOST_NAMED ? MOST_NAMED : -1);
  const last = indices.length > MOST_NAMED ? `${indices.length - MOST_NAMED} others` : indices.at(-1);
  return `graphs ${named.join(", ")} and ${last}`;
}

/** The estimator that will be used, and why. */
export function chooseEstimator(
  graph: Graph,
  options: ProfileOptions,
): { name: "exact" | "probes" | "sample"; note: string } {
  const { estimator = "auto", moments = 50, selfLoops = false } = options;
  if (estimator !== "auto") return { name: estimator, note: "" };
  const cheap = graph.nodeCount * (graph.targets.length + graph.nodeCount) * moments * 1e-9 < 1;
  if (cheap) return { name: "exact", note: "" };
  const { seconds } = exactCost(graph, { moments, selfLoops });
  if (seconds <= AUTO_SECONDS) return { name: "exact", note: "" };
  const note = `exact moments would take about ${Math.round(seconds)} s`;
  return { name: (options.nodes ?? true) ? "sample" : "probes", note };
}

async function sampledProfile(
  graph: Graph,
  index: number,
  runner: StepRunner,
  options: ProfileOptions,
  control: RunControl = {},
  elsewhere: Elsewhere | null = null,
): Promise<SpectralProfile> {
  const { name, note } = chooseEstimator(graph, options);
  const { moments, selfLoops, seed = 0 } = options;
  // graphs of a set differ in the upper half of the seed, so that their probes are independent
  const ownSeed = seed + index * 2 ** 32;
  if (name === "sample") {
    const own = { moments, selfLoops, seed: ownSeed, sample: options.probes, note };
    const blocks = elsewhere?.sample({ moments: moments ?? 50, selfLoops: selfLoops ?? false }) ?? null;
    return sampleProfile(graph, runner, { ...own, ...control }, blocks);
  }
  const { probes, tolerance, filter, distribution, nodes, float32 } = options;
  const own = {
    moments,
    selfLoops,
    seed: ownSeed,
    probes,
    tolerance,
    filter,
    distribution,
    nodes,
    float32,
    note,
  };
  return probeProfile(graph, runner, { ...own, ...control }, elsewhere?.probes(own) ?? null);
}

export interface ProfileControl extends RunControl {
  /** The graphs to profile; the others have no entry in the result. Default: all. */
  only?: readonly number[];
}

/** Profiles of the graphs, in their order. */
export async function computeProfiles(
  graphs: readonly Graph[],
  options: ProfileOptions,
  executor: Executor,
  control: ProfileControl = {},
): Promise<SpectralProfile[]> {
  checkProfileOptions(options);
  const profiles = new Array<SpectralProfile>(graphs.length);
  const wanted = control.only ?? graphs.map((_, g) => g);
  const costs = graphs.map((graph) => expectedCost(graph, options));
  const alone = wanted.filter(
    (g) => costs[g] > ALONE_SECONDS && chooseEstimator(graphs[g], options).name !== "exact",
  );
  const together = wanted.filter((g) => !alone.includes(g));
  let done = 0;
  const advance = (count: number) => {
    done += count;
    control.onProgress?.({ task: "profiles", done, total: wanted.length, unit: "graphs" });
  };

  const units = chunkByCost(together, costs, chunkCount(executor, together, costs)).map((indices) => ({
    graphs: packGraphs(indices.map((g) => graphs[g])),
    indices,
    options,
  }));
  await executor.map(profileTask, units, {
    signal: control.signal,
    onResult(unit, { buffers, places }) {
      units[unit].indices.forEach((g, k) => {
        const { buffer, byteOffset } = buffers[places[k][0]];
        profiles[g] = SpectralProfile.fromBuffer(buffer, byteOffset + places[k][1]);
      });
      advance(units[unit].indices.length);
    },
  });
  for (const g of alone) {
    const remote = executor.remote !== undefined;
    const runner = remote ? inlineRunner(await loadKernels()) : await sharedRunner(executor);
    const elsewhere = remote ? await blocksElsewhere(executor, graphs[g], control.signal) : null;
    profiles[g] = await sampledProfile(graphs[g], g, runner, options, control, elsewhere);
    advance(1);
  }
  return profiles;
}

/** A guess in seconds, for sharing out work: exact when it is likely to be long, crude when it cannot matter. */
function expectedCost(graph: Graph, options: ProfileOptions): number {
  const { estimator = "auto", moments = 50, probes = 32, selfLoops } = options;
  const entries = graph.targets.length + graph.nodeCount;
  if (estimator === "probes" || estimator === "sample") return entries * probes * moments * 0.5e-9;
  const upper = 2e-10 * graph.nodeCount * entries * moments;
  return upper < 0.05 ? upper + entries * 2e-8 : exactCost(graph, { moments, selfLoops }).seconds;
}

/** The graphs in so many shares of about equal cost, each ascending: the most expensive first, each to the share that has least. */
export function shareByCost(graphs: readonly Graph[], options: ProfileOptions, shares: number): number[][] {
  const costs = graphs.map((graph) => expectedCost(graph, options));
  const out: number[][] = Array.from({ length: shares }, () => []);
  const loads = new Float64Array(shares);
  for (const g of graphs.map((_, k) => k).sort((a, b) => costs[b] - costs[a] || a - b)) {
    let least = 0;
    for (let s = 1; s < shares; s++) if (loads[s] < loads[least]) least = s;
    out[least].push(g);
    loads[least] += costs[g];
  }
  return out.map((share) => share.sort((a, b) => a - b));
}

/** Chunks for the workers of this machine, or by time alone where these are many and change. */
function chunkCount(
  { workers, remote }: Executor,
  indices: readonly number[],
  costs: readonly number[],
): number {
  if (remote === undefined) return workers * CHUNKS_A_WORKER;
  const seconds = indices.reduce((sum, g) => sum + costs[g], 0);
  return Math.max(REMOTE_CHUNKS, Math.ceil(seconds / remote.unitSeconds));
}

/** Indices in chunks of about equal cost, the most expensive chunks first so that the last ones even out. */
function chunkByCost(indices: readonly number[], costs: readonly number[], chunks: number): number[][] {
  const total = indices.reduce((sum, g) => sum + costs[g], 0);
  const out: number[][] = [];
  let open: number[] = [];
  let cost = 0;
  for (const g of [...indices].sort((a, b) => costs[b] - costs[a] || a - b)) {
    open.push(g);
    cost += costs[g];
    if (cost >= total / chunks) {
      out.push(open);
      open = [];
      cost = 0;
    }
  }
  if (open.length > 0) out.push(open);
  return out;
}
