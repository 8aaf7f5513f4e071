/** DOT, Pajek, graph6 and its kin, GDF, METIS, adjacency lists: what each can say, and the sentences that refuse. */
import { describe, expect, it, test } from "vitest";
import { adjacencyList, lgl, multilineAdjacencyList } from "../../src/data/adjacency-list.js";
import { dot } from "../../src/data/dot.js";
import { gdf } from "../../src/data/gdf.js";
import { graph6 } from "../../src/data/graph6.js";
import { metis } from "../../src/data/metis.js";
import { pajek } from "../../src/data/pajek.js";
import { adjacencyLists, dots, gdfs, graph6s, metises, pajeks } from "../fuzz/valid-files.js";
import { edgesOf, readAllPrefixes, readText, refusal } from "./readers-support.js";

describe("DOT", () => {
  it("has chains, subgraphs as ends, defaults within braces, ports, comments and ids of every kind", async () => {
    const set = await readText(
      dot,
      `# preprocessed
      digraph G { /* over
        lines */ class=ring; node [size=1]; edge [weight=2]
        a -> b:port:ne -> "c d" [color=red]  // a chain
        { node [size=5] e f } -> { a; b } [weight=0.5]
        "g" + "h" -> <<b>x</b>> ; -1.5; "a" [size=7, width=3]
        subgraph cluster_1 { edge [weight=9] e -> "li\\
ne" }
      }`,
    );
    expect(set.nodeIds).toEqual([["a", "b", "c d", "e", "f", "gh", "<<b>x</b>>", "-1.5", "line"]]);
    expect(edgesOf(set.graphs[0])).toEqual([
      "0-1:2",
      "0-3:0.5",
      "0-4:0.5",
      "1-2:2",
      "1-3:0.5",
      "1-4:0.5",
      "3-8:9",
      "5-6:2",
    ]);
    expect(Array.from(set.graphs[0].attributes!)).toEqual([7, 1, 1, 5, 5, 1, 1, 1, 1]);
    expect([set.graphNames, set.classNames]).toEqual([["G"], ["ring"]]);
    expect(set.notes).toEqual([
      "DOT",
      "node attributes: size",
      "directed edges were symmetrised: 8",
      "not used: ports, edge key color, how nodes are drawn",
    ]);
  });

  it("has labels that nodes share, and several graphs in one file", async () => {
    const set = await readText(
      dot,
      'graph { x [label=C]; y [label="N"]; z [label=C] x--y--z }\nGRAPH { x [label=N] }',
    );
    expect(set.graphs.map((graph) => Array.from(graph.labels!))).toEqual([[0, 1, 0], [1]]);
    expect(edgesOf(set.graphs[0])).toEqual(["0-1", "1-2"]);
  });
});

describe("Pajek", () => {
  it("has arcs, edges, lists, names, weights, and sections that are not used", async () => {
    const set = await readText(
      pajek,
      '*Vertices 4\r\n1 "a b" 0.1 0.2 ellipse\r\n2 "c"\r\n3 d\r\n4 "e"\r\n*Arcs :1 "x"\r\n1 2 2.5\r\n*Edges\r\n2 3\r\n*arcslist\r\n3 1 4\r\n*Partition p\r\n*Vertices 4\r\n1\r\n1\r\n2\r\n2\r\n',
    );
    expect(edgesOf(set.graphs[0])).toEqual(["0-1:2.5", "0-2:1", "1-2:1", "2-3:1"]);
    expect(set.nodeIds).toEqual([["a b", "c", "d", "e"]]);
    expect(set.notes).toContain("directed edges were symmetrised: 3");
    expect(set.notes.join()).toContain(
      "not used: how vertices are drawn, which relation a line belongs to, *partition",
    );
  });

  it("has names with any character but a line's end", async () => {
    const set = await readText(pajek, '*Vertices 2\n1 "a\rb\u2028c"\n2 "d"\n');
    expect(set.nodeIds).toEqual([["a\rb\u2028c", "d"]]);
  });

  it("has matrices, of two modes too", async () => {
    const square = await readText(pajek, "*Vertices 3\n*Matrix\n0 1 0\n1 0 2.5\n0 2.5 0\n");
    expect(edgesOf(square.graphs[0])).toEqual(["0-1:1", "1-2:2.5"]);
    const modes = await readText(pajek, "*Vertices 5 2\n*Matrix\n1 0 1\n0 3 0\n");
    expect(edgesOf(modes.graphs[0])).toEqual(["0-2:1", "0-4:1", "1-3:3"]);
  });
});

/** The examples of nauty's formats.txt. */
test("graph6, sparse6 and digraph6: a graph on each line", async () => {
  const g6 = await readText(graph6, ">>graph6<<DQc\nA_\n");
  expect(g6.graphs.map(edgesOf)).toEqual([["0-2", "0-4", "1-3", "3-4"], ["0-1"]]);
  const s6 = await readText(graph6, ":Fa@x^\n");
  expect([s6.graphs[0].nodeCount, edgesOf(s6.graphs[0])]).toEqual([7, ["0-1", "0-2", "1-2", "5-6"]]);
  const d6 = await readText(graph6, "&DI?AO?\n");
  expect([d6.graphs[0].nodeCount, edgesOf(d6.graphs[0])]).toEqual([5, ["0-2", "0-4", "1-3", "3-4"]]);
  expect(d6.notes).toEqual(["digraph6", "directed edges were symmetrised: 4"]);
});

