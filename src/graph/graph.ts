/**
 * Graph: undirected, weighted or not, in compressed sparse rows. Nothing else is called a graph here.
 *
 * Row i holds the neighbours of node i, ascending, each once: targets[offsets[i] .. offsets[i+1]). An edge {i, j} stands in
 * row i and in row j; a self-loop {i, i} stands once in row i, is one edge, and counts its weight once in the degree
 * (A_ii = weight). Without weights every entry is 1. Isolated nodes have empty rows. Labels (one integer a node) and
 * attributes (a row of numbers a node) are carried along.
 *
 * All of it is one run of bytes, alone in a buffer or side by side with others (pack.ts), so that saving, loading and posting to
 * a worker are the same act:
 *
 *   bytes 0..3   magic "GDOS"            16..23  entries (float64): the length of targets
 *   bytes 4..7   version                 24..27  attribute dimension
 *   bytes 8..11  flags (see below)       28..31  self-loop count
 *   bytes 12..15 node count              then, each 8-byte aligned: offsets (uint32), targets (uint32),
 *                                        weights (float64), labels (int32), attributes (float64)
 */
import { badData, GraphdosError } from "../base/errors.js";

const MAGIC = 0x534f4447; // "GDOS", little-endian
const VERSION = 1;
const HEADER_BYTES = 32;
const WEIGHTED = 1;
const LABELLED = 2;

/** The most nodes a graph may have: node numbers fit in 31 bits. */
export const MAX_NODES = 2 ** 31 - 1;

/** The most entries of its rows: offsets are 32-bit numbers. */
export const MAX_ENTRIES = 2 ** 32 - 1;

export interface GraphShape {
  nodeCount: number;
  /** Length of `targets`: twice the edges, self-loops once. */
  entryCount: number;
  selfLoopCount: number;
  weighted: boolean;
  labelled: boolean;
  attributeDimension: number;
}

const isCount = (value: number, most: number) => Number.isInteger(value) && value >= 0 && value <= most;

/** Whether offsets and node numbers can hold such a graph. */
const isPossible = ({ nodeCount, entryCount, selfLoopCount, attributeDimension }: GraphShape) =>
  isCount(nodeCount, MAX_NODES) &&
  isCount(entryCount, MAX_ENTRIES) &&
  isCount(selfLoopCount, Math.min(nodeCount, entryCount)) &&
  isCount(attributeDimension, MAX_ENTRIES);

const align8 = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** Byte positions of the parts for a shape; `end` is the size of the buffer. */
function layout(shape: GraphShape) {
  const offsets = HEADER_BYTES;
  const targets = offsets + align8(4 * (shape.nodeCount + 1));
  const weights = targets + align8(4 * shape.entryCount);
  const labels = weights + (shape.weighted ? 8 * shape.entryCount : 0);
  const attributes = labels + (shape.labelled ? align8(4 * shape.nodeCount) : 0);
  return {
    offsets,
    targets,
    weights,
    labels,
    attributes,
    end: attributes + 8 * shape.nodeCount * shape.attributeDimension,
  };
}

/** Kept for the next graph up to this many numbers: thousands of small graphs are checked one after another. */
const MOST_SCRATCH = 2 ** 20;
let kept = new Uint32Array(0);

/** At least so many numbers, not cleared, for who gives way to nobody while it uses them. */
function scratch(length: number): Uint32Array {
  if (length <= kept.length) return kept;
  const numbers = new Uint32Array(Math.max(length, 2 * kept.length));
  if (numbers.length <= MOST_SCRATCH) kept = numbers;
  return numbers;
}

export class Graph {
  readonly nodeCount: number;
  /** Edges counted once, self-loops included. */
  readonly edgeCount: number;
  readonly selfLoopCount: number;
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  /** Parallel to targets; null when every weight is 1. */
  readonly weights: Float64Array | null;
  /** One integer a node, or null. */
  readonly labels: Int32Array | null;
  /** nodeCount rows of attributeDimension numbers, or null. */
  readonly attributes: Float64Array | null;
  readonly attributeDimension: number;
  readonly byteLength: number;

  private constructor(
    readonly buffer: ArrayBufferLike,
    /** Where in the buffer the graph starts: graphs may lie side by side. */
    readonly byteOffset: number,
    shape: GraphShape,
  ) {
    const at = layout(shape);
    this.byteLength = at.end;
    const { nodeCount, entryCount } = shape;
    this.nodeCount = nodeCount;
    this.selfLoopCount = shape.selfLoopCount;
    this.edgeCount = (entryCount + shape.selfLoopCount) / 2;
    this.attributeDimension = shape.attributeDimension;
    this.offsets = new Uint32Array(buffer, byteOffset + at.offsets, nodeCount + 1);
    this.targets = new Uint32Array(buffer, byteOffset + at.targets, entryCount);
    this.weights = shape.weighted ? new Float64Array(buffer, byteOffset + at.weights, entryCount) : null;
    this.labels = shape.labelled ? new Int32Array(buffer, byteOffset + at.labels, nodeCount) : null;
    this.attributes =
      shape.attributeDimension > 0
        ? new Float64Array(buffer, byteOffset + at.attributes, nodeCount * shape.attributeDimension)
        : null;
  }

