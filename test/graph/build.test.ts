import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { Random } from "../../src/base/random.js";
import { buildGraph, GraphBuilder } from "../../src/graph/build.js";
import { itAtSize } from "../at-size.js";
import { edgeInputs } from "./arbitrary.js";

const build = (nodeCount: number, edges: number[][], weighted = false) =>
  buildGraph({
    nodeCount,
    sources: edges.map((e) => e[0]),
    targets: edges.map((e) => e[1]),
    weights: weighted ? edges.map((e) => e[2]) : null,
  });

describe("buildGraph", () => {
  it("makes a graph of no nodes, of one node and of two", () => {
    expect(build(0, []).graph.validate().nodeCount).toBe(0);
    const one = build(1, []);
    expect(one.graph.validate().edgeCount).toBe(0);
    expect(one.cleaning.isolatedNodes).toBe(1);
    const two = build(2, [[1, 0]]).graph.validate();
    expect([...two.offsets, ...two.targets]).toEqual([0, 1, 2, 1, 0]);
  });

  it("merges both directions, drops duplicates, keeps a self-loop once and counts each of them", () => {
    const { graph, cleaning } = build(5, [
      [0, 1],
      [1, 0],
      [0, 1],
      [2, 2],
      [2, 2],
      [3, 1],
    ]);
    expect(graph.validate().edgeCount).toBe(3);
    expect(graph.degree(2)).toBe(1);
    expect(cleaning).toEqual({
      edgesRead: 6,
      duplicates: 2,
      oneWay: 1,
      selfLoops: 1,
      isolatedNodes: 1,
      zeroWeights: 0,
      weightConflicts: 0,
    });
  });

  it("keeps the largest of several weights, drops weight 0 and says so", () => {
    const { graph, cleaning } = build(
      3,
      [
        [0, 1, 2],
        [1, 0, 5],
        [1, 2, 0],
      ],
      true,
    );
    expect(graph.weight(0, 1)).toBe(5);
    expect(graph.weight(1, 2)).toBe(0);
    expect(cleaning.weightConflicts).toBe(1);
    expect(cleaning.zeroWeights).toBe(1);
    expect(cleaning.isolatedNodes).toBe(1);
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])("refuses the weight %d with a sentence", (w) => {
    expect(() => build(2, [[0, 1, w]], true)).toThrow(
      `graph: the weight of edge 0-1 must be finite and not negative: got ${w}`,
    );
  });

  it("refuses a node out of range", () => {
    expect(() => build(2, [[0, 2]])).toThrow("graph: edge 0-2 names a node out of range: expected 0 to 1");
    expect(() => build(2, [[-1, 0]])).toThrow("out of range");
  });

  it("checks the number of labels and the values of attributes", () => {
    const edges = { nodeCount: 2, sources: [0], targets: [1] };
    expect(() => buildGraph({ ...edges, labels: [1] })).toThrow(
      "node labels: got 1, expected one for each of 2 nodes",
    );
    const attributes = { values: [1, Number.NaN, 3, 4], dimension: 2 };
    expect(() => buildGraph({ ...edges, attributes })).toThrow(
      "attribute 1 of node 0 is not a finite number: got NaN",
    );
  });

  it("equals the adjacency matrix made entry by entry, for any list of edges", () => {
    fc.assert(
      fc.property(edgeInputs, (input) => {
        const { graph, cleaning } = buildGraph(input);
        graph.validate();
        const n = input.nodeCount;
        const matrix = Array.from({ length: n }, () => new Float64Array(n));
        const listed = new Map<string, number>();
        let zero = 0;
        for (let e = 0; e < input.sources.length; e++) {
          const [i, j, w] = [input.sources[e], input.targets[e], input.weights?.[e] ?? 1];
          if (w === 0) zero++;
          else listed.set(`${i}-${j}`, (listed.get(`${i}-${j}`) ?? 0) + 1);
          matrix[i][j] = matrix[j][i] = Math.max(matrix[i][j], w);
        }
        const oneWay = [...listed.keys()].filter(
          (key) => !listed.has(key.split("-").reverse().join("-")),
        ).length;
        for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) expect(graph.weight(i, j)).toBe(matrix[i][j]);
        expect(cleaning.zeroWeights).toBe(zero);
        expect(cleaning.oneWay).toBe(oneWay);
        expect(cleaning.duplicates).toBe([...listed.values()].reduce((sum, c) => sum + c - 1, 0));
        expect(cleaning.isolatedNodes).toBe(matrix.filter((row) => row.every((w) => w === 0)).length);
        expect(graph.selfLoopCount).toBe(matrix.filter((row, i) => row[i] > 0).length);
      }),
    );
  });

  it("does not depend on the order of the edges", () => {
    fc.assert(
      fc.property(edgeInputs, (input) => {
        const reversed = {
          nodeCount: input.nodeCount,
          sources: [...(input.targets as number[])].reverse(),
          targets: [...(input.sources as number[])].reverse(),
          weights: input.weights && [...input.weights].reverse(),
        };
        expect(new Uint8Array(buildGraph(reversed).graph.buffer as ArrayBuffer)).toEqual(
          new Uint8Array(buildGraph(input).graph.buffer as ArrayBuffer),
        );
      }),
    );
  });

  itAtSize(
    "gives the same graph and report from many edges, sorted by keys, as from the same edges with weight 1",
    () => {
      const random = new Random(1);
      const m = 300_000;
      const draw = () => Uint32Array.from({ length: m }, () => random.integer(5000));
      const input = { nodeCount: 5001, sources: draw(), targets: draw() };
      const plain = buildGraph(input);
      const weighted = buildGraph({ ...input, weights: new Float64Array(m).fill(1) });
      expect(plain.cleaning).toEqual(weighted.cleaning);
      expect(plain.cleaning.duplicates).toBeGreaterThan(0);
      expect(plain.graph.validate().offsets).toEqual(weighted.graph.offsets);
      expect(plain.graph.targets).toEqual(weighted.graph.targets);
    },
  );

  it("gives the same graph from a reused builder and from a part of a longer list", () => {
    const builder = new GraphBuilder();
    builder.build({ nodeCount: 50, sources: [1, 2, 3, 49], targets: [4, 5, 6, 0] });
    const part = builder.build({
      nodeCount: 3,
      sources: [9, 10, 11, 0],
      targets: [9, 11, 12, 0],
      from: 1,
      to: 3,
      base: 10,
    });
    expect(part.graph.validate().edgeCount).toBe(2);
    expect(part.graph.weight(0, 1)).toBe(1);
    expect(part.graph.weight(1, 2)).toBe(1);
  });
});

