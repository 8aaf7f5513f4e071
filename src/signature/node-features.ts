/**
 * The rows of spectral profiles as node features, packed for the node kernel (node-rows.ts).
 *
 *   return-probabilities  (Ã_ii, Ã²_ii, …, Ã^M_ii), steps 1..M as in RetGK      (basis change: spectrum/basis.ts)
 *   chebyshev             (T_1(Ã)_ii, …, T_M(Ã)_ii)
 *
 * The moment of degree 0 is 1 for every node and is left out: it changes no distance. Damping, where asked for, multiplies the
 * Chebyshev moments before the basis change (the paper's Algorithm 1). O(rows · M²).
 */
import { badCall, unknownName } from "../base/errors.js";
import { averagingTable, toReturnProbabilities } from "../spectrum/basis.js";
import { type DampingName, dampingFactors } from "../spectrum/damping.js";
import { requireRows, type SpectralProfile } from "../spectrum/profile.js";
import { allocateNodeRows, type NodeRows, setRow } from "./node-rows.js";
import type { SpectralRotation } from "./spectral-rotation.js";

export const NODE_BASES = ["return-probabilities", "chebyshev"] as const;
export type NodeBasis = (typeof NODE_BASES)[number];

export interface NodeFeatureOptions {
  /** Default return-probabilities. */
  basis?: NodeBasis;
  /** Default none. */
  damping?: DampingName;
  /** Return probabilities in fewer numbers with nearly the same distances. Default: as they are. */
  rotation?: SpectralRotation | null;
  /** On SharedArrayBuffers, for several threads. Default false. */
  shared?: boolean;
}

/** The parts of a spectral profile that signatures are made of. */
export type ProfileRows = Pick<
  SpectralProfile,
  "nodeCount" | "moments" | "rowCount" | "rows" | "weights" | "trace"
>;

/** All profiles must have the same number of moments M, at least 1. */
export function nodeFeatures(profiles: readonly ProfileRows[], options: NodeFeatureOptions = {}): NodeRows {
  const { basis = "return-probabilities", damping = "none", rotation = null, shared = false } = options;
  if (!NODE_BASES.includes(basis)) throw unknownName("basis", String(basis), NODE_BASES);
  const M = commonMoments(profiles, "node features");
  if (
    rotation !== null &&
    (basis !== "return-probabilities" || (rotation.moments !== M && profiles.length > 0))
  )
    throw badCall(
      `node features: a rotation of ${rotation.moments} return probabilities: got ${basis}, ${M}`,
    );
  for (const [g, profile] of profiles.entries()) requireRows(profile, `graph ${g}`);
  const factors = dampingFactors(damping, M);
  const rowCounts = profiles.map((profile) => profile.rowCount);
  const out = allocateNodeRows(rowCounts, rotation?.dimension ?? M, shared);
  const convert =
    rotation !== null
      ? rotated(rotation, factors)
      : basis === "chebyshev"
        ? damped(factors)
        : returnProbabilities(factors);
  let scratch = new Float64Array(0);
  for (let g = 0, i = 0; g < profiles.length; g++) {
    const { rows, rowCount, weights, nodeCount } = profiles[g];
    if (scratch.length < rowCount * (M + 4)) scratch = new Float64Array(2 * rowCount * (M + 4));
    const { first, stride } = convert(rows, rowCount, scratch);
    for (let r = 0; r < rowCount; r++, i++) {
      out.masses[i] = weights[r] / nodeCount;
      setRow(out, i, scratch, first + r * stride);
    }
  }
  return out;
}

/** Writes the features of the rows to `out`; says where the first row begins and how far apart they are. */
type Convert = (rows: Float64Array, rowCount: number, out: Float64Array) => { first: number; stride: number };

function damped(factors: Float64Array): Convert {
  const width = factors.length;
  return (rows, rowCount, out) => {
    for (let k = 0, m = 0; k < rowCount * width; k++, m = m + 1 === width ? 0 : m + 1)
      out[k] = rows[k] * factors[m];
    return { first: 1, stride: width };
  };
}

function returnProbabilities(factors: Float64Array): Convert {
  const width = factors.length;
  const dampRows = damped(factors);
  return (rows, rowCount, out) => {
    const place = dampRows(rows, rowCount, out);
    toReturnProbabilities(out.subarray(0, rowCount * width), rowCount, width - 1);
    return place;
  };
}

/** Damping, basis change and rotation as one matrix. */
function rotated({ matrix, dimension, moments }: SpectralRotation, factors: Float64Array): Convert {
  const width = moments + 1;
  const average = averagingTable(moments);
  const whole = new Float64Array(dimension * width);
  for (let q = 0; q < dimension; q++)
    for (let k = 1; k < width; k++)
      for (let m = k & 1; m <= k; m += 2)
        whole[q * width + m] += matrix[q * moments + k - 1] * average[k * width + m] * factors[m];
  // four numbers at a time, so that their sums run side by side
  const four = new Float64Array(4 * width * Math.ceil(dimension / 4));
  for (let q = 0; q < dimension; q++)
    for (let m = 0; m < width; m++) four[4 * (width * (q >>> 2) + m) + (q & 3)] = whole[q * width + m];
  const stride = 4 * Math.ceil(dimension / 4);
  return (rows, rowCount, out) => {
    for (let r = 0; r < rowCount; r++)
      for (let q = 0, f = 0; q < dimension; q += 4) {
        let a = 0;
        let b = 0;
        let c = 0;
        let d = 0;
        for (let m = r * width; m < (r + 1) * width; m++, f += 4) {
          const x = rows[m];
          a += four[f] * x;
          b += four[f + 1] * x;
          c += four[f + 2] * x;
          d += four[f + 3] * x;
        }
        const place = r * stride + q;
        out[place] = a;
        out[place + 1] = b;
        out[place + 2] = c;
        out[place + 3] = d;
      }
    return { first: 0, stride };
  };
}

/** M of all profiles; 0 when there are none. */
export function commonMoments(profiles: readonly Pick<ProfileRows, "moments">[], where: string): number {
  if (profiles.length === 0) return 0;
  const M = profiles[0].moments;
  if (M < 1) throw badCall(`${where}: moments: got ${M}, expected at least 1`);
  for (let g = 1; g < profiles.length; g++)
    if (profiles[g].moments !== M)
      throw badCall(
        `${where}: profile ${g} has ${profiles[g].moments} moments, expected ${M} as in the first`,
      );
  return M;
}
