/** The table of an evaluation for the terminal. */
import pc from "picocolors";
import type { EvaluationResult, KernelResult } from "../experiment/evaluation-types.js";
import {
  accuracyText,
  COMPARISON_TEST,
  ceilingText,
  chosenText,
  comparisonTexts,
  measuredSeconds,
  percent,
  protocolText,
  recommendationTexts,
  tableRows,
} from "../experiment/evaluation-words.js";
import { formatShare } from "../experiment/wording.js";
import { formatDuration } from "./format.js";
import { plainText } from "./terminal.js";

export function evaluationText(result: EvaluationResult): string {
  const { protocol, results } = result;
  const best = results.reduce((a, b) => (b.accuracy.mean > a.accuracy.mean ? b : a));
  const head = ["", "kernel", "accuracy %", "balanced %", "chosen most often", "time"];
  const rows = tableRows(result).map((row) => [
    row === best && results.length > 1 ? "*" : "",
    row.kernel,
    accuracyText(row, protocol),
    percent(row.balancedAccuracy),
    chosenText(row),
    formatDuration(measuredSeconds(row)),
  ]);
  const spread = protocol.repeats > 1 ? `${protocol.repeats} repeats` : `${protocol.folds} folds`;
  const lines = [
    pc.bold(plainText(result.dataset)),
    `${result.graphs} graphs, ${result.classNames.length} classes; always guessing the largest class is right for ${formatShare(result.baseline)}`,
    protocolText(protocol),
    "",
    ...alignedTable([head, ...rows]).map((line, k) =>
      k === 0 ? pc.dim(line) : rows[k - 1][0] === "*" ? pc.bold(line) : line,
    ),
    "",
    pc.dim(
      `± is the standard deviation over ${spread}; time is that of the clock for profiles and signatures, summed over workers for the folds; folds from the cache count with what they took when they were computed.`,
    ),
  ];
  if (result.sizeAlone)
    lines.push(
      pc.dim("size alone is a machine that sees the numbers of nodes and edges, on the same folds."),
    );
  const ceiling = ceilingText(result);
  if (ceiling !== null) lines.push(ceiling);
  const comparisons = comparisonTexts(result);
  if (comparisons.length > 0) lines.push(...comparisons, pc.dim(`${COMPARISON_TEST}.`));
  const [recommended, caution] = recommendationTexts(result);
  if (recommended !== undefined) lines.push("", pc.bold(recommended), caution);
  for (const { kernel, reason } of result.skipped ?? []) lines.push(`left out: ${kernel}: ${reason}`);
  if (result.classNames.length <= 12) lines.push("", ...confusionText(best, result.classNames));
  for (const warning of result.warnings) lines.push(pc.yellow(`warning: ${warning}`));
  return lines.join("\n");
}

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
