import { describe, expect, test } from "vitest";
import { type Executor, inlineExecutor } from "../../src/compute/executor.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { complete, cycle, erdosRenyi, path, star } from "../../src/graph/generators/index.js";
import { dosCumulative, dosVectors } from "../../src/signature/dos.js";
import { fourierFrequencies, fourierVectors } from "../../src/signature/fourier.js";
import { nodeFeatures } from "../../src/signature/node-features.js";
import {
  allocateNodeRows,
  cutByRows,
  getRow,
  orderKeys,
  selectGraphs,
  setRow,
} from "../../src/signature/node-rows.js";
import { spectralRotation } from "../../src/signature/spectral-rotation.js";
import { profileMany } from "../../src/spectrum/exact.js";
import { graphOf } from "../kernel/helpers.js";

const kernels = await loadKernels();
const profilesOf = (graphs: Parameters<typeof profileMany>[0], moments = 10, selfLoops = false) =>
  profileMany(graphs, { kernels, moments, selfLoops });

describe("node features", () => {
  test("return probabilities in closed form: edge 0 1 0 1, triangle ½ at two steps, star's centre and leaves", () => {
    const rows = nodeFeatures(profilesOf([graphOf(2, [[0, 1]]), complete(3), star(4)], 4));
    expect(Array.from(getRow(rows, 0))).toEqual([0, 1, 0, 1].map((x) => expect.closeTo(x, 14)));
    // K3: λ = 1, −½, −½: (1 + 2(−½)^k) / 3
    expect(Array.from(getRow(rows, 1))).toEqual(
      [1, 2, 3, 4].map((k) => expect.closeTo((1 + 2 * (-0.5) ** k) / 3, 14)),
    );
    expect(rows.masses[0]).toBe(1);
    const masses = Array.from(rows.masses.subarray(rows.offsets[2]));
    expect(masses.sort()).toEqual([0.2, 0.8]);
    const centre = rows.masses[rows.offsets[2]] === 0.2 ? rows.offsets[2] : rows.offsets[2] + 1;
    expect(Array.from(getRow(rows, centre))).toEqual([0, 1, 0, 1].map((x) => expect.closeTo(x, 14)));
  });

  test("Chebyshev features leave out degree 0 and are damped on request", () => {
    const [profile] = profilesOf([path(5)], 6);
    const plain = nodeFeatures([profile], { basis: "chebyshev" });
    const damped = nodeFeatures([profile], { basis: "chebyshev", damping: "jackson" });
    expect(plain.dimension).toBe(6);
    expect(getRow(plain, 0)[1]).toBe(profile.rows[2]);
    expect(Math.abs(getRow(damped, 0)[5])).toBeLessThan(Math.abs(getRow(plain, 0)[5]) + 1e-15);
  });

  test("profiles of different lengths and unknown bases are refused", () => {
    expect(() => nodeFeatures([...profilesOf([path(3)], 4), ...profilesOf([path(3)], 5)])).toThrow(
      /5 moments, expected 4/,
    );
    expect(() => nodeFeatures([], { basis: "fourier" as "chebyshev" })).toThrow(/unknown basis/);
  });

  test("a rotation keeps distances as well as it says, on exact profiles", () => {
    const graphs = [star(9), path(12), cycle(7), complete(6), erdosRenyi(16, 0.2, 3), graphOf(3, [])];
    const profiles = profilesOf(graphs, 50);
    for (const missed of [1e-2, 1e-5]) {
      const rotation = spectralRotation(50, missed)!;
      expect(rotation.missed).toBeLessThanOrEqual(missed);
      expect(rotation.dimension).toBeLessThan(missed === 1e-2 ? 13 : 24);
      const [full, short] = [nodeFeatures(profiles), nodeFeatures(profiles, { rotation })];
      for (let i = 0; i < full.masses.length; i++)
        for (let j = 0; j < i; j++) {
          const square = (rows: typeof full) =>
            getRow(rows, i).reduce((sum, x, k) => sum + (x - getRow(rows, j)[k]) ** 2, 0);
          const lost = square(full) - square(short);
          expect(lost).toBeGreaterThan(-1e-13);
          expect(lost).toBeLessThan((2 * missed) ** 2 + 1e-13);
        }
    }
    expect(spectralRotation(50, 0)).toBeNull();
    expect(spectralRotation(1, 1)).toBeNull();
  });
});

test("packs of rows: what is set is read, selected graphs keep their rows, cuts cover all", () => {
  const rows = allocateNodeRows([2, 0, 5, 3], 3);
  for (let i = 0; i < 10; i++) {
    setRow(rows, i, [i, 10 * i, 100 * i]);
    rows.masses[i] = i + 1;
  }
  expect(Array.from(getRow(rows, 6))).toEqual([6, 60, 600]);
  const selected = selectGraphs(rows, [3, 1, 0]);
  expect(Array.from(selected.offsets)).toEqual([0, 3, 3, 5]);
  expect(Array.from(getRow(selected, 3))).toEqual([0, 0, 0]);
  expect(Array.from(getRow(selected, 1))).toEqual([8, 80, 800]);
  expect(selected.masses[1]).toBe(9);
  expect(cutByRows(rows, 4)).toEqual([0, 3, 4]);
  expect(cutByRows(allocateNodeRows([], 2), 4)).toEqual([0]);
  expect(orderKeys(rows)[3]).toBe(orderKeys(selected)[0]);
});

