/** Random walks in plain TypeScript: the twin of assembly/walks.ts, same bits. */
import { philox } from "../base/random.js";
import type { Arena } from "./arena.js";
import type { KernelFunctions } from "./kernels.js";

export function walksTwin(arena: Arena): Pick<KernelFunctions, "walkReturns"> {
  return {
    walkReturns(begin, end, nodes, offsets, targets, sums, walks, steps, seedLow, seedHigh, _work, out) {
      const { f64, u32 } = arena;
      const [offset0, target0, sum0] = [offsets >>> 2, targets >>> 2, sums >>> 3];
      const words = new Uint32Array(4);
      const at = new Uint32Array(4);

      function step(from: number, word: number): number {
        let low = u32[offset0 + from];
        const length = u32[offset0 + from + 1] - low;
        if (sums === 0) return u32[target0 + low + highWord(word, length)];
        let high = low + length - 1;
        const x = (word / 4294967296) * f64[sum0 + high];
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (f64[sum0 + middle] > x) high = middle;
          else low = middle + 1;
        }
        return u32[target0 + low];
      }

      for (let i = begin, row = out >>> 2; i < end; i++, row += steps) {
        u32.fill(0, row, row + steps);
        for (let first = 0; first < walks; first += 4) {
          at.fill(i);
          for (let k = 0; k < steps; k++) {
            philox((first / 4) * steps + k, 0, i, nodes, seedLow, seedHigh, words);
            for (let w = 0; w < 4 && first + w < walks; w++) {
              at[w] = step(at[w], words[w]);
              if (at[w] === i) u32[row + k]++;
            }
          }
        }
      }
    },
  };
}

/** ⌊a·b / 2^32⌋ for 0 <= a, b < 2^32, b by 16-bit halves so that every product is exact. */
function highWord(a: number, b: number): number {
  const low = a * (b & 0xffff);
  return Math.floor((a * (b >>> 16) + Math.floor(low / 65536)) / 65536);
}
