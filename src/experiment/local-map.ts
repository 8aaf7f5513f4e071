/**
 * The local densities of all nodes as a table to look at: a row of the table is a node, or a quantile of the nodes where there are
 * more than rows; twins stand side by side. Values are mean densities of even bins of [-1, 1] (binning.ts), spikes included.
 *
 * Nodes are ordered along the direction in which their damped moments differ most (the first principal component, by power
 * iteration), so that nodes with alike local spectra are neighbours. O(rows × M²).
 */
import { type Damping, dampingFactors } from "../spectrum/damping.js";
import { evenEdges } from "../spectrum/density.js";
import type { EstimatorDetail } from "../spectrum/estimator.js";
import { requireRows, type SpectralProfile } from "../spectrum/profile.js";
import { binCentres, binCoefficients, multiplyRows } from "./binning.js";

export interface LocalDensityMap {
  /** Middles of the columns. */
  grid: Float64Array;
  /** Nodes that the table stands for. */
  nodes: number;
  /** How their moments were computed. */
  estimator: EstimatorDetail;
  rows: number;
  /** Of the rows, where they are nodes that were named. */
  names?: string[];
  /** rows × grid.length densities. */
  values: Float64Array;
}

export interface LocalMapOptions {
  damping?: Damping;
  /** At most so many rows. Default 400. */
  rows?: number;
  /** Default 200. */
  columns?: number;
}

const ITERATIONS = 60;
/** The order looks at so many moments at most: more tell nodes apart no better and cost M². */
const ORDER_MOMENTS = 64;

export function localDensityMap(profile: SpectralProfile, options: LocalMapOptions = {}): LocalDensityMap {
  const { damping = "jackson", rows: most = 400, columns = 200 } = options;
  const { nodeCount: nodes, moments, rowCount, weights } = profile;
  requireRows(profile, "the graph");
  const width = moments + 1;
  const edges = evenEdges(columns);
  const alpha = binCoefficients(moments, damping, edges);
  const order = spectralOrder(profile, damping);
  const rows = rowCount === 0 ? 0 : Math.min(most, nodes);
  const values = new Float64Array(rows * columns);
  let place = 0;
  let passed = rowCount === 0 ? 0 : weights[order[0]];
  let filledFrom = -1;
  for (let r = 0; r < rows; r++) {
    while (passed <= ((r + 0.5) / rows) * nodes && place + 1 < rowCount) passed += weights[order[++place]];
    const target = values.subarray(r * columns, (r + 1) * columns);
    // the same row of the profile fills all rows of the table that it stands for
    if (filledFrom === place) target.set(values.subarray((r - 1) * columns, r * columns));
    else multiplyRows(alpha, profile.rows.subarray(order[place] * width, (order[place] + 1) * width), target);
    filledFrom = place;
  }
  return { grid: binCentres(edges), nodes, estimator: profile.estimator, rows, values };
}

/** A row for each node that was named, from its exact moments (one row of M + 1 numbers each), in the order given. */
export function namedDensityMap(
  names: string[],
  moments: Float64Array,
  { damping = "jackson", columns = 200 }: Omit<LocalMapOptions, "rows"> = {},
): LocalDensityMap {
  const rows = names.length;
  const width = moments.length / rows;
  const edges = evenEdges(columns);
  const alpha = binCoefficients(width - 1, damping, edges);
  const values = new Float64Array(rows * columns);
  for (let r = 0; r < rows; r++)
    multiplyRows(
      alpha,
      moments.subarray(r * width, (r + 1) * width),
      values.subarray(r * columns, (r + 1) * columns),
    );
  const estimator = {
    name: "exact" as const,
    reason: "exact moments of the nodes that were named",
    detail: {},
  };
  return { grid: binCentres(edges), nodes: rows, estimator, rows, names, values };
}

/** Row numbers of the profile, ordered along the first principal component of the damped moments; ties by number. */
export function spectralOrder(profile: SpectralProfile, damping: Damping): Uint32Array {
  const { rowCount, rows, weights, moments } = profile;
  const stride = moments + 1;
  const width = Math.min(moments, ORDER_MOMENTS) + 1;
  const factors = dampingFactors(damping, moments);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = new Float64Array(width);
  for (let r = 0; r < rowCount; r++)
    for (let m = 0; m < width; m++) mean[m] += (weights[r] / total) * factors[m] * rows[r * stride + m];

  // covariance of the moments, then its leading eigenvector
  const covariance = new Float64Array(width * width);
  const row = new Float64Array(width);
  for (let r = 0; r < rowCount; r++) {
    for (let m = 0; m < width; m++) row[m] = factors[m] * rows[r * stride + m] - mean[m];
    for (let m = 0; m < width; m++) {
      const scaled = (weights[r] / total) * row[m];
      for (let k = 0; k <= m; k++) covariance[m * width + k] += scaled * row[k];
    }
  }
  for (let m = 0; m < width; m++)
    for (let k = 0; k < m; k++) covariance[k * width + m] = covariance[m * width + k];
  let direction = Float64Array.from({ length: width }, (_, m) => covariance[m * width + m]);
  for (let step = 0; step < ITERATIONS; step++) {
    const next = new Float64Array(width);
    multiplyRows(covariance, direction, next);
    const length = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
    if (!(length > 0)) break;
    direction = next.map((value) => value / length);
  }
  // nodes that return often in two steps come last, whatever sign the iteration found
  const sign = moments >= 2 && direction[2] < 0 ? -1 : 1;
  const score = new Float64Array(rowCount);
  for (let r = 0; r < rowCount; r++)
    for (let m = 0; m < width; m++) score[r] += sign * direction[m] * factors[m] * rows[r * stride + m];
  return Uint32Array.from({ length: rowCount }, (_, r) => r).sort((a, b) => score[a] - score[b] || a - b);
}
