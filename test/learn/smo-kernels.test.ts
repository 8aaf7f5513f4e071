import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import type { Kernels } from "../../src/compute/kernels.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { PROBLEM, PROBLEM_BYTES } from "../../src/compute/twin-smo.js";
import { loadKernels } from "../../src/compute/wasm.js";

const makes = [await loadKernels(), typescriptKernels()];

/** Runs on a fresh arena in both makes; the results must be equal. */
function both<T>(run: (kernels: Kernels) => T): T {
  const [fast, plain] = makes.map((kernels) => {
    kernels.arena.reset();
    // enough at once, so that views stay
    const mark = kernels.arena.mark();
    kernels.arena.allocate(1 << 20);
    kernels.arena.release(mark);
    return run(kernels);
  });
  expect(fast).toEqual(plain);
  return fast;
}

function put({ arena }: Kernels, values: ArrayLike<number>, kind: "f64" | "f32" | "u32"): number {
  const address = arena.allocate(8 * values.length + 8);
  if (kind === "f32") new Float32Array(arena.f64.buffer, address, values.length).set(values);
  else arena[kind].set(values, address / (kind === "f64" ? 8 : 4));
  return address;
}

const numbers = (random: Random, length: number) => Float64Array.from({ length }, () => random.normal());

describe("subtracting rows", () => {
  test("is a sum of products, for any number of rows, within its range only", () => {
    for (const single of [0, 1] as const)
      for (const number of [0, 1, 3, 4, 7, 8, 9, 15, 21]) {
        const random = new Random(number, single);
        const [rowCount, width, begin, end] = [6, 24, 4, 22];
        const source = Float32Array.from(numbers(random, rowCount * width));
        const rows = Array.from({ length: number }, () => random.integer(rowCount));
        const changes = numbers(random, number);
        const target = numbers(random, width);
        const got = both((kernels) => {
          const at = put(kernels, target, "f64");
          const matrix = put(kernels, source, single ? "f32" : "f64");
          const list = [put(kernels, rows, "u32"), put(kernels, changes, "f64")] as const;
          kernels.smoSubtractRows(at, begin, end, matrix, width * (single ? 4 : 8), single, ...list, number);
          return kernels.arena.f64.slice(at / 8, at / 8 + width);
        });
        for (let k = 0; k < width; k++) {
          const sum = rows.reduce((total, row, i) => total + changes[i] * source[row * width + k], 0);
          expect(got[k]).toBeCloseTo(k >= begin && k < end ? target[k] - sum : target[k], 12);
        }
      }
  });
});

describe("the factor of the free points", () => {
  test("multiplies to the matrix and solves it, from any first entry", () => {
    for (const single of [0, 1] as const)
      for (const size of [1, 2, 3, 4, 5, 7, 8, 9, 13, 34]) {
        const random = new Random(size, single);
        const n = size + 3;
        const x = numbers(random, n * n);
        const gram = new Float32Array(n * n);
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++) {
            for (let k = 0; k < n; k++) gram[i * n + j] += x[i * n + k] * x[j * n + k];
            if (i === j) gram[i * n + j] += 1;
          }
        for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) gram[i * n + j] = gram[j * n + i];
        const rows = random.shuffle(Int32Array.from({ length: n }, (_, i) => i)).slice(0, size);
        const ridge = 0.25;
        const H = (i: number, j: number) => gram[rows[i] * n + rows[j]] + (i === j ? ridge : 0);
        for (const from of [0, size >> 1, size - 1]) {
          const right = numbers(random, size).fill(0, 0, from);
          const { factor, solved } = both((kernels) => {
            const L = kernels.arena.allocate(4 * size * (size + 1));
            const K = put(kernels, gram, single ? "f32" : "f64");
            const list = put(kernels, rows, "u32");
            const v = put(kernels, right, "f64");
            expect(kernels.smoFactorise(L, size, K, n * (single ? 4 : 8), single, list, ridge)).toBe(1);
            kernels.smoSolve(L, size, v, from);
            const { f64 } = kernels.arena;
            return {
              factor: f64.slice(L / 8, L / 8 + (size * (size + 1)) / 2),
              solved: f64.slice(v / 8, v / 8 + size),
            };
          });
          for (let i = 0; i < size; i++) {
            let product = 0;
            for (let j = 0; j < size; j++) product += H(i, j) * solved[j];
            expect(product).toBeCloseTo(right[i], 7);
            for (let j = 0; j <= i; j++) {
              let entry = 0;
              for (let k = 0; k <= j; k++)
                entry += factor[(i * (i + 1)) / 2 + k] * factor[(j * (j + 1)) / 2 + k];
              expect(entry).toBeCloseTo(H(i, j), 9);
            }
          }
        }
      }
  });

  test("does not exist for an indefinite matrix", () => {
    const refused = both((kernels) => {
      const K = put(kernels, [1, 2, 2, 1], "f64");
      const list = put(kernels, [0, 1], "u32");
      return kernels.smoFactorise(kernels.arena.allocate(64), 2, K, 16, 0, list, 0);
    });
    expect(refused).toBe(0);
  });
});

