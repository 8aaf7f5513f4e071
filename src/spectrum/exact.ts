/**
 * Exact spectral profiles: T_m(Ã)_ii, m = 0..M, for every node i, to rounding.
 *
 *   graph ─▶ twin classes ─▶ quotient Q ─▶ trees and cores ─▶ T_m(Q)_pp ─▶ one row a class
 *
 * Twins leave the computation with a known eigenvalue (quotient.ts). Trees need no probe: O(M²) a node, so that a forest of a
 * million nodes takes seconds. For the core of each component, by cost: unit probes by doubling on the sparse component, M/2
 * products each (assembly/chebyshev.ts), or Householder reduction of the component as a dense matrix and Chebyshev vectors of
 * the tridiagonal form (assembly/tridiagonalise.ts), which wins where a component is small or dense.
 *
 * Cost: (core nodes of a component) × (its entries) × M/2 summed over components, or n³; see exactCost.
 */
import { badCall } from "../base/errors.js";
import {
  denseStride,
  type Kernels,
  TREE_INNER,
  TREE_LEAF,
  TREE_RECORD_BYTES,
  TREE_ROOT,
} from "../compute/kernels.js";
import type { Graph } from "../graph/graph.js";
import { TwinFinder } from "../graph/twins.js";
import { BufferPool } from "./buffer-pool.js";
import { Decomposition, NONE } from "./decompose.js";
import type { Estimator } from "./estimator.js";
import { SpectralProfile } from "./profile.js";
import { QuotientBuilder } from "./quotient.js";

