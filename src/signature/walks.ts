/**
 * Return probabilities by simulation (RetGK_MC): from every node `walks` random walks of `steps` steps over A + I; number k of a
 * node's row is the share of its walks that stand on the node again after k steps.
 *
 * The probabilities have standard error √(p(1 − p) / walks). O(nodes · walks · steps), times O(log degree) on weighted graphs, on all
 * workers. Node i of a graph with n nodes draws from stream (i, n) of the seed: the rows depend on the graph and the seed alone.
 * Source: Zhang, Wang, Xiang, Huang, Nehorai, "RetGK: graph kernels based on return probabilities of random walks", NeurIPS 2018.
 */
import { badCall } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Executor, Task } from "../compute/executor.js";
import type { Kernels } from "../compute/kernels.js";
import type { Graph } from "../graph/graph.js";
import { packedLength, packInto, unpackGraphs } from "../graph/pack.js";
import { allocateNodeRows, type NodeRows, numbers, setRow } from "./node-rows.js";

export interface WalkOptions extends RunControl {
  /** Walks from each node. Default 200, as in RetGK. */
  walks?: number;
  /** Default 50. */
  steps?: number;
  /** Default 0. */
  seed?: number;
  /** On SharedArrayBuffers, for several threads. Default false. */
  shared?: boolean;
}

export interface WalkUnit {
  /** Packed graphs, not moved: the units of a large graph share them. */
  graphs: ArrayBufferLike;
  /** Nodes, counted over the packed graphs. */
  from: number;
  to: number;
  walks: number;
  steps: number;
  seed: number;
}

/** Rows of `steps` counts of returns, one a node. */
export const walkTask: Task<WalkUnit, Uint32Array> = {
  name: "random-walks",
  run({ kernels }, { graphs, from, to, walks, steps, seed }) {
    const counts = new Uint32Array((to - from) * steps);
    let first = 0;
    for (const graph of unpackGraphs(graphs)) {
      const begin = Math.max(0, from - first);
      const end = Math.min(graph.nodeCount, to - first);
      const place = (first + begin - from) * steps;
      if (begin < end) simulate(kernels, graph, begin, end, { walks, steps, seed }, counts, place);
      first += graph.nodeCount;
    }
    return counts;
  },
  transfer: (counts) => [counts.buffer as ArrayBuffer],
};

function simulate(
  kernels: Kernels,
  graph: Graph,
  begin: number,
  end: number,
  { walks, steps, seed }: Pick<WalkUnit, "walks" | "steps" | "seed">,
  counts: Uint32Array,
  place: number,
): void {
  const { arena } = kernels;
  const mark = arena.mark();
  const rows = lazyRows(kernels, graph);
  const work = arena.allocate(64);
  const out = arena.allocate(4 * steps * (end - begin));
  const [seedLow, seedHigh] = [seed >>> 0, Math.floor(seed / 4294967296) >>> 0];
  kernels.walkReturns(
    begin,
    end,
    graph.nodeCount,
    rows.offsets,
    rows.targets,
    rows.sums,
    walks,
    steps,
    seedLow,
    seedHigh,
    work,
    out,
  );
  counts.set(arena.u32.subarray(out >>> 2, (out >>> 2) + steps * (end - begin)), place);
  arena.release(mark);
}

/**
 * The rows of A + I with the node itself first, weight 1, in place of a self-loop of the data; and the running sums of their weights,
 * at address 0 where all are 1.
 */
function lazyRows({ arena }: Kernels, graph: Graph): { offsets: number; targets: number; sums: number } {
  const { nodeCount, weights } = graph;
  const length = nodeCount + graph.targets.length - graph.selfLoopCount;
  const offsets = arena.allocate(4 * (nodeCount + 1));
  const targets = arena.allocate(4 * length);
  const sums = weights === null ? 0 : arena.allocate(8 * length);
  const { u32, f64 } = arena;
  const [offset0, target0, sum0] = [offsets >>> 2, targets >>> 2, sums >>> 3];
  let at = 0;
  for (let i = 0; i < nodeCount; i++) {
    u32[offset0 + i] = at;
    u32[target0 + at] = i;
    if (weights !== null) f64[sum0 + at] = 1;
    at++;
    for (let k = graph.offsets[i]; k < graph.offsets[i + 1]; k++) {
      if (graph.targets[k] === i) continue;
      u32[target0 + at] = graph.targets[k];
      if (weights !== null) f64[sum0 + at] = f64[sum0 + at - 1] + weights[k];
      at++;
    }
  }
  u32[offset0 + nodeCount] = at;
  return { offsets, targets, sums };
}

/** Steps that a unit of work has: about half a second of them. */
const STEPS_A_UNIT = 1e8;
const STEPS_A_SECOND = 2e8;

export async function walkRows(
  graphs: readonly Graph[],
  executor: Executor,
  options: WalkOptions = {},
): Promise<NodeRows> {
  const { walks = 200, steps = 50, seed = 0, shared = false, signal, onProgress } = options;
  for (const [name, value] of Object.entries({ walks, steps }))
    if (!(Number.isInteger(value) && value >= 1))
      throw badCall(`random walks: ${name}: got ${value}, expected an integer of at least 1`);
  const nodeCounts = graphs.map((graph) => graph.nodeCount);
  const rows = allocateNodeRows(nodeCounts, steps, shared);
  for (const [g, count] of nodeCounts.entries())
    rows.masses.fill(1 / count, rows.offsets[g], rows.offsets[g + 1]);
  const { remote } = executor;
  const stepsEach = remote === undefined ? STEPS_A_UNIT : remote.unitSeconds * STEPS_A_SECOND;
  const pieces = cutNodes(graphs, Math.max(1, Math.floor(stepsEach / (walks * steps))), shared);
  const units = pieces.map(({ graphs, from, to }) => ({ graphs, from, to, walks, steps, seed }));
  const share = new Float64Array(steps);
  let done = 0;
  await executor.map(walkTask, units, {
    signal,
    onResult(u, counts) {
      const { row, from, to } = pieces[u];
      for (let i = 0; i < to - from; i++) {
        for (let k = 0; k < steps; k++) share[k] = counts[i * steps + k] / walks;
        setRow(rows, row + i, share);
      }
      done += to - from;
      onProgress?.({ task: "random walks", done, total: rows.masses.length, unit: "nodes" });
    },
  });
  return rows;
}

/** Some nodes in a row, and where their rows begin. */
interface Piece extends Pick<WalkUnit, "graphs" | "from" | "to"> {
  row: number;
}

/** Pieces of about `nodesEach` nodes: several small graphs, or a part of a large one. */
function cutNodes(graphs: readonly Graph[], nodesEach: number, shared: boolean): Piece[] {
  const pieces: Piece[] = [];
  for (let g = 0, row = 0; g < graphs.length; ) {
    const some: Graph[] = [];
    let nodes = 0;
    while (g < graphs.length && (some.length === 0 || nodes + graphs[g].nodeCount <= nodesEach)) {
      nodes += graphs[g].nodeCount;
      some.push(graphs[g++]);
    }
    const packed = numbers(packedLength(some), shared);
    packInto(some, packed, 0);
    for (let from = 0; from < nodes; from += nodesEach)
      pieces.push({ graphs: packed, from, to: Math.min(nodes, from + nodesEach), row: row + from });
    row += nodes;
  }
  return pieces;
}
