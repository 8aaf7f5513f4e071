import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { fitDeepKernel } from "../../src/baseline/deep-task.js";
import { DeepGraphKernel, deepVectors, embedSubstructures } from "../../src/baseline/dgk.js";
import { Graphlet } from "../../src/baseline/graphlet.js";
import { type CountFeatures, sparseGram } from "../../src/baseline/sparse-counts.js";
import { WeisfeilerLehman } from "../../src/baseline/wl.js";
import { inlineExecutor } from "../../src/compute/executor.js";
import { buildGraph } from "../../src/graph/build.js";
import { barabasiAlbert, complete, cycle, erdosRenyi, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { symmetricEigen } from "../../src/spectrum/dense-eigen.js";

const graphOf = (nodeCount: number, edges: number[][], labels: number[] | null = null) =>
  buildGraph({ nodeCount, sources: edges.map(([i]) => i), targets: edges.map(([, j]) => j), labels }).graph;

function gram({ count, dimension, values }: { count: number; dimension: number; values: Float64Array }) {
  const out: number[] = [];
  for (let g = 0; g < count; g++)
    for (let h = 0; h < count; h++) {
      let sum = 0;
      for (let d = 0; d < dimension; d++) sum += values[g * dimension + d] * values[h * dimension + d];
      out.push(sum);
    }
  return out;
}

const identity = (n: number) => ({
  count: n,
  dimension: n,
  values: Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0)),
});

/** The labels of all iterations of every node, by strings, from the definition. */
function labelsByHand(graph: Graph, iterations: number): string[][] {
  let now = Array.from({ length: graph.nodeCount }, (_, i) => `d${graph.neighbourCount(i)}`);
  const all = now.map((label) => [label]);
  for (let round = 0; round < iterations; round++) {
    now = now.map((own, i) => {
      const beside = Array.from(
        graph.targets.subarray(graph.offsets[i], graph.offsets[i + 1]),
        (j) => now[j],
      ).sort();
      return `(${own}|${beside.join(",")})`;
    });
    now.forEach((label, i) => {
      all[i].push(label);
    });
  }
  return all;
}

/** Φ P₊ Φᵀ with P₊ the positive part of the mutual information, pairs counted node by node. */
function gramByHand(graphs: Graph[], iterations: number, minimumCount: number): number[] {
  const number = new Map<string, number>();
  const carried = graphs.map((graph) =>
    labelsByHand(graph, iterations).map((labels) =>
      labels.map((label, round) => {
        const key = `${round}:${label}`;
        if (!number.has(key)) number.set(key, number.size);
        return number.get(key)!;
      }),
    ),
  );
  const D = number.size;
  const nodes = new Float64Array(D);
  for (const label of carried.flat(2)) nodes[label]++;
  const C = new Float64Array(D * D);
  for (const labels of carried.flat())
    for (const a of labels)
      for (const b of labels)
        if (a !== b && nodes[a] >= minimumCount && nodes[b] >= minimumCount) C[a * D + b]++;
  const sums = Array.from({ length: D }, (_, a) => C.subarray(a * D, (a + 1) * D).reduce((s, x) => s + x, 0));
  const total = sums.reduce((s, x) => s + x, 0);
  const P = C.map((c, k) =>
    c === 0 ? 0 : Math.max(0, Math.log((c * total) / (sums[Math.floor(k / D)] * sums[k % D]))),
  );
  const { values, vectors } = symmetricEigen(P, D);
  const phi = carried.map((labels) => {
    const row = new Float64Array(D);
    for (const label of labels.flat()) row[label]++;
    return row;
  });
  const parts = phi.map((row) =>
    Array.from(values, (value, k) => {
      let sum = 0;
      for (let a = 0; a < D; a++) sum += row[a] * vectors[k * D + a];
      return Math.sqrt(Math.max(0, value)) * sum;
    }),
  );
  return parts.flatMap((x) => parts.map((y) => x.reduce((s, v, k) => s + v * y[k], 0)));
}

