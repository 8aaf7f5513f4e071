/**
 * Dataset: graphs with, where known, a class or a number for each.
 */
import { badData } from "../base/errors.js";
import type { CleaningReport } from "../graph/cleaning.js";
import type { Graph } from "../graph/graph.js";
import { wholeNames } from "./ids.js";

export interface Dataset {
  name: string;
  graphs: Graph[];
  /** Class of each graph as an index into classNames; null when the graphs carry no classes. */
  classes: Int32Array | null;
  /** The classes as the file names them ("-1", "1"), in ascending order: numbers by value, words by letter. */
  classNames: string[];
  /** A number to predict for each graph, where the set has one (TU's graph attributes). */
  targets: Float64Array | null;
  /** What a graph is called, where it has a name of its own (its file); else null and it is its number. */
  graphNames: string[] | null;
  /** Original ids of the nodes of each graph, where the file names nodes by other than 0..n-1; else null. */
  nodeIds: (NodeIds | null)[] | null;
  /** What the node labels stand for where the files have words: label k is nodeLabelNames[k]. */
  nodeLabelNames?: string[];
  cleaning: CleaningReport;
  /** Sentences on how the input was read: its format first, then what was symmetrised, decided or not used. */
  notes: string[];
  /** What the files say of nodes and edges and the graphs do not hold, so that no kernel can use it: "edge labels". */
  unread?: string[];
}

/** What symmetrised graphs have lost, in the words of `Dataset.unread`. */
export const DIRECTION = "the direction of edges";

/** DIRECTION where a file that says nothing of it lists some edges in one direction and others in both. */
export function unreadDirection(graphs: readonly Graph[], { oneWay, selfLoops }: CleaningReport): string[] {
  const edges = graphs.reduce((sum, { edgeCount }) => sum + edgeCount, -selfLoops);
  return oneWay > 0 && oneWay < edges ? [DIRECTION] : [];
}

/** What is known of a set besides its graphs: enough to write results about it. */
export type SetSummary = Pick<Dataset, "name" | "classes" | "classNames" | "targets" | "graphNames"> & {
  graphs: { readonly length: number };
};

/** nodeIds[i] is what the file calls node i. */
export type NodeIds = string[] | Float64Array;

/** A data set of one graph without a class. */
export function singleGraph(
  name: string,
  graph: Graph,
  cleaning: CleaningReport,
  notes: string[],
  nodeIds: NodeIds | null = null,
): Dataset {
  return {
    name,
    graphs: [graph],
    classes: null,
    classNames: [],
    targets: null,
    graphNames: [name],
    nodeIds: nodeIds === null ? null : [nodeIds],
    cleaning,
    notes,
  };
}

/** Class indices and names from raw labels: 1 and 1.0 are one class, 01 is another. Numbers are ordered by value, words by letter. */
export function indexClasses(
  raw: ArrayLike<string | number>,
  notes: string[],
): { classes: Int32Array; classNames: string[] } {
  const names = wholeNames(raw, "classes", notes);
  const classNames = [...new Set(names)];
  const numeric = classNames.every((name) => name !== "" && Number.isFinite(Number(name)));
  const byLetter = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  classNames.sort(numeric ? (a, b) => Number(a) - Number(b) || byLetter(a, b) : byLetter);
  const index = new Map(classNames.map((name, k) => [name, k]));
  return {
    classes: Int32Array.from(names, (name) => index.get(name)!),
    classNames,
  };
}

/** The sentence on graphs without nodes, by what the file calls them. They stay in the set: each has a place and perhaps a class. */
export function emptyGraphsNote(which: readonly string[]): string {
  const some = `${which.slice(0, 5).join(", ")}${which.length > 5 ? ", …" : ""}`;
  return which.length === 1
    ? `1 graph has no nodes and is kept as an empty graph: ${some}`
    : `${which.length} graphs have no nodes and are kept as empty graphs: ${some}`;
}

export const isEmptyGraphsNote = (note: string) =>
  /^\d+ graphs? ha(s|ve) no nodes and (is|are) kept/.test(note);

/** The same, none or one, of a set whose graphs have names or numbers from 0. */
export function emptyGraphsNotes({ graphs, graphNames }: Pick<Dataset, "graphs" | "graphNames">): string[] {
  const empty = graphs.flatMap(({ nodeCount }, g) => (nodeCount === 0 ? [graphNames?.[g] ?? String(g)] : []));
  return empty.length === 0 ? [] : [emptyGraphsNote(empty)];
}

/** What to call graph g in a sentence: "graph 12 of IMDB-BINARY", or its file name. */
export function graphTitle(dataset: Pick<Dataset, "name" | "graphNames">, g: number): string {
  return dataset.graphNames?.[g] ?? `graph ${g} of ${dataset.name}`;
}

/** The same set with only the graphs at `indices`, in that order. Class names are kept, so that indices stay comparable. */
export function subset(dataset: Dataset, indices: ArrayLike<number>): Dataset {
  const pick = <T>(from: ArrayLike<T>) => Array.from({ length: indices.length }, (_, k) => from[indices[k]]);
  for (let k = 0; k < indices.length; k++)
    if (!(indices[k] >= 0 && indices[k] < dataset.graphs.length))
      throw badData(`${dataset.name}: no graph ${indices[k]}: expected 0 to ${dataset.graphs.length - 1}`);
  return {
    ...dataset,
    graphs: pick(dataset.graphs),
    classes: dataset.classes && Int32Array.from(pick(dataset.classes)),
    targets: dataset.targets && Float64Array.from(pick(dataset.targets)),
    graphNames: pick(dataset.graphNames ?? dataset.graphs.map((_, g) => `graph ${g} of ${dataset.name}`)),
    nodeIds: dataset.nodeIds && pick(dataset.nodeIds),
  };
}
