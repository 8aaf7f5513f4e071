/** A reproduction for the terminal: the tables, the aims, what was left out. */
import pc from "picocolors";
import { isAsGood } from "../experiment/reproduction/table.js";
import type { Reproduction, SetSummary, Table } from "../experiment/reproduction/types.js";
import { alignedTable } from "./evaluation-text.js";
import { formatBytes, formatDuration } from "./format.js";

const percent = (share: number) => (100 * share).toFixed(2);

export function reproductionText(result: Reproduction): string {
  const lines: string[] = [];
  for (const table of result.tables) lines.push(pc.bold(table.title), ...tableText(table, result.sets), "");
  if (result.tables.length > 0)
    lines.push(
      pc.dim("accuracy in per cent ± standard deviation over repeats; the paper's in brackets"),
      pc.dim(
        "ceiling: identical graphs of different classes cannot all be right; ≈: not distinguishable from the best of its table and set",
      ),
      "",
    );
  for (const { what, wanted, got, held } of result.aims)
    lines.push(`${held ? pc.green("held  ") : pc.yellow("missed")} ${what}: ${got}, wanted ${wanted}`);
  for (const sentence of result.leftOut) lines.push(pc.yellow(`left out: ${sentence}`));
  const seconds = result.stages.reduce((sum, stage) => sum + stage.seconds, 0);
  const cached = result.stages.filter((stage) => stage.cached).length;
  lines.push(
    `${result.stages.length} steps in ${formatDuration(seconds)}, ${cached} of them from the cache` +
      (result.cache ? ` (${formatBytes(result.cache.bytes)} in ${result.cache.folder})` : ""),
  );
  return lines.join("\n");
}

function tableText({ rows, sets, cells }: Table, summaries: readonly SetSummary[]): string[] {
  const body = rows.map((row) => [
    row,
    ...sets.map((set) => {
      const cell = cells.find((one) => one.row === row && one.set === set);
      if (!cell) return "–";
      const { accuracy, paper } = cell;
      return `${percent(accuracy.mean)} ± ${percent(accuracy.std)}${paper ? ` (${percent(paper.mean)})` : ""}${isAsGood(cell) ? " ≈" : ""}`;
    }),
  ]);
  const ceilings = sets.map((set) => summaries.find(({ name }) => name === set)?.ceiling);
  const last = ["ceiling", ...ceilings.map((share) => (share === undefined ? "–" : percent(share)))];
  return alignedTable([["", ...sets], ...body, last]);
}
