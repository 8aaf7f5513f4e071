/**
 * Numbers sequences of 32-bit integers in order of first appearance: open addressing by hash, every match confirmed word by word. Expected
 * O(length) a look-up; memory: the words, and 16 bytes a sequence. Who knows that a sequence is new, and will not come again, appends it for
 * the price of a copy.
 */
import { CheckedState, type PlainState } from "../base/checked-state.js";
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
  /** Sequences that `intern` finds. */
  private indexed = 0;
  /** (number + 1, hash) of each sequence, two words side by side: a slot is one look into memory. */
  private slots = new Int32Array(128);
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

  /** The table of the sequences under `starts` and `words`; they come from a file and are checked. */
  static from(state: PlainState): PatternTable {
    const checked = new CheckedState(state);
    const words = checked.words("words");
    const starts = checked.offsets("starts", undefined, words.length);
    const table = new PatternTable();
    const signed = new Int32Array(words);
    for (let k = 0; k + 1 < starts.length; k++)
      if (table.intern(signed, starts[k], starts[k + 1] - starts[k]) !== k)
        throw checked.fail(`pattern ${k}`, "one that was there before", "a new one");
    return table;
  }

  /** Where the sequence is, or the free slot where it would be. */
  private slotOf(hash: number, words: Int32Array, from: number, length: number): number {
    const { slots, starts } = this;
    const mask = slots.length - 1;
    for (let slot = (2 * hash) & mask; ; slot = (slot + 2) & mask) {
      const entry = slots[slot] - 1;
      if (entry < 0) return slot;
      if (slots[slot + 1] !== hash || starts[entry + 1] - starts[entry] !== length) continue;
      const stored = this.words;
      const start = starts[entry];
      let k = 0;
      while (k < length && stored[start + k] === words[from + k]) k++;
      if (k === length) return slot;
    }
  }

  /** Numbers a sequence that is not in the table, without a place in the index: `intern` will not find it. */
  append(words: Int32Array, from: number, length: number): number {
    const entry = this.size - this.first;
    if (entry + 1 === this.starts.length) this.starts = copiedTo(new Uint32Array(2 * entry + 1), this.starts);
    const start = this.starts[entry];
    if (start + length > this.words.length)
      this.words = copiedTo(new Int32Array(Math.max(start + length, 2 * this.words.length)), this.words);
    for (let k = 0; k < length; k++) this.words[start + k] = words[from + k];
    this.starts[entry + 1] = start + length;
    return this.size++;
  }

  private insert(slot: number, hash: number, words: Int32Array, from: number, length: number): number {
    const number = this.append(words, from, length);
    this.slots[slot] = number - this.first + 1;
    this.slots[slot + 1] = hash;
    if (4 * ++this.indexed > this.slots.length) this.rehash();
    return number;
  }

  private rehash(): void {
    const old = this.slots;
    const slots = new Int32Array(4 * old.length);
    const mask = slots.length - 1;
    for (let k = 0; k < old.length; k += 2) {
      if (old[k] === 0) continue;
      let slot = (2 * old[k + 1]) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = old[k];
      slots[slot + 1] = old[k + 1];
    }
    this.slots = slots;
  }
}

/** MurmurHash3's body (A. Appleby) over 32-bit words. */
export function hashWords(words: Int32Array, from: number, length: number): number {
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