const near = (got: number[], expected: ArrayLike<number>, relative = 1e-9) => {
  const size = Math.max(...Array.from(expected, Math.abs), 1);
  expect(got.length).toBe(expected.length);
  for (let k = 0; k < got.length; k++) expect(Math.abs(got[k] - expected[k])).toBeLessThan(relative * size);
};

describe("deep graph kernel on WL labels", () => {
  const graphs = [path(6), star(4), cycle(5), complete(4), barabasiAlbert(12, 2, 1)];

  it("with M = I is the WL kernel, and the graphlet kernel on graphlets", () => {
    const wl: CountFeatures = new WeisfeilerLehman({ iterations: 3 }).fit(graphs);
    near(gram(deepVectors(wl, identity(wl.known))), sparseGram(wl, wl));
    const graphlets = new Graphlet({ size: 4 }).fit(graphs);
    near(gram(deepVectors(graphlets, identity(graphlets.known))), sparseGram(graphlets, graphlets));
  });

  it("equals Φ M Φᵀ with pairs counted node by node and all eigenvectors", () => {
    for (const minimumCount of [1, 2]) {
      const deep = new DeepGraphKernel({ iterations: 2, dimension: 200, minimumCount });
      near(gram(deep.fit(graphs)), gramByHand(graphs, 2, minimumCount));
    }
  });

  it("covers empty graphs, single nodes and edgeless graphs with finite numbers", () => {
    const odd = [graphOf(0, []), graphOf(1, []), graphOf(3, []), graphOf(2, [[0, 1]]), graphOf(1, [[0, 0]])];
    for (const substructure of ["wl", "graphlet"] as const) {
      const { values } = new DeepGraphKernel({ substructure, minimumCount: 1 }).fit(odd);
      expect(values.every(Number.isFinite)).toBe(true);
      expect(values.subarray(0, 32).every((x) => x === 0)).toBe(true);
      expect(new DeepGraphKernel({ substructure }).fit([]).values.length).toBe(0);
    }
  });

  it("gives graphs of the fit the same vectors at the transform, and ignores labels it has not seen", () => {
    const deep = new DeepGraphKernel({ iterations: 2 });
    const train = deep.fit(graphs);
    expect(deep.transform([graphs[1]]).values).toEqual(train.values.slice(32, 64));
    expect(deep.transform([star(40)]).values.every(Number.isFinite)).toBe(true);
    expect(() => new DeepGraphKernel().transform(graphs)).toThrow("before fit");
  });

  it("fitted on a worker is the same kernel, which goes on to embed others", async () => {
    for (const substructure of ["wl", "graphlet"] as const) {
      const here = new DeepGraphKernel({ substructure, seed: 4 });
      const expected = here.fit(graphs);
      const { kernel, vectors } = await fitDeepKernel(
        ...([graphs, { substructure, seed: 4 }, inlineExecutor(), {}] as const),
      );
      expect(vectors).toEqual(expected);
      expect(kernel.transform([star(9), path(5)])).toEqual(here.transform([star(9), path(5)]));
    }
  });

  it("starts from node labels where there are some", () => {
    const edges = [
      [0, 1],
      [1, 2],
    ];
    const deep = new DeepGraphKernel({ minimumCount: 1, dimension: 50 });
    const { values } = deep.fit([graphOf(3, edges, [1, 1, 1]), graphOf(3, edges, [2, 2, 2])]);
    const inner = gram({ count: 2, dimension: 50, values });
    expect(inner[1]).toBeCloseTo(0, 10);
    expect(inner[0]).toBeGreaterThan(0.1);
    expect(() => deep.transform([path(3)])).toThrow("no node labels");
  });
});

describe("deep graph kernel on graphlets", () => {
  it("gives the same bits for the same seed and tells dense from sparse", () => {
    const graphs = [erdosRenyi(30, 0.1, 1), erdosRenyi(30, 0.1, 2), erdosRenyi(30, 0.6, 3)];
    const options = { substructure: "graphlet", size: 4, seed: 3 } as const;
    const deep = new DeepGraphKernel(options);
    const train = deep.fit(graphs);
    expect(new DeepGraphKernel(options).fit(graphs)).toEqual(train);
    expect(deep.transform(graphs)).toEqual(train);
    const K = gram(train);
    const angle = (g: number, h: number) => K[g * 3 + h] / Math.sqrt(K[g * 3 + g] * K[h * 3 + h]);
    expect(angle(0, 1)).toBeGreaterThan(angle(0, 2));
  });
});

