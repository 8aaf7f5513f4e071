/**
 * Sparse count vectors: what the kernels that count patterns (subtrees, shortest paths, graphlets) make of a set of graphs, the
 * table that numbers the patterns, and the Gram matrices
 *
 *   linear        K(G, H) = Σ_f c_f(G) c_f(H)          intersection  K(G, H) = Σ_f min(c_f(G), c_f(H)).
 *
 * Both go through an inverted index: for each pattern the list of the graphs that have it, so that a Gram costs Σ_f (graphs with
 * f)², at one multiplication and one addition in a row that stays in the cache. A pattern of one graph only, as most deep subtrees
 * are, has no list and touches the diagonal alone. Memory: 12 bytes a stored count, 8 bytes a pattern, and the result.
 */
import { badCall, badData, unknownName } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { mix32 } from "../graph/mixing.js";

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

export interface CountVectoriser {
  /** Numbers the patterns of these graphs, forgetting any former fit, and counts them. */
  fit(graphs: readonly Graph[]): CountFeatures;
  /** Counts by the numbers of the fit, which stays as it is. Patterns it has not seen count too: they belong to K(G, G). */
  transform(graphs: readonly Graph[]): CountFeatures;
}

/** Numbers sequences of 32-bit integers in order of first appearance: open addressing by hash, every match confirmed word by word. */
export class PatternTable {
  /** Sequences numbered, those of `base` included. */
  size: number;
  private readonly first: number;
  private slots = new Int32Array(64);
  private hashes = new Int32Array(32);
  private starts = new Uint32Array(33);
  private words = new Int32Array(256);

  /** A table over `base` leaves it as it is and numbers on from its size. */
  constructor(private readonly base: PatternTable | null = null) {
    this.first = this.size = base === null ? 0 : base.size;
  }

  /** The number of words[from .. from + length): a new one if the sequence is new. */
  intern(words: Int32Array, from: number, length: number): number {
    const hash = hashWords(words, from, length);
    if (this.base !== null) {
      const known = this.base.slots[this.base.slotOf(hash, words, from, length)];
      if (known !== 0) return known - 1 + this.base.first;
    }
    const slot = this.slotOf(hash, words, from, length);
    if (this.slots[slot] !== 0) return this.slots[slot] - 1 + this.first;
    return this.insert(slot, hash, words, from, length);
  }

  /** Where the sequence is, or the free slot where it would be. */
  private slotOf(hash: number, words: Int32Array, from: number, length: number): number {
    const { slots, hashes, starts } = this;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot] - 1;
      if (entry < 0) return slot;
      if (hashes[entry] !== hash || starts[entry + 1] - starts[entry] !== length) continue;
      const stored = this.words;
      const start = starts[entry];
      let k = 0;
      while (k < length && stored[start + k] === words[from + k]) k++;
      if (k === length) return slot;
    }
  }

  private insert(slot: number, hash: number, words: Int32Array, from: number, length: number): number {
    const entry = this.size - this.first;
    if (entry === this.hashes.length) {
      this.hashes = copiedTo(new Int32Array(2 * entry), this.hashes);
      this.starts = copiedTo(new Uint32Array(2 * entry + 1), this.starts);
    }
    const start = this.starts[entry];
    if (start + length > this.words.length)
      this.words = copiedTo(
        new Int32Array(Math.max(start + length, Math.ceil(1.5 * this.words.length))),
        this.words,
      );
    for (let k = 0; k < length; k++) this.words[start + k] = words[from + k];
    this.starts[entry + 1] = start + length;
    this.hashes[entry] = hash;
    this.slots[slot] = entry + 1;
    this.size++;
    if (2 * (entry + 1) > this.slots.length) this.rehash();
    return entry + this.first;
  }

  private rehash(): void {
    const slots = new Int32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (let entry = 0; entry < this.size - this.first; entry++) {
      let slot = this.hashes[entry] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = entry + 1;
    }
    this.slots = slots;
  }
}

/** MurmurHash3's body (A. Appleby) over 32-bit words. */
function hashWords(words: Int32Array, from: number, length: number): number {
  let h = length;
  for (let k = from; k < from + length; k++) {
    const w = Math.imul(words[k], 0xcc9e2d51);
    h ^= Math.imul((w << 15) | (w >>> 17), 0x1b873593);
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  return mix32(h);
}

function copiedTo<T extends { set(from: T): void }>(larger: T, array: T): T {
  larger.set(array);
  return larger;
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
export function sparseDiagonal(features: CountFeatures): Float64Array {
  return rowSums(features, (c) => c * c);
}

/** Σ_f c_f, the diagonal of the intersection Gram. */
export function intersectionDiagonal(features: CountFeatures): Float64Array {
  return rowSums(features, (c) => c);
}

function rowSums({ graphs, offsets, counts }: CountFeatures, term: (count: number) => number): Float64Array {
  const sums = new Float64Array(graphs);
  for (let g = 0; g < graphs; g++)
    for (let k = offsets[g]; k < offsets[g + 1]; k++) sums[g] += term(counts[k]);
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
  const same = left === right;
  const largest = largestId(right);
  if (!same && largest >= right.known && largestId(left) >= left.known)
    throw badCall(
      "Gram of counts: both sides have patterns that the fit has not seen, numbered by different calls: transform these graphs in one call",
    );
  const width = right.graphs;
  const gram = new Float64Array(left.graphs * width);
  const starts = listStarts(right, largest + 1, same ? 2 : 1);
  const ends = starts.slice();
  const owners = new Uint32Array(starts[largest + 1]);
  const weights = new Float64Array(owners.length);
  const list = (g: number) => {
    for (let k = right.offsets[g]; k < right.offsets[g + 1]; k++) {
      const f = right.ids[k];
      if (starts[f] === starts[f + 1]) continue;
      owners[ends[f]] = g;
      weights[ends[f]++] = right.counts[k];
    }
  };
  if (!same) for (let g = 0; g < width; g++) list(g);

  const { offsets, ids, counts } = left;
  for (let g = 0; g < left.graphs; g++) {
    // in the symmetric case the lists hold the graphs before g: the lower triangle
    const row = gram.subarray(g * width, (g + 1) * width);
    for (let k = offsets[g]; k < offsets[g + 1]; k++) {
      const f = ids[k];
      const c = counts[k];
      if (same) row[g] += intersect ? c : c * c;
      if (f > largest) continue;
      const end = ends[f];
      if (intersect) for (let p = starts[f]; p < end; p++) row[owners[p]] += c < weights[p] ? c : weights[p];
      else for (let p = starts[f]; p < end; p++) row[owners[p]] += c * weights[p];
    }
    if (same) list(g);
  }
  if (same)
    for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) gram[j * width + i] = gram[i * width + j];
  return gram;
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
