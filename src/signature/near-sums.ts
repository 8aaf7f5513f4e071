/**
 * Mean kernel values of graphs to many points, Σ_i mass_i k(x_i, y_c), where many pairs are too far apart to count: the work of the
 * landmark embedding. Against NodeKernelSums it saves twice and gives up a digit (assembly/near-sums.ts):
 *
 *   far pairs  a kernel value below 2^-54 is taken as 0, in blocks of four rows by four points; both are sorted along one number, so that
 *              such blocks are many: 2 of 5 for REDDIT-BINARY. The masses sum to 1: a mean changes by less than 2^-54.
 *   tails      ‖x − y‖² = ‖x‖² + ‖y‖² − 2xy for the numbers behind the head. The head is as long as it takes for
 *              ‖y‖²_tail / (2 width²) <= 14 for all points. The cancellation then costs a kernel value about 20 rounding errors at most, whatever
 *              the x: where ‖x‖_tail is much larger, the value is small. Rows rotated to their principal directions have
 *              heads of 4 of 20. The Laplacian kernel has no tails.
 *
 * A graph's means depend on its rows and on the points alone, not on the graphs beside it.
 */
import type { Kernels } from "../compute/kernels.js";
import { checkNodeKernel, exponentScale, type NodeKernel } from "./node-kernel.js";
import { type NodeRows, quadCount, selectRows } from "./node-rows.js";
import { sortedRows } from "./row-order.js";

/** Kernel values below 2^-this are taken as 0. */
const FAR = 54;
/** The largest scale·‖x‖²_tail: 14 in the exponent of e. */
const LARGEST_TAIL = 20;

export class NearSums {
  private readonly scale: number;
  private readonly limit: number;
  private readonly laplacian: number;

  constructor(
    private readonly kernels: Kernels,
    node: NodeKernel,
    private readonly dimension: number,
  ) {
    checkNodeKernel(node);
    this.scale = exponentScale(node);
    this.laplacian = node.shape === "laplacian" ? 1 : 0;
    const reach = FAR / this.scale;
    this.limit = this.laplacian === 1 ? reach * reach : reach;
  }

  /** The rows from <= c < to in the arena as points, sorted. */
  points(rows: NodeRows, from = 0, to = rows.masses.length): NearPoints {
    const { arena } = this.kernels;
    const sorted = sortedRows(rows, from, to);
    const quads = quadCount(sorted.length);
    const values = arena.allocate(32 * this.dimension * quads);
    const norms = arena.allocate(32 * quads);
    const sums = arena.allocate(32 * quads);
    const { f64 } = arena;
    f64.set(selectRows(rows, sorted).values, values >>> 3);
    const length = 4 * this.dimension;
    const head = this.laplacian === 1 ? this.dimension : this.headOf(f64, values >>> 3, quads);
    f64.fill(0, norms >>> 3, (norms >>> 3) + 4 * quads);
    for (let q = 0; q < quads; q++)
      for (let k = 4 * head; k < length; k++) {
        const place = (values >>> 3) + q * length + k;
        f64[(norms >>> 3) + 4 * q + (k & 3)] += f64[place] ** 2;
        f64[place] *= -2;
      }
    return { order: sorted.map((i) => i - from), values, norms, sums, head };
  }

  /** Σ_i mass_i k(x_i, y_c) over the rows from <= i < to. Gives the place of the first point's sum among the arena's numbers. */
  means(rows: NodeRows, from: number, to: number, points: NearPoints): number {
    const { kernels, dimension } = this;
    const { arena } = kernels;
    const quads = quadCount(to - from);
    const mark = arena.mark();
    const values = arena.allocate(32 * dimension * quads);
    const norms = arena.allocate(32 * quads);
    const masses = arena.allocate(32 * quads);
    if (quads > 0) this.loadRows(rows, from, to, values >>> 3, masses >>> 3);
    kernels.nearSums(
      this.laplacian,
      dimension,
      points.head,
      values,
      quads,
      norms,
      masses,
      points.values,
      quadCount(points.order.length),
      points.norms,
      this.scale,
      this.limit,
      points.sums,
    );
    arena.release(mark);
    return points.sums >>> 3;
  }

  /**
   * The rows in quads of their own, wherever they lie in their pack: which rows share a quad decides which far pairs count, and that
   * must not depend on the graphs before them. The last quad is filled up with copies of the last row, of mass 0.
   */
  private loadRows(rows: NodeRows, from: number, to: number, values: number, masses: number): void {
    const { f64 } = this.kernels.arena;
    const length = 4 * this.dimension;
    const count = to - from;
    const quads = quadCount(count);
    if ((from & 3) === 0) {
      const first = (from >>> 2) * length;
      f64.set(rows.values.subarray(first, first + quads * length), values);
    } else
      for (let j = 0; j < count; j++) {
        const source = length * ((from + j) >>> 2) + ((from + j) & 3);
        const target = values + length * (j >>> 2) + (j & 3);
        for (let k = 0; k < length; k += 4) f64[target + k] = rows.values[source + k];
      }
    f64.fill(0, masses + count, masses + 4 * quads);
    f64.set(rows.masses.subarray(from, to), masses);
    const last = values + (quads - 1) * length;
    for (let lane = ((count - 1) & 3) + 1; lane < 4; lane++)
      for (let k = 0; k < length; k += 4) f64[last + k + lane] = f64[last + k + ((count - 1) & 3)];
  }

  /** The shortest head with Σ_tail max_c y_c² within bounds. */
  private headOf(f64: Float64Array, values: number, quads: number): number {
    const length = 4 * this.dimension;
    let tail = 0;
    for (let k = length - 4; k >= 0; k -= 4) {
      let largest = 0;
      for (let q = 0, at = values + k; q < quads; q++, at += length)
        for (let lane = 0; lane < 4; lane++) largest = Math.max(largest, Math.abs(f64[at + lane]));
      tail += largest * largest;
      if (!(this.scale * tail <= LARGEST_TAIL)) return (k >>> 2) + 1;
    }
    return 0;
  }
}

export interface NearPoints {
  /** The points' numbers in the order in which they lie in the arena. */
  order: Uint32Array;
  /** Addresses of the points, their tails times −2; of Σ_tail y²; of room for sums. */
  values: number;
  norms: number;
  sums: number;
  head: number;
}
