/**
 * What building a graph did to the edges it was given, counted; summed over the graphs of a data set.
 */
export interface CleaningReport {
  /** Edge lines (or array entries) that were read. */
  edgesRead: number;
  /** Entries that repeat an earlier one in the same direction, dropped. */
  duplicates: number;
  /** Edges listed in one direction only, symmetrised. Equal to all edges but the loops when a file lists each edge once. */
  oneWay: number;
  /** Self-loops kept: A_ii = weight, counted once in the degree. */
  selfLoops: number;
  /** Nodes without an edge, kept. */
  isolatedNodes: number;
  /** Entries with weight 0, which is no edge, dropped. */
  zeroWeights: number;
  /** Edges listed with different weights; the largest was kept. */
  weightConflicts: number;
}

export const emptyCleaning = (): CleaningReport => ({
  edgesRead: 0,
  duplicates: 0,
  oneWay: 0,
  selfLoops: 0,
  isolatedNodes: 0,
  zeroWeights: 0,
  weightConflicts: 0,
});

/** Adds the counts of `part` to `total`. */
export function addCleaning(total: CleaningReport, part: CleaningReport): CleaningReport {
  for (const key of Object.keys(total) as (keyof CleaningReport)[]) total[key] += part[key];
  return total;
}
