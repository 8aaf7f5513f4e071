/**
 * ln x, ln(1 + x) and x^y with the same bits in every JavaScript engine. The language leaves Math.log, Math.log1p and powers to the engine:
 * powers differ between V8 11 and 13, all of them between browsers.
 *
 *   x = 2^k m, m in (√½, √2],   f = m − 1,   s = f / (2 + f),   ln m = 2 artanh s = f − f²/2 + s (f²/2 + Σ_j 2 s^2j / (2j + 1))
 *
 * The series to j = 10 leaves out less than 1e-18 of ln m. Only additions, multiplications and divisions, which IEEE 754 fixes to the bit.
 */
import { exponential } from "./exponential.js";

/** ln 2 in two parts, the first of 32 bits so that k times it is exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** A double and its two halves, the lower first. */
const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** Error below 1 unit in the last place. */
export function logarithm(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY))
    return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN;
  // numbers below the normal ones have no leading 1
  const lifted = x < 2.2250738585072014e-308;
  double[0] = lifted ? x * 18014398509481984 : x;
  let k = (halves[1] >>> 20) - (lifted ? 1077 : 1023);
  halves[1] = (halves[1] & 0xfffff) | 0x3ff00000;
  let m = double[0];
  if (m > Math.SQRT2) {
    m /= 2;
    k++;
  }
  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  const tail = 2 / 13 + z * (2 / 15 + z * (2 / 17 + z * (2 / 19 + z * (2 / 21))));
  const series = z * (2 / 3 + z * (2 / 5 + z * (2 / 7 + z * (2 / 9 + z * (2 / 11 + z * tail)))));
  const half = 0.5 * f * f;
  return k * LN2_HIGH - (half - (s * (half + series) + k * LN2_LOW) - f);
}

/** ln(1 + x), accurate also near 0: what 1 + x loses in rounding comes back to first order. */
export function logarithmOfOnePlus(x: number): number {
  const u = 1 + x;
  if (u === 1 || !(u < Number.POSITIVE_INFINITY)) return x > -1 ? x : Number.NaN;
  return u > 0 ? logarithm(u) + (x - (u - 1)) / u : logarithm(u);
}

/** x^y for x > 0 as e^(y ln x): relative error about |y ln x| · 1e-16. Whole powers are better multiplied. */
export const power = (x: number, y: number): number => exponential(y * logarithm(x));
