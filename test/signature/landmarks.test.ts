import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import type { Executor } from "../../src/compute/executor.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { exactProducts } from "../../src/kernel/exact-mmd.js";
import { fitKernel, kernelByName, kernelDistances } from "../../src/kernel/registry.js";
import { fitLandmarks } from "../../src/signature/landmark-fit.js";
import { landmarkCoordinates, witnessRows } from "../../src/signature/landmark-tasks.js";
import { embedByLandmarks } from "../../src/signature/landmarks.js";
import {
  allocateNodeRows,
  copyRow,
  graphRange,
  type NodeRows,
  orderKeys,
  setRow,
} from "../../src/signature/node-rows.js";
import { pivotedCholesky } from "../../src/signature/pivoted-cholesky.js";
import { built } from "../built.js";
import { context, executor, inputOf, randomGraphs } from "../kernel/helpers.js";

const { threadExecutor } =
  await built<typeof import("../../src/node/worker-threads.js")>("node/worker-threads");

const kernels = await loadKernels();

/** Random clouds of weighted rows. */
function cloud(graphs: number, dimension: number, seed: number, spread = 0.3): NodeRows {
  const random = new Random(seed);
  const counts = Array.from({ length: graphs }, () => random.integer(9));
  const rows = allocateNodeRows(counts, dimension);
  let i = 0;
  for (const count of counts) {
    const weights = Array.from({ length: count }, () => 1 + random.integer(5));
    const total = weights.reduce((sum, w) => sum + w, 0);
    for (let r = 0; r < count; r++, i++) {
      rows.masses[i] = weights[r] / total;
      setRow(
        rows,
        i,
        Float64Array.from({ length: dimension }, () => spread * random.normal()),
      );
    }
  }
  return rows;
}

function exactMmd(rows: NodeRows, node: { shape: "gaussian" | "laplacian"; width: number }): Float64Array {
  const n = rows.offsets.length - 1;
  const tile = { node, a: graphRange(rows, 0, n), aKeys: orderKeys(rows), b: null, bKeys: null };
  const products = exactProducts(kernels, tile);
  return Float64Array.from(products, (product, k) => {
    const [g, h] = [Math.floor(k / n), k % n];
    return Math.sqrt(Math.max(0, products[g * n + g] + products[h * n + h] - 2 * product));
  });
}

function bounds({ vectors, missed }: { vectors: Float64Array; missed: Float64Array }, g: number, h: number) {
  const rank = vectors.length / missed.length;
  let square = 0;
  for (let k = 0; k < rank; k++) square += (vectors[g * rank + k] - vectors[h * rank + k]) ** 2;
  return { lower: Math.sqrt(square), upper: Math.sqrt(square + (missed[g] + missed[h]) ** 2) };
}

