import { existsSync } from "node:fs";
import fc from "fast-check";
import { gzipSync, strToU8 } from "fflate";
import { describe, expect, it } from "vitest";
import { bytesSource, textSource } from "../../src/data/bytes.js";
import { edgeList } from "../../src/data/edge-list.js";
import { readDataset } from "../../src/data/read.js";
import type { ReadOptions } from "../../src/data/reading.js";
import { openData } from "../../src/node/open.js";

const read = (text: string, options: ReadOptions = {}) => readDataset(textSource("g.txt", text), options);
const edges = async (text: string, options?: ReadOptions) => {
  const set = await read(text, options);
  const ids = set.nodeIds?.[0];
  const out: (string | number)[][] = [];
  set.graphs[0].validate().forEachEdge((i, j, w) => out.push([ids?.[i] ?? i, ids?.[j] ?? j, w]));
  return out;
};

describe("an edge list", () => {
  it.each([
    ["tabs", "0\t1\n1\t2\n"],
    ["blanks", " 0  1 \n 1 2"],
    ["commas", "0,1\n1, 2\n"],
    ["semicolons", "0;1\n1;2\n"],
    ["bars", "0|1\r\n1|2\r\n"],
    ["comments", "# nodes\n% x\n// y\n0 1\n\n1 2\n"],
    ["a header", "source,target\n0,1\n1,2\n"],
    ["a byte order mark", "\uFEFF0 1\n1 2\n"],
    ["braces of networkx", "0 1 {}\n1 2 {}\n"],
  ])("is read with %s", async (_, text) => {
    expect(await edges(text)).toEqual([
      [0, 1, 1],
      [1, 2, 1],
    ]);
  });

  it("keeps ids with gaps, large ones and words", async () => {
    expect(await edges("7 100\n100 3\n")).toEqual([
      [3, 100, 1],
      [7, 100, 1],
    ]);
    expect(await edges("2000000000 5\n")).toEqual([[5, 2000000000, 1]]);
    expect(await edges("ann bob\nbob cid\n")).toEqual([
      ["ann", "bob", 1],
      ["bob", "cid", 1],
    ]);
    expect(await edges('"New York","Los Angeles"\nParis,"New York"\n')).toEqual([
      ["New York", "Los Angeles", 1],
      ["New York", "Paris", 1],
    ]);
    expect(await edges("3000000000 1\n", { ids: "words" })).toEqual([["3000000000", "1", 1]]);
  });

  it("takes a third column as weight and a lone id as a node without edges", async () => {
    expect(await edges("a b 0.5\nb c 2e-3\n")).toEqual([
      ["a", "b", 0.5],
      ["b", "c", 0.002],
    ]);
    expect(await edges("0 1 {'weight': 2.5}\n1 2 {'weight': 1, 'x': 3}\n")).toEqual([
      [0, 1, 2.5],
      [1, 2, 1],
    ]);
    const set = await read("9\n4 5\n");
    expect(set.graphs[0].nodeCount).toBe(3);
    expect(set.cleaning.isolatedNodes).toBe(1);
    expect([...set.nodeIds![0]!]).toEqual([4, 5, 9]);
  });

  it("says that a directed file was symmetrised", async () => {
    const set = await read("# Directed graph (each unordered pair of nodes is saved once)\n0 1\n1 0\n1 2\n");
    expect(set.notes).toContain("its header says that it is directed: it was symmetrised");
    expect((await read("# Undirected graph\n0 1\n")).notes).toEqual(["edge list"]);
    expect(set.cleaning.oneWay).toBe(1);
  });

  it("is read through gzip", async () => {
    const set = await readDataset(bytesSource("g.txt.gz", gzipSync(strToU8("0 1\n1 2\n"))));
    expect(set.name).toBe("g");
    expect(set.graphs[0].edgeCount).toBe(2);
  });

  it("gives back any list of edges whatever the borders of its chunks", async () => {
    const id = fc.integer({ min: 0, max: 2 ** 31 - 1 });
    const lists = fc.array(fc.tuple(id, id), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 20 }), async (list, size) => {
        const bytes = strToU8(list.map(([i, j]) => `${i} ${j}`).join("\n"));
        const source = {
          name: "g.txt",
          size: bytes.length,
          async *stream() {
            for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
          },
        };
        const set = await edgeList.read(source, {});
        const ids = set.nodeIds?.[0];
        const got = new Set<string>();
        set.graphs[0].forEachEdge((i, j) => got.add(`${ids?.[i] ?? i}-${ids?.[j] ?? j}`));
        expect(got).toEqual(new Set(list.map(([i, j]) => `${Math.min(i, j)}-${Math.max(i, j)}`)));
      }),
    );
  });

  it.each([
    [
      "letters where numbers belong",
      "0 1\n1 x2\n",
      "g.txt line 2: not a node number: got x2, expected a whole number as in the lines before",
    ],
    ["a number with letters behind", "0 1\n12ab 1\n", "g.txt line 2: not a node number: got 12ab"],
    ["a negative id", "0 1\n-1 2\n", "g.txt line 2: not a node number: got -1"],
    [
      "an id beyond 2^31",
      "0 1\n3000000000 2\n",
      "g.txt line 2: node number 3000000000 is beyond 2^31 - 1; give --ids words",
    ],
    [
      "a weight that is NaN",
      "0 1 1\n1 2 nan\n",
      "g.txt line 2: the weight must be a finite number that is not negative: got nan",
    ],
    [
      "a negative weight",
      "0 1 1\n1 2 -3\n",
      "g.txt line 2: the weight must be a finite number that is not negative: got -3",
    ],
    [
      "a negative weight between words",
      "a b 1\na c -3\n",
      "g.txt line 2: the weight must be a finite number that is not negative: got -3",
    ],
    ["a word as weight", "0 1 red\n", 'g.txt line 1: expected "u v" or "u v weight", got red as weight'],
    ["a missing weight", "0 1 1\n\n1 2\n", "g.txt line 3: 2 columns, expected 3 as in the lines before"],
    [
      "a column too many",
      "0 1\n1 2 3\n",
      "g.txt line 2: more than 2 columns, expected 2 as in the lines before",
    ],
    ["only comments", "# nothing\n", "g.txt: no edges found: the file is empty or has only comments"],
    ["a binary file", "\u0000\u0001\n", "g.txt line 1: holds a zero byte: this is not a text file"],
  ])("refuses %s, naming the line", async (_, text, sentence) => {
    await expect(read(text)).rejects.toMatchObject({
      name: "GraphdosError",
      code: "bad-data",
      message: expect.stringContaining(sentence),
    });
  });

  it("refuses an empty file, a truncated gzip and one that unpacks to too much", async () => {
    await expect(readDataset(textSource("g.txt", ""))).rejects.toThrow("g.txt: the file is empty");
    const packed = gzipSync(strToU8("0 1\n".repeat(1e5)));
    await expect(readDataset(bytesSource("g.txt.gz", packed.slice(0, -20)))).rejects.toThrow(
      /g\.txt\.gz: the gzip data is damaged or cut off after \d+ unpacked bytes/,
    );
    await expect(
      readDataset(bytesSource("g.txt.gz", packed), { maxUnpackedBytes: 1000 }),
    ).rejects.toMatchObject({ code: "limit" });
  });
});

const shared = "../shared/graphs";
describe.skipIf(!existsSync(shared))("the real graphs (skipped where ../shared is missing)", () => {
  it.each([
    ["facebook_combined", 4039, 88234],
    ["ca-CondMat-cc1", 21363, 91286],
    ["email-Enron", 36692, 183831],
    ["ego-Twitter", 81306, 1342296],
    ["cnr-2000", 325557, 2738969],
  ])("%s has %d nodes and %d edges", async (name, nodes, count) => {
    const set = await openData(`${shared}/${name}.txt.gz`);
    expect([set.graphs[0].nodeCount, set.graphs[0].edgeCount]).toEqual([nodes, count]);
    expect(set.cleaning).toMatchObject({ duplicates: 0, selfLoops: 0, isolatedNodes: 0, oneWay: count });
  });
});
