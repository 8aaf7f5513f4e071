import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Fuzzer, FuzzLevels } from "./run.js";

/**
 * Inputs (reader, seed, number) that found something, to be read again; they name the same bytes as long as the mutations stay as they are.
 * What earlier mutations found stands in regressions.test.ts, as does the smallest form of these.
 */
const FOUND: [reader: string, seed: number, number: number][] = [
  ["graphml", 7, 8548],
  ["edges", 1, 31562],
];

describe("fuzzed files of every format", () => {
  let fuzzer: Fuzzer;
  beforeAll(async () => {
    fuzzer = await Fuzzer.make(20_261);
  });
  afterAll(() => fuzzer.close());

  it("end in a valid object or in GraphdosError, soon and within little memory", async () => {
    for (let number = 0; number < 23 * 167; number++) await fuzzer.run(number);
    expect(fuzzer.findings).toEqual([]);
    // every format has inputs that are read and, but for the cache, inputs that are refused
    expect(fuzzer.tallies.size).toBe(23);
    for (const [name, { read, refused }] of fuzzer.tallies) {
      expect(read, name).toBeGreaterThan(0);
      if (name !== "cache") expect(refused, name).toBeGreaterThan(0);
    }
  });

  it("stay harmless where one did harm once", async () => {
    for (const [reader, seed, number] of FOUND) {
      const again = fuzzer.withSeed(seed);
      await again.run(number, reader);
      expect([...again.tallies.keys()]).toEqual([reader]);
      expect(again.findings).toEqual([]);
    }
  });

  it("give the same bytes for the same seed and number", () => {
    for (let number = 0; number < 24; number++) {
      expect(fuzzer.input(number)).toEqual(fuzzer.input(number));
      expect(fuzzer.withSeed(5).input(number)).not.toEqual(fuzzer.input(number));
    }
  });
});

describe("what an input takes", () => {
  it("is seen by the measure: memory that was used, and memory that was only asked for", () => {
    // half of it at least: what was set aside before may be collected at any moment
    const used = FuzzLevels.start();
    const bytes = new Uint8Array(256 * 2 ** 20).fill(1);
    expect(bytes[7] + used.mebibytes()).toBeGreaterThan(128);
    const asked = FuzzLevels.start();
    const untouched = new Float64Array(64 * 2 ** 20);
    expect(untouched[5] + asked.mebibytes()).toBeGreaterThan(256);
  });
});
