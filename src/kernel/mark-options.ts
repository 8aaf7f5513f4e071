/** Whether a part uses node labels and attributes: options, what is taken from the graphs of a fit, and its state. */
import { CheckedState } from "../base/checked-state.js";
import { haveLabels } from "../baseline/sparse-counts.js";
import type { Graph } from "../graph/graph.js";
import { type NodeMarks, nodeMarks } from "../signature/node-marks.js";
import type { OptionTable, OptionValues } from "./options.js";
import type { Mark } from "./part.js";
import type { State } from "./state.js";

export const MARKS: OptionTable = {
  labels: {
    default: "none",
    allowed: ["none", "nodes"],
    grid: ["none", "nodes"],
    about: "nodes: tell nodes apart by their labels, where all graphs have them",
  },
  attributes: {
    default: "none",
    allowed: ["none", "nodes"],
    grid: ["none", "nodes"],
    about: "nodes: weigh nodes by their attributes, where all graphs have them",
  },
};

export const usesMarks = ({ labels, attributes }: OptionValues) =>
  labels === "nodes" || attributes === "nodes";

/** What a part with these options uses beside the weights, which every profile has in it. */
export function usedMarks({ labels, attributes }: OptionValues): Mark[] {
  return [
    ...(labels === "nodes" ? (["labels"] as const) : []),
    ...(attributes === "nodes" ? (["attributes"] as const) : []),
    "weights",
  ];
}

/** Means and scales of the attributes of these graphs, one after the other; empty where attributes are not used. */
export function learnMarks(graphs: readonly Graph[], { attributes }: OptionValues): Float64Array {
  const { means, scales } = nodeMarks(graphs, {
    ...{ labels: false, attributes: attributes === "nodes", attributeWidth: 0 },
  });
  return Float64Array.of(...(means ?? []), ...(scales ?? []));
}

/** Null when neither is asked for. Graphs without labels or attributes leave that part out. `learnt`: see learnMarks. */
export function fittedMarks(
  where: string,
  graphs: readonly Graph[],
  options: OptionValues,
  learnt?: Float64Array,
): NodeMarks | null {
  if (!usesMarks(options)) return null;
  const marks = nodeMarks(graphs, {
    labels: options.labels === "nodes" && haveLabels(where, graphs),
    attributes: options.attributes === "nodes",
    attributeWidth: (options.attributeWidth as number | undefined) ?? 0,
  });
  if (learnt === undefined || marks.scales === null) return marks;
  const dimension = marks.scales.length;
  return { ...marks, means: learnt.slice(0, dimension), scales: learnt.slice(dimension) };
}

export function marksNote(where: string, marks: NodeMarks): string {
  const used = [
    marks.labels === null ? "" : `${marks.labels.length} node labels`,
    marks.scales === null
      ? ""
      : `${marks.scales.length} attributes, scaled by their spread over the training graphs`,
  ].filter((words) => words !== "");
  return `${where}: ${used.length === 0 ? "no labels or attributes in these graphs: the structure alone" : `with ${used.join(" and ")}`}`;
}

export function marksState(marks: NodeMarks | null): State {
  if (marks === null) return { values: {}, arrays: {} };
  const { labels, means, scales, attributeWidth } = marks;
  const arrays: State["arrays"] = {};
  if (labels !== null) arrays["marks.labels"] = Float64Array.from(labels);
  if (means !== null && scales !== null)
    Object.assign(arrays, { "marks.means": means, "marks.scales": scales });
  return { values: { "marks.attributeWidth": attributeWidth }, arrays };
}

export function marksFromState(state: State): NodeMarks | null {
  const checked = new CheckedState(state);
  if (!checked.has("marks.attributeWidth")) return null;
  const labels = checked.has("marks.labels") ? Int32Array.from(checked.floats("marks.labels")) : null;
  const attributeWidth = checked.number("marks.attributeWidth", Number.MIN_VALUE);
  if (!checked.has("marks.scales")) return { labels, means: null, scales: null, attributeWidth };
  const scales = checked.floats("marks.scales");
  return { labels, means: checked.floats("marks.means", scales.length), scales, attributeWidth };
}
