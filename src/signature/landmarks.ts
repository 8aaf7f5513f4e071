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
import { cutByRows, graphCount, graphRange, isShared, type NodeRows } from "./node-rows.js";
import type { TriangularFactor } from "./pivoted-cholesky.js";
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
  const growing = new GrowingEmbedding(model.node, rows, executor, signal);
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
  /** For each unit a pack of quads with `rank` numbers a graph. */
  private packs: Float64Array[];

  constructor(
    private readonly node: NodeKernel,
    private readonly rows: NodeRows,
    private readonly executor: Executor,
    private readonly signal?: AbortSignal,
  ) {
    this.cuts = cutByRows(rows, ROWS_A_UNIT);
    this.packs = this.cuts.slice(1).map(() => new Float64Array(0));
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
    const packed = factor.packed(isShared(rows));
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
    this.packs = parts.map((fresh, u) => joinPacks(this.packs[u], from, fresh, rank - from));
    this.rank = rank;
    for (let u = 0; u < parts.length; u++)
      for (let g = cuts[u]; g < cuts[u + 1]; g++) {
        const lane = g - cuts[u];
        const base = 4 * (rank - from) * (lane >>> 2) + (lane & 3);
        for (let k = 0; k < rank - from; k++) this.squares[g] -= parts[u][base + 4 * k] ** 2;
      }
  }

  missed(): Float64Array {
    return this.squares.map((square) => Math.sqrt(Math.max(square, 0) + ROUNDING));
  }

  /** graphs × rank, row by row. */
  vectors(): Float64Array {
    const out = new Float64Array(graphCount(this.rows) * this.rank);
    for (let g = 0, u = 0; g < graphCount(this.rows); g++) {
      while (g >= this.cuts[u + 1]) u++;
      this.vector(u, g, out, g * this.rank);
    }
    return out;
  }

  /** The coordinates of some graphs, row by row. */
  vectorsOf(graphs: readonly number[]): Float64Array {
    const out = new Float64Array(graphs.length * this.rank);
    for (let k = 0; k < graphs.length; k++) {
      let u = 0;
      while (graphs[k] >= this.cuts[u + 1]) u++;
      this.vector(u, graphs[k], out, k * this.rank);
    }
    return out;
  }

  private vector(unit: number, g: number, out: Float64Array, at: number): void {
    const lane = g - this.cuts[unit];
    let place = 4 * this.rank * (lane >>> 2) + (lane & 3);
    for (let k = 0; k < this.rank; k++, place += 4) out[at + k] = this.packs[unit][place];
  }
}

function joinPacks(first: Float64Array, firstWidth: number, second: Float64Array, secondWidth: number) {
  const quads = second.length / (4 * secondWidth);
  const width = firstWidth + secondWidth;
  const joined = new Float64Array(4 * width * quads);
  for (let q = 0; q < quads; q++) {
    joined.set(first.subarray(4 * firstWidth * q, 4 * firstWidth * (q + 1)), 4 * width * q);
    joined.set(second.subarray(4 * secondWidth * q, 4 * secondWidth * (q + 1)), 4 * (width * q + firstWidth));
  }
  return joined;
}
