/** One rule for names, of nodes, node labels and classes, in every reader: 2 and 2.0 are the same, 02 is another. */
import { describe, expect, it } from "vitest";
import { textSource } from "../../src/data/bytes.js";
import type { Dataset } from "../../src/data/dataset.js";
import { readDataset } from "../../src/data/read.js";
import { integerLabels } from "../../src/data/write-gram.js";
import { edgesOf, treeOf } from "./readers-support.js";

const read = (name: string, text: string) => readDataset(textSource(name, text));
const idsOf = ({ nodeIds, graphs }: Dataset) =>
  Array.from({ length: graphs[0].nodeCount }, (_, i) => String(nodeIds?.[0]?.[i] ?? i));

/** The triangle 2, 02, x and the edge 2.0, y: four nodes, as 2 and 2.0 are one. */
const PAIRS = [
  ["2", "02"],
  ["02", "x"],
  ["x", "2"],
  ["2.0", "y"],
];
const NODES = ["2", "02", "x", "y"];
const each = (of: readonly string[][], line: (u: string, v: string) => string) =>
  of.map(([u, v]) => line(u, v)).join("\n");
const xml = (tag: string, nodes: string, edges: string) =>
  tag === "gexf"
    ? `<gexf><graph><nodes>${nodes}</nodes><edges>${edges}</edges></graph></gexf>`
    : `<graphml><graph edgedefault="undirected">${nodes}${edges}</graph></graphml>`;
const xmlNodes = NODES.map((id) => `<node id="${id}"/>`).join("");
const xmlEdges = each(PAIRS, (u, v) => `<edge source="${u}" target="${v}"/>`);

const FILES: Record<string, string> = {
  "edges.txt": each(PAIRS, (u, v) => `${u} ${v}`),
  "list.adjlist": each(PAIRS, (u, v) => `${u} ${v}`),
  "list.multiline_adjlist": each(PAIRS, (u, v) => `${u} 1\n${v} {}`),
  "list.lgl": each(PAIRS, (u, v) => `# ${u}\n${v}`),
  "graph.dot": `graph {\n${each(PAIRS, (u, v) => `"${u}" -- "${v}";`)}\n}`,
  "graph.graphml": xml("graphml", xmlNodes, xmlEdges),
  "graph.gexf": xml("gexf", xmlNodes, xmlEdges),
  "graph.gdf": `nodedef>name VARCHAR\n${NODES.join("\n")}\nedgedef>node1 VARCHAR,node2 VARCHAR\n${each(PAIRS, (u, v) => `${u},${v}`)}`,
  "links.json": JSON.stringify({
    nodes: NODES.map((id) => ({ id })),
    links: PAIRS.map(([source, target]) => ({ source, target })),
  }),
  "lists.json": JSON.stringify({ "2": ["02"], "02": ["x"], x: ["2"], "2.0": ["y"], y: [] }),
};

describe("names of nodes", () => {
  it.each(Object.entries(FILES))("in %s: 2 and 2.0 are one node, 02 is another", async (name, text) => {
    const set = await read(name, text);
    expect(idsOf(set).sort()).toEqual(["02", "2", "x", "y"]);
    expect(edgesOf(set.graphs[0]).length).toBe(4);
    expect(set.notes.filter((note) => note.includes("2.0"))).toEqual([
      "2 and 2.0 are one whole number in two spellings: ids like these are one node",
    ]);
  });

  it("GML, whose ids are numbers: 2 and 2.0 are one node, 02 is another", async () => {
    const set = await read(
      "graph.gml",
      "graph [ node [ id 2 ] node [ id 02 ] node [ id 5 ] edge [ source 2.0 target 5 ] edge [ source 02 target 5 ] ]",
    );
    expect(idsOf(set).sort()).toEqual(["02", "2", "5"]);
    expect(set.notes.some((note) => note.includes("ids like these are one node"))).toBe(true);
  });

  it("a node that is declared as 2 and again as 2.0 is refused", async () => {
    const twice = xml("graphml", '<node id="2"/><node id="2.0"/>', "");
    await expect(read("graph.graphml", twice)).rejects.toThrow("node 2.0 was declared before");
  });

  it("of a matrix may be 1 in the first line and 1.0 in the first column", async () => {
    const set = await read("matrix.csv", ",1,2,7\n1.0,0,1,0\n2.0,1,0,3\n7.0,0,3,0\n");
    expect(idsOf(set)).toEqual(["1", "2", "7"]);
  });
});

