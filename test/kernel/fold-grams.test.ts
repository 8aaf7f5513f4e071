/** The Grams of a fold against those of the plain way, whose values come from Math.exp and whose medians from sorting. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { FoldGrams } from "../../src/kernel/fold-grams.js";
import { pairMiddle } from "../../src/kernel/pair-middle.js";
import { kernelByName, kernelGram, kernelOptions } from "../../src/kernel/registry.js";
import type { Distances } from "../../src/kernel/signatures.js";

/** Euclidean distances of random points on a line, in single precision. */
function lineDistances(n: number, seed: number): Distances {
  const random = new Random(seed);
  const points = Array.from({ length: n }, () => 10 * random.uniform());
  const values = new Float32Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) values[i * n + j] = Math.abs(points[i] - points[j]);
  return { rows: n, columns: n, values, mostNegative: 0, errorBound: 0 };
}

const plain = typescriptKernels();
const wasm = await loadKernels();

describe("Grams of a fold", () => {
  const n = 75;
  const distances = [lineDistances(n, 1), lineDistances(n, 2), lineDistances(n, 3)];
  const training = Int32Array.from({ length: 60 }, (_, i) => i + 5);
  const spec = kernelByName("dos+ldos");
  const points = [
    { options: kernelOptions(spec, {}), parts: [0, 1] },
    { options: kernelOptions(spec, { "dos.exponent": 1, "ldos.multiple": 0.3 }), parts: [0, 2] },
    { options: kernelOptions(spec, { combine: "mean" }), parts: [2, 1] },
    { options: kernelOptions(spec, { combine: "product", "dos.bandwidth": "median-all" }), parts: [1, 0] },
    {
      options: kernelOptions(spec, { combine: "geometric", "dos.exponent": 1, "ldos.exponent": 1 }),
      parts: [0, 1],
    },
  ];

  test("equal the Gram by Math.exp to single precision, for every combination", () => {
    const grams = new FoldGrams(wasm, n, (k) => distances[k], training);
    for (const { options, parts } of points) {
      const { gram } = kernelGram(
        { spec, options },
        parts.map((part) => distances[part]),
        training,
        {
          float32: false,
        },
      );
      const got = grams.gram(spec, options, parts);
      for (let k = 0; k < n * n; k++) expect(got[k]).toBeCloseTo(gram.values[k], 6);
    }
  });

  test("are symmetric, have a unit diagonal and are the same bits in plain TypeScript", () => {
    const fast = new FoldGrams(wasm, n, (k) => distances[k], training);
    const slow = new FoldGrams(plain, n, (k) => distances[k], training);
    for (const { options, parts } of points.slice(0, 4)) {
      const got = fast.gram(spec, options, parts);
      expect(got).toEqual(slow.gram(spec, options, parts));
      for (let i = 0; i < n; i++) {
        expect(got[i * n + i]).toBe(1);
        for (let j = 0; j < i; j++) expect(got[i * n + j]).toBe(got[j * n + i]);
      }
    }
  });

  test("one graph is a Gram of 1", () => {
    const one = new FoldGrams(wasm, 1, () => lineDistances(1, 0), Int32Array.of(0));
    const dos = kernelByName("dos");
    expect(Array.from(one.gram(dos, kernelOptions(dos, {}), [0]))).toEqual([1]);
  });
});

describe("the middle of the distances", () => {
  test("is that of sorting them, in double and in single precision, with ties and zeros", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constantFrom(0, -0, 1, 1e-300)), {
          minLength: 0,
          maxLength: 30,
        }),
        fc.boolean(),
        (points, single) => {
          const n = points.length;
          const values = single ? new Float32Array(n * n) : new Float64Array(n * n);
          for (let i = 0; i < n; i++)
            for (let j = 0; j < n; j++) values[i * n + j] = Math.abs(points[i] - points[j]);
          const indices = points.map((_, i) => i).filter((i) => i % 3 !== 1);
          const sorted = indices
            .flatMap((i) => indices.filter((j) => j < i).map((j) => values[i * n + j]))
            .sort((x, y) => x - y);
          const { lower, upper } = pairMiddle(values, n, indices);
          const half = sorted.length >> 1;
          expect(upper).toBe(sorted[half] ?? 0);
          expect(lower).toBe(sorted[sorted.length % 2 === 1 ? half : half - 1] ?? 0);
        },
      ),
    );
  });
});
