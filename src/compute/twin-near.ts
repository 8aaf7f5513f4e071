/** Sums over near pairs in plain TypeScript: the twin of assembly/near-sums.ts, same bits. */
import type { Arena } from "./arena.js";
import type { KernelFunctions } from "./kernels.js";
import { NEGATIVE_POWERS } from "./twin-gaussian.js";

const SMALLEST = -1020;
const MAGIC = 6755399441056767; // 1.5·2^52 + 1023

/** Coefficients of 2^(f/4) on [-½, ½], from the highest degree down. */
const POLYNOMIAL = Float64Array.of(
  2.016859683599216e-11,
  9.311471407728417e-10,
  3.760627484878113e-8,
  1.3021052574003661e-6,
  3.757081682670002e-5,
  0.000867251697889354,
  0.015014156684943795,
  0.17328679513998632,
  1,
);

/** 2^y for y up to a rounding error above 0; below -1020 it is 2^-1020. Relative error at most 2e-15. */
export function nearPowerOfTwo(exponent: number): number {
  const y = exponent < SMALLEST ? SMALLEST : exponent;
  const n = y + MAGIC - MAGIC;
  const f = y - n;
  let p = POLYNOMIAL[0];
  for (let k = 1; k < POLYNOMIAL.length; k++) p = p * f + POLYNOMIAL[k];
  p *= p;
  return p * p * NEGATIVE_POWERS[-n];
}

export function nearTwin(arena: Arena): Pick<KernelFunctions, "nearSums"> {
  return {
    nearSums(
      laplacian,
      dimension,
      head,
      rows,
      rowQuads,
      rowNorms,
      weights,
      columns,
      columnQuads,
      columnNorms,
      scale,
      limit,
      out,
    ) {
      const { f64 } = arena;
      const length = 4 * dimension;
      const squares = new Float64Array(16);
      for (let i = 0; i < 4 * rowQuads; i++) {
        let norm = 0;
        for (let k = 4 * head; k < length; k += 4)
          norm += f64[(rows >>> 3) + (i >>> 2) * length + k + (i & 3)] ** 2;
        f64[(rowNorms >>> 3) + i] = norm;
      }
      for (let q = 0; q < columnQuads; q++) {
        const sums = (out >>> 3) + 4 * q;
        f64.fill(0, sums, sums + 4);
        for (let r = 0; r < rowQuads; r++) {
          const x = (rows >>> 3) + r * length;
          const y = (columns >>> 3) + q * length;
          squares.fill(0);
          for (let pair = 0; pair < 16; pair++)
            for (let k = 0; k < 4 * head; k += 4) {
              const difference = f64[x + k + (pair >>> 2)] - f64[y + k + (pair & 3)];
              squares[pair] += difference * difference;
            }
          if (squares.every((square) => square > limit)) continue;
          for (let pair = 0; pair < 16; pair++) {
            const [i, c] = [pair >>> 2, pair & 3];
            let square = squares[pair];
            if (head < dimension)
              square += f64[(rowNorms >>> 3) + 4 * r + i] + f64[(columnNorms >>> 3) + 4 * q + c];
            for (let k = 4 * head; k < length; k += 4) square += f64[x + k + i] * f64[y + k + c];
            const distance = laplacian === 1 ? Math.sqrt(square) : square;
            f64[sums + c] += f64[(weights >>> 3) + 4 * r + i] * nearPowerOfTwo(-scale * distance);
          }
        }
      }
    },
  };
}
