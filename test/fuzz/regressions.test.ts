/** What fuzzing found, each as the smallest input that shows it. */
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { crc32 } from "../../src/base/crc32.js";
import { memoryStore } from "../../src/compute/store.js";
import { bytesSource, textSource } from "../../src/data/bytes.js";
import { readCsv } from "../../src/data/csv.js";
import { isNumber } from "../../src/data/edge-layout.js";
import { graphml } from "../../src/data/graphml.js";
import { compactIds } from "../../src/data/ids.js";
import { json } from "../../src/data/json.js";
import { matrixMarket } from "../../src/data/matrix-market.js";
import { readDataset } from "../../src/data/read.js";
import { xmlNumber } from "../../src/data/xml.js";
import { StageCache } from "../../src/experiment/stage-cache.js";
import { packState, type State, signaturesFromState, unpackState } from "../../src/kernel/state.js";
import { fitModel } from "../../src/model/model.js";
import { loadModel, saveModel } from "../../src/model/model-file.js";
import { SpectralProfile } from "../../src/spectrum/profile.js";
import { readText, refusal, treeOf } from "../data/readers-support.js";
import { executor, fewGraphs } from "./valid-files.js";

// Of a length at which the quadratic time that they once took is hours: the limit on a test's time is what fails then.
describe("text that made a reader slow", () => {
  it("a long row of digits that is no number is seen in one pass", async () => {
    expect(xmlNumber(`${"1".repeat(5_000_000)}x`)).toBeUndefined();
    for (const [text, value] of [
      ["12", 12],
      ["1.", 1],
      [".5", 0.5],
      ["-1.5e3", -1500],
      ["1.5.", undefined],
    ] as const)
      expect(xmlNumber(text)).toBe(value);
    expect(isNumber(`${"1".repeat(5_000_000)}x`)).toBe(false);
    for (const text of ["12", "1.", ".5", "-1.5e3"]) expect(isNumber(text)).toBe(true);
  });

  it("no id at all sets nothing aside", () => {
    const none = new Uint32Array(0);
    const before = process.memoryUsage().arrayBuffers;
    expect(compactIds(none, none, [])).toEqual({ nodeCount: 0, nodeIds: null });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
  });

  it("a field full of quotes is read in one pass", async () => {
    const field = `a${'"'.repeat(5_000_000)}`;
    const rows: string[][] = [];
    for (const { fields } of await readCsv(textSource("x.csv", `${field},b\n "q" ,c`), [])) rows.push(fields);
    expect(rows).toEqual([
      [field, "b"],
      ["q", "c"],
    ]);
  });
});

describe("a few bytes that asked for gigabytes", () => {
  it("a Matrix Market size line without entries to match is refused", async () => {
    const banner = "%%MatrixMarket matrix coordinate pattern symmetric\n";
    await expect(readText(matrixMarket, `${banner}2147483647 2147483647 1\n2 1\n`)).rejects.toThrow(
      /x\.mtx: 2147483647 nodes with 1 entries: .*expected at most 16777216 nodes, or 64 an entry/,
    );
    const { graphs } = await readText(matrixMarket, `${banner}1000000 1000000 1\n2 1\n`);
    expect(graphs[0].nodeCount).toBe(1_000_000);
  });

  it("a zip entry that names a size which its packed bytes cannot have is refused before anything is set aside", async () => {
    const files = { "T_A.txt": strToU8("1 2\n"), "T_graph_indicator.txt": strToU8("1\n1\n") };
    for (const level of [0, 6] as const) {
      const bytes = zipSync(files, { level });
      const view = new DataView(bytes.buffer);
      for (let at = 0; at + 4 < bytes.length; at++)
        if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 0x7fffffff, true);
      expect(await refusal(readDataset(bytesSource("x.zip", bytes)))).toMatch(
        /x\.zip: the zip file is damaged or cut off: T_A\.txt cannot unpack from \d+ to 2147483647 bytes/,
      );
    }
  });
});