test("GDF: names, shared labels, numbers, weights and directions", async () => {
  const set = await readText(
    gdf,
    "nodedef>name VARCHAR,label VARCHAR,size DOUBLE\na,'x, y',1.5\nb,\"z\",2\nc,z,-3\nedgedef>node1 VARCHAR,node2 VARCHAR,weight DOUBLE,directed BOOLEAN,color VARCHAR\na,b,2.5,true\nb,c,1,false\n",
  );
  expect(set.nodeIds).toEqual([["a", "b", "c"]]);
  expect(set.nodeLabelNames).toEqual(["x, y", "z"]);
  expect(edgesOf(set.graphs[0])).toEqual(["0-1:2.5", "1-2:1"]);
  expect(Array.from(set.graphs[0].attributes!)).toEqual([1.5, 2, -3]);
  expect(set.notes).toContain("directed edges were symmetrised: 1");
  expect(set.notes).toContain("not used: edge key color");
});

test("METIS: sizes and weights of nodes stand before the neighbours, weights of edges behind each", async () => {
  const set = await readText(metis, "% c\n3 2 111 2\n9 1 2 2 5\n9 1 1 1 5 3 2\n9 0 0 2 2\n");
  expect(edgesOf(set.graphs[0])).toEqual(["0-1:5", "1-2:2"]);
  expect(set.notes).toEqual([
    "METIS",
    "the sizes of the nodes were not used",
    "the weights of the nodes were not used",
  ]);
});

test("adjacency lists: rows, several lines for a node, LGL", async () => {
  const rows = await readText(adjacencyList, "# c\n10 2 7\n2\n7 2 # d\n");
  expect([edgesOf(rows.graphs[0]), rows.nodeIds]).toEqual([
    ["0-1", "0-2", "1-2"],
    [Float64Array.of(2, 7, 10)],
  ]);
  const lines = await readText(multilineAdjacencyList, "a b 2\nc {'weight': 2.5}\nd {}\nd 0\nc 0\n");
  expect([edgesOf(lines.graphs[0]), lines.nodeIds]).toEqual([["0-1:2.5", "0-2:1"], [["a b", "c", "d"]]]);
  const large = await readText(lgl, "# a\nb 2\nc\n# d\n");
  expect([edgesOf(large.graphs[0]), large.nodeIds]).toEqual([["0-1:2", "0-2:1"], [["a", "b", "c", "d"]]]);
});

const REFUSED = [
  [dot, "graph {\n a -> b }", "x.dot line 2: got ->, expected -- in a graph"],
  [dot, 'graph {\n "a }', 'x.dot line 2: a string is never closed: expected another "'],
  [dot, "graph {\n a", "x.dot line 1: a brace is never closed: expected } before the end of the file"],
  [
    dot,
    "graph { a -- b [weight=x] }",
    'x.dot line 1: the weight must be a finite number that is not negative: got "x"',
  ],
  [dot, "tree { }", "x.dot line 1: got tree, expected graph or digraph"],
  [pajek, "1 2\n", "x.net line 1: got 1 2, expected *Vertices and their number"],
  [pajek, "*Vertices 2\n*Edges\n1 3\n", "x.net line 3: node: got 3, expected 1 to 2"],
  [pajek, "*Vertices 2\n*Matrix\n0 1\n1", "x.net line 4: the matrix is cut off: got 3 values, expected 4"],
  [graph6, "D?\n", "x.g6 line 1: got 1 characters behind the number of nodes, expected 2"],
  [graph6, "A \n", "x.g6 line 1: got 0 characters behind the number of nodes, expected 1"],
  [graph6, "Aé\n", 'x.g6 line 1: got "é" at column 2, expected a character from ? to ~'],
  [gdf, "nodedef>label VARCHAR\n", "x.gdf line 1: nodedef has no column name"],
  [gdf, "nodedef>name VARCHAR,x INT\na,one\n", "x.gdf line 2: x: got one, expected a number"],
  [metis, "1 2\n2 3\n", "x.metis line 2: neighbour: got 2, expected 1 to 1"],
  [metis, "3 1\n2\n1\n", "x.metis: truncated: got the lines of 2 nodes, expected 3"],
  [
    metis,
    "2 2\n2\n1\n",
    "x.metis: got 2 neighbours, expected twice the 2 edges of the first line; for an edge list give --format edges",
  ],
  [
    multilineAdjacencyList,
    "a 2\nb {}\n",
    "x.multiline_adjlist line 2: the file is cut off: 1 more neighbours of the last node expected",
  ],
  [
    multilineAdjacencyList,
    "a\n",
    "x.multiline_adjlist line 1: got a, expected a node and its number of neighbours",
  ],
  [lgl, "a b\n", "x.lgl line 1: got a b, expected # and the name of a node first"],
] as const;
test.each(REFUSED)("$0.name refuses $1", async (format, text, sentence) => {
  expect(await refusal(readText(format, text))).toBe(sentence);
});

test("a short file cannot ask for many nodes or edges", async () => {
  await expect(readText(pajek, "*Vertices 2000000000\n")).rejects.toMatchObject({ code: "limit" });
  await expect(readText(graph6, ":~~?A????\n")).rejects.toMatchObject({ code: "limit" });
  const many = Array.from({ length: 2000 }, (_, k) => `n${k}`).join(" ");
  await expect(readText(dot, `graph { {${many}} -- {${many}} }`)).rejects.toMatchObject({ code: "limit" });
});

test("every beginning of a file is read or refused", async () => {
  for (const [format, files] of [
    [dot, dots],
    [pajek, pajeks],
    [graph6, graph6s],
    [gdf, gdfs],
    [metis, metises],
    [adjacencyList, adjacencyLists],
    [multilineAdjacencyList, adjacencyLists],
  ] as const)
    for (const file of files) await readAllPrefixes(format, new TextDecoder().decode(file));
});
