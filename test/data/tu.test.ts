import { existsSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { bytesSource, textSource } from "../../src/data/bytes.js";
import { readDataset } from "../../src/data/read.js";
import type { FileTree, ReadOptions } from "../../src/data/reading.js";
import { openData } from "../../src/node/open.js";

/** Two graphs: a triangle (nodes 1 to 3) and an edge with an isolated node (4 to 6). */
const good: Record<string, string> = {
  A: "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n",
  graph_indicator: "1\n1\n1\n2\n2\n2\n",
  graph_labels: "-1\n1\n",
};

const tree = (files: Record<string, string>): FileTree => ({
  name: "X",
  files: new Map(
    Object.entries(files).map(([role, text]) => [`X_${role}.txt`, textSource(`X_${role}.txt`, text)]),
  ),
});
const read = (files: Record<string, string>, options?: ReadOptions) => readDataset(tree(files), options);
const zipped = (files: Record<string, string>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([role, text]) => [`X/X_${role}.txt`, strToU8(text)])),
  );

describe("the TU reader", () => {
  it("reads graphs, classes and isolated nodes", async () => {
    const set = await read(good);
    expect(set.graphs.map((g) => [g.nodeCount, g.edgeCount])).toEqual([
      [3, 3],
      [3, 1],
    ]);
    expect(set.classNames).toEqual(["-1", "1"]);
    expect([...set.classes!]).toEqual([0, 1]);
    expect(set.cleaning.isolatedNodes).toBe(1);
    for (const graph of set.graphs) graph.validate();
  });

  it("keeps graphs without nodes, in the middle and at the end, and counts them", async () => {
    const set = await read({
      ...good,
      graph_indicator: "3\n3\n3\n1\n1\n1\n",
      graph_labels: "a\nb\nc\nd\n",
      node_labels: "1\n2\n3\n4\n5\n6\n",
    });
    expect(set.graphs.map((g) => [g.nodeCount, g.edgeCount, ...g.labels!])).toEqual([
      [3, 1, 4, 5, 6],
      [0, 0],
      [3, 3, 1, 2, 3],
      [0, 0],
    ]);
    expect(Array.from(set.classes!, (k) => set.classNames[k])).toEqual(["a", "b", "c", "d"]);
    expect(set.notes).toContain("2 graphs have no nodes and are kept as empty graphs: 2, 4");
    const unlabelled = await read({ A: good.A, graph_indicator: "1\n1\n1\n3\n3\n3\n" });
    expect(unlabelled.graphs.map((g) => g.nodeCount)).toEqual([3, 0, 3]);
    expect(unlabelled.notes).toContain("1 graph has no nodes and is kept as an empty graph: 2");
  });

  it("reads the same from a zip", async () => {
    const set = await readDataset(bytesSource("X.zip", zipped(good)));
    expect(set).toEqual(await read(good));
  });

  it("survives Windows line ends, blank last lines, no last line end, blanks around and lines listed twice", async () => {
    const plain = await read(good);
    const odd = await read({
      A: `${good.A.replaceAll("\n", "\r\n")}${good.A.replaceAll(", ", " ,\t")}\n\r\n`,
      graph_indicator: good.graph_indicator.replaceAll("\n", "\r\n").trimEnd(),
      graph_labels: " -1 \r\n1\r\n\r\n",
    });
    expect(odd.graphs).toEqual(plain.graphs);
    expect(odd.classNames).toEqual(plain.classNames);
    expect(odd.cleaning.duplicates).toBe(8);
  });

  it("orders the classes 10, 9, -1 by value and words by letter", async () => {
    const files = { A: "1,1\n", graph_indicator: "1\n2\n3\n" };
    expect((await read({ ...files, graph_labels: "10\n9\n-1\n" })).classNames).toEqual(["-1", "9", "10"]);
    expect((await read({ ...files, graph_labels: "b\na\nb\n" })).classNames).toEqual(["a", "b"]);
  });

  it("puts the nodes of a graph together where the indicator mixes them, with labels, attributes and weights", async () => {
    const set = await read(
      {
        A: "1,3\n2,4\n3,1\n4,2\n",
        graph_indicator: "2\n1\n2\n1\n",
        graph_labels: "0\n1\n",
        node_labels: "10\n20\n30\n40\n",
        node_attributes: "1.5, 1\n2.5, 2\n3.5, 3\n4.5, 4\n",
        edge_attributes: "5\n7\n5\n7\n",
      },
      { edgeWeights: true },
    );
    expect(set.graphs.map((g) => [...g.labels!])).toEqual([
      [20, 40],
      [10, 30],
    ]);
    expect([...set.graphs[0].attributes!]).toEqual([2.5, 2, 4.5, 4]);
    expect(set.graphs.map((g) => g.weight(0, 1))).toEqual([7, 5]);
  });

  it("says what it does not use, and that labels are missing", async () => {
    const set = await read({
      A: good.A,
      graph_indicator: good.graph_indicator,
      edge_labels: "0\n".repeat(8),
    });
    expect(set.classes).toBeNull();
    expect(set.notes).toContain("edge labels are not used");
    expect(set.notes).toContain("no graph labels: the set can be inspected and compared, not classified");
  });

  it("reads a number to predict from the graph attributes", async () => {
    const set = await read({
      A: good.A,
      graph_indicator: good.graph_indicator,
      graph_attributes: "0.5\n-2e3\n",
    });
    expect([...set.targets!]).toEqual([0.5, -2000]);
  });

  const bad: [string, Record<string, string>, string][] = [
    [
      "a folder without an indicator file",
      { A: good.A },
      "X: the indicator file X_graph_indicator.txt is missing",
    ],
    [
      "a folder without edges",
      { graph_indicator: "1\n" },
      "X: a TU set needs a file NAME_A.txt with its edges",
    ],
    [
      "an indicator shorter than the node ids",
      { ...good, graph_indicator: "1\n1\n1\n2\n" },
      "X_A.txt line 7: names node 5, but X_graph_indicator.txt has 4 nodes (numbered from 1)",
    ],
    [
      "an edge across two graphs",
      { ...good, A: "1, 2\n3, 4\n" },
      "X_A.txt line 2: an edge across two graphs: node 3 is in graph 1, node 4 in graph 2",
    ],
    [
      "letters in the edges",
      { ...good, A: "1, 2\nx, 1\n" },
      'X_A.txt line 2: expected two node numbers "i, j", got x,',
    ],
    [
      "letters behind a number",
      { ...good, A: "1, 2b\n" },
      'X_A.txt line 1: expected two node numbers "i, j", got b',
    ],
    [
      "a line with one number",
      { ...good, A: "1, 2\n\n3\n" },
      'X_A.txt line 3: expected two node numbers "i, j", found the end of the line',
    ],
    ["node 0", { ...good, A: "0, 1\n" }, "X_A.txt line 1: names node 0"],
    [
      "a node number beyond 2^31",
      { ...good, A: "1, 3000000000\n" },
      "X_A.txt line 1: node number 3000000000 is beyond 2^31 - 1",
    ],
    [
      "letters in the indicator",
      { ...good, graph_indicator: "1\none\n" },
      "X_graph_indicator.txt line 2: not a number: got one",
    ],
    ["an empty indicator", { ...good, graph_indicator: "\n" }, "X_graph_indicator.txt: the file is empty"],
    [
      "graph 0",
      { ...good, graph_indicator: "0\n1\n" },
      "X_graph_indicator.txt entry 1: got 0, expected a whole number from 1",
    ],
    [
      "a graph number without end",
      { A: good.A, graph_indicator: "1\n2000000000\n" },
      "names graph 2000000000, but has only 2 nodes",
    ],
    [
      "a graph number beyond the labels",
      { ...good, graph_indicator: "2000000000\n1\n" },
      "X_graph_labels.txt: labels are missing: got 2, expected one for each of 2000000000 graphs",
    ],
    [
      "a graph number beyond the targets",
      { A: good.A, graph_indicator: good.graph_indicator, graph_attributes: "1\n" },
      "X_graph_attributes.txt: got 1 lines, expected one for each of 2 graphs",
    ],
    [
      "labels missing",
      { ...good, graph_labels: "1\n" },
      "X_graph_labels.txt: labels are missing: got 1, expected one for each of 2 graphs",
    ],
    [
      "node labels missing",
      { ...good, node_labels: "1\n2\n" },
      "X_node_labels.txt: got 2 lines, expected one for each of 6 nodes",
    ],
    [
      "ragged attributes",
      { ...good, node_attributes: "1,2\n3\n" },
      "X_node_attributes.txt line 2: 1 numbers, expected 2 as in the first line",
    ],
    [
      "NaN attributes",
      { ...good, node_attributes: "1\nnan\n" },
      "X_node_attributes.txt line 2: not a number: got nan",
    ],
  ];
  it.each(bad)("refuses %s, naming file and line", async (_, files, sentence) => {
    await expect(read(files)).rejects.toMatchObject({
      name: "GraphdosError",
      code: "bad-data",
      message: expect.stringContaining(sentence),
    });
  });

  it("refuses negative and missing weights", async () => {
    const files = { ...good, edge_attributes: "1\n".repeat(7) + "-2\n" };
    await expect(read(files, { edgeWeights: true })).rejects.toThrow(
      "X: graph 2: the weight of edge 1-0 must be finite and not negative: got -2",
    );
    await expect(read(good, { edgeWeights: true })).rejects.toThrow(
      "--edge-weights needs X_edge_attributes.txt",
    );
  });

  it("stops when it is told to", async () => {
    await expect(read(good, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "interrupted" });
  });
});

