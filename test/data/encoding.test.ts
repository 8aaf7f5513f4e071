import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { gzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import type { ByteSource } from "../../src/data/bytes.js";
import { bytesSource } from "../../src/data/bytes.js";
import { readAsUtf8 } from "../../src/data/encoding.js";
import { readDataset } from "../../src/data/read.js";
import { openData } from "../../src/node/open.js";
import { refusal } from "./readers-support.js";

const LATIN1 = "the text is not in UTF-8: it was read as Latin-1";
const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const utf16 = (text: string, big: boolean) => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return new Uint8Array(big ? bytes.swap16() : bytes);
};
const withMark = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`));
/** Lines that end with a carriage return alone. */
const returns = (text: string) => new Uint8Array(Buffer.from(text.replaceAll("\n", "\r")));

/** The bytes in chunks of `size`. */
const chunked = (name: string, bytes: Uint8Array, size: number): ByteSource => ({
  name,
  size: bytes.length,
  async *stream(start = 0, end = bytes.length) {
    for (let at = start; at < end; at += size) yield bytes.slice(at, Math.min(end, at + size));
  },
});

const NAMES = ["Müller", "Mäller", "Möller", "Ñandú", "plain"];
const EDGES = NAMES.map((name, k) => `${name} ${NAMES[(k + 1) % NAMES.length]}`).join("\n");

/** The same ring of names in the formats of text, each with a name of its own for every node. */
const FILES: [string, string][] = [
  ["g.txt", EDGES],
  ["g.csv", EDGES.replaceAll(" ", ",").replaceAll("\n", "\r\n")],
  [
    "g.json",
    JSON.stringify({
      nodes: NAMES.map((id) => ({ id })),
      links: NAMES.map((source, k) => ({ source, target: NAMES[(k + 1) % NAMES.length] })),
    }),
  ],
  [
    "g.graphml",
    `<graphml><graph>${NAMES.map((id) => `<node id="${id}"/>`).join("")}${NAMES.map((id, k) => `<edge source="${id}" target="${NAMES[(k + 1) % NAMES.length]}"/>`).join("")}</graph></graphml>`,
  ],
];

describe("the encoding of a text file", () => {
  it.each(FILES)(
    "%s is read in UTF-8, Latin-1 and UTF-16, whatever the borders of chunks",
    async (name, text) => {
      for (const size of [1, 2, 3, 7, 64, 1 << 20])
        for (const [bytes, said] of [
          [new Uint8Array(Buffer.from(text)), false],
          [withMark(text), false],
          [latin1(text), true],
          [utf16(text, false), false],
          [utf16(text, true), false],
        ] as const) {
          const set = await readDataset(chunked(name, bytes, size));
          expect(set.nodeIds).toEqual([NAMES]);
          expect(set.graphs[0].edgeCount).toBe(NAMES.length);
          expect(set.notes.includes(LATIN1)).toBe(said);
        }
    },
  );

  it("turns any text into its UTF-8, as Buffer does, and Latin-1 into the characters of its bytes", async () => {
    const read = (bytes: Uint8Array, size: number, notes: string[]) =>
      readAsUtf8(chunked("x", bytes, size), notes, async (text) => {
        const parts: Uint8Array[] = [];
        for await (const part of text.stream()) parts.push(part.slice());
        return Buffer.concat(parts);
      });
    const size = fc.integer({ min: 1, max: 300 });
    const lines = (text: string) => (/^[^\r\n]*\r(?!\n)/.test(text) ? text.replaceAll("\r", "\n") : text);
    const unit = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      fc.constantFrom("\r", "\n"),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 400 }), size, async (text, chunk) => {
        fc.pre(!text.startsWith("\ufeff"));
        const expected = Buffer.from(lines(text));
        for (const bytes of [Buffer.from(text), withMark(text), utf16(text, false), utf16(text, true)])
          expect(await read(new Uint8Array(bytes), chunk, [])).toEqual(expected);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), size, async (bytes, chunk) => {
        fc.pre(!/^(ÿþ|þÿ|ï»¿)/.test(Buffer.from(bytes).toString("latin1")));
        const notes: string[] = [];
        const got = await read(bytes, chunk, notes);
        // Node's own decoder says what is UTF-8
        const valid = Buffer.from(Buffer.from(bytes).toString("utf8")).equals(bytes);
        expect(notes).toEqual(valid ? [] : [LATIN1]);
        expect(got.toString("utf8")).toBe(lines(Buffer.from(bytes).toString(valid ? "utf8" : "latin1")));
      }),
    );
  });

  it("is found however far behind the start the first odd byte is, also in a packed file on disk", async () => {
    const folder = await mkdtemp(join(tmpdir(), "graphdos-encoding-"));
    try {
      const ring = Array.from({ length: 60_000 }, (_, k) => `node${k} node${k + 1}`).join("\n");
      const bytes = latin1(`${ring}\nMüller Mäller\n`);
      await writeFile(join(folder, "late.txt"), bytes);
      await writeFile(join(folder, "late.txt.gz"), gzipSync(bytes));
      for (const file of ["late.txt", "late.txt.gz"]) {
        const set = await openData(join(folder, file));
        expect((set.nodeIds![0] as string[]).slice(-2)).toEqual(["Müller", "Mäller"]);
        expect(set.notes).toContain(LATIN1);
      }
      expect(readFileSync(join(folder, "late.txt"))).toEqual(Buffer.from(bytes));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ["g.net", '*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n*Edges\n1 2\n2 3\n'],
    ["g.adjlist", "#x\na b\nb c\n"],
    ["g.dot", "graph {\n# c\na -- b\n// d\nb -- c\n}\n"],
    ["g.gdf", "nodedef>name VARCHAR\na\nb\nc\nedgedef>node1 VARCHAR,node2 VARCHAR\na,b\nb,c\n"],
    ["g.lgl", "# a\nb\n# b\nc\n"],
    ["g.txt", "a b\nb c\n"],
    ["g.metis", "3 2\n2\n1 3\n2\n"],
    ["g.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"],
    ["g.s6", ":Bd\n:Bd\n"],
  ])("and lines of old Macs, which end with a carriage return, are read: %s", async (name, text) => {
    const path = [
      [0, 1],
      [1, 2],
    ];
    for (const size of [1, 2, 5, 1 << 20])
      for (const bytes of [returns(text), new Uint8Array(Buffer.from(text.replaceAll("\n", "\r\n")))]) {
        const { graphs } = await readDataset(chunked(name, bytes, size));
        const edges: [number, number][] = [];
        graphs[0].forEachEdge((i, j) => edges.push([i, j]));
        expect(edges).toEqual(path);
      }
  });

  it("may be a declared one in XML; what is not in it is refused", async () => {
    const file = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?><graphml><graph><node id="é"/></graph></graphml>`;
    const ids = async (bytes: Uint8Array) => (await readDataset(bytesSource("x.graphml", bytes))).nodeIds;
    expect(await ids(latin1(file("ISO-8859-1")))).toEqual([["é"]]);
    expect(await ids(utf16(file("UTF-16"), false))).toEqual([["é"]]);
    expect(await ids(latin1(file("UTF-8")))).toEqual([["é"]]);
    expect(await refusal(ids(latin1(file("euc-jp"))))).toContain("what follows is not in euc-jp");
  });

  it("of UTF-16 that is cut off is refused", async () => {
    const bytes = utf16("a b\n", false).subarray(0, 9);
    expect(await refusal(readDataset(bytesSource("x.txt", bytes)))).toBe(
      "x.txt: begins as UTF-16 does and is not: the text is damaged or cut off",
    );
  });
});