export interface ExactOptions {
  /** The highest moment M. Default 50. */
  moments?: number;
  /** Use A + I: A_ii = 1 for every node. Default false. */
  selfLoops?: boolean;
  kernels: Kernels;
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

/** Exact profile of one graph. For many graphs use profileMany. */
export function exactProfile(graph: Graph, options: ExactOptions): SpectralProfile {
  return new ExactProfiler(options).profile(graph);
}

/** Exact profiles of many graphs, one after another, side by side in few buffers. */
export function profileMany(graphs: Iterable<Graph>, options: ExactOptions): SpectralProfile[] {
  const profiler = new ExactProfiler(options);
  const pool = new BufferPool();
  const profiles: SpectralProfile[] = [];
  for (const graph of graphs) profiles.push(profiler.profile(graph, pool));
  return profiles;
}

/** What an exact profile of this graph would take, without computing it: O(nodes + edges). */
export function exactCost(graph: Graph, options: Omit<ExactOptions, "kernels"> = {}): ExactPlan {
  return new ExactPlanner(options).plan(graph);
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
class ExactPlanner {
  readonly moments: number;
  readonly selfLoops: boolean;
  protected readonly finder: TwinFinder;
  protected readonly quotient = new QuotientBuilder();
  protected readonly decomposition = new Decomposition();
  /** 1 for components that are reduced as dense matrices. */
  protected dense = new Uint8Array(0);

  constructor(options: Omit<ExactOptions, "kernels">) {
    const { moments = 50, selfLoops = false } = options;
    for (const name of Object.keys(options))
      if (name !== "moments" && name !== "selfLoops" && name !== "kernels")
        throw badCall(`exact profile: unknown option: ${name}; known: moments, selfLoops, kernels`);
    if (!(Number.isInteger(moments) && moments >= 0 && moments <= MAX_MOMENTS))
      throw badCall(`exact profile: moments: got ${moments}, expected an integer from 0 to ${MAX_MOMENTS}`);
    if (typeof selfLoops !== "boolean")
      throw badCall(`exact profile: selfLoops: got ${String(selfLoops)}, expected true or false`);
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

/** Exact profiles of one graph after another in the same working memory. */
export class ExactProfiler extends ExactPlanner {
  private readonly kernels: Kernels;

  constructor(options: ExactOptions) {
    super(options);
    this.kernels = options.kernels;
  }

  /** The profile of a graph, in a buffer of its own or in the next bytes of a pool. */
  profile(graph: Graph, pool?: BufferPool): SpectralProfile {
    const { classes, treeNodes, probes, denseOrder } = this.plan(graph);
    const { moments, kernels, quotient } = this;
    const { arena } = kernels;
    const width = moments + 1;
    // rows, weights and trace as they lie in the profile
    arena.reset();
    const body = classes * width + classes + width;
    const rows = arena.allocate(8 * body);
    const weights = rows + 8 * classes * width;
    const trace = weights + 8 * classes;
    const spikes = arena.allocate(8 * classes);
    this.quotientMoments(rows);
    const { f64 } = arena;
    for (let p = 0; p < classes; p++) {
      f64[weights / 8 + p] = quotient.sizes[p];
      f64[spikes / 8 + p] = quotient.spikes[p];
    }
    kernels.expandTwins(classes, weights, spikes, moments, rows, trace);

    const estimator: Estimator = {
      name: "exact",
      numbers: [classes, treeNodes, probes, denseOrder, this.selfLoops ? 1 : 0],
    };
    const shape = { nodeCount: graph.nodeCount, moments, rowCount: classes, estimator };
    const profile = SpectralProfile.allocate(shape, pool);
    profile.body.set(f64.subarray(rows / 8, rows / 8 + body));
    profile.rowOf.set(this.finder.classOf.subarray(0, graph.nodeCount));
    return profile;
  }

  /** T_m(Q)_pp of the planned quotient, in rows of moments + 1 numbers. */
  private quotientMoments(rows: number): void {
    const { moments, kernels } = this;
    const { arena } = kernels;
    const { treeCount, componentCount } = this.decomposition;
    const work = arena.allocate(16 * (moments + 1));
    const records = arena.allocate(TREE_RECORD_BYTES * treeCount);
    if (treeCount > 0) {
      this.writeTrees(records);
      kernels.foldTrees(treeCount, records, moments, rows, work);
    }
    const mark = arena.mark();
    for (let k = 0; k < componentCount; k++) {
      if (this.dense[k] === 1) this.denseComponent(k, rows);
      else this.sparseComponent(k, rows);
      arena.release(mark);
    }
    if (treeCount > 0) kernels.unfoldTrees(treeCount, records, moments, rows, work);
  }

  private writeTrees(records: number): void {
    const { f64, u32 } = this.kernels.arena;
    const { treeCount, trees, parent, coupling, leaf } = this.decomposition;
    const { loops } = this.quotient;
    const core = this.decomposition;
    for (let k = 0, word = records >>> 2; k < treeCount; k++, word += TREE_RECORD_BYTES / 4) {
      const c = trees[k];
      const p = parent[c];
      const kind = p === NONE ? TREE_ROOT : core.isTree(p) ? TREE_INNER : 0;
      u32[word] = c;
      u32[word + 1] = p === NONE ? 0 : p;
      u32[word + 2] = kind | (leaf[c] === 1 ? TREE_LEAF : 0);
      f64[(word >>> 1) + 2] = p === NONE ? 0 : coupling[c];
      f64[(word >>> 1) + 3] = loops[c];
    }
  }

  /** The component's own rows, renumbered, with doubled values; unit probes for its core. */
  private sparseComponent(k: number, rows: number): void {
    const { arena } = this.kernels;
    const { start, order, position, coreSize } = this.decomposition;
    const { offsets, targets, values } = this.quotient;
    const first = start[k];
    const n = start[k + 1] - first;
    let entries = 0;
    for (let at = first; at < first + n; at++) entries += offsets[order[at] + 1] - offsets[order[at]];
    const places = arena.allocate(4 * n);
    const rowOffsets = arena.allocate(4 * (n + 1));
    const rowTargets = arena.allocate(4 * entries);
    const doubled = arena.allocate(8 * entries);
    const work = arena.allocate(128 * (n + 1));
    const { f64, u32 } = arena;
    let filled = 0;
    u32[rowOffsets >>> 2] = 0;
    for (let i = 0; i < n; i++) {
      const p = order[first + i];
      u32[(places >>> 2) + i] = p;
      for (let e = offsets[p]; e < offsets[p + 1]; e++) {
        u32[(rowTargets >>> 2) + filled] = position[targets[e]];
        f64[(doubled >>> 3) + filled++] = 2 * values[e];
      }
      u32[(rowOffsets >>> 2) + i + 1] = filled;
    }
    this.kernels.unitMoments(
      n,
      rowOffsets,
      rowTargets,
      doubled,
      0,
      coreSize[k],
      places,
      this.moments,
      rows,
      work,
    );
  }

  /** The component as a dense matrix, its tridiagonal form, and the Chebyshev vectors of that. */
  private denseComponent(k: number, rows: number): void {
    const { arena } = this.kernels;
    const { start, order, position, coreSize } = this.decomposition;
    const { offsets, targets, values } = this.quotient;
    const first = start[k];
    const n = start[k + 1] - first;
    const stride = denseStride(n);
    const places = arena.allocate(4 * n);
    const diagonal = arena.allocate(8 * n);
    const side = arena.allocate(8 * n);
    const tau = arena.allocate(8 * n);
    const matrix = arena.allocate(8 * n * stride);
    const basis = arena.allocate(8 * n * stride);
    const work = arena.allocate(8 * Math.max(4 * stride, 10 * n + 8));
    const { f64, u32 } = arena;
    f64.fill(0, matrix >>> 3, (matrix >>> 3) + n * stride);
    for (let i = 0; i < n; i++) {
      const p = order[first + i];
      const row = (matrix >>> 3) + i * stride;
      u32[(places >>> 2) + i] = p;
      for (let e = offsets[p]; e < offsets[p + 1]; e++) f64[row + position[targets[e]]] = values[e];
    }
    this.kernels.tridiagonalise(n, stride, matrix, diagonal, side, tau, work);
    this.kernels.accumulateBasis(n, stride, matrix, tau, basis);
    this.kernels.tridiagonalMoments(
      n,
      stride,
      diagonal,
      side,
      basis,
      coreSize[k],
      places,
      this.moments,
      rows,
      work,
    );
  }
}
