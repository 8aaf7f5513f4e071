/** Small valid files of every format: what the mutations start from. */
import { gzipSync, strToU8, zipSync } from "fflate";
import { inlineExecutor } from "../../src/compute/executor.js";
import { type Dataset, subset } from "../../src/data/dataset.js";
import { writeNpy } from "../../src/data/npy.js";
import { writeNpz } from "../../src/data/npz.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import { writeJson } from "../../src/data/write-json.js";
import { writeTU } from "../../src/data/write-tu.js";
import type { KernelRequest } from "../../src/experiment/grid.js";
import { buildGraph } from "../../src/graph/build.js";
import { fitModel } from "../../src/model/model.js";
import { saveModel } from "../../src/model/model-file.js";

export const executor = inlineExecutor();

/** The first graphs of a synthetic set, small ones, with labels and attributes. */
export function fewGraphs(count: number): Dataset {
  const set = syntheticDataset("threads");
  const small = set.graphs.flatMap((graph, g) => (graph.nodeCount <= 40 ? [g] : []));
  // as many of either class
  const chosen = [0, 1].flatMap((c) => small.filter((g) => set.classes![g] === c).slice(0, count / 2));
  const some = subset(set, chosen);
  const graphs = some.graphs.map((graph) => {
    const sources: number[] = [];
    const targets: number[] = [];
    graph.forEachEdge((i, j) => {
      sources.push(i);
      targets.push(j);
    });
    const labels = Int32Array.from({ length: graph.nodeCount }, (_, i) => graph.neighbourCount(i) % 3);
    const values = Float64Array.from({ length: graph.nodeCount }, (_, i) => i / 7);
    const { nodeCount } = graph;
    return buildGraph({ nodeCount, sources, targets, labels, attributes: { values, dimension: 1 } }).graph;
  });
  return { ...some, graphs };
}

const text = (lines: string) => strToU8(`${lines.trim()}\n`);
/** With a fixed time, so that the same files give the same bytes. */
export const packed = (files: Record<string, Uint8Array>, level: 0 | 6) =>
  zipSync(files, { level, mtime: new Date(1980, 0, 1, 12) });

export const zipOf = (files: Record<string, string>) =>
  packed(Object.fromEntries(Object.entries(files).map(([path, content]) => [path, strToU8(content)])), 6);

export function tuFiles(): Record<string, string>[] {
  const written = writeTU({ ...fewGraphs(6), name: "SET" }).files;
  const large = Object.fromEntries(written.map(({ path, chunks }) => [`SET/${path}`, [...chunks].join("")]));
  const small = {
    "T_A.txt": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n5,5\n",
    "T_graph_indicator.txt": "1\n1\n1\n2\n2\n3\n",
    "T_graph_labels.txt": "1\n-1\n1\n",
    "T_graph_attributes.txt": "0.5\n1.5\n-2e-3\n",
    "T_node_labels.txt": "0\n1\n0\n2\n2\n7\n",
    "T_node_attributes.txt": "0.1, 2\n0.2, 3\n0.3, 4\n1e5, 5\n-1, 6\n0, 0\n",
    "T_edge_attributes.txt": "1\n1\n2.5\n2.5\n0.25\n0.25\n3\n",
    "T_edge_labels.txt": "1\n1\n2\n2\n0\n0\n3\n",
  };
  // nodes of the graphs mixed
  const mixed = {
    "M_A.txt": "1,3\n3,1\n2 4\n4 2\n",
    "M_graph_indicator.txt": "1\n2\n1\n2\n",
    "M_graph_labels.txt": "b\na\n",
  };
  return [large, small, mixed];
}

export const folderFiles: Record<string, string>[] = [
  {
    "g/labels.csv": 'file,label\na.edges,ring\n"b.mtx",star\nc.json,ring\n',
    "g/a.edges": "0 1\n1 2\n2 0\n",
    "g/b.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n",
    "g/c.json":
      '{"nodes":[{"id":"a","label":"C"},{"id":"b","label":"H"}],"links":[{"source":"a","target":"b"}]}',
  },
  { "x2.txt": "a b\n", "x10.txt": "a b\nb c\n", "readme.md": "nothing" },
  {
    "reddit_edges.json": '{"0":[[0,1],[1,2]],"1":[[5,9],[9,5],[5,5]],"7":[[0,1]]}',
    "reddit_target.csv": "id,target\n0,1\n1,0\n7,1\n",
  },
];

