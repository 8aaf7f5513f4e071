import { describe, expect, it } from "vitest";
import { sourceHash } from "../../scripts/build-wasm.js";
import { Random } from "../../src/base/random.js";
import { Arena, PlainMemory } from "../../src/compute/arena.js";
import type { Kernels } from "../../src/compute/kernels.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { hasWasmSimd, loadKernels, moduleBytes } from "../../src/compute/wasm.js";
import { SOURCE_HASH } from "../../src/compute/wasm-module.js";

const wasm = await loadKernels();
const plain = typescriptKernels();

/** Places numbers in the arena and returns their address. */
function put(kernels: Kernels, numbers: ArrayLike<number>, kind: "f64" | "u32"): number {
  const address = kernels.arena.allocate(numbers.length * (kind === "f64" ? 8 : 4));
  kernels.arena[kind].set(numbers, address / (kind === "f64" ? 8 : 4));
  return address;
}

/** A random symmetric sparse matrix with doubled values, as compressed rows and as a dense table. */
function sparseMatrix(n: number, random: Random) {
  const dense = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (let e = 0; e < 2 * n; e++) {
    const i = random.integer(n);
    const j = random.integer(n);
    dense[i][j] = dense[j][i] = 0.3 * random.normal();
  }
  const offsets = [0];
  const targets: number[] = [];
  const doubled: number[] = [];
  for (const row of dense) {
    row.forEach((x, j) => {
      if (x === 0) return;
      targets.push(j);
      doubled.push(2 * x);
    });
    offsets.push(targets.length);
  }
  return { dense, offsets, targets, doubled };
}

describe("the WASM module", () => {
  it("is up to date with its sources (else: npx tsx scripts/build-wasm.ts)", () => {
    expect(SOURCE_HASH).toBe(sourceHash());
  });

  it("is valid for plain and for shared memory, which it takes when told", async () => {
    expect(hasWasmSimd()).toBe(true);
    expect(WebAssembly.validate(moduleBytes(true))).toBe(true);
    expect(wasm.kind).toBe("wasm-simd");
    expect(wasm.arena.f64.buffer).toBeInstanceOf(ArrayBuffer);
    const shared = await loadKernels({ shared: true });
    expect(shared.arena.f64.buffer).toBeInstanceOf(SharedArrayBuffer);
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
    const [low, high] = await Promise.all([
      loadKernels({ shared: true, memory, limit: 4096 }),
      loadKernels({ shared: true, memory, base: 4096 }),
    ]);
    expect(low.arena.allocate(1024)).toBeLessThan(4096);
    expect(high.arena.allocate(8)).toBe(4096);
    expect(low.arena.f64.buffer).toBe(high.arena.f64.buffer);
    expect(() => low.arena.allocate(1e6)).toThrow(/working memory/);
  });

  it("refuses options that it does not know", async () => {
    await expect(loadKernels({ share: true } as never)).rejects.toThrow(/unknown option: share/);
  });
});

describe("arena", () => {
  it("keeps what it holds when it grows, and gives aligned addresses", () => {
    for (const arena of [new Arena(new PlainMemory(128)), wasm.arena]) {
      arena.reset();
      const first = arena.allocate(8);
      arena.f64[first / 8] = 42;
      const mark = arena.mark();
      const large = arena.allocate(5_000_001);
      expect(large % 64).toBe(0);
      expect(large).toBeGreaterThanOrEqual(first + 8);
      expect(arena.f64[first / 8]).toBe(42);
      arena.f64[large / 8 + 600_000] = 1;
      expect(arena.f64.length).toBeGreaterThan(large / 8 + 625_000);
      arena.release(mark);
      expect(arena.allocate(8)).toBe(large);
    }
  });
});

describe("chebyshevStep", () => {
  it.each([4, 8, 16])(
    "computes 2Qx − y and its dot products on %i columns, the same bits in both makes",
    (k) => {
      for (const n of [1, 2, 7, 33]) {
        const { dense, offsets, targets, doubled } = sparseMatrix(n, new Random(n, k));
        const random = new Random(1, n, k);
        const x = Float64Array.from({ length: n * k }, () => random.normal());
        const y = Float64Array.from({ length: n * k }, () => random.normal());
        const results = [wasm, plain].map((kernels) => {
          kernels.arena.reset();
          const matrix = [
            put(kernels, offsets, "u32"),
            put(kernels, targets, "u32"),
            put(kernels, doubled, "f64"),
          ] as const;
          const current = put(kernels, x, "f64");
          const previous = put(kernels, y, "f64");
          const dots = kernels.arena.allocate(16 * k);
          kernels.chebyshevStep(k, n, ...matrix, current, previous, dots);
          const { f64 } = kernels.arena;
          return [f64.slice(previous / 8, previous / 8 + n * k), f64.slice(dots / 8, dots / 8 + 2 * k)];
        });
        expect(results[0]).toEqual(results[1]);
        const [z, dots] = results[0];
        for (let c = 0; c < k; c++) {
          let square = 0;
          let mixed = 0;
          for (let i = 0; i < n; i++) {
            const sum = dense[i].reduce((s, q, j) => s + q * x[j * k + c], 0);
            expect(z[i * k + c]).toBeCloseTo(2 * sum - y[i * k + c], 12);
            square += z[i * k + c] ** 2;
            mixed += z[i * k + c] * x[i * k + c];
          }
          expect(dots[c]).toBeCloseTo(square, 10);
          expect(dots[k + c]).toBeCloseTo(mixed, 10);
        }
      }
    },
  );
});

describe("unitMoments", () => {
  it("does not depend on how nodes are packed into blocks", () => {
    const n = 29;
    const M = 31;
    const { offsets, targets, doubled } = sparseMatrix(n, new Random(5));
    for (const kernels of [wasm, plain]) {
      const { arena } = kernels;
      arena.reset();
      const matrix = [
        put(kernels, offsets, "u32"),
        put(kernels, targets, "u32"),
        put(kernels, doubled, "f64"),
      ] as const;
      const places = put(
        kernels,
        Uint32Array.from({ length: n }, (_, i) => n - 1 - i),
        "u32",
      );
      const work = arena.allocate(128 * (n + 1));
      const whole = arena.allocate(8 * n * (M + 1));
      const parts = arena.allocate(8 * n * (M + 1));
      kernels.unitMoments(n, ...matrix, 0, n, places, M, whole, work);
      for (const [begin, end] of [
        [0, 3],
        [3, 4],
        [4, 11],
        [11, 29],
      ])
        kernels.unitMoments(n, ...matrix, begin, end, places, M, parts, work);
      const rows = (address: number) => arena.f64.slice(address / 8, address / 8 + n * (M + 1));
      expect(rows(whole)).toEqual(rows(parts));
      expect(rows(whole)[(n - 1) * (M + 1) + 1]).toBe(
        targets.slice(0, offsets[1]).includes(0) ? doubled[targets.indexOf(0)] / 2 : 0,
      );
    }
  });
});
