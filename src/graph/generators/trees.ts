/**
 * Trees: the balanced one, and one drawn uniformly from the n^(n-2) labelled trees on n nodes by decoding a random Prüfer
 * sequence (H. Prüfer: "Neuer Beweis eines Satzes über Permutationen", 1918). Both in O(n).
 */
import { Random } from "../../base/random.js";
import type { Graph } from "../graph.js";
import { checkInteger, checkSeed, reserveEdges } from "./edges.js";

/**
 * The tree in which every node above the last level has `branching` children; `depth` 0 is the root alone. Level by level:
 * the parent of node i is floor((i-1)/branching).
 */
export function balancedTree(branching: number, depth: number): Graph {
  checkInteger("balancedTree", "branching", branching, 1);
  checkInteger("balancedTree", "depth", depth, 0);
  // by products, which every engine rounds alike; a thousand levels are beyond all numbers
  let n = branching === 1 ? depth + 1 : 1;
  for (let level = 0, width = 1; branching > 1 && level < depth && n < Number.POSITIVE_INFINITY; level++)
    n += width *= branching;
  if (n >= 2 ** 53) n = Number.POSITIVE_INFINITY;
  const edges = reserveEdges("balancedTree", n, n - 1);
  for (let i = 1; i < n; i++) edges.push(Math.floor((i - 1) / branching), i);
  return edges.toGraph();
}

/** A tree on n labelled nodes, every one of the n^(n-2) equally likely. */
export function randomTree(n: number, seed: number): Graph {
  checkInteger("randomTree", "number of nodes", n, 0);
  checkSeed("randomTree", seed);
  const edges = reserveEdges("randomTree", n, Math.max(0, n - 1));
  if (n < 2) return edges.toGraph();

  const random = new Random(seed);
  const sequence = Uint32Array.from({ length: n - 2 }, () => random.integer(n));
  const remaining = new Uint32Array(n).fill(1);
  for (const i of sequence) remaining[i]++;

  // join the smallest leaf to the next number of the sequence: `scan` only rises, since a leaf that arises below it is used at once
  let scan = 0;
  while (remaining[scan] !== 1) scan++;
  let leaf = scan;
  for (const i of sequence) {
    edges.push(leaf, i);
    if (--remaining[i] === 1 && i < scan) leaf = i;
    else {
      scan++;
      while (remaining[scan] !== 1) scan++;
      leaf = scan;
    }
  }
  edges.push(leaf, n - 1);
  return edges.toGraph();
}
