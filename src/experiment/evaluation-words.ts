/** What the terminal and the explorer say of an evaluation, in the same words. */
import type { GridPoint } from "../learn/nested.js";
import { SIGNIFICANT } from "../learn/significance.js";
import type { Comparison, EvaluationResult, KernelResult, Protocol } from "./evaluation-types.js";
import { formatShare } from "./wording.js";

/** 0.91234 → "91.23" */
export const percent = (share: number) => (100 * share).toFixed(2);

/** "91.23 ± 0.61": mean and standard deviation over repeats, or over the folds of one repeat. */
export function accuracyText({ accuracy }: KernelResult, { repeats }: Protocol): string {
  return `${percent(accuracy.mean)} ± ${percent(repeats > 1 ? accuracy.std : accuracy.foldStd)}`;
}

/** "C 10, exponent 2 (7 of 10)": what the inner folds chose most often. */
export function chosenText({ chosen }: KernelResult): string {
  const [first] = chosen;
  const point = pointText(first.point);
  const all = chosen.reduce((sum, choice) => sum + choice.times, 0);
  const words = [first.C > 0 ? `C ${first.C}` : "", point].filter((word) => word !== "");
  return `${words.length === 0 ? "no choice" : words.join(", ")} (${first.times} of ${all})`;
}

/** "exponent 2, selfLoops true" */
export const pointText = (point: GridPoint) =>
  Object.entries(point)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");

export function protocolText(protocol: Protocol): string {
  const { name, repeats, folds, inner, Cs, seed, grouped } = protocol;
  const classifier = protocol.classifier === "1nn" ? "nearest neighbour" : `C from ${Cs[0]} to ${Cs.at(-1)}`;
  return `protocol ${name}: ${repeats} × ${folds} folds, ${inner} inner folds, ${classifier}, seed ${seed}${grouped ? ", isomorphic copies in one fold" : ""}`;
}

/** The rows of the table: the kernels, then what size alone reaches. */
export const tableRows = ({ results, sizeAlone }: EvaluationResult): KernelResult[] =>
  sizeAlone ? [...results, sizeAlone] : [...results];

/** The ceiling in a sentence; null where it was not computed. */
export function ceilingText({ ceiling }: EvaluationResult): string | null {
  if (!ceiling) return null;
  const { structure, labels } = ceiling;
  if (structure === 1) return "ceiling 100 %: no identical graphs are of different classes";
  const withLabels =
    labels === null
      ? ""
      : `, ${labels === 1 ? "100 %" : formatShare(labels)} for kernels that see node labels`;
  return `ceiling ${formatShare(structure)}${withLabels}: identical graphs of different classes cannot all be right`;
}

/** How the best kernel compares with each of the others. */
export const comparisonTexts = ({ comparisons }: EvaluationResult) => comparisons.map(comparisonText);

/** What the p of these sentences is. */
export const COMPARISON_TEST =
  "p: corrected resampled t test over the same folds (Nadeau and Bengio, 2003), with Holm's correction for all pairs of kernels";

/** "dos+ldos is better than dos by 1.2 points, p = 0.03" */
export function comparisonText({ first, second, difference, pHolm: p }: Comparison): string {
  if (difference === 0) return `${first} and ${second} are equally good`;
  const points = `${(100 * difference).toFixed(difference < 0.001 ? 2 : 1)} points`;
  // more digits near the border, so that 0.0496 does not read 0.05
  const digits = Math.abs(p - SIGNIFICANT) < 0.005 ? 3 : p < 0.1 ? 1 : 2;
  const chance = p < 0.001 ? "p < 0.001" : `p = ${Number(p.toPrecision(digits))}`;
  return p < SIGNIFICANT
    ? `${first} is better than ${second} by ${points}, ${chance}`
    : `${first} is not distinguishable from ${second}: ${points} ahead, ${chance}`;
}

/** Which kernel to take and why, and what to keep in mind; nothing where fewer than two were compared. */
export const recommendationTexts = ({ recommendation }: EvaluationResult) =>
  recommendation
    ? [`recommended: ${recommendation.kernel}: ${recommendation.reason}`, recommendation.caution]
    : [];

/** Of the clock for profiles and signatures, summed over workers for the folds. */
export const measuredSeconds = ({ seconds }: KernelResult) =>
  seconds.profile + seconds.signature + seconds.gram + seconds.svm;

/** What is to be known of a kernel. Notes come from its parts and begin with their names, which for a kernel of one part is its own. */
export const noteSentences = ({ kernel, notes }: KernelResult) =>
  notes.map((note) => (note.startsWith(`${kernel}: `) ? note : `${kernel}: ${note}`));