test.each([
  [0.5, "graph: edge 0.5-1 names a node by a fraction: expected whole numbers from 0 to 2"],
  [Number.NaN, "graph: edge NaN-1 names a node out of range: expected 0 to 2"],
  [-1, "graph: edge -1-1 names a node out of range: expected 0 to 2"],
  [-0.5, "graph: edge -0.5-1 names a node by a fraction: expected whole numbers from 0 to 2"],
  [3, "graph: edge 3-1 names a node out of range: expected 0 to 2"],
  [2 ** 32, "graph: edge 4294967296-1 names a node out of range: expected 0 to 2"],
  [Number.POSITIVE_INFINITY, "graph: edge Infinity-1 names a node out of range: expected 0 to 2"],
])("an end %d is refused", (end, sentence) => {
  expect(() => buildGraph({ nodeCount: 3, sources: [end], targets: [1] })).toThrow(
    new GraphdosError("bad-data", sentence),
  );
  expect(() => buildGraph({ nodeCount: 3, sources: [1], targets: [end] })).toThrow(GraphdosError);
});

test.each([0.5, Number.NaN, 2 ** 31, -(2 ** 31) - 1])(
  "a label %d is refused, not rounded or wrapped",
  (label) => {
    expect(() => buildGraph({ nodeCount: 2, sources: [], targets: [], labels: [0, label] })).toThrow(
      `graph: the label of node 1: got ${label}, expected a whole number from -2^31 to 2^31 - 1`,
    );
  },
);

test.each([
  [1, 0],
  [0.5, 1],
  [-1, 1],
])("edges from %d to %d are refused", (from, to) => {
  expect(() => buildGraph({ nodeCount: 2, sources: [0], targets: [1], from, to })).toThrow(
    `graph: edges from ${from} to ${to}: expected whole numbers, the second not smaller`,
  );
});