export const edgeLists = [
  "# a comment\n0 1\n1 2\n2 0\n5\n3 4\n",
  "source,target,weight\n10,20,0.5\n20,30,1e-3\n30,10,2\n",
  "alice bob {'weight': 2.5}\nbob carol {}\ncarol dave {'weight': 1e3, 'x': 'y'}\n",
  'u\tv\t1.5\nv\tw\t2\n"a b"\tw\t3\n',
  "% directed\n1 2 3 4\n2 3 4 5\n1000000 2000000000 1 1\n",
  Array.from({ length: 60 }, (_, k) => `${k % 17} ${(k * 7) % 23}`).join("\n"),
].map(text);

export const matrices = [
  "%%MatrixMarket matrix coordinate real symmetric\n% comment\n4 4 4\n2 1 0.5\n3 2 1\n4 4 2e3\n4 1 1\n",
  "%%MatrixMarket matrix coordinate pattern general\n5 5 3\n1 2\n2 1\n5 4\n",
  "%%MatrixMarket matrix array real symmetric\n3 3\n0\n1\n2\n0\n0.5\n0\n",
  "%%MatrixMarket matrix array integer general\n2 2\n0 1\n1 0\n",
].map(text);

export const graphmls = [
  `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 <key id="d0" for="node" attr.name="label" attr.type="string"><default>C</default></key>
 <key id="d1" for="node" attr.name="x" attr.type="double"/>
 <key id="d2" for="edge" attr.name="weight" attr.type="double"><default>1.0</default></key>
 <key id="d3" for="graph" attr.name="class" attr.type="string"/>
 <graph id="G" edgedefault="undirected"><data key="d3">ring</data>
  <node id="a"><data key="d0">N</data><data key="d1">0.5</data></node>
  <node id="b"><data key="d1">1e3</data></node><node id="c"><data key="d1">-2</data></node>
  <edge source="a" target="b"><data key="d2">2.5</data></edge>
  <edge source="b" target="c" directed="true"/>
 </graph>
 <graph id="H" edgedefault="directed"><data key="d3">star</data>
  <node id="1"><data key="d1">1</data></node><node id="2"><data key="d1">2</data></node>
  <edge source="1" target="2"/>
 </graph>
</graphml>`,
  `<graphml><key id="l" for="node" attr.name="label" attr.type="int"/><graph edgedefault="undirected"><node id="0"><data key="l">1</data></node><node id="1"><data key="l">2</data><data key="y"><y:Shape><y:Fill/></y:Shape></data></node><edge source="0" target="1"/><!-- &amp; --></graph></graphml>`,
].map(text);

export const gexfs = [
  `<?xml version="1.0"?><gexf version="1.2"><graph defaultedgetype="undirected" mode="static">
<attributes class="node"><attribute id="0" title="label" type="string"><default>x</default></attribute><attribute id="1" title="size" type="float"/></attributes>
<attributes class="edge"><attribute id="2" title="weight" type="double"/></attributes>
<nodes><node id="0" label="zero"><attvalues><attvalue for="1" value="0.5"/></attvalues></node><node id="1"><attvalues><attvalue for="0" value="y"/><attvalue for="1" value="2"/></attvalues></node><node id="n"><attvalues><attvalue for="1" value="3"/></attvalues></node></nodes>
<edges><edge id="0" source="0" target="1" weight="2.0"/><edge id="1" source="1" target="n" type="directed"><attvalues><attvalue for="2" value="4"/></attvalues></edge></edges>
</graph></gexf>`,
  `<gexf><graph><nodes><node id="a"/><node id="b"/></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>`,
].map(text);

