import { expect, test } from "vitest";
import { textSource } from "../../src/data/bytes.js";
import type { Dataset } from "../../src/data/dataset.js";
import { gexf } from "../../src/data/gexf.js";
import { readDataset } from "../../src/data/read.js";
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
    "not used: what a picture writes beside nodes (label)",
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

/** As Gephi 0.10 writes GEXF 1.3: numbers for ids, names as labels, what to draw, a type of its own for each edge. */
const GEPHI_13 = `<?xml version='1.0' encoding='UTF-8'?>
<gexf xmlns="http://gexf.net/1.3" version="1.3" xmlns:viz="http://gexf.net/1.3/viz" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://gexf.net/1.3 http://gexf.net/1.3/gexf.xsd">
  <meta lastmodifieddate="2024-03-01">
    <creator>Gephi 0.10.1</creator>
    <title></title>
  </meta>
  <graph defaultedgetype="directed" idtype="string" mode="static">
    <attributes class="node" mode="static">
      <attribute id="modularity_class" title="Modularity Class" type="integer"><default>0</default></attribute>
      <attribute id="pageranks" title="PageRank" type="double"/>
      <attribute id="club" title="club" type="string"/>
    </attributes>
    <attributes class="edge" mode="static">
      <attribute id="since" title="since" type="integer"/>
    </attributes>
    <nodes>
      <node id="10" label="Ada &amp; Co">
        <attvalues>
          <attvalue for="modularity_class" value="2"/>
          <attvalue for="pageranks" value="0.25"/>
          <attvalue for="club" value="x"/>
        </attvalues>
        <viz:size value="10.0"/>
        <viz:position x="-1.5" y="2.0" z="0.0"/>
        <viz:color r="0" g="128" b="255" a="0.5"/>
        <viz:shape value="disc"/>
      </node>
      <node id="2" label="Bo">
        <attvalues><attvalue for="pageranks" value="1.0E-4"/><attvalue for="club" value="y"/></attvalues>
      </node>
      <node id="3" label="Émile">
        <attvalues><attvalue for="modularity_class" value="1"/><attvalue for="pageranks" value="0.5"/></attvalues>
      </node>
    </nodes>
    <edges>
      <edge id="0" source="10" target="2" type="undirected" weight="2.5">
        <attvalues><attvalue for="since" value="1999"/></attvalues>
        <viz:color r="1" g="2" b="3"/><viz:thickness value="2.0"/>
      </edge>
      <edge id="1" source="2" target="3" label="knows"/>
      <edge id="2" source="3" target="10" type="mutual" kind="friend"/>
    </edges>
  </graph>
</gexf>
`;

test.each([
  ["as it is", GEPHI_13],
  ["with CRLF and a byte order mark", `\ufeff${GEPHI_13.replaceAll("\n", "\r\n")}`],
])("a file of Gephi 0.10, %s: names, numbers, weights, the type of each edge", async (_, text) => {
  const dataset = await readDataset(textSource("g.gexf", text));
  const [graph] = dataset.graphs;
  expect(edgesOf(graph)).toEqual(["0-1:2.5", "0-2:1", "1-2:1"]);
  expect(dataset.nodeIds).toEqual([["Ada & Co", "Bo", "Émile"]]);
  expect(graph.labels).toBeNull();
  expect(Array.from(graph.attributes!)).toEqual([2, 0.25, 0, 1e-4, 1, 0.5]);
  expect(dataset.notes).toEqual([
    "GEXF",
    "the labels of the nodes all differ: they were taken as names",
    "the node key club was not used: its values are not all numbers",
    "node attributes: Modularity Class, PageRank",
    "directed edges were symmetrised: 1",
    "edges without a weight among weighted ones got weight 1: 2",
    "not used: edge key since, edge key label, edge key kind",
  ]);
});
