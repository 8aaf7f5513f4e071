/**
 * Fewer numbers for the same distances. The return probabilities (∫λ dμ, …, ∫λ^M dμ) of a node are an average of the points
 * v(λ) = (λ, …, λ^M), −1 <= λ <= 1, of one fixed curve, which lies near a subspace of far fewer dimensions (22 of 50 to 3e-6). Its
 * principal directions U depend on M alone, not on any data, so the rotated rows do not either.
 *
 * Dropping what lies outside the first q directions moves a row by at most `missed` = max_λ ‖v(λ) − UᵀU v(λ)‖, which is taken over a grid
 * so fine that a polynomial of degree 2M cannot rise between its points by more than a thousandth. Squared distances fall by at most
 * (2·missed)², since the projection is orthogonal. Holds for exact profiles, damped by a positive kernel or not.
 * O(M³).
 */
import { cosineOfPi } from "../base/circular.js";
import { symmetricEigen } from "../spectrum/dense-eigen.js";

export interface SpectralRotation {
  moments: number;
  dimension: number;
  /** The most by which a row is moved. */
  missed: number;
  /** dimension × moments: orthonormal rows, applied to the steps 1..M. */
  matrix: Float64Array;
}

/** Beyond this M the search for directions costs more than it saves. */
const MAX_MOMENTS = 256;

/** The fewest directions that miss at most `missed`; null when that saves nothing. */
export function spectralRotation(moments: number, missed: number): SpectralRotation | null {
  const M = moments;
  if (M > MAX_MOMENTS || M < 2) return null;
  const points = 64 * M;
  const curve = new Float64Array(points * M);
  for (let k = 0; k < points; k++) {
    const x = cosineOfPi(k, points - 1);
    for (let m = 0, power = x; m < M; m++, power *= x) curve[k * M + m] = power;
  }
  const covariance = new Float64Array(M * M);
  for (let k = 0; k < points; k++)
    for (let i = 0; i < M; i++) {
      const x = curve[k * M + i] / points;
      for (let j = 0; j <= i; j++) covariance[i * M + j] += x * curve[k * M + j];
    }
  const { vectors } = symmetricEigen(covariance, M);

  // beyond[q]: the largest squared norm of what lies outside the last q eigenvectors
  const beyond = new Float64Array(M + 1);
  for (let k = 0; k < points; k++) {
    let tail = 0;
    for (let e = 0; e < M; e++) {
      let coordinate = 0;
      for (let m = 0; m < M; m++) coordinate += vectors[e * M + m] * curve[k * M + m];
      tail += coordinate * coordinate;
      const q = M - 1 - e;
      if (tail > beyond[q]) beyond[q] = tail;
    }
  }
  let dimension = 0;
  while (1.001 * Math.sqrt(beyond[dimension]) > missed) dimension++;
  if (dimension >= M) return null;
  const matrix = new Float64Array(dimension * M);
  for (let q = 0; q < dimension; q++) matrix.set(vectors.subarray((M - 1 - q) * M, (M - q) * M), q * M);
  return { moments, dimension, missed: 1.001 * Math.sqrt(beyond[dimension]), matrix };
}
