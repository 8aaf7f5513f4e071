/**
 * SLaQ: the NetLSD signatures (netlsd.ts) of graphs too large for all their eigenvalues, by stochastic Lanczos quadrature.
 *
 *   Σ_j f(λ_j) ≈ (1/probes) Σ_p Σ_k weight_pk f(1 − μ_pk),   (μ_p, weight_p) the Gauss rule of Ã seen from a random sign vector
 *
 * Eigenvalues that are known (twins, isolated nodes) are added exactly and only the quotient is probed, which makes the estimate less
 * noisy than the authors'; a quotient of no more classes than steps is solved exactly. Every number comes with its standard error over the probes. The error of the Gauss rules is not in it: a
 * rule of `steps` nodes is exact for polynomials of degree 2·steps − 1, plenty for heat, while waves cos(tλ) beyond t ≈ steps need more steps.
 * Probe p draws from stream p of the seed: the result of a graph depends on the graph and the seed alone.
 *
 * Cost: probes · (steps · entries + 2·steps² · classes). Where the quotient has a few thousand classes or fewer, netlsd.ts is exact and not
 * slower. Source: Tsitsulin, Munkhoeva, Perozzi, "Just SLaQ when you approximate: accurate spectral distances for web-scale graphs", WWW 2020;
 * the defaults (100 probes of 10 steps) are theirs.
 */
import { badCall } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import type { Vectors } from "../signature/dos.js";
import { symmetricEigenvalues } from "../spectrum/dense-eigen.js";
import {
  addTrace,
  type Block,
  laplacianParts,
  type MeasuredSpectrum,
  type NetlsdOptions,
  normalise,
  readNetlsdOptions,
} from "./netlsd.js";
import { type ProbeRules, probeRules } from "./probe-rules.js";

export interface SlaqOptions extends NetlsdOptions {
  /** Random vectors. Default 100. */
  probes?: number;
  /** Nodes a probe. Default 10. */
  steps?: number;
  /** Default 0. */
  seed?: number;
}

export interface SlaqVectors extends Vectors {
  /** Parallel to values; null with a single probe, which does not tell. */
  standardErrors: Float64Array | null;
  probes: number;
  steps: number;
  seed: number;
}

const OPTIONS = ["trace", "normalisation", "times", "probes", "steps", "seed"];

export function slaqVectors(graphs: readonly Graph[], options: SlaqOptions = {}): SlaqVectors {
  const resolved = readNetlsdOptions(options, OPTIONS);
  const { probes = 100, steps = 10, seed = 0 } = options;
  for (const [name, value] of Object.entries({ probes, steps }))
    if (!(Number.isInteger(value) && value >= 1))
      throw badCall(`SLaQ: ${name}: got ${value}, expected an integer of at least 1`);
  const dimension = resolved.times.length;
  const values = new Float64Array(graphs.length * dimension);
  const errors = new Float64Array(probes > 1 ? values.length : 0);
  for (let g = 0; g < graphs.length; g++) {
    const [from, to] = [g * dimension, (g + 1) * dimension];
    const error = probes > 1 ? errors.subarray(from, to) : null;
    probedTrace(
      probedSpectrum(graphs[g], { probes, steps, seed }),
      resolved,
      values.subarray(from, to),
      error,
    );
    normalise(values.subarray(from, to), graphs[g].nodeCount, resolved);
    if (error === null) continue;
    normalise(error, graphs[g].nodeCount, resolved);
    for (let k = 0; k < dimension; k++) error[k] = Math.abs(error[k]);
  }
  const standardErrors = probes > 1 ? errors : null;
  return { count: graphs.length, dimension, values, standardErrors, probes, steps, seed };
}

/** The spectrum of a graph as its probes see it: known eigenvalues, and a Gauss rule of the rest for each probe. */
export interface ProbedSpectrum {
  known: MeasuredSpectrum;
  rules: ProbeRules | null;
  probes: number;
}

export function probedSpectrum(
  graph: Graph,
  { probes, steps, seed }: { probes: number; steps: number; seed: number },
): ProbedSpectrum {
  const { known, blocks } = laplacianParts(graph);
  const whole = oneBlock(blocks);
  if (whole.count <= steps) return { known: withEigenvalues(known, whole), rules: null, probes };
  const rules = probeRules({ ...whole, n: whole.count }, probes, steps, seed);
  for (let k = 0; k < rules.nodes.length; k++) rules.nodes[k] = 1 - rules.nodes[k];
  return { known, rules, probes };
}

/** A quotient of no more classes than steps costs less than a probe: its eigenvalues join the known ones. */
function withEigenvalues(
  known: MeasuredSpectrum,
  { count, offsets, targets, values }: Block,
): MeasuredSpectrum {
  const dense = new Float64Array(count * count);
  for (let p = 0; p < count; p++)
    for (let k = offsets[p]; k < offsets[p + 1]; k++) dense[p * count + targets[k]] = values[k];
  const own = symmetricEigenvalues(dense, count);
  return {
    values: Float64Array.from([...known.values, ...Array.from(own, (mu) => 1 - mu)]),
    multiplicities: Float64Array.from([...known.multiplicities, ...own.map(() => 1)]),
  };
}

/** The trace before normalisation, into `out`, which is zero, and its standard error over the probes. O(probes · steps · times). */
export function probedTrace(
  { known, rules, probes }: ProbedSpectrum,
  options: Required<Pick<NetlsdOptions, "trace" | "normalisation" | "times">>,
  out: Float64Array,
  error: Float64Array | null,
): void {
  const dimension = out.length;
  const traces = new Float64Array(rules === null ? 0 : probes * dimension);
  if (rules !== null) {
    for (let p = 0; p < probes; p++) {
      const [from, to] = [rules.offsets[p], rules.offsets[p + 1]];
      const trace = traces.subarray(p * dimension, (p + 1) * dimension);
      addTrace(trace, rules.nodes.subarray(from, to), rules.weights.subarray(from, to), options);
    }
    for (let p = 0, at = 0; p < probes; p++)
      for (let k = 0; k < dimension; k++, at++) out[k] += traces[at] / probes;
  }
  if (error !== null && rules !== null) {
    for (let p = 0, at = 0; p < probes; p++)
      for (let k = 0; k < dimension; k++, at++) error[k] += (traces[at] - out[k]) ** 2;
    for (let k = 0; k < dimension; k++) error[k] = Math.sqrt(error[k] / (probes - 1) / probes);
  }
  addTrace(out, known.values, known.multiplicities, options);
}

/** The blocks as one operator, side by side on the diagonal. */
function oneBlock(blocks: readonly Block[]): Block {
  const count = blocks.reduce((sum, block) => sum + block.count, 0);
  const entries = blocks.reduce((sum, block) => sum + block.targets.length, 0);
  const offsets = new Uint32Array(count + 1);
  const targets = new Uint32Array(entries);
  const values = new Float64Array(entries);
  let [rows, filled] = [0, 0];
  for (const block of blocks) {
    for (let p = 0; p < block.count; p++) offsets[rows + p + 1] = filled + block.offsets[p + 1];
    for (let k = 0; k < block.targets.length; k++) targets[filled + k] = rows + block.targets[k];
    values.set(block.values, filled);
    rows += block.count;
    filled += block.targets.length;
  }
  return { count, offsets, targets, values };
}