describe("the files of a set", () => {
  const TU = {
    T_A: "1, 2\n2, 1\n3, 4\n4, 3\n",
    T_graph_indicator: "1\n1\n2\n2\n",
    T_graph_labels: "Müller\nMäller\n",
    T_node_labels: "0\n1\n1\n0\n",
    T_node_attributes: "0.5\n1\n1\n0\n",
  };
  const tree = (encode: (text: string) => Uint8Array) => ({
    name: "T",
    files: new Map(
      Object.entries(TU).map(([name, text]) => [`T/${name}.txt`, bytesSource(`T/${name}.txt`, encode(text))]),
    ),
  });

  it.each([
    ["a byte order mark", withMark],
    ["UTF-16", (text: string) => utf16(text, true)],
    ["Latin-1", latin1],
    ["lines of old Macs", returns],
  ])("of the TU format are read with %s", async (kind, encode) => {
    const set = await readDataset(tree(encode));
    expect(set.classNames).toEqual(["Mäller", "Müller"]);
    expect([...set.graphs[1].labels!]).toEqual([1, 0]);
    expect(set.notes.filter((note) => note.includes("Latin-1"))).toEqual(
      kind === "Latin-1" ? ["T/T_graph_labels.txt is not in UTF-8: it was read as Latin-1"] : [],
    );
  });

  it.each([
    ["a byte order mark", withMark],
    ["UTF-16", (text: string) => utf16(text, false)],
    ["Latin-1", latin1],
    ["lines of old Macs", returns],
  ])("labels.csv is read with %s", async (kind, encode) => {
    const files = {
      "labels.csv": "file,label\na.txt,Müller\nb.txt,Mäller\n",
      "a.txt": "0 1\n",
      "b.txt": "0 1\n1 2\n",
    };
    const set = await readDataset({
      name: "F",
      files: new Map(Object.entries(files).map(([name, text]) => [name, bytesSource(name, encode(text))])),
    });
    expect(set.classNames).toEqual(["Mäller", "Müller"]);
    expect(set.notes.some((note) => note === `labels.csv: ${LATIN1}`)).toBe(kind === "Latin-1");
  });

  it("targets of karateclub are read with a byte order mark", async () => {
    const files = { "x_edges.json": '{"0":[[0,1]],"1":[[0,1]]}', "x_target.csv": "id,target\n0,1\n1,0\n" };
    const set = await readDataset({
      name: "K",
      files: new Map(Object.entries(files).map(([name, text]) => [name, bytesSource(name, withMark(text))])),
    });
    expect([...set.classes!]).toEqual([1, 0]);
  });
});
