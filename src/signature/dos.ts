/**
 * The DOS signature of a graph: its damped trace moments, one vector a graph (paper, section 3.1),
 *
 *   x_m = g_m Σ_i T_m(Ã)_ii, m = 1..M        scale trace; divided by the number of nodes with scale mean
 *
 * or, in the monomial basis, the same measure's Σ_i ∫λ^k, by the averaging of spectrum/basis.ts after damping. The paper's vector
 * starts at 1: the moment of degree 0 is the number of nodes (1 with the mean); `zeroth` puts it in front. `transform` log takes
 * sign(x)·log(1 + |x|) of every number, so that large graphs do not drown the rest. A graph without nodes is the zero vector.
 * O(M) a graph, O(M²) in the monomial basis.
 */
import { unknownName } from "../base/errors.js";
import { logarithmOfOnePlus } from "../base/logarithm.js";
import { toReturnProbabilities } from "../spectrum/basis.js";
import { type DampingName, dampingFactors } from "../spectrum/damping.js";
import { cumulativeAt } from "../spectrum/density.js";
import { commonMoments, type ProfileRows } from "./node-features.js";

export const DOS_SCALES = ["trace", "mean"] as const;
export type DosScale = (typeof DOS_SCALES)[number];
export const DOS_BASES = ["chebyshev", "monomial"] as const;
export type DosBasis = (typeof DOS_BASES)[number];
export const TRANSFORMS = ["none", "log"] as const;
export type Transform = (typeof TRANSFORMS)[number];

export interface DosOptions {
  /** Sum or mean over the nodes. Default trace. */
  scale?: DosScale;
  /** Default chebyshev. */
  basis?: DosBasis;
  /** Default jackson. */
  damping?: DampingName;
  /** Default none. */
  transform?: Transform;
  /** Put the moment of degree 0 in front. Default false. */
  zeroth?: boolean;
}

export interface Vectors {
  count: number;
  dimension: number;
  /** count × dimension, row by row. */
  values: Float64Array;
}

export function dosVectors(profiles: readonly ProfileRows[], options: DosOptions = {}): Vectors {
  const {
    scale = "trace",
    basis = "chebyshev",
    damping = "jackson",
    transform = "none",
    zeroth = false,
  } = options;
  if (!DOS_SCALES.includes(scale)) throw unknownName("scale", String(scale), DOS_SCALES);
  if (!DOS_BASES.includes(basis)) throw unknownName("basis", String(basis), DOS_BASES);
  if (!TRANSFORMS.includes(transform)) throw unknownName("transform", String(transform), TRANSFORMS);
  const M = commonMoments(profiles, "DOS signature");
  const factors = dampingFactors(damping, M);
  const skipped = zeroth ? 0 : 1;
  const dimension = M + 1 - skipped;
  const values = new Float64Array(profiles.length * dimension);
  const row = new Float64Array(M + 1);
  for (let g = 0; g < profiles.length; g++) {
    const { trace, nodeCount } = profiles[g];
    const factor = scale === "mean" && nodeCount > 0 ? 1 / nodeCount : 1;
    for (let m = 0; m <= M; m++) row[m] = trace[m] * factors[m] * factor;
    if (basis === "monomial") toReturnProbabilities(row, 1, M);
    if (transform === "log")
      for (let m = 0; m <= M; m++) row[m] = Math.sign(row[m]) * logarithmOfOnePlus(Math.abs(row[m]));
    values.set(row.subarray(skipped), g * dimension);
  }
  return { count: profiles.length, dimension, values };
}

export interface DosCumulativeOptions {
  /** Points of the grid. Default 256. */
  points?: number;
  /** Default jackson: the only one whose cumulative density never falls. */
  damping?: DampingName;
  /** Mean: densities of mass 1, whose L1 distance is the Wasserstein-1 distance of the spectra. Default mean. */
  scale?: DosScale;
}

/**
 * Cumulative densities of states at the midpoints of an even grid on [-1, 1], times the step, so that the L1 distance of two vectors
 * is ∫ |F − G| dx: the Wasserstein-1 distance of the two spectra when both have mass 1. O(points · M) a graph.
 */
export function dosCumulative(profiles: readonly ProfileRows[], options: DosCumulativeOptions = {}): Vectors {
  const { points = 256, damping = "jackson", scale = "mean" } = options;
  if (!DOS_SCALES.includes(scale)) throw unknownName("scale", String(scale), DOS_SCALES);
  const M = commonMoments(profiles, "DOS signature");
  const step = 2 / points;
  const grid = Float64Array.from({ length: points }, (_, k) => -1 + (k + 0.5) * step);
  const factors = dampingFactors(damping, M);
  const values = new Float64Array(profiles.length * points);
  for (let g = 0; g < profiles.length; g++) {
    const { trace, nodeCount } = profiles[g];
    if (nodeCount === 0) continue;
    const factor = scale === "mean" ? step / nodeCount : step;
    const cumulative = cumulativeAt(trace, factors, grid);
    for (let k = 0; k < points; k++) values[g * points + k] = cumulative[k] * factor;
  }
  return { count: profiles.length, dimension: points, values };
}
