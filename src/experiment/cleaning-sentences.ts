/** The cleaning report as sentences: for the terminal, the HTML report and the page alike. */
import type { CleaningReport } from "../graph/cleaning.js";
import { quantity } from "./wording.js";

/**
 * What the cleaning did and what the reader said of it, each once: a note that gives the number of edges in one direction, or says that
 * all were symmetrised, stands for the sentence on them.
 */
export function readingSentences({
  cleaned,
  totalEdges,
  notes,
}: {
  cleaned: CleaningReport;
  totalEdges: number;
  notes: readonly string[];
}): string[] {
  const all = cleaned.oneWay === totalEdges - cleaned.selfLoops;
  const oneWaySaid = notes.some(
    (note) => note.endsWith(`symmetrised: ${cleaned.oneWay}`) || (all && note.endsWith(" symmetrised")),
  );
  return [...cleaningSentences(cleaned, totalEdges, { oneWaySaid }), ...notes];
}

/** One sentence for each thing that was done or found; edgeCount is the number of edges that came out. */
export function cleaningSentences(
  cleaning: CleaningReport,
  edgeCount: number,
  { oneWaySaid = false } = {},
): string[] {
  const sentences = [
    `Read ${quantity(cleaning.edgesRead, "edge line")}, kept ${quantity(edgeCount, "edge")}.`,
  ];
  const proper = edgeCount - cleaning.selfLoops;
  if (cleaning.duplicates > 0)
    sentences.push(
      `Dropped ${quantity(cleaning.duplicates, "repeated line")}: the same edge in the same direction again.`,
    );
  if (cleaning.oneWay > 0 && !oneWaySaid)
    sentences.push(
      cleaning.oneWay === proper
        ? `Every edge is listed in one direction; each was taken in both.`
        : `Symmetrised ${quantity(cleaning.oneWay, "edge")} listed in one direction only, where others are listed in both.`,
    );
  if (cleaning.zeroWeights > 0)
    sentences.push(`Dropped ${quantity(cleaning.zeroWeights, "line")} with weight 0, which is no edge.`);
  if (cleaning.weightConflicts > 0)
    sentences.push(
      `Found ${quantity(cleaning.weightConflicts, "edge")} listed with different weights; the largest was kept.`,
    );
  if (cleaning.selfLoops > 0)
    sentences.push(
      `Kept ${quantity(cleaning.selfLoops, "self-loop")}; each counts once as an edge and once in the degree.`,
    );
  if (cleaning.isolatedNodes > 0)
    sentences.push(`Kept ${quantity(cleaning.isolatedNodes, "isolated node")}, which no edge line names.`);
  if (sentences.length === 1 && !oneWaySaid) sentences.push("Nothing had to be cleaned.");
  return sentences;
}
