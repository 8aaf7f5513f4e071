/**
 * Which kernel to take. The most accurate, unless a much cheaper one is as good: within one point, not significantly worse (corrected
 * resampled t test, p ≥ 0.05), at a third of the cost or less. Costs are those of the model (kernel-cost.ts), the same in every run.
 */
import type { Comparison, KernelResult, Recommendation } from "./evaluation-types.js";

/** One point; the margin is for rounding in differences of accuracies. */
const CLOSE = 0.01 + 1e-9;
const SIGNIFICANT = 0.05;
const CHEAPER = 1 / 3;

export function recommendKernel(
  results: readonly KernelResult[],
  comparisons: readonly Comparison[],
  costs: ReadonlyMap<string, number>,
): Recommendation | null {
  if (results.length < 2) return null;
  const best = results.reduce((a, b) => (b.accuracy.mean > a.accuracy.mean ? b : a));
  const costOf = ({ kernel }: KernelResult) => Math.max(0.01, costs.get(kernel) ?? 0);
  const against = new Map(comparisons.map((comparison) => [comparison.second, comparison]));
  const asGood = results.filter((result) => {
    const comparison = against.get(result.kernel);
    return comparison !== undefined && comparison.difference <= CLOSE && comparison.p >= SIGNIFICANT;
  });
  const cheap = asGood.filter((result) => costOf(result) <= CHEAPER * costOf(best));
  const percent = ({ accuracy }: KernelResult) => `${(100 * accuracy.mean).toFixed(1)} %`;
  if (cheap.length === 0) {
    const reason =
      asGood.length === 0
        ? `${percent(best)}, the most accurate; no other comes within a point of it without being significantly worse`
        : `${percent(best)}, the most accurate; ${asGood.map(({ kernel }) => kernel).join(", ")} ${asGood.length === 1 ? "comes" : "come"} within a point, but ${asGood.length === 1 ? "is" : "are"} not much cheaper`;
    return { kernel: best.kernel, reason };
  }
  // the cheapest, the more accurate on a tie
  const [pick] = cheap.sort((a, b) => costOf(a) - costOf(b) || b.accuracy.mean - a.accuracy.mean);
  const times = Math.round(costOf(best) / costOf(pick));
  const { p } = against.get(pick.kernel)!;
  return {
    kernel: pick.kernel,
    reason: `${percent(pick)}, within a point of ${best.kernel} (${percent(best)}, p = ${p.toFixed(2)}) at about 1/${times} of its expected cost before the folds`,
  };
}
