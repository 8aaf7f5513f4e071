/** Files that networkx, igraph and SciPy wrote (written.py), read and compared node by node and edge by edge. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MultiGraph } from "graphology";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textSource } from "../../src/data/bytes.js";
import { readDataset } from "../../src/data/read.js";
import { openData } from "../../src/node/open.js";
import { hasModule, python, skippedWithout } from "../cli/kernel-support.js";
import { refusal } from "./readers-support.js";

interface Written {
  file: string;
  nodes: string[];
  edges: [from: string, to: string, weight: number][];
  /** Null where the format does not tell. */
  directed: boolean | null;
}

const there = ["networkx", "igraph", "pydot", "scipy"].every(hasModule);
const ENDINGS =
  "gml graphml gexf net adjlist multiline_adjlist metis graph dot s6 g6 json txt edgelist ncol lgl mtx".split(
    " ",
  );

describe.skipIf(!there)(
  `files of networkx and igraph${skippedWithout(there, "networkx, igraph, pydot or SciPy")}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), "graphdos-written-"));
    let written: Written[] = [];
    beforeAll(() => {
      written = python(readFileSync(new URL("written.py", import.meta.url), "utf8"), folder);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each(ENDINGS)("of the format %s are read node by node and edge by edge", async (ending) => {
      const mine = written.filter(({ file }) => file.endsWith(`.${ending}`));
      expect(mine.length).toBeGreaterThan(2);
      for (const { file, nodes, edges, directed } of mine) {
        const set = await openData(join(folder, file));
        expect(set.graphs.length, file).toBe(1);
        const [graph] = set.graphs;
        const ids = set.nodeIds?.[0] ?? null;
        const called = (i: number) => String(ids === null ? i : ids[i]);
        expect(Array.from({ length: graph.nodeCount }, (_, i) => called(i)).sort(), file).toEqual(
          nodes.toSorted(),
        );
        const read: string[] = [];
        graph.forEachEdge((i, j, weight) => read.push(edgeText(called(i), called(j), weight)));
        expect(read.sort(), file).toEqual(edges.map((edge) => edgeText(...edge)).sort());
        const says = set.notes.some((note) => note.startsWith("directed edges were symmetrised"));
        if (edges.length > 0 && directed !== null)
          expect(says, `${file}: ${set.notes.join("; ")}`).toBe(directed);
      }
    });
  },
);

it("JSON that graphology exports, of every kind of graph, is read node by node and edge by edge", async () => {
  for (const type of ["directed", "undirected", "mixed"] as const)
    for (const weighted of [false, true]) {
      const made = new MultiGraph({ type });
      const ids = ["a", "2", 'Émile "x"', "-1", "张 三", "alone"];
      for (const id of ids) made.addNode(id, { size: id.length });
      const edges = new Map<string, number>();
      let directed = 0;
      for (const [k, [i, j]] of [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 3],
        [4, 1],
        [1, 4],
      ].entries()) {
        const weight = weighted ? k + 0.5 : 1;
        const isArc = type === "directed" || (type === "mixed" && k % 2 === 0);
        if (isArc) directed++;
        const attributes = weighted ? { weight } : {};
        if (isArc) made.addDirectedEdge(ids[i], ids[j], attributes);
        else made.addUndirectedEdge(ids[i], ids[j], attributes);
        const pair = [ids[i], ids[j]].sort().join(" — ");
        edges.set(pair, Math.max(edges.get(pair) ?? 0, weight));
      }
      const set = await readDataset(textSource("g.json", JSON.stringify(made.export())));
      const [graph] = set.graphs;
      expect(set.nodeIds).toEqual([ids]);
      expect(Array.from(graph.attributes!)).toEqual(ids.map((id) => id.length));
      const read: string[] = [];
      graph.forEachEdge((i, j, weight) => read.push(edgeText(ids[i], ids[j], weight)));
      expect(read.sort()).toEqual([...edges].map(([pair, weight]) => `${pair}: ${weight}`).sort());
      expect(set.notes.includes(`directed edges were symmetrised: ${directed}`)).toBe(directed > 0);
    }
});

const EDGES = "write it as GraphML or an edge list instead, or give --format edges if it is one";
const LINKS = "write it as node-link JSON (networkx: node_link_data) or GraphML instead";
it.each([
  [
    "x.json",
    '{"data": [], "elements": {"nodes": [], "edges": []}}',
    `x.json: this is Cytoscape's JSON, which is not read; ${LINKS}`,
  ],
  [
    "x.json",
    '[{"data": {"id": "a"}}]',
    `x.json: this is a list of Cytoscape's elements, which is not read; ${LINKS}`,
  ],
  [
    "x.json",
    '{"directed": false, "nodes": [{"id": 0}], "adjacency": [[]]}',
    `x.json: this is networkx's adjacency JSON (adjacency_data), which is not read; ${LINKS}`,
  ],
  [
    "x.json",
    '{"id": 0, "children": [{"id": 1}]}',
    `x.json: this is a tree in JSON (children within children), which is not read; ${LINKS}`,
  ],
  [
    "x.json",
    "[[0, 1], [0, 2], [1, 2]]",
    'x.json: every list holds two nodes, as in a list of edges, and they are not neighbours of each other, as in adjacency lists: write "u v" on each line of a text file for edges, {"0": [1, 2], ...} for neighbours',
  ],
  [
    "x.lgr",
    "LEDA.GRAPH\nvoid\nvoid\n-2\n2\n|{}|\n|{}|\n1\n1 2 0 |{}|\n",
    `x.lgr: this is LEDA's format, which is not read; ${EDGES}`,
  ],
  ...["c a graph\np edge 3 2\ne 1 2\ne 2 3\n", "c a\np sp 3 2\na 1 2 5\na 2 3 6\n", "e 1 2\ne 2 3\n"].map(
    (text) => ["x.txt", text, `x.txt: this is DIMACS' format, which is not read; ${EDGES}`],
  ),
  ...["1 first\n2 second\n3 third\n#\n1 2\n2 3\n", "1\n2\n#\n1 2 label\n"].map((text) => [
    "x.txt",
    text,
    `x.txt: this is the trivial graph format (TGF), which is not read; ${EDGES}`,
  ]),
  ["x.tgf", "1 2\n2 3\n", `x.tgf: this is the trivial graph format (TGF), which is not read; ${EDGES}`],
  [
    "x.txt",
    "# a\nb\nc\n# b\nd\n",
    "x.txt: lines such as # a may be nodes of LGL or comments of an edge list: give --format lgl or --format edges",
  ],
  [
    "x.txt",
    "# a\nb 1.5\n# b\nd 2\n",
    "x.txt: lines such as # a may be nodes of LGL or comments of an edge list: give --format lgl or --format edges",
  ],
])("what is not read is refused by name: %s, %s", async (name, text, sentence) => {
  expect(await refusal(readDataset(textSource(name, text)))).toBe(sentence);
});

