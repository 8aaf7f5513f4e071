/**
 * Integer mixing for hash sums: cheap, deterministic, the same on every machine. Nothing rests on these hashes being free of
 * collisions: what they find equal is compared entry by entry before it is believed.
 */

/** Bijection of the 32-bit integers with good avalanche ("lowbias32", C. Wellons, hash-prospector). */
export function mix32(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

const float = new Float64Array(1);
const words = new Int32Array(float.buffer);

/** Hash of the bits of a number. */
export function mixNumber(x: number): number {
  float[0] = x;
  return mix32(Math.imul(words[0], 0x9e3779b1) ^ mix32(words[1]));
}
