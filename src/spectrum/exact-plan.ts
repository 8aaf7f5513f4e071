/**
 * What exact moments of a graph take: twins, quotient, trees and cores, and for each core the cheaper method.
 *
 * The same plan is made in WASM (assembly/exact-plan.ts); this one foresees costs, and plans where there is no WASM.
 */
import { badCall } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { TwinFinder } from "../graph/twins.js";
import { Decomposition } from "./decompose.js";
import { QuotientBuilder } from "./quotient.js";

export interface PlanOptions {
  /** The highest moment M. Default 50. */
  moments?: number;
  /** Use A + I: A_ii = 1 for every node. Default false. */
  selfLoops?: boolean;
}

/** What the work on one graph consists of. */
export interface ExactPlan {
  nodes: number;
  /** Twin classes: order of the quotient. */
  classes: number;
  /** Classes in trees, of which no probe is needed. */
  treeNodes: number;
  /** Unit probes on sparse components. */
  probes: number;
  /** Largest component that is reduced as a dense matrix; 0 when none is. */
  denseOrder: number;
  /** Expected time on one core of an ordinary machine. */
  seconds: number;
}

export const MAX_MOMENTS = 4096;

/** What an exact profile of this graph would take, without computing it: O(nodes + edges). */
export function exactCost(graph: Graph, options: PlanOptions = {}): ExactPlan {
  return new ExactPlanner(options).plan(graph);
}

/** Defaults filled in; throws a sentence for what is wrong. */
export function checkPlanOptions(options: PlanOptions): Required<PlanOptions> {
  for (const name of Object.keys(options))
    if (name !== "moments" && name !== "selfLoops")
      throw badCall(`exact profile: unknown option: ${name}; known: moments, selfLoops`);
  const { moments = 50, selfLoops = false } = options;
  if (!(Number.isInteger(moments) && moments >= 0 && moments <= MAX_MOMENTS))
    throw badCall(`exact profile: moments: got ${moments}, expected an integer from 0 to ${MAX_MOMENTS}`);
  if (typeof selfLoops !== "boolean")
    throw badCall(`exact profile: selfLoops: got ${String(selfLoops)}, expected true or false`);
  return { moments, selfLoops };
}

/** Nanoseconds on one core of an EPYC 7003 (Zen 3) with the WASM kernels, measured one by one with 50 moments. */
const COST = {
  /** A step of eight columns: per entry and per row. Four columns cost `four` of it. */
  entry: 1.1,
  row: 4.5,
  four: 0.68,
  /** Dense: per n³, per n², and per row, column and step. */
  cube: 0.28,
  square: 3,
  column: 0.7,
  /** Trees: per node and moment², and per leaf and moment. */
  tree: 0.5,
  leaf: 5,
  /** Twins and quotient: per node and entry of the graph. */
  entries: 12,
};

/** Two dense matrices of this order take 2 GiB. */
const MAX_DENSE = 11584;
/** Up to so many moments a tree node is always cheaper than a probe, or cheap enough. */
const ALWAYS_TREES = 100;

/** Twins, quotient, trees and cores of one graph after another, and the choice of method for each core. */
export class ExactPlanner {
  readonly moments: number;
  readonly selfLoops: boolean;
  protected readonly finder: TwinFinder;
  protected readonly quotient = new QuotientBuilder();
  protected readonly decomposition = new Decomposition();
  /** 1 for components that are reduced as dense matrices. */
  protected dense = new Uint8Array(0);

  constructor(options: PlanOptions) {
    const { moments, selfLoops } = checkPlanOptions(options);
    this.moments = moments;
    this.selfLoops = selfLoops;
    this.finder = new TwinFinder({ selfLoops: selfLoops ? "one" : "keep" });
  }

  plan(graph: Graph): ExactPlan {
    const { moments, quotient, decomposition } = this;
    quotient.build(graph, this.finder.find(graph), this.selfLoops);
    decomposition.run(quotient);
    const plan = this.choose(graph);
    if (moments <= ALWAYS_TREES || plan.treeNodes === 0) return plan;
    // with very many moments, inner tree nodes may cost more than probes
    decomposition.run(quotient, true);
    const leavesOnly = this.choose(graph);
    if (leavesOnly.seconds < plan.seconds) return leavesOnly;
    decomposition.run(quotient);
    return this.choose(graph);
  }

  /** The cheaper method for each core, and what all of it costs. */
  private choose(graph: Graph): ExactPlan {
    const { moments, quotient } = this;
    const { treeCount, leaf, trees, start, coreSize, componentCount, order } = this.decomposition;
    if (this.dense.length < componentCount) this.dense = new Uint8Array(2 * componentCount);
    let leaves = 0;
    for (let k = 0; k < treeCount; k++) leaves += leaf[trees[k]];
    let nanoseconds =
      COST.entries * (graph.nodeCount + graph.targets.length) +
      COST.leaf * leaves * moments +
      COST.tree * (treeCount - leaves) * moments * moments;
    let probes = 0;
    let denseOrder = 0;
    for (let k = 0; k < componentCount; k++) {
      const n = start[k + 1] - start[k];
      let entries = 0;
      for (let at = start[k]; at < start[k + 1]; at++)
        entries += quotient.offsets[order[at] + 1] - quotient.offsets[order[at]];
      const bySparse = sparseCost(n, entries, coreSize[k], moments);
      const byDense = n <= MAX_DENSE ? denseCost(n, coreSize[k], moments) : Number.POSITIVE_INFINITY;
      const dense = byDense < bySparse;
      this.dense[k] = dense ? 1 : 0;
      nanoseconds += dense ? byDense : bySparse;
      if (dense) denseOrder = Math.max(denseOrder, n);
      else probes += coreSize[k];
    }
    return {
      nodes: graph.nodeCount,
      classes: quotient.count,
      treeNodes: treeCount,
      probes,
      denseOrder,
      seconds: nanoseconds * 1e-9,
    };
  }
}

function sparseCost(n: number, entries: number, columns: number, moments: number): number {
  const rest = columns & 7;
  const blocks = (columns >>> 3) + (rest === 0 ? 0 : rest > 4 ? 1 : COST.four);
  return blocks * (moments / 2) * (COST.entry * entries + COST.row * n);
}

function denseCost(n: number, columns: number, moments: number): number {
  return (COST.cube * n + COST.square) * n * n + COST.column * n * columns * (moments / 2);
}
