import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  intersectionGram,
  normaliseGram,
  sparseDiagonal,
  sparseGram,
} from "../../src/baseline/sparse-counts.js";
import { WeisfeilerLehman } from "../../src/baseline/wl.js";
import { WeisfeilerLehmanAssignment } from "../../src/baseline/wl-oa.js";
import { complete, cycle, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { openData } from "../../src/node/open.js";
import {
  draw,
  plainGram,
  renamed,
  reversed,
  type Sketch,
  sketches,
  smallestEigenvalue,
  tally,
} from "./counting-support.js";

/** WL with labels written out in full, as nested strings. */
function plainLabels(graph: Graph, iterations: number, useLabels: boolean): Map<string, number> {
  let labels = Array.from({ length: graph.nodeCount }, (_, i) =>
    String(useLabels ? graph.labels![i] : graph.neighbourCount(i)),
  );
  const all = labels.map((label) => `0:${label}`);
  for (let round = 1; round <= iterations; round++) {
    labels = labels.map((label, i) => {
      const near = Array.from(
        graph.targets.subarray(graph.offsets[i], graph.offsets[i + 1]),
        (j) => labels[j],
      );
      return `(${label}|${near.sort().join(",")})`;
    });
    all.push(...labels.map((label) => `${round}:${label}`));
  }
  return tally(all);
}

const product = (a: number, b: number) => a * b;
const rectangle = (gram: Float64Array) => Array.from(gram);

describe("WL", () => {
  it("counts subtrees of a path and a triangle as by hand", () => {
    // degrees: path 1 2 1, triangle 2 2 2; iteration 1: path 1(2) twice and 2(1,1); triangle 2(2,2) three times
    const features = new WeisfeilerLehman({ iterations: 1 }).fit([path(3), cycle(3)]);
    expect(rectangle(sparseGram(features, features))).toEqual([4 + 1 + 4 + 1, 3, 3, 9 + 9]);
    expect(rectangle(intersectionGram(features, features))).toEqual([6, 1, 1, 6]);
    expect(features.known).toBe(2 + 3);
  });

  it("gives no features to the graph without nodes, and one a round to a single node", () => {
    const features = new WeisfeilerLehman({ iterations: 3 }).fit([path(0), path(1), path(1)]);
    expect(Array.from(features.offsets)).toEqual([0, 0, 4, 8]);
    const gram = sparseGram(features, features);
    expect(rectangle(gram)).toEqual([0, 0, 0, 0, 4, 4, 0, 4, 4]);
    const diagonal = sparseDiagonal(features);
    expect(rectangle(normaliseGram(gram, diagonal, diagonal))).toEqual([0, 0, 0, 0, 1, 1, 0, 1, 1]);
    expect(new WeisfeilerLehman().fit([]).graphs).toBe(0);
  });

  it("does not take an isolated node with label 2 for a first label 2", () => {
    const lonely = draw({ nodeCount: 1, edges: [], labels: [0], weighted: false });
    const features = new WeisfeilerLehman({ iterations: 2 }).fit([lonely]);
    expect(Array.from(features.ids)).toEqual([0, 1, 2]);
  });

  it("sees no difference between a hexagon and two triangles, and one between a star and a path", () => {
    const twoTriangles = draw({
      nodeCount: 6,
      edges: [
        [0, 1, 1],
        [1, 2, 1],
        [2, 0, 1],
        [3, 4, 1],
        [4, 5, 1],
        [5, 3, 1],
      ],
      labels: null,
      weighted: false,
    });
    const features = new WeisfeilerLehman().fit([cycle(6), twoTriangles, star(3), path(4)]);
    const gram = sparseGram(features, features);
    expect(gram[0]).toBe(gram[1]);
    expect(gram[0]).toBe(gram[5]);
    expect(gram[11]).toBeLessThan(gram[15]);
  });

  for (const labelled of [false, true])
    it(`equals relabelling with strings, ${labelled ? "with labels" : "from degrees"}, seen and unseen graphs`, () => {
      const some = fc.array(sketches({ labelled }), { minLength: 1, maxLength: 5 });
      fc.assert(
        fc.property(some, some, fc.integer({ min: 0, max: 4 }), (training, testing, iterations) => {
          const graphs = training.map(draw);
          const others = testing.map(draw);
          const useLabels = labelled && graphs.some((graph) => graph.nodeCount > 0);
          if (useLabels !== labelled && others.some((graph) => graph.nodeCount > 0)) return;
          const wl = new WeisfeilerLehman({ iterations });
          const fitted = wl.fit(graphs);
          const fresh = wl.transform(others);
          const a = graphs.map((graph) => plainLabels(graph, iterations, useLabels));
          const b = others.map((graph) => plainLabels(graph, iterations, useLabels));
          expect(rectangle(sparseGram(fitted, fitted))).toEqual(plainGram(a, a, product));
          expect(rectangle(sparseGram(fresh, fitted))).toEqual(plainGram(b, a, product));
          expect(rectangle(sparseGram(fitted, fresh))).toEqual(plainGram(a, b, product));
          expect(rectangle(sparseGram(fresh, fresh))).toEqual(plainGram(b, b, product));
          expect(rectangle(sparseDiagonal(fresh))).toEqual(
            b.map((counts) => plainGram([counts], [counts], product)[0]),
          );
          const oa = new WeisfeilerLehmanAssignment({ iterations });
          const oaFitted = oa.fit(graphs);
          const oaFresh = oa.transform(others);
          expect(rectangle(oa.gram(oaFitted, oaFitted))).toEqual(plainGram(a, a, Math.min));
          expect(rectangle(oa.gram(oaFresh, oaFitted))).toEqual(plainGram(b, a, Math.min));
          expect(rectangle(oa.diagonal(oaFresh))).toEqual(
            others.map((graph) => (iterations + 1) * graph.nodeCount),
          );
        }),
        { numRuns: 150 },
      );
    });

  it("gives the same rows to renamed graphs and positive semidefinite Grams", () => {
    fc.assert(
      fc.property(fc.array(sketches({ labelled: true }), { minLength: 1, maxLength: 6 }), (list) => {
        fc.pre(list.some((sketch: Sketch) => sketch.nodeCount > 0));
        const wl = new WeisfeilerLehman({ iterations: 3 });
        const features = wl.fit(list.map(draw));
        const again = wl.transform(list.map(reversed).map(draw));
        expect(again).toEqual(features);
        expect(smallestEigenvalue(sparseGram(features, features), list.length)).toBeGreaterThan(-1e-9);
        expect(smallestEigenvalue(intersectionGram(features, features), list.length)).toBeGreaterThan(-1e-9);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps a node that is its own neighbour apart from one that is not", () => {
    const sketch: Sketch = { nodeCount: 2, edges: [[0, 1, 1]], labels: [5, 5], weighted: false };
    const looped: Sketch = {
      ...sketch,
      edges: [
        [0, 1, 1],
        [0, 0, 1],
      ],
    };
    const features = new WeisfeilerLehman({ iterations: 1 }).fit([
      draw(sketch),
      draw(looped),
      draw(renamed(looped, [1, 0])),
    ]);
    expect(rectangle(sparseGram(features, features))).toEqual([8, 6, 6, 6, 6, 6, 6, 6, 6]);
  });

  it("takes a star of 10,000 leaves: two patterns a round", () => {
    const features = new WeisfeilerLehman().fit([star(10_000)]);
    expect(features.ids.length).toBe(12);
    expect(sparseGram(features, features)[0]).toBe(6 * (1e8 + 1));
  });

  it("forgets the former fit, and does not learn from transform", () => {
    const wl = new WeisfeilerLehman({ iterations: 2 });
    const first = wl.fit([path(5), complete(4)]);
    const before = wl.transform([star(6), path(5)]);
    expect(wl.transform([star(6), path(5)])).toEqual(before);
    wl.fit([cycle(3)]);
    expect(wl.fit([path(5), complete(4)])).toEqual(first);
  });

  it("refuses wrong calls with a sentence", () => {
    expect(() => new WeisfeilerLehman({ iterations: -1 })).toThrow(
      "WL: iterations: got -1, expected an integer",
    );
    expect(() => new WeisfeilerLehman({ labels: "node" as "nodes" })).toThrow("did you mean nodes?");
    expect(() => new WeisfeilerLehman({ iteration: 2 } as object)).toThrow("did you mean iterations?");
    expect(() => new WeisfeilerLehman().transform([])).toThrow("fit on the training graphs first");
    const labelled = draw({ nodeCount: 1, edges: [], labels: [0], weighted: false });
    expect(() => new WeisfeilerLehman().fit([labelled, path(2)])).toThrow("expected all or none");
    expect(() => new WeisfeilerLehman({ labels: "nodes" }).fit([path(2)])).toThrow(
      "graph 0 has no node labels",
    );
    const wl = new WeisfeilerLehman();
    wl.fit([path(3)]);
    expect(() => sparseGram(wl.transform([star(4)]), wl.transform([star(5)]))).toThrow("in one call");
    expect(() => normaliseGram(new Float64Array(3), new Float64Array(2), new Float64Array(2))).toThrow(
      "2 × 2",
    );
    expect(() => normaliseGram(new Float64Array(1), Float64Array.of(-1), Float64Array.of(1))).toThrow(
      "got -1",
    );
  });

  describe.skipIf(!existsSync("../shared/datasets/MUTAG.zip"))("on MUTAG", () => {
    it("equals relabelling with strings", async () => {
      const { graphs } = await openData("../shared/datasets/MUTAG.zip");
      const features = new WeisfeilerLehman({ iterations: 3 }).fit(graphs);
      const plain = graphs.map((graph) => plainLabels(graph, 3, true));
      expect(rectangle(sparseGram(features, features))).toEqual(plainGram(plain, plain, product));
      expect(rectangle(intersectionGram(features, features))).toEqual(plainGram(plain, plain, Math.min));
    });
  });
});
