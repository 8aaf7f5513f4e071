/**
 * NetLSD: a graph heard through diffusion and waves. With λ_j the eigenvalues of the normalised Laplacian I − D^(-1/2) A D^(-1/2),
 *
 *   heat  h(t) = Σ_j exp(−tλ_j)          wave  w(t) = Σ_j cos(tλ_j), the real part of Σ_j exp(−itλ_j)
 *
 * at 250 times from 0.01 to 100, evenly spaced in the logarithm; one vector a graph, compared by Euclidean distance (the authors
 * classify by the nearest neighbour). Small t sees degrees, large t components and bottlenecks.
 *
 * Normalisations: none; empty (divided by n, the trace of n isolated nodes); complete (divided by the trace of the complete graph, whose
 * eigenvalues are 0 and, n − 1 times, n/(n − 1): 1 + (n − 1)·exp(−t·n/(n − 1)), cos in place of exp for waves). The authors' program has
 * exp(−t) there, as if that eigenvalue were 1; with the right one the complete graph becomes the constant 1. The wave trace of a
 * complete graph passes through 0, so that waves with this normalisation have peaks that say little: prefer empty there.
 *
 * An isolated node has eigenvalue 0 (it is a component), as in the authors' program. Self-loops count as in the rest of the house.
 * Labels and attributes are ignored.
 *
 * Cost: the quotient by twins has the same eigenvalues but for known ones (spectrum/quotient.ts); each of its components of m classes takes
 * 4/3·m³ operations and 8m² bytes. Beyond some thousands of classes use slaq.ts. Source: Tsitsulin, Mottin, Karras, Bronstein, Müller, "NetLSD: hearing the
 * shape of a graph", KDD 2018.
 */
import { cosine } from "../base/circular.js";
import { badCall, GraphdosError, unknownName } from "../base/errors.js";
import { exponential } from "../base/exponential.js";
import { logarithm } from "../base/logarithm.js";
import { denseEigen } from "../compute/eigen.js";
import type { Kernels } from "../compute/kernels.js";
import type { Graph } from "../graph/graph.js";
import { TwinFinder } from "../graph/twins.js";
import type { Vectors } from "../signature/dos.js";
import { type Quotient, QuotientBuilder } from "../spectrum/quotient.js";
import { MAX_CLASSES } from "./laplacian.js";

export const NETLSD_TRACES = ["heat", "wave"] as const;
export type NetlsdTrace = (typeof NETLSD_TRACES)[number];
export const NETLSD_NORMALISATIONS = ["none", "empty", "complete"] as const;
export type NetlsdNormalisation = (typeof NETLSD_NORMALISATIONS)[number];

export interface NetlsdOptions {
  /** Default heat. */
  trace?: NetlsdTrace;
  /** Default empty. */
  normalisation?: NetlsdNormalisation;
  /** Times. Default: 250 from 0.01 to 100. */
  times?: Float64Array;
}

/** `count` times from `first` to `last`, evenly spaced in the logarithm. */
export function logarithmicTimes(first = 0.01, last = 100, count = 250): Float64Array {
  if (!(first > 0 && last >= first && last < Number.POSITIVE_INFINITY))
    throw badCall(`NetLSD: times: got ${first} to ${last}, expected positive ones, ascending`);
  if (!(Number.isInteger(count) && count >= 1))
    throw badCall(`NetLSD: number of times: got ${count}, expected an integer of at least 1`);
  const step = count > 1 ? logarithm(last / first) / (count - 1) : 0;
  return Float64Array.from({ length: count }, (_, k) => first * exponential(k * step));
}

export function netlsdVectors(
  kernels: Kernels,
  graphs: readonly Graph[],
  options: NetlsdOptions = {},
): Vectors {
  const resolved = readNetlsdOptions(options, ["trace", "normalisation", "times"]);
  const dimension = resolved.times.length;
  const values = new Float64Array(graphs.length * dimension);
  for (let g = 0; g < graphs.length; g++) {
    const row = values.subarray(g * dimension, (g + 1) * dimension);
    const spectrum = laplacianSpectrum(kernels, graphs[g]);
    addTrace(row, spectrum.values, spectrum.multiplicities, resolved);
    normalise(row, graphs[g].nodeCount, resolved);
  }
  return { count: graphs.length, dimension, values };
}

export interface MeasuredSpectrum {
  values: Float64Array;
  /** How often each value occurs; they sum to the number of nodes. Equal values may stand apart. */
  multiplicities: Float64Array;
}

