/**
 * Which kernel to take. The most accurate, unless a much cheaper one is as good: within one point, not significantly worse, at a third of the
 * time or less. Significance: corrected resampled t tests with Holm's correction, 0.05. Times are those that were measured (the column `time`
 * of the table), so near the border another run may recommend another kernel.
 */
import { correctedResampledTTest, holm, SIGNIFICANT } from "../learn/significance.js";
import type { Comparison, KernelResult, Protocol, Recommendation } from "./evaluation-types.js";
import { measuredSeconds } from "./evaluation-words.js";

/** One point; the margin is for rounding in differences of accuracies. */
const CLOSE = 0.01 + 1e-9;
const CHEAPER = 1 / 3;

const mostAccurate = (results: readonly KernelResult[]) =>
  results.reduce((a, b) => (b.accuracy.mean > a.accuracy.mean ? b : a));

/**
 * The best kernel against each of the others, over all folds. Which one is best was seen in the same accuracies: the largest of many differences
 * by chance alone is then among those compared. So Holm's correction is for all k (k − 1)/2 pairs, not for the k − 1 that are shown.
 */
export function compareWithBest(
  results: readonly KernelResult[],
  { folds }: Pick<Protocol, "folds">,
): Comparison[] {
  if (results.length < 2) return [];
  const best = mostAccurate(results);
  const pairs = results.flatMap((one, k) =>
    results.slice(k + 1).map((other) => {
      const [first, second] = other === best ? [other, one] : [one, other];
      const { t, p } = correctedResampledTTest(
        first.accuracy.perFold,
        second.accuracy.perFold,
        1 / (folds - 1),
      );
      return { first, second, t, p };
    }),
  );
  const corrected = holm(pairs.map(({ p }) => p));
  return pairs.flatMap(({ first, second, t, p }, k) =>
    first === best
      ? {
          ...{ first: first.kernel, second: second.kernel },
          difference: first.accuracy.mean - second.accuracy.mean,
          ...{ t, p, pHolm: corrected[k] },
        }
      : [],
  );
}

export function recommendKernel(
  results: readonly KernelResult[],
  comparisons: readonly Comparison[],
): Recommendation | null {
  if (results.length < 2) return null;
  const best = mostAccurate(results);
  const costOf = (result: KernelResult) => Math.max(0.01, measuredSeconds(result));
  const against = new Map(comparisons.map((comparison) => [comparison.second, comparison]));
  const alike = results.filter(({ kernel }) => (against.get(kernel)?.pHolm ?? 0) >= SIGNIFICANT);
  const close = alike.filter(({ kernel }) => against.get(kernel)!.difference <= CLOSE);
  // the cheapest, the more accurate on a tie
  const [pick] = close
    .filter((result) => costOf(result) <= CHEAPER * costOf(best))
    .sort((a, b) => costOf(a) - costOf(b) || b.accuracy.mean - a.accuracy.mean);
  const percent = ({ accuracy }: KernelResult) => `${(100 * accuracy.mean).toFixed(1)} %`;
  const names = alike.map(({ kernel }) => kernel);
  const reason =
    pick !== undefined
      ? `${percent(pick)}, not distinguishable from ${best.kernel} (${percent(best)}, the most accurate; p = ${against.get(pick.kernel)!.pHolm.toFixed(2)}) at about 1/${Math.round(costOf(best) / costOf(pick))} of its measured time`
      : alike.length === 0
        ? `${percent(best)}, the most accurate; ${results.length === 2 ? "the other is" : "all others are"} significantly worse`
        : `${percent(best)}, the most accurate, but not distinguishable from ${names.join(", ")}; ${close.length === 0 ? "none of these comes within a point of it" : "none of these within a point of it took a third of its measured time or less"}`;
  return {
    kernel: (pick ?? best).kernel,
    reason,
    notDistinguishable: names,
    caution: `${percent(best)} of ${best.kernel} is optimistic: the highest of ${results.length} accuracies on the same folds is there by luck too; only graphs that had no part in this choice can tell how much`,
  };
}
