/**
 * Bytes for many small results in few buffers, which can then be posted to another thread as few: each buffer twice as long
 * as the one before, up to 16 MiB or what a result needs.
 */
const LARGEST = 2 ** 24;

export class BufferPool {
  readonly buffers: ArrayBuffer[] = [];
  private used = 0;
  private last: { buffer: ArrayBuffer; words: Uint32Array; numbers: Float64Array } | null = null;

  /** `first`: bytes of the first buffer, 64 KiB by default. */
  constructor(private next = 65536) {}

  /** Zeroed bytes, 8-byte aligned; `words` and `numbers` are views of the whole buffer. */
  take(bytes: number): {
    buffer: ArrayBuffer;
    byteOffset: number;
    words: Uint32Array;
    numbers: Float64Array;
  } {
    const aligned = Math.ceil(bytes / 8) * 8;
    if (this.last === null || this.used + aligned > this.last.buffer.byteLength) {
      const buffer = new ArrayBuffer(Math.max(this.next, aligned));
      this.last = { buffer, words: new Uint32Array(buffer), numbers: new Float64Array(buffer) };
      this.buffers.push(buffer);
      this.next = Math.min(LARGEST, 2 * this.next);
      this.used = 0;
    }
    const byteOffset = this.used;
    this.used += aligned;
    const { buffer, words, numbers } = this.last;
    return { buffer, byteOffset, words, numbers };
  }
}
