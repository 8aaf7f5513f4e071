/**
 * Erdős-Rényi graphs G(n, p) and stochastic block models: every pair is an edge on its own, with a probability that
 * depends on the blocks of its ends.
 *
 * The number of pairs between two edges is geometric, so instead of tossing a coin for each pair the loop jumps
 * 1 + floor(ln(1-u) / ln(1-p)) pairs ahead: O(nodes + edges + blocks²). V. Batagelj, U. Brandes: "Efficient generation of
 * large random networks", Physical Review E 71 (2005).
 */
import { badCall } from "../../base/errors.js";
import { logarithm, logarithmOfOnePlus } from "../../base/logarithm.js";
import { Random } from "../../base/random.js";
import type { Graph } from "../graph.js";
import {
  checkInteger,
  checkProbability,
  checkSeed,
  type EdgeList,
  MAX_EDGES,
  reserveEdges,
} from "./edges.js";

/** G(n, p): each of the n(n-1)/2 pairs is an edge with probability p. */
export function erdosRenyi(n: number, p: number, seed: number): Graph {
  checkInteger("erdosRenyi", "number of nodes", n, 0);
  checkProbability("erdosRenyi", "probability", p);
  checkSeed("erdosRenyi", seed);
  return blockEdges("erdosRenyi", [n], [[p]], new Random(seed)).toGraph();
}

/**
 * Blocks of the given sizes, numbered one after the other; a node of block r and one of block s are joined with the
 * probability probabilities[r][s], a symmetric matrix.
 */
export function stochasticBlock(
  sizes: ArrayLike<number>,
  probabilities: ArrayLike<ArrayLike<number>>,
  seed: number,
): Graph {
  const where = "stochasticBlock";
  checkSeed(where, seed);
  for (let r = 0; r < sizes.length; r++) checkInteger(where, `size of block ${r}`, sizes[r], 0);
  if (probabilities.length !== sizes.length)
    throw badCall(`${where}: rows of probabilities: got ${probabilities.length}, expected ${sizes.length}`);
  for (let r = 0; r < sizes.length; r++) {
    if (probabilities[r].length !== sizes.length)
      throw badCall(
        `${where}: probabilities of block ${r}: got ${probabilities[r].length}, expected ${sizes.length}`,
      );
    for (let s = 0; s < sizes.length; s++) {
      checkProbability(where, `probability of blocks ${r} and ${s}`, probabilities[r][s]);
      if (probabilities[r][s] !== probabilities[s]?.[r])
        throw badCall(
          `${where}: probabilities of blocks ${r} and ${s} must be symmetric: got ${probabilities[r][s]} and ${probabilities[s]?.[r]}`,
        );
    }
  }
  return blockEdges(where, sizes, probabilities, new Random(seed)).toGraph();
}

/** The edges of a block model with checked arguments. */
export function blockEdges(
  where: string,
  sizes: ArrayLike<number>,
  probabilities: ArrayLike<ArrayLike<number>>,
  random: Random,
): EdgeList {
  let nodes = 0;
  let expected = 0;
  for (let r = 0; r < sizes.length; r++) {
    nodes += sizes[r];
    expected += probabilities[r][r] * sizes[r] * ((sizes[r] - 1) / 2);
    for (let s = 0; s < r; s++) expected += probabilities[r][s] * sizes[r] * sizes[s];
  }
  // room for five standard deviations, so that the list hardly ever grows
  const room = Math.ceil(expected + 5 * Math.sqrt(expected));
  if (expected <= MAX_EDGES && room > MAX_EDGES)
    throw badCall(`${where}: too many edges: expected number ${expected}, allowed ${MAX_EDGES}`);
  const edges = reserveEdges(where, nodes, room);
  for (let r = 0, rowStart = 0; r < sizes.length; rowStart += sizes[r++])
    for (let s = 0, columnStart = 0; s <= r; columnStart += sizes[s++])
      if (probabilities[r][s] === 0) continue;
      else if (s === r) pairsWithin(edges, rowStart, sizes[r], probabilities[r][r], random);
      else pairsBetween(edges, rowStart, sizes[r], columnStart, sizes[s], probabilities[r][s], random);
  return edges;
}

/** Geometric number of failures before a success, given ln(1-p). */
const failures = (random: Random, logOfFailure: number) =>
  Math.floor(logarithm(1 - random.uniform()) / logOfFailure);

function pairsWithin(edges: EdgeList, start: number, size: number, p: number, random: Random): void {
  const logOfFailure = logarithmOfOnePlus(-p);
  let i = 1;
  let j = -1;
  while (i < size) {
    j += 1 + failures(random, logOfFailure);
    while (j >= i && i < size) j -= i++;
    if (i < size) edges.push(start + i, start + j);
  }
}

function pairsBetween(
  edges: EdgeList,
  rowStart: number,
  rows: number,
  columnStart: number,
  columns: number,
  p: number,
  random: Random,
): void {
  if (columns === 0) return;
  const logOfFailure = logarithmOfOnePlus(-p);
  let i = 0;
  let j = -1;
  while (i < rows) {
    j += 1 + failures(random, logOfFailure);
    if (j >= columns) {
      i += Math.floor(j / columns);
      j %= columns;
    }
    if (i < rows) edges.push(rowStart + i, columnStart + j);
  }
}
