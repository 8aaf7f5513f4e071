/**
 * Sparse count vectors: what the kernels that count patterns (subtrees, shortest paths, graphlets) make of a set of graphs, and the
 * Gram matrices
 *
 *   linear        K(G, H) = Σ_f c_f(G) c_f(H)          intersection  K(G, H) = Σ_f min(c_f(G), c_f(H)).
 *
 * Both go through an inverted index: for each pattern the list of the graphs that have it, so that a Gram costs Σ_f (graphs with
 * f)², at one multiplication and one addition in a row that stays in the cache. A pattern that two graphs do not have in common, as most
 * deep subtrees are, has no list. Memory: 12 bytes a stored count, 8 bytes a pattern, and the result.
 */
import { badCall, badData, unknownName } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { copiedTo } from "./pattern-table.js";

/** One sparse row of counts a graph, in compressed rows: graph g has ids[offsets[g] .. offsets[g + 1]), ascending. */
export interface CountFeatures {
  graphs: number;
  offsets: Uint32Array;
  ids: Uint32Array;
  counts: Float64Array;
  /** Patterns that the fit has numbered. An id from here on is a pattern new in this call of transform, with a meaning there only. */
  known: number;
  /** Sentences on what was sampled or estimated; empty when every count is exact. */
  notes: string[];
}

/** What a fit has learnt, in plain values and arrays: enough to count in the same way again. */
export interface Vocabulary {
  values: Record<string, string | number | boolean | null>;
  arrays: Record<string, Float64Array | Uint32Array>;
}

export interface CountVectoriser {
  /** Numbers the patterns of these graphs, forgetting any former fit, and counts them. */
  fit(graphs: readonly Graph[]): CountFeatures;
  /** Counts by the numbers of the fit, which stays as it is. Patterns it has not seen count too: they belong to K(G, G). */
  transform(graphs: readonly Graph[]): CountFeatures;
  /** What the fit has learnt; `restore` takes it in place of a fit. */
  vocabulary(): Vocabulary;
  restore(vocabulary: Vocabulary): void;
}

/** A vectoriser whose patterns mean the same in every fit: graphs may be counted in parts, each with a fit of its own. */
export interface MergingVectoriser extends CountVectoriser {
  /** The own number of each pattern of another fit; those that are new get the next ones. */
  merge(vocabulary: Vocabulary): Uint32Array;
  /** Patterns that have numbers. */
  readonly size: number;
  /** Sentences on what is sampled in these graphs. */
  notes(graphs: readonly Graph[]): string[];
}

/** Collects counts graph by graph and lays them out in rows. */
export class CountRows {
  private sums = new Float64Array(1024);
  private touched = new Uint32Array(256);
  private touchedCount = 0;
  private readonly offsets: number[] = [0];
  private ids = new Uint32Array(1024);
  private counts = new Float64Array(1024);

  /** Adds a positive count to a pattern of the present graph. */
  add(id: number, count: number): void {
    if (id >= this.sums.length)
      this.sums = copiedTo(new Float64Array(Math.max(id + 1, 2 * this.sums.length)), this.sums);
    if (this.sums[id] === 0) {
      if (this.touchedCount === this.touched.length)
        this.touched = copiedTo(new Uint32Array(2 * this.touchedCount), this.touched);
      this.touched[this.touchedCount++] = id;
    }
    this.sums[id] += count;
  }

  /** Ends the present graph; every count is multiplied by `scale`. */
  endGraph(scale = 1): void {
    const start = this.offsets[this.offsets.length - 1];
    const end = start + this.touchedCount;
    if (end > this.ids.length) {
      const length = Math.max(end, Math.ceil(1.5 * this.ids.length));
      this.ids = copiedTo(new Uint32Array(length), this.ids);
      this.counts = copiedTo(new Float64Array(length), this.counts);
    }
    const { sums, ids, counts } = this;
    ids.set(this.touched.subarray(0, this.touchedCount).sort(), start);
    for (let k = start; k < end; k++) {
      counts[k] = sums[ids[k]] * scale;
      sums[ids[k]] = 0;
    }
    this.touchedCount = 0;
    this.offsets.push(end);
  }

  finish(known: number, notes: string[] = []): CountFeatures {
    const offsets = Uint32Array.from(this.offsets);
    const end = offsets[offsets.length - 1];
    return {
      graphs: offsets.length - 1,
      offsets,
      ids: this.ids.slice(0, end),
      counts: this.counts.slice(0, end),
      known,
      notes,
    };
  }
}

/** Linear Gram block, row-major, left.graphs × right.graphs. Pass the same object twice for the matrix of one set. */
export function sparseGram(left: CountFeatures, right: CountFeatures): Float64Array {
  return gramByIndex(left, right, false);
}

/** Histogram intersection: the same with the smaller of two counts in place of their product. */
export function intersectionGram(left: CountFeatures, right: CountFeatures): Float64Array {
  return gramByIndex(left, right, true);
}

/** Σ_f c_f², the diagonal of the linear Gram. */
export function sparseDiagonal({ graphs, offsets, counts }: CountFeatures): Float64Array {
  const sums = new Float64Array(graphs);
  for (let g = 0; g < graphs; g++)
    for (let k = offsets[g]; k < offsets[g + 1]; k++) sums[g] += counts[k] * counts[k];
  return sums;
}

/** Σ_f c_f, the diagonal of the intersection Gram. */
export function intersectionDiagonal({ graphs, offsets, counts }: CountFeatures): Float64Array {
  const sums = new Float64Array(graphs);
  for (let g = 0; g < graphs; g++) for (let k = offsets[g]; k < offsets[g + 1]; k++) sums[g] += counts[k];
  return sums;
}

