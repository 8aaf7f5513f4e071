/** The Cholesky factor of the free points in plain TypeScript: the twin of assembly/smo-face.ts, same bits. */
import type { Arena } from "./arena.js";
import type { KernelFunctions } from "./kernels.js";
import { gramValues } from "./twin-smo.js";

/** Where row i of the packed lower triangle begins. */
const rowStart = (i: number) => (i * (i + 1)) / 2;

export function faceTwin(arena: Arena): Pick<KernelFunctions, "smoFactorise" | "smoSolve"> {
  function smoFactorise(
    factor: number,
    size: number,
    gram: number,
    rowBytes: number,
    single: number,
    rows: number,
    ridge: number,
  ): number {
    const { f64, u32 } = arena;
    const values = gramValues(arena, single);
    const L = factor >>> 3;
    const places = u32.subarray(rows >>> 2, (rows >>> 2) + size);
    for (let i = 0; i < size; i++) {
      const rowI = L + rowStart(i);
      const row = (gram + places[i] * rowBytes) / values.BYTES_PER_ELEMENT;
      const own = i & ~3;
      for (let j = 0; j <= i; j++) {
        const rowJ = L + rowStart(j);
        // columns before the four rows' own come in pairs, whose first is the last term of the second
        const split = j < own ? j & ~1 : own;
        let [even, odd] = [0, 0];
        for (let k = 0; k < split; k += 2) {
          even += f64[rowJ + k] * f64[rowI + k];
          odd += f64[rowJ + k + 1] * f64[rowI + k + 1];
        }
        let a = values[row + places[j]] - (even + odd);
        for (let k = split; k < j; k++) a -= f64[rowI + k] * f64[rowJ + k];
        if (j < i) f64[rowI + j] = a / f64[rowJ + j];
        else if (a + ridge > 0) f64[rowI + i] = Math.sqrt(a + ridge);
        else return 0;
      }
    }
    return 1;
  }

  function smoSolve(factor: number, size: number, x: number, from: number): void {
    const { f64 } = arena;
    const L = factor >>> 3;
    const x0 = x >>> 3;
    const whole = size & ~3;
    const begin = from & ~3;
    for (let i = begin; i < size; i++) {
      const row = L + rowStart(i);
      const own = i < whole ? i & ~3 : begin;
      let [even, odd] = [0, 0];
      for (let k = begin; k < own; k += 2) {
        even += f64[row + k] * f64[x0 + k];
        odd += f64[row + k + 1] * f64[x0 + k + 1];
      }
      let a = f64[x0 + i] - (even + odd);
      for (let k = own; k < i; k++) a -= f64[row + k] * f64[x0 + k];
      f64[x0 + i] = a / f64[row + i];
    }
    for (let i = size - 1; i >= 0; i--) {
      const row = L + rowStart(i);
      const value = f64[x0 + i] / f64[row + i];
      f64[x0 + i] = value;
      const own = i < whole ? i & ~3 : 0;
      for (let k = own; k < i; k++) f64[x0 + k] -= f64[row + k] * value;
      if (i >= whole || i !== own) continue;
      // the four rows together
      const [r1, r2, r3] = [row + i + 1, row + 2 * i + 3, row + 3 * i + 6];
      for (let k = 0; k < i; k++)
        f64[x0 + k] -=
          f64[row + k] * value +
          f64[r1 + k] * f64[x0 + i + 1] +
          f64[r2 + k] * f64[x0 + i + 2] +
          f64[r3 + k] * f64[x0 + i + 3];
    }
  }

  return { smoFactorise, smoSolve };
}