export const gmls = [
  'Creator "x"\ngraph [\n directed 1 label "G" class "ring"\n node [ id 1 label "C" x 0.5 p 1 p 2 ]\n node [ id 2 label "N" x 1e3 p 3 p 4 graphics [ w 1 ] ]\n node [ id 7 label "C &#34;&uuml;" x -2 p 0 p 0 ]\n edge [ source 1 target 2 weight 2.5 ]\n edge [ source 7 target 2 ] # c\n]\ngraph [ class "star" node [ id 0 label "N" x 1 p 1 p 1 ] ]',
  'graph\n[\n  node\n  [\n    id 0\n    label "Myriel"\n  ]\n  node\n  [\n    id 1\n    label "Valjean\n24601"\n  ]\n  edge\n  [\n    source 1\n    target 0\n    value 8\n  ]\n]',
].map(text);

export const dots = [
  '/* c */ strict digraph "G" {\n # x\n node [size=1] edge [weight=2]\n class=ring\n a -> b -> "c d" [weight=0.5, label=<<b>x</b>>];\n subgraph cluster_0 { e; f [label="\\N" size=2] } -> {a b}\n "g" + "h":p:n -> a // y\n}\ngraph { 1 -- 2 -- 3; class=star }',
  'graph {\n  0 [ label="Ada \\"L.\\"" ];\n  1 [ label="x" ];\n  1 -- 0 [ weight=2.5 ];\n}',
].map(text);

export const pajeks = [
  '*Network x\n*Vertices 4\n1 "a b" 0.0 0.0 ellipse\n2 "c"\n3 d\n4 "c \\"e\\""\n*Arcs\n1 2 2.5\n*Edges\n2 3\n3 4 1 c Blue\n*Arcslist\n1 2 3\n*Edgeslist\n4 1\n*Partition p\n*Vertices 4\n1\n2\n1\n1',
  "% two modes\n*vertices 5 2\n*matrix\n1 0 1\n0 2 0.5",
  "*Vertices 2\n*Matrix\n0 1\n1 0",
].map(text);

export const graph6s = [">>graph6<<D?{\nA_\nI?h]@eOWG", ">>sparse6<<:Fa@x^\n:@\n:C`eV", "&BP_\n&DI?AO?"].map(
  text,
);

export const gdfs = [
  "nodedef>name VARCHAR,label VARCHAR,size DOUBLE\na,'x, y',1.5\nb,\"z\",2\nc,z,-3\nedgedef>node1 VARCHAR,node2 VARCHAR,weight DOUBLE,directed BOOLEAN\na,b,2.5,true\nb,c,1,false\nc,d,,",
].map(text);

export const metises = [
  "% c\n4 3\n2 3\n1\n1 4\n3",
  "3 2 011 2\n1 2 2 5\n1 1 1 5 3 2\n0 0 2 2",
  "2 0\n\n\n",
].map(text);

export const adjacencyLists = [
  "#x\n# GMT y\n#\na b c\nb c\nd\nc",
  "#x\n# GMT y\n#\na b 2\nb {'weight': 2.5}\nc {}\nc 0\n",
  "1 2 3\n2 3\n3",
].map(text);

export const multilineLists = [
  "#x\n# GMT y\n#\na b 2\nb {'weight': 2.5}\nc {}\nc 0\n",
  "1 2\n2 {'weight': 2, 'kind': 'x y'}\n3\n2 1\n3 {}\n3 0",
].map(text);

export const lgls = ["# a\nb 1.5\nc 2\n# b\nc 1\n# d", "# 1\n2\n3\n# 2\n4\n"].map(text);

export const textMatrices = [
  "0 1 1\n1 0 0\n1 0 0",
  ",ann,bob,cy\nann,0,2.5,0\nbob,2.5,0,1\ncy,0,1,0",
  Array.from({ length: 6 }, (_, i) => Array.from({ length: 6 }, (_, j) => (i * j) % 3).join(" ")).join("\n"),
].map(text);