describe("numbers beyond all bounds", () => {
  it("a target is finite, in JSON and in TU files", async () => {
    expect(await refusal(readText(json, '{"nodes":[1],"links":[],"value":1e999}'))).toBe(
      "x.json: graph 0: the number to predict: got Infinity, expected a finite one",
    );
    const tree = treeOf("T", {
      "T_A.txt": "1 1\n",
      "T_graph_indicator.txt": "1\n",
      "T_graph_attributes.txt": "1e999\n",
    });
    expect(await refusal(readDataset(tree))).toBe(
      "T_graph_attributes.txt entry 1: got Infinity, expected a finite number",
    );
  });

  it("the id of a node is finite", async () => {
    expect(await refusal(readText(json, '{"nodes":[{"id":1e999}],"links":[]}'))).toBe(
      "x.json: nodes[0].id: got Infinity, expected a word or a number",
    );
  });
});

describe("files that crashed a reader", () => {
  it("edge list: attributes in braces are one field, whatever separators are in them, from the first line on", async () => {
    const read = (text: string) => readDataset(textSource("x.txt", text));
    expect(await refusal(read("a b {'weigh {};\nc d {'weight': 2}\n"))).toBe(
      `x.txt line 1: not a line of an edge list: attributes that do not end with } in "{'weigh {};", expected "u v" or "u v weight"`,
    );
    // two attributes, as networkx writes them, were refused in the first line
    for (const text of [
      "a b {'x': 1, 'weight': 4}\nb c {'x': 'y;z'}\n",
      "1 2 {'x': 1, 'weight': 4}\n2 3 {}\n",
    ]) {
      const [graph] = (await read(text)).graphs;
      expect([...graph.weights!]).toEqual([4, 4, 1, 1]);
    }
    expect((await read("1 {'x': 1}\n2 3 {'weight': 2}\n")).graphs[0].nodeCount).toBe(3);
    expect(await refusal(read("a b {}\n{'x': 1}\n"))).toBe(
      `x.txt line 2: attributes without a node: got "{'x': 1}", expected "u v {...}"`,
    );
  });

  it("GraphML: data of an edge that is in no graph is passed over", async () => {
    const text = `<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/><edge source="a" target="b"><data key="w">1</data></edge><graph><node id="a"/></graph></graphml>`;
    expect((await readText(graphml, text)).graphs[0].nodeCount).toBe(1);
  });

  it("JSON nested deeply is refused for what it is, not for memory", async () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    expect(await refusal(readText(json, `{"nodes":${deep},"links":[]}`))).toMatch(
      /^x\.json: nodes\[0\]\.id: got \[{40}…, expected a word or a number$/,
    );
    expect(await refusal(readText(json, `{"nodes":{"a":${deep}},"links":[]}`))).toMatch(
      /^x\.json: nodes: got \{"a":\[{35}…, expected a list$/,
    );
  });
});

describe("an entry of the cache that is not what was put there", () => {
  const distances = {
    ...{
      rows: 2,
      columns: 2,
      values: Float64Array.of(0, 1, 1, 0),
      mostNegative: 0,
      errorBound: 0,
      notes: [],
    },
  };
  const stored = (text: string, body: Uint8Array = new Uint8Array(0)) => {
    const json = strToU8(text);
    const out = new Uint8Array(4 + json.length + body.length);
    new DataView(out.buffer).setUint32(0, json.length, true);
    out.set(json, 4);
    out.set(body, 4 + json.length);
    return out;
  };
  const about = '{"rows":2,"columns":2,"mostNegative":0,"errorBound":0,"notes":[],"single":false}';
  const three = (x: number) => new Uint8Array(Float64Array.of(0, x, 0).buffer);

  it.each([
    ["too short", new Uint8Array(2)],
    ["not JSON", stored("{")],
    ["of another shape", stored('{"rows":2}')],
    ["of another size", stored(about, three(1).slice(8))],
    ["cut within a number", stored(about, three(1).slice(1))],
    ["with a number that is none", stored(about, three(Number.NaN))],
    ["with more rows than bytes", stored(about.replaceAll("2", "4000000000"), three(1))],
  ])("is computed anew: %s", async (_, bytes) => {
    const store = { get: async () => bytes, put: async () => undefined };
    const cache = new StageCache(store, "hash");
    expect(await cache.distances({}, false, async () => distances)).toBe(distances);
    const profile = SpectralProfile.allocate({
      ...{ nodeCount: 1, moments: 1, rowCount: 1, estimator: { name: "exact", numbers: [], note: "" } },
    });
    expect(await cache.profiles({}, async () => [profile])).toEqual([profile]);
  });

  it("and what was put there is read", async () => {
    const cache = new StageCache(memoryStore(), "hash");
    await cache.distances({}, false, async () => distances);
    const again = await cache.distances({}, false, async () => Promise.reject(new Error("computed anew")));
    expect(again).toEqual(distances);
  });
});

describe("a model file with a right checksum and wrong contents", () => {
  /** The states of a model changed, everything around them made right again. */
  function withState(bytes: Uint8Array, which: number, change: (state: State) => void): Uint8Array {
    const view = new DataView(bytes.buffer);
    const textBytes = view.getUint32(24, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(28, 28 + textBytes))) as {
      states: number[];
    };
    const align8 = (n: number) => Math.ceil(n / 8) * 8;
    let at = 24 + align8(4 + textBytes);
    for (let k = 0; k < which; k++) at += align8(header.states[k]);
    const state = unpackState(bytes.slice(at, at + header.states[which]).buffer);
    change(state);
    const packed = new Uint8Array(packState(state));
    const after = at + align8(header.states[which]);
    header.states[which] = packed.length;
    const text = strToU8(JSON.stringify(header));
    const start = 24 + align8(4 + textBytes);
    const body = 24 + align8(4 + text.length);
    const out = new Uint8Array(body + (at - start) + align8(packed.length) + bytes.length - after);
    out.set(bytes.subarray(0, 24));
    const head = new DataView(out.buffer);
    head.setUint32(24, text.length, true);
    out.set(text, 28);
    out.set(bytes.subarray(start, at), body);
    out.set(packed, body + at - start);
    out.set(bytes.subarray(after), body + at - start + align8(packed.length));
    head.setFloat64(16, out.length, true);
    head.setUint32(12, crc32(out.subarray(24)), true);
    return out;
  }

  const model = async (name: string, options = {}) =>
    saveModel(
      await fitModel(fewGraphs(12), {
        ...{ kernel: { name, options, grid: {} }, profile: { moments: 6 }, Cs: [1], folds: 2, executor },
      }),
    );

  it("is refused: patterns that begin beyond their words, which kept a loop busy for minutes", async () => {
    const bytes = await model("wl", { iterations: 1 });
    const wrong = withState(bytes, 0, ({ arrays }) => {
      arrays.starts[1] = 4294967295;
    });
    const { predictGraphs } = await import("../../src/model/model.js");
    const predicting = async () => predictGraphs(loadModel(wrong), fewGraphs(4), { executor });
    expect(await refusal(predicting())).toMatch(
      /kernel state: damaged: starts\[2\]: got \d+, expected at least/,
    );
  });

  it("is refused: supports whose numbers do not fit together, are missing or not finite", async () => {
    const bytes = await model("dos");
    const load = (change: (state: State) => void) => async () => loadModel(withState(bytes, 1, change));
    expect(await refusal(load(({ arrays }) => void delete arrays.values)())).toMatch(/values: got nothing/);
    expect(
      await refusal(
        load(({ arrays }) => {
          arrays.values[0] = Number.NaN;
        })(),
      ),
    ).toMatch(/values\[0\]: got NaN, expected a finite number/);
    expect(
      await refusal(
        load(({ values }) => {
          values.count = 1e9;
        })(),
      ),
    ).toMatch(/values: got \d+ numbers, expected/);
  });

  it("is refused: ids of patterns beyond those that are known", () => {
    const state = (id: number): State => ({
      values: { kind: "counts", count: 1, compare: "product", form: "linear", known: 4 },
      arrays: {
        squares: Float64Array.of(1),
        offsets: Uint32Array.of(0, 1),
        ids: Uint32Array.of(id),
        counts: Float64Array.of(1),
      },
    });
    expect(signaturesFromState(state(3)).count).toBe(1);
    expect(() => signaturesFromState(state(4))).toThrow(/ids\[0\]: got 4, expected at most 3/);
    expect(() =>
      signaturesFromState({ ...state(3), values: { ...state(3).values, known: 1e9 } }, 4096),
    ).toThrow(/known: got 1000000000/);
  });
});
