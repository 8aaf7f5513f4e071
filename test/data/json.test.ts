import fc from "fast-check";
import { MultiGraph, UndirectedGraph } from "graphology";
import { expect, test } from "vitest";
import type { Dataset } from "../../src/data/dataset.js";
import { json } from "../../src/data/json.js";
import { findSyntaxError } from "../../src/data/json-syntax.js";
import { edgesOf, readAllPrefixes, readText, refusal } from "./readers-support.js";

const readJson = (text: string): Promise<Dataset> => readText(json, text);
const read = (value: unknown) => readJson(JSON.stringify(value));

/** As json.dumps(networkx.node_link_data(G), indent=1) writes it. */
const NETWORKX = `{
 "directed": false,
 "multigraph": false,
 "graph": {"name": "three", "class": "path"},
 "nodes": [
  {"label": "C", "mass": 12.0, "position": [0.5, -1], "id": "a"},
  {"label": "N", "mass": 14.5, "position": [1, 2], "id": "b"},
  {"label": "C", "mass": 12.0, "position": [3, 4], "id": "c\\u00e9"}
 ],
 "links": [
  {"weight": 2.5, "source": "a", "target": "b"},
  {"source": "b", "target": "c\\u00e9"}
 ]
}
`;

test("nodes, edges, weights, labels, attributes, ids, name and class of node-link JSON as networkx writes it", async () => {
  const dataset = await readJson(NETWORKX);
  const [graph] = dataset.graphs;
  expect(edgesOf(graph)).toEqual(["0-1:2.5", "1-2:1"]);
  expect(dataset.nodeIds).toEqual([["a", "b", "cé"]]);
  expect(dataset.nodeLabelNames).toEqual(["C", "N"]);
  expect(Array.from(graph.labels!)).toEqual([0, 1, 0]);
  expect(graph.attributeDimension).toBe(3);
  expect(Array.from(graph.attributes!)).toEqual([12, 0.5, -1, 14.5, 1, 2, 12, 3, 4]);
  expect([dataset.graphNames, dataset.classNames]).toEqual([["three"], ["path"]]);
  expect(dataset.notes).toEqual([
    "JSON, node-link",
    "node labels are words and were numbered: C = 0, N = 1",
    "node attributes: mass, position",
    "edges without a weight among weighted ones got weight 1: 1",
  ]);
});

test("edges under the name edges, whole-number ids, direction, tuples as ids", async () => {
  const dataset = await read({
    directed: true,
    nodes: [{ id: 5 }, { id: 7 }],
    edges: [{ source: 7, target: 5 }],
  });
  expect(edgesOf(dataset.graphs[0])).toEqual(["0-1"]);
  expect(dataset.nodeIds).toEqual([Float64Array.of(5, 7)]);
  expect(dataset.notes).toEqual(["JSON, node-link", "directed edges were symmetrised: 1"]);
  expect((await read({ nodes: [{ id: 0 }, { id: 1 }], links: [] })).nodeIds).toBeNull();
  const grid = await read({
    nodes: [{ id: [0, 0] }, { id: [0, 1] }],
    links: [{ source: [0, 0], target: [0, 1] }],
  });
  expect(grid.nodeIds).toEqual([["[0,0]", "[0,1]"]]);
});

test("a list of graphs is a data set with classes", async () => {
  const one = (extra: object) => ({ nodes: [{ id: 0 }], links: [], ...extra });
  const classes = async (...graphs: object[]) => {
    const { classes, classNames } = await read(graphs);
    return classes && Array.from(classes, (k) => classNames[k]);
  };
  expect(await classes(one({ graph: { label: 1 } }), one({ graph: { label: -1 } }))).toEqual(["1", "-1"]);
  expect(await classes(one({ class: "a" }), one({ class: "b" }))).toEqual(["a", "b"]);
  expect(await classes(one({ target: 3 }), one({ attributes: { label: 2 } }))).toEqual(["3", "2"]);
  expect(await classes(one({ graph: { class: 1 } }), one({}))).toBeNull();
  const { targets, classes: none } = await read([one({ target: 0.25 }), one({ target: 3 })]);
  expect([Array.from(targets!), none]).toEqual([[0.25, 3], null]);
});

test("what graphology exports is read: weights, direction by edge, graph attributes", async () => {
  const graph = new MultiGraph();
  graph.setAttribute("name", "mine");
  graph.addNode("a", { label: 3, x: 1.5 });
  graph.addNode("b", { label: 4, x: 2 });
  graph.addUndirectedEdge("a", "b", { weight: 2 });
  graph.addDirectedEdge("b", "a", { weight: 3 });
  const dataset = await read(graph.export());
  expect(edgesOf(dataset.graphs[0])).toEqual(["0-1:3"]);
  expect(Array.from(dataset.graphs[0].labels!)).toEqual([3, 4]);
  expect(Array.from(dataset.graphs[0].attributes!)).toEqual([1.5, 2]);
  expect([dataset.nodeIds, dataset.graphNames]).toEqual([[["a", "b"]], ["mine"]]);
  expect(dataset.notes).toEqual([
    "JSON, graphology",
    "node attributes: x",
    "directed edges were symmetrised: 1",
  ]);
  const undirected = new UndirectedGraph();
  undirected.mergeEdge("0", "1");
  expect((await read(undirected.export())).notes).toEqual(["JSON, graphology"]);
});

