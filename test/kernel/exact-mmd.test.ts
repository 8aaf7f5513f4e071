import { describe, expect, test } from "vitest";
import { typescriptKernels } from "../../src/compute/twin.js";
import { powerOfTwo } from "../../src/compute/twin-gaussian.js";
import { loadKernels } from "../../src/compute/wasm.js";
import type { Graph } from "../../src/graph/graph.js";
import { exactProducts } from "../../src/kernel/exact-mmd.js";
import { fitKernel, kernelByName, kernelDistances } from "../../src/kernel/registry.js";
import { nodeFeatures } from "../../src/signature/node-features.js";
import { graphRange, orderKeys } from "../../src/signature/node-rows.js";
import { selfProducts } from "../../src/signature/self-products.js";
import { AWKWARD, context, executor, inputOf, largestDifference, randomGraphs } from "./helpers.js";

const graphs = [...randomGraphs(14, 40), ...AWKWARD.slice(0, 10).map(([, graph]) => graph)];
const input = await inputOf(graphs);
const kernels = await loadKernels();
const rows = nodeFeatures(input.profiles!);
const keys = orderKeys(rows);
const node = { shape: "gaussian", width: 0.2 } as const;
const whole = (make = kernels, kernel: { shape: "gaussian" | "laplacian"; width: number } = node) =>
  exactProducts(make, {
    node: kernel,
    a: graphRange(rows, 0, graphs.length),
    aKeys: keys,
    b: null,
    bKeys: null,
  });

describe("exact sums", () => {
  test("WASM and its plain-TypeScript twin give the same bits", () => {
    const twin = typescriptKernels();
    for (const shape of ["gaussian", "laplacian"] as const)
      expect(whole(twin, { shape, width: 0.2 })).toEqual(whole(kernels, { shape, width: 0.2 }));
  });

  test("2^y is right to 1e-15, exactly 1 at 0, and does not underflow", () => {
    for (let y = 0; y > -1000; y -= 0.137) expect(Math.abs(powerOfTwo(y) / 2 ** y - 1)).toBeLessThan(1e-15);
    expect(powerOfTwo(0)).toBe(1);
    expect(powerOfTwo(-1)).toBe(0.5);
    expect(powerOfTwo(Number.NEGATIVE_INFINITY)).toBe(2 ** -1020);
    expect(powerOfTwo(Number.NaN)).toBeNaN();
  });

  test("any tile has the bits of the whole", () => {
    const all = whole();
    const n = graphs.length;
    for (const [from, to, first, last] of [
      [0, 5, 5, n],
      [3, 4, 0, n],
      [7, 20, 2, 9],
      [n - 1, n, 0, 1],
    ]) {
      const tile = exactProducts(kernels, {
        node,
        a: graphRange(rows, from, to),
        aKeys: keys.slice(from, to),
        b: graphRange(rows, first, last),
        bKeys: keys.slice(first, last),
      });
      for (let g = from, k = 0; g < to; g++)
        for (let h = first; h < last; h++) expect(tile[k++]).toBe(all[g * n + h]);
    }
  });

  test("a graph with itself: the whole order has the same bits, the half order the same value", () => {
    const all = whole();
    const range = graphRange(rows, 0, graphs.length);
    const diagonal = graphs.map((_, g) => all[g * graphs.length + g]);
    expect(Array.from(selfProducts(kernels, { node, range, order: "whole" }))).toEqual(diagonal);
    expect(largestDifference(selfProducts(kernels, { node, range, order: "half" }), diagonal)).toBeLessThan(
      1e-14,
    );
  });

  test("a graph and its copy have distance exactly 0", async () => {
    const copies = await inputOf([graphs[3], graphs[8], graphs[3]]);
    const fitted = await fitKernel(kernelByName("retgk1"), copies, {}, context);
    const [{ values }] = await kernelDistances(fitted, { executor });
    expect(values[2]).toBe(0);
    expect(values[1]).toBeGreaterThan(0);
  });
});

/** RetGK_I from its definition: powers of the walk D⁻¹(A + I), all pairs of nodes, no twins, no Chebyshev polynomials. */
function retgkDistances(graphs: Graph[], steps: number, width: number): Float64Array {
  const features = graphs.map((graph) => {
    const n = graph.nodeCount;
    const walk = Array.from({ length: n }, (_, i) => {
      const row = Float64Array.from({ length: n }, (_, j) => (i === j ? 1 : graph.weight(i, j)));
      const degree = row.reduce((sum, w) => sum + w, 0);
      return row.map((w) => w / degree);
    });
    let power = walk.map((_, i) => Float64Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
    const nodes = walk.map(() => new Float64Array(steps));
    for (let k = 0; k < steps; k++) {
      power = power.map((row) =>
        Float64Array.from({ length: n }, (_, j) => row.reduce((s, x, l) => s + x * walk[l][j], 0)),
      );
      power.forEach((row, i) => {
        nodes[i][k] = row[i];
      });
    }
    return nodes;
  });
  const mean = (x: Float64Array[], y: Float64Array[]) => {
    let sum = 0;
    for (const a of x)
      for (const b of y)
        sum += Math.exp(-a.reduce((s, v, k) => s + (v - b[k]) ** 2, 0) / (2 * width * width));
    return sum / (x.length * y.length);
  };
  const n = graphs.length;
  const out = new Float64Array(n * n);
  for (let g = 0; g < n; g++)
    for (let h = 0; h < n; h++)
      out[g * n + h] =
        mean(features[g], features[g]) + mean(features[h], features[h]) - 2 * mean(features[g], features[h]);
  return out;
}

test("LDOS with A + I and exact sums is RetGK_I, and both are the definition by powers of the walk", async () => {
  const some = graphs.filter((graph) => graph.nodeCount > 0).slice(0, 18);
  const squares = retgkDistances(some, 50, 0.1);
  const someInput = await inputOf(some);
  const ldos = await fitKernel(kernelByName("ldos"), someInput, { selfLoops: true, mmd: "exact" }, context);
  const retgk = await fitKernel(kernelByName("retgk1"), someInput, {}, context);
  const [a] = await kernelDistances(ldos, { executor });
  const [b] = await kernelDistances(retgk, { executor });
  expect(a.values).toEqual(b.values);
  expect(
    largestDifference(
      a.values.map((d) => d * d),
      squares,
    ),
  ).toBeLessThan(1e-13);
});
