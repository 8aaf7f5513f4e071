import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ShortestPath } from "../../src/baseline/shortest-path.js";
import { sparseGram } from "../../src/baseline/sparse-counts.js";
import { complete, cycle, grid, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { draw, plainGram, reversed, sketches, smallestEigenvalue, tally } from "./counting-support.js";

/** All distances by Floyd and Warshall; names of the pairs i < j with a path, by labels and `name` of the distance. */
function plainPairs(graph: Graph, name: (distance: number) => string): Map<string, number> {
  const n = graph.nodeCount;
  const d = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (i === j ? 0 : graph.weight(i, j) || Number.POSITIVE_INFINITY)),
  );
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) d[i][j] = Math.min(d[i][j], d[i][k] + d[k][j]);
  const names: string[] = [];
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      if (d[i][j] === Number.POSITIVE_INFINITY) continue;
      const ends = graph.labels === null ? [] : [graph.labels[i], graph.labels[j]].sort((a, b) => a - b);
      names.push([...ends, name(d[i][j])].join(" "));
    }
  return tally(names);
}

const product = (a: number, b: number) => a * b;
const counts = (graph: Graph, options = {}) => Array.from(new ShortestPath(options).fit([graph]).counts);

describe("shortest-path", () => {
  it("gives no features to graphs without edges", () => {
    const features = new ShortestPath().fit([
      path(0),
      path(1),
      draw({ nodeCount: 3, edges: [], labels: null, weighted: false }),
    ]);
    expect(Array.from(features.offsets)).toEqual([0, 0, 0, 0]);
    expect(Array.from(sparseGram(features, features))).toEqual(new Array(9).fill(0));
  });

  it("counts distances as by hand", () => {
    expect(counts(path(4))).toEqual([3, 2, 1]);
    expect(counts(complete(5))).toEqual([10]);
    expect(counts(cycle(6))).toEqual([6, 6, 3]);
    expect(counts(star(4))).toEqual([4, 6]);
    const features = new ShortestPath().fit([path(4), star(4)]);
    expect(sparseGram(features, features)[1]).toBe(3 * 4 + 2 * 6);
  });

  it("leaves out infinite distances and self-loops", () => {
    const graph = draw({
      nodeCount: 5,
      edges: [
        [0, 1, 1],
        [2, 3, 1],
        [2, 2, 1],
      ],
      labels: null,
      weighted: false,
    });
    expect(counts(graph)).toEqual([2]);
  });

  it("takes weights for lengths: the way round may be shorter", () => {
    const detour = draw({
      nodeCount: 3,
      edges: [
        [0, 1, 1],
        [1, 2, 1],
        [0, 2, 5],
      ],
      labels: null,
      weighted: true,
    });
    expect(sparseGramOf(detour, path(3))).toBe(2 * 2 + 1);
  });

  function sparseGramOf(a: Graph, b: Graph, options = {}): number {
    const features = new ShortestPath(options).fit([a, b]);
    return sparseGram(features, features)[1];
  }

  it("sorts distances into buckets on request", () => {
    const graph = draw({
      nodeCount: 4,
      edges: [
        [0, 1, 0.1],
        [1, 2, 0.2],
        [2, 3, 0.3],
      ],
      labels: null,
      weighted: true,
    });
    // distances 0.1 0.2 0.3 0.3 0.5 0.6, of which 0.1 + 0.2 is not 0.3 to the last bit
    expect(counts(graph).sort()).toEqual([1, 1, 1, 1, 2]);
    expect(counts(graph, { bucket: 0.3 }).sort()).toEqual([1, 2, 3]);
    expect(counts(graph, { bucket: 1 })).toEqual([6]);
  });

  for (const labelled of [false, true])
    for (const weighted of [false, true])
      it(`equals Floyd and Warshall's distances, ${labelled ? "with" : "without"} labels, ${weighted ? "with" : "without"} weights`, () => {
        const some = fc.array(sketches({ labelled, weighted }), { minLength: 1, maxLength: 4 });
        fc.assert(
          fc.property(some, some, (training, testing) => {
            fc.pre(training.some((sketch) => sketch.nodeCount > 0));
            const graphs = training.map(draw);
            const others = testing.map(draw);
            const kernel = new ShortestPath();
            const fitted = kernel.fit(graphs);
            const fresh = kernel.transform(others);
            const a = graphs.map((graph) => plainPairs(graph, (d) => d.toPrecision(6)));
            const b = others.map((graph) => plainPairs(graph, (d) => d.toPrecision(6)));
            expect(Array.from(sparseGram(fitted, fitted))).toEqual(plainGram(a, a, product));
            expect(Array.from(sparseGram(fresh, fitted))).toEqual(plainGram(b, a, product));
            expect(Array.from(sparseGram(fresh, fresh))).toEqual(plainGram(b, b, product));
            expect(kernel.transform(training.map(reversed).map(draw))).toEqual(fitted);
            expect(smallestEigenvalue(sparseGram(fitted, fitted), graphs.length)).toBeGreaterThan(-1e-9);
          }),
          { numRuns: 80 },
        );
      });

  it("estimates the counts of a large graph from some sources, without bias, and says so", () => {
    const graph = grid(15, 15);
    const exact = new ShortestPath().fit([graph]);
    const sums = new Float64Array(exact.counts.length);
    for (let seed = 0; seed < 60; seed++) {
      const kernel = new ShortestPath({ maximumSources: 40, seed });
      kernel.fit([graph]);
      const features = kernel.transform([graph]);
      expect(features.notes[0]).toContain("1 of 1 graphs have more than 40 nodes");
      expect(features.notes[0]).toContain(`seed ${seed}`);
      features.ids.forEach((id, k) => {
        sums[id] += features.counts[k] / 60;
      });
    }
    expect(exact.notes).toEqual([]);
    // ids of different seeds are the same: distance d is met in the order 1, 2, 3, ...
    for (let k = 0; k < 12; k++) expect(Math.abs(sums[k] / exact.counts[k] - 1)).toBeLessThan(0.03);
    const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
    expect(total(sums)).toBeCloseTo(total(exact.counts), 6);
  });

  it("takes a star of 10,000 leaves by sampling", () => {
    const features = new ShortestPath({ maximumSources: 50 }).fit([star(10_000)]);
    expect(features.counts.reduce((sum, count) => sum + count, 0)).toBeCloseTo((10_001 * 10_000) / 2, 3);
  });

  it("refuses wrong calls with a sentence", () => {
    expect(() => new ShortestPath({ bucket: 0 })).toThrow("bucket: got 0, expected a positive width");
    expect(() => new ShortestPath({ maximumSources: 0 })).toThrow("maximumSources: got 0");
    expect(() => new ShortestPath({ seed: -1 })).toThrow("seed: got -1");
    expect(() => new ShortestPath({ buckets: 1 } as object)).toThrow("did you mean bucket?");
    expect(() => new ShortestPath({ labels: "x" as "none" })).toThrow("unknown labels of shortest-path: x");
    expect(() => new ShortestPath().transform([])).toThrow("transform before fit");
  });
});
