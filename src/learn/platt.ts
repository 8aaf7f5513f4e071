/**
 * Probabilities from decision values.
 *
 * Two classes: Platt's sigmoid  P(first | decision) = 1 / (1 + exp(slope · decision + offset)), fitted to held-out decision
 * values by Newton's method with backtracking on the regularised likelihood (Lin, Lin, Weng, "A note on Platt's
 * probabilistic outputs for support vector machines", Machine Learning 68, 2007). O(points) an iteration, at most 100.
 *
 * Several classes: the p that agrees best with all pairwise probabilities r_ab = P(a | a or b),
 *   minimise Σ_a Σ_{b≠a} (r_ba p_a − r_ab p_b)²  subject to Σ p = 1
 * (Wu, Lin, Weng, "Probability estimates for multi-class classification by pairwise coupling", JMLR 5, 2004, method 2).
 */
import { badData } from "../base/errors.js";
import { exponential } from "../base/exponential.js";
import { logarithm, logarithmOfOnePlus } from "../base/logarithm.js";

export interface Sigmoid {
  slope: number;
  offset: number;
}

/** Pairwise probabilities are kept this far from 0 and 1, as in LIBSVM. */
const MARGIN = 1e-7;

/** truth[k] is 1 for points of the first class (positive decisions), 0 for the second. */
export function fitSigmoid(decisions: ArrayLike<number>, truth: ArrayLike<number>): Sigmoid {
  const count = decisions.length;
  let positives = 0;
  for (let k = 0; k < count; k++) if (truth[k] > 0) positives++;
  const negatives = count - positives;
  const high = (positives + 1) / (positives + 2);
  const low = 1 / (negatives + 2);
  let slope = 0;
  let offset = logarithm((negatives + 1) / (positives + 1));
  let loss = sigmoidLoss(decisions, truth, slope, offset, high, low);
  if (Number.isNaN(loss)) throw badData("fitSigmoid: decision values: got NaN, expected finite numbers");
  // in the unit of the decisions, so that decisions twice as large have half the slope and the same probabilities
  let unit = 0;
  for (let k = 0; k < count; k++) unit = Math.max(unit, Math.abs(decisions[k]));
  if (unit === 0) unit = 1;
  for (let iteration = 0; iteration < 100; iteration++) {
    // gradient and Hessian, the latter with a small ridge
    let [h11, h22, h21, g1, g2] = [1e-12 * unit * unit, 1e-12, 0, 0, 0];
    for (let k = 0; k < count; k++) {
      const p = logistic(-(decisions[k] * slope + offset));
      const curvature = p * (1 - p);
      h11 += decisions[k] * decisions[k] * curvature;
      h22 += curvature;
      h21 += decisions[k] * curvature;
      const residual = (truth[k] > 0 ? high : low) - p;
      g1 += decisions[k] * residual;
      g2 += residual;
    }
    if (Math.abs(g1) < 1e-5 * unit && Math.abs(g2) < 1e-5) break;
    const determinant = h11 * h22 - h21 * h21;
    const moveSlope = -(h22 * g1 - h21 * g2) / determinant;
    const moveOffset = -(-h21 * g1 + h11 * g2) / determinant;
    const descent = g1 * moveSlope + g2 * moveOffset;
    let step = 1;
    for (; step >= 1e-10; step /= 2) {
      const trial = sigmoidLoss(
        decisions,
        truth,
        slope + step * moveSlope,
        offset + step * moveOffset,
        high,
        low,
      );
      if (trial < loss + 1e-4 * step * descent) {
        slope += step * moveSlope;
        offset += step * moveOffset;
        loss = trial;
        break;
      }
    }
    if (step < 1e-10) break;
  }
  return { slope, offset };
}

/** −Σ t log p + (1 − t) log(1 − p), in a form that never overflows. */
function sigmoidLoss(
  decisions: ArrayLike<number>,
  truth: ArrayLike<number>,
  slope: number,
  offset: number,
  high: number,
  low: number,
): number {
  let loss = 0;
  for (let k = 0; k < decisions.length; k++) {
    const x = decisions[k] * slope + offset;
    const target = truth[k] > 0 ? high : low;
    loss +=
      x >= 0
        ? target * x + logarithmOfOnePlus(exponential(-x))
        : (target - 1) * x + logarithmOfOnePlus(exponential(x));
  }
  return loss;
}

/** 1 / (1 + exp(−x)) without overflow. */
function logistic(x: number): number {
  const e = exponential(-Math.abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/** Probability of the first class of a pair. */
export function pairProbability(decision: number, sigmoid: Sigmoid): number {
  const p = logistic(-(decision * sigmoid.slope + sigmoid.offset));
  return Math.min(Math.max(p, MARGIN), 1 - MARGIN);
}

/** Class probabilities from r_ab, a < b, in the order (0,1), (0,2), …, (1,2), …. Gauss-Seidel, O(classes²) a sweep. */
export function coupleProbabilities(pairwise: ArrayLike<number>, classes: number): Float64Array {
  const Q = new Float64Array(classes * classes);
  for (let a = 0, q = 0; a < classes; a++)
    for (let b = a + 1; b < classes; b++, q++) {
      const ab = pairwise[q];
      const ba = 1 - ab;
      Q[a * classes + a] += ba * ba;
      Q[b * classes + b] += ab * ab;
      Q[a * classes + b] = Q[b * classes + a] = -ba * ab;
    }
  const p = new Float64Array(classes).fill(1 / classes);
  const Qp = new Float64Array(classes);
  for (let sweep = 0; sweep < 100 * classes; sweep++) {
    let pQp = 0;
    for (let a = 0; a < classes; a++) {
      Qp[a] = 0;
      for (let b = 0; b < classes; b++) Qp[a] += Q[a * classes + b] * p[b];
      pQp += p[a] * Qp[a];
    }
    let error = 0;
    for (let a = 0; a < classes; a++) error = Math.max(error, Math.abs(Qp[a] - pQp));
    if (error < 1e-12) break;
    for (let a = 0; a < classes; a++) {
      const move = (pQp - Qp[a]) / Q[a * classes + a];
      p[a] += move;
      pQp = (pQp + move * (move * Q[a * classes + a] + 2 * Qp[a])) / (1 + move) / (1 + move);
      for (let b = 0; b < classes; b++) {
        Qp[b] = (Qp[b] + move * Q[a * classes + b]) / (1 + move);
        p[b] /= 1 + move;
      }
    }
  }
  return p;
}
