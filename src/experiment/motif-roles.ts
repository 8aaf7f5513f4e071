/**
 * What each node is to the motifs of its graph, for drawings: a twin of one of three kinds, part of something that hangs on the rest, or
 * none of these. Twins are those of graph/twins.ts. What hangs is found by taking off nodes with at most one neighbour again and again:
 * what remains is the 2-core. In a component without a core everything would hang; there only its leaves do. O(nodes + edges).
 */
import { connectedComponents } from "../graph/components.js";
import type { Graph } from "../graph/graph.js";
import { twinClasses } from "../graph/twins.js";

/** In the order of the numbers that motifRoles gives. `leaf twins` are open twins with a single neighbour. */
export const MOTIF_ROLES = ["none", "leaf twins", "open twins", "clique twins", "pendant"] as const;
export type MotifRole = (typeof MOTIF_ROLES)[number];

/** For each node the index of its role. */
export function motifRoles(graph: Graph): Uint8Array {
  const { nodeCount: n, offsets, targets } = graph;
  const roles = new Uint8Array(n);
  const neighbours = new Uint32Array(n);
  for (let i = 0; i < n; i++)
    for (let k = offsets[i]; k < offsets[i + 1]; k++) if (targets[k] !== i) neighbours[i]++;
  const set = (i: number, role: MotifRole) => {
    roles[i] = MOTIF_ROLES.indexOf(role);
  };

  const taken = takenOff(graph, neighbours);
  const { component, count } = connectedComponents(graph);
  const hasCore = new Uint8Array(count);
  for (let i = 0; i < n; i++) if (taken[i] === 0) hasCore[component[i]] = 1;
  for (let i = 0; i < n; i++)
    if (taken[i] === 1 && neighbours[i] > 0 && (hasCore[component[i]] === 1 || neighbours[i] === 1))
      set(i, "pendant");

  const twins = twinClasses(graph);
  for (let i = 0; i < n; i++) {
    const p = twins.classOf[i];
    if (twins.size[p] === 1 || neighbours[i] === 0) continue;
    if (twins.mutualWeight[p] > 0) set(i, "clique twins");
    else set(i, neighbours[i] === 1 ? "leaf twins" : "open twins");
  }
  return roles;
}

/** 1 for the nodes outside of the 2-core. */
function takenOff({ nodeCount: n, offsets, targets }: Graph, neighbours: Uint32Array): Uint8Array {
  const left = neighbours.slice();
  const taken = new Uint8Array(n);
  const queue = new Uint32Array(n);
  let filled = 0;
  for (let i = 0; i < n; i++)
    if (left[i] <= 1) {
      taken[i] = 1;
      queue[filled++] = i;
    }
  for (let head = 0; head < filled; head++)
    for (let k = offsets[queue[head]]; k < offsets[queue[head] + 1]; k++) {
      const j = targets[k];
      if (taken[j] === 0 && --left[j] <= 1) {
        taken[j] = 1;
        queue[filled++] = j;
      }
    }
  return taken;
}
