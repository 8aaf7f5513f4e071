/**
 * The quotient of a large graph laid out in linear memory for rowsStep (assembly/row-steps.ts), to be shared by several threads.
 *
 * Without weights only the pattern of the entries is stored (4 bytes each) with three numbers a row: scale 2r², loop 2·Q_pp and
 * mass 1/r², r = √(c/d). A row without neighbours and loops has scale 0 and mass 1. With weights the doubled values stand beside
 * the pattern. Row chunks of about equal work, whose number depends on the matrix alone, are the units of threads: sums run inside
 * a chunk and then over the chunks in order, so they are the same for any number of threads.
 */
import type { Arena } from "../compute/arena.js";
import type { Graph } from "../graph/graph.js";
import type { TwinClasses } from "../graph/twins.js";
import { degreeOf } from "./motif-filter.js";
import { QuotientBuilder } from "./quotient.js";

export interface RowOperator {
  rows: number;
  entries: number;
  /** Byte addresses; values is 0 for a pattern, then scale, loop and mass are used. */
  offsets: number;
  targets: number;
  values: number;
  scale: number;
  loop: number;
  mass: number;
  /** Values, scale and loop once more in single precision, where asked for; else null. */
  single: { values: number; scale: number; loop: number } | null;
  /** Chunk c holds the rows chunks[c] to chunks[c + 1]. */
  chunks: Uint32Array;
  /** √(c/d) of a row, 1 with values: what a start vector is multiplied by. */
  roots: Float64Array;
  /** The eigenvalue of each class's own c − 1 eigenvectors. */
  spikes: Float64Array;
}

const MAX_CHUNKS = 64;
const ROWS_A_CHUNK = 512;

/** Bytes that the operator will need, before it is made. */
export function operatorBytes(graph: Graph, classes: number): number {
  const entries = graph.targets.length + (graph.weights === null ? 0 : classes);
  return 4 * (classes + 1) + entries * (graph.weights === null ? 4 : 12) + 24 * classes + 1024;
}

export function layOut(
  graph: Graph,
  twins: TwinClasses,
  selfLoops: boolean,
  arena: Arena,
  single = false,
): RowOperator {
  const operator =
    graph.weights === null
      ? pattern(graph, twins, selfLoops, arena)
      : weighted(graph, twins, selfLoops, arena);
  if (single) operator.single = inSingle(operator, arena);
  return operator;
}

function inSingle({ rows, entries, values, scale, loop }: RowOperator, arena: Arena): RowOperator["single"] {
  const halve = (from: number, count: number) => {
    if (from === 0) return 0;
    const to = arena.allocate(4 * count);
    new Float32Array(arena.f64.buffer, to, count).set(arena.f64.subarray(from / 8, from / 8 + count));
    return to;
  };
  return { values: halve(values, entries), scale: halve(scale, rows), loop: halve(loop, rows) };
}

function pattern(graph: Graph, twins: TwinClasses, selfLoops: boolean, arena: Arena): RowOperator {
  const { count, classOf, representative, size, selfWeight, mutualWeight } = twins;
  const offsets = arena.allocate(4 * (count + 1));
  const scale = arena.allocate(8 * count);
  const loop = arena.allocate(8 * count);
  const mass = arena.allocate(8 * count);
  const targets = arena.allocate(4 * graph.targets.length);
  const { f64, u32 } = arena;
  const roots = new Float64Array(count);
  const spikes = new Float64Array(count);
  const target0 = targets / 4;
  let filled = 0;
  u32[offsets / 4] = 0;
  for (let p = 0; p < count; p++) {
    const i = representative[p];
    const degree = degreeOf(graph, i, selfLoops);
    const c = size[p];
    const r2 = degree > 0 ? c / degree : 0;
    for (let k = graph.offsets[i]; k < graph.offsets[i + 1]; k++) {
      const j = graph.targets[k];
      const q = classOf[j];
      if (q !== p && representative[q] === j) u32[target0 + filled++] = q;
    }
    u32[offsets / 4 + p + 1] = filled;
    f64[scale / 8 + p] = 2 * r2;
    f64[loop / 8 + p] = degree > 0 ? (2 * (selfWeight[p] + (c - 1) * mutualWeight[p])) / degree : 0;
    f64[mass / 8 + p] = r2 > 0 ? 1 / r2 : 1;
    roots[p] = r2 > 0 ? Math.sqrt(r2) : 1;
    spikes[p] = c > 1 && degree > 0 ? (selfWeight[p] - mutualWeight[p]) / degree : 0;
  }
  const chunks = chunkRows(u32, offsets / 4, count);
  return {
    rows: count,
    entries: filled,
    offsets,
    targets,
    values: 0,
    scale,
    loop,
    mass,
    single: null,
    chunks,
    roots,
    spikes,
  };
}

function weighted(graph: Graph, twins: TwinClasses, selfLoops: boolean, arena: Arena): RowOperator {
  const quotient = new QuotientBuilder().build(graph, twins, selfLoops);
  const { count } = quotient;
  const entries = quotient.offsets[count];
  const offsets = arena.allocate(4 * (count + 1));
  const targets = arena.allocate(4 * entries);
  const values = arena.allocate(8 * entries);
  const { f64, u32 } = arena;
  u32.set(quotient.offsets.subarray(0, count + 1), offsets / 4);
  u32.set(quotient.targets.subarray(0, entries), targets / 4);
  for (let e = 0; e < entries; e++) f64[values / 8 + e] = 2 * quotient.values[e];
  return {
    rows: count,
    entries,
    offsets,
    targets,
    values,
    scale: 0,
    loop: 0,
    mass: 0,
    single: null,
    chunks: chunkRows(u32, offsets / 4, count),
    roots: new Float64Array(count).fill(1),
    spikes: quotient.spikes.slice(0, count),
  };
}

/** Cuts the rows into chunks of about equal entries + rows. */
function chunkRows(u32: Uint32Array, offset0: number, rows: number): Uint32Array {
  const count = Math.max(1, Math.min(MAX_CHUNKS, Math.ceil(rows / ROWS_A_CHUNK)));
  const total = u32[offset0 + rows] + 4 * rows;
  const chunks = new Uint32Array(count + 1);
  let c = 1;
  for (let i = 0; i < rows && c < count; i++)
    if (u32[offset0 + i + 1] + 4 * (i + 1) >= (total * c) / count) chunks[c++] = i + 1;
  chunks.fill(rows, c);
  return chunks;
}
