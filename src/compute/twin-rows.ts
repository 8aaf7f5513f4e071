/** The twin of assembly/row-steps.ts, where the formulas are: same sums in the same order. */
import type { Arena } from "./arena.js";
import type { KernelFunctions } from "./kernels.js";

export function rowsTwin(arena: Arena): Pick<KernelFunctions, "rowsStep" | "rowsStep32" | "addProducts"> {
  return {
    rowsStep(k, begin, end, offsets, targets, values, scale, loop, mass, factor, current, previous, dots) {
      const { f64, u32 } = arena;
      const [offset0, target0, value0] = [offsets >>> 2, targets >>> 2, values >>> 3];
      const [scale0, loop0, mass0] = [scale >>> 3, loop >>> 3, mass >>> 3];
      const [current0, previous0, dots0] = [current >>> 3, previous >>> 3, dots >>> 3];
      const byPattern = values === 0;
      const sum = new Float64Array(k);
      f64.fill(0, dots0, dots0 + 2 * k);
      for (let i = begin; i < end; i++) {
        sum.fill(0);
        for (let e = u32[offset0 + i]; e < u32[offset0 + i + 1]; e++) {
          const x = current0 + u32[target0 + e] * k;
          if (byPattern) for (let c = 0; c < k; c++) sum[c] += f64[x + c];
          else for (let c = 0; c < k; c++) sum[c] += f64[value0 + e] * f64[x + c];
        }
        const weight = byPattern ? f64[mass0 + i] : 1;
        for (let c = 0; c < k; c++) {
          const own = f64[current0 + i * k + c];
          const product = byPattern ? f64[scale0 + i] * sum[c] + f64[loop0 + i] * own : sum[c];
          const y = factor * (product - f64[previous0 + i * k + c]);
          f64[previous0 + i * k + c] = y;
          f64[dots0 + c] += weight * y * y;
          f64[dots0 + k + c] += weight * y * own;
        }
      }
    },

    rowsStep32(begin, end, offsets, targets, values, scale, loop, mass, factor, current, previous, dots) {
      const { f64, u32 } = arena;
      const f32 = new Float32Array(f64.buffer);
      const k = 16;
      const [offset0, target0, dots0] = [offsets >>> 2, targets >>> 2, dots >>> 3];
      const [current0, previous0] = [current >>> 2, previous >>> 2];
      const byPattern = values === 0;
      const sum = new Float32Array(k);
      f64.fill(0, dots0, dots0 + 2 * k);
      for (let i = begin; i < end; i++) {
        sum.fill(0);
        for (let e = u32[offset0 + i]; e < u32[offset0 + i + 1]; e++) {
          const x = current0 + u32[target0 + e] * k;
          if (byPattern) for (let c = 0; c < k; c++) sum[c] += f32[x + c];
          else for (let c = 0; c < k; c++) sum[c] += Math.fround(f32[(values >>> 2) + e] * f32[x + c]);
        }
        const weight = byPattern ? f64[(mass >>> 3) + i] : 1;
        for (let c = 0; c < k; c++) {
          const own = f32[current0 + i * k + c];
          const product = byPattern
            ? Math.fround(
                Math.fround(f32[(scale >>> 2) + i] * sum[c]) + Math.fround(f32[(loop >>> 2) + i] * own),
              )
            : sum[c];
          const y = Math.fround(factor * Math.fround(product - f32[previous0 + i * k + c]));
          f32[previous0 + i * k + c] = y;
          f64[dots0 + c] += weight * y * y;
          f64[dots0 + k + c] += weight * y * own;
        }
      }
    },

    addProducts(k, begin, end, mass, start, vector, sums, squares, columns) {
      const { f64 } = arena;
      const column0 = columns >>> 3;
      f64.fill(0, column0, column0 + k);
      for (let i = begin; i < end; i++) {
        const weight = mass === 0 ? 1 : f64[(mass >>> 3) + i];
        let sum = 0;
        let square = 0;
        for (let c = 0; c < k; c++) {
          const x = weight * f64[(start >>> 3) + i * k + c] * f64[(vector >>> 3) + i * k + c];
          sum += x;
          square += x * x;
          f64[column0 + c] += x;
        }
        f64[(sums >>> 3) + i] += sum;
        f64[(squares >>> 3) + i] += square;
      }
    },
  };
}
