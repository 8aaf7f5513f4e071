import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { afterAll, describe, expect, it } from "vitest";
import { barabasiAlbert, complete, cycle, path, star } from "../../src/graph/generators/index.js";
import { graphdos, refusal, temporaryFolder, writeFolder, writeGraph } from "./kernel-support.js";

const folder = temporaryFolder("similar");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string) => join(folder, name);

const set = writeFolder(
  file("set"),
  { a: star(7), b: path(9), c: star(7), d: star(8), e: complete(5), f: path(10) },
  ["star", "path", "star", "star", "clique", "path"],
);
const [web, chain] = [
  writeGraph(file("web.json"), barabasiAlbert(40, 2, 3)),
  writeGraph(file("chain.json"), path(30)),
];

describe("the nearest graphs of one", () => {
  it("an equal graph comes first with similarity 1, then those of its kind", async () => {
    const { out } = await graphdos("-q", "similar", set, "--graph", "0", "-k", "3");
    expect(out).toContain("a.json: 8 nodes, 7 edges\nnearest by kernel dos+ldos; its class is star");
    expect(out).toMatch(/c\.json +star +1\.0000 +0\.0000 +8 +7\n *d\.json +star +0\.\d+ /);
    expect(out).toContain("2 of the 3 are of the same class");
  });

  it("prints one JSON document, in which distance² is 2 − 2 similarity", async () => {
    const words = ["--graph", "1", "--json", "--kernel", "dos", "--option", "exponent=1"];
    const document = JSON.parse((await graphdos("similar", set, ...words)).out);
    expect(document).toMatchObject({ dataset: "set", graph: 1, name: "b.json", class: "path" });
    expect(document.neighbours).toHaveLength(5);
    const near = document.neighbours[0];
    expect(near).toMatchObject({ graph: 5, name: "f.json", class: "path", nodes: 10, edges: 9 });
    expect(near.distance ** 2).toBeCloseTo(2 - 2 * near.similarity, 12);
    const { gamma } = document.bandwidths[0];
    expect(near.similarity).toBeCloseTo(Math.exp(-gamma * near.parts[0].distance), 12);
  });

  it("the picture compares it with the nearest", async () => {
    const words = ["--graph", "1", "-o", file("near.svg"), "--kernel", "retgk-mc"];
    await graphdos("-q", "similar", set, ...words);
    expect(readFileSync(file("near.svg"), "utf8")).toContain("b.json and f.json");
  });
});

