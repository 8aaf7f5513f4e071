/** Rows of Gram matrices in plain TypeScript: the twin of assembly/radial-rows.ts, same bits. */
import type { Arena } from "./arena.js";
import type { KernelFunctions } from "./kernels.js";
import { powerOfTwo } from "./twin-gaussian.js";

export function radialTwin(arena: Arena): Pick<KernelFunctions, "radialRow" | "blendRow"> {
  const singles = () => new Float32Array(arena.f64.buffer, arena.f64.byteOffset, arena.f64.length * 2);
  return {
    radialRow(count, distances, squared, scale, first, products, sums) {
      const { f64 } = arena;
      const f32 = singles();
      for (let j = 0; j < count; j++) {
        const d = f32[(distances >>> 2) + j];
        const k = powerOfTwo(-scale * (squared === 1 ? d * d : d));
        const product = (products >>> 3) + j;
        const sum = (sums >>> 3) + j;
        f64[product] = first === 1 ? k : f64[product] * k;
        f64[sum] = first === 1 ? k : f64[sum] + k;
      }
    },

    blendRow(count, products, sums, weight, share, out) {
      const { f64 } = arena;
      const f32 = singles();
      for (let j = 0; j < count; j++)
        f32[(out >>> 2) + j] = weight * f64[(products >>> 3) + j] + share * f64[(sums >>> 3) + j];
    },
  };
}