/** All eigenvalues of the normalised Laplacian of a graph. */
export function laplacianSpectrum(kernels: Kernels, graph: Graph): MeasuredSpectrum {
  const { known, blocks } = laplacianParts(graph);
  const { values, multiplicities } = known;
  const all = [...values];
  for (const block of blocks) {
    const m = block.count;
    if (m > MAX_CLASSES)
      throw new GraphdosError(
        "limit",
        `NetLSD: too many twin classes for a dense matrix: got ${m}, expected at most ${MAX_CLASSES}; use slaq`,
      );
    const dense = new Float64Array(m * m);
    for (let p = 0; p < m; p++)
      for (let k = block.offsets[p]; k < block.offsets[p + 1]; k++)
        dense[p * m + block.targets[k]] = block.values[k];
    for (const mu of denseEigen(kernels, dense, m, { vectors: false }).values) all.push(1 - mu);
  }
  const counts = new Float64Array(all.length).fill(1);
  counts.set(multiplicities);
  return { values: Float64Array.from(all), multiplicities: counts };
}

/** Part of the quotient: Ã on one component's classes. */
export type Block = Pick<Quotient, "count" | "offsets" | "targets" | "values">;

/**
 * The eigenvalues of the normalised Laplacian that need no work (spikes of twin classes, isolated nodes, components of one class), and
 * the components of the quotient of Ã that hold the others, as 1 − μ.
 */
export function laplacianParts(graph: Graph): { known: MeasuredSpectrum; blocks: Block[] } {
  const twins = new TwinFinder().find(graph);
  const quotient = new QuotientBuilder().build(graph, twins, false);
  const { count, offsets, targets, values, sizes, spikes, loops } = quotient;
  const known: number[] = [];
  const counts: number[] = [];
  const add = (value: number, multiplicity: number) => {
    known.push(value);
    counts.push(multiplicity);
  };
  const blocks: Block[] = [];
  const place = new Int32Array(count).fill(-1);
  const members = new Uint32Array(count);
  for (let root = 0; root < count; root++) {
    if (graph.neighbourCount(twins.representative[root]) === 0) {
      add(0, sizes[root]);
      continue;
    }
    if (sizes[root] > 1) add(1 - spikes[root], sizes[root] - 1);
    if (place[root] >= 0) continue;
    let filled = 0;
    place[root] = filled;
    members[filled++] = root;
    let entries = 0;
    for (let head = 0; head < filled; head++) {
      const p = members[head];
      entries += offsets[p + 1] - offsets[p];
      for (let k = offsets[p]; k < offsets[p + 1]; k++)
        if (place[targets[k]] < 0) {
          place[targets[k]] = filled;
          members[filled++] = targets[k];
        }
    }
    if (filled === 1) {
      add(1 - loops[root], 1);
      continue;
    }
    const block = {
      count: filled,
      offsets: new Uint32Array(filled + 1),
      targets: new Uint32Array(entries),
      values: new Float64Array(entries),
    };
    for (let m = 0, at = 0; m < filled; m++) {
      for (let k = offsets[members[m]]; k < offsets[members[m] + 1]; k++, at++) {
        block.targets[at] = place[targets[k]];
        block.values[at] = values[k];
      }
      block.offsets[m + 1] = at;
    }
    blocks.push(block);
  }
  return {
    known: { values: Float64Array.from(known), multiplicities: Float64Array.from(counts) },
    blocks,
  };
}

/** out[k] += Σ_j multiplicity_j f(t_k λ_j). */
export function addTrace(
  out: Float64Array,
  values: Float64Array,
  multiplicities: Float64Array,
  { trace, times }: Required<NetlsdOptions>,
): void {
  for (let k = 0; k < times.length; k++) {
    const t = times[k];
    let sum = 0;
    if (trace === "heat")
      for (let j = 0; j < values.length; j++) sum += multiplicities[j] * exponential(-t * values[j]);
    else for (let j = 0; j < values.length; j++) sum += multiplicities[j] * cosine(t * values[j]);
    out[k] += sum;
  }
}

/** Divides by the trace of the empty or complete graph on n nodes. A graph without nodes stays the zero vector. */
export function normalise(
  out: Float64Array,
  n: number,
  { trace, normalisation, times }: Required<NetlsdOptions>,
): void {
  if (normalisation === "none" || n === 0) return;
  for (let k = 0; k < times.length; k++) {
    if (normalisation === "empty" || n === 1) {
      out[k] /= n;
      continue;
    }
    const x = (times[k] * n) / (n - 1);
    out[k] /= 1 + (n - 1) * (trace === "heat" ? exponential(-x) : cosine(x));
  }
}

export function readNetlsdOptions(
  options: NetlsdOptions,
  known: readonly string[],
): Required<Pick<NetlsdOptions, "trace" | "normalisation" | "times">> {
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw unknownName("option of NetLSD", name, known);
  const { trace = "heat", normalisation = "empty", times = logarithmicTimes() } = options;
  if (!NETLSD_TRACES.includes(trace)) throw unknownName("trace", String(trace), NETLSD_TRACES);
  if (!NETLSD_NORMALISATIONS.includes(normalisation))
    throw unknownName("normalisation", String(normalisation), NETLSD_NORMALISATIONS);
  for (const t of times)
    if (!(t >= 0 && t < Number.POSITIVE_INFINITY))
      throw badCall(`NetLSD: times: got ${t}, expected finite ones of at least 0`);
  return { trace, normalisation, times };
}
