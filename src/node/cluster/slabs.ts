/**
 * Memory for the results of one map, cut from a few blocks. After every few tens of megabytes of new buffers V8 looks through the whole
 * heap for garbage, which costs more than reading the results: all blocks that the results will probably need are reserved at once, which
 * is one such look, and what no result was put into takes address space only. Blocks are so large that malloc keeps them for the
 * next map when they are freed: to read into pages that are there takes the system a seventh of the time that new pages take. The results
 * of a map live and die together, so that little is held in vain.
 */
import { ownMemory } from "./data.js";

/** glibc gives memory of 32 MiB and more back to the system as soon as it is freed. */
export const BLOCK_BYTES = 30 * 2 ** 20;
/** Blocks that are reserved at once. */
const MOST_BLOCKS = 8;

export class Slabs {
  private block = ownMemory(0);
  private reserved: Uint8Array<ArrayBuffer>[] = [];
  private used = 0;
  private taken = 0;
  private count = 0;

  /** `results`: how many there will be. */
  constructor(private readonly results: number) {}

  /** So many bytes, not cleared, from a multiple of 8 on. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const room = Math.ceil(length / 8) * 8;
    this.count++;
    this.taken += room;
    if (room > BLOCK_BYTES) return ownMemory(length);
    if (this.used + room > this.block.length) {
      if (this.reserved.length === 0) this.reserve(room);
      this.block = this.reserved.pop()!;
      this.used = 0;
    }
    const bytes = this.block.subarray(this.used, this.used + length);
    this.used += room;
    return bytes;
  }

  /** Blocks for what is still to come, if the rest is like what has come; at least one, for `room` bytes. */
  private reserve(room: number): void {
    const expected = room + (this.taken / this.count) * (this.results - this.count);
    const size = Math.max(room, Math.min(Math.ceil(expected / 8) * 8, BLOCK_BYTES));
    const blocks = Math.min(Math.ceil(expected / size), MOST_BLOCKS);
    this.reserved.push(ownMemory(size));
    try {
      while (this.reserved.length < blocks) this.reserved.push(ownMemory(size));
    } catch {
      // the system does not promise so much: one after the other then
    }
    // malloc cuts from low to high: those that were written before come first
    this.reserved.reverse();
  }
}
