/** Small node-link drawings of graphs, and which graphs of a data set are worth one. */
import type { Dataset } from "../data/dataset.js";
import type { Graph } from "../graph/graph.js";
import { html, type SafeHtml } from "./html.js";
import { layoutGraph } from "./layout.js";

/** Larger graphs are a blot at this size, and layout takes O(n²). */
const MAX_NODES = 250;
const MAX_EDGES = 2500;
const WIDTH = 200;
const HEIGHT = 160;
const MARGIN = 10;

export const drawable = ({ nodeCount, edgeCount }: Graph) =>
  nodeCount > 0 && nodeCount <= MAX_NODES && edgeCount <= MAX_EDGES;

/** The graph as an SVG element; nodes in `colour`, edges and loops in the page's colour. */
export function graphDrawing(graph: Graph, colour: string, description: string): SafeHtml {
  const { places, width, height } = layoutGraph(graph);
  const scale = Math.min(
    (WIDTH - 2 * MARGIN) / Math.max(width, 1e-9),
    (HEIGHT - 2 * MARGIN) / Math.max(height, 1e-9),
    60,
  );
  const round = (value: number) => Math.round(10 * value) / 10;
  const x = (i: number) => round((WIDTH - scale * width) / 2 + scale * places[2 * i]);
  const y = (i: number) => round((HEIGHT - scale * height) / 2 + scale * places[2 * i + 1]);
  const n = graph.nodeCount;
  const radius = round(Math.max(1.4, Math.min(4.5, 18 / Math.sqrt(n))));
  const opacity = Math.max(0.15, Math.min(0.5, round(100 / Math.max(1, graph.edgeCount))));
  let edges = "";
  const loops: number[] = [];
  graph.forEachEdge((i, j) => {
    if (i === j) loops.push(i);
    else edges += `M${x(i)},${y(i)}L${x(j)},${y(j)}`;
  });
  const nodes = Array.from({ length: n }, (_, i) => html`<circle cx="${x(i)}" cy="${y(i)}" r="${radius}"/>`);
  const rings = loops.map(
    (i) => html`<circle cx="${x(i)}" cy="${round(y(i) - 1.8 * radius)}" r="${round(1.3 * radius)}"/>`,
  );
  return html`<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}"><title>${description}</title><g fill="none" stroke="currentColor" stroke-width="0.8" stroke-opacity="${opacity}"><path d="${edges}"/>${rings}</g><g fill="${colour}">${nodes}</g></svg>`;
}

/**
 * Graphs that stand for their class: those nearest to the class's median of log nodes and log edges among the drawable ones,
 * of different sizes where there are such.
 */
export function typicalGraphs(dataset: Dataset, inClass: (g: number) => boolean, count: number): number[] {
  const members = [...dataset.graphs.keys()].filter(inClass);
  const nodes = (g: number) => Math.log(1 + dataset.graphs[g].nodeCount);
  const edges = (g: number) => Math.log(1 + dataset.graphs[g].edgeCount);
  const middle = (of: (g: number) => number) => {
    const sorted = members.map(of).sort((a, b) => a - b);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  };
  const [middleNodes, middleEdges] = [middle(nodes), middle(edges)];
  const distance = (g: number) => Math.hypot(nodes(g) - middleNodes, edges(g) - middleEdges);
  const near = members
    .filter((g) => drawable(dataset.graphs[g]))
    .map((g) => ({ g, d: distance(g) }))
    .sort((a, b) => a.d - b.d || a.g - b.g);
  const seen = new Set<string>();
  const fresh: number[] = [];
  const rest: number[] = [];
  for (const { g } of near) {
    const size = `${dataset.graphs[g].nodeCount} ${dataset.graphs[g].edgeCount}`;
    (seen.has(size) ? rest : fresh).push(g);
    seen.add(size);
  }
  return [...fresh, ...rest].slice(0, count);
}