/** K_ij / √(K_ii K_jj). A graph without any pattern, K_ii = 0, keeps its row of zeros. */
export function normaliseGram(
  gram: Float64Array,
  diagonalLeft: Float64Array,
  diagonalRight: Float64Array,
): Float64Array {
  const width = diagonalRight.length;
  if (gram.length !== diagonalLeft.length * width)
    throw badCall(
      `normaliseGram: Gram: got ${gram.length} numbers, expected ${diagonalLeft.length} × ${width} as the diagonals say`,
    );
  const rootsLeft = diagonalLeft.map(inverseRoot);
  const rootsRight = diagonalRight.map(inverseRoot);
  const out = new Float64Array(gram.length);
  for (let i = 0, k = 0; i < diagonalLeft.length; i++)
    for (let j = 0; j < width; j++, k++) out[k] = gram[k] * (rootsLeft[i] * rootsRight[j]);
  return out;
}

function inverseRoot(x: number): number {
  if (!(x >= 0 && x < Number.POSITIVE_INFINITY))
    throw badCall(`normaliseGram: diagonal: got ${x}, expected finite numbers not below 0`);
  return x === 0 ? 0 : 1 / Math.sqrt(x);
}

function largestId({ ids }: CountFeatures): number {
  let largest = -1;
  for (let k = 0; k < ids.length; k++) if (ids[k] > largest) largest = ids[k];
  return largest;
}

/** Where the list of each pattern begins; patterns with fewer than `least` graphs have none. */
function listStarts({ ids }: CountFeatures, size: number, least: number): Uint32Array {
  const starts = new Uint32Array(size + 1);
  for (let k = 0; k < ids.length; k++) starts[ids[k] + 1]++;
  for (let f = 0; f < size; f++) starts[f + 1] = starts[f] + (starts[f + 1] >= least ? starts[f + 1] : 0);
  return starts;
}

function gramByIndex(left: CountFeatures, right: CountFeatures, intersect: boolean): Float64Array {
  const width = right.graphs;
  const gram = new Float64Array(left.graphs * width);
  let at = 0;
  for (const row of countGramRows(left, right, intersect)) {
    gram.set(row, at);
    at += width;
  }
  if (left !== right) return gram;
  const diagonal = intersect ? intersectionDiagonal(left) : sparseDiagonal(left);
  for (let i = 0; i < width; i++) {
    gram[i * width + i] = diagonal[i];
    for (let j = 0; j < i; j++) gram[j * width + i] = gram[i * width + j];
  }
  return gram;
}

/**
 * The rows of a Gram, one after another in the same array. Within one set (left and right the same object) a row holds its part of the
 * lower triangle, without the diagonal, and zeros behind it.
 */
export function* countGramRows(
  left: CountFeatures,
  right: CountFeatures,
  intersect: boolean,
): Generator<Float64Array, void> {
  const same = left === right;
  const size = largestId(right) + 1;
  if (!same && size > right.known && largestId(left) >= left.known)
    throw badCall(
      "Gram of counts: both sides have patterns that the fit has not seen, numbered by different calls: transform these graphs in one call",
    );
  const starts = listStarts(right, size, same ? 2 : 1);
  const ends = starts.slice();
  const owners = new Uint32Array(starts[size]);
  const weights = new Float64Array(owners.length);
  const list = (g: number) => {
    for (let k = right.offsets[g]; k < right.offsets[g + 1]; k++) {
      const f = right.ids[k];
      if (starts[f] === starts[f + 1]) continue;
      owners[ends[f]] = g;
      weights[ends[f]++] = right.counts[k];
    }
  };
  if (!same) for (let g = 0; g < right.graphs; g++) list(g);
  const row = new Float64Array(right.graphs);
  for (let g = 0; g < left.graphs; g++) {
    row.fill(0);
    for (let k = left.offsets[g]; k < left.offsets[g + 1]; k++) {
      const f = left.ids[k];
      if (f >= size || starts[f] === ends[f]) continue;
      if (intersect) addSmaller(row, left.counts[k], owners, weights, starts[f], ends[f]);
      else addProducts(row, left.counts[k], owners, weights, starts[f], ends[f]);
    }
    yield row;
    // within one set the lists hold the graphs before g: the lower triangle
    if (same) list(g);
  }
}

function addProducts(
  row: Float64Array,
  c: number,
  owners: Uint32Array,
  weights: Float64Array,
  from: number,
  to: number,
): void {
  for (let p = from; p < to; p++) row[owners[p]] += c * weights[p];
}

function addSmaller(
  row: Float64Array,
  c: number,
  owners: Uint32Array,
  weights: Float64Array,
  from: number,
  to: number,
): void {
  for (let p = from; p < to; p++) row[owners[p]] += c < weights[p] ? c : weights[p];
}

/** Whether the graphs have node labels: all of them or none; a mixture is an error. */
export function haveLabels(where: string, graphs: readonly Graph[]): boolean {
  const labelled = graphs.filter((graph) => graph.labels !== null || graph.nodeCount === 0).length;
  const bare = graphs.findIndex((graph) => graph.labels === null && graph.nodeCount > 0);
  if (bare < 0) return graphs.some((graph) => graph.labels !== null);
  if (graphs.some((graph) => graph.labels !== null))
    throw badData(
      `${where}: node labels: got ${labelled} graphs with and graph ${bare} without, expected all or none: choose an option that ignores labels`,
    );
  return false;
}

/** Throws for the first option whose name is not known. */
export function checkOptions(where: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw unknownName(`option of ${where}`, name, known);
}
