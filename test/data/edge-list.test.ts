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
    expect((await read("% asym unweighted\n% 2 3\n1 2\n2 3\n")).notes).toContain(
      "its header says that it is directed: it was symmetrised",
    );
    expect((await read("% sym unweighted\n1 2\n2 3\n")).notes).toEqual(["edge list"]);
    await expect(read("% bip unweighted\n1 2\n2 3\n")).rejects.toThrow(/:1: KONECT's header says bip/);
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

describe("the first line of an edge list", () => {
  const HEADER = /^line 1 \(.*\) was read as a header; --header no reads it as an edge$/;
  it.each([
    ["names over numbers", "follower,followee\n1,2\n2,3\n", 3, 2],
    ["any words over numbers", "a b\n1 2\n2 3\n", 3, 2],
    ["names over words and weights", "who whom often\nann bob 3\nbob cid 4\n", 3, 2],
    ["names of columns over words", "source,target\nann,bob\nbob,cid\n", 3, 2],
    ["more columns over words", "who,whom,why\nann,bob\nbob,cid\n", 3, 2],
    ["an index of pandas", ",source,target\n0,ann,bob\n1,bob,cid\n", 3, 2],
    ["row names of R", '"from" "to"\n"1" "ann" "bob"\n"2" "bob" "cid"\n', 3, 2],
    ["columns in another order", "id,weight,to,from\n7,0.5,ann,bob\n8,2,bob,cid\n", 3, 2],
    ["a name over nodes", "node\n1\n2\n", 2, 0],
  ])("is a header: %s", async (_, text, nodes, count) => {
    for (const written of [text, text.replaceAll("\n", "\r\n"), `\ufeff${text}`]) {
      const set = await read(written);
      expect([set.graphs[0].nodeCount, set.graphs[0].edgeCount]).toEqual([nodes, count]);
      expect(set.notes.some((note) => HEADER.test(note))).toBe(true);
    }
  });

  it.each([
    ["words over words", "a b\nb c\nc a\n", 3, 3],
    ["words over words that are no nodes below", "a b\nc d\n", 4, 2],
    ["names of columns that are nodes below", "source target\ntarget sink\nsink source\n", 3, 3],
    ["a name beside a number", "hub 1\n1 2\n2 3\n", 4, 3],
    ["numbers over words", "1 2\n3 4\n", 4, 2],
    ["a weight", "u v 1\nv w 2\n", 3, 2],
    ["attributes", "from to {}\nann bob {}\n", 4, 2],
  ])("is an edge: %s", async (_, text, nodes, count) => {
    const set = await read(text);
    expect([set.graphs[0].nodeCount, set.graphs[0].edgeCount]).toEqual([nodes, count]);
    expect(set.notes.some((note) => note.includes("header"))).toBe(false);
  });

  it.each([
    [
      "person friend\nan bob\nbob cy\ncy an\n",
      "1 (person, friend) was read as an edge, though neither end is on another line; --header yes reads it as a header",
    ],
    [
      "# c\n34 3\n1 2\n2 3\n3 1\n",
      "2 (34, 3) was read as an edge; where it holds the numbers of nodes and edges, --header yes leaves it out",
    ],
    [
      "5 5\n2 5\n1 3\n2 4\n3 5\n1 4\n",
      "1 (5, 5) was read as an edge; where it holds the numbers of nodes and edges, --header yes leaves it out",
    ],
  ])("that may be none is an edge, and a note says so: %j", async (text, note) => {
    const set = await read(text);
    expect(set.notes).toContain(`line ${note}`);
    expect((await read(text, { header: "yes" })).graphs[0].edgeCount).toBe(set.graphs[0].edgeCount - 1);
    expect((await read(text, { header: "no" })).notes.join()).not.toContain("was read as an edge");
  });

  it("says nothing of a first line whose ends come again, or where no end does", async () => {
    for (const text of [
      "a b\nb c\nc d\nd e\n",
      "a b\nc d\ne f\ng h\n",
      "a a\nb c\nc b\n",
      "1 2\n2 3\n3 1\n",
      "0 3\n1 2\n2 3\n4 5\n",
      "a b\nc d\nd c\na\n",
    ])
      expect((await read(text)).notes.join(), text).not.toContain("was read as an edge");
  });

  it("is what the option says", async () => {
    expect(await edges("follower,followee\n1,2\n", { header: "no" })).toEqual([
      ["follower", "followee", 1],
      ["1", "2", 1],
    ]);
    expect(await edges("a b\nb c\nc a\n", { header: "yes" })).toEqual([
      ["b", "c", 1],
      ["c", "a", 1],
    ]);
    expect((await read("1 2\n2 3\n", { header: "yes" })).graphs[0].edgeCount).toBe(1);
  });

  it("names the ends and the weight; what is not used is said", async () => {
    const text = "id,weight,to,from,kind\n7,0.5,ann,bob,x\n8,2,bob,cid,y\n";
    expect(await edges(text)).toEqual(
      [
        ["bob", "ann", 0.5],
        ["ann", "cid", 2],
      ].map(([a, b, w]) => (a === "ann" ? ["bob", "cid", w] : [a, b, w])),
    );
    const { notes } = await read(text);
    expect(notes).toContain("the ends of an edge are the columns from and to");
    expect(notes).toContain("column 2 is the weight");
    expect(notes).toContain("columns that are not used: id, kind");
    const times = await read("source,target,timestamp\n1,2,1000\n2,3,1001\n");
    expect(times.graphs[0].weights).toBeNull();
    expect(times.notes).toContain("columns that are not used: timestamp");
  });

  it("that names columns is refused when a node far below has such a name", async () => {
    const far = Array.from({ length: 20_000 }, (_, k) => `n${k} n${k + 1}`).join("\n");
    expect((await read(`source target\n${far}\n`)).graphs[0].nodeCount).toBe(20_001);
    await expect(read(`source target\n${far}\nn1 source\n`)).rejects.toThrow(
      "g.txt line 1: source, target may be names of columns or an edge, as source is a node below: give --header yes or --header no",
    );
  });
});

describe("a file that is no edge list is refused with its line", () => {
  it.each([
    ["a page", "<!DOCTYPE html>\n<html>\n<body>Not found</body>\n</html>\n", "g.txt: looks like HTML or XML"],
    ["a page further down", "a b\n<p> x\n", "line 2: not a line of an edge list: a tag of HTML or XML"],
    [
      "a list of Python",
      "edges = [(0, 1),\n(1, 2)]\n",
      "line 1: not a line of an edge list: a bracket [ that is not closed",
    ],
    ["tuples", "0 1\n(1, 2) 3\n", "line 2: not a line of an edge list: a bracket ( that is not closed"],
    [
      "words alone",
      "hello\n",
      "no line names two nodes, as those of an edge list do; --format edges reads names alone",
    ],
    ["pairs that nothing separates", "1-2\n2-3\n", "no line names two nodes"],
    [
      "a table of other things",
      "name,age,city\nbob,31,Rome\nann,22,Bern\n",
      "line 2: which columns are the ends of an edge cannot be told, bob and 31 are of two kinds: name them in a first line",
    ],
    [
      "a table of other things without names",
      "O 0 0 1\nH 0 1 1\n",
      "line 1: which columns are the ends of an edge cannot be told, O and 0 are of two kinds",
    ],
    ["an open quote", 'a,b\n"c,d\n', 'line 2: a field begins with " and does not end with it'],
    ["prose", "This is a text.\nIt has words and more words in it.\n", "line 2: "],
    [
      "another number of columns",
      "a b\nb c\nc d e\n",
      "line 3: 3 columns, expected 2 as in the lines before",
    ],
    [
      "another number of columns behind the third",
      "1 2 3 4\n1 2 3\n",
      "line 2: 3 columns, expected 4 as in the lines before",
    ],
    ["another separator", "1,2\n2 3\n3,4\n", "line 2: "],
    ["another separator between words", "a,b\nb c\nc,d\n", "line 2: 1 columns, expected 2"],
    ["a field that is missing", "1,2\n2,,3\n", "line 2: "],
    ["a field that is missing between words", "a,b\n,c\n", "line 2: an end of the edge has no name"],
    [
      "an edge without attributes among those with",
      "1 2 {}\n1 3\n",
      "line 2: 2 columns, expected 3 as in the lines before",
    ],
  ])("%s", async (_, text, sentence) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "bad-data",
      message: expect.stringContaining(sentence),
    });
  });

  it("also far behind the first lines", async () => {
    const numbers = Array.from({ length: 30_000 }, (_, k) => `${k} ${k + 1}`).join("\n");
    const words = Array.from({ length: 30_000 }, (_, k) => `n${k} n${k + 1}`).join("\n");
    await expect(read(`${numbers}\n</body>\n`)).rejects.toThrow(
      "g.txt line 30001: not a node number: got </body>",
    );
    await expect(read(`${words}\n</body> x\n`)).rejects.toThrow(
      "g.txt line 30001: not a line of an edge list: a tag",
    );
    await expect(read(`${words}\na b c\n`)).rejects.toThrow("g.txt line 30001: 3 columns, expected 2");
  });

  it("words alone are nodes where the format is given; columns of two kinds where their names say it", async () => {
    expect((await read("a\nb\n", { format: "edges" })).graphs[0].nodeCount).toBe(2);
    expect(await edges("source,target,since\nbob,31,Rome\n")).toEqual([["bob", "31", 1]]);
    expect(await edges("bob 31 2\nann 22 3\n")).toEqual([
      ["bob", "31", 2],
      ["ann", "22", 3],
    ]);
  });

  it("names with brackets that close are names", async () => {
    expect(await edges("f(int),g[]\nvector<int>,f(int)\n")).toEqual([
      ["f(int)", "g[]", 1],
      ["f(int)", "vector<int>", 1],
    ]);
  });

  it("says which lines between edges it took for comments", async () => {
    expect((await read("a b\n#tag c\nb c\n")).notes).toContain(
      "lines behind the first edge that were taken for comments: 1, the first is line 2",
    );
  });
});

