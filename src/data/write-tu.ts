/**
 * A data set as the files of the TU format (see tu/index.ts): entries in both directions, nodes and graphs numbered from 1.
 * Text comes in chunks, so that a set of millions of edges never stands in memory as one string. O(nodes + edges).
 */
import { badData } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { type Dataset, graphTitle } from "./dataset.js";

export interface TextFile {
  path: string;
  /** Can be walked over more than once. */
  chunks: Iterable<string>;
}

export interface WrittenTU {
  files: TextFile[];
  /** What the format cannot hold and the files therefore lack. */
  notes: string[];
}

const CHUNK_CHARACTERS = 1 << 16;

export function writeTU(dataset: Dataset): WrittenTU {
  const { graphs, classes, classNames, targets } = dataset;
  const name = dataset.name.replace(/[^\w.-]+/g, "_") || "graphs";
  const notes: string[] = [];
  const files: TextFile[] = [];
  const add = (role: string, lines: () => Iterable<string>) =>
    files.push({ path: `${name}_${role}.txt`, chunks: { [Symbol.iterator]: () => chunked(lines()) } });
  if (graphs.length === 0) throw badData(`${dataset.name}: there are no graphs to write`);
  // a graph without nodes has no line in the indicator: only the file of classes or targets tells of one at the end
  const last = graphs.length - 1;
  if (graphs[last].nodeCount === 0 && classes === null && targets === null)
    throw badData(
      `${graphTitle(dataset, last)}: the last graph has no nodes and the set no classes: the TU format cannot hold it`,
    );
  if (graphs.every((graph) => graph.nodeCount === 0))
    throw badData(`${dataset.name}: no graph has nodes: the TU format cannot hold the set`);

  const weighted = graphs.some((graph) => graph.weights !== null);
  add("A", () => entryLines(graphs, (i, j) => `${i}, ${j}\n`));
  add("graph_indicator", () => nodeLines(graphs, (_, __, g) => `${g + 1}\n`));
  if (weighted) {
    add("edge_attributes", () => entryLines(graphs, (_, __, weight) => `${weight}\n`));
    notes.push(`the weights are in ${name}_edge_attributes.txt`);
  }
  if (classes !== null) {
    const whole = classNames.every((label) => /^-?\d+$/.test(label));
    add("graph_labels", () => map(classes, (k) => `${whole ? classNames[k] : k}\n`));
    if (!whole) {
      add("label_names", () => map(classNames, (label, k) => `${k} ${label.replace(/\s+/g, " ")}\n`));
      notes.push(`the classes are not whole numbers: they were numbered, ${name}_label_names.txt tells how`);
    }
  }
  if (targets !== null) add("graph_attributes", () => map(targets, (value) => `${value}\n`));
  if (graphs.every((graph) => graph.labels !== null))
    add("node_labels", () => nodeLines(graphs, (graph, i) => `${graph.labels![i]}\n`));
  else if (graphs.some((graph) => graph.labels !== null))
    notes.push("node labels were not written: some graphs have none");
  const dimension = graphs[0].attributeDimension;
  if (!graphs.every((graph) => graph.attributeDimension === dimension))
    notes.push("node attributes were not written: their number differs between graphs");
  else if (dimension > 0)
    add("node_attributes", () =>
      nodeLines(
        graphs,
        (graph, i) => `${graph.attributes!.subarray(i * dimension, (i + 1) * dimension).join(", ")}\n`,
      ),
    );
  if (dataset.nodeIds !== null)
    notes.push("the names of the nodes were not written: the format numbers them");
  if (dataset.graphNames !== null)
    notes.push("the names of the graphs were not written: the format numbers them");
  return { files, notes };
}

/** One line for every entry of every adjacency matrix, in order of the rows. */
function* entryLines(
  graphs: readonly Graph[],
  line: (i: number, j: number, weight: number) => string,
): Generator<string> {
  let first = 1;
  for (const { nodeCount, offsets, targets, weights } of graphs) {
    for (let i = 0; i < nodeCount; i++)
      for (let k = offsets[i]; k < offsets[i + 1]; k++)
        yield line(first + i, first + targets[k], weights === null ? 1 : weights[k]);
    first += nodeCount;
  }
}

function* nodeLines(
  graphs: readonly Graph[],
  line: (graph: Graph, i: number, g: number) => string,
): Generator<string> {
  for (let g = 0; g < graphs.length; g++)
    for (let i = 0; i < graphs[g].nodeCount; i++) yield line(graphs[g], i, g);
}

function* map<T>(values: ArrayLike<T>, line: (value: T, k: number) => string): Generator<string> {
  for (let k = 0; k < values.length; k++) yield line(values[k], k);
}

function* chunked(lines: Iterable<string>): Generator<string> {
  let chunk = "";
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}
