/**
 * Exact profiles step by step in plain TypeScript, on kernels of either make: what assembly/exact.ts does in one call, with the same
 * numbers in the same order. Takes its place in engines without WASM SIMD, and is the oracle of its tests.
 */
import {
  denseStride,
  type Kernels,
  TREE_INNER,
  TREE_LEAF,
  TREE_RECORD_BYTES,
  TREE_ROOT,
} from "../compute/kernels.js";
import type { Graph } from "../graph/graph.js";
import { NONE } from "./decompose.js";
import type { Estimator } from "./estimator.js";
import { ExactPlanner, type PlanOptions } from "./exact-plan.js";
import { impossibleMoments, MOST_MOMENT, SpectralProfile } from "./profile.js";

/** Exact profiles of one graph after another in the same working memory. */
export class ExactSteps extends ExactPlanner {
  constructor(
    private readonly kernels: Kernels,
    options: PlanOptions,
  ) {
    super(options);
  }

  profile(graph: Graph): SpectralProfile {
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
    const largest = kernels.expandTwins(classes, weights, spikes, moments, rows, trace);
    if (!(largest <= MOST_MOMENT)) throw impossibleMoments();

    const estimator: Estimator = {
      name: "exact",
      numbers: [classes, treeNodes, probes, denseOrder, this.selfLoops ? 1 : 0],
    };
    const shape = { nodeCount: graph.nodeCount, moments, rowCount: classes, estimator };
    const profile = SpectralProfile.allocate(shape);
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
