/** What a reproduction is to reach, and whether it does. */
import type { Aim, Table } from "./types.js";

/** Accuracies that LDOS+DOS is to reach in the block `ours`. */
const OURS: Readonly<Record<string, number>> = {
  "REDDIT-BINARY": 0.927,
  "REDDIT-MULTI-5K": 0.565,
  COLLAB: 0.81,
  "IMDB-BINARY": 0.736,
  "IMDB-MULTI": 0.5,
};
const ROW = "LDOS+DOS";
const percent = (share: number) => (100 * share).toFixed(2);

export function aimsOf(tables: readonly Table[]): Aim[] {
  const aims: Aim[] = [];
  for (const { experiment, cells } of tables)
    for (const { set, row, accuracy, paper } of cells) {
      if (row !== ROW || !(set in OURS)) continue;
      // one repeat alone has no spread
      const spread = accuracy.perRepeat.length > 1 ? ` ± ${percent(accuracy.std)}` : "";
      const got = `${percent(accuracy.mean)}${spread}`;
      if (experiment === "table" && paper?.std) {
        const least = paper.mean - 2 * paper.std;
        const wanted = `at least ${percent(least)}: the paper's ${percent(paper.mean)} less two of its standard deviations`;
        aims.push({ what: `${ROW} as in the paper, ${set}`, wanted, got, held: accuracy.mean >= least });
      }
      if (experiment === "ours") {
        const wanted = `at least ${percent(OURS[set])}`;
        aims.push({ what: `${ROW}, ours, ${set}`, wanted, got, held: accuracy.mean >= OURS[set] });
      }
    }
  return aims;
}
