/**
 * Small worlds: D. J. Watts, S. H. Strogatz: "Collective dynamics of 'small-world' networks", Nature 393 (1998).
 *
 * A ring in which each node is joined to its k nearest nodes; then, ring distance by ring distance and node by node, the
 * far end of each edge is moved with probability p to a uniform node that is neither the near end nor its neighbour. The
 * number of edges stays nk/2. An edge whose near end has all others as neighbours stays where it is. Expected O(nk) while
 * k is well below n.
 */
import { badCall } from "../../base/errors.js";
import { Random } from "../../base/random.js";
import type { Graph } from "../graph.js";
import { checkInteger, checkProbability, checkSeed, type EdgeList, reserveEdges } from "./edges.js";

/** k is even and below n (or 0); exactly nk/2 edges. */
export function wattsStrogatz(n: number, k: number, p: number, seed: number): Graph {
  const where = "wattsStrogatz";
  checkInteger(where, "number of nodes", n, 0);
  checkInteger(where, "neighbours of a node", k, 0, Math.max(0, n - 1));
  if (k % 2 !== 0) throw badCall(`${where}: neighbours of a node: got ${k}, expected an even number`);
  checkProbability(where, "probability of rewiring", p);
  checkSeed(where, seed);
  const edges = reserveEdges(where, n, (n * k) / 2);
  // edge (distance - 1)·n + i joins i and i + distance
  for (let distance = 1; distance <= k / 2; distance++)
    for (let i = 0; i < n; i++) edges.push(i, (i + distance) % n);
  if (p > 0) rewire(edges, k, p, new Random(seed));
  return edges.toGraph();
}

function rewire(edges: EdgeList, k: number, p: number, random: Random): void {
  const { nodeCount: n, words } = edges;
  const degrees = new Uint32Array(n).fill(k);
  const moved = new PairSet(n);
  // an edge is where it began as long as its far end is: so the ring needs no set of its own
  const onRing = (i: number, j: number) => {
    const ahead = (j - i + n) % n;
    const distance = Math.min(ahead, n - ahead);
    if (distance > k / 2) return false;
    const near = ahead === distance ? i : j;
    return words[2 * ((distance - 1) * n + near) + 1] === (near === i ? j : i);
  };
  for (let e = 0; e < edges.length; e++) {
    if (random.uniform() >= p) continue;
    const i = words[2 * e];
    if (degrees[i] === n - 1) continue;
    let j = random.integer(n);
    while (j === i || onRing(i, j) || moved.has(i, j)) j = random.integer(n);
    degrees[words[2 * e + 1]]--;
    degrees[j]++;
    words[2 * e + 1] = j;
    moved.add(i, j);
  }
}

/** A set of unordered pairs that only grows: open addressing, linear probing, at most half full. */
class PairSet {
  private keys = new Float64Array(1024).fill(-1);
  private size = 0;

  constructor(private readonly nodeCount: number) {}

  has(i: number, j: number): boolean {
    const key = this.key(i, j);
    return this.keys[this.slot(key)] === key;
  }

  add(i: number, j: number): void {
    if (2 * (this.size + 1) > this.keys.length) this.grow();
    const key = this.key(i, j);
    const slot = this.slot(key);
    if (this.keys[slot] !== key) this.size++;
    this.keys[slot] = key;
  }

  private key(i: number, j: number): number {
    return i < j ? i * this.nodeCount + j : j * this.nodeCount + i;
  }

  /** Where the key is or would be put. */
  private slot(key: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    const mixed = Math.imul((key % 4294967296) ^ Math.imul(key / 4294967296, 0x85ebca6b), 0x9e3779b1);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (keys[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const old = this.keys;
    this.keys = new Float64Array(2 * old.length).fill(-1);
    for (const key of old) if (key !== -1) this.keys[this.slot(key)] = key;
  }
}
