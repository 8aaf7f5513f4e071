import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { nearPowerOfTwo } from "../../src/compute/twin-near.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { NearSums } from "../../src/signature/near-sums.js";
import { NearestVectors } from "../../src/signature/nearest-vectors.js";
import type { NodeKernel } from "../../src/signature/node-kernel.js";
import { allocateNodeRows, getRow, type NodeRows, setRow } from "../../src/signature/node-rows.js";
import { compactRows, sortedRows } from "../../src/signature/row-order.js";
import { executor } from "../kernel/helpers.js";

const kernels = await loadKernels();

/** Rows with `wide` numbers of spread 1 and the others of spread 0.02: some pairs are far apart for a width of 0.1. */
function rowsOf(counts: number[], dimension: number, wide: number, seed: number): NodeRows {
  const random = new Random(seed);
  const rows = allocateNodeRows(counts, dimension);
  for (let i = 0; i < rows.masses.length; i++) {
    rows.masses[i] = 0.1 + random.normal() ** 2;
    const numbers = Float64Array.from(
      { length: dimension },
      (_, k) => (k < wide ? 1 : 0.02) * random.normal(),
    );
    setRow(rows, i, numbers);
  }
  return rows;
}

function kernelValue({ shape, width }: NodeKernel, x: Float64Array, y: Float64Array): number {
  const square = x.reduce((sum, a, k) => sum + (a - y[k]) ** 2, 0);
  return Math.exp(shape === "gaussian" ? -square / (2 * width * width) : -Math.sqrt(square) / width);
}

/** Means to every point, in the order of the points. */
function means(from: typeof kernels, node: NodeKernel, rows: NodeRows, g: number, points: NodeRows) {
  const sums = new NearSums(from, node, rows.dimension);
  const mark = from.arena.mark();
  const loaded = sums.points(points);
  const place = sums.means(rows, rows.offsets[g], rows.offsets[g + 1], loaded);
  const out = new Float64Array(points.masses.length);
  loaded.order.forEach((c, k) => {
    out[c] = from.arena.f64[place + k];
  });
  from.arena.release(mark);
  return { out, head: loaded.head };
}

describe("sums over near pairs", () => {
  test.each([
    ["gaussian", 0.1, 0, 0],
    ["gaussian", 0.1, 2, 2],
    ["gaussian", 0.1, 6, 6],
    ["laplacian", 0.05, 2, 6],
  ] as const)(
    "%s of width %d, %d wide numbers: the sums by definition, with a head of %d",
    (shape, width, wide, head) => {
      const node = { shape, width };
      const rows = rowsOf([0, 3, 1, 17, 6], 6, wide, 1);
      const points = rowsOf([23], 6, wide, 2);
      for (let c = 0; c < 5; c++) setRow(points, c, getRow(rows, 4 * c));
      for (let g = 0; g < 5; g++) {
        const found = means(kernels, node, rows, g, points);
        expect(found.head).toBe(head);
        for (let c = 0; c < 23; c++) {
          let sum = 0;
          for (let i = rows.offsets[g]; i < rows.offsets[g + 1]; i++)
            sum += rows.masses[i] * kernelValue(node, getRow(rows, i), getRow(points, c));
          expect(Math.abs(found.out[c] - sum)).toBeLessThan(1e-13);
        }
      }
    },
  );

  test("blocks that are far apart count as 0 exactly", () => {
    const node = { shape: "gaussian", width: 0.1 } as const;
    const rows = allocateNodeRows([8], 1);
    for (let i = 0; i < 8; i++) setRow(rows, i, [i < 4 ? 0 : 1]);
    rows.masses.fill(1);
    const points = allocateNodeRows([1], 1);
    setRow(points, 0, [0]);
    expect(Array.from(means(kernels, node, rows, 0, points).out)).toEqual([4]);
  });

  test("WASM and its twin give the same bits", () => {
    const rows = rowsOf([5, 30, 2], 7, 3, 3);
    const points = rowsOf([41], 7, 3, 4);
    for (const shape of ["gaussian", "laplacian"] as const)
      for (const width of [0.03, 0.5])
        for (let g = 0; g < 3; g++)
          expect(means(typescriptKernels(), { shape, width }, rows, g, points)).toEqual(
            means(kernels, { shape, width }, rows, g, points),
          );
  });

  test("2^y is right to 2e-15, exactly 1 at 0, and does not underflow", () => {
    expect(nearPowerOfTwo(0)).toBe(1);
    expect(nearPowerOfTwo(-1e5)).toBe(2 ** -1020);
    for (let y = 0; y > -60; y -= 0.00737)
      expect(Math.abs(nearPowerOfTwo(y) / 2 ** y - 1)).toBeLessThan(2e-15);
  });

  test("NaN in a row is not hidden by its distance, nor does it reach the graphs beside it", () => {
    const node = { shape: "gaussian", width: 0.1 } as const;
    const rows = rowsOf([3, 3, 3], 4, 2, 5);
    setRow(rows, 4, [Number.NaN, 50, 50, 50]);
    const points = rowsOf([4], 4, 2, 6);
    expect(means(kernels, node, rows, 1, points).out.every(Number.isNaN)).toBe(true);
    for (const g of [0, 2]) expect(means(kernels, node, rows, g, points).out.some(Number.isNaN)).toBe(false);
  });
});

