/**
 * Return probabilities by simulation (RetGK_MC): from every node `walks` random walks of `steps` steps over A + I; number k of a
 * node's row is the share of its walks that stand on the node again after k steps.
 *
 * The probabilities have standard error √(p(1 − p) / walks). O(nodes · walks · steps) random numbers, each O(log degree) on
 * weighted graphs. Node i of a graph with n nodes draws from stream (i, n) of the seed: the rows depend on the graph and the seed alone.
 * Source: Zhang, Wang, Xiang, Huang, Nehorai, "RetGK: graph kernels based on return probabilities of random walks", NeurIPS 2018.
 */
import { badCall } from "../base/errors.js";
import { Random } from "../base/random.js";
import type { Graph } from "../graph/graph.js";
import { allocateNodeRows, type NodeRows, setRow } from "./node-rows.js";

export interface WalkOptions {
  /** Walks from each node. Default 200, as in RetGK. */
  walks?: number;
  /** Default 50. */
  steps?: number;
  /** Default 0. */
  seed?: number;
  /** On SharedArrayBuffers, for several threads. Default false. */
  shared?: boolean;
}

export function walkRows(graphs: readonly Graph[], options: WalkOptions = {}): NodeRows {
  const { walks = 200, steps = 50, seed = 0, shared = false } = options;
  for (const [name, value] of Object.entries({ walks, steps }))
    if (!(Number.isInteger(value) && value >= 1))
      throw badCall(`random walks: ${name}: got ${value}, expected an integer of at least 1`);
  const rows = allocateNodeRows(
    graphs.map((graph) => graph.nodeCount),
    steps,
    shared,
  );
  const returns = new Float64Array(steps);
  let row = 0;
  for (const graph of graphs) {
    const step = stepper(graph);
    for (let i = 0; i < graph.nodeCount; i++, row++) {
      const random = new Random(seed, i, graph.nodeCount);
      returns.fill(0);
      for (let walk = 0; walk < walks; walk++)
        for (let k = 0, at = i; k < steps; k++) {
          at = step(at, random);
          if (at === i) returns[k]++;
        }
      for (let k = 0; k < steps; k++) returns[k] /= walks;
      rows.masses[row] = 1 / graph.nodeCount;
      setRow(rows, row, returns);
    }
  }
  return rows;
}

/** One step over A + I: stay with weight 1, or go to a neighbour with the weight of the edge; self-loops of the data are replaced. */
function stepper(graph: Graph): (at: number, random: Random) => number {
  const { offsets, targets, weights, selfLoopCount } = graph;
  if (weights === null && selfLoopCount === 0)
    return (at, random) => {
      const chosen = random.integer(offsets[at + 1] - offsets[at] + 1);
      return chosen === 0 ? at : targets[offsets[at] + chosen - 1];
    };
  // running sums of the weights in each row, the node's own weight set to 1 in front
  const sums = new Float64Array(targets.length);
  for (let i = 0; i < graph.nodeCount; i++)
    for (let k = offsets[i], sum = 1; k < offsets[i + 1]; k++) {
      if (targets[k] !== i) sum += weights === null ? 1 : weights[k];
      sums[k] = sum;
    }
  return (at, random) => {
    let [low, high] = [offsets[at], offsets[at + 1]];
    const total = low === high ? 1 : sums[high - 1];
    const x = random.uniform() * total;
    if (x < 1) return at;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle] > x) high = middle;
      else low = middle + 1;
    }
    return targets[Math.min(low, offsets[at + 1] - 1)];
  };
}