export const karateclubFiles: Record<string, string>[] = [
  {
    "reddit_edges.json": '{"0":[[0,1],[1,2]],"1":[[5,9],[9,5],[5,5]],"2":[],"7":[[0,1]]}',
    "reddit_target.csv": "id,target\n0,1\n1,0\n2,0\n7,1\n",
  },
  { "graphs.json": '{"a":[[0,1]],"b":[[3,4],[4,5]]}', "target.csv": "id,target\nb,x\na,y\n" },
];

export const jsons = [
  '{"directed":false,"graph":{"class":"ring"},"nodes":[{"id":0,"label":1,"x":[0.5,1]},{"id":1,"label":2,"x":[1,2]},{"id":2,"label":1,"x":[2,3]}],"links":[{"source":0,"target":1,"weight":2.5},{"source":1,"target":2}]}',
  '{"options":{"type":"mixed"},"attributes":{"name":"g","value":0.5},"nodes":[{"key":"a","attributes":{"label":"C","w":1}},{"key":"b","attributes":{"label":"H","w":2}}],"edges":[{"source":"a","target":"b","attributes":{"weight":3}}]}',
  '[{"nodes":[{"id":"x"}],"links":[],"target":0.5},{"nodes":[1,2],"edges":[{"source":1,"target":2}],"target":2}]',
  '{"a":["b","c"],"b":{"a":2,"c":{"weight":3}},"c":[]}',
  "[[1,2],[0],[0,2]]",
].map(text);

export function bigJson(): Uint8Array {
  return strToU8([...writeJson(fewGraphs(6))].join(""));
}

export const arrays = [
  writeNpy(
    Float64Array.from({ length: 12 }, (_, k) => k / 7),
    [3, 4],
  ),
  writeNpy(Int32Array.of(1, -2, 3)),
  writeNpy(Uint8Array.of(0, 1, 1), [3], "bool"),
  writeNpy(new BigInt64Array([1n, -1n]), [2, 1]),
  writeNpy(Float32Array.of(1.5), []),
  text("\x93NUMPY"),
  bigEndian(),
];

/** A big-endian array in Fortran order. */
function bigEndian(): Uint8Array {
  const bytes = writeNpy(
    Float64Array.from({ length: 6 }, (_, k) => k),
    [2, 3],
  );
  const header = new TextDecoder("latin1").decode(bytes.subarray(10, 128));
  bytes.set(strToU8(header.replace("<f8", ">f8").replace("False", "True "), true), 10);
  return bytes;
}

export const archives = [
  writeNpz({
    signature: { data: Float64Array.of(1, 2, 3, 4), shape: [2, 2] },
    labels: { data: Int32Array.of(0, 1) },
  }),
  writeNpz({ a: { data: new Float64Array(100) } }, { compress: true }),
];

export const gzipped = (bytes: Uint8Array) => gzipSync(bytes);

const REQUESTS: KernelRequest[] = [
  { name: "dos", options: { labels: "nodes", attributes: "nodes" } },
  { name: "dos+ldos", options: { "ldos.mmd": "low-rank", "ldos.tolerance": 0.2 } },
  { name: "ldos", options: { mmd: "exact" } },
  { name: "ldos", options: { mmd: "fourier", features: 16, labels: "nodes" } },
  { name: "wl", options: { iterations: 1 }, grid: {} },
  { name: "sp", grid: {} },
  { name: "rw", options: { labels: "nodes" } },
  { name: "fgsd", options: { binWidth: 0.1 }, grid: {} },
  { name: "dgk", options: { substructure: "wl" }, grid: {} },
  { name: "sage", options: { features: 8 } },
  { name: "netlsd" },
];

/** A model file of each kind of kernel. */
export async function models(): Promise<Uint8Array[]> {
  const set = fewGraphs(12);
  const files: Uint8Array[] = [];
  for (const [k, kernel] of REQUESTS.entries()) {
    const options = { kernel, profile: { moments: 8 }, Cs: [1], folds: 2, executor, date: "2026-01-01" };
    files.push(saveModel(await fitModel(set, { ...options, probability: k === 0 })));
  }
  return files;
}