test("adjacency lists by name, by number, and with weights", async () => {
  const byName = await read({ a: ["b", "c"], b: [] });
  expect([edgesOf(byName.graphs[0]), byName.nodeIds]).toEqual([["0-1", "0-2"], [["a", "b", "c"]]]);
  expect(edgesOf((await read([[1, 2], [0], []])).graphs[0])).toEqual(["0-1", "0-2"]);
  expect((await read([[]])).graphs[0].nodeCount).toBe(1);
  const weighted = await read({ a: { b: { weight: 2 }, c: 0.5 }, b: { a: {} } });
  expect(edgesOf(weighted.graphs[0])).toEqual(["0-1:2", "0-2:0.5"]);
});

test.each<[unknown, string]>([
  [3, "x.json: got 3, expected a graph: an object or a list in JSON"],
  [[], "x.json: the list is empty: expected at least one graph"],
  [{ nodes: 4 }, "x.json: nodes: got 4, expected a list"],
  [{ nodes: [{ id: 1 }] }, "x.json: links is missing: expected a list under links or edges"],
  [{ nodes: [{ id: 1 }], links: {} }, "x.json: links: got {}, expected a list"],
  [{ nodes: [{ id: 1 }, { id: 2 }, {}], links: [] }, "x.json: nodes[2].id is missing"],
  [{ nodes: [{ id: {} }], links: [] }, "x.json: nodes[0].id: got {}, expected a word or a number"],
  [{ nodes: [null], links: [] }, "x.json: nodes[0].id: got null, expected a word or a number"],
  [{ nodes: [{ id: 1 }, { id: 1 }], links: [] }, "x.json: nodes[1].id: node 1 was declared before"],
  [
    { nodes: [{ id: 1, label: [1] }], links: [] },
    "x.json: nodes[0].label: got [1], expected a number or a word",
  ],
  [{ nodes: [{ id: 1 }], links: [3] }, "x.json: links[0]: got 3, expected an object"],
  [{ nodes: [{ id: 1 }], links: [{ source: 1 }] }, "x.json: links[0].target is missing"],
  [
    { nodes: [{ id: 1 }], edges: [{ source: 1, target: 2 }] },
    "x.json: edges[0].target: an edge names node 2, which does not exist",
  ],
  [
    { nodes: [{ id: 1 }], links: [{ source: 1, target: 1, weight: -1 }] },
    "x.json: links[0].weight: the weight must be a finite number that is not negative: got -1",
  ],
  [
    { nodes: [{ id: 1 }], links: [{ source: 1, target: 1, weight: "2" }] },
    'x.json: links[0].weight: the weight must be a finite number that is not negative: got "2"',
  ],
  [[{ nodes: [{}], links: [] }], "x.json: [0].nodes[0].id is missing"],
  [[{ nodes: [{ id: 1 }], links: [] }, 7], "x.json: [1]: got 7, expected a graph: an object with nodes"],
  [[[1], [5]], "x.json: [1][0]: got 5, expected a node number from 0 to 1"],
  [[[1], 5], "x.json: [1]: got 5, expected a list of neighbours"],
  [{ a: 3 }, 'x.json: "a": got 3, expected a list of neighbours, or an object with nodes and links'],
  [{ a: [null] }, 'x.json: "a"[0]: got null, expected a word or a number'],
  [{ a: { b: -1 } }, 'x.json: "a"["b"]: the weight must be a finite number that is not negative: got -1'],
  [
    { "0": [[0, 1]] },
    'x.json: "0"[0]: got [0,1], expected a node; edge lists by graph are read from a folder that also has their target.csv',
  ],
])("refuses %j", async (value, sentence) => {
  expect(await refusal(read(value))).toBe(sentence);
});

test.each([
  ["", "x.json line 1, column 1: not valid JSON: the file ends too early"],
  ['{"nodes": [\n  {"id": 1},\n]}', 'x.json line 3, column 1: not valid JSON: got "]"'],
  ['{"nodes": [', "x.json line 1, column 12: not valid JSON: the file ends too early"],
  ["{'nodes': 1}", `x.json line 1, column 2: not valid JSON: got "'"`],
  ['{"a": NaN}', 'x.json line 1, column 7: not valid JSON: got "N"'],
  ['{"a": tru}', 'x.json line 1, column 10: not valid JSON: got "}"'],
  ['{"a": 01}', 'x.json line 1, column 8: not valid JSON: got "1"'],
  ['{"a" 1}', 'x.json line 1, column 6: not valid JSON: got "1"'],
  ['["a\\x"]', 'x.json line 1, column 5: not valid JSON: got "x"'],
  ["[1] [2]", 'x.json line 1, column 5: not valid JSON: got "["'],
  ["[1}", 'x.json line 1, column 3: not valid JSON: got "}"'],
])("says where %j is not JSON", async (text, sentence) => {
  expect(await refusal(readJson(text))).toBe(sentence);
});