describe("attributes in braces, as networkx writes them", () => {
  it("give the weight; the others are named", async () => {
    const set = await read("1 2 {'weight': 3.0, 'color': 'a, {b', 'weight_2': [1, 2]}\n2 3 {}\n");
    expect([...set.graphs[0].weights!]).toEqual([3, 3, 1, 1]);
    expect(set.notes).toEqual([
      "edge list",
      "the weight in the braces is used",
      "edges without a weight among weighted ones got weight 1: 1",
      "attributes in braces that are not used: color, weight_2",
    ]);
    expect((await read("1 2 {}\n2 3 {}\n")).notes).toEqual(["edge list"]);
    expect((await read("a,b,{'weight': 2, 'x': 1}\nb,c,{'weight': 1, 'x': 0}\n")).nodeIds).toEqual([
      ["a", "b", "c"],
    ]);
  });
});

it("weights are the same beside the ends and in braces, however numbers, blanks and ends of lines are written", async () => {
  const weight = fc.oneof(
    fc.constantFrom("1", "0.5", "2e-3", "1E2", "7.", ".25", "0.1234567890123456789", "12345678901234567890"),
    fc.double({ min: 0, max: 1e9, noNaN: true }).map(String),
  );
  const line = fc.record({
    id: fc.constantFrom("", ".0"),
    weight,
    gap: fc.constantFrom(" ", "  ", "\t"),
    end: fc.constantFrom("\n", "\r\n", " \n"),
    other: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 2, maxLength: 20 }),
      fc.boolean(),
      async (lines, inBraces) => {
        const text = lines.map(({ id, weight, gap, end, other }, k) => {
          const attributes = other ? `{"weight":${weight}}` : `{'weight': ${weight}}`;
          return `${k}${gap}${k + 1}${id}${gap}${inBraces ? attributes : weight}${end}`;
        });
        const expected = lines.map(({ weight }, k) => [k, k + 1, Number(weight)]).filter(([, , w]) => w > 0);
        expect(await edges(text.join(""), { format: "edges" })).toEqual(expected);
      },
    ),
  );
});

