import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type ByteSource, bytesSource } from "../../src/data/bytes.js";
import { readGraphFolder } from "../../src/data/graph-folder.js";
import { graphml } from "../../src/data/graphml.js";
import { json } from "../../src/data/json.js";
import { readDataset } from "../../src/data/read.js";
import { edgesOf, refusal, treeOf } from "./readers-support.js";

const readFile = (source: ByteSource) => (source.name.endsWith("json") ? json : graphml).read(source, {});
const read = (files: Record<string, string>) => readGraphFolder(treeOf("set", files), {}, readFile);
const EDGE = "[[1],[0]]";
const POINT = "[[]]";

test("graphs in the order of labels.csv, with its classes; header, quotes and other columns", async () => {
  const dataset = await read({
    "a,1.json": EDGE,
    "b.json": POINT,
    "labels.csv": 'weight,label,file\r\n3,"one ""edge""","a,1.json"\r\n4,point,b.json\r\n',
  });
  expect(dataset.graphs.map(edgesOf)).toEqual([["0-1"], []]);
  expect(dataset.graphNames).toEqual(["a,1.json", "b.json"]);
  expect(Array.from(dataset.classes!, (k) => dataset.classNames[k])).toEqual(['one "edge"', "point"]);
  expect(dataset.notes).toEqual([
    "a folder of 2 graph files (JSON, adjacency lists), the classes are in labels.csv",
  ]);
});

test("no header, files in an inner folder, readme and hidden files beside them", async () => {
  const dataset = await read({
    "in/b.json": POINT,
    "in/g/a.json": EDGE,
    "in/labels.csv": "b.json;0\n./g/a.json;1\n",
    "in/.DS_Store": "",
    "README.md": "",
    "__MACOSX/in/._a.json": "",
  });
  expect(dataset.graphNames).toEqual(["b.json", "g/a.json"]);
  expect(Array.from(dataset.classes!)).toEqual([0, 1]);
});

test("without labels.csv there are no classes, and numbers in names count by value", async () => {
  const dataset = await read({ "g10.json": EDGE, "g9.json": POINT, "g1.json": POINT });
  expect(dataset.graphNames).toEqual(["g1.json", "g9.json", "g10.json"]);
  expect(dataset.classes).toBeNull();
});

test("sub-folders are classes, inside whatever folder holds them all", async () => {
  const dataset = await read({
    "set/ring/deep/a.json": EDGE,
    "set/path/b.json": POINT,
    "set/path/a.json": POINT,
    "README.md": "",
  });
  expect(dataset.graphNames).toEqual(["path/a.json", "path/b.json", "ring/deep/a.json"]);
  expect(Array.from(dataset.classes!, (k) => dataset.classNames[k])).toEqual(["path", "path", "ring"]);
  expect(dataset.notes[0]).toBe(
    "a folder of 3 graph files (JSON, adjacency lists), the classes are its sub-folders",
  );
});

test("no classes where a file is in no sub-folder; classes in the files come before sub-folders", async () => {
  const dataset = await read({ "ring/a.json": EDGE, "path/b.json": POINT, "c.json": POINT });
  expect(dataset.classes).toBeNull();
  expect(dataset.notes[0]).toBe(
    "a folder of 3 graph files (JSON, adjacency lists), without labels.csv or a sub-folder for each class",
  );
  const own = (name: string) => `{"nodes":[{"id":0}],"links":[],"class":"${name}"}`;
  const classed = await read({ "1/a.json": own("x"), "2/b.json": own("y") });
  expect(classed.classNames).toEqual(["x", "y"]);
  expect(classed.notes[0]).toBe("a folder of 2 graph files (JSON, node-link), the classes are in the files");
});

test("empty files are left out and named, their labels with them", async () => {
  const files = { "a.json": EDGE, "b.json": "", "c.json": POINT };
  const dataset = await read(files);
  expect(dataset.graphNames).toEqual(["a.json", "c.json"]);
  expect(dataset.notes).toContain("1 file is empty and was left out: b.json");
  const labelled = await read({
    ...files,
    "d.json": "",
    "labels.csv": "d.json,4\na.json,1\nb.json,2\nc.json,3\n",
  });
  expect(Array.from(labelled.classes!, (k) => labelled.classNames[k])).toEqual(["1", "3"]);
  expect(labelled.notes).toContain("2 files are empty and were left out: d.json, b.json");
  expect((await read({ "a.json": EDGE, "b.json": "" })).notes).toContain(
    "1 file is empty and was left out: b.json",
  );
});

