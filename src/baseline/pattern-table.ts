/**
 * Numbers sequences of 32-bit integers in order of first appearance: open addressing by hash, every match confirmed word by word. Expected
 * O(length) a look-up; memory: the words, and 16 bytes a sequence.
 */
import { badData } from "../base/errors.js";
import { mix32 } from "../graph/mixing.js";

/** The sequences of a table, one behind the other: sequence k is words[starts[k] .. starts[k + 1]). */
export interface Patterns {
  starts: Uint32Array;
  /** The bits of the integers. */
  words: Uint32Array;
}

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

  /** All sequences of a table without a base, in the order of their numbers. */
  patterns(): Patterns {
    const starts = this.starts.slice(0, this.size - this.first + 1);
    return { starts, words: new Uint32Array(this.words.subarray(0, starts[starts.length - 1])) };
  }

  static from({ starts, words }: Patterns): PatternTable {
    const table = new PatternTable();
    const signed = new Int32Array(words);
    for (let k = 0; k < starts.length; k++)
      if (starts[k] > words.length || (k > 0 && starts[k] < starts[k - 1]))
        throw badData(
          `patterns: pattern ${k} starts at ${starts[k]}, expected ascending numbers up to ${words.length}`,
        );
    for (let k = 0; k + 1 < starts.length; k++) table.intern(signed, starts[k], starts[k + 1] - starts[k]);
    return table;
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

/** The larger array, beginning with the numbers of the smaller. */
export function copiedTo<T extends { set(from: T): void }>(larger: T, array: T): T {
  larger.set(array);
  return larger;
}
