/**
 * Connected components by breadth-first search, without recursion. O(nodes + edges) time, one array of nodes as the queue.
 */
import type { Graph } from "./graph.js";

export interface Components {
  count: number;
  /** Component of each node; components are numbered by their first node. */
  component: Uint32Array;
  /** Number of nodes of each component. */
  sizes: Uint32Array;
}

const UNSEEN = 0xffffffff;

export function connectedComponents(graph: Graph): Components {
  const { nodeCount, offsets, targets } = graph;
  const component = new Uint32Array(nodeCount).fill(UNSEEN);
  const queue = new Uint32Array(nodeCount);
  const sizes: number[] = [];
  let filled = 0;
  for (let root = 0; root < nodeCount; root++) {
    if (component[root] !== UNSEEN) continue;
    const number = sizes.length;
    const first = filled;
    component[root] = number;
    queue[filled++] = root;
    for (let head = first; head < filled; head++) {
      const i = queue[head];
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = targets[k];
        if (component[j] !== UNSEEN) continue;
        component[j] = number;
        queue[filled++] = j;
      }
    }
    sizes.push(filled - first);
  }
  return { count: sizes.length, component, sizes: Uint32Array.from(sizes) };
}
