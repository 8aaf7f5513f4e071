/** Graphs and inputs for the tests of kernels. */
import { inlineExecutor } from "../../src/compute/executor.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { buildGraph } from "../../src/graph/build.js";
import { complete, completeBipartite, erdosRenyi, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import type { KernelInput } from "../../src/kernel/part.js";
import { profileMany } from "../../src/spectrum/exact.js";

export type Edge = readonly [number, number, number?];

export function graphOf(nodeCount: number, edges: readonly Edge[]): Graph {
  return buildGraph({
    nodeCount,
    sources: edges.map(([i]) => i),
    targets: edges.map(([, j]) => j),
    weights: edges.some(([, , w]) => (w ?? 1) !== 1) ? edges.map(([, , w]) => w ?? 1) : null,
  }).graph;
}

/** Node i of the graph becomes node order[i]. */
export function relabelled(graph: Graph, order: readonly number[]): Graph {
  const edges: Edge[] = [];
  graph.forEachEdge((i, j, w) => {
    edges.push([order[i], order[j], w]);
  });
  return graphOf(graph.nodeCount, edges);
}

/** A cycle of six nodes with three leaves, edge e of weight weightOf(e). */
function weighted(weightOf: (e: number) => number): Graph {
  const pairs: [number, number][] = [0, 1, 2, 3, 4, 5].map((i) => [i, (i + 1) % 6]);
  pairs.push([0, 6], [2, 7], [4, 8]);
  return graphOf(
    9,
    pairs.map(([i, j], e): Edge => [i, j, weightOf(e)]),
  );
}

/** The awkward graphs: everything that has crashed somebody's kernel. */
export const AWKWARD: readonly (readonly [string, Graph])[] = [
  ["no nodes", graphOf(0, [])],
  ["one node", graphOf(1, [])],
  ["one node with a self-loop", graphOf(1, [[0, 0]])],
  ["two nodes", graphOf(2, [])],
  ["one edge", graphOf(2, [[0, 1]])],
  ["edgeless", graphOf(5, [])],
  [
    "disconnected",
    graphOf(7, [
      [0, 1],
      [1, 2],
      [0, 2],
      [3, 4],
    ]),
  ],
  [
    "one self-loop",
    graphOf(4, [
      [0, 1],
      [1, 2],
      [2, 3],
      [1, 1],
    ]),
  ],
  ["complete", complete(9)],
  ["bipartite", completeBipartite(3, 5)],
  ["star of 10,000", star(10_000)],
  ["random", erdosRenyi(30, 0.15, 1)],
  ["tiny weights", weighted(() => 1e-300)],
  ["huge weights", weighted(() => 1e300)],
  ["weights from tiny to huge", weighted((e) => [1e-300, 1, 1e300][e % 3])],
  ["isolated nodes beside an edge", graphOf(40, [[0, 1]])],
  [
    "matching",
    graphOf(
      40,
      Array.from({ length: 20 }, (_, k): Edge => [2 * k, 2 * k + 1]),
    ),
  ],
  // a tree of three nodes, a triangle, a node: fifteen of each
  [
    "many components",
    graphOf(
      105,
      Array.from({ length: 15 }, (_, k): Edge[] => [
        [7 * k, 7 * k + 1],
        [7 * k + 1, 7 * k + 2],
        [7 * k + 3, 7 * k + 4],
        [7 * k + 4, 7 * k + 5],
        [7 * k + 3, 7 * k + 5],
      ]).flat(),
    ),
  ],
  [
    "path of 200",
    graphOf(
      200,
      Array.from({ length: 199 }, (_, k): Edge => [k, k + 1]),
    ),
  ],
];

export const executor = inlineExecutor();
export const context = { executor };

export async function inputOf(graphs: readonly Graph[], moments = 50): Promise<KernelInput> {
  const kernels = await loadKernels();
  return {
    graphs,
    profiles: profileMany(graphs, { kernels, moments }),
    selfLoopProfiles: profileMany(graphs, { kernels, moments, selfLoops: true }),
  };
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = a.length === b.length ? 0 : Number.POSITIVE_INFINITY;
  for (let k = 0; k < a.length; k++) largest = Math.max(largest, Math.abs(a[k] - b[k]));
  return largest;
}

export function randomGraphs(count: number, seed: number, from = 5, to = 30): Graph[] {
  return Array.from({ length: count }, (_, k) =>
    erdosRenyi(from + ((k * 7) % (to - from)), 0.1 + 0.05 * (k % 5), seed + k),
  );
}
