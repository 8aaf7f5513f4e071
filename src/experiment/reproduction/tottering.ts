/**
 * Where tottering shows: walks of few steps go back and forth near where they began, so that local densities say little of a large graph as a
 * whole. The graphs of a set in quarters by their number of nodes; in each the accuracy of LDOS alone and with DOS, over all repeats.
 */
import type { Graph } from "../../graph/graph.js";
import type { KernelResult } from "../evaluation-types.js";
import type { SizeRow } from "./types.js";

const QUARTERS = 4;

type Predicted = Pick<KernelResult, "predictions">;

export function totteringRows(
  set: string,
  graphs: readonly Graph[],
  classes: Int32Array,
  ldos: Predicted,
  composite: Predicted,
): SizeRow[] {
  const order = graphs.map((_, g) => g).sort((a, b) => graphs[a].nodeCount - graphs[b].nodeCount || a - b);
  return Array.from({ length: QUARTERS }, (_, q) => {
    const own = order.slice(
      Math.floor((q * order.length) / QUARTERS),
      Math.floor(((q + 1) * order.length) / QUARTERS),
    );
    return {
      set,
      quarter: q + 1,
      fewestNodes: own.length === 0 ? 0 : graphs[own[0]].nodeCount,
      mostNodes: own.length === 0 ? 0 : graphs[own[own.length - 1]].nodeCount,
      graphs: own.length,
      ldos: accuracyAmong(own, classes, ldos),
      composite: accuracyAmong(own, classes, composite),
    };
  }).filter((row) => row.graphs > 0);
}

function accuracyAmong(some: readonly number[], classes: Int32Array, { predictions }: Predicted): number {
  let right = 0;
  for (const repeat of predictions) for (const g of some) if (repeat[g] === classes[g]) right++;
  return right / (some.length * predictions.length);
}
