import { describe, expect, it } from "vitest";
import { philox, Random, unitSeed } from "../../src/base/random.js";

/** Known-answer vectors of the Random123 library (kat_vectors, philox4x32 10). */
const KNOWN: [counter: number[], key: number[], out: number[]][] = [
  [
    [0, 0, 0, 0],
    [0, 0],
    [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
  ],
  [
    [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    [0xffffffff, 0xffffffff],
    [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  ],
  [
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    [0xa4093822, 0x299f31d0],
    [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  ],
];

describe("Philox4x32-10", () => {
  it.each(KNOWN)("gives the published block for counter %j and key %j", (c, k, expected) => {
    const out = new Uint32Array(4);
    philox(c[0], c[1], c[2], c[3], k[0], k[1], out);
    expect([...out]).toEqual(expected);
  });
});

describe("Random", () => {
  it("repeats itself for the same seed and stream, and differs for others", () => {
    const draw = (seed: number, a: number, b: number) => {
      const random = new Random(seed, a, b);
      return Array.from({ length: 9 }, () => random.uint32());
    };
    expect(draw(7, 1, 2)).toEqual(draw(7, 1, 2));
    const all = [draw(7, 1, 2), draw(8, 1, 2), draw(7, 2, 1), draw(7, 1, 3), draw(7 + 2 ** 32, 1, 2)];
    expect(new Set(all.map(String)).size).toBe(all.length);
  });

  it("has the mean and variance of its distributions within five standard errors", () => {
    const random = new Random(3);
    const n = 100_000;
    let [u, u2, z, z2] = [0, 0, 0, 0];
    for (let k = 0; k < n; k++) {
      const x = random.uniform();
      const y = random.normal();
      u += x;
      u2 += x * x;
      z += y;
      z2 += y * y;
    }
    expect(Math.abs(u / n - 1 / 2)).toBeLessThan(5 * Math.sqrt(1 / 12 / n));
    expect(Math.abs(u2 / n - 1 / 3)).toBeLessThan(5 * Math.sqrt(4 / 45 / n));
    expect(Math.abs(z / n)).toBeLessThan(5 / Math.sqrt(n));
    expect(Math.abs(z2 / n - 1)).toBeLessThan(5 * Math.sqrt(2 / n));
  });

  it("draws every integer below a bound that divides no power of two equally often", () => {
    const counts = new Float64Array(7);
    const random = new Random(11);
    for (let k = 0; k < 70_000; k++) counts[random.integer(7)]++;
    const chiSquare = counts.reduce((sum, c) => sum + (c - 10_000) ** 2 / 10_000, 0);
    expect(chiSquare).toBeLessThan(22.5); // 99.9 % quantile at 6 degrees of freedom
  });

  it("shuffles into a permutation", () => {
    const items = new Random(5).shuffle(Array.from({ length: 100 }, (_, i) => i));
    expect(items).not.toEqual([...items].sort((a, b) => a - b));
    expect([...items].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });
});

describe("unitSeed", () => {
  it("is the plain sum where doubles hold it", () => {
    expect(unitSeed(7, 3, { step: 2 ** 32 })).toBe(7 + 3 * 2 ** 32);
    expect(unitSeed(7, 3, { factor: 1_000_003 })).toBe(7_000_024);
  });
  it("differs between units and between seeds where the sum passes 2^53", () => {
    const most = Number.MAX_SAFE_INTEGER;
    for (const options of [{ step: 2 ** 32 }, { factor: 1_000_003 }]) {
      const seeds = [most, most - 1, most - 2].flatMap((seed) =>
        Array.from({ length: 100 }, (_, unit) => unitSeed(seed, unit, options)),
      );
      expect(new Set(seeds).size).toBe(300);
      expect(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)).toBe(true);
    }
  });
});
