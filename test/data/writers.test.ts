import fc from "fast-check";
import { expect, test } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { textSource } from "../../src/data/bytes.js";
import type { Dataset } from "../../src/data/dataset.js";
import { json } from "../../src/data/json.js";
import { readTU } from "../../src/data/tu/index.js";
import { writeJson } from "../../src/data/write-json.js";
import { writeTU } from "../../src/data/write-tu.js";
import { buildGraph } from "../../src/graph/build.js";
import { emptyCleaning } from "../../src/graph/cleaning.js";
import { datasetArbitrary } from "./random-dataset.js";
import { edgesOf, readText, treeOf } from "./readers-support.js";

const words = fc.oneof(
  fc.constantFrom("-1", "1", "0.5", "07", "1e3", "ring", "1234567890123456789"),
  fc.string({ minLength: 1 }),
);
const join = (chunks: Iterable<string>) => [...chunks].join("");
const tuFiles = (dataset: Dataset) =>
  Object.fromEntries(writeTU(dataset).files.map(({ path, chunks }) => [path, join(chunks)]));

/** All that a data set says of its graphs, as plain values. */
const content = ({ graphs, classes, classNames, targets, graphNames, nodeIds }: Dataset) => ({
  graphs: graphs.map((graph) => ({
    n: graph.nodeCount,
    edges: edgesOf(graph),
    labels: graph.labels,
    attributes: graph.attributes,
    dimension: graph.attributeDimension,
  })),
  classes,
  classNames,
  targets,
  graphNames,
  nodeIds,
});

const triangle = (extra: Partial<Dataset> = {}): Dataset => ({
  name: "my set",
  graphs: [
    buildGraph({
      nodeCount: 3,
      sources: [0, 1],
      targets: [1, 1],
      weights: [0.5, 2],
      labels: [7, -1, 7],
      attributes: { values: [1, 2, 3, 4, 5, 6], dimension: 2 },
    }).graph,
    buildGraph({
      nodeCount: 1,
      sources: [],
      targets: [],
      labels: [0],
      attributes: { values: [0, 1e-9], dimension: 2 },
    }).graph,
  ],
  classes: Int32Array.of(1, 0),
  classNames: ["-1", "1"],
  targets: null,
  graphNames: null,
  nodeIds: null,
  cleaning: emptyCleaning(),
  notes: [],
  ...extra,
});

test("JSON of a small set", () => {
  expect(JSON.parse(join(writeJson(triangle({ targets: Float64Array.of(0.25, 4) }))))).toEqual([
    {
      directed: false,
      multigraph: false,
      graph: { class: 1, value: 0.25 },
      nodes: [
        { id: 0, label: 7, attributes: [1, 2] },
        { id: 1, label: -1, attributes: [3, 4] },
        { id: 2, label: 7, attributes: [5, 6] },
      ],
      links: [
        { source: 0, target: 1, weight: 0.5 },
        { source: 1, target: 1, weight: 2 },
      ],
    },
    {
      directed: false,
      multigraph: false,
      graph: { class: -1, value: 4 },
      nodes: [{ id: 0, label: 0, attributes: [0, 1e-9] }],
      links: [],
    },
  ]);
});

test("JSON written and read again is the same data set", async () => {
  await fc.assert(
    fc.asyncProperty(datasetArbitrary({ classes: words }), async (dataset) => {
      const again = await json.read(textSource("x.json", join(writeJson(dataset))), {});
      expect(content(again)).toEqual(content(dataset));
    }),
    { numRuns: 300 },
  );
});

test("labels that were words are written as words", async () => {
  const text = `{"nodes":[{"id":"p","label":"N"},{"id":"q","label":"C"}],"links":[{"source":"p","target":"q"}]}`;
  const dataset = await readText(json, text);
  const written = join(writeJson(dataset));
  expect(JSON.parse(written).nodes).toEqual([
    { id: "p", label: "N" },
    { id: "q", label: "C" },
  ]);
  expect(content(await readText(json, written))).toEqual(content(dataset));
});

test("TU files of a small set", () => {
  expect(tuFiles(triangle())).toEqual({
    "my_set_A.txt": "1, 2\n2, 1\n2, 2\n",
    "my_set_graph_indicator.txt": "1\n1\n1\n2\n",
    "my_set_edge_attributes.txt": "0.5\n0.5\n2\n",
    "my_set_graph_labels.txt": "1\n-1\n",
    "my_set_node_labels.txt": "7\n-1\n7\n0\n",
    "my_set_node_attributes.txt": "1, 2\n3, 4\n5, 6\n0, 1e-9\n",
  });
});

