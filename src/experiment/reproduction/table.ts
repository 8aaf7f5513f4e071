/** Table 1: kernels × sets, ours beside the paper's. */

import { kernelByName } from "../../kernel/registry.js";
import { againstBest, SIGNIFICANT } from "../../learn/significance.js";
import type { KernelResult } from "../evaluation-types.js";
import { kernelGrid } from "../grid.js";
import type { Conductor } from "./conductor.js";
import { knownDifferences } from "./known-differences.js";
import { paperAccuracy } from "./paper.js";
import type { Row } from "./rows.js";
import type { Cell, Experiment, Table } from "./types.js";

/** The last row of every table: what the numbers of nodes and edges tell by themselves. */
export const SIZE_ALONE = "size alone";

/** Choices that are reported of a cell. */
const CHOICES = 5;

export const stepName = (experiment: Experiment, row: string, set: string) =>
  `${experiment}: ${row} on ${set}`;

export function emptyTable(
  experiment: Experiment,
  title: string,
  about: string,
  rows: readonly Row[],
  sets: readonly string[],
): Table {
  return {
    experiment,
    title,
    about,
    rows: [...rows.map((row) => row.name), SIZE_ALONE],
    sets: [...sets],
    cells: [],
  };
}

/** Fills the cells of one set; `table.cells` grows as they are done. */
export async function fillTable(
  conductor: Conductor,
  table: Table,
  rows: readonly Row[],
  set: string,
): Promise<void> {
  for (const { name, request, classifier } of rows) {
    const points = kernelGrid(kernelByName(request.name), request);
    const tried =
      request.search === "one-at-a-time"
        ? 1 + Object.values(request.grid ?? {}).reduce((sum, values) => sum + values.length - 1, 0)
        : points.length;
    const expected = conductor.expected(set, tried, conductor.options.protocol.repeats);
    await conductor.step(
      stepName(table.experiment, name, set),
      expected,
      async () => {
        const { value, cached } = await conductor.evaluate(set, request, classifier ? { classifier } : {});
        return { value: cellOf(table.experiment, set, name, value), cached };
      },
      (cell) => table.cells.push(cell),
    );
  }
  await conductor.step(
    stepName(table.experiment, SIZE_ALONE, set),
    conductor.expected(set, 2, conductor.options.protocol.repeats),
    async () => {
      const { value, cached } = await conductor.sizeAlone(set);
      return { value: cellOf(table.experiment, set, SIZE_ALONE, value), cached };
    },
    (cell) => table.cells.push(cell),
  );
}

function cellOf(experiment: Experiment, set: string, row: string, result: KernelResult): Cell {
  const { accuracy, chosen, seconds } = result;
  const paper = paperAccuracy(row, set);
  const deviations = paper?.std ? (accuracy.mean - paper.mean) / paper.std : null;
  return {
    set,
    row,
    accuracy,
    chosen: chosen.slice(0, CHOICES),
    seconds: seconds.profile + seconds.signature + seconds.gram + seconds.svm,
    paper,
    deviations,
    pOfDifference: null,
    knownDifferences:
      deviations !== null && Math.abs(deviations) > 2 ? knownDifferences(experiment, set, row) : null,
  };
}

/** How sure it is that the best row of each set is better than the others, over the folds that all rows share; null for the best row itself. */
export function compareRows(table: Table, folds: number): void {
  for (const set of new Set(table.cells.map((cell) => cell.set))) {
    const cells = table.cells.filter((cell) => cell.set === set);
    const tests = againstBest(
      cells.map(({ accuracy }) => accuracy),
      1 / (folds - 1),
    );
    cells.forEach((cell, k) => {
      cell.pOfDifference = tests[k]?.pHolm ?? null;
    });
  }
}

/** Not told apart from the best of its table and set. */
export const isAsGood = ({ pOfDifference }: Cell) => pOfDifference !== null && pOfDifference >= SIGNIFICANT;
