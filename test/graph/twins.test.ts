import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildGraph } from "../../src/graph/build.js";
import type { Graph } from "../../src/graph/graph.js";
import { TwinFinder, type TwinOptions, twinClasses } from "../../src/graph/twins.js";
import { itAtSize } from "../at-size.js";

type Edge = [number, number, number?];

const graphOf = (nodeCount: number, edges: Edge[], labels?: number[]) =>
  buildGraph({
    nodeCount,
    sources: edges.map(([i]) => i),
    targets: edges.map(([, j]) => j),
    weights: edges.some((e) => e.length === 3) ? edges.map(([, , w]) => w ?? 1) : null,
    labels: labels ?? null,
  }).graph;

/** The definition, by dense rows: class of each node named by the smallest twin, and the mutual weight of each pair. */
function bruteForce(graph: Graph, options: TwinOptions = {}): { smallest: number[]; mutual: number[] } {
  const n = graph.nodeCount;
  const own = (i: number) => (options.selfLoops === "one" ? 1 : graph.weight(i, i));
  const twins = (i: number, j: number) => {
    if (own(i) !== own(j)) return false;
    if (options.labels === "respect" && graph.labels![i] !== graph.labels![j]) return false;
    for (let k = 0; k < n; k++)
      if (k !== i && k !== j && graph.weight(i, k) !== graph.weight(j, k)) return false;
    return true;
  };
  const smallest = Array.from({ length: n }, (_, i) => {
    let j = 0;
    while (j < i && !twins(i, j)) j++;
    return j;
  });
  const mutual = smallest.map((s) => {
    const other = smallest.findIndex((t, j) => t === s && j !== s);
    return other < 0 ? 0 : graph.weight(s, other);
  });
  return { smallest, mutual };
}

function expectTwins(graph: Graph, options: TwinOptions = {}): void {
  const found = twinClasses(graph, options);
  const { smallest, mutual } = bruteForce(graph, options);
  const { classOf, representative } = found;
  expect(Array.from(classOf, (p) => representative[p])).toEqual(smallest);
  expect([...representative]).toEqual([...new Set(smallest)]);
  expect(found.count).toBe(representative.length);
  for (let p = 0; p < found.count; p++) {
    const r = representative[p];
    expect(found.size[p]).toBe(smallest.filter((s) => s === r).length);
    expect(found.selfWeight[p]).toBe(options.selfLoops === "one" ? 1 : graph.weight(r, r));
    expect(found.mutualWeight[p]).toBe(mutual[r]);
  }
}

describe("small cases", () => {
  test("no nodes, no classes", () => {
    expect(twinClasses(graphOf(0, [])).count).toBe(0);
  });

  test("isolated nodes are twins of each other, except one with a self-loop", () => {
    const { classOf, size, selfWeight } = twinClasses(graphOf(4, [[2, 2]]));
    expect([...classOf]).toEqual([0, 0, 1, 0]);
    expect([...size]).toEqual([3, 1]);
    expect([...selfWeight]).toEqual([0, 1]);
  });

  test("with every self-weight taken as 1, that self-loop makes no difference", () => {
    const { count, selfWeight } = twinClasses(graphOf(4, [[2, 2]]), { selfLoops: "one" });
    expect(count).toBe(1);
    expect([...selfWeight]).toEqual([1]);
  });

  test("the two ends of an edge are closed twins", () => {
    const { count, mutualWeight } = twinClasses(graphOf(2, [[0, 1, 2.5]]));
    expect(count).toBe(1);
    expect([...mutualWeight]).toEqual([2.5]);
  });

  test("leaves of a star are open twins, a triangle with a tail has closed twins", () => {
    const star = twinClasses(
      graphOf(4, [
        [0, 1],
        [0, 2],
        [0, 3],
      ]),
    );
    expect([...star.size]).toEqual([1, 3]);
    expect([...star.mutualWeight]).toEqual([0, 0]);
    const tailed = twinClasses(
      graphOf(4, [
        [0, 1],
        [0, 2],
        [1, 2],
        [2, 3],
      ]),
    );
    expect([...tailed.classOf]).toEqual([0, 0, 1, 2]);
    expect([...tailed.mutualWeight]).toEqual([1, 0, 0]);
  });

  test("leaves hung by different weights are not twins", () => {
    const { classOf } = twinClasses(
      graphOf(4, [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 2],
      ]),
    );
    expect([...classOf]).toEqual([0, 1, 2, 1]);
  });

  test("labels are ignored unless they are to be respected", () => {
    const graph = graphOf(3, [], [7, 8, 7]);
    expect(twinClasses(graph).count).toBe(1);
    expect([...twinClasses(graph, { labels: "respect" }).classOf]).toEqual([0, 1, 0]);
  });

  test("unknown options are refused", () => {
    expect(() => new TwinFinder({ selfLoops: "two" as "one" })).toThrow(
      "twins: selfLoops: got two, expected keep or one",
    );
    expect(() => new TwinFinder({ loops: "one" } as TwinOptions)).toThrow("twins: unknown option: loops");
  });
});