describe("an adjacency matrix as text", () => {
  const PATH = [
    [0, 1, 0, 0],
    [1, 0, 1, 0],
    [0, 1, 0, 1],
    [0, 0, 1, 0],
  ];
  const written = (rows: readonly (readonly (string | number)[])[], separator: string) =>
    rows.map((row) => row.join(separator)).join("\n");

  it.each([",", " ", "\t", ";", ", "])("is read with %j between entries", async (separator) => {
    const set = await read(written(PATH, separator));
    expect(set.notes).toEqual(["adjacency matrix of 4 by 4 numbers (--format edges reads an edge list)"]);
    expect(set.graphs[0].nodeCount).toBe(4);
    expect(await edges(written(PATH, separator))).toEqual([
      [0, 1, 1],
      [1, 2, 1],
      [2, 3, 1],
    ]);
  });

  it("may have names in the first line, and in the first column", async () => {
    const names = ["ann", "bob", "cid", "dan"];
    for (const text of [
      written([["", ...names], ...PATH.map((row, k) => [names[k], ...row])], ","),
      written([names, ...PATH.map((row, k) => [names[k], ...row])], " "),
      written([names, ...PATH], ","),
    ]) {
      const set = await read(text);
      expect(set.nodeIds).toEqual([names]);
      expect(set.notes[0]).toContain("adjacency matrix of 4 by 4 numbers, the first line names the nodes");
      expect(set.graphs[0].edgeCount).toBe(3);
    }
  });

  it("of weights or of three nodes is one where it shows it, else three columns are an edge list", async () => {
    expect(await edges("0 1 1\n1 0 0\n1 0 0\n")).toEqual([
      [0, 1, 1],
      [0, 2, 1],
    ]);
    expect(await edges("0 2.5 1\n2.5 0 0\n1 0 0\n")).toEqual([
      [0, 1, 2.5],
      [0, 2, 1],
    ]);
    expect(await edges("1 2 3\n2 3 1\n3 1 2\n")).toEqual([
      [1, 2, 3],
      [1, 3, 2],
      [2, 3, 1],
    ]);
    expect((await read("0 1 1\n1 0 0\n1 0 0\n", { format: "edges" })).notes[0]).toBe("edge list");
    const single = await read("0 0.5\n0.5 0\n", { format: "matrix" });
    expect(single.graphs[0].edgeCount).toBe(1);
    const twoWays = await read("0 1 0\n0 0 1\n1 0 0\n");
    expect(twoWays.notes[1]).toBe(
      "the matrix is not symmetric: edges that stand in one direction only were symmetrised: 3",
    );
  });

  it("larger than the lines that are looked at first is read; one that is cut off or has a hole is refused", async () => {
    const n = 300;
    const rows = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (_, j) => (Math.abs(i - j) === 1 ? 1 : 0)),
    );
    const text = written(rows, ",");
    expect(text.length).toBeGreaterThan(1 << 17);
    const [graph] = (await read(text)).graphs;
    expect([graph.nodeCount, graph.edgeCount]).toEqual([n, n - 1]);
    await expect(read(text.slice(0, text.lastIndexOf("\n")))).rejects.toThrow(
      "g.txt: 299 rows of 300 numbers",
    );
    await expect(read(`${text.slice(0, text.lastIndexOf(","))}`)).rejects.toThrow(
      "g.txt line 300: 299 columns, expected 300",
    );
    await expect(read(`${text.slice(0, text.lastIndexOf(","))},-1`)).rejects.toThrow(
      "g.txt line 300: an entry of an adjacency matrix must be a finite number that is not negative",
    );
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
