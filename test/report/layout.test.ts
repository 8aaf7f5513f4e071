import { expect, test } from "vitest";
import { buildGraph } from "../../src/graph/build.js";
import { complete, cycle, path } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { layoutGraph } from "../../src/report/layout.js";

const distance = (places: Float64Array, i: number, j: number) =>
  Math.hypot(places[2 * i] - places[2 * j], places[2 * i + 1] - places[2 * j + 1]);

const disjoint = (nodeCount: number, edges: [number, number][]): Graph =>
  buildGraph({ nodeCount, sources: edges.map(([i]) => i), targets: edges.map(([, j]) => j) }).graph;

test("no node, one node, two nodes", () => {
  expect(layoutGraph(disjoint(0, []))).toEqual({ places: new Float64Array(0), width: 0, height: 0 });
  expect([...layoutGraph(disjoint(1, [])).places]).toEqual([0, 0]);
  expect(distance(layoutGraph(disjoint(2, [[0, 1]])).places, 0, 1)).toBeCloseTo(1, 6);
});

test("a path is drawn as a line of unit edges", () => {
  const { places } = layoutGraph(path(6));
  for (let i = 0; i < 5; i++) expect(distance(places, i, i + 1)).toBeCloseTo(1, 1);
  expect(distance(places, 0, 5)).toBeGreaterThan(4.8);
});

test("a cycle is drawn as a regular polygon", () => {
  const { places } = layoutGraph(cycle(8));
  const sides = Array.from({ length: 8 }, (_, i) => distance(places, i, (i + 1) % 8));
  for (const side of sides) expect(side).toBeCloseTo(sides[0], 2);
});

test("twins do not fall on each other, components do not touch", () => {
  const { places } = layoutGraph(complete(12));
  for (let i = 0; i < 12; i++)
    for (let j = 0; j < i; j++) expect(distance(places, i, j)).toBeGreaterThan(0.1);
  const apart = layoutGraph(
    disjoint(6, [
      [0, 1],
      [2, 3],
    ]),
  );
  for (const [i, j] of [
    [0, 2],
    [1, 3],
    [4, 5],
    [0, 4],
  ])
    expect(distance(apart.places, i, j)).toBeGreaterThan(0.9);
});

test("all places are inside of the frame, and the same every time", () => {
  const graph = disjoint(9, [
    [0, 1],
    [1, 2],
    [2, 0],
    [3, 4],
    [5, 5],
  ]);
  const { places, width, height } = layoutGraph(graph);
  for (let i = 0; i < 9; i++) {
    expect(places[2 * i]).toBeGreaterThanOrEqual(0);
    expect(places[2 * i]).toBeLessThanOrEqual(width + 1e-9);
    expect(places[2 * i + 1]).toBeGreaterThanOrEqual(0);
    expect(places[2 * i + 1]).toBeLessThanOrEqual(height + 1e-9);
  }
  expect(layoutGraph(graph).places).toEqual(places);
});
