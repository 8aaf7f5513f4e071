/**
 * Spectral profile from a sample of nodes: exact moments T_m(Ã)_ii at nodes drawn at random without replacement, by unit vectors
 * and doubling. Cost: entries × (distinct classes drawn) × M/2. The sums over the graph are estimated by n times the mean of the
 * sample, with the standard error of that mean (finite population: √(1 − S/n)·s/√S).
 *
 * Where probes give every node a noisy estimate, this gives few nodes exact ones: the better choice for the distribution of local
 * densities of a large graph.
 */
import { badCall, throwIfAborted } from "../base/errors.js";
import type { OnProgress } from "../base/progress.js";
import { Random } from "../base/random.js";
import { MAX_BYTES } from "../compute/arena.js";
import type { Graph } from "../graph/graph.js";
import type { TwinClasses } from "../graph/twins.js";
import { addChebyshev } from "./chebyshev.js";
import { filteredClasses } from "./motif-filter.js";
import { checkMoments } from "./probe-options.js";
import { SpectralProfile } from "./profile.js";
import { layOut, type RowOperator } from "./row-operator.js";
import type { StepRunner } from "./step-runner.js";
import { advance, chooseWidth, doubledMoments, makeStrip } from "./strips.js";

export interface SampleOptions {
  /** The highest moment M. Default 50. */
  moments?: number;
  /** Nodes to draw; all of them when there are fewer. Default 256. */
  sample?: number;
  selfLoops?: boolean;
  seed?: number;
  /** Why this estimator, for the profile. */
  note?: string;
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

export interface NodeMomentsOptions {
  /** The highest moment M. */
  moments: number;
  selfLoops: boolean;
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

/** Exact moments of lists of classes, computed elsewhere: for each list its rows, one behind the other. */
export type SampleElsewhere = (lists: readonly number[][]) => Promise<Float64Array[]>;

/** Classes of a list: one strip. */
const CLASSES_A_LIST = 8;

export async function sampleProfile(
  graph: Graph,
  runner: StepRunner,
  options: SampleOptions = {},
  elsewhere: SampleElsewhere | null = null,
): Promise<SpectralProfile> {
  const { moments = 50, sample = 256, selfLoops = false, seed = 0, note, signal, onProgress } = options;
  checkMoments(moments);
  if (!(Number.isSafeInteger(sample) && sample >= 2))
    throw badCall(`sample: got ${sample}, expected a whole number of at least 2: a standard error needs two`);
  const n = graph.nodeCount;
  const width = moments + 1;
  const twins = filteredClasses(graph, "all", selfLoops);
  const drawn = drawNodes(n, Math.min(sample, n), seed);
  const classes = [...new Set(drawn.map((i) => twins.classOf[i]))].sort((a, b) => a - b);
  const rowOfClass = new Map(classes.map((p, row) => [p, row]));

  const estimator = { name: "sample" as const, numbers: [drawn.length, seed, 0, selfLoops ? 1 : 0], note };
  const shape = { nodeCount: n, moments, rowCount: classes.length, estimator, traceErrors: true };
  const profile = SpectralProfile.allocate(shape);

  if (elsewhere !== null) {
    const lists: number[][] = [];
    for (let k = 0; k < classes.length; k += CLASSES_A_LIST) lists.push(classes.slice(k, k + CLASSES_A_LIST));
    const parts = await elsewhere(lists);
    parts.forEach((rows, k) => {
      profile.rows.set(rows, k * CLASSES_A_LIST * width);
    });
  } else {
    const operator = layOut(graph, twins, selfLoops, runner.kernels.arena);
    await classMoments(runner, operator, twins, classes, profile.rows, { moments, signal, onProgress });
  }

  for (const i of drawn) {
    const row = rowOfClass.get(twins.classOf[i])!;
    profile.rowOf[i] = row;
    profile.weights[row] += n / drawn.length;
  }
  profile.sumTrace();
  traceErrors(profile, drawn.length);
  return profile;
}

/** Exact moments of some classes into `out`, M + 1 numbers each, a strip of unit vectors at a time. */
export async function classMoments(
  runner: StepRunner,
  operator: RowOperator,
  twins: TwinClasses,
  classes: readonly number[],
  out: Float64Array,
  { moments, signal, onProgress }: { moments: number; signal?: AbortSignal; onProgress?: OnProgress },
): Promise<void> {
  const { arena } = runner.kernels;
  const width = moments + 1;
  const steps = Math.ceil(moments / 2);
  for (let first = 0; first < classes.length; ) {
    throwIfAborted(signal);
    const mark = arena.mark();
    const stripWidth = chooseWidth(operator.rows, classes.length - first, false, MAX_BYTES - mark - 2 ** 24);
    const used = Math.min(stripWidth, classes.length - first);
    const strip = makeStrip(runner, operator, stripWidth, used, false, (column, write) => {
      write(classes[first + column], 1);
      return 1;
    });
    const { a, b } = await advance(runner, operator, strip, steps, null, signal);
    for (let column = 0; column < used; column++) {
      const row = out.subarray((first + column) * width, (first + column + 1) * width);
      const p = classes[first + column];
      const c = twins.size[p];
      doubledMoments(row, 0, a[column], b[column], 1, strip.firsts[column]);
      for (let m = 0; m < width; m++) row[m] /= c;
      if (c > 1) addChebyshev(row, operator.spikes[p], 1 - 1 / c);
    }
    arena.release(mark);
    first += used;
    onProgress?.({ task: "sampling", done: first, total: classes.length, unit: "nodes" });
  }
}

/** Exact moments of nodes that are named, a row of M + 1 numbers each. Cost: entries × (distinct classes) × M/2, however many nodes there are. */
export async function exactNodeMoments(
  graph: Graph,
  nodes: readonly number[],
  runner: StepRunner,
  { moments, selfLoops, ...control }: NodeMomentsOptions,
): Promise<Float64Array> {
  checkMoments(moments);
  const width = moments + 1;
  const twins = filteredClasses(graph, "all", selfLoops);
  const classes = [...new Set(nodes.map((i) => twins.classOf[i]))];
  const rows = new Float64Array(classes.length * width);
  const operator = layOut(graph, twins, selfLoops, runner.kernels.arena);
  await classMoments(runner, operator, twins, classes, rows, { moments, ...control });
  const out = new Float64Array(nodes.length * width);
  nodes.forEach((i, k) => {
    const row = classes.indexOf(twins.classOf[i]);
    out.set(rows.subarray(row * width, (row + 1) * width), k * width);
  });
  return out;
}

/** Standard errors of the sums: n·√(1 − S/n)·s/√S with s the sample's standard deviation. */
function traceErrors(profile: SpectralProfile, sample: number): void {
  const { nodeCount: n, rows, weights, trace, rowCount } = profile;
  const width = profile.moments + 1;
  const errors = profile.standardError!.trace!;
  const correction = Math.sqrt(Math.max(0, 1 - sample / n));
  for (let m = 1; m < width; m++) {
    const mean = trace[m] / n;
    let squares = 0;
    for (let r = 0; r < rowCount; r++)
      squares += ((weights[r] * sample) / n) * (rows[r * width + m] - mean) ** 2;
    errors[m] = n * correction * Math.sqrt(squares / Math.max(1, sample - 1) / sample);
  }
}

/** `count` different numbers below n, ascending (Floyd's algorithm: O(count)). */
function drawNodes(n: number, count: number, seed: number): number[] {
  const random = new Random(seed, 0, 2);
  const chosen = new Set<number>();
  for (let last = n - count; last < n; last++) {
    const pick = random.integer(last + 1);
    chosen.add(chosen.has(pick) ? last : pick);
  }
  return [...chosen].sort((a, b) => a - b);
}
