/**
 * The density of states weighted by what nodes carry: with w_c(u) = [label of u is c] for each label, and the standardised value of each attribute,
 *
 *   x_cm = Σ_u w_c(u) T_m(Ã)_uu,   m = 0..M,   channel after channel.
 *
 * The channels of the labels add up to the trace moments of the whole graph. Labels that are not listed are left out. Where a sample of
 * the nodes was computed, the sums over it are scaled to all nodes. O(nodes · M · (1 + attributes)).
 */
import { badCall, badData } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { NO_ROW, requireRows } from "../spectrum/profile.js";
import { commonMoments, type ProfileRows } from "./node-features.js";
import type { NodeMarks } from "./node-marks.js";

export interface Channels {
  channels: number;
  /** graphs × channels × (M + 1). */
  values: Float64Array;
}

export function channelTraces(
  graphs: readonly Graph[],
  profiles: readonly (ProfileRows & { rowOf?: Uint32Array })[],
  { labels, means, scales }: Pick<NodeMarks, "labels" | "means" | "scales">,
  nameOf = (g: number) => `graph ${g}`,
): Channels {
  const M = commonMoments(profiles, "labelled traces");
  if (graphs.length !== profiles.length)
    throw badCall(`labelled traces: got ${profiles.length} profiles for ${graphs.length} graphs`);
  const width = M + 1;
  const labelChannels = labels?.length ?? 0;
  const attributes = scales?.length ?? 0;
  const channels = labelChannels + attributes;
  const values = new Float64Array(graphs.length * channels * width);
  const channelOf = new Map(Array.from(labels ?? [], (label, k) => [label, k]));
  for (let g = 0; g < graphs.length; g++) {
    const graph = graphs[g];
    const { rows, rowOf } = profiles[g];
    if (rowOf?.length !== graph.nodeCount)
      throw badCall(`labelled traces: the profile of ${nameOf(g)} does not say which row a node has`);
    requireRows({ nodeCount: graph.nodeCount, rowCount: rows.length / width }, nameOf(g));
    if (labels !== null && graph.labels === null && graph.nodeCount > 0)
      throw badData(`node labels: ${nameOf(g)} has none: expected them, as in the graphs of the fit`);
    if (attributes > 0 && graph.attributeDimension !== attributes && graph.nodeCount > 0)
      throw badData(`node attributes: ${nameOf(g)}: got ${graph.attributeDimension}, expected ${attributes}`);
    const known = rowOf.reduce((sum, row) => sum + (row === NO_ROW ? 0 : 1), 0);
    const add = (channel: number, row: number, weight: number) => {
      const at = (g * channels + channel) * width;
      for (let m = 0; m < width; m++) values[at + m] += weight * rows[row * width + m];
    };
    for (let i = 0; i < graph.nodeCount; i++) {
      if (rowOf[i] === NO_ROW) continue;
      const share = graph.nodeCount / known;
      const channel = labels === null ? undefined : channelOf.get(graph.labels![i]);
      if (channel !== undefined) add(channel, rowOf[i], share);
      for (let a = 0; a < attributes; a++)
        add(
          labelChannels + a,
          rowOf[i],
          share * (graph.attributes![i * attributes + a] - means![a]) * scales![a],
        );
    }
  }
  return { channels, values };
}
