import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesSource } from "../../src/data/bytes.js";
import { matrixMarket } from "../../src/data/matrix-market.js";
import { edgesOf, readAllPrefixes, readText, refusal } from "./readers-support.js";

const read = (text: string) => readText(matrixMarket, text);
const SYMMETRIC = `%%MatrixMarket matrix coordinate real symmetric
% a comment

4 4 3
2 1 0.5
  3 2   1.25e1
% another
4 4 2
`;

test("a symmetric file gives each edge once, a diagonal entry as a self-loop", async () => {
  const { graphs, name, graphNames, notes, cleaning } = await read(SYMMETRIC);
  expect(edgesOf(graphs[0])).toEqual(["0-1:0.5", "1-2:12.5", "3-3:2"]);
  expect([name, graphNames, notes]).toEqual(["x", ["x"], ["Matrix Market, coordinate real symmetric"]]);
  expect(cleaning.selfLoops).toBe(1);
});

test("Windows line ends, capitals, a byte order mark and a missing last line end change nothing", async () => {
  const text = `\ufeff${SYMMETRIC.replace("real symmetric", "Real Symmetric").replaceAll("\n", "\r\n").trimEnd()}`;
  expect(edgesOf((await read(text)).graphs[0])).toEqual(["0-1:0.5", "1-2:12.5", "3-3:2"]);
});

test("a general file is symmetrised and says so", async () => {
  const { graphs, notes } = await read(
    "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 1\n1 3\n",
  );
  expect(edgesOf(graphs[0])).toEqual(["0-1", "0-2"]);
  expect(notes[1]).toBe(
    "the matrix is not symmetric: edges that stand in one direction only were symmetrised: 1",
  );
});

test("a general file that is symmetric needs no such note", async () => {
  const { graphs, notes } = await read(
    "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 7\n2 1 7\n",
  );
  expect(edgesOf(graphs[0])).toEqual(["0-1:7"]);
  expect(notes).toHaveLength(1);
});

test("an edgeless and a one-node matrix are graphs", async () => {
  expect(
    (await read("%%MatrixMarket matrix coordinate pattern symmetric\n5 5 0\n")).graphs[0].nodeCount,
  ).toBe(5);
  const { graphs } = await read("%%MatrixMarket matrix array real general\n1 1\n0\n");
  expect([graphs[0].nodeCount, graphs[0].edgeCount]).toEqual([1, 0]);
});

test("weights that are all 1 are no weights", async () => {
  expect(
    (await read("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1.0\n")).graphs[0].weights,
  ).toBeNull();
});

test("array files list columns, symmetric ones the lower triangle", async () => {
  const general = await read("%%MatrixMarket matrix array real general\n3 3\n0\n2\n0\n2\n0\n3\n0\n3\n1\n");
  const symmetric = await read("%%MatrixMarket matrix array integer symmetric\n3 3\n0 2 0\n0\n3 1\n");
  expect(edgesOf(general.graphs[0])).toEqual(["0-1:2", "1-2:3", "2-2:1"]);
  expect(edgesOf(symmetric.graphs[0])).toEqual(["0-1:2", "1-2:3", "2-2:1"]);
});

