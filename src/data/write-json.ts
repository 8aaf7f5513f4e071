/**
 * A data set as node-link JSON, which networkx reads too: one object for one graph, a list of them for more. The reader in
 * json.ts gives back the same graphs: weights, labels, attributes, ids, names, classes and targets (labels and attributes when
 * all graphs have them alike). One chunk of text a row, O(nodes + edges).
 */
import { badData } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import type { Dataset, NodeIds } from "./dataset.js";

export function* writeJson(dataset: Dataset): Generator<string> {
  const { graphs } = dataset;
  if (graphs.length === 0) throw badData(`${dataset.name}: there are no graphs to write`);
  if (graphs.length > 1) yield "[\n";
  for (let g = 0; g < graphs.length; g++) {
    yield* writeGraph(dataset, g);
    yield g < graphs.length - 1 ? ",\n" : "\n";
  }
  if (graphs.length > 1) yield "]\n";
}

function* writeGraph(dataset: Dataset, g: number): Generator<string> {
  const graph = dataset.graphs[g];
  const ids = dataset.nodeIds?.[g] ?? null;
  yield `{"directed":false,"multigraph":false,"graph":${JSON.stringify(description(dataset, g))},\n"nodes":[`;
  for (let i = 0; i < graph.nodeCount; i++)
    yield `${i > 0 ? ",\n" : "\n"}${JSON.stringify(node(graph, i, ids, dataset.nodeLabelNames))}`;
  yield `],\n"links":[`;
  yield* edges(graph, ids);
  yield "]}";
}

const idOf = (ids: NodeIds | null, i: number) => (ids === null ? i : ids[i]);

function node(graph: Graph, i: number, ids: NodeIds | null, labelNames: readonly string[] | undefined) {
  const { labels, attributes, attributeDimension: dimension } = graph;
  return {
    id: idOf(ids, i),
    ...(labels === null ? {} : { label: labelNames?.[labels[i]] ?? labels[i] }),
    ...(attributes === null
      ? {}
      : { attributes: Array.from(attributes.subarray(i * dimension, (i + 1) * dimension)) }),
  };
}

function* edges(graph: Graph, ids: NodeIds | null): Generator<string> {
  const { offsets, targets, weights } = graph;
  let first = true;
  for (let i = 0; i < graph.nodeCount; i++) {
    let row = "";
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      if (targets[k] < i) continue;
      const ends = { source: idOf(ids, i), target: idOf(ids, targets[k]) };
      row += `${first ? "\n" : ",\n"}${JSON.stringify(weights === null ? ends : { ...ends, weight: weights[k] })}`;
      first = false;
    }
    if (row !== "") yield row;
  }
}

/** What is known of the graph as a whole. Whole-number classes are written as numbers, all others as words. */
function description(dataset: Dataset, g: number): Record<string, string | number> {
  const { classes, classNames, targets, graphNames } = dataset;
  const name = classes === null ? null : classNames[classes[g]];
  return {
    ...(graphNames === null ? {} : { name: graphNames[g] }),
    ...(name === null ? {} : { class: /^(0|-?[1-9]\d{0,14})$/.test(name) ? Number(name) : name }),
    ...(targets === null ? {} : { value: targets[g] }),
  };
}
