/**
 * The kernel between two nodes, each a row of numbers, and its weighted sums on the WASM kernels:
 *
 *   gaussian   k(x, y) = exp(−‖x − y‖² / (2 width²))
 *   laplacian  k(x, y) = exp(−‖x − y‖ / width)            (Euclidean norm: positive definite in any dimension)
 *
 * k(x, x) = 1. The smallest value is 2^-1020 in place of what is smaller.
 */
import { badCall, unknownName } from "../base/errors.js";
import type { Kernels } from "../compute/kernels.js";
import { type NodeRows, quadCount } from "./node-rows.js";

export const NODE_KERNEL_SHAPES = ["gaussian", "laplacian"] as const;
export type NodeKernelShape = (typeof NODE_KERNEL_SHAPES)[number];

export interface NodeKernel {
  /** Default gaussian. */
  shape: NodeKernelShape;
  /** In the unit of the rows. RetGK's setting for return probabilities is 0.1. */
  width: number;
}

export function checkNodeKernel({ shape, width }: NodeKernel): void {
  if (!NODE_KERNEL_SHAPES.includes(shape))
    throw unknownName("node kernel", String(shape), NODE_KERNEL_SHAPES);
  if (!(width > 0 && width < Number.POSITIVE_INFINITY))
    throw badCall(`node kernel: width: got ${width}, expected a finite number above 0`);
}

/** c with k = 2^(−c‖x − y‖²), or 2^(−c‖x − y‖). */
export function exponentScale({ shape, width }: NodeKernel): number {
  return shape === "gaussian" ? Math.LOG2E / (2 * width * width) : Math.LOG2E / width;
}

/** Rows that lie in the arena of the kernels: whole quads of a pack. */
export interface LoadedRows {
  /** Addresses of the first quad, and of the mass of its first row. */
  values: number;
  masses: number;
  /** The number in the pack of the first quad's first row. */
  firstRow: number;
}

/**
 * Weighted sums of one node kernel over rows in the arena of the kernels. Memory: take a mark, load rows and allocate sums, release
 * to the mark.
 */
export class NodeKernelSums {
  private readonly scale: number;
  private readonly laplacian: number;

  constructor(
    private readonly kernels: Kernels,
    node: NodeKernel,
    readonly dimension: number,
  ) {
    checkNodeKernel(node);
    this.scale = exponentScale(node);
    this.laplacian = node.shape === "laplacian" ? 1 : 0;
  }

  /** Copies the quads with the rows from <= i < to to the arena. */
  load(rows: NodeRows, from = 0, to = rows.masses.length): LoadedRows {
    const { arena } = this.kernels;
    const [firstQuad, endQuad] = [from >>> 2, quadCount(to)];
    const values = arena.allocate(32 * rows.dimension * (endQuad - firstQuad));
    const masses = arena.allocate(32 * (endQuad - firstQuad));
    const length = 4 * rows.dimension;
    arena.f64.set(rows.values.subarray(firstQuad * length, endQuad * length), values >>> 3);
    arena.f64.set(rows.masses.subarray(4 * firstQuad, to), masses >>> 3);
    return { values, masses, firstRow: 4 * firstQuad };
  }

  /** Address of room for the sums of any `columns` columns side by side. */
  allocateSums(columns: number): number {
    return this.kernels.arena.allocate(32 * (quadCount(columns) + 1));
  }

  /**
   * Σ_i mass_i k(x_i, y_c) over the rows xFrom <= i < xTo, for the columns yFrom <= c < yTo. Gives the place of column yFrom among the
   * arena's numbers; the others follow.
   */
  sum(
    x: LoadedRows,
    xFrom: number,
    xTo: number,
    y: LoadedRows,
    yFrom: number,
    yTo: number,
    out: number,
  ): number {
    const firstQuad = (yFrom - y.firstRow) >>> 2;
    this.kernels.gaussianSums(
      this.laplacian,
      this.dimension,
      x.values,
      xFrom - x.firstRow,
      xTo - xFrom,
      x.masses + 8 * (xFrom - x.firstRow),
      y.values + 32 * this.dimension * firstQuad,
      quadCount(yTo - y.firstRow) - firstQuad,
      this.scale,
      out,
    );
    return (out >>> 3) + ((yFrom - y.firstRow) & 3);
  }

  /** Σ_c mass_c · (the sum of column c), the columns' sums lying from `place` on. */
  weigh(y: LoadedRows, yFrom: number, yTo: number, place: number): number {
    const { f64 } = this.kernels.arena;
    const masses = (y.masses >>> 3) + yFrom - y.firstRow;
    let total = 0;
    for (let c = 0; c < yTo - yFrom; c++) total += f64[masses + c] * f64[place + c];
    return total;
  }

  get numbers(): Float64Array {
    return this.kernels.arena.f64;
  }

  mark(): number {
    return this.kernels.arena.mark();
  }

  release(mark: number): void {
    this.kernels.arena.release(mark);
  }
}
