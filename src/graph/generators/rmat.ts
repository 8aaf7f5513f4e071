/**
 * R-MAT, the stochastic Kronecker graph: D. Chakrabarti, Y. Zhan, C. Faloutsos: "R-MAT: a recursive model for graph
 * mining", SDM 2004; the default shares are those of Graph500.
 *
 * A draw chooses, on each of `scale` levels, a quadrant of the adjacency matrix with probabilities (a b; c d): one bit of
 * the row and one of the column. Four levels at once are one of 256 outcomes, and Walker's alias table (in Vose's form)
 * turns one 32-bit word into an outcome: 8 bits choose a column of the table, 24 bits one of its two entries. An
 * entry of the table is kept to 2^-33. Cost: scale/4 words a draw; memory: 8 bytes a draw, and the graph.
 */
import { badCall, unknownName } from "../../base/errors.js";
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

export interface RmatOptions {
  /** 2^scale nodes; 0 to 30. */
  scale: number;
  /** Number of draws. Repeated edges become one and self-loops are dropped, so the graph has fewer edges. */
  edges: number;
  /** Probabilities of the quadrants, which sum to 1: 0.57, 0.19, 0.19, 0.05 by default. */
  a?: number;
  b?: number;
  c?: number;
  d?: number;
  seed: number;
}

const LEVELS = 4;
const OUTCOMES = 4 ** LEVELS;
const KNOWN = ["scale", "edges", "a", "b", "c", "d", "seed"];

/** A graph on 2^scale nodes, many of them isolated; low numbers have the high degrees when a is the largest share. */
export function rmat(options: RmatOptions): Graph {
  return rmatDraws(options).toGraph();
}

/** The draws as they come, ordered pairs (row, column), repeats and self-loops included. */
export function rmatDraws(options: RmatOptions): EdgeList {
  const where = "rmat";
  for (const name of Object.keys(options))
    if (!KNOWN.includes(name)) throw unknownName("option of rmat", name, KNOWN);
  const { scale, edges: count, a = 0.57, b = 0.19, c = 0.19, d = 0.05, seed } = options;
  checkInteger(where, "scale", scale, 0, 30);
  checkInteger(where, "edges", count, 0, MAX_EDGES);
  checkSeed(where, seed);
  for (const [name, share] of Object.entries({ a, b, c, d })) checkProbability(where, name, share);
  if (Math.abs(a + b + c + d - 1) > 1e-9)
    throw badCall(`${where}: a + b + c + d: got ${a + b + c + d}, expected 1`);

  const edges = reserveEdges(where, 2 ** scale, count);
  const { words } = edges;
  const { limits, others } = aliasTable([a, b, c, d]);
  const random = new Random(seed);
  const groups = Math.ceil(scale / LEVELS);
  const surplus = groups * LEVELS - scale;
  for (let e = 0; e < count; e++) {
    let i = 0;
    let j = 0;
    for (let group = 0; group < groups; group++) {
      const word = random.uint32();
      const column = word & (OUTCOMES - 1);
      const outcome = word >>> 8 < limits[column] ? column : others[column];
      i = (i << LEVELS) | (outcome >>> LEVELS);
      j = (j << LEVELS) | (outcome & 15);
    }
    words[2 * e] = i >>> surplus;
    words[2 * e + 1] = j >>> surplus;
  }
  edges.length = count;
  return edges;
}

/**
 * Outcome 16·r + s stands for the row bits r and the column bits s, the highest level first. A table column k gives k
 * when the 24 bits are below limits[k] and others[k] otherwise.
 */
function aliasTable(shares: readonly number[]): { limits: Uint32Array; others: Uint8Array } {
  const limits = new Uint32Array(OUTCOMES);
  const others = new Uint8Array(OUTCOMES);
  const scaled = new Float64Array(OUTCOMES);
  const small: number[] = [];
  const large: number[] = [];
  for (let k = 0; k < OUTCOMES; k++) {
    let probability = 1;
    for (let level = 0; level < LEVELS; level++)
      probability *= shares[2 * ((k >>> (LEVELS + level)) & 1) + ((k >>> level) & 1)];
    scaled[k] = probability * OUTCOMES;
    (scaled[k] < 1 ? small : large).push(k);
  }
  while (small.length > 0 && large.length > 0) {
    const k = small.pop()!;
    const other = large.pop()!;
    limits[k] = Math.round(scaled[k] * 2 ** 24);
    others[k] = other;
    scaled[other] -= 1 - scaled[k];
    (scaled[other] < 1 ? small : large).push(other);
  }
  // what is left is full but for rounding
  for (const k of [...small, ...large]) limits[k] = 2 ** 24;
  return { limits, others };
}