const graph = (extra: object) => ({ nodes: [{ id: 0 }, { id: 1 }], links: [], ...extra });
const classesOf = ({ classes, classNames }: Dataset) => Array.from(classes!, (c) => classNames[c]);
/** Raw classes, what they are called, the names in order. */
const RAW = ["1", "01", "1.0", "-1", "1"];
const CALLED = ["1", "01", "1", "-1", "1"];
const ORDER = ["-1", "01", "1"];
const SAID = "classes that are whole numbers with a decimal point are called without it: 1.0 is 1";

const SETS: Record<string, () => Promise<Dataset>> = {
  "labels.csv": () =>
    readDataset(
      treeOf("folder", {
        "labels.csv": RAW.map((label, k) => `g${k}.txt,${label}`).join("\n"),
        ...Object.fromEntries(RAW.map((_, k) => [`g${k}.txt`, "0 1\n"])),
      }),
    ),
  "sub-folders": () =>
    readDataset(treeOf("folder", Object.fromEntries(RAW.map((label, k) => [`${label}/g${k}.txt`, "0 1\n"])))),
  "a TU set": () =>
    readDataset(
      treeOf("T", {
        "T_A.txt": "1, 2\n2, 1\n",
        "T_graph_indicator.txt": "1\n1\n2\n3\n4\n5\n",
        "T_graph_labels.txt": RAW.join("\n"),
      }),
    ),
  JSON: () => read("set.json", JSON.stringify(RAW.map((label) => graph({ class: label })))),
  GraphML: () =>
    read(
      "set.graphml",
      `<graphml>${RAW.map((label) => `<graph><data key="class">${label}</data><node id="a"/></graph>`).join("")}</graphml>`,
    ),
  karateclub: () =>
    readDataset(
      treeOf("K", {
        "K_edges.json": JSON.stringify(Object.fromEntries(RAW.map((_, k) => [k, [[0, 1]]]))),
        // numbers of graphs as a table of floats writes them
        "K_target.csv": `id,target\n${RAW.map((label, k) => `${k}.0,${label}`).join("\n")}`,
      }),
    ),
};

describe("names of classes", () => {
  it.each(Object.entries(SETS))("in %s: 1 and 1.0 are one class, 01 is another", async (_, open) => {
    const set = await open();
    expect(classesOf(set).sort()).toEqual(CALLED.toSorted());
    expect(set.classNames).toEqual(ORDER);
    expect(set.notes.filter((note) => note.startsWith("classes that"))).toEqual([SAID]);
  });

  it("that files of a folder name themselves are compared by the same rule, and the note is there", async () => {
    const file = (label: string) => JSON.stringify(graph({ class: label }));
    const set = await readDataset(
      treeOf("f", { "a.json": file("1"), "b.json": file("1.0"), "c.json": file("2") }),
    );
    expect(classesOf(set)).toEqual(["1", "1", "2"]);
    expect(set.notes).toContain(`${SAID} (1 of 3 files)`);
  });

  it("1 and 01 are not written as the same number", async () => {
    const set = await SETS["a TU set"]();
    const { values, kind } = integerLabels(set);
    expect(kind).toBe("indices");
    expect(Array.from(values)).toEqual(Array.from(set.classes!));
  });

  it("are in the same order whichever comes first", async () => {
    const tu = (labels: string[]) =>
      readDataset(
        treeOf("T", {
          "T_A.txt": "1, 1\n",
          "T_graph_indicator.txt": "1\n2\n",
          "T_graph_labels.txt": labels.join("\n"),
        }),
      );
    expect((await tu(["1", "01"])).classNames).toEqual((await tu(["01", "1"])).classNames);
  });
});

describe("node labels", () => {
  const labelled = (labels: unknown[]) =>
    read("labels.json", JSON.stringify({ nodes: labels.map((label, id) => ({ id, label })), links: [] }));

  it("1 and 1.0 are one label, which is a number, and a note says so", async () => {
    const set = await labelled(["1", "1.0", 3]);
    expect(Array.from(set.graphs[0].labels!)).toEqual([1, 1, 3]);
    expect(set.notes).toContain(
      "node labels that are whole numbers with a decimal point are called without it: 1.0 is 1",
    );
  });

  it("02 is a word, another than 2", async () => {
    const set = await labelled(["2", "02", "2.0"]);
    expect(set.nodeLabelNames).toEqual(["02", "2"]);
    expect(Array.from(set.graphs[0].labels!)).toEqual([1, 0, 1]);
  });
});
