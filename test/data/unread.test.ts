/** What files hold and graphs cannot is listed in Dataset.unread, whatever the format. */
import { expect, it } from "vitest";
import { textSource } from "../../src/data/bytes.js";
import { readDataset } from "../../src/data/read.js";

const DIRECTION = "the direction of edges";
const graphml = (edgedefault: string) =>
  `<graphml><key id="c" for="edge" attr.name="colour" attr.type="string"/><graph edgedefault="${edgedefault}">` +
  `<node id="a"/><node id="b"/><edge source="a" target="b"><data key="c">red</data></edge></graph></graphml>`;

const CASES: [name: string, text: string, unread: string[]][] = [
  ["plain.edges", "0 1\n1 2\n", []],
  ["both-ways.edges", "0 1\n1 0\n1 2\n2 1\n", []],
  ["mixed.edges", "0 1\n1 0\n1 2\n", [DIRECTION]],
  ["stated.edges", "# Directed graph\n0 1\n1 2\n", [DIRECTION]],
  ["columns.csv", "source,target,weight,colour\n0,1,2.5,red\n1,2,1,blue\n", ["column colour"]],
  ["braces.edges", "0 1 {'weight': 2, 'colour': 'red'}\n1 2 {'weight': 3}\n", ["edge key colour"]],
  ["matrix.txt", "0 1 1\n0 0 1\n1 1 0\n", [DIRECTION]],
  ["u.graphml", graphml("undirected"), ["edge key colour"]],
  ["d.graphml", graphml("directed"), ["edge key colour", DIRECTION]],
  [
    "j.json",
    '{"nodes": [{"id": 0, "age": 1, "job": "x"}, {"id": 1, "label": 3}], "links": [{"source": 0, "target": 1, "kind": 2}]}',
    [
      "node labels (1 of 2 nodes have none)",
      "node key age (1 of 2 nodes have no value)",
      "node key job (its values are not all numbers)",
      "edge key kind",
    ],
  ],
  ["w.json", '{"a": {"b": {"weight": 2, "colour": "red"}}, "b": {}}', ["edge key colour"]],
  ["m.metis", "2 1 110\n5 7 2\n5 7 1\n", ["sizes of nodes", "weights of nodes"]],
  ["g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n", [DIRECTION]],
];

for (const [name, text, unread] of CASES)
  it(`${name}: ${unread.join(", ") || "nothing"}`, async () => {
    const dataset = await readDataset(textSource(name, text));
    expect(dataset.unread ?? []).toEqual(unread);
  });
