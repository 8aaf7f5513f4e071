/**
 * Places for the nodes of a small graph: each component by stress majorisation, the components side by side on shelves.
 *
 * Stress is Σ_{i<j} d_ij^−2 (|x_i − x_j| − d_ij)², d_ij the number of edges between i and j (Gansner, Koren, North: Graph drawing by stress
 * majorization, 2004). It starts from classical scaling (the two leading eigenvectors of the doubly centred squared distances) with
 * a little seeded noise, because twins start in one place. O(n²) memory and time a sweep; same graph, same places.
 */
import { Random } from "../base/random.js";
import { connectedComponents } from "../graph/components.js";
import type { Graph } from "../graph/graph.js";

const SWEEPS = 80;
const POWER_STEPS = 40;
/** Room around a component, in edge lengths. */
const GAP = 1;

export interface Layout {
  /** x of node i at 2i, y at 2i + 1; one unit is about one edge. */
  places: Float64Array;
  width: number;
  height: number;
}

export function layoutGraph(graph: Graph, seed = 0): Layout {
  const { count, component } = connectedComponents(graph);
  const members = Array.from({ length: count }, (): number[] => []);
  for (let i = 0; i < graph.nodeCount; i++) members[component[i]].push(i);
  const boxes = members
    .map((nodes) => layoutComponent(graph, nodes, new Random(seed, nodes[0])))
    .sort((a, b) => b.height - a.height || b.width - a.width);
  const places = new Float64Array(2 * graph.nodeCount);
  const area = boxes.reduce((sum, box) => sum + (box.width + GAP) * (box.height + GAP), 0);
  const widest = boxes.reduce((most, box) => Math.max(most, box.width), 0);
  const shelfWidth = Math.max(widest, 1.25 * Math.sqrt(area) - GAP);
  let [left, top, shelfHeight, width] = [0, 0, 0, 0];
  for (const box of boxes) {
    if (left > 0 && left + box.width > shelfWidth + 1e-9) {
      top += shelfHeight + GAP;
      left = shelfHeight = 0;
    }
    box.nodes.forEach((i, k) => {
      places[2 * i] = left + box.x[k];
      places[2 * i + 1] = top + box.y[k];
    });
    width = Math.max(width, left + box.width);
    left += box.width + GAP;
    shelfHeight = Math.max(shelfHeight, box.height);
  }
  return { places, width, height: top + shelfHeight };
}

interface Box {
  nodes: number[];
  x: Float64Array;
  y: Float64Array;
  width: number;
  height: number;
}

function layoutComponent(graph: Graph, nodes: number[], random: Random): Box {
  const n = nodes.length;
  const distances = hopDistances(graph, nodes);
  const [x, y] = classicalScaling(distances, n, random);
  for (let i = 0; i < n; i++) {
    x[i] += 0.2 * random.normal();
    y[i] += 0.2 * random.normal();
  }
  for (let sweep = 0; sweep < SWEEPS && n > 1; sweep++) majorise(distances, x, y);
  const [left, top] = [Math.min(...x), Math.min(...y)];
  for (let i = 0; i < n; i++) {
    x[i] -= left;
    y[i] -= top;
  }
  return { nodes, x, y, width: Math.max(...x), height: Math.max(...y) };
}

/** Edges between every two of the nodes, which are one component: breadth-first from each. O(n (n + E)). */
function hopDistances(graph: Graph, nodes: number[]): Float64Array {
  const n = nodes.length;
  const index = new Map(nodes.map((node, k) => [node, k]));
  const distances = new Float64Array(n * n).fill(-1);
  const queue = new Uint32Array(n);
  for (let root = 0; root < n; root++) {
    const row = distances.subarray(root * n, (root + 1) * n);
    let filled = 1;
    queue[0] = root;
    row[root] = 0;
    for (let head = 0; head < filled; head++) {
      const i = queue[head];
      for (let k = graph.offsets[nodes[i]]; k < graph.offsets[nodes[i] + 1]; k++) {
        const j = index.get(graph.targets[k])!;
        if (row[j] >= 0) continue;
        row[j] = row[i] + 1;
        queue[filled++] = j;
      }
    }
  }
  return distances;
}

/** Two leading eigenvectors of −½ J D² J, scaled by the roots of their eigenvalues, by power iteration with deflation. */
function classicalScaling(distances: Float64Array, n: number, random: Random): [Float64Array, Float64Array] {
  const squared = distances.map((d) => -0.5 * d * d);
  const means = Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += squared[i * n + j];
    return sum / n;
  });
  const all = means.reduce((a, b) => a + b, 0) / n;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) squared[i * n + j] += all - means[i] - means[j];
  const leading = (previous: Float64Array | null): Float64Array => {
    let v = Float64Array.from({ length: n }, () => random.normal());
    let value = 0;
    for (let step = 0; step < POWER_STEPS; step++) {
      if (previous !== null) removePart(v, previous);
      const next = new Float64Array(n);
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += squared[i * n + j] * v[j];
        next[i] = sum;
      }
      value = Math.sqrt(next.reduce((sum, z) => sum + z * z, 0));
      if (value < 1e-12) return new Float64Array(n);
      v = next.map((z) => z / value);
    }
    if (previous !== null) removePart(v, previous);
    return v.map((z) => z * Math.sqrt(value));
  };
  const x = leading(null);
  return [x, leading(x)];
}

/** Takes from v its part along u. */
function removePart(v: Float64Array, u: Float64Array): void {
  let dot = 0;
  let square = 0;
  for (let i = 0; i < v.length; i++) {
    dot += u[i] * v[i];
    square += u[i] * u[i];
  }
  if (square > 0) for (let i = 0; i < v.length; i++) v[i] -= (dot / square) * u[i];
}

/** One sweep: every node moves to the weighted mean of where the others want it; the stress never rises. */
function majorise(distances: Float64Array, x: Float64Array, y: Float64Array): void {
  const n = x.length;
  for (let i = 0; i < n; i++) {
    let [sumX, sumY, weights] = [0, 0, 0];
    for (let j = 0; j < n; j++) {
      if (j === i) continue;
      const d = distances[i * n + j];
      const w = 1 / (d * d);
      const dx = x[i] - x[j];
      const dy = y[i] - y[j];
      const pull = d / Math.max(Math.sqrt(dx * dx + dy * dy), 1e-9);
      sumX += w * (x[j] + pull * dx);
      sumY += w * (y[j] + pull * dy);
      weights += w;
    }
    x[i] = sumX / weights;
    y[i] = sumY / weights;
  }
}
