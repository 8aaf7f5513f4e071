/**
 * Profiles of many graphs, or of one large graph, over all workers of an executor; the estimator is chosen by cost when asked to.
 *
 * Many graphs: chunks of about equal cost, each a unit. A graph whose expected time is long, alone: its steps run in all workers
 * over one shared memory, or its probes on other machines (remote-blocks.ts). `auto` takes
 * exact moments where they cost at most AUTO_SECONDS a graph, else probes (where the trace alone is wanted, or a tolerance is given) or a
 * sample of nodes (where the moments of nodes are wanted), and says so in the profile.
 */
import { badCall, unknownName } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Executor, Task } from "../compute/executor.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs, unpackGraphs } from "../graph/pack.js";
import { ExactProfiler } from "./exact.js";
import { exactCost, MAX_MOMENTS } from "./exact-plan.js";
import type { MotifFilter } from "./motif-filter.js";
import type { ProbeDistribution } from "./probe-options.js";
import { probeProfile } from "./probes.js";
import { ofGraph, SpectralProfile } from "./profile.js";
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
  /** Probes are added until the largest standard error of a mean moment is at most this; exact moments have none. */
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
/** Up to this bound on the time of one graph nothing is planned: its sizes give a guess that is good enough to share out work. */
const CRUDE_SECONDS = 0.2;
/**
 * Measured on REDDIT, COLLAB, IMDB, PROTEINS: a node takes 0.5 to 1.2 µs for 50 moments whatever its graph, and what trees and twins leave
 * of the bound is a few hundredths to two fifths of it.
 */
const NODE_SECONDS = 1.6e-8;
const CRUDE_SHARE = 0.1;
/** A graph with an expected time above this gets all workers for itself. */
const ALONE_SECONDS = 5;
/** Chunks for each worker: enough to even out wrong guesses of cost. */
const CHUNKS_A_WORKER = 8;
/** Chunks at least on other machines, whose number is not known. */
const REMOTE_CHUNKS = 8;
/** The last part of the work is cut finer, so that no worker waits long for the others. */
const FINE_PART = 1 / 4;
const FINER = 4;

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
  /** All of them exactly, or all of them by sampling. */
  exact: boolean;
  options: ProfileOptions;
}

/** Buffers of profiles, in the order of the graphs, one behind the other without gaps. */
export const profileTask: Task<ProfileUnit, Uint8Array[]> = {
  name: "profiles",
  describe: ({ indices }) => namesOf(indices),
  async run({ kernels, lends }, { graphs: packed, indices, exact, options }) {
    const { moments, selfLoops, nodes = true } = options;
    if (exact) {
      const profiler = new ExactProfiler({ moments, selfLoops, kernels });
      const whole = profiler.profilePacked(packed, { lent: lends, indices });
      if (nodes) return whole;
      return whole.flatMap((bytes) =>
        SpectralProfile.allIn(bytes).map((profile) => new Uint8Array(profile.withoutRows().buffer)),
      );
    }
    const buffers: Uint8Array[] = [];
    for (const [k, graph] of unpackGraphs(packed).entries()) {
      try {
        const profile = await sampledProfile(graph, indices[k], inlineRunner(kernels), options);
        buffers.push(new Uint8Array(profile.buffer));
      } catch (error) {
        throw ofGraph(indices[k], error);
      }
    }
    return buffers;
  },
  give: (unit) => [unit.graphs],
  transfer: (buffers) => buffers.map(({ buffer }) => buffer as ArrayBuffer),
};

const MOST_NAMED = 5;

/** "graph 7", "graphs 3, 8 and 12", "graphs 3, 8, 9, 12, 14 and 20 others" */
function namesOf(indices: readonly number[]): string {
  if (indices.length === 1) return `graph ${indices[0]}`;
  const named = indices.slice(0, indices.length > MOST_NAMED ? MOST_NAMED : -1);
  const last = indices.length > MOST_NAMED ? `${indices.length - MOST_NAMED} others` : indices.at(-1);
  return `graphs ${named.join(", ")} and ${last}`;
}

/** The estimator that will be used, why, and a guess of its seconds: exact when long, crude when it cannot matter. */
export function chooseEstimator(
  graph: Graph,
  options: ProfileOptions,
): { name: "exact" | "probes" | "sample"; note: string; seconds: number } {
  const { estimator = "auto", moments = 50, probes = 32, selfLoops = false } = options;
  const entries = graph.targets.length + graph.nodeCount;
  if (estimator === "probes" || estimator === "sample")
    return { name: estimator, note: "", seconds: entries * probes * moments * 0.5e-9 };
  const most = 2e-10 * graph.nodeCount * entries * moments;
  if (most < CRUDE_SECONDS)
    return {
      name: "exact",
      note: "",
      seconds: graph.nodeCount * moments * NODE_SECONDS + most * CRUDE_SHARE,
    };
  const { seconds } = exactCost(graph, { moments, selfLoops });
  if (estimator === "exact" || seconds <= AUTO_SECONDS) return { name: "exact", note: "", seconds };
  const note = `exact moments would take about ${Math.round(seconds)} s`;
  if (!(options.nodes ?? true)) return { name: "probes", note, seconds };
  if (options.tolerance === undefined) return { name: "sample", note, seconds };
  return { name: "probes", note: `${note}, and a sample of nodes takes no tolerance`, seconds };
}

