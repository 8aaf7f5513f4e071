/** What an inspection found that a user of the data should know, as sentences: for the terminal, the report and the page alike. */
import { isEmptyGraphsNote } from "../data/dataset.js";
import type { Inspection } from "./inspection.js";
import { formatNumber, formatShare, quantity } from "./wording.js";

export function inspectionSentences(inspection: Inspection): string[] {
  return [...copySentences(inspection), ...structureSentences(inspection)];
}

/** On isomorphic copies, which tie the graphs of a training set to those of a test set. */
export function copySentences({ graphs, isomorphic }: Inspection): string[] {
  if (graphs < 2) return [];
  const { distinct, copies, largestGroup, mixedGroups, mixedGraphs, ceiling, undecided } = isomorphic;
  const sentences: string[] = [];
  if (copies === 0) sentences.push("No two graphs are isomorphic.");
  else
    sentences.push(
      `${quantity(graphs, "graph")} are ${quantity(distinct, "different graph")} up to renaming the nodes: ` +
        `${quantity(copies, "isomorphic copy", "isomorphic copies")}, the most frequent graph occurs ${quantity(largestGroup, "time")}.`,
    );
  if (mixedGroups > 0 && ceiling !== null)
    sentences.push(
      `${formatNumber(mixedGroups)} of them ${mixedGroups === 1 ? "occurs" : "occur"} in more than one class (${quantity(mixedGraphs, "copy", "copies")}), ` +
        `so no method that sees structure alone can get more than ${formatShare(ceiling)} of this set right.`,
    );
  if (undecided > 0)
    sentences.push(
      `${quantity(undecided, "pair")} of graphs could not be decided within the limit and ${undecided === 1 ? "counts" : "count"} as different.`,
    );
  return sentences;
}

/** On components, symmetry and degenerate graphs. */
export function structureSentences(inspection: Inspection): string[] {
  const { graphs, components, twins, totalNodes } = inspection;
  const sentences: string[] = [];
  if (graphs === 1)
    sentences.push(
      components.max <= 1
        ? "The graph is connected."
        : `The graph has ${quantity(components.max, "component")}.`,
    );
  else if (graphs > 1)
    sentences.push(
      components.connectedShare === 1
        ? "Every graph is connected."
        : `${formatShare(components.connectedShare)} of the graphs are connected; they have ${formatNumber(components.mean)} components on average and at most ${formatNumber(components.max)}.`,
    );
  if (twins.nodes > 0)
    sentences.push(
      `${formatShare(twins.share)} of the nodes have a twin (the same neighbours): ${quantity(totalNodes, "node")} are ${quantity(twins.classes, "class", "classes")}.`,
    );
  // where the reader has counted them its note names them too
  if (inspection.emptyGraphs > 0 && !inspection.notes.some(isEmptyGraphsNote))
    sentences.push(`${quantity(inspection.emptyGraphs, "graph has no node", "graphs have no node")}.`);
  const edgeless = inspection.edgelessGraphs - inspection.emptyGraphs;
  if (edgeless > 0) sentences.push(`${quantity(edgeless, "graph has no edge", "graphs have no edge")}.`);
  return sentences;
}
