import fc from "fast-check";
import { DirectedGraph, MultiGraph, UndirectedGraph } from "graphology";
import { describe, expect, test } from "vitest";
import {
  fromAdjacencyList,
  fromDense,
  fromGraphology,
  toAdjacencyList,
  toDense,
  toGraphology,
} from "../../src/graph/adapters.js";
import { buildGraph } from "../../src/graph/build.js";
import type { Graph } from "../../src/graph/graph.js";

const edgesOf = (graph: Graph) => {
  graph.validate();
  const edges: [number, number, number][] = [];
  graph.forEachEdge((i, j, w) => edges.push([i, j, w]));
  return edges;
};

const symmetric = fc
  .integer({ min: 0, max: 7 })
  .chain((n) =>
    fc
      .array(fc.constantFrom(0, 0, 1, 2.5, 1e-3), { minLength: n * n, maxLength: n * n })
      .map((flat) =>
        Array.from({ length: n }, (_, i) =>
          Array.from({ length: n }, (_, j) => flat[Math.min(i, j) * n + Math.max(i, j)]),
        ),
      ),
  );

describe("adjacency lists", () => {
  test("no node, one node, a loop, an edge in one list or in both", () => {
    expect(fromAdjacencyList([]).graph.nodeCount).toBe(0);
    expect(fromAdjacencyList([[]]).graph.nodeCount).toBe(1);
    expect(toAdjacencyList(fromAdjacencyList([[0]]).graph)).toEqual([[0]]);
    expect(toAdjacencyList(fromAdjacencyList([[2, 1], [0], []]).graph)).toEqual([[1, 2], [0], [0]]);
  });

  test("the cleaning is reported", () => {
    expect(fromAdjacencyList([[1, 1], []]).cleaning).toMatchObject({ duplicates: 1, oneWay: 1 });
  });

  test.each([
    [[[3]], "adjacency list: neighbour 0 of node 0: got 3, expected 0 to 0"],
    [[[], [0, -1]], "adjacency list: neighbour 1 of node 1: got -1, expected 0 to 1"],
    [[[0.5]], "adjacency list: neighbour 0 of node 0: got 0.5, expected 0 to 0"],
  ])("refuses %j", (lists, sentence) => {
    expect(() => fromAdjacencyList(lists)).toThrow(sentence);
  });
});

describe("dense matrices", () => {
  test("there and back is the same matrix, by rows or flat", () => {
    fc.assert(
      fc.property(symmetric, (matrix) => {
        const { graph } = fromDense(matrix);
        graph.validate();
        expect(Array.from(toDense(graph))).toEqual(matrix.flat());
        const flat = { rows: matrix.length, data: Float64Array.from(matrix.flat()) };
        expect(edgesOf(fromDense(flat).graph)).toEqual(edgesOf(graph));
      }),
    );
  });

  test("weights that are all 1 are no weights", () => {
    expect(
      fromDense([
        [0, 1],
        [1, 0],
      ]).graph.weights,
    ).toBeNull();
    expect(
      fromDense([
        [0, 2],
        [2, 0],
      ]).graph.weights,
    ).not.toBeNull();
  });

  test("an asymmetric matrix is refused with its place, or symmetrised by the larger entry", () => {
    const matrix = [
      [0, 2, 0],
      [5, 0, 0],
      [3, 0, 0],
    ];
    expect(() => fromDense(matrix)).toThrow(
      "dense matrix: not symmetric: entry (0, 1) is 2, entry (1, 0) is 5; give symmetrise: true to take the larger",
    );
    expect(edgesOf(fromDense(matrix, { symmetrise: true }).graph)).toEqual([
      [0, 1, 5],
      [0, 2, 3],
    ]);
  });

  test.each([
    [[[0, 1]], "dense matrix: row 0 has 2 entries, expected 1"],
    [{ rows: 2, data: [0, 1, 1] }, "dense matrix: got 3 numbers in 2 rows, expected 4"],
    [[[-1]], "dense matrix: entry (0, 0) must be finite and not negative: got -1"],
    [[[Number.NaN]], "dense matrix: entry (0, 0) must be finite and not negative: got NaN"],
  ])("refuses %j", (matrix, sentence) => {
    expect(() => fromDense(matrix)).toThrow(sentence);
  });

  test("unknown options are refused", () => {
    expect(() => fromDense([], { symmetrize: true } as object)).toThrow(
      "unknown option: symmetrize; did you mean symmetrise?",
    );
  });
});

