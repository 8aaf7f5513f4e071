/**
 * The sets of the paper's table. Its THREADS, 642 graphs of more than 87 nodes, balanced, come from a collection of 200,000 threads that is not
 * at hand. In its place stand 321 pairs of REDDIT-THREADS-10K, one graph of each class, with as many nodes and as many edges as each other, the
 * largest there are. (The largest graphs of each class by themselves will not do: the classes differ in size, and the number of nodes alone
 * then tells 90 % of them apart.)
 *
 * A pair is never parted by folds, neither by the outer ones nor by the inner ones. (Else the pair of a test graph would mostly stand in the training
 * part, under the other class, and size alone would be right 40 times in 100.) In every part of every fold each size has then as many graphs of one
 * class as of the other: who goes by size is right half of the time, and whatever is above half is not size.
 */
import { badData } from "../../base/errors.js";
import { type Dataset, subset } from "../../data/dataset.js";
import { identicalCeiling } from "../size-alone.js";
import type { SetSummary } from "./types.js";

const THREADS_SOURCE = "REDDIT-THREADS-10K";
const THREADS_EACH = 321;

/** The registered set that a set of the table is made from. */
export const sourceOf = (set: string) => (set === "THREADS" ? THREADS_SOURCE : set);

export interface TableSet extends Dataset {
  /** A number for each graph: those with the same one are not parted by folds. */
  groups?: Uint32Array;
}

/** The set of the table, out of its source. */
export function tableSet(set: string, source: Dataset): TableSet {
  if (set !== "THREADS") return source;
  const { chosen, groups } = matchedInSize(source, THREADS_EACH);
  return { ...subset(source, chosen), name: "THREADS", groups };
}

/**
 * Indices, ascending, of `each` graphs of every class, and the group of each of them: a group has one graph of each class, all with the same numbers of
 * nodes and of edges. The largest counts first, the earlier graphs where there are more than needed.
 */
export function matchedInSize(dataset: Dataset, each: number): { chosen: number[]; groups: Uint32Array } {
  const { classes, classNames, graphs } = dataset;
  if (classes === null) throw badData(`${dataset.name}: labels are missing: there are no classes to balance`);
  const bySize = new Map<string, { nodes: number; edges: number; members: number[][] }>();
  graphs.forEach(({ nodeCount, edgeCount }, g) => {
    const key = `${nodeCount} ${edgeCount}`;
    const size = bySize.get(key) ?? {
      nodes: nodeCount,
      edges: edgeCount,
      members: classNames.map((): number[] => []),
    };
    size.members[classes[g]].push(g);
    bySize.set(key, size);
  });
  const groupOf = new Map<number, number>();
  let found = 0;
  for (const { members } of [...bySize.values()].sort((a, b) => b.nodes - a.nodes || b.edges - a.edges)) {
    const take = Math.min(each - found, ...members.map((own) => own.length));
    for (const own of members) for (let k = 0; k < take; k++) groupOf.set(own[k], found + k);
    found += take;
  }
  if (found < each)
    throw badData(
      `${dataset.name}: got ${found} graphs of each class with equal numbers of nodes and edges, expected at least ${each}`,
    );
  const chosen = [...groupOf.keys()].sort((a, b) => a - b);
  return { chosen, groups: Uint32Array.from(chosen, (g) => groupOf.get(g)!) };
}

export function summariseSet(dataset: Dataset): SetSummary {
  const { graphs, name, classNames, classes } = dataset;
  if (classes === null) throw badData(`${name}: labels are missing: there is nothing to predict`);
  const mean = (of: (graph: (typeof graphs)[number]) => number) =>
    graphs.reduce((sum, graph) => sum + of(graph), 0) / graphs.length;
  return {
    name,
    graphs: graphs.length,
    classes: classNames.length,
    meanNodes: mean((graph) => graph.nodeCount),
    meanEdges: mean((graph) => graph.edgeCount),
    ceiling: identicalCeiling({ graphs, classes }).structure,
    note:
      name === "THREADS"
        ? `the ${THREADS_EACH} largest pairs of ${THREADS_SOURCE} with one graph of each class and equal numbers of nodes and edges, which no fold parts; the paper took 642 graphs of more than 87 nodes from a larger collection`
        : null,
  };
}