describe("two graphs", () => {
  it("gives distances and the nodes that differ, without a kernel value", async () => {
    const { out } = await graphdos("-q", "similar", web, chain);
    expect(out).toContain("web: 40 nodes");
    expect(out).toMatch(/Wasserstein-1 distance of the two spectra: 0\.\d+ \(0 to 2\)/);
    expect(out).toMatch(/Distance by dos: [\d.]+ \(density of states\)\nDistance by ldos: 0\.\d+ \(MMD/);
    expect(out).toContain("Nodes of web whose local density is farthest from any of chain");
    expect(out).not.toContain("Similarity");
  });

  it("a reference set gives the scale: the same value as within that set", async () => {
    const pair = [join(set, "a.json"), join(set, "b.json")];
    const exact = ["--option", "ldos.mmd=exact", "--json"];
    const two = JSON.parse((await graphdos("similar", ...pair, "--reference", set, ...exact)).out);
    const within = JSON.parse((await graphdos("similar", set, "--graph", "0", ...exact)).out);
    const b = within.neighbours.find((row: { graph: number }) => row.graph === 1);
    expect(two.similarity.reference).toBe("set");
    expect(two.similarity.value).toBeCloseTo(b.similarity, 12);
    expect(two.parts[1].distance).toBeCloseTo(b.parts[1].distance, 12);
    const alone = JSON.parse((await graphdos("similar", ...pair, ...exact)).out);
    expect(alone.similarity).toBeNull();
    expect(alone.parts[0].distance).toBeCloseTo(b.parts[0].distance, 12);
  });

  it("the same graph twice is at distance 0 and every node has its like", async () => {
    const { out } = await graphdos("-q", "similar", web, web);
    expect(out).toContain("spectra: 0 (0 to 2)");
    expect(out).toContain("Distance by ldos: 0 ");
    expect(out).toMatch(/Every node of \S+ has its like in/);
  });

  it("a graph without nodes has no like of another's, and none of its own", async () => {
    const pair = file("pair.json");
    const none = { nodes: [], links: [] };
    const edge = { nodes: [{ id: 0 }, { id: 1 }], links: [{ source: 0, target: 1 }] };
    writeFileSync(pair, JSON.stringify([none, edge]));
    const chosen = ["--graph", "0", "--other-graph", "1", "-o", file("pair.svg")];
    const { out } = await graphdos("-q", "similar", pair, pair, ...chosen);
    expect(out).toMatch(/^graph 0 of pair has no nodes$/m);
    expect(out).toMatch(/^graph 1 of pair has nodes, graph 0 of pair has none$/m);
    expect(out).not.toContain("has its like");
    const drawn = readFileSync(file("pair.svg"), "utf8");
    expect(drawn).toContain("graph 1 of pair has nodes, the other has none");
    expect(drawn).not.toContain("has its like");
  });

  it("graphs of data sets, chosen by number", async () => {
    const words = ["--graph", "4", "--other-graph", "1", "--json"];
    const { graphs, nodes } = JSON.parse((await graphdos("similar", set, set, ...words)).out);
    expect(graphs.map(({ name }: { name: string }) => name)).toEqual(["e.json", "b.json"]);
    // the five nodes of a clique are alike
    expect(nodes.first).toHaveLength(1);
    expect(nodes.first[0]).toMatchObject({ node: "0", degree: 4, alike: 5 });
  });

  it("graphs without nodes or edges", async () => {
    const empty = writeFolder(file("tiny"), { one: path(1), two: path(2) });
    const single = join(empty, "one.json");
    const { nodes, spectralDistance } = JSON.parse(
      (await graphdos("similar", single, join(empty, "two.json"), "--json")).out,
    );
    expect(spectralDistance).toBeCloseTo(1, 2);
    expect(nodes.first[0].nearest.node).toBe("0");
  });

  it("draws both densities and the nodes with the largest gaps, names escaped", async () => {
    const odd = writeGraph(file("a & <b>.json"), cycle(7));
    for (const name of ["two.svg", "two.png"]) await graphdos("-q", "similar", odd, web, "-o", file(name));
    const text = readFileSync(file("two.svg"), "utf8");
    const { document } = parseHTML(text);
    const words = Array.from(document.querySelectorAll("text"), (element) => element.textContent);
    expect(words).toContain("a & <b> and web");
    expect(words).toContain("Nodes whose local density (per unit of λ) differs most");
    expect(words).toContain("node 0, 2 neighbours; 7 nodes alike");
    expect(words.filter((word) => word?.startsWith("nearest: node "))).toHaveLength(4);
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    const { width, height } = pngSize(readFileSync(file("two.png")));
    expect([width, height]).toEqual([
      2 * Number(document.querySelector("svg")!.getAttribute("width")),
      2 * Number(document.querySelector("svg")!.getAttribute("height")),
    ]);
  });
});

const pngSize = (bytes: Buffer) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) });

describe("graphdos similar refuses", () => {
  it.each([
    [[set], "set holds 6 graphs: choose one with --graph, 0 to 5"],
    [[set, "--graph", "6"], "--graph 6: set has no such graph: expected 0 to 5"],
    [[set, "--graph", "-1"], "expected a whole number from 0 on"],
    [[web], "web has one graph only: give a second graph"],
    [[web, set], "choose one with --other-graph, 0 to 5"],
    [
      [web, chain, "--other-graph", "1"],
      "--other-graph 1: chain has no such graph: expected 0, its only one",
    ],
    [[web, chain, "-k", "3"], "--neighbours 3 does nothing with two graphs"],
    [[set, "--graph", "0", "-k", "0"], "expected a whole number of at least 1"],
    [[set, "--graph", "0", "--reference", set], "--reference belongs to two graphs"],
    [[set, "--graph", "0", "--other-graph", "1"], "--other-graph 1 belongs to a second data set"],
    [[web, chain, "--reference", set, "--option", "combine=geometric"], "combine=geometric has no value"],
    [[web, chain, "--kernel", "wol"], "unknown kernel: wol"],
    [[web, chain, "-o", file("x.csv")], "got .csv, expected .svg or .png"],
  ])("%j in one sentence", async (words, sentence) => {
    const { code, message } = await refusal("similar", ...words);
    expect(message).toContain(sentence);
    expect(code).toBe("bad-call");
  });
});