/** A random graph in which nodes are copied, with or without an edge to the copy, so that twins are common. */
const planted = (weights: number[] | null) =>
  fc
    .record({
      core: fc.integer({ min: 1, max: 5 }),
      edges: fc.array(fc.tuple(fc.nat(4), fc.nat(4), fc.nat(9)), { maxLength: 12 }),
      copies: fc.array(fc.tuple(fc.nat(20), fc.nat(9)), { maxLength: 7 }),
      spoil: fc.option(fc.tuple(fc.nat(20), fc.nat(20), fc.nat(9)), { freq: 2 }),
      labels: fc.array(fc.nat(1), { minLength: 12, maxLength: 12 }),
      order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    })
    .map(({ core, edges, copies, spoil, labels, order }) => {
      const weightOf = (k: number) => (weights === null ? 1 : weights[k % weights.length]);
      const rows: Map<number, number>[] = Array.from({ length: core }, () => new Map());
      const connect = (i: number, j: number, w: number) => {
        rows[i].set(j, w);
        rows[j].set(i, w);
      };
      for (const [i, j, w] of edges) connect(i % core, j % core, weightOf(w));
      for (const [from, kind] of copies) {
        const original = from % rows.length;
        const copy = rows.length;
        rows.push(new Map());
        for (const [j, w] of Array.from(rows[original])) connect(copy, j === original ? copy : j, w);
        if (kind % 2 === 1) connect(original, copy, weightOf(kind));
      }
      if (spoil !== null) connect(spoil[0] % rows.length, spoil[1] % rows.length, weightOf(spoil[2]));
      const n = rows.length;
      const place = Array.from({ length: n }, (_, i) => i).sort((i, j) => order[i] - order[j] || i - j);
      const list: Edge[] = [];
      for (let i = 0; i < n; i++)
        for (const [j, w] of rows[i])
          if (i <= j) list.push(weights === null ? [place[i], place[j]] : [place[i], place[j], w]);
      return graphOf(n, list, labels.slice(0, n));
    });

describe.each([
  ["without weights", null],
  ["with weights", [1, 2, 0.5]],
] as const)("random graphs %s agree with the definition", (_, weights) => {
  test.each<[string, TwinOptions]>([
    ["as they are", {}],
    ["every self-weight 1", { selfLoops: "one" }],
    ["labels respected", { labels: "respect" }],
  ])("%s", (_name, options) => {
    fc.assert(
      fc.property(planted(weights && [...weights]), (graph) => expectTwins(graph, options)),
      { numRuns: 300 },
    );
  });
});

test("one finder gives the same for many graphs as a fresh one for each", () => {
  const finder = new TwinFinder();
  fc.assert(
    fc.property(planted([1, 2]), (graph) => {
      const fresh = twinClasses(graph);
      const { count, classOf, mutualWeight } = finder.find(graph);
      expect(count).toBe(fresh.count);
      expect(classOf.slice(0, graph.nodeCount)).toEqual(fresh.classOf);
      expect(mutualWeight.slice(0, count)).toEqual(fresh.mutualWeight);
    }),
  );
});

itAtSize("a clique of 2000 nodes is one class, found in linear time", () => {
  const n = 2000;
  const edges: Edge[] = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) edges.push([i, j]);
  const { count, size, mutualWeight } = twinClasses(graphOf(n, edges));
  expect([count, size[0], mutualWeight[0]]).toEqual([1, n, 1]);
});
