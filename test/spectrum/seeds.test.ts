import fc from "fast-check";
import { expect, test } from "vitest";
import { seedOfGraph } from "../../src/spectrum/profiles.js";

const LARGEST = 2 ** 53 - 1;

test("two seeds stay two seeds in every graph of a set, and two graphs have two", () => {
  // beyond 2^53 the sum of seed and graph loses its last bit
  expect(seedOfGraph(LARGEST - 2, 1)).not.toBe(seedOfGraph(LARGEST - 3, 1));
  const seed = fc.oneof(
    fc.nat({ max: LARGEST }),
    fc.nat({ max: 50 }).map((k) => LARGEST - k),
  );
  const graph = fc.nat({ max: 2 ** 21 - 1 });
  fc.assert(
    fc.property(seed, seed, graph, graph, (s, t, g, h) => {
      const own = seedOfGraph(s, g);
      expect(Number.isSafeInteger(own) && own >= 0).toBe(true);
      if (s !== t) expect(seedOfGraph(t, g)).not.toBe(own);
      if (g !== h) expect(seedOfGraph(s, h)).not.toBe(own);
    }),
  );
});

test("seeds below 2^32 have the graph in front of them", () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 32 - 1 }), fc.nat({ max: 2 ** 21 - 1 }), (s, g) => {
      expect(BigInt(seedOfGraph(s, g))).toBe(BigInt(s) + (BigInt(g) << 32n));
    }),
  );
});
