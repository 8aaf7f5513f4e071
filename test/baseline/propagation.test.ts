import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Propagation } from "../../src/baseline/propagation.js";
import { sparseGram } from "../../src/baseline/sparse-counts.js";
import { complete, cycle, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { draw, reversed, sketches, smallestEigenvalue } from "./counting-support.js";

/** Label distributions about each node after t steps, as maps, in plain words. */
function distributions(graph: Graph, t: number, useLabels: boolean): Map<number, number>[] {
  let rows = Array.from(
    { length: graph.nodeCount },
    (_, i) => new Map([[useLabels ? graph.labels![i] : graph.neighbourCount(i), 1]]),
  );
  for (let step = 0; step < t; step++)
    rows = rows.map((own, i) => {
      const out = new Map<number, number>();
      let total = 0;
      for (let k = graph.offsets[i]; k < graph.offsets[i + 1]; k++) {
        const w = graph.weights === null ? 1 : graph.weights[k];
        total += w;
        for (const [label, p] of rows[graph.targets[k]]) out.set(label, (out.get(label) ?? 0) + w * p);
      }
      if (total === 0) return own;
      for (const [label, p] of out) out.set(label, p / total);
      return out;
    });
  return rows;
}

const difference = (p: Map<number, number>, q: Map<number, number>) =>
  [...new Set([...p.keys(), ...q.keys()])].reduce(
    (sum, label) => sum + Math.abs((p.get(label) ?? 0) - (q.get(label) ?? 0)),
    0,
  );

describe("propagation kernel", () => {
  it("compares labels by hand in step 0, and all nodes in bins as wide as the world", () => {
    const graphs = [path(3), cycle(3)];
    const labels = new Propagation({ iterations: 0, width: 1e-6 }).fit(graphs);
    expect(Array.from(sparseGram(labels, labels))).toEqual([5, 3, 3, 9]);
    const wide = new Propagation({ iterations: 2, width: 1e12, seed: 1 }).fit(graphs);
    expect(Array.from(sparseGram(wide, wide))).toEqual([27, 27, 27, 27]);
  });

  for (const labelled of [false, true])
    it(`counts equal label distributions in narrow bins, ${labelled ? "labels" : "degrees"}, with weights`, () => {
      const some = fc.array(sketches({ labelled, weighted: true, maximum: 6 }), {
        minLength: 2,
        maxLength: 3,
      });
      fc.assert(
        fc.property(some, fc.integer({ min: 0, max: 3 }), (list, iterations) => {
          const graphs = list.map(draw);
          fc.pre(!labelled || graphs.some((graph) => graph.nodeCount > 0));
          const features = new Propagation({ iterations, width: 1e-8 }).fit(graphs);
          const steps = Array.from({ length: iterations + 1 }, (_, t) =>
            graphs.map((graph) => distributions(graph, t, labelled)),
          );
          const plain = graphs.flatMap((_, g) =>
            graphs.map((_, h) =>
              steps.reduce(
                (sum, at) =>
                  sum + at[g].reduce((n, p) => n + at[h].filter((q) => difference(p, q) < 1e-10).length, 0),
                0,
              ),
            ),
          );
          expect(Array.from(sparseGram(features, features))).toEqual(plain);
        }),
        // another draw would meet a narrow bin's edge, or two rows in one, about once in a thousand times
        { numRuns: 100, seed: 1 },
      );
    });

  it("puts two distributions into one bin as often as the theory of Cauchy projections says", () => {
    // one-hot rows of two labels: Σ|p − q| = 2
    const lonely = (label: number) => draw({ nodeCount: 1, edges: [], labels: [label], weighted: false });
    const graphs = [lonely(3), lonely(8)];
    for (const width of [0.5, 2, 8]) {
      const seeds = 4000;
      let together = 0;
      for (let seed = 0; seed < seeds; seed++)
        together += new Propagation({ iterations: 0, width, seed }).fit(graphs).known === 1 ? 1 : 0;
      const r = width / 2;
      const expected = (2 / Math.PI) * Math.atan(r) - Math.log(1 + r * r) / (Math.PI * r);
      const error = Math.sqrt((expected * (1 - expected)) / seeds);
      expect(Math.abs(together / seeds - expected)).toBeLessThan(4 * error);
    }
  });

  it("takes graphs without nodes and edges; an isolated node keeps its label", () => {
    const features = new Propagation({ iterations: 3 }).fit([path(0), path(1), path(1)]);
    expect(Array.from(features.offsets)).toEqual([0, 0, 4, 8]);
    expect(Array.from(sparseGram(features, features))).toEqual([0, 0, 0, 0, 4, 4, 0, 4, 4]);
    expect(new Propagation().fit([]).graphs).toBe(0);
  });

  it("does not look at the names of nodes, and gives positive semidefinite matrices", () => {
    fc.assert(
      fc.property(fc.array(sketches({ labelled: false }), { minLength: 1, maxLength: 5 }), (list) => {
        const kernel = new Propagation({ iterations: 3, width: 0.1 });
        const features = kernel.fit(list.map(draw));
        expect(kernel.transform(list.map(reversed).map(draw))).toEqual(features);
        expect(smallestEigenvalue(sparseGram(features, features), list.length)).toBeGreaterThan(-1e-9);
      }),
      { numRuns: 60 },
    );
  });

  it("counts in parts as in one, by the words of each part's fit", () => {
    const graphs = [path(5), star(4), cycle(6), complete(4)];
    const whole = new Propagation({ iterations: 2 });
    const features = whole.fit(graphs);
    const joined = new Propagation({ iterations: 2 });
    const rows = graphs.map((graph) => {
      const part = new Propagation({ iterations: 2 });
      const own = part.fit([graph]);
      const numbers = joined.merge(part.vocabulary());
      return Array.from(own.ids, (id) => numbers[id]).sort((a, b) => a - b);
    });
    expect(rows.flat()).toEqual(Array.from(features.ids));
    expect(joined.size).toBe(features.known);
  });

  it("refuses wrong calls with a sentence", () => {
    expect(() => new Propagation({ width: 0 })).toThrow("width: got 0, expected a number above 0");
    expect(() => new Propagation({ iterations: 1.5 })).toThrow("iterations: got 1.5");
    expect(() => new Propagation({ labels: "node" as "nodes" })).toThrow("did you mean nodes?");
    expect(() => new Propagation({ step: 2 } as object)).toThrow("option of propagation");
    expect(() => new Propagation().transform([])).toThrow("fit on the training graphs first");
    expect(() => new Propagation({ labels: "nodes" }).fit([path(2)])).toThrow("graph 0 has no node labels");
  });
});
