/**
 * Colour refinement (one-dimensional Weisfeiler-Leman) on the quotient of a graph by its twins, as an ordered partition.
 *
 * Nodes start in cells by what their class is (size, self-weight, mutual weight, label when respected) and the size of its component. A cell taken as splitter
 * splits every other by the multiset of weights to it, until no cell splits another. Cells stand in an order that depends on
 * structure alone, never on node numbers, and a trace of all splits is kept as a hash: equal traces are necessary for an
 * isomorphism that takes cell to cell, and prove nothing. The quotient loses nothing (sizes and weights rebuild the graph) and
 * takes away cliques and bunches of leaves, on which searches waste their time.
 *
 * Of the pieces of a cell the largest need not be a splitter, for sums of weights are additive (Hopcroft 1971; Cardon, Crochemore
 * 1982): O(entries · log classes) in all, and a path of n nodes does not cost n rounds.
 */
import type { Graph } from "./graph.js";
import { mix32, mixNumber } from "./mixing.js";
import type { TwinFinder } from "./twins.js";

/** The quotient: one node a twin class, in compressed sparse rows; weights within a class stand apart. */
export interface TwinQuotient {
  count: number;
  offsets: Uint32Array;
  targets: Uint32Array;
  /** Parallel to targets; null when every weight is 1. */
  weights: Float64Array | null;
  /** Hashes of the weights, parallel to targets. */
  weightHash: Int32Array | null;
  size: Uint32Array;
  selfWeight: Float64Array;
  mutualWeight: Float64Array;
  /** Label of the members, null when labels are ignored. */
  labels: Int32Array | null;
}

/** Quotient by the classes that `twins` finds. O(nodes + edges). */
export function twinQuotient(graph: Graph, twins: TwinFinder, respectLabels: boolean): TwinQuotient {
  const { count, classOf, representative } = twins.find(graph);
  const { offsets: rows, targets: columns, weights } = graph;
  const offsets = new Uint32Array(count + 1);
  // a class appears in a row through its representative, once; class numbers ascend with representatives
  const appears = (p: number, k: number) => classOf[k] !== p && representative[classOf[k]] === k;
  for (let p = 0; p < count; p++) {
    const r = representative[p];
    let entries = 0;
    for (let k = rows[r]; k < rows[r + 1]; k++) if (appears(p, columns[k])) entries++;
    offsets[p + 1] = offsets[p] + entries;
  }
  const targets = new Uint32Array(offsets[count]);
  const kept = weights === null ? null : new Float64Array(offsets[count]);
  for (let p = 0, at = 0; p < count; p++) {
    const r = representative[p];
    for (let k = rows[r]; k < rows[r + 1]; k++) {
      if (!appears(p, columns[k])) continue;
      targets[at] = classOf[columns[k]];
      if (kept !== null) kept[at] = weights![k];
      at++;
    }
  }
  const labels = respectLabels ? graph.labels : null;
  const different = kept?.every((w) => w === 1) ? null : kept;
  return {
    count,
    offsets,
    targets,
    weights: different,
    weightHash: different && Int32Array.from(different, mixNumber),
    size: twins.size.slice(0, count),
    selfWeight: twins.selfWeight.slice(0, count),
    mutualWeight: twins.mutualWeight.slice(0, count),
    labels: labels && Int32Array.from(representative.subarray(0, count), (r) => labels[r]),
  };
}

/** An ordered partition of the classes: cells are ranges of `order`, and a cell is known by where it starts. */
export interface Partition {
  order: Uint32Array;
  /** Where each class stands in `order`. */
  place: Uint32Array;
  /** Start of the cell of each class. */
  cell: Uint32Array;
  /** Length of the cell that starts here. */
  length: Uint32Array;
  cells: number;
}

export const copyPartition = ({ order, place, cell, length, cells }: Partition): Partition => ({
  ...{ order: order.slice(), place: place.slice(), cell: cell.slice(), length: length.slice(), cells },
});

/** Counts the row entries that searches visit, so that hard cases end. */
export interface WorkMeter {
  left: number;
}

/** A hash of the splits: the same for isomorphic graphs. */
export interface Trace {
  first: number;
  second: number;
}

