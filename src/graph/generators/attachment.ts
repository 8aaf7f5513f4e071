/**
 * Preferential attachment: A.-L. Barabási, R. Albert: "Emergence of scaling in random networks", Science 286 (1999).
 *
 * Node v = 0, 1, ... is joined to min(v, m) different earlier nodes, each drawn with a probability in proportion to its
 * degree (all of them while v <= m, so growth starts from a complete graph on m + 1 nodes). The list of edges so far names
 * each node as often as its degree: a uniform entry of it is such a draw, and draws of the same node are repeated. O(nm).
 */
import { Random } from "../../base/random.js";
import type { Graph } from "../graph.js";
import { checkInteger, checkSeed, reserveEdges } from "./edges.js";

/** m(m+1)/2 + (n-m-1)m edges for n > m, n(n-1)/2 otherwise. */
export function barabasiAlbert(n: number, m: number, seed: number): Graph {
  const where = "barabasiAlbert";
  checkInteger(where, "number of nodes", n, 0);
  checkInteger(where, "edges of a new node", m, 0);
  checkSeed(where, seed);
  const core = Math.min(n, m + 1);
  const edges = reserveEdges(where, n, (core * (core - 1)) / 2 + (n - core) * m);
  for (let v = 1; v < core; v++) for (let i = 0; i < v; i++) edges.push(v, i);

  if (m === 0) return edges.toGraph();
  const random = new Random(seed);
  const { words } = edges;
  const chosenBy = new Uint32Array(n);
  for (let v = core; v < n; v++) {
    const ends = 2 * edges.length;
    for (let left = m; left > 0; ) {
      const i = words[random.integer(ends)];
      if (chosenBy[i] === v) continue;
      chosenBy[i] = v;
      edges.push(v, i);
      left--;
    }
  }
  return edges.toGraph();
}