test("one file alone is read as it is", async () => {
  const two = `[{"nodes":[{"id":0}],"links":[],"class":"a"},{"nodes":[{"id":0}],"links":[],"class":"b"}]`;
  expect((await read({ "two.json": two })).classNames).toEqual(["a", "b"]);
});

test("words that label nodes have one numbering over all files", async () => {
  const file = (word: string) => `{"nodes":[{"id":0,"label":"${word}"}],"links":[]}`;
  const dataset = await read({ "1.json": file("N"), "2.json": file("C"), "3.json": file("O") });
  expect(dataset.graphs.map((graph) => graph.labels![0])).toEqual([1, 0, 2]);
  expect(dataset.notes.at(-1)).toBe("node labels are words and were numbered: C = 0, N = 1, O = 2");
  expect(dataset.notes).toHaveLength(2);
});

test.each<[Record<string, string>, string]>([
  [
    { "labels.csv": "a.json,1\n", "b.json": POINT },
    "labels.csv line 1: names a.json, which is not in the folder",
  ],
  [
    { "labels.csv": "a.json,1\n", "a.json": EDGE, "b.json": POINT },
    "labels.csv: there is no label for b.json: expected a row for each graph file",
  ],
  [
    { "labels.csv": "a.json,1\n", "a.json": EDGE, "b.json": POINT, "c.json": POINT },
    "labels.csv: there is no label for b.json (and 1 more): expected a row for each graph file",
  ],
  [
    { "labels.csv": "file,label\na.json,1\na.json,2\n", "a.json": EDGE },
    "labels.csv line 3: a second row for a.json",
  ],
  [
    { "labels.csv": "a.json,\n", "a.json": EDGE },
    "labels.csv line 1: got a.json,, expected a file and a label",
  ],
  [{ "labels.csv": "", "a.json": EDGE }, "labels.csv: the file is empty: expected rows of file,label"],
  [
    { "labels.csv": "a.json,1,2\n", "a.json": EDGE },
    "labels.csv line 1: got 3 columns, expected file,label; with more columns a header must say which is which",
  ],
  [
    { "labels.csv": '"a.json,1\n', "a.json": EDGE },
    'labels.csv line 1: a quoted field is never closed: expected another "',
  ],
  [
    { "labels.csv": '"a.json"x,1\n', "a.json": EDGE },
    'labels.csv line 1: got x behind a quoted field, expected ","',
  ],
  [
    { "labels.csv": "", "b/labels.csv": "", "a.json": EDGE },
    "set: holds 2 files labels.csv (labels.csv, b/labels.csv): expected one",
  ],
  [{ "a.json": "", "b.json": "" }, "set: all graph files in the folder are empty"],
  [{ "README.md": "" }, "set: there are no graph files in the folder"],
  [{ "labels.csv": "file,label\n" }, "set: there are no graph files in the folder"],
  [
    { "a.json": `[{"nodes":[{"id":0}],"links":[]},{"nodes":[{"id":0}],"links":[]}]`, "b.json": EDGE },
    "a.json: holds 2 graphs, expected one in each file of a folder",
  ],
])("refuses %j", async (files, sentence) => {
  expect(await refusal(read(files))).toBe(sentence);
});

test("files of blanks or comments alone and gzips of nothing are left out and named, the rest is kept", async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const files = {
    "x/a.edges": bytes("0 1\n1 2\n"),
    "x/b.edges": bytes("# only a comment\n\n"),
    "y/c.graphml.gz": gzipSync(""),
    "y/d.edges": bytes("0 1\n"),
    "y/e.json": bytes(" \n\t\n"),
    "y/f.edges": bytes("# comment\n".repeat(1000)),
  };
  const sources = Object.entries(files).map(([path, content]) => [path, bytesSource(path, content)] as const);
  const dataset = await readDataset({ name: "set", files: new Map(sources) });
  expect(dataset.graphNames).toEqual(["x/a.edges", "y/d.edges"]);
  expect(dataset.classNames).toEqual(["x", "y"]);
  expect(dataset.notes).toContain(
    "4 files are empty and were left out: x/b.edges, y/c.graphml.gz, y/e.json, y/f.edges",
  );
});

