/**
 * e^x with the same bits in every JavaScript engine. The language leaves Math.exp to the engine, and engines differ in the last bit, which
 * is enough for two of them to give different support graphs where graphs have copies.
 *
 *   x = k ln 2 + r, |r| ≤ ½ ln 2,   e^r = 1 + 2r / (R(r) − r) by a polynomial R of degree 10,   e^x = 2^k e^r
 *
 * The algorithm and constants of FDLIBM's e_exp.c (Sun Microsystems, 1993), error below 1 ulp. Only additions, multiplications and
 * divisions, which IEEE 754 fixes to the bit.
 */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const P1 = 0.16666666666666602;
const P2 = -0.0027777777777015593;
const P3 = 6.613756321437934e-5;
const P4 = -1.6533902205465252e-6;
const P5 = 4.1381367970572385e-8;
const OVERFLOW = 709.782712893384;
const UNDERFLOW = -745.1332191019411;
/** Half of ln 2, one and a half ln 2, and 2^-28, cut to the upper half of a double as FDLIBM compares them. */
const HALF_LN2 = 0.3465735912322998;
const MORE_LN2 = 1.0397205352783203;
const TINY = 3.725290298461914e-9;

/** 2^k for k = -1021 .. 1023, by exact doubling. */
const LEAST_POWER = -1021.0;
const POWERS = new Float64Array(1023 - LEAST_POWER + 1);
for (let k = 0, power = 2 ** -1021; k < POWERS.length; k++, power *= 2) POWERS[k] = power;

export function exponential(x: number): number {
  const size = Math.abs(x);
  if (size < TINY) return 1 + x;
  if (Number.isNaN(x)) return x;
  if (x > OVERFLOW) return Number.POSITIVE_INFINITY;
  if (x < UNDERFLOW) return 0;
  let k = 0;
  let high = 0;
  let low = 0;
  let r = x;
  if (size >= HALF_LN2) {
    if (size < MORE_LN2) {
      if (x === 1) return Math.E;
      k = x < 0 ? -1 : 1;
    } else k = Math.trunc(Math.LOG2E * x + (x < 0 ? -0.5 : 0.5));
    high = x - k * LN2_HIGH;
    low = k * LN2_LOW;
    r = high - low;
  }
  const t = r * r;
  const c = r - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
  if (k === 0) return 1 - ((r * c) / (c - 2) - r);
  const y = 1 - (low - (r * c) / (2 - c) - high);
  if (k === 1024) return y * 2 * POWERS[1023 - LEAST_POWER];
  if (k >= LEAST_POWER) return y * POWERS[k - LEAST_POWER];
  return y * POWERS[k + 1000 - LEAST_POWER] * POWERS[-1000 - LEAST_POWER];
}

/** e^x − 1, accurate also near 0, where it is x + x²/2! + ... + x^15/15!. */
export function exponentialMinusOne(x: number): number {
  if (!(Math.abs(x) < 0.5)) return exponential(x) - 1;
  let sum = 1;
  for (let k = 15; k > 1; k--) sum = 1 + (x * sum) / k;
  return x * sum;
}