test("classes that are words are numbered, with a file of their names and a note", () => {
  const dataset = triangle({
    classNames: ["a path", "ring"],
    graphNames: ["p", "q"],
    nodeIds: [["a", "b", "c"], null],
  });
  const files = tuFiles(dataset);
  expect(files["my_set_graph_labels.txt"]).toBe("1\n0\n");
  expect(files["my_set_label_names.txt"]).toBe("0 a path\n1 ring\n");
  expect(writeTU(dataset).notes).toEqual([
    "the weights are in my_set_edge_attributes.txt",
    "the classes are not whole numbers: they were numbered, my_set_label_names.txt tells how",
    "the names of the nodes were not written: the format numbers them",
    "the names of the graphs were not written: the format numbers them",
  ]);
});

test("labels and attributes that only some graphs have are left out, with a note", () => {
  const plain = buildGraph({ nodeCount: 1, sources: [], targets: [] }).graph;
  const dataset = triangle({ graphs: [triangle().graphs[0], plain] });
  expect(Object.keys(tuFiles(dataset)).filter((path) => path.includes("node"))).toEqual([]);
  expect(writeTU(dataset).notes.slice(1)).toEqual([
    "node labels were not written: some graphs have none",
    "node attributes were not written: their number differs between graphs",
  ]);
});

test("a long file comes in chunks that can be walked over twice", () => {
  const n = 20_000;
  const path = buildGraph({
    nodeCount: n,
    sources: Array.from({ length: n - 1 }, (_, i) => i),
    targets: Array.from({ length: n - 1 }, (_, i) => i + 1),
  }).graph;
  const [edges] = writeTU(triangle({ graphs: [path], classes: null })).files;
  const chunks = [...edges.chunks];
  expect(chunks.length).toBeGreaterThan(1);
  expect([...edges.chunks]).toEqual(chunks);
  expect(chunks.join("").split("\n")).toHaveLength(2 * (n - 1) + 1);
});

test("TU files written and read again are the same data set, names aside", async () => {
  const whole = fc.constantFrom("-1", "0", "1", "2", "10");
  await fc.assert(
    fc.asyncProperty(datasetArbitrary({ classes: whole }), async (dataset) => {
      const edgeWeights = dataset.graphs.some((graph) => graph.weights !== null);
      const again = await readTU(treeOf("x", tuFiles(dataset)), { edgeWeights });
      const { graphs, ...rest } = content(again);
      const { graphs: expected, ...restExpected } = content({ ...dataset, graphNames: null, nodeIds: null });
      expect(rest).toEqual(restExpected);
      const strip = (edges: string[]) => edges.map((edge) => edge.replace(/:1$/, ""));
      expect(graphs.map((g) => ({ ...g, edges: strip(g.edges) }))).toEqual(
        expected.map((g) => ({ ...g, edges: strip(g.edges) })),
      );
    }),
    { numRuns: 200 },
  );
});

test("a TU set holds graphs without nodes", async () => {
  const empty = buildGraph({ nodeCount: 0, sources: [], targets: [] }).graph;
  const [full] = triangle({}).graphs;
  const graphs = [empty, full, empty];
  const files = tuFiles(triangle({ graphs, classes: Int32Array.of(0, 1, 0), classNames: ["0", "1"] }));
  const set = await readTU(treeOf("my set", files));
  expect(set.graphs.map((graph) => graph.nodeCount)).toEqual([0, full.nodeCount, 0]);
});

test("what no file can hold is refused: no graphs, no nodes at all, an empty graph that nothing names", () => {
  const empty = buildGraph({ nodeCount: 0, sources: [], targets: [] }).graph;
  const unnamed = { classes: null, classNames: [], targets: null };
  expect(() => writeTU(triangle({ ...unnamed, graphs: [triangle({}).graphs[0], empty] }))).toThrow(
    new GraphdosError(
      "bad-data",
      "graph 1 of my set: the last graph has no nodes and the set no classes: the TU format cannot hold it",
    ),
  );
  expect(() => writeTU(triangle({ graphs: [empty], classes: Int32Array.of(0), classNames: ["0"] }))).toThrow(
    "my set: no graph has nodes: the TU format cannot hold the set",
  );
  expect(() => writeTU(triangle({ graphs: [] }))).toThrow("my set: there are no graphs to write");
  expect(() => join(writeJson(triangle({ graphs: [] })))).toThrow("my set: there are no graphs to write");
});