/** A graph without nodes in every format that can state one. */
const NODELESS: Record<string, string> = {
  "e.json": '{"nodes": [], "links": []}',
  "e.dot": "graph { }\n",
  "e.gml": "graph [\n]\n",
  "e.graphml": '<graphml><graph edgedefault="undirected"></graph></graphml>',
  "e.gexf": "<gexf><graph><nodes/><edges/></graph></gexf>",
  "e.g6": "?\n",
  "e.s6": ":?\n",
  "e.net": "*Vertices 0\n*Edges\n",
  "e.gdf": "nodedef>name VARCHAR\nedgedef>node1 VARCHAR,node2 VARCHAR\n",
  "e.metis": "0 0\n",
  "e.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n0 0 0\n",
};
const LABELLED = '{"nodes": [{"id": 0, "label": "C", "x": 1}, {"id": 1, "label": "H", "x": 2}], "links": []}';

test.each(Object.entries(NODELESS))(
  "a graph without nodes is kept in a folder and counted, and refused alone: %s",
  async (name, text) => {
    const tree = treeOf("set", { "a/k.json": LABELLED, [`b/${name}`]: text, "b/z.json": LABELLED });
    const set = await readDataset(tree);
    expect(set.graphs.map(({ nodeCount }) => nodeCount)).toEqual([2, 0, 2]);
    expect(set.notes).toContain(`1 graph has no nodes and is kept as an empty graph: b/${name}`);
    expect(Array.from(set.classes!, (k) => set.classNames[k])).toEqual(["a", "b", "b"]);
    // what all other graphs have it has too
    expect(set.graphs.map(({ labels }) => labels?.length)).toEqual([2, 0, 2]);
    expect(set.graphs.map(({ attributeDimension }) => attributeDimension)).toEqual([1, 1, 1]);
    for (const graph of set.graphs) graph.validate();
    const alone = readDataset(bytesSource(name, new TextEncoder().encode(text)));
    expect(await refusal(alone)).toBe(`${name}: the graph has no nodes: expected at least one`);
    const all = readDataset(treeOf("set", { "a/e.json": NODELESS["e.json"], [`b/${name}`]: text }));
    expect(await refusal(all)).toBe("set: all graphs have no nodes: expected at least one");
  },
);

test("a graph without nodes is kept in a file of several, first or last, with its class", async () => {
  const empty = '{"nodes": [], "links": [], "class": "none"}';
  const filled = LABELLED.replace("{", '{"class": "some", ');
  for (const order of [
    [empty, filled],
    [filled, empty],
  ]) {
    const set = await readDataset(bytesSource("s.json", new TextEncoder().encode(`[${order.join(",")}]`)));
    const g = order.indexOf(empty);
    expect(set.graphs[g].nodeCount).toBe(0);
    expect(Array.from(set.classes!, (k) => set.classNames[k])).toEqual(
      order.map((text) => (text === empty ? "none" : "some")),
    );
    expect(set.graphs.map(({ attributeDimension }) => attributeDimension)).toEqual([1, 1]);
    expect(set.notes).toContain(`1 graph has no nodes and is kept as an empty graph: ${g}`);
  }
});

test("adjacency lists of comments alone are empty files: left out of a folder and named", async () => {
  const comments = "#prog\n# GMT Thu\n#\n";
  const set = await readDataset(
    treeOf("set", { "a.json": EDGE, "b.adjlist": comments, "c.multiline_adjlist": comments, "d.json": EDGE }),
  );
  expect(set.graphNames).toEqual(["a.json", "d.json"]);
  expect(set.notes).toContain("2 files are empty and were left out: b.adjlist, c.multiline_adjlist");
});
