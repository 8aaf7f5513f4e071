import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { buildGraph } from "../../src/graph/build.js";
import { Graph } from "../../src/graph/graph.js";
import { edgeInputs } from "./arbitrary.js";

const triangle = () =>
  buildGraph({
    nodeCount: 4,
    sources: [0, 1, 2, 3],
    targets: [1, 2, 0, 3],
    weights: [1, 2, 3, 4],
    labels: [7, 7, -1, 0],
    attributes: { values: [1, 2, 3, 4, 5, 6, 7, 8], dimension: 2 },
  }).graph;

describe("Graph", () => {
  it("counts a self-loop as one edge and once in the degree", () => {
    const graph = triangle();
    expect(graph.edgeCount).toBe(4);
    expect(graph.selfLoopCount).toBe(1);
    expect([...graph.degrees()]).toEqual([4, 3, 5, 4]);
  });

  it("visits every edge once", () => {
    const edges: number[][] = [];
    triangle().forEachEdge((i, j, w) => edges.push([i, j, w]));
    expect(edges).toEqual([
      [0, 1, 1],
      [0, 2, 3],
      [1, 2, 2],
      [3, 3, 4],
    ]);
  });

  it("comes back from its buffer with labels and attributes", () => {
    const graph = triangle();
    const copy = Graph.fromBuffer(structuredClone(graph.buffer)).validate();
    expect(copy).toEqual(graph);
    expect([...copy.labels!]).toEqual([7, 7, -1, 0]);
    expect([...copy.attributes!]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("refuses a buffer that is not one, of another version or of the wrong size", () => {
    const bytes = new Uint8Array(triangle().buffer as ArrayBuffer);
    const change = (at: number, value: number) => {
      const copy = bytes.slice();
      copy[at] = value;
      return copy.buffer;
    };
    expect(() => Graph.fromBuffer(new ArrayBuffer(5))).toThrow(
      "graph buffer: too short for a graph: 5 bytes",
    );
    expect(() => Graph.fromBuffer(change(0, 1))).toThrow("wrong magic number");
    expect(() => Graph.fromBuffer(change(4, 9))).toThrow("unknown version: got 9, expected 1");
    expect(() => Graph.fromBuffer(bytes.slice(0, -8).buffer)).toThrow("wrong size");
  });

  /** The invariants, each by its definition. */
  function isGraph({ nodeCount, offsets, targets, weights, attributes, selfLoopCount }: Graph): boolean {
    if (offsets[0] !== 0 || offsets[nodeCount] !== targets.length) return false;
    const rows: Map<number, number>[] = [];
    for (let i = 0; i < nodeCount; i++) {
      if (offsets[i + 1] < offsets[i]) return false;
      const row = [...targets.subarray(offsets[i], offsets[i + 1])];
      if (row.some((j, k) => j >= nodeCount || (k > 0 && j <= row[k - 1]))) return false;
      rows.push(new Map(row.map((j, k) => [j, weights === null ? 1 : weights[offsets[i] + k]])));
    }
    const both = rows.every((row, i) => [...row].every(([j, weight]) => rows[j].get(i) === weight));
    const sound = [...(weights ?? [])].every((weight) => weight > 0 && Number.isFinite(weight));
    const loops = rows.filter((row, i) => row.has(i)).length;
    return both && sound && loops === selfLoopCount && [...(attributes ?? [])].every(Number.isFinite);
  }

  it("is valid with one changed byte where it is another graph, and only there", () => {
    fc.assert(
      fc.property(edgeInputs, fc.nat(), fc.integer({ min: 1, max: 255 }), (input, where, flip) => {
        const bytes = new Uint8Array(structuredClone(buildGraph(input).graph.buffer as ArrayBuffer));
        bytes[where % bytes.length] ^= flip;
        let graph: Graph;
        try {
          graph = Graph.fromBuffer(bytes.buffer);
        } catch (error) {
          expect(error).toBeInstanceOf(GraphdosError);
          return;
        }
        if (isGraph(graph)) graph.validate();
        else expect(() => graph.validate()).toThrow(GraphdosError);
      }),
      { numRuns: 1000 },
    );
  });

  const broken: [string, (graph: Graph) => void, string][] = [
    ["offsets that do not start at 0", (g) => g.offsets.set([1], 0), "offsets must start at 0: got 1"],
    [
      "offsets that end elsewhere",
      (g) => g.offsets.set([6], 4),
      "offsets must end at the number of entries: got 6, expected 7",
    ],
    ["offsets that fall", (g) => g.offsets.set([5], 1), "offsets must not fall: they do at node 1"],
    [
      "a neighbour out of range",
      (g) => g.targets.set([9], 1),
      "node 0 has a neighbour out of range: got 9, expected below 4",
    ],
    [
      "neighbours out of order",
      (g) => g.targets.set([1], 1),
      "the neighbours of node 0 are not ascending at 1",
    ],
    [
      "a weight of zero",
      (g) => g.weights!.set([0], 0),
      "the weight of edge 0-1 must be positive and finite: got 0",
    ],
    [
      "different weights in the two directions",
      (g) => g.weights!.set([9], 0),
      "edge 0-1 is not the same in both directions",
    ],
    [
      "an attribute that is no number",
      (g) => g.attributes!.set([Number.NaN], 3),
      "attribute 1 of node 1 is not finite: got NaN",
    ],
  ];
  it.each(broken)("validate() finds %s", (_, damage, sentence) => {
    const graph = triangle();
    damage(graph);
    expect(() => graph.validate()).toThrow(`graph: ${sentence}`);
  });

  it("validate() finds edges of one direction, though every node has as many in as out", () => {
    const { graph } = buildGraph({ nodeCount: 4, sources: [0, 2], targets: [1, 3] });
    graph.targets.set([1, 2, 3, 0]);
    expect(() => graph.validate()).toThrow("graph: edge 0-1 is not the same in both directions");
  });
});

const shape = {
  nodeCount: 3,
  entryCount: 2,
  selfLoopCount: 0,
  weighted: false,
  labelled: false,
  attributeDimension: 0,
};
test.each([
  { nodeCount: 2 ** 31 },
  { nodeCount: 0.5 },
  { nodeCount: -1 },
  { entryCount: 2 ** 32 },
  { entryCount: Number.NaN },
  { selfLoopCount: 3 },
  { attributeDimension: 2 ** 32 },
])("a graph with %j is refused: its numbers would wrap", (change) => {
  expect(() => Graph.allocate({ ...shape, ...change })).toThrow(
    /^graph: got .* expected at most 2147483647 nodes and 4294967295 entries/,
  );
});

test("a graph that no buffer can hold is refused with a sentence", () => {
  const large = { ...shape, nodeCount: 2 ** 31 - 1, attributeDimension: 2 ** 31 };
  expect(() => Graph.allocate(large)).toThrow(
    /^graph: 2147483647 nodes and 2 adjacency entries take \d+ bytes/,
  );
});

test("a row that begins beyond 2^31 is searched in its own half", () => {
  const first = 2 ** 32 - 9;
  const targets = Object.fromEntries(Array.from({ length: 7 }, (_, k) => [first + k, 2 * k]));
  const far = { offsets: [first, first + 7], targets, weights: null };
  const weight = (j: number) => Graph.prototype.weight.call(far as unknown as Graph, 0, j);
  expect(Array.from({ length: 14 }, (_, j) => weight(j))).toEqual(
    Array.from({ length: 14 }, (_, j) => 1 - (j % 2)),
  );
});