describe("DOS", () => {
  test("closed forms: the edge's trace is 2 at even degrees, an edgeless graph's n·cos(mπ/2)", () => {
    const { values, dimension } = dosVectors(profilesOf([graphOf(2, [[0, 1]]), graphOf(3, [])], 4), {
      damping: "none",
    });
    expect(dimension).toBe(4);
    expect(Array.from(values)).toEqual([0, 2, 0, 2, 0, -3, 0, 3].map((x) => expect.closeTo(x, 13)));
  });

  test("Wasserstein-1: distance of the spectra of an edge {−1, 1} and of two isolated nodes {0, 0} is 1", () => {
    const { values, dimension } = dosCumulative(profilesOf([graphOf(2, [[0, 1]]), graphOf(2, [])], 200), {
      points: 2048,
    });
    let distance = 0;
    for (let k = 0; k < dimension; k++) distance += Math.abs(values[k] - values[dimension + k]);
    expect(distance).toBeCloseTo(1, 1);
  });

  test("unknown choices are refused", () => {
    expect(() => dosVectors([], { scale: "sum" as "mean" })).toThrow(/unknown scale: sum/);
    expect(() => dosVectors([], { transform: "sqrt" as "log" })).toThrow(/unknown transform/);
    expect(() => dosVectors([], { basis: "fourier" as "monomial" })).toThrow(/unknown basis/);
  });
});

describe("random Fourier features", () => {
  test.each(["gaussian", "laplacian"] as const)(
    "%s: inner products converge to the kernel",
    async (shape) => {
      const node = { shape, width: 0.7 };
      const rows = allocateNodeRows([1, 1, 2], 3);
      const points = [
        [0, 0, 0],
        [0.3, -0.2, 0.5],
        [1, 1, 0],
        [-0.4, 0.2, 0.1],
      ];
      points.forEach((point, i) => {
        setRow(rows, i, point);
      });
      rows.masses.set([1, 1, 0.25, 0.75]);
      const frequencies = fourierFrequencies(node, 3, { features: 40_000, seed: 5 });
      const { values, dimension } = await fourierVectors(rows, frequencies, inlineExecutor());
      const kernel = (i: number, j: number) => {
        const d = Math.hypot(...points[i].map((x, k) => x - points[j][k]));
        return shape === "gaussian" ? Math.exp((-d * d) / (2 * 0.49)) : Math.exp(-d / 0.7);
      };
      const product = (g: number, h: number) => {
        let sum = 0;
        for (let k = 0; k < dimension; k++) sum += values[g * dimension + k] * values[h * dimension + k];
        return sum;
      };
      expect(product(0, 0)).toBeCloseTo(1, 12);
      expect(product(0, 1)).toBeCloseTo(kernel(0, 1), 1.5);
      expect(product(1, 2)).toBeCloseTo(0.25 * kernel(1, 2) + 0.75 * kernel(1, 3), 1.5);
    },
  );

  test("same seed, same frequencies; an odd number of features is refused", () => {
    const node = { shape: "gaussian", width: 1 } as const;
    expect(fourierFrequencies(node, 4, { features: 6 })).toEqual(
      fourierFrequencies(node, 4, { features: 6 }),
    );
    expect(fourierFrequencies(node, 4, { seed: 1 })).not.toEqual(fourierFrequencies(node, 4));
    expect(() => fourierFrequencies(node, 4, { features: 5 })).toThrow(/got 5/);
  });

  test("the same vectors however the graphs are cut, a graph without nodes among them", async () => {
    const rows = allocateNodeRows([3, 0, 70, 1, 40], 10);
    for (let k = 0; k < rows.values.length; k++) rows.values[k] = Math.sin(k) / 10;
    rows.masses.fill(0.01);
    const frequencies = fourierFrequencies({ shape: "gaussian", width: 0.3 }, 10, { features: 60 });
    const units: number[] = [];
    const inline = inlineExecutor();
    const pieces: Executor = {
      ...inline,
      // 3·10^8 products a second: 10 rows a unit
      remote: { unitSeconds: (10 * 300) / 3e8 },
      map(task, inputs, options) {
        units.push(inputs.length);
        return inline.map(task, inputs, options);
      },
    };
    const cut = await fourierVectors(rows, frequencies, pieces);
    expect(units).toEqual([2]);
    expect(await fourierVectors(rows, frequencies, inline)).toEqual(cut);
    for (let g = 0; g < 5; g++) {
      const one = await fourierVectors(selectGraphs(rows, [g]), frequencies, inline);
      expect(one.values).toEqual(cut.values.slice(60 * g, 60 * (g + 1)));
    }
    await expect(fourierVectors(rows, new Float64Array(155), inline)).rejects.toThrow(/got 155 numbers/);
  });
});
