/** The table of an evaluation for the terminal. */
import pc from "picocolors";
import type { EvaluationResult, KernelResult, Protocol } from "../experiment/evaluation-types.js";
import { formatShare } from "../experiment/wording.js";
import type { GridPoint } from "../learn/nested.js";
import { formatDuration } from "./format.js";
import { plainText } from "./terminal-chart.js";

const percent = (share: number) => (100 * share).toFixed(2);

export function evaluationText(result: EvaluationResult): string {
  const { protocol, results } = result;
  const best = results.reduce((a, b) => (b.accuracy.mean > a.accuracy.mean ? b : a));
  const head = ["", "kernel", "accuracy %", "balanced %", "chosen most often", "time"];
  const rows = results.map((row) => [
    row === best && results.length > 1 ? "*" : "",
    row.kernel,
    `${percent(row.accuracy.mean)} ± ${percent(protocol.repeats > 1 ? row.accuracy.std : row.accuracy.foldStd)}`,
    percent(row.balancedAccuracy),
    chosenText(row),
    formatDuration(row.seconds.profile + row.seconds.signature + (row.seconds.gram + row.seconds.svm)),
  ]);
  const spread = protocol.repeats > 1 ? `${protocol.repeats} repeats` : `${protocol.folds} folds`;
  const lines = [
    pc.bold(plainText(result.dataset)),
    `${result.graphs} graphs, ${result.classNames.length} classes; always guessing the largest class is right for ${formatShare(result.baseline)}`,
    `protocol ${protocol.name}: ${protocol.repeats} × ${protocol.folds} folds, ${protocol.inner} inner folds, ${classifierText(protocol)}, seed ${protocol.seed}${protocol.grouped ? ", isomorphic copies in one fold" : ""}`,
    "",
    ...alignedTable([head, ...rows]).map((line, k) =>
      k === 0 ? pc.dim(line) : rows[k - 1][0] === "*" ? pc.bold(line) : line,
    ),
    "",
    pc.dim(
      `± is the standard deviation over ${spread}; time is that of the clock for profiles and signatures, summed over workers for the folds.`,
    ),
  ];
  for (const { first, second, difference, p } of result.comparisons)
    lines.push(
      `${first} against ${second}: ${percent(difference)} points, p = ${p < 0.001 ? "< 0.001" : p.toFixed(3)} (corrected resampled t test)`,
    );
  if (result.recommendation)
    lines.push(
      "",
      `${pc.bold("recommended:")} ${result.recommendation.kernel}: ${result.recommendation.reason}`,
    );
  for (const { kernel, reason } of result.skipped ?? []) lines.push(`left out: ${kernel}: ${reason}`);
  if (result.classNames.length <= 12) lines.push("", ...confusionText(best, result.classNames));
  for (const warning of result.warnings) lines.push(pc.yellow(`warning: ${warning}`));
  return lines.join("\n");
}

const classifierText = ({ classifier, Cs }: Protocol) =>
  classifier === "1nn" ? "nearest neighbour" : `C from ${Cs[0]} to ${Cs.at(-1)}`;

function confusionText(row: KernelResult, names: readonly string[]): string[] {
  const head = ["class", ...names.map((name) => `as ${plainText(name)}`)];
  const body = row.confusion.map((counts, c) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return [
      plainText(names[c]),
      ...counts.map((count) => `${((100 * count) / Math.max(1, total)).toFixed(1)} %`),
    ];
  });
  return [
    `confusion of ${row.kernel}`,
    ...alignedTable([head, ...body]).map((line, k) => (k === 0 ? pc.dim(line) : line)),
  ];
}

function chosenText(row: KernelResult): string {
  const [first] = row.chosen;
  const point = pointText(first.point);
  const all = row.chosen.reduce((sum, choice) => sum + choice.times, 0);
  const words = [first.C > 0 ? `C ${first.C}` : "", point].filter((word) => word !== "");
  return `${words.length === 0 ? "no choice" : words.join(", ")} (${first.times} of ${all})`;
}

export const pointText = (point: GridPoint) =>
  Object.entries(point)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");

/** Columns padded to one width each, two blanks between. */
export function alignedTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  return rows.map((row) =>
    row
      .map((cell, c) => cell.padEnd(widths[c]))
      .join("  ")
      .trimEnd(),
  );
}
