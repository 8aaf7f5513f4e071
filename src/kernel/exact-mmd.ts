/**
 * Inner products of mean embeddings by exact sums over all pairs of weighted rows, the oracle of every other way:
 *
 *   ⟨μ_G, μ_H⟩ = Σ_c mass_c Σ_i mass_i k(x_i, y_c),   MMD²(G, H) = ⟨μ_G, μ_G⟩ + ⟨μ_H, μ_H⟩ − 2⟨μ_G, μ_H⟩.
 *
 * Cost: (rows of G) × (rows of H) kernel values. Twins share a row, so that is far less than (nodes of G) × (nodes of H).
 *
 * The inner sum is always over the graph whose order key is smaller (node-rows.ts). A pair's value is therefore the same, to the
 * bit, in any tile, in any order of the graphs and from either side.
 */
import type { Task } from "../compute/executor.js";
import type { Kernels } from "../compute/kernels.js";
import { type LoadedRows, type NodeKernel, NodeKernelSums } from "../signature/node-kernel.js";
import { type GraphRange, selectGraphs } from "../signature/node-rows.js";

export interface ExactTile {
  node: NodeKernel;
  a: GraphRange;
  /** orderKeys of the graphs of the range. */
  aKeys: Float64Array;
  /** Null: the same graphs as a; the pairs are then computed once. */
  b: GraphRange | null;
  bKeys: Float64Array | null;
}

interface Side {
  /** Places in the range in ascending order of keys, and the keys in that order. */
  order: number[];
  keys: number[];
  offsets: Uint32Array;
  loaded: LoadedRows;
}

/** ⟨μ_G, μ_H⟩ for G in a and H in b, row-major, (graphs of a) × (graphs of b). */
export function exactProducts(kernels: Kernels, tile: ExactTile): Float64Array {
  const { a, b } = tile;
  const sums = new NodeKernelSums(kernels, tile.node, a.rows.dimension);
  const mark = sums.mark();
  const first = loadSide(sums, a, tile.aKeys);
  const second = b === null ? first : loadSide(sums, b, tile.bKeys!);
  const width = second.order.length;
  const products = new Float64Array(first.order.length * width);
  const room = sums.allocateSums(
    Math.max(first.offsets[first.order.length], second.offsets[second.order.length]),
  );
  oneWay(sums, first, second, room, false, (i, j, value) => {
    products[i * width + j] = value;
    if (b === null) products[j * width + i] = value;
  });
  if (b !== null)
    oneWay(sums, second, first, room, true, (j, i, value) => {
      products[i * width + j] = value;
    });
  sums.release(mark);
  return products;
}

function loadSide(sums: NodeKernelSums, { rows, from, to }: GraphRange, keys: Float64Array): Side {
  const order = Array.from({ length: to - from }, (_, k) => k);
  order.sort((i, j) => keys[i] - keys[j] || i - j);
  const sorted = selectGraphs(
    rows,
    order.map((k) => from + k),
  );
  return { order, keys: order.map((k) => keys[k]), offsets: sorted.offsets, loaded: sums.load(sorted) };
}

/** Every x against the y whose key is not smaller than its own, or is greater. */
function oneWay(
  sums: NodeKernelSums,
  x: Side,
  y: Side,
  room: number,
  greater: boolean,
  visit: (xPlace: number, yPlace: number, value: number) => void,
): void {
  const count = y.order.length;
  const end = y.offsets[count];
  for (let g = 0, h = 0; g < x.order.length; g++) {
    const key = x.keys[g];
    while (h < count && (greater ? y.keys[h] <= key : y.keys[h] < key)) h++;
    const from = y.offsets[h];
    const place = sums.sum(x.loaded, x.offsets[g], x.offsets[g + 1], y.loaded, from, end, room);
    for (let k = h; k < count; k++)
      visit(
        x.order[g],
        y.order[k],
        sums.weigh(y.loaded, y.offsets[k], y.offsets[k + 1], place + y.offsets[k] - from),
      );
  }
}

export const exactTask: Task<ExactTile, Float64Array> = {
  name: "exact-products",
  run: ({ kernels }, tile) => exactProducts(kernels, tile),
  transfer: (out) => [out.buffer as ArrayBuffer],
};
