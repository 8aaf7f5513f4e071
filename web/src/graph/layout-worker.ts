/**
 * Places for the nodes, in a worker of its own. Small graphs by stress majorisation (the library's), all at once; larger ones by
 * ForceAtlas2 (Jacomy, Venturini, Heymann, Bastian, 2014), from a spiral in breadth-first order, told every now and then.
 */
import { Graph, layoutGraph } from "graphdos";
import iterate from "graphology-layout-forceatlas2/iterate.js";

export interface LayoutRequest {
  bytes: Uint8Array<ArrayBuffer>;
}

export interface LayoutAnswer {
  /** x of node i at 2i, y at 2i + 1. */
  places: Float32Array<ArrayBuffer>;
  done: boolean;
}

const STRESS_NODES = 500;
const STEPS = 600;
const MILLISECONDS = 6000;
const TELL_MILLISECONDS = 120;
const NODE = 10;

self.addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  const graph = Graph.fromBuffer(data.bytes.buffer);
  if (graph.nodeCount <= STRESS_NODES) tell(Float32Array.from(layoutGraph(graph).places), true);
  else void force(graph);
});

function tell(places: Float32Array<ArrayBuffer>, done: boolean): void {
  self.postMessage({ places, done } satisfies LayoutAnswer, { transfer: [places.buffer] });
}

async function force(graph: Graph): Promise<void> {
  const nodes = nodeMatrix(graph);
  const edges = edgeMatrix(graph);
  const settings = {
    ...{ linLogMode: false, outboundAttractionDistribution: false, adjustSizes: false },
    ...{ edgeWeightInfluence: 0, scalingRatio: 10, strongGravityMode: true, gravity: 0.05 },
    ...{ slowDown: 1 + Math.log(graph.nodeCount), barnesHutOptimize: true, barnesHutTheta: 0.6 },
  };
  const start = performance.now();
  let told = 0;
  for (let step = 0; step < STEPS && performance.now() - start < MILLISECONDS; step++) {
    iterate(settings, nodes, edges);
    if (performance.now() - told < TELL_MILLISECONDS) continue;
    told = performance.now();
    tell(placesOf(nodes), false);
  }
  tell(placesOf(nodes), true);
}

const placesOf = (nodes: Float32Array) =>
  Float32Array.from({ length: (2 * nodes.length) / NODE }, (_, k) => nodes[(k >> 1) * NODE + (k & 1)]);

/** Breadth-first from the node with the most neighbours, one turn of the golden angle a node. */
function nodeMatrix(graph: Graph): Float32Array {
  const { nodeCount: n, offsets, targets } = graph;
  const matrix = new Float32Array(n * NODE);
  const roots = Uint32Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => graph.neighbourCount(b) - graph.neighbourCount(a) || a - b,
  );
  const seen = new Uint8Array(n);
  const order = new Uint32Array(n);
  let filled = 0;
  for (const root of roots) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    let head = filled;
    order[filled++] = root;
    for (; head < filled; head++)
      for (let k = offsets[order[head]]; k < offsets[order[head] + 1]; k++) {
        const j = targets[k];
        if (seen[j] === 1) continue;
        seen[j] = 1;
        order[filled++] = j;
      }
  }
  order.forEach((i, k) => {
    const angle = k * Math.PI * (3 - Math.sqrt(5));
    matrix[i * NODE] = 10 * Math.sqrt(k + 1) * Math.cos(angle);
    matrix[i * NODE + 1] = 10 * Math.sqrt(k + 1) * Math.sin(angle);
    matrix[i * NODE + 6] = 1 + graph.neighbourCount(i);
    matrix[i * NODE + 7] = 1;
    matrix[i * NODE + 8] = 1;
  });
  return matrix;
}

function edgeMatrix(graph: Graph): Float32Array {
  const edges: number[] = [];
  graph.forEachEdge((i, j) => {
    if (i !== j) edges.push(i * NODE, j * NODE, 1);
  });
  return Float32Array.from(edges);
}