describe("choosing a core", () => {
  test("takes the worst offenders of both sides and free points up to its capacity", () => {
    for (let round = 0; round < 40; round++) {
      const random = new Random(7, round);
      const width = 32;
      const ranges = round % 2 === 0 ? [4, 16, 20, 28] : [0, 32, 0, 0];
      // few different values, so that there are ties
      const F = Float64Array.from({ length: width }, () => random.integer(round % 3 === 0 ? 5 : 1000) / 4);
      const grow = Float64Array.from({ length: width }, () => (random.integer(2) === 0 ? 0 : -Infinity));
      const shrink = Float64Array.from({ length: width }, () => (random.integer(2) === 0 ? 0 : Infinity));
      const quota = 1 + random.integer(6);
      const capacity = 2 * quota + random.integer(8);
      const turn = random.integer(width);
      const { gap, chosen } = both((kernels) => {
        const arrays = [F, grow, shrink, new Float64Array(width), new Float64Array(width + 1)];
        const words = [...arrays.map((values) => put(kernels, values, "f64")), ...ranges];
        const problem = kernels.arena.allocate(PROBLEM_BYTES);
        kernels.arena.u32.set(words, problem / 4);
        const found = kernels.smoGap(problem);
        kernels.smoChoose(problem, quota, capacity, turn);
        const at = words[PROBLEM.chosen] / 4;
        return { gap: found, chosen: kernels.arena.u32.slice(at, at + width) };
      });
      const places = Array.from({ length: width }, (_, k) => k).filter(
        (k) => (k >= ranges[0] && k < ranges[1]) || (k >= ranges[2] && k < ranges[3]),
      );
      const most = Math.max(...places.filter((k) => grow[k] === 0).map((k) => F[k]));
      const least = Math.min(...places.filter((k) => shrink[k] === 0).map((k) => F[k]));
      expect(gap).toBe(most - least);
      const expected = new Set(
        places
          .filter((k) => grow[k] === 0 && F[k] > least)
          .sort((a, b) => F[b] - F[a] || a - b)
          .slice(0, quota),
      );
      const second = places.filter((k) => chosen[k] === 1 && !expected.has(k));
      for (const k of expected) expect(chosen[k]).toBe(1);
      for (const k of second)
        expect((shrink[k] === 0 && F[k] < most) || (grow[k] === 0 && shrink[k] === 0)).toBe(true);
      const total = places.reduce((sum, k) => sum + chosen[k], 0);
      expect(total).toBeLessThanOrEqual(capacity);
      const free = places.filter((k) => grow[k] === 0 && shrink[k] === 0);
      if (total < capacity) for (const k of free) expect(chosen[k]).toBe(1);
      for (let k = 0; k < width; k++) if (!places.includes(k)) expect(chosen[k]).toBe(0);
    }
  });
});
