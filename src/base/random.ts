/**
 * Philox4x32-10, a counter-based random number generator (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy
 * as 1, 2, 3", SC 2011). The n-th block of a stream is a function of (key, stream, n) and of nothing before it, so a
 * result never depends on how many workers shared the work or in which order they ran.
 *
 * key = the seed (64 bits), counter = (block number: 64 bits, stream number a, stream number b).
 */
import { cosine, sine } from "./circular.js";
import { logarithm } from "./logarithm.js";

const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;

/** The block at the counter (c0..c3) under the key (k0, k1), written to out[0..3]. 10 rounds. */
export function philox(
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
  out: Uint32Array,
): void {
  for (let round = 0; round < 10; round++) {
    const low0 = Math.imul(M0, c0);
    const low1 = Math.imul(M1, c2);
    const high0 = mulHigh(M0, c0);
    const high1 = mulHigh(M1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + W0) | 0;
    k1 = (k1 + W1) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/** The upper 32 bits of the unsigned product of two 32-bit numbers, by 16-bit halves. */
function mulHigh(a: number, b: number): number {
  const al = a & 0xffff;
  const ah = a >>> 16;
  const bl = b & 0xffff;
  const bh = b >>> 16;
  const middle = ah * bl + ((al * bl) >>> 16);
  const carry = al * bh + (middle & 0xffff);
  return (ah * bh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) | 0;
}

/**
 * The seed of unit `unit` of a run with `seed`: seed · factor + unit · step modulo 2^53, exact where doubles would lose the lowest bits and
 * with them the difference between units. Units further apart than 2^53 / step would share one.
 */
export function unitSeed(seed: number, unit: number, { factor = 1, step = 1 } = {}): number {
  const plain = seed * factor + unit * step;
  if (Number.isSafeInteger(plain) || !Number.isInteger(seed)) return plain;
  return Number(BigInt.asUintN(53, BigInt(seed) * BigInt(factor) + BigInt(unit) * BigInt(step)));
}

/** A stream of random numbers: the one numbered (a, b) under the seed. Same numbers for same arguments, always. */
export class Random {
  private readonly block = new Uint32Array(4);
  private readonly keyLow: number;
  private readonly keyHigh: number;
  private count = 0;
  private left = 0;
  private spareNormal = Number.NaN;

  constructor(
    seed: number,
    private readonly a = 0,
    private readonly b = 0,
  ) {
    this.keyLow = seed >>> 0;
    this.keyHigh = Math.floor(seed / 4294967296) >>> 0;
  }

  /** Uniform 32-bit unsigned integer. */
  uint32(): number {
    if (this.left === 0) {
      const high = Math.floor(this.count / 4294967296);
      philox(this.count | 0, high | 0, this.a | 0, this.b | 0, this.keyLow, this.keyHigh, this.block);
      this.count++;
      this.left = 4;
    }
    return this.block[4 - this.left--];
  }

  /** Uniform in [0, 1) with 53 random bits. */
  uniform(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  /** Uniform integer in 0..bound-1, without bias for bounds up to 2^32 (rejection), by uniform() beyond. */
  integer(bound: number): number {
    if (bound > 4294967296) return Math.floor(this.uniform() * bound);
    const limit = 4294967296 - (4294967296 % bound);
    let x = this.uint32();
    while (x >= limit) x = this.uint32();
    return x % bound;
  }

  /** Standard normal, Box-Muller. */
  normal(): number {
    if (!Number.isNaN(this.spareNormal)) {
      const spare = this.spareNormal;
      this.spareNormal = Number.NaN;
      return spare;
    }
    const radius = Math.sqrt(-2 * logarithm(1 - this.uniform()));
    const angle = 2 * Math.PI * this.uniform();
    this.spareNormal = radius * sine(angle);
    return radius * cosine(angle);
  }

  /** Fisher-Yates, in place. */
  shuffle<T extends { length: number; [index: number]: number }>(items: T): T {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.integer(i + 1);
      const item = items[i];
      items[i] = items[j];
      items[j] = item;
    }
    return items;
  }
}
