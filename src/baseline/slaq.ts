/**
 * SLaQ: the NetLSD signatures (netlsd.ts) of graphs too large for all their eigenvalues, by stochastic Lanczos quadrature.
 *
 *   Σ_j f(λ_j) ≈ (1/probes) Σ_p Σ_k weight_pk f(1 − μ_pk),   (μ_p, weight_p) the Gauss rule of Ã seen from a random sign vector
 *
 * Eigenvalues that are known (twins, isolated nodes) are added exactly and only the quotient is probed, which makes the estimate less
 * noisy than the authors'. Every number comes with its standard error over the probes. The error of the Gauss rules is not in it: a
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
import { lanczosDensity } from "../spectrum/lanczos.js";
import {
  addTrace,
  type Block,
  laplacianParts,
  type NetlsdOptions,
  normalise,
  readNetlsdOptions,
} from "./netlsd.js";

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
  // traces of every probe, a row each
  const traces = new Float64Array(probes * dimension);
  for (let g = 0; g < graphs.length; g++) {
    const { known, blocks } = laplacianParts(graphs[g]);
    const row = values.subarray(g * dimension, (g + 1) * dimension);
    traces.fill(0);
    const whole = oneBlock(blocks);
    if (whole.count > 0) {
      const density = lanczosDensity({ ...whole, n: whole.count }, { probes, steps, seed });
      const lambda = density.nodes.map((mu) => 1 - mu);
      const weights = density.weights.map((w) => w * probes);
      for (let p = 0; p < probes; p++) {
        const [from, to] = [density.offsets[p], density.offsets[p + 1]];
        const trace = traces.subarray(p * dimension, (p + 1) * dimension);
        addTrace(trace, lambda.subarray(from, to), weights.subarray(from, to), resolved);
      }
    }
    for (let p = 0, at = 0; p < probes; p++)
      for (let k = 0; k < dimension; k++, at++) row[k] += traces[at] / probes;
    if (probes > 1) {
      const error = errors.subarray(g * dimension, (g + 1) * dimension);
      for (let p = 0, at = 0; p < probes; p++)
        for (let k = 0; k < dimension; k++, at++) error[k] += (traces[at] - row[k]) ** 2;
      for (let k = 0; k < dimension; k++) error[k] = Math.sqrt(error[k] / (probes - 1) / probes);
      normalise(error, graphs[g].nodeCount, resolved);
      for (let k = 0; k < dimension; k++) error[k] = Math.abs(error[k]);
    }
    addTrace(row, known.values, known.multiplicities, resolved);
    normalise(row, graphs[g].nodeCount, resolved);
  }
  const standardErrors = probes > 1 ? errors : null;
  return { count: graphs.length, dimension, values, standardErrors, probes, steps, seed };
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
