import { expect, test } from "vitest";
import { isKarateclub, readKarateclub } from "../../src/data/karateclub.js";
import { edgesOf, refusal, treeOf } from "./readers-support.js";

const GRAPHS = '{"0": [[0, 1], [1, 2]], "1": [[0, 1]], "2": [[5, 9], [9, 9]]}';
const TARGET = "id,target\n0,1\n1,0\n2,1\n";
const tree = (graphs: string, target: string) =>
  treeOf("reddit", { "r_edges.json": graphs, "r_target.csv": target });

test("graphs and their classes", async () => {
  const dataset = await readKarateclub(tree(GRAPHS, TARGET), {});
  expect(dataset.graphs.map(edgesOf)).toEqual([["0-1", "1-2"], ["0-1"], ["0-1", "1-1"]]);
  expect([dataset.name, dataset.classNames, Array.from(dataset.classes!)]).toEqual([
    "reddit",
    ["0", "1"],
    [1, 0, 1],
  ]);
  expect(dataset.nodeIds).toEqual([null, null, Float64Array.of(5, 9)]);
  expect(dataset.graphNames).toBeNull();
});

test("a graph without edges has no nodes and is kept", async () => {
  const dataset = await readKarateclub(tree('{"0": [[0, 1]], "1": []}', "id,target\n0,1\n1,0\n"), {});
  expect(dataset.graphs.map((graph) => graph.nodeCount)).toEqual([2, 0]);
  expect(dataset.notes).toContain("1 graph has no nodes and is kept as an empty graph: 1");
});

test("rows of the targets may come in any order, with Windows line ends", async () => {
  const dataset = await readKarateclub(tree(GRAPHS, "id,target\r\n2,b\r\n0,a\r\n1,b\r\n"), {});
  expect(Array.from(dataset.classes!, (k) => dataset.classNames[k])).toEqual(["a", "b", "b"]);
});

test.each([
  ["graphs.json", "target.csv", true],
  ["set/reddit_edges.json", "set/reddit_target.csv", true],
  ["graphs.json", "labels.csv", false],
  ["hypergraphs.json", "target.csv", false],
])("%s with %s: %s", (graphs, target, is) => {
  expect(isKarateclub(treeOf("x", { [graphs]: "", [target]: "" }))).toBe(is);
});

test.each([
  ["[]", TARGET, 'r_edges.json: expected an object with the edges of each graph: {"0": [[0, 1], ...], ...}'],
  ["{}", "id,target\n", "r_edges.json: there are no graphs in the file"],
  ['{"0": 5}', "id,target\n0,1\n", "r_edges.json: graph 0: expected a list of edges [[0, 1], ...]"],
  [
    '{"0": [[0, -1]]}',
    "id,target\n0,1\n",
    "r_edges.json: graph 0: edge 0: got [0,-1], expected two node numbers",
  ],
  [
    '{"0": [[0, 1, 2]]}',
    "id,target\n0,1\n",
    "r_edges.json: graph 0: edge 0: got [0,1,2], expected two node numbers",
  ],
  [GRAPHS, "id,target\n0,1\n1,0\n", "r_target.csv: there is no row for graph 2 of r_edges.json"],
  [GRAPHS, `${TARGET}3,1\n`, "r_target.csv: names graph 3, which r_edges.json does not have"],
  [GRAPHS, `${TARGET}1,1\n`, "r_target.csv line 5: a second row for graph 1"],
  [GRAPHS, "0,1\n1,0\n2,1\n", "r_target.csv line 1: got 0,1, expected the header id,target"],
  [GRAPHS, "", "r_target.csv line 1: got nothing, expected the header id,target"],
  [GRAPHS, "id,target\n0,\n", "r_target.csv line 2: got 0,, expected an id and a target"],
  ['{"0": [[0, 1]', TARGET, "r_edges.json line 1, column 14: not valid JSON: the file ends too early"],
])("refuses %j with %j", async (graphs, target, sentence) => {
  expect(await refusal(readKarateclub(tree(graphs, target), {}))).toBe(sentence);
});
