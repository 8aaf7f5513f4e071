/**
 * A bump allocator over one linear memory: allocate as you go, release all at once (or back to a mark).
 *
 * Addresses are byte offsets, aligned to 64 bytes, and stay valid when the memory grows; the views `f64` and `u32` do not, since
 * growing replaces them: read them from the arena after the last allocation of a phase. Memory is not cleared.
 */
import { GraphdosError } from "../base/errors.js";

export interface LinearMemory {
  readonly buffer: ArrayBufferLike;
  /** Makes the buffer at least this long. */
  reserve(bytes: number): void;
}

const ALIGNMENT = 64;
/** 32-bit addresses. */
export const MAX_BYTES = 2 ** 32 - 65536;

export class Arena {
  f64: Float64Array;
  u32: Uint32Array;
  private top: number;
  private readonly base: number;

  /** Uses the bytes from `base` up to `limit`. */
  constructor(
    private readonly memory: LinearMemory,
    base = 0,
    private readonly limit = MAX_BYTES,
  ) {
    this.base = this.top = Math.ceil(base / ALIGNMENT) * ALIGNMENT;
    this.f64 = new Float64Array(memory.buffer);
    this.u32 = new Uint32Array(memory.buffer);
  }

  /** Address of `bytes` fresh bytes. Throws "limit" when they cannot be had. */
  allocate(bytes: number): number {
    const address = this.top;
    const end = address + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    if (end > this.f64.byteLength) this.grow(end);
    this.top = end;
    return address;
  }

  /** Where the memory ends that can be had without growing. */
  get end(): number {
    return Math.min(this.limit, this.f64.byteLength);
  }

  /** To give to release later. */
  mark(): number {
    return this.top;
  }

  /** Frees what was allocated since the mark. */
  release(mark: number): void {
    this.top = mark;
  }

  /** Frees everything. */
  reset(): void {
    this.top = this.base;
  }

  private grow(end: number): void {
    if (!(end <= this.limit))
      throw new GraphdosError(
        "limit",
        `working memory: too little for this graph: got ${this.limit} bytes, it needs ${end}; choose a sampling estimator (probes or sample)`,
      );
    this.memory.reserve(Math.min(this.limit, Math.max(end, 2 * this.f64.byteLength)));
    this.f64 = new Float64Array(this.memory.buffer, 0, this.memory.buffer.byteLength >>> 3);
    this.u32 = new Uint32Array(this.memory.buffer, 0, this.memory.buffer.byteLength >>> 2);
  }
}

/** Memory for the plain-TypeScript kernels: an ArrayBuffer that is copied when it grows. */
export class PlainMemory implements LinearMemory {
  buffer: ArrayBuffer;

  constructor(bytes = 65536) {
    this.buffer = new ArrayBuffer(bytes);
  }

  reserve(bytes: number): void {
    if (bytes <= this.buffer.byteLength) return;
    const larger = new ArrayBuffer(Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    new Uint8Array(larger).set(new Uint8Array(this.buffer));
    this.buffer = larger;
  }
}

/** Memory for the WASM kernels, grown by whole pages of 64 KiB. */
export class WasmMemory implements LinearMemory {
  constructor(readonly memory: WebAssembly.Memory) {}

  get buffer(): ArrayBufferLike {
    return this.memory.buffer;
  }

  reserve(bytes: number): void {
    const missing = Math.ceil((bytes - this.memory.buffer.byteLength) / 65536);
    if (missing <= 0) return;
    try {
      this.memory.grow(missing);
    } catch (cause) {
      throw new GraphdosError(
        "limit",
        `working memory: the machine refuses to grow it to ${bytes} bytes; choose a sampling estimator (probes or sample)`,
        { cause },
      );
    }
  }
}
