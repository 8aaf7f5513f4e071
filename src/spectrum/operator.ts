/**
 * The normalised adjacency matrix of a graph, Ã = D^(-1/2) A D^(-1/2), in compressed sparse rows. Its eigenvalues lie in
 * [-1, 1]. O(nodes + entries) time and memory.
 *
 * An isolated node has an empty row (eigenvalue 0). With selfLoops every A_ii is 1, in place of what stood there, and the
 * degrees are those of the new matrix: the lazy walk.
 *
 * Entry (i, j) is w / √(d_i d_j). Where that product leaves the range of doubles it is (w / √d) / √d', d the smaller degree:
 * w ≤ d, so the first quotient neither overflows nor loses bits that the second would bring back. Both forms give the same
 * bits for (i, j) and (j, i).
 */
import { badCall, badData, GraphdosError, unknownName } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";

export interface SparseOperator {
  /** Rows and columns. */
  n: number;
  /** Row i is targets[offsets[i] .. offsets[i+1]), ascending, with the values beside them. */
  offsets: Uint32Array;
  targets: Uint32Array;
  values: Float64Array;
}

export interface OperatorOptions {
  /** A_ii = 1 for every node. Default false. */
  selfLoops?: boolean;
}

/** Beyond this a dense matrix takes more than 2 GiB. */
const MAX_DENSE = 16384;

export function normalisedAdjacency(graph: Graph, options: OperatorOptions = {}): SparseOperator {
  const selfLoops = readSelfLoops(options);
  const n = graph.nodeCount;
  const degrees = new Float64Array(n);
  const offsets = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) {
    let degree = selfLoops ? 1 : 0;
    let count = degree;
    for (let k = graph.offsets[i]; k < graph.offsets[i + 1]; k++) {
      if (selfLoops && graph.targets[k] === i) continue;
      degree += graph.weights === null ? 1 : graph.weights[k];
      count++;
    }
    if (!Number.isFinite(degree))
      throw badData(
        `normalised adjacency: the weights at node ${i} add up beyond the range of numbers: got ${degree}, expected a finite degree; scale the weights down`,
      );
    degrees[i] = degree;
    offsets[i + 1] = offsets[i] + count;
  }
  const targets = new Uint32Array(offsets[n]);
  const values = new Float64Array(offsets[n]);
  for (let i = 0; i < n; i++) {
    let at = offsets[i];
    let loopIsDue = selfLoops;
    for (let k = graph.offsets[i]; k < graph.offsets[i + 1]; k++) {
      const j = graph.targets[k];
      if (selfLoops && j === i) continue;
      if (loopIsDue && j > i) {
        targets[at] = i;
        values[at++] = 1 / degrees[i];
        loopIsDue = false;
      }
      targets[at] = j;
      values[at++] = scaled(graph.weights === null ? 1 : graph.weights[k], degrees[i], degrees[j]);
    }
    if (loopIsDue) {
      targets[at] = i;
      values[at] = 1 / degrees[i];
    }
  }
  return { n, offsets, targets, values };
}

function readSelfLoops(options: OperatorOptions): boolean {
  for (const key of Object.keys(options))
    if (key !== "selfLoops") throw unknownName("option of the normalised adjacency", key, ["selfLoops"]);
  const { selfLoops = false } = options;
  if (typeof selfLoops !== "boolean")
    throw badCall(`normalised adjacency: selfLoops: got ${String(selfLoops)}, expected true or false`);
  return selfLoops;
}

function scaled(w: number, a: number, b: number): number {
  const product = a * b;
  if (product > 1e-290 && product < 1e290) return w / Math.sqrt(product);
  return w / Math.sqrt(Math.min(a, b)) / Math.sqrt(Math.max(a, b));
}

/** Ã as a full matrix, row-major, for small graphs and as an oracle: 8n² bytes. */
export function denseNormalised(graph: Graph, options: OperatorOptions = {}): Float64Array {
  const n = graph.nodeCount;
  if (n > MAX_DENSE)
    throw new GraphdosError(
      "limit",
      `dense normalised adjacency: too many nodes: got ${n}, expected at most ${MAX_DENSE}; use normalisedAdjacency`,
    );
  const { offsets, targets, values } = normalisedAdjacency(graph, options);
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let k = offsets[i]; k < offsets[i + 1]; k++) matrix[i * n + targets[k]] = values[k];
  return matrix;
}

/** y = Ã x. x and y must not overlap. */
export function multiply(operator: SparseOperator, x: Float64Array, y: Float64Array): void {
  const { n, offsets, targets, values } = operator;
  if (x.length !== n || y.length !== n)
    throw badCall(`multiply: vectors of ${x.length} and ${y.length} numbers, expected ${n} in both`);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = offsets[i], end = offsets[i + 1]; k < end; k++) sum += values[k] * x[targets[k]];
    y[i] = sum;
  }
}
