import { expect, test } from "vitest";
import type { Dataset } from "../../src/data/dataset.js";
import { gexf } from "../../src/data/gexf.js";
import { edgesOf, readAllPrefixes, readText, refusal } from "./readers-support.js";

const read = (text: string): Promise<Dataset> => readText(gexf, text);
const wrap = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.2" version="1.2">\n${body}\n</gexf>\n`;

/** As Gephi exports it. */
const GEPHI = wrap(`<meta lastmodifieddate="2020-01-01"><creator>Gephi</creator></meta>
<graph defaultedgetype="undirected" mode="static">
<attributes class="node" mode="static">
<attribute id="0" title="label" type="string"/>
<attribute id="1" title="degree" type="integer"><default>9</default></attribute>
</attributes>
<attributes class="edge"><attribute id="0" title="weight" type="float"/></attributes>
<nodes count="3">
<node id="x" label="First"><attvalues><attvalue for="0" value="red"/><attvalue for="1" value="1"/></attvalues></node>
<node id="y" label="Second"><viz:size xmlns:viz="http://gexf.net/1.2/viz" value="3.0"/><attvalues><attvalue for="0" value="blue"/></attvalues></node>
<node id="z" label="Third"><attvalues><attvalue for="0" value="red"/><attvalue for="1" value="2"/></attvalues></node>
</nodes>
<edges count="3">
<edge id="0" source="x" target="y" weight="2.0"/>
<edge id="1" source="y" target="z"><attvalues><attvalue for="0" value="3.5"/></attvalues></edge>
<edge id="2" source="z" target="z"/>
</edges>
</graph>`);

test("nodes, edges, weights, labels and attributes of a file as Gephi writes it", async () => {
  const dataset = await read(GEPHI);
  const [graph] = dataset.graphs;
  expect(edgesOf(graph)).toEqual(["0-1:2", "1-2:3.5", "2-2:1"]);
  expect(dataset.nodeIds).toEqual([["x", "y", "z"]]);
  expect(dataset.nodeLabelNames).toEqual(["blue", "red"]);
  expect(Array.from(graph.labels!)).toEqual([1, 0, 1]);
  expect(Array.from(graph.attributes!)).toEqual([1, 9, 2]);
  expect(dataset.notes).toEqual([
    "GEXF",
    "node labels are words and were numbered: blue = 0, red = 1",
    "node attributes: degree",
    "edges without a weight among weighted ones got weight 1: 1",
  ]);
});

test("direction by default and by edge is read as undirected, with a note", async () => {
  const dataset = await read(
    wrap(`<graph defaultedgetype="directed" mode="dynamic"><nodes><node id="0"/><node id="1"/></nodes>
    <edges><edge source="1" target="0"/><edge source="0" target="1" type="undirected"/></edges></graph>`),
  );
  expect(edgesOf(dataset.graphs[0])).toEqual(["0-1"]);
  expect(dataset.nodeIds).toBeNull();
  expect(dataset.notes).toEqual([
    "GEXF",
    "the graph changes over time: times were not used",
    "directed edges were symmetrised: 1",
  ]);
});

const graph = (nodes: string, edges = "") =>
  wrap(`<graph>\n<nodes>${nodes}</nodes>\n<edges>${edges}</edges>\n</graph>`);
test.each([
  ["<graphml/>", "x.gexf line 1: the root element is <graphml>, expected <gexf>"],
  ["<gexf/>", "x.gexf: there is no <graph> in the file"],
  [graph(""), "x.gexf line 6: the graph has no nodes: expected at least one"],
  [
    graph('<node id="a"><nodes><node id="b"/></nodes></node>'),
    "x.gexf line 4: <nodes> inside a node is not supported: expected a graph of plain nodes and edges",
  ],
  [
    graph('<node id="a"/>', '<edge source="a" target="q"/>'),
    "x.gexf line 5: an edge names node q, which does not exist",
  ],
  [graph('<node id="a"/>', '<edge target="a"/>'), "x.gexf line 5: <edge> has no source"],
  [graph('<node id="a"/><node id="a"/>'), "x.gexf line 4: node a was declared before"],
  [
    graph('<node id="a"/>', '<edge source="a" target="a" weight="-0.5"/>'),
    "x.gexf line 5: the weight must be a finite number that is not negative: got -0.5",
  ],
  [
    graph('<node id="a"/>', '<edge source="a" target="a" type="sideways"/>'),
    "x.gexf line 5: type: got sideways, expected directed, undirected, mutual",
  ],
  [
    wrap('<graph><nodes><node id="a"/></nodes></graph>\n<graph/>'),
    "x.gexf line 4: a second <graph>: expected one graph in a GEXF file",
  ],
  [
    wrap(`<graph><attributes class="node"><attribute id="0" title="age" type="integer"/></attributes>
<nodes><node id="a"><attvalues><attvalue for="0" value="old"/></attvalues></node></nodes></graph>`),
    'x.gexf line 4: the value of the attribute age is not a number: got "old"',
  ],
  [graph('<node id="a">'), "x.gexf line 4: malformed XML: unexpected close tag"],
])("refuses %j", async (text, sentence) => {
  expect(await refusal(read(text))).toBe(sentence);
});

test("every beginning of a file is read or refused", async () => {
  expect(await readAllPrefixes(gexf, GEPHI)).toBeGreaterThan(0);
});
