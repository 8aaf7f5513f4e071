/**
 * Mean embeddings in the span of landmarks (Nyström): μ_G = Σ_i mass_i φ(x_i) becomes the short vector z_G = L⁻¹k̄_G, the coordinates of its
 * projection Pμ_G on the span of φ(z_1), …, φ(z_r), where K = L Lᵀ are the kernel values between landmarks and k̄_G the mean kernel
 * values of the graph's nodes to them.
 *
 * The error is known. What the projection misses of a graph is ρ_G² = ‖μ_G‖² − ‖z_G‖², with ‖μ_G‖² by exact sums, and by Pythagoras
 *
 *   ‖z_G − z_H‖² <= MMD²(G, H) <= ‖z_G − z_H‖² + (ρ_G + ρ_H)²,
 *
 * for graphs seen and unseen. Cost: rows × r kernel values, (rows of a graph)² for its ρ, r²/2 a graph. Source: Williams, Seeger,
 * "Using the Nyström method to speed up kernel machines", NIPS 2000; the bound is elementary.
 */
import type { Executor } from "../compute/executor.js";
import { landmarkTask } from "./landmark-tasks.js";
import type { NodeKernel } from "./node-kernel.js";
import { cutByRows, graphCount, graphRange, isShared, type NodeRows, numbers } from "./node-rows.js";
import type { TriangularFactor } from "./pivoted-cholesky.js";
import { compactRows } from "./row-order.js";
import { selfProductTask } from "./self-products.js";

export interface LandmarkModel {
  node: NodeKernel;
  /** The landmarks as one graph; their masses are 1. */
  landmarks: NodeRows;
  factor: TriangularFactor;
}

export interface LandmarkEmbedding {
  /** graphs × rank, row by row. */
  vectors: Float64Array;
  /** ρ of each graph, rounding included. */
  missed: Float64Array;
}

/** Rows a unit of work: some tenths of a second for a thousand landmarks. */
const ROWS_A_UNIT = 16384;

/** ρ² is a difference of numbers of size 1: what rounding may hide of it. */
export const ROUNDING = 1e-12;

/** The embedding of graphs, seen or unseen, by a fitted model. */
export async function embedByLandmarks(
  model: LandmarkModel,
  rows: NodeRows,
  executor: Executor,
  signal?: AbortSignal,
): Promise<LandmarkEmbedding> {
  const compact = compactRows(rows, model.node.width);
  const growing = new GrowingEmbedding(model.node, compact, executor, signal);
  await growing.start();
  await growing.extend(model.landmarks, model.factor);
  return { vectors: growing.vectors(), missed: growing.missed() };
}

/** Coordinates of graphs in a span that grows. */
export class GrowingEmbedding {
  rank = 0;
  /** ‖μ_G‖² − ‖z_G‖² so far. */
  squares = new Float64Array(0);
  private readonly cuts: number[];
  private readonly unitOf: Uint32Array;
  /** For each unit a pack of quads for every extension, in which the graphs have `widths` coordinates. */
  private readonly packs: Float64Array[][];
  private readonly widths: number[] = [];

  constructor(
    private readonly node: NodeKernel,
    private readonly rows: NodeRows,
    private readonly executor: Executor,
    private readonly signal?: AbortSignal,
  ) {
    this.cuts = cutByRows(rows, ROWS_A_UNIT);
    this.packs = this.cuts.slice(1).map(() => []);
    this.unitOf = new Uint32Array(graphCount(rows));
    for (let u = 0; u < this.packs.length; u++) this.unitOf.fill(u, this.cuts[u], this.cuts[u + 1]);
  }

  async start(): Promise<void> {
    const { node, rows, cuts } = this;
    const inputs = this.packs.map((_, u) => ({
      node,
      range: graphRange(rows, cuts[u], cuts[u + 1]),
      order: "half" as const,
    }));
    const parts = await this.executor.map(selfProductTask, inputs, { signal: this.signal });
    this.squares = new Float64Array(graphCount(rows));
    for (let u = 0; u < parts.length; u++) this.squares.set(parts[u], cuts[u]);
  }

  /** New landmarks, behind those that are there; `factor` covers all. */
  async extend(landmarks: NodeRows, factor: TriangularFactor): Promise<void> {
    const { node, rows, cuts, rank: from } = this;
    const rank = factor.rank;
    if (rank === from) return;
    const packed = factor.packed(from);
    const inputs = this.packs.map((solved, u) => ({
      node,
      range: graphRange(rows, cuts[u], cuts[u + 1]),
      landmarks,
      from,
      rank,
      factor: packed,
      solved,
    }));
    const parts = await this.executor.map(landmarkTask, inputs, { signal: this.signal });
    parts.forEach((pack, u) => {
      this.packs[u].push(pack);
    });
    this.widths.push(rank - from);
    this.rank = rank;
    for (let g = 0; g < this.squares.length; g++) {
      const pack = parts[this.unitOf[g]];
      const place = this.lastPlace(g);
      for (let k = 0; k < 4 * (rank - from); k += 4) this.squares[g] -= pack[place + k] ** 2;
    }
  }

  /** ‖z_G − z_H‖² over the coordinates of the last extension. */
  lastSquare(g: number, h: number): number {
    const last = this.widths.length - 1;
    const [a, b] = [this.packs[this.unitOf[g]][last], this.packs[this.unitOf[h]][last]];
    const [p, q] = [this.lastPlace(g), this.lastPlace(h)];
    let sum = 0;
    for (let k = 0; k < 4 * this.widths[last]; k += 4) sum += (a[p + k] - b[q + k]) ** 2;
    return sum;
  }

  /** Where the coordinates of a graph begin in the pack of the last extension; they are four places apart. */
  private lastPlace(g: number): number {
    const lane = g - this.cuts[this.unitOf[g]];
    return 4 * this.widths[this.widths.length - 1] * (lane >>> 2) + (lane & 3);
  }

  missed(): Float64Array {
    return this.squares.map((square) => Math.sqrt(Math.max(square, 0) + ROUNDING));
  }

  /** The coordinates of some graphs, all of them by default, row by row; on shared memory where the rows are. */
  vectors(graphs: ArrayLike<number> = Array.from(this.unitOf.keys())): Float64Array {
    const out = new Float64Array(numbers(8 * graphs.length * this.rank, isShared(this.rows)));
    for (let k = 0, at = 0; k < graphs.length; k++) {
      const unit = this.unitOf[graphs[k]];
      const lane = graphs[k] - this.cuts[unit];
      for (let e = 0; e < this.widths.length; e++) {
        const pack = this.packs[unit][e];
        let place = 4 * this.widths[e] * (lane >>> 2) + (lane & 3);
        for (let l = 0; l < this.widths[e]; l++, place += 4) out[at++] = pack[place];
      }
    }
    return out;
  }
}