/**
 * The seed of graph `index` of a set: graphs differ in the upper 21 bits, so that their probes are independent. These wrap around, for a sum
 * beyond 2^53 would lose its last bit, and with it the difference between two seeds.
 */
export function seedOfGraph(seed: number, index: number): number {
  const [low, high] = [seed % 2 ** 32, Math.floor(seed / 2 ** 32)];
  return ((high + index) % 2 ** 21) * 2 ** 32 + low;
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
  const ownSeed = seedOfGraph(seed, index);
  if (name === "sample") {
    const own = { moments, selfLoops, seed: ownSeed, sample: options.probes, note };
    const blocks = elsewhere?.sample({ moments: moments ?? 50, selfLoops: selfLoops ?? false }) ?? null;
    return (await sampleProfile(graph, runner, { ...own, ...control }, blocks)).check(true);
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
  return (await probeProfile(graph, runner, { ...own, ...control }, elsewhere?.probes(own) ?? null)).check(
    false,
  );
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
  { only, ...control }: ProfileControl = {},
): Promise<SpectralProfile[]> {
  checkProfileOptions(options);
  const profiles = new Array<SpectralProfile>(graphs.length);
  const costs = new Float64Array(graphs.length);
  const exact: number[] = [];
  const sampled: number[] = [];
  const alone: number[] = [];
  const wanted = only ?? graphs.map((_, g) => g);
  for (const g of wanted) {
    const { name, seconds } = chooseEstimator(graphs[g], options);
    costs[g] = seconds;
    (name === "exact" ? exact : seconds > ALONE_SECONDS ? alone : sampled).push(g);
  }
  let done = 0;
  const advance = (count: number) => {
    done += count;
    control.onProgress?.({ task: "profiles", done, total: wanted.length, unit: "graphs" });
  };

  const units: ProfileUnit[] = [];
  for (const some of [exact, sampled])
    for (const indices of chunkByCost(some, costs, chunkCount(executor, some, costs))) {
      const packed = packGraphs(indices.map((g) => graphs[g]));
      units.push({ graphs: packed, indices, exact: some === exact, options });
    }
  await executor.map(profileTask, units, {
    signal: control.signal,
    onResult(unit, buffers) {
      const { indices } = units[unit];
      let k = 0;
      for (const bytes of buffers)
        for (const profile of SpectralProfile.allIn(bytes)) profiles[indices[k++]] = profile;
      advance(indices.length);
    },
  });
  for (const g of alone) {
    const runner = await sharedRunner(executor);
    const elsewhere =
      executor.remote !== undefined ? await blocksElsewhere(executor, graphs[g], control.signal) : null;
    try {
      profiles[g] = await sampledProfile(graphs[g], g, runner, options, control, elsewhere);
    } catch (error) {
      throw ofGraph(g, error);
    }
    advance(1);
  }
  return profiles;
}

/** The graphs in so many shares of about equal cost, each ascending: the most expensive first, each to the share that has least. */
export function shareByCost(graphs: readonly Graph[], options: ProfileOptions, shares: number): number[][] {
  const costs = graphs.map((graph) => chooseEstimator(graph, options).seconds);
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
function chunkCount({ workers, remote }: Executor, indices: readonly number[], costs: Float64Array): number {
  if (remote === undefined) return workers * CHUNKS_A_WORKER;
  const seconds = indices.reduce((sum, g) => sum + costs[g], 0);
  return Math.max(REMOTE_CHUNKS, Math.ceil(seconds / remote.unitSeconds));
}

/** Indices in chunks of about equal cost: costly graphs first, by falling cost, so that the many cheap ones even out the rest. */
function chunkByCost(indices: readonly number[], costs: Float64Array, chunks: number): number[][] {
  let total = 0;
  for (const g of indices) total += costs[g];
  const share = total / chunks;
  let left = total;
  const costly: number[] = [];
  const cheap: number[] = [];
  for (const g of indices) (costs[g] > share / 8 ? costly : cheap).push(g);
  costly.sort((a, b) => costs[b] - costs[a] || a - b);
  const out: number[][] = [];
  let open: number[] = [];
  let cost = 0;
  for (const some of [costly, cheap])
    for (const g of some) {
      open.push(g);
      cost += costs[g];
      left -= costs[g];
      if (cost >= (left > FINE_PART * total ? share : share / FINER)) {
        out.push(open);
        open = [];
        cost = 0;
      }
    }
  if (open.length > 0) out.push(open);
  return out;
}
