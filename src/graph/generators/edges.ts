/**
 * What the generators share: a growing list of edges, its way into a Graph, and checks of arguments.
 *
 * An edge is two neighbouring 32-bit words. Seen as one 64-bit number, larger end in the low word and smaller end in the
 * high one, edges sort by (smaller, larger) with the engine's own sort of a BigUint64Array: O(E log E), but three to four
 * times as fast at 10^7 edges as the general builder, which also reads weights and counts what it cleans. Memory: 8 bytes
 * a listed edge, and the graph.
 */
import { badCall } from "../../base/errors.js";
import { Graph, MAX_NODES } from "../graph.js";

/** The most edges a graph may have: its rows hold two entries an edge, counted in 32 bits. */
export const MAX_EDGES = 2 ** 31 - 1;

export class EdgeList {
  /** The ends of edge e are words[2e] and words[2e + 1]. */
  words: Uint32Array<ArrayBuffer>;
  length = 0;

  constructor(
    readonly nodeCount: number,
    capacity = 64,
  ) {
    this.words = new Uint32Array(2 * capacity);
  }

  push(i: number, j: number): void {
    const at = 2 * this.length;
    if (at === this.words.length) {
      const longer = new Uint32Array(Math.max(128, 2 * at));
      longer.set(this.words);
      this.words = longer;
    }
    this.words[at] = i;
    this.words[at + 1] = j;
    this.length++;
  }

  /** The graph of these edges, self-loops left out and repeats taken once. Sorts the list in place: use it no more. */
  toGraph(): Graph {
    const { nodeCount, words, length } = this;
    for (let at = 0; at < 2 * length; at += 2) {
      const i = words[at];
      const j = words[at + 1];
      if (i < j) {
        words[at] = j;
        words[at + 1] = i;
      }
    }
    new BigUint64Array(words.buffer, 0, length).sort();

    // count the entries of each row, and close the gaps that loops and repeats leave
    const rows = new Uint32Array(nodeCount);
    let kept = 0;
    for (let at = 0; at < 2 * length; at += 2) {
      const larger = words[at];
      const smaller = words[at + 1];
      if (larger === smaller) continue;
      if (kept > 0 && larger === words[kept - 2] && smaller === words[kept - 1]) continue;
      words[kept++] = larger;
      words[kept++] = smaller;
      rows[larger]++;
      rows[smaller]++;
    }

    // in this order a row first receives its smaller neighbours, then its larger ones, each ascending
    const graph = Graph.allocate({
      nodeCount,
      entryCount: kept,
      selfLoopCount: 0,
      weighted: false,
      labelled: false,
      attributeDimension: 0,
    });
    const { offsets, targets } = graph;
    for (let i = 0; i < nodeCount; i++) {
      offsets[i + 1] = offsets[i] + rows[i];
      rows[i] = offsets[i];
    }
    for (let at = 0; at < kept; at += 2) {
      const larger = words[at];
      const smaller = words[at + 1];
      targets[rows[smaller]++] = larger;
      targets[rows[larger]++] = smaller;
    }
    return graph;
  }
}

/** An empty list with room for `edgeCount` edges; an error when a graph cannot be that large. */
export function reserveEdges(where: string, nodeCount: number, edgeCount: number): EdgeList {
  if (!(nodeCount <= MAX_NODES))
    throw badCall(`${where}: too many nodes: got ${nodeCount}, expected at most ${MAX_NODES}`);
  if (!(edgeCount <= MAX_EDGES))
    throw badCall(`${where}: too many edges: got ${edgeCount}, expected at most ${MAX_EDGES}`);
  return new EdgeList(nodeCount, edgeCount);
}

/** Throws unless `value` is an integer from `least` to `most`. */
export function checkInteger(
  where: string,
  what: string,
  value: number,
  least: number,
  most: number = MAX_NODES,
): void {
  if (!(Number.isInteger(value) && value >= least && value <= most))
    throw badCall(`${where}: ${what}: got ${value}, expected an integer from ${least} to ${most}`);
}

export function checkProbability(where: string, what: string, value: number): void {
  if (!(typeof value === "number" && value >= 0 && value <= 1))
    throw badCall(`${where}: ${what}: got ${value}, expected a probability from 0 to 1`);
}

/** Seeds are 0 to 2^53 - 1: what a random stream tells apart. */
export function checkSeed(where: string, seed: number): void {
  checkInteger(where, "seed", seed, 0, Number.MAX_SAFE_INTEGER);
}
