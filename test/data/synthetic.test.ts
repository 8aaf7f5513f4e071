import { describe, expect, test } from "vitest";
import { syntheticDataset, syntheticNames } from "../../src/data/synthetic/index.js";
import type { Graph } from "../../src/graph/graph.js";

const bytes = (graphs: Graph[]) =>
  graphs.map((graph) => Buffer.from(graph.buffer as ArrayBuffer).toString("base64"));
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: number[]) => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));

/** Values of the graphs of each class. */
function byClass(name: string, value: (graph: Graph) => number): number[][] {
  const { graphs, classes, classNames } = syntheticDataset(name);
  return classNames.map((_, c) => graphs.filter((_, g) => classes![g] === c).map(value));
}

/** Largest difference of two class means, in standard errors. */
function separation(groups: number[][]): number {
  let most = 0;
  for (const x of groups)
    for (const y of groups) {
      const error = Math.sqrt(deviation(x) ** 2 / x.length + deviation(y) ** 2 / y.length);
      if (x !== y) most = Math.max(most, Math.abs(mean(x) - mean(y)) / error);
    }
  return most;
}

const meanDegree = (graph: Graph) => (2 * graph.edgeCount) / graph.nodeCount;
const largestDegreeShare = (graph: Graph) => Math.max(...graph.degrees()) / graph.nodeCount;

/** The trace of the cube of the random walk's matrix, a node: chance to be back after three steps. */
function returnsAfterThree(graph: Graph): number {
  let sum = 0;
  for (let i = 0; i < graph.nodeCount; i++)
    for (let j = 0; j < graph.nodeCount; j++) {
      if (graph.weight(i, j) === 0) continue;
      for (let k = graph.offsets[j]; k < graph.offsets[j + 1]; k++)
        if (graph.weight(graph.targets[k], i) > 0)
          sum += 1 / (graph.degree(i) * graph.degree(j) * graph.degree(graph.targets[k]));
    }
  return sum / graph.nodeCount;
}

describe.each(syntheticNames)("the synthetic set %s", (name) => {
  test("has a few hundred valid graphs of varied sizes in balanced, shuffled classes", () => {
    const { graphs, classes, classNames, notes, cleaning } = syntheticDataset(name);
    expect(graphs.length).toBeGreaterThanOrEqual(300);
    expect(graphs.length).toBeLessThanOrEqual(400);
    expect(classes).toHaveLength(graphs.length);
    expect(classNames).toEqual([...classNames].sort());
    const sizes = graphs.map((graph) => graph.validate().nodeCount);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(150);
    expect(deviation(sizes)).toBeGreaterThan(15);
    for (let c = 0; c < classNames.length; c++)
      expect(classes!.filter((k) => k === c)).toHaveLength(graphs.length / classNames.length);
    const firstHalf = classes!.subarray(0, graphs.length / 2).filter((c) => c === 0).length;
    const expected = graphs.length / 2 / classNames.length;
    expect(Math.abs(firstHalf - expected)).toBeLessThan(0.3 * expected);
    expect(notes).toHaveLength(1);
    expect(cleaning.edgesRead).toBe(graphs.reduce((sum, graph) => sum + graph.edgeCount, 0));
  });

  test("repeats its bits for a seed and not for another", () => {
    const first = syntheticDataset(name, { seed: 5, graphs: 20 });
    const again = syntheticDataset(name, { seed: 5, graphs: 20 });
    const other = syntheticDataset(name, { seed: 6, graphs: 20 });
    expect(bytes(again.graphs)).toEqual(bytes(first.graphs));
    expect(again.classes).toEqual(first.classes);
    expect(bytes(other.graphs)).not.toEqual(bytes(first.graphs));
  });

  test("has as many graphs as asked for, one included", () => {
    for (const graphs of [1, 2, 7]) expect(syntheticDataset(name, { graphs }).graphs).toHaveLength(graphs);
  });

  test("does not tell a class by the numbers of its nodes", () => {
    const positionOfHub = byClass(name, (graph) => {
      const degrees = graph.degrees();
      return degrees.indexOf(Math.max(...degrees)) / graph.nodeCount;
    });
    for (const group of positionOfHub)
      expect(Math.abs(mean(group) - 0.5)).toBeLessThan((5 * 0.29) / Math.sqrt(group.length));
    expect(separation(positionOfHub)).toBeLessThan(4);
  });

  test("does not tell a class by its sizes", () => {
    expect(separation(byClass(name, (graph) => graph.nodeCount))).toBeLessThan(4);
  });
});

describe("what tells the classes apart", () => {
  test("threads: questions have the larger hubs, on the whole but not always", () => {
    const [discussion, question] = byClass("threads", largestDegreeShare);
    expect(mean(question)).toBeGreaterThan(mean(discussion));
    expect(separation([discussion, question])).toBeGreaterThan(8);
    expect(Math.max(...discussion)).toBeGreaterThan(mean(question));
    expect(Math.min(...question)).toBeLessThan(mean(discussion));
  });

  test("ego: one node is joined to all; laboratories have second hubs", () => {
    const { graphs } = syntheticDataset("ego");
    for (const graph of graphs) expect(Math.max(...graph.degrees())).toBe(graph.nodeCount - 1);
    const second = byClass("ego", (graph) => [...graph.degrees()].sort((x, y) => y - x)[1] / graph.nodeCount);
    expect(mean(second[1])).toBeGreaterThan(mean(second[0]));
    expect(mean(second[1])).toBeGreaterThan(mean(second[2]));
  });

  test("communities: not the mean degree nor the largest, but the triangles", () => {
    expect(separation(byClass("communities", meanDegree))).toBeLessThan(4);
    expect(separation(byClass("communities", (graph) => Math.max(...graph.degrees())))).toBeLessThan(4);
    const [assortative, bipartite, ring] = byClass("communities", returnsAfterThree).map(mean);
    expect(assortative).toBeGreaterThan(1.5 * bipartite);
    expect(ring).toBeLessThan(assortative);
  });
});

describe("a wrong call", () => {
  test("names the nearest set, the option, the value", () => {
    expect(() => syntheticDataset("thread")).toThrow(
      "unknown synthetic data set: thread; did you mean threads?",
    );
    expect(() => syntheticDataset("toString")).toThrow(/unknown synthetic data set/);
    expect(() => syntheticDataset("ego", { sed: 1 } as never)).toThrow(
      /unknown option.*sed; did you mean seed/,
    );
    expect(() => syntheticDataset("ego", { graphs: 0 })).toThrow(/synthetic:ego: graphs: got 0, expected/);
    expect(() => syntheticDataset("ego", { seed: 0.5 })).toThrow(/seed: got 0.5/);
  });
});
