/** Numbers whole numbers below 2^53 in order of first appearance: open addressing in typed arrays, several times as fast as a Map. */
import { mix32 } from "../graph/mixing.js";
import { copiedTo } from "./pattern-table.js";

export class NumberTable {
  /** Numbers that have a place. */
  size = 0;
  private slots = new Int32Array(1024);
  private keys = new Float64Array(512);

  static from(keys: Float64Array): NumberTable {
    const table = new NumberTable();
    for (let k = 0; k < keys.length; k++) table.intern(keys[k]);
    return table;
  }

  /** The place of a number: a new one if it is new. */
  intern(key: number): number {
    const { slots, keys } = this;
    const mask = slots.length - 1;
    let slot = hashOf(key) & mask;
    for (let entry = slots[slot]; entry !== 0; entry = slots[slot]) {
      if (keys[entry - 1] === key) return entry - 1;
      slot = (slot + 1) & mask;
    }
    if (this.size === keys.length) this.keys = copiedTo(new Float64Array(2 * this.size), keys);
    this.keys[this.size] = key;
    slots[slot] = ++this.size;
    if (2 * this.size > slots.length) this.rehash();
    return this.size - 1;
  }

  /** All numbers in the order of their places. */
  list(): Float64Array {
    return this.keys.slice(0, this.size);
  }

  /** A table of its own with the same numbers. */
  copy(): NumberTable {
    const table = new NumberTable();
    table.size = this.size;
    table.slots = this.slots.slice();
    table.keys = this.keys.slice();
    return table;
  }

  private rehash(): void {
    const slots = new Int32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (let k = 0; k < this.size; k++) {
      let slot = hashOf(this.keys[k]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = k + 1;
    }
    this.slots = slots;
  }
}

const hashOf = (key: number) => mix32((key | 0) ^ Math.imul((key / 4294967296) | 0, 0x9e3779b1));
