/** How good predictions are: counts and fractions of truth against prediction, O(points). */
import { badCall } from "../base/errors.js";

export interface ConfusionMatrix {
  /** Every class that occurs as truth or prediction, ascending. */
  classes: Int32Array;
  /** counts[t · classes + p]: points of class t that were said to be of class p. */
  counts: Int32Array;
}

export function confusionMatrix(truth: ArrayLike<number>, predicted: ArrayLike<number>): ConfusionMatrix {
  if (truth.length !== predicted.length)
    throw badCall(`confusionMatrix: predictions: got ${predicted.length}, expected ${truth.length}`);
  const classes = Int32Array.from(new Set([...Array.from(truth), ...Array.from(predicted)])).sort();
  const place = new Map(Array.from(classes, (name, at) => [name, at]));
  const counts = new Int32Array(classes.length * classes.length);
  for (let i = 0; i < truth.length; i++)
    counts[(place.get(truth[i]) as number) * classes.length + (place.get(predicted[i]) as number)]++;
  return { classes, counts };
}

/** Fraction of predictions that are right; NaN for none. */
export function accuracy(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  if (truth.length !== predicted.length)
    throw badCall(`accuracy: predictions: got ${predicted.length}, expected ${truth.length}`);
  let right = 0;
  for (let i = 0; i < truth.length; i++) if (truth[i] === predicted[i]) right++;
  return right / truth.length;
}

/** Mean over the classes that occur in the truth of the fraction found (recall); NaN for no points. */
export function balancedAccuracy(truth: ArrayLike<number>, predicted: ArrayLike<number>): number {
  const { classes, counts } = confusionMatrix(truth, predicted);
  let sum = 0;
  let present = 0;
  for (let t = 0; t < classes.length; t++) {
    let total = 0;
    for (let p = 0; p < classes.length; p++) total += counts[t * classes.length + p];
    if (total === 0) continue;
    sum += counts[t * classes.length + t] / total;
    present++;
  }
  return sum / present;
}
