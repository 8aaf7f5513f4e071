import { expect, test } from "vitest";
import { gml } from "../../src/data/gml.js";
import { edgesOf, readAllPrefixes, readText, refusal } from "./readers-support.js";

const read = (text: string) => readText(gml, text);

/** As in Newman's collection: the program first, brackets on lines of their own, value as the weight. */
const NEWMAN = `Creator "Mark Newman on Fri Jul 21 12:44:53 2006"
graph
[
  directed 0
  node
  [
    id 0
    label "Myriel"
  ]
  node
  [
    id 7
    label "Mlle. Baptistine &#34;B&#34; &amp; &uuml;"
  ]
  node [ id 3 label "Éponine" ]
  edge
  [
    source 7
    target 0
    value 8
  ]
  edge [ source 3 target 7 value 1 ]
]
`;

test("ids, labels that are names, and value as the weight", async () => {
  const set = await read(NEWMAN);
  expect(edgesOf(set.graphs[0])).toEqual(["0-1:8", "1-2:1"]);
  expect(set.nodeIds).toEqual([["Myriel", 'Mlle. Baptistine "B" & ü', "Éponine"]]);
  expect(set.graphs[0].labels).toBeNull();
  expect(set.notes).toEqual([
    "GML",
    "the edge key value is the weight",
    "the labels of the nodes all differ: they were taken as names",
  ]);
});

test("labels that nodes share are labels; numbers and lists of them are attributes", async () => {
  const set = await read(`graph [ directed 1 label "water" class "wet"
    node [ id 1 label "H" charge 0.5 at 1 at 2 at -1e3 graphics [ x 1 y 2 ] ]
    node [ id 2 label "O" charge -1 at 4 at 5 at 6 name "oxygen" ]
    node [ id 3 label "H" charge +.5 at 0 at 0 at 0 ]
    edge [ source 1 target 2 weight 2 value 9 colour "red" ] # a comment
    edge [ source 2 target 3 ]
  ]`);
  const [graph] = set.graphs;
  expect(edgesOf(graph)).toEqual(["0-1:2", "1-2:1"]);
  expect(Array.from(graph.labels!)).toEqual([0, 1, 0]);
  expect(set.nodeLabelNames).toEqual(["H", "O"]);
  expect(Array.from(graph.attributes!)).toEqual([0.5, 1, 2, -1000, -1, 4, 5, 6, 0.5, 0, 0, 0]);
  expect(set.nodeIds).toEqual([Float64Array.of(1, 2, 3)]);
  expect([set.graphNames, set.classNames]).toEqual([["water"], ["wet"]]);
  expect(set.notes).toEqual([
    "GML",
    "node labels are words and were numbered: H = 0, O = 1",
    "the node key name was not used: its values are not all numbers",
    "node attributes: charge, at",
    "directed edges were symmetrised: 2",
    "edges without a weight among weighted ones got weight 1: 1",
    "not used: node key graphics, edge key colour, edge key value",
  ]);
});

test("several graphs are a data set; strings go over lines; ids beyond 2^53 stay apart", async () => {
  const set = await read(
    'graph [ node [ id 9007199254740993 ] node [ id 9007199254740992 ] ]\r\n# x\r\ngraph [ node [ id 0 comment "a [\r\n\r\n# b" ] ]\r\n',
  );
  expect(set.graphs.map((graph) => graph.nodeCount)).toEqual([2, 1]);
  expect(set.nodeIds).toEqual([["9007199254740993", "9007199254740992"], null]);
});

test("an edge may stand before its nodes", async () => {
  const set = await read("graph [ edge [ source 5 target 4 ] node [ id 4 ] node [ id 5 ] ]");
  expect(edgesOf(set.graphs[0])).toEqual(["0-1"]);
});

test.each([
  ["Version 1\n", "x.gml: there is no graph [ in the file"],
  ["graph [\n node [ id 1 ]", "x.gml line 1: a block is never closed: expected ] before the end of the file"],
  ['graph [\n node [ id 1 label "a ]\n]', 'x.gml line 2: a string is never closed: expected another "'],
  [
    "graph [\n node [ label 1 ] ]",
    "x.gml line 2: the node that ends here has no id: expected id and a number",
  ],
  [
    "graph [ node [ id 1 ]\nedge [ source 1 ] ]",
    "x.gml line 2: the edge that ends here has no target: expected target and a number",
  ],
  ["graph [ node [ id 1 ]\n node [ id 1 ] ]", "x.gml line 2: node 1 was declared before"],
  ["graph [ node [ id 1 id 2 ] ]", "x.gml line 1: a second id in the same block"],
  [
    "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]",
    "x.gml line 2: an edge names node 2, which does not exist",
  ],
  [
    "graph [ node [ id 1 ]\nedge [ source 1 target 1 weight -2 ] ]",
    "x.gml line 2: the weight must be a finite number that is not negative: got -2",
  ],
  [
    "graph [ node [ id 1 ]\nedge [ source 1 target 1 value -2 ] ]",
    "x.gml: edge 1: the weight must be a finite number that is not negative: got -2",
  ],
  [
    "graph [ node [ id one ] ]",
    "x.gml line 1: the value of id: got one, expected a number, a string in quotes or [",
  ],
  ["graph [ node [ id ] ]", "x.gml line 1: the key id has no value"],
  ["graph [ 12 ]", "x.gml line 1: got 12, expected a key"],
  ["]", "x.gml line 1: got ], but no block is open"],
  [
    "graph [ node [ id 1 graph [ ] ] ]",
    "x.gml line 1: a graph inside a node is not supported: expected a graph of plain nodes and edges",
  ],
])("refuses %j", async (text, sentence) => {
  expect(await refusal(read(text))).toBe(sentence);
});

test("every beginning of a file is read or refused", async () => {
  expect(await readAllPrefixes(gml, NEWMAN)).toBeGreaterThan(0);
});

test("is recognised by graph [ behind comments and keys of the file", () => {
  expect(gml.recognises(NEWMAN)).toBe(true);
  expect(gml.recognises('# x\r\nCreator "igraph"\r\nVersion 1\r\ngraph\r\n[')).toBe(true);
  expect(gml.recognises("graph { a -- b }")).toBe(false);
  expect(gml.recognises(" ".repeat(4000))).toBe(false);
});

test("labels of nodes and classes of graphs that are written as numbers are compared as text", async () => {
  const graph = (label: string, name: string) =>
    `graph [ class ${name} node [ id 1 label ${label} class 7 ] node [ id 2 label 5 class 8 ] node [ id 3 label 5 class 9 ] ]\n`;
  const set = await readText(
    gml,
    graph("9007199254740993", "01") + graph("9007199254740992", "1") + graph("05", "1.0"),
  );
  expect(set.nodeLabelNames).toEqual(["05", "5", "9007199254740992", "9007199254740993"]);
  expect(set.classNames).toEqual(["01", "1"]);
  expect(Array.from(set.graphs[0].attributes!)).toEqual([7, 8, 9]);
});
