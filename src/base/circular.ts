/**
 * cos(π p/q) and sin(π p/q) for whole 0 ≤ p ≤ q, cosine and sine of any angle, and the arc cosine, with the same bits in every JavaScript
 * engine: Math.cos and its like are left to the engine, and engines differ in the last bit.
 *
 * Symmetry in whole numbers, or taking away multiples of π/2, leads to an angle of at most π/4, where the polynomials of FDLIBM (k_cos.c, k_sin.c, Sun Microsystems, 1993)
 * have errors below 1 ulp. Only additions, multiplications and divisions, which IEEE 754 fixes to the bit.
 */
import { badCall } from "./errors.js";

export function cosineOfPi(p: number, q: number): number {
  check(p, q);
  if (2 * p > q) return -cosineOfPi(q - p, q);
  return 4 * p > q ? sineNear0((Math.PI * (q - 2 * p)) / (2 * q)) : cosineNear0((Math.PI * p) / q);
}

export function sineOfPi(p: number, q: number): number {
  check(p, q);
  if (2 * p > q) return sineOfPi(q - p, q);
  return 4 * p > q ? cosineNear0((Math.PI * (q - 2 * p)) / (2 * q)) : sineNear0((Math.PI * p) / q);
}

function check(p: number, q: number): void {
  if (!(Number.isInteger(p) && Number.isInteger(q) && p >= 0 && p <= q && q > 0))
    throw badCall(`angle: got π·${p}/${q}, expected whole numbers with 0 ≤ p ≤ q and q > 0`);
}

/** cos(π j/q) for j = 0 .. 2q − 1: cos(π p/q) of any whole p ≥ 0 is at p mod 2q. */
export function cosineTable(q: number): Float64Array {
  return Float64Array.from({ length: 2 * q }, (_, j) => cosineOfPi(j > q ? 2 * q - j : j, q));
}

export function cosine(x: number): number {
  const { quarter, rest } = reduce(x);
  const value = quarter & 1 ? sineNear0(rest) : cosineNear0(rest);
  return quarter === 1 || quarter === 2 ? -value : value;
}

export function sine(x: number): number {
  const { quarter, rest } = reduce(x);
  const value = quarter & 1 ? cosineNear0(rest) : sineNear0(rest);
  return quarter > 1 ? -value : value;
}

/** out[at] += size · cosine(x), out[at + 1] += size · sine(x): the angle is reduced once for both. */
export function addCirclePoint(x: number, size: number, out: Float64Array, at: number): void {
  const { quarter, rest } = reduce(x);
  const [c, s] = [cosineNear0(rest), sineNear0(rest)];
  out[at] += size * (quarter === 0 ? c : quarter === 1 ? -s : quarter === 2 ? -c : s);
  out[at + 1] += size * (quarter === 0 ? s : quarter === 1 ? c : quarter === 2 ? -s : -c);
}

/** In [0, π]: π/2 − arcsin x, or twice the arc sine of half the angle, whichever has the smaller argument. NaN outside of [-1, 1]. */
export function arcCosine(x: number): number {
  if (Math.abs(x) <= 0.5) return Math.PI / 2 - (arcSineNear0(x) - PI_HALF_REST);
  const half = 2 * arcSineNear0(Math.sqrt((1 - Math.abs(x)) / 2));
  return x > 0 ? half : Math.PI - (half - 2 * PI_HALF_REST);
}

/** π/2 less its double. */
const PI_HALF_REST = 6.123233995736766e-17;
/** π/2 in three parts, the first two of 33 bits so that 2^20 times them is exact. */
const PI_HALF_1 = 1.5707963267341256;
const PI_HALF_2 = 6.077100506303966e-11;
const PI_HALF_3 = 2.0222662487959506e-21;
/** The parts serve up to about 2^20 · π/2. */
const LARGE_ANGLE = 1.6e6;

interface Reduced {
  /** Which quarter of the circle, 0 to 3. */
  quarter: number;
  /** x − π/2 · (quarter + 4 · any), at most π/4 in size. */
  rest: number;
}

function reduce(x: number): Reduced {
  const n = Math.round(x * (2 / Math.PI));
  if (n === 0) return { quarter: 0, rest: x };
  if (!(Math.abs(x) < LARGE_ANGLE)) return reduceLarge(x);
  const t = x - n * PI_HALF_1;
  const w = n * PI_HALF_2;
  const r = t - w;
  // what the subtraction lost comes back, with the last part
  return { quarter: n & 3, rest: r + (t - r - w - n * PI_HALF_3) };
}

/** π/2 · 2^1200: enough bits for the largest double. */
const PI_HALF_BITS = 1200n;
const PI_HALF = BigInt(
  "0x1921fb54442d18469898cc51701b839a252049c1114cf98e804177d4c76273644a29410f31c6809bbdf2a33679a748636605614dbe4be286e9fc26" +
    "adadaa3848bc90b6aecc4bcfd8de89885d34c6fdad617feb96de80d6fdbdc70d7f6b5133f4b5d3e4822f8963fcc9250cca3d9c8b67b8400f97142c77e0b31b" +
    "4906c38aba734d22c7f51fa499ebf06caba47b9475b2c38c5e6ac410a",
);

/** In whole numbers: from 2^20 on a double is a multiple of 2^-32. */
function reduceLarge(x: number): Reduced {
  if (!Number.isFinite(x)) return { quarter: 0, rest: Number.NaN };
  const scaled = (Math.abs(x) < 2 ** 53 ? BigInt(x * 2 ** 32) : BigInt(x) << 32n) << (PI_HALF_BITS - 32n);
  let n = scaled / PI_HALF;
  let rest = scaled - n * PI_HALF;
  if (2n * rest > PI_HALF) [n, rest] = [n + 1n, rest - PI_HALF];
  if (2n * rest < -PI_HALF) [n, rest] = [n - 1n, rest + PI_HALF];
  return { quarter: Number(n & 3n), rest: Number(rest >> (PI_HALF_BITS - 160n)) / 2 ** 160 };
}

/** Σ_k c_k x^(2k+1) with c_k = c_(k−1) (2k−1)² / (2k (2k+1)): 28 terms leave out less than 1e-18 of it where |x| ≤ ½. */
const ARC_SINE = new Float64Array(28).fill(1);
for (let k = 1; k < ARC_SINE.length; k++)
  ARC_SINE[k] = (ARC_SINE[k - 1] * (2 * k - 1) * (2 * k - 1)) / (2 * k * (2 * k + 1));

/** |x| ≤ ½. */
function arcSineNear0(x: number): number {
  const z = x * x;
  let sum = 0;
  for (let k = ARC_SINE.length - 1; k > 0; k--) sum = z * (ARC_SINE[k] + sum);
  return x + x * sum;
}

/** |x| ≤ π/4. */
function cosineNear0(x: number): number {
  const z = x * x;
  const half = 0.5 * z;
  const rest =
    z *
    (0.0416666666666666 +
      z *
        (-0.001388888888887411 +
          z *
            (2.480158728947673e-5 +
              z * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11)))));
  const w = 1 - half;
  // what the subtraction lost comes back
  return w + (1 - w - half + z * rest);
}

/** |x| ≤ π/4. */
function sineNear0(x: number): number {
  const z = x * x;
  const rest =
    0.00833333333332249 +
    z *
      (-0.0001984126982985795 +
        z * (2.7557313707070068e-6 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)));
  return x + z * x * (-0.16666666666666632 + z * rest);
}