  /** A graph with its arrays zeroed, for a builder to fill. With `shared`, on a SharedArrayBuffer. */
  static allocate(shape: GraphShape, shared = false): Graph {
    const { nodeCount, entryCount, selfLoopCount } = shape;
    if (!isPossible(shape))
      throw badData(
        `graph: got ${nodeCount} nodes, ${entryCount} adjacency entries and ${selfLoopCount} self-loops, expected at most ${MAX_NODES} nodes and ${MAX_ENTRIES} entries, a self-loop being one`,
      );
    const { end } = layout(shape);
    let buffer: ArrayBuffer | SharedArrayBuffer;
    try {
      buffer = shared ? new SharedArrayBuffer(end) : new ArrayBuffer(end);
    } catch (error) {
      throw new GraphdosError(
        "limit",
        `graph: ${nodeCount} nodes and ${entryCount} adjacency entries take ${end} bytes, which cannot be had in one piece`,
        { cause: error },
      );
    }
    const header = new DataView(buffer);
    header.setUint32(0, MAGIC, true);
    header.setUint32(4, VERSION, true);
    header.setUint32(8, (shape.weighted ? WEIGHTED : 0) | (shape.labelled ? LABELLED : 0), true);
    header.setUint32(12, shape.nodeCount, true);
    header.setFloat64(16, shape.entryCount, true);
    header.setUint32(24, shape.attributeDimension, true);
    header.setUint32(28, shape.selfLoopCount, true);
    return new Graph(buffer, 0, shape);
  }

  /** The graph at a place in a buffer: no copy. Checks header and size; call validate() on untrusted bytes. */
  static fromBuffer(
    buffer: ArrayBufferLike,
    where = "graph buffer",
    byteOffset = 0,
    byteLength = buffer.byteLength - byteOffset,
  ): Graph {
    if (byteOffset % 8 !== 0 || byteLength < HEADER_BYTES || byteOffset + byteLength > buffer.byteLength)
      throw badData(`${where}: too short for a graph: ${byteLength} bytes`);
    const header = new DataView(buffer, byteOffset, HEADER_BYTES);
    if (header.getUint32(0, true) !== MAGIC)
      throw badData(`${where}: not a graph buffer: wrong magic number`);
    const version = header.getUint32(4, true);
    if (version !== VERSION) throw badData(`${where}: unknown version: got ${version}, expected ${VERSION}`);
    const flags = header.getUint32(8, true);
    const shape: GraphShape = {
      nodeCount: header.getUint32(12, true),
      entryCount: header.getFloat64(16, true),
      attributeDimension: header.getUint32(24, true),
      selfLoopCount: header.getUint32(28, true),
      weighted: (flags & WEIGHTED) !== 0,
      labelled: (flags & LABELLED) !== 0,
    };
    const expected = isPossible(shape) ? layout(shape).end : Number.NaN;
    if (expected !== byteLength)
      throw badData(`${where}: wrong size: got ${byteLength} bytes, its header describes ${expected}`);
    return new Graph(buffer, byteOffset, shape);
  }

  get shape(): GraphShape {
    return {
      nodeCount: this.nodeCount,
      entryCount: this.targets.length,
      selfLoopCount: this.selfLoopCount,
      weighted: this.weights !== null,
      labelled: this.labels !== null,
      attributeDimension: this.attributeDimension,
    };
  }

  /** Number of entries in row i: neighbours, the node itself included when it has a self-loop. */
  neighbourCount(i: number): number {
    return this.offsets[i + 1] - this.offsets[i];
  }

