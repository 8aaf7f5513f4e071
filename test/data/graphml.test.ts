import { expect, test } from "vitest";
import { bytesSource } from "../../src/data/bytes.js";
import type { Dataset } from "../../src/data/dataset.js";
import { graphml } from "../../src/data/graphml.js";
import { edgesOf, readAllPrefixes, readText, refusal } from "./readers-support.js";

const read = (text: string): Promise<Dataset> => readText(graphml, text);
const wrap = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n${body}\n</graphml>\n`;

/** As networkx.write_graphml writes it. */
const NETWORKX = wrap(`<key id="d3" for="edge" attr.name="weight" attr.type="double"/>
<key id="d2" for="node" attr.name="label" attr.type="string"/>
<key id="d1" for="node" attr.name="charge" attr.type="double"/>
<key id="d0" for="node" attr.name="size" attr.type="long"/>
<graph edgedefault="undirected">
  <node id="a"><data key="d0">3</data><data key="d1">0.5</data><data key="d2">C</data></node>
  <node id="b"><data key="d0">4</data><data key="d1">-1</data><data key="d2">N</data></node>
  <node id="c &amp; d"><data key="d0">5</data><data key="d1">1e-3</data><data key="d2"><![CDATA[C]]></data></node>
  <edge source="a" target="b"><data key="d3">2.5</data></edge>
  <edge source="b" target="c &amp; d"><data key="d3">1</data></edge>
