/**
 * NodeRows: the nodes of many graphs as weighted rows of numbers, packed for the node kernel.
 *
 * Graph g has the rows offsets[g] <= i < offsets[g+1]; masses are (nodes that the row stands for) / (nodes of the graph), so that they
 * sum to 1 in a graph; a graph without nodes has no rows. Rows are packed in quads: number k of row i at
 * 4·dimension·⌊i/4⌋ + 4k + (i mod 4); the last quad is filled up with zeros.
 */
export interface NodeRows {
  dimension: number;
  /** Graphs + 1 row numbers. */
  offsets: Uint32Array;
  masses: Float64Array;
  values: Float64Array;
}

export const quadCount = (rows: number) => (rows + 3) >>> 2;

/** Zeroed rows of graphs with so many rows each. With `shared`, on SharedArrayBuffers. */
export function allocateNodeRows(rowCounts: ArrayLike<number>, dimension: number, shared = false): NodeRows {
  const offsets = new Uint32Array(numbers(4 * (rowCounts.length + 1), shared));
  for (let g = 0; g < rowCounts.length; g++) offsets[g + 1] = offsets[g] + rowCounts[g];
  const rows = offsets[rowCounts.length];
  return {
    dimension,
    offsets,
    masses: new Float64Array(numbers(8 * rows, shared)),
    values: new Float64Array(numbers(32 * dimension * quadCount(rows), shared)),
  };
}

export const numbers = (bytes: number, shared: boolean) =>
  shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);

export function graphCount(rows: NodeRows): number {
  return rows.offsets.length - 1;
}

/** Row i := row-major numbers source[at .. at + dimension). */
export function setRow(rows: NodeRows, i: number, source: ArrayLike<number>, at = 0): void {
  const { values, dimension } = rows;
  let place = 4 * dimension * (i >>> 2) + (i & 3);
  for (let k = 0; k < dimension; k++, place += 4) values[place] = source[at + k];
}

/** The numbers of row i, in `out`. */
export function getRow(rows: NodeRows, i: number, out = new Float64Array(rows.dimension)): Float64Array {
  const { values, dimension } = rows;
  let place = 4 * dimension * (i >>> 2) + (i & 3);
  for (let k = 0; k < dimension; k++, place += 4) out[k] = values[place];
  return out;
}

/** Row j of `to` := row i of `from`, its mass included. */
export function copyRow(from: NodeRows, i: number, to: NodeRows, j: number): void {
  const { dimension } = from;
  let source = 4 * dimension * (i >>> 2) + (i & 3);
  let place = 4 * dimension * (j >>> 2) + (j & 3);
  for (let k = 0; k < dimension; k++, source += 4, place += 4) to.values[place] = from.values[source];
  to.masses[j] = from.masses[i];
}

/** A pack of its own with the graphs at `graphs`, in that order. */
export function selectGraphs(rows: NodeRows, graphs: ArrayLike<number>): NodeRows {
  const { offsets } = rows;
  const counts = Array.from({ length: graphs.length }, (_, k) => offsets[graphs[k] + 1] - offsets[graphs[k]]);
  const selected = allocateNodeRows(counts, rows.dimension);
  for (let k = 0, j = 0; k < graphs.length; k++)
    for (let i = offsets[graphs[k]]; i < offsets[graphs[k] + 1]; i++) copyRow(rows, i, selected, j++);
  return selected;
}

/** A pack of its own with the rows at `indices` as one graph. */
export function selectRows(rows: NodeRows, indices: ArrayLike<number>): NodeRows {
  const selected = allocateNodeRows([indices.length], rows.dimension);
  for (let j = 0; j < indices.length; j++) copyRow(rows, indices[j], selected, j);
  return selected;
}

/** A pack of its own with the graphs from <= g < to. */
export function sliceGraphs(rows: NodeRows, from: number, to: number): NodeRows {
  return selectGraphs(
    rows,
    Array.from({ length: to - from }, (_, k) => from + k),
  );
}

/**
 * A number that depends on a graph's rows alone: graphs with more rows come first, equal counts are told apart by a hash (FNV-1a, 32
 * bits) of their numbers and masses. It fixes, whatever the order of the graphs, which of two is summed over first.
 */
export function orderKeys(rows: NodeRows): Float64Array {
  const { offsets, dimension, masses } = rows;
  const keys = new Float64Array(graphCount(rows));
  const row = new Float64Array(dimension + 1);
  const numbersOfRow = row.subarray(0, dimension);
  const words = new Uint32Array(row.buffer);
  for (let g = 0; g < keys.length; g++) {
    let hash = 0x811c9dc5;
    for (let i = offsets[g]; i < offsets[g + 1]; i++) {
      getRow(rows, i, numbersOfRow);
      row[dimension] = masses[i];
      for (let k = 0; k < words.length; k++) hash = Math.imul(hash ^ words[k], 0x01000193);
    }
    keys[g] = offsets[g] - offsets[g + 1] + (hash >>> 0) / 4294967296;
  }
  return keys;
}

/** Whether workers can read the rows without a copy. */
export const isShared = (rows: NodeRows) => onSharedMemory(rows.values);

export function onSharedMemory(array: Float64Array): boolean {
  return typeof SharedArrayBuffer === "function" && array.buffer instanceof SharedArrayBuffer;
}

/** What to hand to a worker for array[from .. to): a view of shared memory, else a copy. */
export function part(array: Float64Array, from: number, to: number): Float64Array {
  return onSharedMemory(array) ? array.subarray(from, to) : array.slice(from, to);
}

/** What to hand to a worker for the graphs from <= g < to: shared memory as it is, else a copy of those graphs alone. */
export interface GraphRange {
  rows: NodeRows;
  from: number;
  to: number;
}

export function graphRange(rows: NodeRows, from: number, to: number): GraphRange {
  return isShared(rows) ? { rows, from, to } : { rows: sliceGraphs(rows, from, to), from: 0, to: to - from };
}

/** Cuts the graphs into ranges of about `rowsEach` rows: [0, …, graphs]. */
export function cutByRows(rows: NodeRows, rowsEach: number): number[] {
  const { offsets } = rows;
  const cuts = [0];
  for (let g = 1; g < graphCount(rows); g++)
    if (offsets[g] - offsets[cuts[cuts.length - 1]] >= rowsEach) cuts.push(g);
  if (graphCount(rows) > 0) cuts.push(graphCount(rows));
  return cuts;
}
