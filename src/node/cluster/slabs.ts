/**
 * Memory for the results of one map, cut from few large buffers. After every few tens of megabytes of new buffers V8 looks through the
 * whole heap for garbage, which costs more than reading the results; one large buffer is one such look. The results of a map live
 * and die together, so that little is held in vain; what no result was put into takes address space only.
 */
import { ownMemory } from "./data.js";

const MOST_BYTES = 512 * 2 ** 20;
/** The first results may be smaller than those that follow. */
const SPARE = 4;

/** So many bytes, or the least where the system does not promise more. */
function memoryUpTo(most: number, least: number): Uint8Array<ArrayBuffer> {
  if (most <= least) return ownMemory(least);
  try {
    return ownMemory(most);
  } catch {
    return ownMemory(least);
  }
}

export class Slabs {
  private slab = ownMemory(0);
  private used = 0;
  private taken = 0;
  private count = 0;

  /** `results`: how many there will be. */
  constructor(private readonly results: number) {}

  /** So many bytes, not cleared, from a multiple of 8 on. */
  take(length: number): Uint8Array<ArrayBuffer> {
    this.count++;
    this.taken += length;
    const room = Math.ceil(length / 8) * 8;
    if (this.used + room > this.slab.length) {
      const expected = (this.taken / this.count) * (this.results - this.count);
      this.slab = memoryUpTo(Math.min(room + Math.ceil(SPARE * expected), MOST_BYTES), room);
      this.used = 0;
    }
    const bytes = this.slab.subarray(this.used, this.used + length);
    this.used += room;
    return bytes;
  }
}