describe("graphology", () => {
  test("nodes, weights, loops and isolated nodes come over", () => {
    const source = new UndirectedGraph();
    for (const node of ["x", "y", "z", "alone"]) source.addNode(node);
    source.addEdge("x", "y", { weight: 2 });
    source.addEdge("y", "z");
    source.addEdge("z", "z", { weight: 0.5 });
    const { graph, nodeIds } = fromGraphology(source);
    expect(nodeIds).toEqual(["x", "y", "z", "alone"]);
    expect(edgesOf(graph)).toEqual([
      [0, 1, 2],
      [1, 2, 1],
      [2, 2, 0.5],
    ]);
  });

  test("an empty graph, directed edges, parallel edges, another name for the weight", () => {
    expect(fromGraphology(new UndirectedGraph()).graph.nodeCount).toBe(0);
    const directed = new DirectedGraph();
    directed.mergeEdge("a", "b", { cost: 3 });
    directed.mergeEdge("b", "a", { cost: 4 });
    expect(fromGraphology(directed).graph.weights).toBeNull();
    expect(edgesOf(fromGraphology(directed, { weight: "cost" }).graph)).toEqual([[0, 1, 4]]);
    const multi = new MultiGraph();
    multi.mergeNode("a");
    multi.mergeNode("b");
    multi.addEdge("a", "b");
    multi.addEdge("a", "b");
    expect(fromGraphology(multi).cleaning.duplicates).toBe(1);
  });

  test("there and back is the same graph, with labels and attributes where they are asked for", () => {
    fc.assert(
      fc.property(symmetric, (matrix) => {
        const n = matrix.length;
        const sources = matrix.flatMap((_, i) => matrix.map(() => i));
        const targets = matrix.flatMap((row) => row.map((_, j) => j));
        const { graph } = buildGraph({
          nodeCount: n,
          sources,
          targets,
          weights: matrix.flat(),
          labels: Array.from({ length: n }, (_, i) => -i),
          attributes: { values: Array.from({ length: 2 * n }, (_, k) => k / 2), dimension: 2 },
        });
        const names = { weight: "w", label: "kind", attributes: "features" };
        const nodeIds = Array.from({ length: n }, (_, i) => `node ${i}`);
        const graphology = toGraphology(graph, UndirectedGraph, { ...names, nodeIds });
        expect([graphology.order, graphology.size]).toEqual([graph.nodeCount, graph.edgeCount]);
        const back = fromGraphology(graphology, names);
        expect(back.nodeIds).toEqual(nodeIds);
        expect(edgesOf(back.graph)).toEqual(edgesOf(graph));
        expect(back.graph.labels).toEqual(graph.labels);
        if (n > 0) expect(back.graph.attributes).toEqual(graph.attributes);
      }),
      { numRuns: 50 },
    );
  });

  test("nodes without names are called by their numbers, weights only written where there are some", () => {
    const graphology = toGraphology(fromAdjacencyList([[1], []]).graph, UndirectedGraph);
    expect(graphology.nodes()).toEqual(["0", "1"]);
    expect(graphology.type).toBe("undirected");
    expect(graphology.getEdgeAttributes("0", "1")).toEqual({});
  });

  test("bad weights, labels, attributes, names and options are refused", () => {
    const source = new UndirectedGraph();
    source.addNode("a", { kind: "C", f: [1, 2] });
    source.addNode("b", { kind: 1, f: [1] });
    source.addEdgeWithKey("e", "a", "b", { weight: -1, other: "2" });
    expect(() => fromGraphology(source)).toThrow(
      "graphology: edge e (a-b): weight must be a finite number that is not negative: got -1",
    );
    expect(() => fromGraphology(source, { weight: "other" })).toThrow(
      'graphology: edge e (a-b): other must be a finite number that is not negative: got "2"',
    );
    expect(() => fromGraphology(source, { label: "kind" })).toThrow(
      'graphology: node a: kind: got "C", expected a 32-bit integer',
    );
    expect(() => fromGraphology(source, { attributes: "f" })).toThrow(
      "graphology: node b: f: got [1], expected 2 finite numbers",
    );
    expect(() => fromGraphology(source, { attributes: "g" })).toThrow(
      "graphology: node a: g: got nothing, expected a list of finite numbers",
    );
    expect(() => fromGraphology(source, { wieght: "x" } as object)).toThrow(
      "unknown option: wieght; did you mean weight?",
    );
    const { graph } = fromAdjacencyList([[], []]);
    expect(() => toGraphology(graph, UndirectedGraph, { nodeIds: ["a"] })).toThrow(
      "nodeIds: got 1, expected one for each of 2 nodes",
    );
  });
});