  /** Sum of the weights in row i: the degree in D. A self-loop counts once. */
  degree(i: number): number {
    const { offsets, weights } = this;
    if (weights === null) return offsets[i + 1] - offsets[i];
    let sum = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++) sum += weights[k];
    return sum;
  }

  degrees(): Float64Array {
    return Float64Array.from({ length: this.nodeCount }, (_, i) => this.degree(i));
  }

  /** Weight of the edge {i, j}, 0 when there is none. O(log degree). */
  weight(i: number, j: number): number {
    const { offsets, targets, weights } = this;
    let low = offsets[i];
    let high = offsets[i + 1];
    while (low < high) {
      const middle = low + ((high - low) >>> 1);
      if (targets[middle] < j) low = middle + 1;
      else high = middle;
    }
    if (low === offsets[i + 1] || targets[low] !== j) return 0;
    return weights === null ? 1 : weights[low];
  }

  /** Calls visit(i, j, weight) once for every edge, i <= j, in ascending order. */
  forEachEdge(visit: (i: number, j: number, weight: number) => void): void {
    const { offsets, targets, weights, nodeCount } = this;
    for (let i = 0; i < nodeCount; i++)
      for (let k = offsets[i]; k < offsets[i + 1]; k++)
        if (targets[k] >= i) visit(i, targets[k], weights === null ? 1 : weights[k]);
  }

  /**
   * Checks every invariant and throws a sentence for the first that is broken: offsets rise from 0 to the number of entries;
   * rows ascend without repeats and stay in range; every edge stands in both rows with one weight; weights are finite and
   * positive; self-loops are counted; attributes are finite. O(nodes + entries).
   */
  validate(where = "graph"): this {
    return this.isSound() ? this : this.checkOneByOne(where);
  }

  /** All invariants in one pass; which of them is broken, and where, is found by the slower checkOneByOne. */
  private isSound(): boolean {
    const { nodeCount, offsets, targets, weights, attributes } = this;
    if (offsets[0] !== 0 || offsets[nodeCount] !== targets.length) return false;
    for (let i = 0; i < nodeCount; i++) if (offsets[i + 1] < offsets[i]) return false;
    // see checkSymmetry
    const next = scratch(nodeCount);
    next.set(offsets.subarray(0, nodeCount));
    let loops = 0;
    for (let i = 0; i < nodeCount; i++) {
      const end = offsets[i + 1];
      let previous = -1;
      for (let k = offsets[i]; k < end; k++) {
        const j = targets[k];
        if (j <= previous || j >= nodeCount) return false;
        previous = j;
        const back = next[j]++;
        if (back >= offsets[j + 1] || targets[back] !== i) return false;
        if (j === i) loops++;
        if (weights !== null && !(weights[k] > 0 && weights[k] < Infinity && weights[k] === weights[back]))
          return false;
      }
    }
    return loops === this.selfLoopCount && (attributes?.every((value) => Number.isFinite(value)) ?? true);
  }

  private checkOneByOne(where: string): this {
    const { nodeCount, offsets, targets, weights, attributes } = this;
    const fail = (what: string) => badData(`${where}: ${what}`);
    if (offsets[0] !== 0) throw fail(`offsets must start at 0: got ${offsets[0]}`);
    if (offsets[nodeCount] !== targets.length)
      throw fail(
        `offsets must end at the number of entries: got ${offsets[nodeCount]}, expected ${targets.length}`,
      );
    for (let i = 0; i < nodeCount; i++)
      if (offsets[i + 1] < offsets[i]) throw fail(`offsets must not fall: they do at node ${i}`);
    let loops = 0;
    for (let i = 0; i < nodeCount; i++) {
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = targets[k];
        if (j >= nodeCount)
          throw fail(`node ${i} has a neighbour out of range: got ${j}, expected below ${nodeCount}`);
        if (k > offsets[i] && j <= targets[k - 1])
          throw fail(`the neighbours of node ${i} are not ascending at ${j}`);
        const w = weights === null ? 1 : weights[k];
        if (!(w > 0 && w < Number.POSITIVE_INFINITY))
          throw fail(`the weight of edge ${i}-${j} must be positive and finite: got ${w}`);
        if (j === i) loops++;
      }
    }
    this.checkSymmetry(fail);
    if (loops !== this.selfLoopCount)
      throw fail(`self-loop count: got ${this.selfLoopCount}, found ${loops}`);
    if (attributes !== null)
      for (let k = 0; k < attributes.length; k++)
        if (!Number.isFinite(attributes[k]))
          throw fail(
            `attribute ${k % this.attributeDimension} of node ${Math.floor(k / this.attributeDimension)} is not finite: got ${attributes[k]}`,
          );
    return this;
  }

  /**
   * Rows ascend, so that the entries of row j are met in their order when all rows are gone through: the next one of row j must be i when
   * row i has j. O(nodes + entries).
   */
  private checkSymmetry(fail: (what: string) => Error): void {
    const { nodeCount, offsets, targets, weights } = this;
    const next = offsets.slice(0, nodeCount);
    for (let i = 0; i < nodeCount; i++)
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = targets[k];
        const back = next[j]++;
        if (
          back < offsets[j + 1] &&
          targets[back] === i &&
          (weights === null || weights[back] === weights[k])
        )
          continue;
        const [from, to] = back < offsets[j + 1] && targets[back] < i ? [j, targets[back]] : [i, j];
        throw fail(`edge ${from}-${to} is not the same in both directions`);
      }
  }
}
