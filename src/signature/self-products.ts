/**
 * ‖μ_G‖² = Σ_c mass_c Σ_i mass_i k(x_i, x_c) for every graph of a range: (rows of the graph)² kernel values each.
 *
 *   whole  in the order of the exact inner products, so that a graph and its copy have exactly the same number (kernel/exact-mmd.ts)
 *   half   each pair of rows once, about half the cost; differs from the whole by rounding
 */
import type { Task } from "../compute/executor.js";
import type { Kernels } from "../compute/kernels.js";
import { type NodeKernel, NodeKernelSums } from "./node-kernel.js";
import type { GraphRange } from "./node-rows.js";

export interface SelfProductInput {
  node: NodeKernel;
  range: GraphRange;
  order: "whole" | "half";
}

/** Columns that are summed together in the half order. */
const CHUNK = 64;

export function selfProducts(kernels: Kernels, { node, range, order }: SelfProductInput): Float64Array {
  const { rows, from, to } = range;
  const sums = new NodeKernelSums(kernels, node, rows.dimension);
  const out = new Float64Array(to - from);
  for (let g = from; g < to; g++) {
    const [begin, end] = [rows.offsets[g], rows.offsets[g + 1]];
    const mark = sums.mark();
    const x = sums.load(rows, begin, end);
    const room = sums.allocateSums(end - begin);
    const product = (xFrom: number, xTo: number, yFrom: number, yTo: number) =>
      sums.weigh(x, yFrom, yTo, sums.sum(x, xFrom, xTo, x, yFrom, yTo, room));
    if (order === "whole") out[g - from] = product(begin, end, begin, end);
    else
      for (let first = begin; first < end; first += CHUNK) {
        const last = Math.min(end, first + CHUNK);
        out[g - from] += 2 * product(begin, first, first, last) + product(first, last, first, last);
      }
    sums.release(mark);
  }
  return out;
}

export const selfProductTask: Task<SelfProductInput, Float64Array> = {
  name: "self-products",
  run: ({ kernels }, input) => selfProducts(kernels, input),
  transfer: (out) => [out.buffer as ArrayBuffer],
};
