/**
 * The same results in this Node by threads, by plain TypeScript and in Chromium, byte by byte, on small sets. scripts/same-numbers.ts does
 * the same with larger sets and more versions of Node; with GRAPHDOS_OTHER_NODES, a list of programs, they are compared here too.
 */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareEncoded, type EncodedResults } from "../same/encoding.js";
import { NodeRuns, resultsInChromium } from "../same/environments.js";

const others = (process.env.GRAPHDOS_OTHER_NODES ?? "").split(":").filter((program) => program !== "");
const chromium = "/usr/bin/chromium";

describe("results are the same to the bit", { timeout: 600_000 }, () => {
  let reference: EncodedResults;
  let node: NodeRuns;
  beforeAll(async () => {
    node = await NodeRuns.make();
    reference = await node.results({ workers: 0, quick: true });
  }, 600_000);
  afterAll(() => node.remove());

  function expectSame(results: EncodedResults) {
    const names = Object.keys(reference);
    expect(names.length).toBeGreaterThan(80);
    const differing = names
      .map((name) => `${name}: ${compareEncoded(reference[name], results[name])}`)
      .filter((line) => !line.endsWith(": ="));
    expect(differing).toEqual([]);
  }

  it("with worker threads", async () => {
    expectSame(await node.results({ workers: 3, quick: true }));
  });

  it("without WASM", async () => {
    expectSame(await node.results({ workers: 0, quick: true, plain: true }));
  });

  it.skipIf(!existsSync(chromium))("in Chromium, with web workers", async () => {
    const [results] = await resultsInChromium([2], true, chromium);
    expectSame(results);
  });

  for (const program of others)
    it(`by ${program}`, async () => {
      expectSame(await node.results({ program, workers: 0, quick: true }));
    });
});

describe("the comparison", () => {
  it("sees a single bit, a missing result and another length", () => {
    const encode = (...numbers: number[]) =>
      Buffer.from(Float64Array.from(numbers).buffer).toString("base64");
    expect(compareEncoded(encode(1, 2), encode(1, 2))).toBe("=");
    expect(compareEncoded(encode(1, 2), encode(1, 2 + 2 ** -51))).toBe("1 of 2, 2.2e-16");
    expect(compareEncoded(encode(0), encode(-0))).toBe("1 of 1, 0.0e+0");
    expect(compareEncoded(encode(1), encode(1, 2))).toBe("1 ≠ 2 numbers");
    expect(compareEncoded(encode(1), undefined)).toBe("missing");
  });
});
