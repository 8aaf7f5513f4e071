import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inlineExecutor } from "../../src/compute/executor.js";
import { memoryStore } from "../../src/compute/store.js";
import type { Dataset } from "../../src/data/dataset.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import { evaluate } from "../../src/experiment/evaluation.js";
import { ceilingText } from "../../src/experiment/evaluation-words.js";
import { protocolByName } from "../../src/experiment/protocols.js";
import { identicalCeiling, sizeAlone } from "../../src/experiment/size-alone.js";
import { buildGraph } from "../../src/graph/build.js";
import type { Graph } from "../../src/graph/graph.js";

const executor = inlineExecutor();
const protocol = protocolByName("quick", { folds: 4, Cs: [1, 10] });

/** A path of n nodes and some chords: n nodes, `edges` edges. */
function graphOf(n: number, edges: number): Graph {
  const pairs: [number, number][] = [];
  for (let d = 1; d < n && pairs.length < edges; d++)
    for (let i = 0; i + d < n && pairs.length < edges; i++) pairs.push([i, i + d]);
  return buildGraph({ nodeCount: n, sources: pairs.map(([i]) => i), targets: pairs.map(([, j]) => j) }).graph;
}

const setOf = (graphs: Graph[], classes: number[]): Dataset & { classes: Int32Array } => ({
  ...syntheticDataset("threads", { graphs: graphs.length }),
  name: "made",
  graphs,
  classes: Int32Array.from(classes),
  classNames: ["a", "b"],
});

describe("size alone", () => {
  it("tells classes apart that are ranges of sizes, and none that have the same sizes", async () => {
    // class 1 in the middle of class 0: no line through the origin does it
    const sizes = Array.from({ length: 60 }, (_, k) => 5 + (k % 30));
    const ranges = setOf(
      sizes.map((n) => graphOf(n, n - 1)),
      sizes.map((n) => (n >= 15 && n < 25 ? 1 : 0)),
    );
    expect((await sizeAlone(ranges, { protocol, executor })).accuracy.mean).toBeGreaterThan(0.93);
    const same = setOf(
      sizes.map(() => graphOf(9, 12)),
      sizes.map((_, k) => (k % 3 === 0 ? 1 : 0)),
    );
    expect((await sizeAlone(same, { protocol, executor })).accuracy.mean).toBeCloseTo(2 / 3, 10);
  });

  it("sees edges too, not nodes alone", async () => {
    const graphs = Array.from({ length: 40 }, (_, k) =>
      graphOf(12, k % 2 === 0 ? 11 + (k % 5) : 30 + (k % 5)),
    );
    const set = setOf(
      graphs,
      graphs.map((_, k) => k % 2),
    );
    expect((await sizeAlone(set, { protocol, executor })).accuracy.mean).toBe(1);
  });

  it("standardises with the training part: one test graph of another size changes no other answer of its fold", async () => {
    const sizes = Array.from({ length: 40 }, (_, k) => 6 + ((7 * k) % 20));
    const set = setOf(
      sizes.map((n) => graphOf(n, n + 2)),
      sizes.map((n, k) => (n > 14 !== (k % 5 === 0) ? 1 : 0)),
    );
    const one = { ...protocol, Cs: [1] };
    const before = await sizeAlone(set, { protocol: one, executor });
    const graphs = [...set.graphs];
    graphs[7] = graphOf(400, 4000);
    const { perFold, predictions } = await sizeAlone({ ...set, graphs }, { protocol: one, executor });
    const { protocolFolds } = await import("../../src/experiment/size-alone.js");
    const [{ folds }] = protocolFolds(set, one);
    const own = folds.findIndex(({ test }) => test.includes(7));
    expect(perFold[own].point).toEqual(before.perFold[own].point);
    for (const g of folds[own].test) if (g !== 7) expect(predictions[0][g]).toBe(before.predictions[0][g]);
  });

  it("stands beside the kernels of an evaluation, kept and read like their folds", async () => {
    const set = syntheticDataset("threads", { graphs: 40 });
    const store = memoryStore();
    const options = { kernels: [{ name: "dos" }], protocol, profile: { moments: 10 }, executor, store };
    const first = await evaluate(set, options);
    expect(first.results.map(({ kernel }) => kernel)).toEqual(["dos"]);
    expect(first.sizeAlone).toMatchObject({ kernel: "size alone", accuracy: { perFold: expect.any(Array) } });
    expect(first.sizeAlone!.accuracy.perFold).toHaveLength(4);
    const again = await evaluate(set, { ...options, keptOnly: true });
    expect(again.sizeAlone).toEqual(first.sizeAlone);
    expect((await evaluate(set, { ...options, sizeRow: false })).sizeAlone).toBeNull();
  });
});

