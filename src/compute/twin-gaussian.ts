/** Kernels on packs of quads in plain TypeScript: the twin of assembly/gaussian-sums.ts and assembly/packed-vectors.ts, same bits. */
import type { Arena } from "./arena.js";
import type { KernelFunctions } from "./kernels.js";

const SMALLEST = -1020;
const MAGIC = 6755399441056767; // 1.5·2^52 + 1023

/** Coefficients of 2^f on [-½, ½], from the highest degree down. */
const POLYNOMIAL = Float64Array.of(
  4.4549605981865186e-10,
  7.072585949269223e-9,
  1.0178062445845774e-7,
  1.321544258792169e-6,
  1.525273382983612e-5,
  0.0001540353044173605,
  0.0013333558146416936,
  0.009618129107606888,
  0.0555041086648216,
  0.24022650695910097,
  Math.LN2,
  1,
);

/** 2^-n by exact halving. */
export const NEGATIVE_POWERS = new Float64Array(1 - SMALLEST);
for (let n = 0, power = 1; n < NEGATIVE_POWERS.length; n++, power /= 2) NEGATIVE_POWERS[n] = power;

/** 2^y for y <= 0; below -1020 it is 2^-1020. Relative error at most 5e-16. */
export function powerOfTwo(exponent: number): number {
  const y = Math.max(exponent, SMALLEST);
  const n = y + MAGIC - MAGIC;
  const f = y - n;
  let p = POLYNOMIAL[0];
  for (let k = 1; k < POLYNOMIAL.length; k++) p = p * f + POLYNOMIAL[k];
  return p * NEGATIVE_POWERS[-n];
}

export function gaussianTwin(
  arena: Arena,
): Pick<KernelFunctions, "gaussianSums" | "squaredDistances" | "solveLower" | "solveUpper"> {
  return {
    gaussianSums(laplacian, dimension, rows, first, count, weights, columns, quads, scale, out) {
      const { f64 } = arena;
      const [rows0, weights0, out0] = [rows >>> 3, weights >>> 3, out >>> 3];
      const length = 4 * dimension;
      for (let q = 0; q < quads; q++)
        for (let lane = 0; lane < 4; lane++) {
          const column = (columns >>> 3) + q * length + lane;
          let sum = 0;
          for (let i = 0; i < count; i++) {
            const row = rows0 + ((first + i) >>> 2) * length + ((first + i) & 3);
            let square = 0;
            for (let k = 0; k < length; k += 4) {
              const difference = f64[row + k] - f64[column + k];
              square += difference * difference;
            }
            const distance = laplacian === 1 ? Math.sqrt(square) : square;
            sum += f64[weights0 + i] * powerOfTwo(-scale * distance);
          }
          f64[out0 + 4 * q + lane] = sum;
        }
    },
    squaredDistances(dimension, vectors, vectorQuads, columns, columnQuads, out, stride) {
      const { f64 } = arena;
      const length = 4 * dimension;
      for (let i = 0; i < 4 * vectorQuads; i++) {
        const row = (vectors >>> 3) + (i >>> 2) * length + (i & 3);
        for (let c = 0; c < 4 * columnQuads; c++) {
          const column = (columns >>> 3) + (c >>> 2) * length + (c & 3);
          let square = 0;
          for (let k = 0; k < length; k += 4) {
            const difference = f64[row + k] - f64[column + k];
            square += difference * difference;
          }
          f64[(out >>> 3) + i * stride + c] = square;
        }
      }
    },

    solveLower(factor, from, rank, vectors, quadBytes, quads) {
      const { f64 } = arena;
      for (let c = 0; c < 4 * quads; c++) {
        const vector = (vectors >>> 3) + (c >>> 2) * (quadBytes >>> 3) + (c & 3);
        let entry = factor >>> 3;
        for (let s = from; s < rank; s++) {
          let sum = f64[vector + 4 * s];
          for (let t = 0; t < s; t++) sum -= f64[entry++] * f64[vector + 4 * t];
          f64[vector + 4 * s] = sum / f64[entry++];
        }
      }
    },

    solveUpper(factor, rank, vectors, quads) {
      const { f64 } = arena;
      for (let c = 0; c < 4 * quads; c++) {
        const vector = (vectors >>> 3) + (c >>> 2) * 4 * rank + (c & 3);
        for (let s = rank - 1; s >= 0; s--) {
          const entry = (factor >>> 3) + (s * (s + 1)) / 2;
          const value = f64[vector + 4 * s] / f64[entry + s];
          f64[vector + 4 * s] = value;
          for (let t = 0; t < s; t++) f64[vector + 4 * t] -= f64[entry + t] * value;
        }
      }
    },
  };
}
