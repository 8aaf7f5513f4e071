import fc from "fast-check";
import { expect, test } from "vitest";
import { buildGraph } from "../../src/graph/build.js";
import { connectedComponents } from "../../src/graph/components.js";

const graphOf = (nodeCount: number, edges: [number, number][]) =>
  buildGraph({ nodeCount, sources: edges.map(([i]) => i), targets: edges.map(([, j]) => j) }).graph;

test("a graph without nodes has no components", () => {
  expect(connectedComponents(graphOf(0, []))).toEqual({
    count: 0,
    component: new Uint32Array(0),
    sizes: new Uint32Array(0),
  });
});

test("isolated nodes and lone self-loops are components of one node", () => {
  const { count, component, sizes } = connectedComponents(graphOf(3, [[1, 1]]));
  expect(count).toBe(3);
  expect([...component]).toEqual([0, 1, 2]);
  expect([...sizes]).toEqual([1, 1, 1]);
});

test("components are numbered by their first node", () => {
  const { component, sizes } = connectedComponents(
    graphOf(6, [
      [5, 1],
      [2, 4],
      [4, 3],
    ]),
  );
  expect([...component]).toEqual([0, 1, 2, 2, 2, 1]);
  expect([...sizes]).toEqual([1, 2, 3]);
});

test("a path of a million nodes does not overflow the stack", () => {
  const n = 1_000_000;
  const ends = Uint32Array.from({ length: n - 1 }, (_, i) => i);
  const { graph } = buildGraph({ nodeCount: n, sources: ends, targets: ends.map((i) => i + 1) });
  expect([...connectedComponents(graph).sizes]).toEqual([n]);
});

test("agrees with union-find on random graphs", () => {
  const anyEdges = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 14 });
  fc.assert(
    fc.property(anyEdges, (edges) => {
      const parent = Array.from({ length: 12 }, (_, i) => i);
      const find = (i: number): number => (parent[i] === i ? i : find(parent[i]));
      for (const [i, j] of edges) parent[find(i)] = find(j);
      const { count, component, sizes } = connectedComponents(graphOf(12, edges));
      expect(count).toBe(parent.filter((p, i) => p === i).length);
      for (let i = 0; i < 12; i++)
        for (let j = 0; j < 12; j++) expect(component[i] === component[j]).toBe(find(i) === find(j));
      expect([...sizes].reduce((a, b) => a + b, 0)).toBe(12);
    }),
  );
});
