/** Keys that reach the prototype of all objects where a program assigns them: in every JSON that is read from outside. */
import { afterEach, describe, expect, it } from "vitest";
import { textSource } from "../../src/data/bytes.js";
import { readDataset } from "../../src/data/read.js";

const before = Object.getOwnPropertyNames(Object.prototype).sort();
afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const EVIL = `"__proto__": {"polluted": 1, "weight": 7}, "constructor": {"prototype": {"polluted": 1}}, "prototype": {"polluted": 1}`;

describe("keys named __proto__ and constructor", () => {
  it("in a node-link graph are labels like others", async () => {
    const text = `{${EVIL}, "graph": {${EVIL}}, "attributes": {${EVIL}},
      "nodes": [{"id": "__proto__", ${EVIL}}, {"id": "constructor", "attributes": {${EVIL}}}, {"id": "toString"}],
      "links": [{"source": "__proto__", "target": "constructor", ${EVIL}}, {"source": "toString", "target": "__proto__"}]}`;
    const { graphs, nodeIds } = await readDataset(textSource("a.json", text));
    expect(graphs[0].nodeCount).toBe(3);
    expect(graphs[0].edgeCount).toBe(2);
    // a weight on the prototype is no weight of the edge
    expect(graphs[0].weights).toBeNull();
    expect([...(nodeIds![0] as string[])].sort()).toEqual(["__proto__", "constructor", "toString"]);
  });

  it("in adjacency lists are nodes like others", async () => {
    const text = `{"__proto__": ["constructor", "a"], "constructor": {"a": 2}, "a": {"__proto__": {"weight": 3}}}`;
    const { graphs, nodeIds } = await readDataset(textSource("a.json", text));
    expect(graphs[0].nodeCount).toBe(3);
    expect(graphs[0].edgeCount).toBe(3);
    expect([...(nodeIds![0] as string[])].sort()).toEqual(["__proto__", "a", "constructor"]);
  });

  it("as names of graphs and classes of karateclub's format are names like others", async () => {
    const files = new Map([
      [
        "x_graphs.json",
        textSource("x_graphs.json", `{"__proto__": [[0, 1]], "constructor": [[0, 1], [1, 2]]}`),
      ],
      [
        "x_target.csv",
        textSource("x_target.csv", "id,target\n__proto__,hasOwnProperty\nconstructor,__proto__\n"),
      ],
    ]);
    const set = await readDataset({ name: "x", files });
    expect(set.graphNames!.toSorted()).toEqual(["__proto__", "constructor"]);
    expect(set.classNames.toSorted()).toEqual(["__proto__", "hasOwnProperty"]);
    expect(set.graphs.map(({ nodeCount }) => nodeCount).toSorted()).toEqual([2, 3]);
  });
});
