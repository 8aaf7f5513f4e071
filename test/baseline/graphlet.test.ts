import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Graphlet, graphletClasses } from "../../src/baseline/graphlet.js";
import { sparseGram } from "../../src/baseline/sparse-counts.js";
import { complete, cycle, erdosRenyi, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { draw, plainGram, reversed, sketches, smallestEigenvalue, tally } from "./counting-support.js";

/** Every subset, named by its sorted degrees and its triangles, which tell all graphs of up to 5 nodes apart. */
function plainShares(graph: Graph, size: number): Map<string, number> {
  const names: string[] = [];
  const edge = (i: number, j: number) => i !== j && graph.weight(i, j) !== 0;
  const choose = (from: number, nodes: number[]) => {
    if (nodes.length === size) {
      const degrees = nodes.map((i) => nodes.filter((j) => edge(i, j)).length);
      let triangles = 0;
      for (const i of nodes)
        for (const j of nodes) for (const k of nodes) if (edge(i, j) && edge(j, k) && edge(i, k)) triangles++;
      names.push(`${degrees.sort().join("")} ${triangles}`);
      return;
    }
    for (let i = from; i < graph.nodeCount; i++) choose(i + 1, [...nodes, i]);
  };
  choose(0, []);
  const counts = tally(names);
  return new Map([...counts].map(([name, count]) => [name, count / names.length]));
}

const product = (a: number, b: number) => a * b;

function dense(graph: Graph, options = {}): number[] {
  const features = new Graphlet(options).fit([graph]);
  const row = new Array<number>(features.known).fill(0);
  features.ids.forEach((id, k) => {
    row[id] = features.counts[k];
  });
  return row;
}

describe("graphlet", () => {
  it("knows 4, 11 and 34 graphs, from no edge to all", () => {
    for (const [size, count] of [
      [3, 4],
      [4, 11],
      [5, 34],
    ]) {
      const classes = graphletClasses(size);
      expect(classes.count).toBe(count);
      expect(classes.masks[0]).toBe(0);
      expect(classes.masks[count - 1]).toBe(2 ** ((size * (size - 1)) / 2) - 1);
    }
  });

  it("gives no features to graphs that are too small", () => {
    for (const size of [3, 4, 5] as const)
      for (let n = 0; n < size; n++) expect(new Graphlet({ size }).fit([complete(n)]).ids.length).toBe(0);
  });

  it("counts triples as by hand", () => {
    expect(dense(complete(6))).toEqual([0, 0, 0, 1]);
    expect(dense(star(4))).toEqual([0.4, 0, 0.6000000000000001, 0]);
    expect(dense(path(4))).toEqual([0, 0.5, 0.5, 0]);
    expect(dense(cycle(5))).toEqual([0, 0.5, 0.5, 0]);
    expect(dense(draw({ nodeCount: 7, edges: [], labels: null, weighted: false }))).toEqual([1, 0, 0, 0]);
  });

  for (const size of [3, 4, 5] as const)
    it(`equals all subsets of ${size} nodes, classed by degrees and triangles`, () => {
      fc.assert(
        fc.property(fc.array(sketches({ labelled: false }), { minLength: 1, maxLength: 5 }), (list) => {
          const graphs = list.map(draw);
          const kernel = new Graphlet({ size });
          const features = kernel.fit(graphs);
          const gram = sparseGram(features, features);
          const shares = graphs.map((graph) => plainShares(graph, size));
          const expected = plainGram(shares, shares, product);
          for (let k = 0; k < gram.length; k++) expect(gram[k]).toBeCloseTo(expected[k], 12);
          expect(features.notes).toEqual([]);
          expect(kernel.transform(list.map(reversed).map(draw))).toEqual(features);
          expect(smallestEigenvalue(gram, graphs.length)).toBeGreaterThan(-1e-9);
        }),
        { numRuns: size === 5 ? 40 : 80 },
      );
    });

  for (const size of [4, 5] as const)
    it(`samples subsets of ${size} nodes within five standard errors of all of them, and says so`, () => {
      const graph = erdosRenyi(16, 0.4, 3);
      const exact = dense(graph, { size, samples: 1e5 });
      const samples = 1200;
      const features = new Graphlet({ size, samples, seed: 7 }).fit([graph]);
      const sampled = dense(graph, { size, samples, seed: 7 });
      for (let c = 0; c < exact.length; c++)
        expect(Math.abs(sampled[c] - exact[c])).toBeLessThanOrEqual(
          5 * Math.sqrt((exact[c] * (1 - exact[c])) / samples) + 2 / samples,
        );
      expect(sampled.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(features.notes[0]).toContain("1 of 1 graphs by 1200 random subsets");
      expect(dense(graph, { size, samples, seed: 8 })).not.toEqual(sampled);
    });

  it("samples a graph alike wherever it stands in the set", () => {
    const graph = erdosRenyi(30, 0.3, 1);
    const features = new Graphlet({ size: 4 }).fit([graph, cycle(40), graph]);
    const row = (g: number) =>
      Array.from(features.counts.subarray(features.offsets[g], features.offsets[g + 1]));
    expect(row(2)).toEqual(row(0));
  });

  it("takes a star of 10,000 leaves: triples by formula, fives by sampling", () => {
    const leaves = 10_000;
    const hub = 3 / (leaves + 1);
    expect(dense(star(leaves))[2]).toBeCloseTo(hub, 12);
    expect(dense(star(leaves), { size: 5 })[0]).toBeGreaterThan(0.99);
  });

  it("refuses wrong calls with a sentence", () => {
    expect(() => new Graphlet({ size: 6 as 5 })).toThrow("graphlet: size: got 6, expected 3, 4 or 5");
    expect(() => new Graphlet({ samples: 0.5 })).toThrow("samples: got 0.5");
    expect(() => new Graphlet({ seed: 1.5 })).toThrow("seed: got 1.5");
    expect(() => new Graphlet({ sample: 9 } as object)).toThrow("did you mean samples?");
  });
});