it("lines that begin with e, and # alone, are edges and comments where they are no other format, or --format says so", async () => {
  for (const [text, edges, format] of [
    ["e 1\ne 2\n", 2],
    ["e 1 2\nf 2 3\n", 2],
    ["1 2\n2 3\n#\n3 4\n", 3],
    ["1 2\n1 3\n#\n1 4\n", 3],
    ["e 1 2\ne 2 3\n", 2, "edges"],
    ["1 2\n2 3\n#\n1 2\n", 2, "edges"],
  ] as const) {
    const { graphs } = await readDataset(textSource("x.txt", text), { format });
    expect(graphs[0].edgeCount, text).toBe(edges);
  }
});

it.each(["# edges\n1 2\n2 3\n", "# one\n# two\n1 2\n", "# a\n1 2\n# two words\n2 3\n"])(
  "comments of an edge list are none of LGL's nodes: %j",
  async (text) => {
    const { graphs } = await readDataset(textSource("x.txt", text));
    expect(graphs[0].edgeCount).toBeGreaterThan(0);
  },
);

it("two neighbours of each node in JSON, of which each has the other, are adjacency lists", async () => {
  const { graphs } = await readDataset(textSource("x.json", "[[1, 2], [0, 2], [0, 1]]"));
  expect(graphs[0].edgeCount).toBe(3);
});

it("a mark that few lines have is part of a name where blanks cut all lines evenly; words with blanks are no id", async () => {
  const { graphs, nodeIds } = await readDataset(textSource("x.txt", "a's b\nc d\nd e;f,g\n"));
  expect(nodeIds).toEqual([["a's", "b", "c", "d", "e;f,g"]]);
  expect(graphs[0].edgeCount).toBe(3);
  expect(await refusal(readDataset(textSource("x.txt", "a;b\nb;c\nO'Neill Sons\n")))).toBe(
    "x.txt line 3: 1 columns, expected 2 as in the lines before",
  );
});

it("a mark that all lines have separates before one that some have", async () => {
  const { nodeIds } = await readDataset(textSource("x.csv", "a;b,c\nc,d\nd,e;f\n"));
  expect(nodeIds).toEqual([["a;b", "c", "d", "e;f"]]);
});

it("tuples of networkx, which are no names without blanks, are refused in adjacency lists too", async () => {
  expect(await refusal(readDataset(textSource("x.adjlist", "(0, 0) (1, 0)\n(1, 0)\n")))).toBe(
    "x.adjlist line 1: not a line of an adjacency list: a bracket ( that is not closed in (0, 0) (1, 0), expected names without blanks",
  );
  const { nodeIds } = await readDataset(textSource("x.adjlist", "f(1) g[2]\n"));
  expect(nodeIds).toEqual([["f(1)", "g[2]"]]);
});

it("brackets in names are read where they close or quotes stand around the name", async () => {
  const text = 'source,target\n"foo[1]","[0, 1)"\n"[0, 1)",bar(2)\n":-)","<b>"\n';
  const { graphs, nodeIds } = await readDataset(textSource("x.csv", text));
  expect(nodeIds).toEqual([["foo[1]", "[0, 1)", "bar(2)", ":-)", "<b>"]]);
  expect(graphs[0].edgeCount).toBe(3);
  expect(await refusal(readDataset(textSource("x.csv", "foo[1,b\nb,c\n")))).toBe(
    'x.csv line 1: not a line of an edge list: a bracket [ that is not closed in "foo[1", expected "u v" or "u v weight"',
  );
});

const edgeText = (u: string, v: string, weight: number) => `${[u, v].sort().join(" — ")}: ${weight}`;
