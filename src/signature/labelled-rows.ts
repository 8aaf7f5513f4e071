/**
 * Node labels and attributes as further numbers of the node features, so that one kernel between rows compares everything:
 *
 *   gaussian   k(u, v) = exp(−‖p_u − p_v‖² / (2 width²)) · [label_u = label_v] · exp(−‖a_u − a_v‖² / (2 attributeWidth²))
 *
 * p what nodes are described by otherwise, a the attributes divided by their standard deviations over the nodes of the fit. The labels stand
 * on a line, nine widths apart (forty for the Laplacian kernel), where the kernel is below 3e-18: the Kronecker delta, to rounding. Attributes are
 * scaled by width / attributeWidth. So exact sums, landmarks and Fourier features all take them: labelled RetGK and labelled LDOS. (With
 * Fourier features the delta too is approximate; sage keeps it exact.)
 *
 * Nodes with the same row, label and attributes are one row, with their mass. Labels that the fit has not seen share one place. O(nodes · numbers).
 *
 * Source: Zhang, Wang, Xiang, Huang, Nehorai, "RetGK: graph kernels based on return probabilities of random walks", NeurIPS 2018, section 4.
 */
import { badCall, badData } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { NO_ROW } from "../spectrum/profile.js";
import type { NodeKernel } from "./node-kernel.js";
import type { NodeMarks } from "./node-marks.js";
import { allocateNodeRows, getRow, graphCount, isShared, type NodeRows, setRow } from "./node-rows.js";

const LABEL_WIDTHS = { gaussian: 9, laplacian: 40 } as const;

/** One key for each row and label: a number where it is below 2^53, beyond which numbers run together, else a text. */
const pairKey = (row: number, label: number): string | number =>
  row < 2 ** 21 ? row * 2 ** 32 + (label >>> 0) : `${row} ${label}`;

/** The rows of a profile for each node: rowOf of the profiles. */
export function markedRows(
  rows: NodeRows,
  graphs: readonly Graph[],
  rowOf: readonly (Uint32Array | undefined)[],
  { labels, scales, attributeWidth }: NodeMarks,
  node: NodeKernel,
  nameOf = (g: number) => `graph ${g}`,
): NodeRows {
  const base = rows.dimension;
  const extra = (labels === null ? 0 : 1) + (scales?.length ?? 0);
  const apart = LABEL_WIDTHS[node.shape] * node.width;
  const place = new Map(Array.from(labels ?? [], (label, k) => [label, (k + 1) * apart]));
  const counts: number[] = [];
  const kept: { row: number; node: number; mass: number }[][] = [];
  for (let g = 0; g < graphCount(rows); g++) {
    const { nodeCount, labels: own, attributes, attributeDimension } = graphs[g];
    const of = rowOf[g];
    if (of === undefined) throw badCall("node labels: the profiles do not say which row a node has");
    if (labels !== null && own === null && nodeCount > 0)
      throw badData(`node labels: ${nameOf(g)} has none: expected them, as in the graphs of the fit`);
    if (scales !== null && attributeDimension !== scales.length && nodeCount > 0)
      throw badData(
        `node attributes: ${nameOf(g)}: got ${attributeDimension}, expected ${scales.length} as in the graphs of the fit`,
      );
    const known = of.reduce((sum, row) => sum + (row === NO_ROW ? 0 : 1), 0);
    const groups = new Map<string | number, { row: number; node: number; mass: number }>();
    for (let i = 0; i < nodeCount; i++) {
      if (of[i] === NO_ROW) continue;
      const label = labels === null ? 0 : own![i];
      const key =
        scales === null
          ? pairKey(of[i], label)
          : `${of[i]} ${label} ${attributes!.subarray(i * scales.length, (i + 1) * scales.length).join(" ")}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { row: of[i], node: i, mass: 1 / known });
      else group.mass += 1 / known;
    }
    kept.push([...groups.values()]);
    counts.push(groups.size);
  }
  const out = allocateNodeRows(counts, base + extra, isShared(rows));
  const numbers = new Float64Array(base + extra);
  const row = new Float64Array(base);
  for (let g = 0, at = 0; g < kept.length; g++) {
    const { labels: own, attributes } = graphs[g];
    for (const group of kept[g]) {
      numbers.set(getRow(rows, rows.offsets[g] + group.row, row));
      let k = base;
      if (labels !== null) numbers[k++] = place.get(own![group.node]) ?? 0;
      for (let a = 0; a < (scales?.length ?? 0); a++)
        numbers[k++] =
          (attributes![group.node * scales!.length + a] * scales![a] * node.width) / attributeWidth;
      out.masses[at] = group.mass;
      setRow(out, at++, numbers);
    }
  }
  return out;
}
