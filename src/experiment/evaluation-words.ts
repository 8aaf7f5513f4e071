/** What the terminal and the explorer say of an evaluation, in the same words. */
import type { GridPoint } from "../learn/nested.js";
import type { EvaluationResult, KernelResult, Protocol } from "./evaluation-types.js";
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
export const comparisonTexts = ({ comparisons }: EvaluationResult) =>
  comparisons.map(
    ({ first, second, difference, p }) =>
      `${first} against ${second}: ${percent(difference)} points, p = ${p < 0.001 ? "< 0.001" : p.toFixed(3)} (corrected resampled t test)`,
  );

/** What is to be known of a kernel. Notes come from its parts and begin with their names, which for a kernel of one part is its own. */
export const noteSentences = ({ kernel, notes }: KernelResult) =>
  notes.map((note) => (note.startsWith(`${kernel}: `) ? note : `${kernel}: ${note}`));
