/**
 * cos(π p/q) and sin(π p/q) for whole 0 ≤ p ≤ q, with the same bits in every JavaScript engine: Math.cos and Math.sin are left to the engine,
 * and engines differ in the last bit.
 *
 * Symmetry in whole numbers leads to an angle of at most π/4, where the polynomials of FDLIBM (k_cos.c, k_sin.c, Sun Microsystems, 1993)
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