describe("the order of rows", () => {
  test("is by the number that varies most, and by place where that is equal", () => {
    const rows = allocateNodeRows([2, 4], 2);
    [
      [9, 9],
      [9, 9],
      [0.1, 3],
      [0.3, -1],
      [0.2, 3],
      [0, 2],
    ].forEach((row, i) => {
      setRow(rows, i, row);
    });
    expect(Array.from(sortedRows(rows, 2, 6))).toEqual([3, 5, 2, 4]);
    expect(Array.from(sortedRows(rows, 0, 2))).toEqual([0, 1]);
    expect(sortedRows(rows, 3, 3)).toHaveLength(0);
  });

  test("equal rows of a graph become one, with their mass, and never across graphs", () => {
    const rows = allocateNodeRows([4, 0, 1], 2);
    [
      [0.5, 1],
      [0.2, 7],
      [0.5 + 1e-15, 1],
      [0.5, 1 + 1e-9],
      [0.5, 1],
    ].forEach((row, i) => {
      setRow(rows, i, row);
    });
    rows.masses.set([0.1, 0.2, 0.3, 0.4, 1]);
    const compact = compactRows(rows, 0.1);
    expect(Array.from(compact.offsets)).toEqual([0, 3, 3, 4]);
    expect(Array.from(compact.masses)).toEqual([0.1 + 0.3, 0.4, 0.2, 1]);
    expect(Array.from(getRow(compact, 2))).toEqual([0.2, 7]);
    expect(compactRows(allocateNodeRows([], 3), 1).masses).toHaveLength(0);
  });
});

test("bounds on nearest distances: exact at first, never above the truth while the vectors grow", async () => {
  const random = new Random(7);
  for (const count of [0, 1, 2, 7, 300]) {
    const [first, more] = [4, 3].map((width) =>
      Float64Array.from({ length: count * width }, () => random.normal()),
    );
    const square = (v: Float64Array, g: number, h: number) => {
      const width = v.length / count;
      let sum = 0;
      for (let k = 0; k < width; k++) sum += (v[g * width + k] - v[h * width + k]) ** 2;
      return sum;
    };
    const all = Array.from({ length: count }, (_, g) => g);
    const truth = (g: number, of: (h: number) => number) =>
      Math.sqrt(Math.min(...all.filter((h) => h !== g).map(of)));
    const nearest = await NearestVectors.among(first, count, executor);
    for (const g of all)
      expect(nearest.atLeast(g)).toBeCloseTo(
        truth(g, (h) => square(first, g, h)),
        12,
      );
    nearest.grow(all, (g, h) => square(more, g, h));
    let exact = 0;
    for (const g of all) {
      const distance = truth(g, (h) => square(first, g, h) + square(more, g, h));
      if (distance === Number.POSITIVE_INFINITY) continue;
      expect(nearest.atLeast(g)).toBeLessThan(distance + 1e-12);
      if (nearest.atLeast(g) > distance - 1e-12) exact++;
    }
    if (count === 7) expect(exact).toBe(7);
  }
});