/** Whether some renaming of the nodes takes one graph to the other: all are tried. */
function sameByTrying(a: Graph, b: Graph): boolean {
  const n = a.nodeCount;
  if (n !== b.nodeCount) return false;
  const table = (graph: Graph) => {
    const entries = new Set<number>();
    for (let i = 0; i < n; i++)
      for (let k = graph.offsets[i]; k < graph.offsets[i + 1]; k++) entries.add(i * n + graph.targets[k]);
    return entries;
  };
  const [from, to] = [table(a), table(b)];
  if (from.size !== to.size) return false;
  const tried = (places: number[]): boolean => {
    if (places.length < n)
      return Array.from({ length: n }, (_, i) => i).some((i) => !places.includes(i) && tried([...places, i]));
    return [...from].every((entry) => to.has(places[Math.floor(entry / n)] * n + places[entry % n]));
  };
  return tried([]);
}

describe("the ceiling of identical graphs", () => {
  it("is the best that any answer by isomorphism class reaches, by trying all of them", () => {
    const smallGraph = fc
      .tuple(fc.integer({ min: 2, max: 4 }), fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 5 }))
      .map(([n, edges]) => {
        const own = edges.filter(([i, j]) => i < n && j < n && i !== j);
        return buildGraph({ nodeCount: n, sources: own.map(([i]) => i), targets: own.map(([, j]) => j) })
          .graph;
      });
    fc.assert(
      fc.property(fc.array(fc.tuple(smallGraph, fc.nat(2)), { minLength: 1, maxLength: 9 }), (rows) => {
        const graphs = rows.map(([graph]) => graph);
        const classes = Int32Array.from(rows, ([, c]) => c);
        const kinds: number[] = [];
        graphs.forEach((graph, g) => {
          const twin = graphs.findIndex((other, h) => h < g && sameByTrying(other, graph));
          kinds.push(twin < 0 ? g : kinds[twin]);
        });
        // every way to give each kind of graph a class
        const names = [...new Set(kinds)];
        let best = 0;
        for (let code = 0; code < 3 ** names.length; code++) {
          const answer = (g: number) => Math.floor(code / 3 ** names.indexOf(kinds[g])) % 3;
          best = Math.max(best, classes.filter((c, g) => c === answer(g)).length);
        }
        expect(identicalCeiling({ graphs, classes })).toEqual({
          structure: best / rows.length,
          labels: null,
        });
      }),
      { numRuns: 60 },
    );
  });

  it("is higher for kernels that see node labels where those differ", () => {
    const labelled = (label: number) =>
      buildGraph({ nodeCount: 2, sources: [0], targets: [1], labels: [label, 0] }).graph;
    const graphs = [labelled(1), labelled(1), labelled(2), labelled(2)];
    expect(identicalCeiling({ graphs, classes: Int32Array.of(0, 0, 1, 1) })).toEqual({
      structure: 0.5,
      labels: 1,
    });
    expect(identicalCeiling({ graphs, classes: Int32Array.of(0, 1, 1, 1) })).toEqual({
      structure: 0.75,
      labels: 0.75,
    });
  });

  it("is said in a sentence", () => {
    const text = (ceiling: { structure: number; labels: number | null }) => ceilingText({ ceiling } as never);
    expect(text({ structure: 1, labels: null })).toContain("ceiling 100 %");
    expect(text({ structure: 0.633, labels: null })).toContain(
      "ceiling 63.3 %: identical graphs of different",
    );
    expect(text({ structure: 0.9, labels: 0.95 })).toContain(
      "ceiling 90 %, 95 % for kernels that see node labels",
    );
  });
});