describe("embedding of substructures", () => {
  it("of two that only occur together is the mutual information log 2: λ = ±log 2", () => {
    // C = [[0, 3], [3, 0]]: P_01 = log(3·6 / (3·3)) = log 2
    const pairs = {
      n: 2,
      offsets: Uint32Array.of(0, 1, 2),
      targets: Uint32Array.of(1, 0),
      values: Float64Array.of(3, 3),
    };
    const { values } = embedSubstructures(pairs, { dimension: 3, negatives: 1, seed: 0 });
    const root = Math.sqrt(Math.log(2) / 2);
    expect(Math.abs(values[0])).toBeCloseTo(root, 12);
    expect(values[0]).toBe(values[3]);
    expect([values[1], values[2], values[4], values[5]].every((x) => x === 0)).toBe(true);
    // two negatives shift log 2 to 0
    const shifted = embedSubstructures(pairs, { dimension: 1, negatives: 2, seed: 0 });
    expect(shifted.values.every((x) => Math.abs(x) < 1e-12)).toBe(true);
  });

  it("by subspace iteration has the largest eigenvalues of the dense matrix", () => {
    const n = 260;
    const random = new Random(4);
    const dense = new Float64Array(n * n);
    for (let a = 0; a < n; a++)
      for (let b = 0; b < a; b++)
        if (random.uniform() < 0.03) dense[a * n + b] = dense[b * n + a] = 1 + random.integer(9);
    const offsets = new Uint32Array(n + 1);
    const [targets, values]: number[][] = [[], []];
    const sums = new Float64Array(n);
    for (let a = 0; a < n; a++) {
      for (let b = 0; b < n; b++)
        if (dense[a * n + b] > 0) {
          targets.push(b);
          values.push(dense[a * n + b]);
          sums[a] += dense[a * n + b];
        }
      offsets[a + 1] = targets.length;
    }
    const total = sums.reduce((s, x) => s + x, 0);
    const P = dense.map((c, k) =>
      c === 0 ? 0 : Math.max(0, Math.log((c * total) / (sums[Math.floor(k / n)] * sums[k % n]))),
    );
    const exact = symmetricEigen(P, n).values.slice(-5).reverse();
    const pairs = { n, offsets, targets: Uint32Array.from(targets), values: Float64Array.from(values) };
    const V = embedSubstructures(pairs, { dimension: 5, negatives: 1, seed: 0 }).values;
    for (let d = 0; d < 5; d++) {
      let length = 0;
      for (let a = 0; a < n; a++) length += V[a * 5 + d] ** 2;
      // Ritz values never exceed eigenvalues
      expect(length / exact[d]).toBeGreaterThan(0.97);
      expect(length / exact[d]).toBeLessThan(1 + 1e-9);
    }
  });

  it("refuses unknown names and bad values", () => {
    expect(() => new DeepGraphKernel({ substructure: "sp" as never })).toThrow("unknown substructure: sp");
    expect(() => new DeepGraphKernel({ dimensions: 3 } as never)).toThrow("did you mean dimension?");
    expect(() => new DeepGraphKernel({ dimension: 0 })).toThrow("dimension: got 0");
    expect(() => new DeepGraphKernel({ substructure: "graphlet", size: 6 as never }).fit([path(9)])).toThrow(
      "size: got 6",
    );
  });
});

const zip = new URL("../../../shared/datasets/IMDB-BINARY.zip", import.meta.url);
describe.skipIf(!existsSync(zip))("DGK on real graphs (needs ../shared/datasets/IMDB-BINARY.zip)", () => {
  it("gives finite vectors that are not all alike", async () => {
    const { openData } = await import("../../src/node/open.js");
    const { graphs } = await openData(zip.pathname);
    const { values } = new DeepGraphKernel({ iterations: 2 }).fit(graphs.slice(0, 60));
    expect(values.every(Number.isFinite)).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(100);
  });
});