const REAL = "%%MatrixMarket matrix coordinate real general\n";
test.each([
  ["", "x.mtx: the file is empty: expected %%MatrixMarket"],
  ["1 2\n", 'x.mtx line 1: not a Matrix Market file: got "1 2", expected %%MatrixMarket'],
  ["%%MatrixMarket vector", "x.mtx line 1: object: got vector, expected matrix"],
  ["%%MatrixMarket matrix", "x.mtx line 1: format: got nothing, expected coordinate or array"],
  [
    "%%MatrixMarket matrix coordinate complex general",
    "x.mtx line 1: field: got complex, expected real or integer or pattern: the weights of a graph are real",
  ],
  [
    "%%MatrixMarket matrix array pattern general",
    "x.mtx line 1: field: got pattern, expected real or integer",
  ],
  [
    "%%MatrixMarket matrix coordinate real skew-symmetric",
    "x.mtx line 1: symmetry: got skew-symmetric, expected general or symmetric: an undirected graph is symmetric; write the absolute values, symmetric",
  ],
  [
    "%%MatrixMarket matrix coordinate real hermitian",
    "x.mtx line 1: symmetry: got hermitian, expected general or symmetric: an undirected graph is symmetric; write the absolute values, symmetric",
  ],
  [REAL, "x.mtx: truncated: there is no size line"],
  [
    `${REAL}3 4 1\n`,
    "x.mtx line 2: the matrix is 3 by 4: expected a square one, the adjacency matrix of a graph",
  ],
  [
    `${REAL}3000000000 3000000000 0\n`,
    "x.mtx line 2: number of nodes: got 3000000000, expected at most 2147483647",
  ],
  [`${REAL}3 3\n`, "x.mtx line 2: size line: got nothing, expected an integer"],
  [`${REAL}3 3 1 9\n`, "x.mtx line 2: size line: got 9 behind it, expected the end of the line"],
  [`${REAL}3 3 2\n1 2 1\n`, "x.mtx: truncated: got 1 entries, expected 2"],
  [`${REAL}3 3 1\n1 2 1\n1 3 1\n`, "x.mtx line 4: more entries than the size line says: expected 1"],
  [`${REAL}3 3 1\n0 2 1\n`, "x.mtx line 3: row: got 0, expected 1 to 3"],
  [`${REAL}3 3 1\n% c\n\n1 4 1\n`, "x.mtx line 5: column: got 4, expected 1 to 3"],
  [`${REAL}3 3 1\n1 two 1\n`, "x.mtx line 3: column: got two, expected an integer"],
  [`${REAL}3 3 1\n1.5 2 1\n`, "x.mtx line 3: row: got 1.5, expected an integer"],
  [`${REAL}3 3 1\n1\n2 1\n`, "x.mtx line 3: column: got nothing, expected an integer"],
  [`${REAL}3 3 1\n1 2\n`, "x.mtx line 3: value: got nothing, expected a number"],
  [`${REAL}3 3 1\n1 2 1x\n`, "x.mtx line 3: value: got 1x, expected a number"],
  [`${REAL}3 3 1\n1 2 nan\n`, "x.mtx line 3: value: got nan, expected a number"],
  [`${REAL}3 3 1\n1 2 -1\n`, "x.mtx line 3: a weight must be finite and not negative: got -1"],
  [`${REAL}3 3 1\n1 2 1e999\n`, "x.mtx line 3: a weight must be finite and not negative: got 1e999"],
  [`${REAL}3 3 1\n1 2 1 5\n`, "x.mtx line 3: entry: got 5 behind it, expected the end of the line"],
  [
    "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 1.5\n",
    "x.mtx line 3: value: got 1.5, expected an integer",
  ],
  ["%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n", "x.mtx: truncated: got 3 entries, expected 4"],
  [
    "%%MatrixMarket matrix array real general\n1 1\n1 1\n",
    "x.mtx line 3: more entries than the size line says: expected 1",
  ],
])("refuses %j", async (text, sentence) => {
  expect(await refusal(read(text))).toBe(sentence);
});

test("every beginning of a file is read or refused", async () => {
  expect(await readAllPrefixes(matrixMarket, SYMMETRIC)).toBeGreaterThan(0);
  await readAllPrefixes(
    matrixMarket,
    "%%MatrixMarket matrix array integer symmetric\r\n3 3\r\n0 2 0\r\n0\n3 1\n",
  );
});

test("random bytes behind a good header are read or refused", async () => {
  const alphabet = fc.constantFrom("1", "2", "3", " ", "\n", "%", "-", ".", "e", "\r", "\t", "x");
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: alphabet, maxLength: 40 }), async (body) => {
      const reading = read(`${REAL}3 3 2\n${body}`);
      await reading.then(
        ({ graphs }) => graphs[0].validate(),
        (error: Error) => expect(error.name).toBe("GraphdosError"),
      );
    }),
    { numRuns: 500 },
  );
});

test("the edges do not depend on where chunks are cut", async () => {
  const bytes = new TextEncoder().encode(SYMMETRIC);
  for (let cut = 1; cut < 20; cut++) {
    const source = {
      ...bytesSource("x.mtx", bytes),
      async *stream() {
        for (let at = 0; at < bytes.length; at += cut)
          yield bytes.subarray(at, Math.min(at + cut, bytes.length));
      },
    };
    expect(edgesOf((await matrixMarket.read(source, {})).graphs[0])).toEqual([
      "0-1:0.5",
      "1-2:12.5",
      "3-3:2",
    ]);
  }
});

test("only the banner is recognised", () => {
  expect(matrixMarket.recognises("%%MatrixMarket matrix")).toBe(true);
  expect(matrixMarket.recognises("% comment\n1 2")).toBe(false);
});
