/**
 * Families in closed form. Each is written down edge by edge in O(nodes + edges); node numbers follow from the formulas.
 */
import type { Graph } from "../graph.js";
import { checkInteger, reserveEdges } from "./edges.js";

/** The path 0 - 1 - ... - (n-1): n - 1 edges. */
export function path(n: number): Graph {
  checkInteger("path", "number of nodes", n, 0);
  const edges = reserveEdges("path", n, Math.max(0, n - 1));
  for (let i = 1; i < n; i++) edges.push(i - 1, i);
  return edges.toGraph();
}

/** The path with its ends joined: n edges. Without loops and double edges, so n = 0, 1, 2 have 0, 0, 1 edges. */
export function cycle(n: number): Graph {
  checkInteger("cycle", "number of nodes", n, 0);
  const edges = reserveEdges("cycle", n, n);
  for (let i = 1; i < n; i++) edges.push(i - 1, i);
  if (n > 2) edges.push(n - 1, 0);
  return edges.toGraph();
}

/** Node 0 joined to the nodes 1..leaves. */
export function star(leaves: number): Graph {
  checkInteger("star", "number of leaves", leaves, 0);
  const edges = reserveEdges("star", leaves + 1, leaves);
  for (let i = 1; i <= leaves; i++) edges.push(0, i);
  return edges.toGraph();
}

/** Every pair of n nodes joined: n(n-1)/2 edges. */
export function complete(n: number): Graph {
  checkInteger("complete", "number of nodes", n, 0);
  const edges = reserveEdges("complete", n, (n * (n - 1)) / 2);
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) edges.push(i, j);
  return edges.toGraph();
}

/** Each of the nodes 0..a-1 joined to each of a..a+b-1: ab edges. */
export function completeBipartite(a: number, b: number): Graph {
  checkInteger("completeBipartite", "nodes on the first side", a, 0);
  checkInteger("completeBipartite", "nodes on the second side", b, 0);
  const edges = reserveEdges("completeBipartite", a + b, a * b);
  for (let i = 0; i < a; i++) for (let j = 0; j < b; j++) edges.push(i, a + j);
  return edges.toGraph();
}

/** Node r·columns + c at row r and column c, joined to the next in its row and in its column. */
export function grid(rows: number, columns: number): Graph {
  checkInteger("grid", "rows", rows, 0);
  checkInteger("grid", "columns", columns, 0);
  const n = rows * columns;
  const edges = reserveEdges("grid", n, n === 0 ? 0 : 2 * n - rows - columns);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const i = r * columns + c;
      if (c + 1 < columns) edges.push(i, i + 1);
      if (r + 1 < rows) edges.push(i, i + columns);
    }
  return edges.toGraph();
}

/** The words of `dimension` bits, joined where they differ in one bit: dimension · 2^(dimension-1) edges. */
export function hypercube(dimension: number): Graph {
  checkInteger("hypercube", "dimension", dimension, 0, 30);
  const n = 2 ** dimension;
  const edges = reserveEdges("hypercube", n, (dimension * n) / 2);
  for (let i = 0; i < n; i++)
    for (let bit = 0; bit < dimension; bit++) if ((i & (1 << bit)) === 0) edges.push(i, i | (1 << bit));
  return edges.toGraph();
}
