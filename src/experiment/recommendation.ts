/**
 * Which kernel to take. The most accurate, unless a much cheaper one is as good: within one point, not significantly worse, at a third of the
 * time or less. Significance: corrected resampled t tests with Holm's correction, 0.05. Times are those that were measured (the column `time`
 * of the table), so near the border another run may recommend another kernel.
 */
import { againstBest, SIGNIFICANT } from "../learn/significance.js";
import type { Comparison, KernelResult, Protocol, Recommendation } from "./evaluation-types.js";
import { measuredSeconds } from "./evaluation-words.js";

/** One point; the margin is for rounding in differences of accuracies. */
const CLOSE = 0.01 + 1e-9;
const CHEAPER = 1 / 3;

const mostAccurate = (results: readonly KernelResult[]) =>
  results.reduce((a, b) => (b.accuracy.mean > a.accuracy.mean ? b : a));

/** The best kernel against each of the others, over all folds. */
export function compareWithBest(
  results: readonly KernelResult[],
  { folds }: Pick<Protocol, "folds">,
): Comparison[] {
  if (results.length < 2) return [];
  const best = mostAccurate(results);
  const tests = againstBest(
    results.map(({ accuracy }) => accuracy),
    1 / (folds - 1),
  );
  return results.flatMap(({ kernel }, k) => {
    const test = tests[k];
    if (test === null) return [];
    const { difference, t, p, pHolm } = test;
    return [{ first: best.kernel, second: kernel, difference, t, p, pHolm }];
  });
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