export const sameTrace = (s: Trace, t: Trace) => s.first === t.first && s.second === t.second;

/** Refines partitions in place, in working memory that is kept between calls. */
export class Refiner {
  /** Sums of hashes of the weights to the splitter. */
  private first = new Int32Array(0);
  private second = new Int32Array(0);
  /** Touched classes of each cell, by its start, and 1 for cells that wait to be splitters. */
  private touched: number[][] = [];
  private waiting = new Uint8Array(0);
  /** 1 for touched classes. */
  private mark = new Uint8Array(0);

  /** Cells of classes that look alike by themselves, refined to the end. */
  start(quotient: TwinQuotient): { partition: Partition; trace: Trace } {
    const { count } = quotient;
    const [first, second] = ownColours(quotient);
    const order = Uint32Array.from({ length: count }, (_, p) => p).sort(
      (p, q) => first[p] - first[q] || second[p] - second[q],
    );
    const partition: Partition = {
      ...{ order, place: new Uint32Array(count), cell: new Uint32Array(count) },
      ...{ length: new Uint32Array(count), cells: 0 },
    };
    const queue: number[] = [];
    const trace = { first: count, second: quotient.targets.length };
    for (let k = 0, start = 0; k < count; k++) {
      const [p, before] = [order[k], order[start]];
      if (k === 0 || first[p] !== first[before] || second[p] !== second[before]) {
        start = k;
        queue.push(k);
        partition.cells++;
        note(trace, first[p], second[p]);
      }
      partition.place[p] = k;
      partition.cell[p] = start;
      partition.length[start]++;
    }
    for (const start of queue) note(trace, start, partition.length[start]);
    return { partition, trace: this.refine(quotient, partition, queue, trace) };
  }

  /** Gives class p a cell of its own behind the rest of its cell, and refines. */
  individualise(quotient: TwinQuotient, partition: Partition, p: number, meter: WorkMeter): Trace {
    const { order, place, cell, length } = partition;
    const start = cell[p];
    const own = start + length[start] - 1;
    swap(order, place, place[p], own);
    cell[p] = own;
    length[own] = 1;
    length[start]--;
    partition.cells++;
    return this.refine(quotient, partition, [own], { first: own, second: start }, meter);
  }

  private refine(
    quotient: TwinQuotient,
    partition: Partition,
    queue: number[],
    trace: Trace,
    meter: WorkMeter = { left: Number.POSITIVE_INFINITY },
  ): Trace {
    const { count, offsets, targets, weightHash } = quotient;
    const { order, cell, length } = partition;
    if (this.first.length < count) {
      this.first = new Int32Array(count);
      this.second = new Int32Array(count);
      this.waiting = new Uint8Array(count);
      this.mark = new Uint8Array(count);
    }
    while (this.touched.length < count) this.touched.push([]);
    const { first, second, touched, waiting, mark } = this;
    for (const start of queue) waiting[start] = 1;
    for (let next = 0; next < queue.length; next++) {
      const splitter = queue[next];
      waiting[splitter] = 0;
      if (partition.cells === count || meter.left <= 0) continue;
      const end = splitter + length[splitter];
      note(trace, splitter, length[splitter]);
      // sums of all classes next to the splitter, in lists by their cells
      const cells: number[] = [];
      for (let k = splitter; k < end; k++) {
        const s = order[k];
        meter.left -= 1 + offsets[s + 1] - offsets[s];
        for (let e = offsets[s]; e < offsets[s + 1]; e++) {
          const p = targets[e];
          if (mark[p] === 0) {
            mark[p] = 1;
            if (touched[cell[p]].length === 0) cells.push(cell[p]);
            touched[cell[p]].push(p);
          }
          first[p] = (first[p] + (weightHash === null ? 1 : weightHash[e])) | 0;
          if (weightHash !== null) second[p] = (second[p] + mix32(weightHash[e] ^ 0x6a09e667)) | 0;
        }
      }
      cells.sort((x, y) => x - y);
      for (const start of cells) {
        this.split(partition, start, queue, trace);
        for (const p of touched[start]) {
          first[p] = 0;
          second[p] = 0;
          mark[p] = 0;
        }
        touched[start].length = 0;
      }
    }
    note(trace, partition.cells, queue.length);
    return trace;
  }

