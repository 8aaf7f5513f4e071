/**
 * Node labels and attributes of a set of graphs: which labels there are, and the mean and spread of each attribute over all nodes of the fit.
 * Classes of graphs are not looked at. O(nodes).
 */
import { badData } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";

/** What a fit knows of labels and attributes. */
export interface NodeMarks {
  /** Ascending; null when labels are not used. */
  labels: Int32Array | null;
  /** Of each attribute: its mean, and 1 / standard deviation, 0 for constant ones; null when attributes are not used. */
  means: Float64Array | null;
  scales: Float64Array | null;
  /** Of the kernel on scaled attributes. */
  attributeWidth: number;
}

/** Marks of the graphs of a fit. `attributeWidth` 0 stands for the root of the number of attributes. */
export function nodeMarks(
  graphs: readonly Graph[],
  use: { labels: boolean; attributes: boolean; attributeWidth: number },
): NodeMarks {
  const dimension = use.attributes ? commonAttributes(graphs) : 0;
  const { means, deviations } = attributeSpread(graphs, dimension);
  return {
    labels: use.labels ? distinctLabels(graphs) : null,
    means: dimension === 0 ? null : means,
    scales: dimension === 0 ? null : deviations.map((s) => (s > 0 ? 1 / s : 0)),
    attributeWidth: use.attributeWidth > 0 ? use.attributeWidth : Math.sqrt(Math.max(1, dimension)),
  };
}

/** All labels, ascending. */
export function distinctLabels(graphs: readonly Graph[]): Int32Array {
  const all = new Set<number>();
  for (const { labels } of graphs) for (const label of labels ?? []) all.add(label);
  return Int32Array.from(all).sort();
}

/** Attributes a node; an error unless all graphs with nodes have the same number. */
export function commonAttributes(graphs: readonly Graph[]): number {
  const dimensions = new Set(graphs.filter((g) => g.nodeCount > 0).map((g) => g.attributeDimension));
  if (dimensions.size > 1)
    throw badData(
      `node attributes: got ${[...dimensions].join(" and ")} of them, expected one number for all graphs: choose an option that ignores attributes`,
    );
  return [...dimensions][0] ?? 0;
}

/** Mean and standard deviation of each attribute over all nodes. */
export function attributeSpread(
  graphs: readonly Graph[],
  dimension: number,
): { means: Float64Array; deviations: Float64Array } {
  const means = new Float64Array(dimension);
  const squares = new Float64Array(dimension);
  let nodes = 0;
  for (const { nodeCount } of graphs) nodes += nodeCount;
  const each = (visit: (a: number, value: number) => void) => {
    for (const { attributes } of graphs)
      for (let k = 0; k < (attributes?.length ?? 0); k++) visit(k % dimension, attributes![k]);
  };
  if (dimension === 0) return { means, deviations: squares };
  each((a, value) => {
    means[a] += value / nodes;
  });
  each((a, value) => {
    squares[a] += (value - means[a]) ** 2 / nodes;
  });
  return { means, deviations: squares.map(Math.sqrt) };
}