test("the walk over the grammar accepts exactly what JSON.parse accepts", () => {
  const unit = fc.constantFrom(
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"',
    "a",
    "\\",
    "u",
    "0",
    "1",
    "-",
    ".",
    "e",
    " ",
    "\n",
    "true",
    "null",
    '"k":',
  );
  const accepted = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const check = (text: string) => {
    const at = findSyntaxError(text);
    if (accepted(text)) expect(at).toBe(text.length);
    else {
      // up to the culprit the text can still become JSON, with it no longer: nothing that starts so far is accepted
      expect(at).toBeLessThanOrEqual(text.length);
      if (at < text.length) expect(findSyntaxError(text.slice(0, at))).toBe(at);
    }
  };
  fc.assert(fc.property(fc.string({ unit, maxLength: 12 }), check), { numRuns: 3000 });
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findSyntaxError(text)).toBe(text.length);
    }),
    { numRuns: 300 },
  );
});

test("every beginning of a file is read or refused", async () => {
  expect(await readAllPrefixes(json, NETWORKX)).toBeGreaterThan(0);
  await readAllPrefixes(
    json,
    '[{"nodes":[{"key":"a","attributes":{"x":1}}],"edges":[],"attributes":{"label":"z"}}]',
  );
  await readAllPrefixes(json, '{"a":["b","c"],"b":{"c":0.5}}');
});

test("any JSON is read or refused", async () => {
  const key = fc.constantFrom(
    "nodes",
    "links",
    "edges",
    "id",
    "key",
    "source",
    "target",
    "weight",
    "label",
    "attributes",
    "graph",
    "a",
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "medium" },
      fc.constantFrom(0, 1, -1, 0.5, "a", "", null, true),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, async (content) => {
      await read(content).then(
        ({ graphs }) => graphs.forEach((graph) => void graph.validate()),
        (error: Error) => expect(error.name).toBe("GraphdosError"),
      );
    }),
    { numRuns: 1500 },
  );
});

test("of links and edges the filled one is read; two that differ are refused", async () => {
  const nodes = [{ id: "a" }, { id: "b" }, { id: "c" }];
  const one = [{ source: "a", target: "b" }];
  const two = [...one, { source: "b", target: "c" }];
  const edges = async (graph: object) =>
    edgesOf((await readText(json, JSON.stringify({ nodes, ...graph }))).graphs[0]);
  expect(await edges({ links: [], edges: two })).toEqual(["0-1", "1-2"]);
  expect(await edges({ links: null, edges: two })).toEqual(["0-1", "1-2"]);
  expect(await edges({ links: two, edges: [] })).toEqual(["0-1", "1-2"]);
  expect(await edges({ links: two, edges: two })).toEqual(["0-1", "1-2"]);
  expect(await edges({ links: [], edges: [] })).toEqual([]);
  expect(await refusal(edges({ links: one, edges: two }))).toBe(
    "x.json: links and edges both hold edges, and not the same: got 1 and 2, expected one of the two lists",
  );
  expect(await refusal(edges({ links: [], edges: 5 }))).toBe("x.json: edges: got 5, expected a list");
});

test("numbers beyond 2^53, which JSON reads as one, are refused as names; in quotes they stay apart", async () => {
  const [a, b] = ["9007199254740993", "9007199254740992"];
  const links = (s: string, t: string) => `"links": [{"source": ${s}, "target": ${t}}]}`;
  const lost = `got a number near ${b}, expected at most 2^53 - 1, beyond which numbers in JSON lose digits: write it in quotes`;
  const one = (field: string) => `{"nodes": [{"id": 1${field}}], "links": []`;
  for (const [text, place] of [
    [`{"nodes": [{"id": ${a}}, {"id": 1}], ${links("1", "1")}`, "nodes[0].id"],
    [`{"nodes": [{"id": 1}], ${links("1", a)}`, "links[0].target"],
    [`{"${a}": [1], "1": [${a}]}`, '"1"[0]'],
    [`{"nodes": [{"id": 1}, {"id": 2, "label": ${a}}], ${links("1", "2")}`, "nodes[1].label"],
    [`[${one("")}, "class": 1}, ${one("")}, "class": ${a}}]`, "[1].class"],
  ])
    expect(await refusal(readJson(text)), text).toBe(`x.json: ${place}: ${lost}`);
  const { nodeIds } = await readJson(
    `{"nodes": [{"id": "${a}"}, {"id": "${b}"}], ${links(`"${a}"`, `"${b}"`)}`,
  );
  expect(nodeIds).toEqual([[a, b]]);
  // what names nothing may be any number
  const { graphs } = await readJson(
    `{"nodes": [{"id": 1, "time": ${a}}], "links": [{"source": 1, "target": 1, "weight": 1e300}]}`,
  );
  expect(Array.from(graphs[0].attributes!)).toEqual([2 ** 53]);
});