describe("landmark embedding", () => {
  test("MMD lies between its bounds at any rank, for graphs seen and unseen", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1000 }),
        fc.constantFrom("gaussian" as const, "laplacian" as const),
        fc.constantFrom(1, 3, 10, 40, 400),
        async (seed, shape, maximumRank) => {
          const node = { shape, width: 0.4 };
          const rows = cloud(14, 4, seed);
          const { model, embedding } = await fitLandmarks(rows, node, { executor, maximumRank });
          expect(model.factor.rank).toBeLessThanOrEqual(maximumRank);
          const others = cloud(6, 4, seed + 5000);
          for (const [set, found] of [
            [rows, embedding],
            [others, await embedByLandmarks(model, others, executor)],
          ] as const) {
            const n = set.offsets.length - 1;
            const exact = exactMmd(set, node);
            for (let g = 0; g < n; g++)
              for (let h = 0; h < g; h++) {
                const { lower, upper } = bounds(found, g, h);
                expect(exact[g * n + h]).toBeGreaterThan(lower - 1e-6);
                expect(exact[g * n + h]).toBeLessThan(upper + 1e-9);
              }
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test("the tolerance holds for every pair, and a tighter one takes more landmarks", async () => {
    const node = { shape: "gaussian", width: 0.3 } as const;
    const rows = cloud(60, 3, 1);
    const exact = exactMmd(rows, node);
    let before = 0;
    for (const tolerance of [0.1, 0.01, 0.001]) {
      const { embedding, model, graphsLeft } = await fitLandmarks(rows, node, {
        executor,
        tolerance,
        candidates: 50,
      });
      expect(graphsLeft).toBe(0);
      expect(model.factor.rank).toBeGreaterThan(before);
      before = model.factor.rank;
      for (let g = 0; g < 60; g++)
        for (let h = 0; h < g; h++) {
          const { lower, upper } = bounds(embedding, g, h);
          expect(exact[g * 60 + h] - lower).toBeLessThan(tolerance);
          expect(upper - lower).toBeLessThan(1.001 * tolerance);
        }
    }
  });

  test("short maps run near by where the executor is far away, with the same result", async () => {
    const node = { shape: "gaussian", width: 0.3 } as const;
    const rows = cloud(60, 3, 1);
    const options = { tolerance: 0.01, candidates: 50 };
    const noting = (tasks: Set<string>): Executor => ({
      ...executor,
      map(task, inputs, control) {
        tasks.add(task.name);
        return executor.map(task, inputs, control);
      },
    });
    const [far, near] = [new Set<string>(), new Set<string>()];
    const apart = await fitLandmarks(rows, node, {
      executor: { ...noting(far), near: noting(near) },
      ...options,
    });
    expect([...far].sort()).toEqual(["landmark-coordinates", "self-products"]);
    expect([...near].sort()).toEqual(["landmark-coordinates", "landmark-witness", "vector-distances"]);
    const alone = await fitLandmarks(rows, node, { executor, ...options });
    expect(apart.embedding).toEqual(alone.embedding);
  });

  test("graphs without rows are the zero vector, and nothing at all is embedded too", async () => {
    const node = { shape: "gaussian", width: 0.3 } as const;
    const empty = allocateNodeRows([0, 0], 3);
    const { embedding, model } = await fitLandmarks(empty, node, { executor });
    expect(model.factor.rank).toBe(0);
    expect(embedding.missed.every((x) => x < 1e-5)).toBe(true);
    expect((await fitLandmarks(allocateNodeRows([], 3), node, { executor })).embedding.missed).toHaveLength(
      0,
    );
  });

  test("a tolerance or a rank that makes no sense is refused", async () => {
    const node = { shape: "gaussian", width: 0.3 } as const;
    const rows = cloud(3, 2, 0);
    await expect(fitLandmarks(rows, node, { executor, tolerance: 0 })).rejects.toThrow(/tolerance: got 0/);
    await expect(fitLandmarks(rows, node, { executor, maximumRank: 0.5 })).rejects.toThrow(/rank: got 0.5/);
    await expect(fitLandmarks(rows, { ...node, width: -1 }, { executor })).rejects.toThrow(/width: got -1/);
  });

  test("WASM and its twin give the same bits for coordinates and witnesses", async () => {
    const node = { shape: "gaussian", width: 0.2 } as const;
    const rows = cloud(11, 5, 8);
    const { model, embedding } = await fitLandmarks(rows, node, { executor, tolerance: 0.2 });
    const rank = model.factor.rank;
    const input = {
      node,
      range: graphRange(rows, 0, 11),
      landmarks: model.landmarks,
      factor: model.factor.packed(),
    };
    const coordinates = { ...input, from: 0, rank, solved: [] };
    const witness = { ...input, coordinates: embedding.vectors, picks: 2 };
    const twin = typescriptKernels();
    expect(landmarkCoordinates(twin, coordinates)).toEqual(landmarkCoordinates(kernels, coordinates));
    expect(witnessRows(twin, witness)).toEqual(witnessRows(kernels, witness));
  });
});

test("pivoted Cholesky reproduces a matrix of low rank and stops there", () => {
  // K = X Xᵀ with X 20 × 3
  const random = new Random(4);
  const x = Float64Array.from({ length: 60 }, () => random.normal());
  const k = (i: number, j: number) =>
    x[3 * i] * x[3 * j] + x[3 * i + 1] * x[3 * j + 1] + x[3 * i + 2] * x[3 * j + 2];
  const diagonal = Float64Array.from({ length: 20 }, (_, i) => k(i, i));
  const { chosen, factor } = pivotedCholesky(diagonal, 1e-10, 20, (p, out) => {
    for (let c = 0; c < 20; c++) out[c] = k(p, c);
  });
  expect(chosen).toHaveLength(3);
  for (let s = 0; s < 3; s++)
    for (let t = 0; t <= s; t++) {
      let sum = 0;
      for (let l = 0; l <= t; l++) sum += factor.row(s)[l] * factor.row(t)[l];
      expect(sum).toBeCloseTo(k(chosen[s], chosen[t]), 12);
    }
});

test("the ldos kernel's low-rank distances are within the printed bound of its exact ones on random graphs", async () => {
  const input = await inputOf(randomGraphs(16, 11, 10, 50));
  const spec = kernelByName("ldos");
  for (const options of [
    {},
    { selfLoops: true, width: 0.03 },
    { basis: "chebyshev" },
    { node: "laplacian", tolerance: 0.05 },
  ]) {
    const [low] = await kernelDistances(await fitKernel(spec, input, options, context), { executor });
    const [exact] = await kernelDistances(
      await fitKernel(spec, input, { ...options, mmd: "exact" }, context),
      { executor },
    );
    let error = 0;
    for (let k = 0; k < low.values.length; k++)
      error = Math.max(error, Math.abs(low.values[k] - exact.values[k]));
    expect(error).toBeLessThanOrEqual(low.errorBound + 1e-7);
    expect(low.errorBound).toBeLessThanOrEqual("tolerance" in options ? 0.05 : 1e-3);
  }
});

test("triangular solves: L(L⁻¹v) = v and Lᵀ(L⁻ᵀv) = v beyond one panel and for any number of quads; WASM and its twin give the same bits", () => {
  const random = new Random(9);
  const rank = 331;
  const factor = Float64Array.from({ length: (rank * (rank + 1)) / 2 }, () => 0.05 * random.normal());
  const entry = (s: number, t: number) => factor[(s * (s + 1)) / 2 + t];
  for (let s = 0; s < rank; s++) factor[(s * (s + 1)) / 2 + s] = 1 + random.integer(3);
  for (const quads of [1, 2, 3]) {
    const start = Float64Array.from({ length: 4 * rank * quads }, () => random.normal());
    const solve = (k: typeof kernels, steps: readonly number[] | "upper") => {
      const mark = k.arena.mark();
      const [l, v] = [k.arena.allocate(8 * factor.length), k.arena.allocate(8 * start.length)];
      k.arena.f64.set(start, v >>> 3);
      k.arena.f64.set(factor, l >>> 3);
      if (steps === "upper") k.solveUpper(l, rank, v, quads);
      else
        for (let e = 0; e + 1 < steps.length; e++) {
          const row = l + 4 * steps[e] * (steps[e] + 1);
          k.solveLower(row, steps[e], steps[e + 1], v, 32 * rank, quads);
        }
      k.arena.release(mark);
      return k.arena.f64.slice(v >>> 3, (v >>> 3) + start.length);
    };
    const lower = solve(kernels, [0, rank]);
    const upper = solve(kernels, "upper");
    expect(solve(kernels, [0, 3, 255, 256, 300, rank])).toEqual(lower);
    expect(solve(typescriptKernels(), [0, 70, rank])).toEqual(lower);
    expect(solve(typescriptKernels(), "upper")).toEqual(upper);
    for (let c = 0; c < 4 * quads; c++) {
      const place = (s: number) => 4 * rank * (c >>> 2) + 4 * s + (c & 3);
      for (let s = 0; s < rank; s++) {
        let [down, up] = [0, 0];
        for (let t = 0; t <= s; t++) down += entry(s, t) * lower[place(t)];
        for (let t = s; t < rank; t++) up += entry(t, s) * upper[place(t)];
        expect(Math.abs(down - start[place(s)])).toBeLessThan(1e-11);
        expect(Math.abs(up - start[place(s)])).toBeLessThan(1e-11);
      }
    }
  }
});

describe("the landmarks of a graph do not depend on what lies beside it", () => {
  /** Rows far apart in widths of the kernel, so that blocks of four by four pairs are skipped, or not, by who is in them. */
  const node = { shape: "gaussian", width: 0.05 } as const;
  const spreadRows = (counts: readonly number[], seed: number) => {
    const random = new Random(seed);
    const rows = allocateNodeRows(counts, 3);
    for (let g = 0, i = 0; g < counts.length; g++)
      for (let r = 0; r < counts[g]; r++, i++) {
        rows.masses[i] = 1 / counts[g];
        setRow(
          rows,
          i,
          Float64Array.from({ length: 3 }, () => 0.3 * random.normal()),
        );
      }
    return rows;
  };
  /** The rows on shared memory. */
  const onShared = (rows: NodeRows): NodeRows => {
    const shared = allocateNodeRows(
      Array.from({ length: rows.offsets.length - 1 }, (_, g) => rows.offsets[g + 1] - rows.offsets[g]),
      rows.dimension,
      true,
    );
    shared.masses.set(rows.masses);
    shared.values.set(rows.values);
    return shared;
  };

  test("coordinates, missed parts and named rows are the same behind 0, 1, 2 and 3 other rows", async () => {
    const counts = Array.from({ length: 12 }, (_, g) => 20 + 3 * g);
    const own = spreadRows(counts, 5);
    const { model } = await fitLandmarks(own, node, { executor, maximumRank: 60 });
    const input = { node, landmarks: model.landmarks, factor: model.factor.packed() };
    const rank = model.factor.rank;
    const alone = await embedByLandmarks(model, own, executor);
    for (const shift of [1, 2, 3]) {
      const behind = spreadRows([shift, ...counts], 5);
      for (let i = 0; i < own.masses.length; i++) copyRow(own, i, behind, shift + i);
      const found = await embedByLandmarks(model, behind, executor);
      expect(found.vectors.slice(rank)).toEqual(alone.vectors);
      expect(found.missed.slice(1)).toEqual(alone.missed);
      const named = (rows: NodeRows, from: number) =>
        witnessRows(kernels, {
          ...input,
          range: { rows, from, to: from + counts.length },
          coordinates: alone.vectors,
          picks: 3,
        });
      expect(named(behind, 1)).toEqual(named(own, 0));
    }
  });

  test("a set of several units has the same bits for any number of workers, on plain and on shared memory", async () => {
    // above 2 × 16,384 rows, so that there are three units, whose copies begin elsewhere than on shared memory
    const counts = Array.from({ length: 150 }, (_, g) => 180 + ((37 * g) % 101));
    const plain = spreadRows(counts, 7);
    expect(plain.masses.length).toBeGreaterThan(2 * 16384);
    const options = { maximumRank: 40, candidates: 60 };
    const expected = await fitLandmarks(plain, node, { executor, ...options });
    for (const [workers, rows] of [
      [0, onShared(plain)],
      [1, plain],
      [3, plain],
      [3, onShared(plain)],
    ] as const) {
      const threads = threadExecutor(workers);
      const found = await fitLandmarks(rows, node, { executor: threads, ...options });
      await threads.close();
      expect(Array.from(found.embedding.vectors)).toEqual(Array.from(expected.embedding.vectors));
      expect(found.embedding.missed).toEqual(expected.embedding.missed);
      expect(Array.from(found.model.landmarks.values)).toEqual(Array.from(expected.model.landmarks.values));
    }
  });
});

test("landmarks have the same bits in this thread and in workers, on plain and on shared memory", async () => {
  const input = await inputOf(randomGraphs(40, 3, 10, 60));
  const spec = kernelByName("ldos");
  const fitted = await fitKernel(spec, input, {}, context);
  const [expected] = await kernelDistances(fitted, { executor });
  for (const shared of [false, true]) {
    const threads = threadExecutor(2);
    const again = await fitKernel(spec, input, {}, { executor: threads, shared });
    const [found] = await kernelDistances(again, { executor: threads });
    await threads.close();
    expect(found).toEqual(expected);
  }
});
