/**
 * Is one kernel better than another? The corrected resampled t test for accuracies measured on the same r × k folds.
 *
 *   d_j = first_j − second_j,  t = mean(d) / √((1/J + test/train) · var(d)),  J = r·k,  J − 1 degrees of freedom
 *
 * The folds share training data, so d_j are not independent and the plain t test finds differences where there are none;
 * the term test/train (1/(k−1) for k folds) repairs the variance (Nadeau & Bengio, "Inference for the generalization
 * error", Machine Learning 52, 2003).
 */
import { badCall } from "../base/errors.js";
import { exponential } from "../base/exponential.js";
import { logarithm } from "../base/logarithm.js";

export interface TTest {
  /** Mean of first − second. */
  difference: number;
  t: number;
  degreesOfFreedom: number;
  /** Two-sided. */
  p: number;
}

/** testPerTrain: test points per training point of a fold, 1/(k − 1) for k-fold cross-validation. */
export function correctedResampledTTest(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  testPerTrain: number,
): TTest {
  const count = first.length;
  if (second.length !== count || count < 2)
    throw badCall(
      `correctedResampledTTest: accuracies: got ${count} and ${second.length}, expected two equal numbers of at least 2`,
    );
  if (!(testPerTrain >= 0))
    throw badCall(`correctedResampledTTest: testPerTrain: got ${testPerTrain}, expected 0 or more`);
  let mean = 0;
  for (let j = 0; j < count; j++) mean += (first[j] - second[j]) / count;
  let variance = 0;
  for (let j = 0; j < count; j++) variance += (first[j] - second[j] - mean) ** 2 / (count - 1);
  const degreesOfFreedom = count - 1;
  // equal differences on every fold: their mean is certain, zero or not
  const constant = variance <= (1e-14 * mean) ** 2;
  const t = constant
    ? mean === 0
      ? 0
      : Math.sign(mean) * Infinity
    : mean / Math.sqrt((1 / count + testPerTrain) * variance);
  return { difference: mean, t, degreesOfFreedom, p: studentTwoSided(t, degreesOfFreedom) };
}

/** P(|T| ≥ |t|) for Student's t with ν degrees of freedom: I_x(ν/2, ½) at x = ν/(ν + t²). */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  if (Number.isNaN(t)) return Number.NaN;
  const squared = t * t;
  if (squared === Infinity) return 0;
  const total = degreesOfFreedom + squared;
  return regularisedBeta(degreesOfFreedom / total, squared / total, degreesOfFreedom / 2, 0.5);
}

/** P(T ≤ t). */
export function studentCdf(t: number, degreesOfFreedom: number): number {
  const tail = studentTwoSided(t, degreesOfFreedom) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** The regularised incomplete beta function I_x(a, b), given x and y = 1 − x both exactly (one may be tiny). */
export function regularisedBeta(x: number, y: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const front = exponential(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * logarithm(x) + b * logarithm(y),
  );
  // the continued fraction converges fast below the mean; beyond, by symmetry
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(y, b, a)) / b;
}

/** Continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return fraction;
}

/** log Γ(x), x > 0: Stirling's series after shifting x above 10; about 15 digits. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 10; z++) shift += logarithm(z);
  const w = 1 / (z * z);
  const series =
    (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w * (1 / 1188 - (w * 691) / 360360))))) / z;
  return (z - 0.5) * logarithm(z) - z + 0.5 * logarithm(2 * Math.PI) + series - shift;
}

export interface AgainstBest extends TTest {
  /** After Holm's correction. */
  pHolm: number;
}

/**
 * The best of several accuracies on the same folds against each of the others; null for the best itself. Which one is best was seen in the same
 * accuracies: the largest of many differences by chance alone is then among those compared. So Holm's correction is for all k (k − 1)/2 pairs, not
 * for the k − 1 that are given.
 */
export function againstBest(
  accuracies: readonly { mean: number; perFold: ArrayLike<number> }[],
  testPerTrain: number,
): (AgainstBest | null)[] {
  const best = accuracies.reduce((top, { mean }, k) => (mean > accuracies[top].mean ? k : top), 0);
  const pairs = accuracies.flatMap((one, k) =>
    accuracies.slice(k + 1).map((other, h) => {
      const at = k + 1 + h;
      const [first, second] = at === best ? [other, one] : [one, other];
      const test = correctedResampledTTest(first.perFold, second.perFold, testPerTrain);
      return { test, of: at === best ? k : k === best ? at : null };
    }),
  );
  const corrected = holm(pairs.map(({ test }) => test.p));
  const found: (AgainstBest | null)[] = accuracies.map(() => null);
  pairs.forEach(({ of, test }, pair) => {
    if (of !== null) found[of] = { ...test, pHolm: corrected[pair] };
  });
  return found;
}

/** Of a p below this a difference is called significant. */
export const SIGNIFICANT = 0.05;

/**
 * Holm's correction for a family of comparisons: with p sorted ascending, p'_(k) = max over j ≤ k of min(1, (n − j)·p_(j)), j from 0. Keeps the
 * chance of even one false finding below the level, without assuming independence (Holm, Scandinavian Journal of Statistics 6, 1979).
 */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, k) => k).sort((a, b) => ps[a] - ps[b]);
  const corrected = new Array<number>(ps.length);
  let largest = 0;
  order.forEach((k, rank) => {
    largest = Math.max(largest, Math.min(1, (ps.length - rank) * ps[k]));
    corrected[k] = largest;
  });
  return corrected;
}