const shared = "../shared/datasets";
const table: [string, number, number, string, string, number, number][] = [
  ["REDDIT-BINARY", 2000, 2, "429.63", "497.75", 21, 0],
  ["REDDIT-MULTI-5K", 4999, 5, "508.52", "594.87", 45, 0],
  ["COLLAB", 5000, 3, "74.49", "2457.78", 0, 2837],
  ["IMDB-BINARY", 1000, 2, "19.77", "96.53", 0, 0],
  ["IMDB-MULTI", 1500, 3, "13.00", "65.94", 0, 0],
  ["REDDIT-THREADS-10K", 10000, 2, "23.74", "24.62", 0, 0],
  ["MUTAG", 188, 2, "17.93", "19.79", 0, 0],
  ["PROTEINS", 1113, 2, "39.06", "72.82", 5, 0],
];
describe.skipIf(!existsSync(shared))("the real sets (skipped where ../shared is missing)", () => {
  it.each(table)(
    "%s has the sizes that its collection states",
    async (name, graphs, classes, nodes, edges, isolated, loops) => {
      const set = await openData(`${shared}/${name}.zip`);
      const mean = (of: (k: number) => number) =>
        (set.graphs.reduce((sum, _, k) => sum + of(k), 0) / graphs).toFixed(2);
      expect(set.graphs.length).toBe(graphs);
      expect(set.classNames.length).toBe(classes);
      expect(mean((k) => set.graphs[k].nodeCount)).toBe(nodes);
      expect(mean((k) => set.graphs[k].edgeCount)).toBe(edges);
      expect(set.cleaning.isolatedNodes).toBe(isolated);
      expect(set.cleaning.selfLoops).toBe(loops);
    },
  );
});