</graph>`);

test("nodes, edges, weights, labels, attributes and ids of a file as networkx writes it", async () => {
  const dataset = await read(NETWORKX);
  const [graph] = dataset.graphs;
  expect(edgesOf(graph)).toEqual(["0-1:2.5", "1-2:1"]);
  expect(dataset.nodeIds).toEqual([["a", "b", "c & d"]]);
  expect(Array.from(graph.labels!)).toEqual([0, 1, 0]);
  expect(dataset.nodeLabelNames).toEqual(["C", "N"]);
  expect(graph.attributeDimension).toBe(2);
  expect(Array.from(graph.attributes!)).toEqual([3, 0.5, 4, -1, 5, 0.001]);
  expect(dataset.notes).toEqual([
    "GraphML",
    "node labels are words and were numbered: C = 0, N = 1",
    "node attributes: size, charge",
  ]);
  expect([dataset.name, dataset.graphNames, dataset.classes]).toEqual(["x", ["x"], null]);
});

test("direction by default and by edge is read as undirected, with a note", async () => {
  const dataset = await read(
    wrap(`<graph id="G" edgedefault="directed"><node id="0"/><node id="1"/><node id="2"/>
    <edge source="0" target="1"/><edge source="1" target="0"/><edge source="2" target="1" directed="false"/></graph>`),
  );
  expect(edgesOf(dataset.graphs[0])).toEqual(["0-1", "1-2"]);
  expect(dataset.nodeIds).toBeNull();
  expect(dataset.graphNames).toEqual(["G"]);
  expect(dataset.notes).toEqual(["GraphML", "directed edges were symmetrised: 2"]);
});

test("edges may stand before their nodes", async () => {
  const dataset = await read(
    wrap(`<graph edgedefault="undirected"><edge source="u" target="v"/><node id="v"/><node id="u"/></graph>`),
  );
  expect(edgesOf(dataset.graphs[0])).toEqual(["0-1"]);
  expect(dataset.nodeIds).toEqual([["u", "v"]]);
});

test("defaults of keys fill what is missing", async () => {
  const dataset = await read(
    wrap(`<key id="w" for="edge" attr.name="weight" attr.type="double"><default>4</default></key>
    <key id="x" for="node" attr.name="x" attr.type="int"><default> 7 </default></key>
    <graph edgedefault="undirected"><node id="a"><data key="x">1</data></node><node id="b"/>
    <edge source="a" target="b"/></graph>`),
  );
  expect(edgesOf(dataset.graphs[0])).toEqual(["0-1:4"]);
  expect(Array.from(dataset.graphs[0].attributes!)).toEqual([1, 7]);
});

test("keys that are not numbers or that a node lacks are not used, and notes say so", async () => {
  const dataset = await read(
    wrap(`<key id="n" for="node" attr.name="name" attr.type="string"/><key id="x" for="node" attr.name="x" attr.type="int"/>
    <key id="y" for="node" attr.name="y" attr.type="double"/><key id="l" for="node" attr.name="label" attr.type="int"/>
    <graph edgedefault="undirected">
    <node id="a"><data key="n">p</data><data key="x">1</data><data key="y">NaN</data><data key="l">1</data></node>
    <node id="b"><data key="n">q</data><data key="y">1</data></node></graph>`),
  );
  expect(dataset.graphs[0].attributes).toBeNull();
  expect(dataset.graphs[0].labels).toBeNull();
  expect(dataset.notes).toEqual([
    "GraphML",
    "the node labels were not used: 1 of 2 nodes have none",
    "the node key name was not used: its values are not all numbers",
    "the node key x was not used: 1 of 2 nodes have no value",
    "the node key y was not used: 1 of 2 nodes have no value",
  ]);
});

test("several graphs are a data set; their classes come from a graph key, words have one numbering", async () => {
  const dataset = await read(
    wrap(`<key id="c" for="graph" attr.name="class" attr.type="string"/><key id="l" for="node" attr.name="label" attr.type="string"/>
    <graph edgedefault="undirected"><data key="c">ring</data><node id="a"><data key="l">N</data></node></graph>
    <graph edgedefault="undirected"><data key="c">path</data><node id="a"><data key="l">C</data></node>
      <node id="b"><data key="l">N</data></node><edge source="a" target="b"/></graph>`),
  );
  expect(dataset.graphs.map((graph) => graph.nodeCount)).toEqual([1, 2]);
  expect(dataset.classNames).toEqual(["path", "ring"]);
  expect(Array.from(dataset.classes!)).toEqual([1, 0]);
  expect(dataset.graphs.map((graph) => Array.from(graph.labels!))).toEqual([[1], [0, 1]]);
  expect(dataset.graphNames).toBeNull();
});

test("whole-number labels keep their values", async () => {
  const dataset = await read(
    wrap(`<key id="l" for="node" attr.name="label" attr.type="double"/><graph edgedefault="undirected">
    <node id="a"><data key="l">12</data></node><node id="b"><data key="l">-3</data></node></graph>`),
  );
  expect(Array.from(dataset.graphs[0].labels!)).toEqual([12, -3]);
  expect(dataset.nodeLabelNames).toBeUndefined();
});

test("a class that some graphs lack is not used", async () => {
  const dataset = await read(
    wrap(`<key id="c" for="graph" attr.name="label" attr.type="int"/>
    <graph edgedefault="undirected"><data key="c">1</data><node id="a"/></graph>
    <graph edgedefault="undirected"><node id="a"/></graph>`),
  );
  expect(dataset.classes).toBeNull();
  expect(dataset.notes).toContain("the classes were not used: 1 of 2 graphs have none");
});

test("drawings inside data (yEd) are passed over, prefixes too", async () => {
  const dataset = await readText(
    graphml,
    `<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
    <g:key id="d6" for="node" yfiles.type="nodegraphics"/><g:graph edgedefault="undirected" id="G">
    <g:node id="n0"><g:data key="d6"><y:ShapeNode><y:Geometry height="30"/><y:port/><y:node id="n0">A</y:node></y:ShapeNode></g:data></g:node>
    <g:node id="n1"/><g:edge id="e0" source="n0" target="n1"/></g:graph></g:graphml>`,
  );
  expect(edgesOf(dataset.graphs[0])).toEqual(["0-1"]);
});

test("the encoding of the declaration is used", async () => {
  const text = `<?xml version="1.0" encoding="ISO-8859-1"?><graphml><graph><node id="é"/></graph></graphml>`;
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  expect((await graphml.read(bytesSource("x.graphml", bytes), {})).nodeIds).toEqual([["é"]]);
});

const graph = (body: string) => wrap(`<graph edgedefault="undirected">\n${body}\n</graph>`);
test.each([
  ["", "x.graphml line 1: malformed XML: document must contain a root element"],
  ["<gexf/>", "x.graphml line 1: the root element is <gexf>, expected <graphml>"],
  ["<graphml></graphml>", "x.graphml: there is no <graph> in the file"],
  [graph('<node id="a"/><node id="a"/>'), "x.graphml line 4: node a was declared before"],
  [graph("<node/>"), "x.graphml line 4: <node> has no id"],
  [graph('<node id="a"/>\n<edge source="a"/>'), "x.graphml line 5: <edge> has no target"],
  [
    graph('<node id="a"/>\n<edge source="a" target="z"/>'),
    "x.graphml line 5: an edge names node z, which does not exist",
  ],
  [
    graph('<node id="a">\n<graph/></node>'),
    "x.graphml line 5: a graph inside a <node> is not supported: expected graphs side by side",
  ],
  [
    graph('<node id="a"><port name="p"/></node>'),
    "x.graphml line 4: <port> is not supported: expected a graph of plain nodes and edges",
  ],
  [
    graph('<node id="a"/>\n\n<hyperedge><endpoint node="a"/></hyperedge>'),
    "x.graphml line 6: <hyperedge> is not supported: expected a graph of plain nodes and edges",
  ],
  [
    wrap('<graph edgedefault="both"><node id="a"/></graph>'),
    "x.graphml line 3: edgedefault: got both, expected directed or undirected",
  ],
  [
    graph('<node id="a"/><edge source="a" target="a" directed="maybe"/>'),
    "x.graphml line 4: directed: got maybe, expected true or false",
  ],
  [
    graph('<node id="a"/><edge source="a" target="a"><data key="weight">-2</data></edge>'),
    "x.graphml line 4: the weight must be a finite number that is not negative: got -2",
  ],
  [
    graph('<node id="a"/><edge source="a" target="a"><data key="weight">heavy</data></edge>'),
    'x.graphml line 4: the weight must be a finite number that is not negative: got "heavy"',
  ],
  [
    wrap(
      '<key id="x" for="node" attr.name="x" attr.type="int"/>\n<graph><node id="a"><data key="x">one</data></node></graph>',
    ),
    'x.graphml line 4: the value of the key x is not a number: got "one"',
  ],
  [graph('<node id="a">'), "x.graphml line 5: malformed XML: unexpected close tag"],
  [
    graph('<node id="a" & />').slice(0, 150),
    "x.graphml line 4: malformed XML: disallowed character in attribute name",
  ],
  [
    `<!DOCTYPE graphml [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<graphml><graph><node id="&e;"/></graph></graphml>`,
    "x.graphml line 2: malformed XML: undefined entity",
  ],
  [
    `<?xml version="1.0" encoding="klingon"?><graphml/>`,
    "x.graphml line 1: unknown encoding: got klingon, expected one such as UTF-8",
  ],
])("refuses %j", async (text, sentence) => {
  expect(await refusal(read(text))).toBe(sentence);
});

test("every beginning of a file is read or refused", async () => {
  expect(await readAllPrefixes(graphml, NETWORKX)).toBeGreaterThan(0);
});

test("is recognised by its root element", () => {
  expect(graphml.recognises(NETWORKX)).toBe(true);
  expect(graphml.recognises("<gexf>")).toBe(false);
});
