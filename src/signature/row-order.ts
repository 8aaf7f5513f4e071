/**
 * The rows of a graph in an order of their own: sorted along the number that varies most among them. Rows that are near then lie
 * together, and those that are equal side by side. O(rows · (dimension + log rows)).
 */
import { allocateNodeRows, copyRow, graphCount, isShared, type NodeRows } from "./node-rows.js";

/** The rows from <= i < to, sorted; rows whose numbers there agree to 30 bits of the range or more keep their order. */
export function sortedRows(rows: NodeRows, from = 0, to = rows.masses.length): Uint32Array {
  const { values, dimension } = rows;
  const count = to - from;
  const order = new Uint32Array(count);
  let widest = 0;
  let least = 0;
  let range = 0;
  for (let k = 0; k < dimension; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = from; i < to; i++) {
      const x = values[4 * (dimension * (i >>> 2) + k) + (i & 3)];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (high - low > range) {
      widest = k;
      least = low;
      range = high - low;
    }
  }
  // one integer of at most 53 bits for place and row, so that they are sorted as plain numbers
  const places = 2 ** (20 + Math.clz32(count));
  const keys = new Float64Array(count);
  for (let j = 0; j < count; j++) {
    const i = from + j;
    const share = (values[4 * (dimension * (i >>> 2) + widest) + (i & 3)] - least) / range;
    keys[j] = (share > 0 ? Math.floor(Math.min(share, 1) * (places - 1)) : 0) * count + j;
  }
  keys.sort();
  for (let j = 0; j < count; j++) order[j] = from + keys[j] - count * Math.floor(keys[j] / count);
  return order;
}

/**
 * The same graphs with sorted rows, those that agree to 1e-12 widths of the node kernel in every number made one: nodes that a symmetry
 * maps on each other without being twins, an eighth of all rows of REDDIT-BINARY. Mean embeddings move by less than 1e-12·√dimension.
 */
export function compactRows(rows: NodeRows, width: number): NodeRows {
  const { offsets, dimension } = rows;
  const kept = new Uint32Array(rows.masses.length);
  const masses = new Float64Array(rows.masses.length);
  const counts = new Uint32Array(graphCount(rows));
  let total = 0;
  for (let g = 0; g < counts.length; g++) {
    const first = total;
    for (const i of sortedRows(rows, offsets[g], offsets[g + 1])) {
      if (total > first && equal(rows, kept[total - 1], i, 1e-12 * width))
        masses[total - 1] += rows.masses[i];
      else {
        kept[total] = i;
        masses[total++] = rows.masses[i];
      }
    }
    counts[g] = total - first;
  }
  const compact = allocateNodeRows(counts, dimension, isShared(rows));
  for (let j = 0; j < total; j++) copyRow(rows, kept[j], compact, j);
  compact.masses.set(masses.subarray(0, total));
  return compact;
}

function equal({ values, dimension }: NodeRows, i: number, j: number, within: number): boolean {
  let p = 4 * dimension * (i >>> 2) + (i & 3);
  let q = 4 * dimension * (j >>> 2) + (j & 3);
  for (let k = 0; k < dimension; k++, p += 4, q += 4)
    if (!(Math.abs(values[p] - values[q]) <= within)) return false;
  return true;
}