  /** Splits a cell by the sums of its touched classes: those without any first, then by ascending sums. */
  private split(partition: Partition, start: number, queue: number[], trace: Trace): void {
    const { order, place, cell, length } = partition;
    const { first, second, waiting } = this;
    const whole = length[start];
    const some = this.touched[start].filter((p) => first[p] !== 0 || second[p] !== 0);
    if (some.length > 1) some.sort((p, q) => first[p] - first[q] || second[p] - second[q]);
    note(trace, start, some.length);
    const begin = start + whole - some.length;
    // the classes of `some` to the end of the cell, from behind, so that none is moved twice
    for (let k = some.length - 1; k >= 0; k--) swap(order, place, place[some[k]], begin + k);
    const pieces = begin > start ? [start] : [];
    for (let k = 0; k < some.length; k++) {
      const [p, before] = [some[k], some[k - 1]];
      if (k > 0 && first[p] === first[before] && second[p] === second[before]) continue;
      pieces.push(begin + k);
      note(trace, begin + k, first[p] ^ Math.imul(second[p], 0x85ebca6b));
    }
    if (pieces.length < 2) return;
    let largest = pieces[0];
    pieces.forEach((piece, k) => {
      const end = k + 1 < pieces.length ? pieces[k + 1] : start + whole;
      length[piece] = end - piece;
      if (length[piece] > length[largest]) largest = piece;
      // the first piece keeps its name
      if (piece > start) for (let i = piece; i < end; i++) cell[order[i]] = piece;
    });
    partition.cells += pieces.length - 1;
    const all = waiting[start] === 1;
    for (const piece of pieces) {
      if (waiting[piece] === 1 || (!all && piece === largest)) continue;
      waiting[piece] = 1;
      queue.push(piece);
    }
  }
}

/** Two hashes of what each class is by itself, and of the number of nodes of its component. */
function ownColours(quotient: TwinQuotient): [Int32Array, Int32Array] {
  const { count, size, selfWeight, mutualWeight, labels } = quotient;
  const [first, second] = [new Int32Array(count), new Int32Array(count)];
  const nodes = componentNodes(quotient);
  for (let p = 0; p < count; p++) {
    const own = mixNumber(selfWeight[p]) + Math.imul(mixNumber(mutualWeight[p]), 3);
    const label = (labels === null ? 0 : mix32(labels[p] + 0x2545f491)) ^ mix32(nodes[p]);
    first[p] = mix32(own + mix32(size[p] ^ label));
    second[p] = mix32(mix32(own ^ 0x6a09e667) + size[p] + Math.imul(label, 5));
  }
  return [first, second];
}

/** The number of nodes in the component of each class: refinement alone does not tell one cycle from two. O(classes + entries). */
function componentNodes({ count, offsets, targets, size }: TwinQuotient): Float64Array {
  const nodes = new Float64Array(count);
  const found = new Uint32Array(count);
  for (let root = 0; root < count; root++) {
    if (nodes[root] > 0) continue;
    let [end, sum] = [1, 0];
    found[0] = root;
    nodes[root] = 1;
    for (let k = 0; k < end; k++) {
      const p = found[k];
      sum += size[p];
      for (let e = offsets[p]; e < offsets[p + 1]; e++) {
        if (nodes[targets[e]] > 0) continue;
        nodes[targets[e]] = 1;
        found[end++] = targets[e];
      }
    }
    for (let k = 0; k < end; k++) nodes[found[k]] = sum;
  }
  return nodes;
}

function note(trace: Trace, a: number, b: number): void {
  trace.first = mix32(Math.imul(trace.first, 0x9e3779b1) ^ mix32(a + 0x3c6ef372) ^ b);
  trace.second = mix32(Math.imul(trace.second, 0x85ebca6b) + mix32(b ^ 0x2545f491) + a);
}

function swap(order: Uint32Array, place: Uint32Array, i: number, j: number): void {
  const [p, q] = [order[i], order[j]];
  order[i] = q;
  order[j] = p;
  place[p] = j;
  place[q] = i;
}
