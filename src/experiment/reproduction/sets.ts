/**
 * The sets of the paper's table. Its THREADS, 642 graphs of more than 87 nodes, balanced, come from a collection of 200,000 threads; in
 * its place stand the 321 largest graphs of each class of REDDIT-THREADS-10K, which are smaller.
 */
import { badData } from "../../base/errors.js";
import { type Dataset, subset } from "../../data/dataset.js";
import type { SetSummary } from "./types.js";

const THREADS_SOURCE = "REDDIT-THREADS-10K";
const THREADS_EACH = 321;

/** The registered set that a set of the table is made from. */
export const sourceOf = (set: string) => (set === "THREADS" ? THREADS_SOURCE : set);

/** The set of the table, out of its source. */
export function tableSet(set: string, source: Dataset): Dataset {
  if (set !== "THREADS") return source;
  return { ...subset(source, largestOfEachClass(source, THREADS_EACH)), name: "THREADS" };
}

/** Indices of the graphs with the most nodes of each class, ascending; the earlier graph on a tie. */
export function largestOfEachClass(dataset: Dataset, each: number): number[] {
  const { classes, graphs } = dataset;
  if (classes === null) throw badData(`${dataset.name}: labels are missing: there are no classes to balance`);
  const chosen: number[] = [];
  dataset.classNames.forEach((name, c) => {
    const members = graphs.map((_, g) => g).filter((g) => classes[g] === c);
    if (members.length < each)
      throw badData(
        `${dataset.name}: class ${name}: got ${members.length} graphs, expected at least ${each}`,
      );
    members.sort((a, b) => graphs[b].nodeCount - graphs[a].nodeCount || a - b);
    chosen.push(...members.slice(0, each));
  });
  return chosen.sort((a, b) => a - b);
}

export function summariseSet(dataset: Dataset): SetSummary {
  const { graphs, name, classNames } = dataset;
  const mean = (of: (graph: (typeof graphs)[number]) => number) =>
    graphs.reduce((sum, graph) => sum + of(graph), 0) / graphs.length;
  return {
    name,
    graphs: graphs.length,
    classes: classNames.length,
    meanNodes: mean((graph) => graph.nodeCount),
    meanEdges: mean((graph) => graph.edgeCount),
    note:
      name === "THREADS"
        ? `the ${THREADS_EACH} largest graphs of each class of ${THREADS_SOURCE}; the paper took 642 graphs of more than 87 nodes from a larger collection`
        : null,
  };
}
