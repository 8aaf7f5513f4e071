import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NumberTable } from "../../src/baseline/number-table.js";
import { probeRules } from "../../src/baseline/probe-rules.js";
import { complete, erdosRenyi } from "../../src/graph/generators/index.js";
import { lanczosDensity, lanczosIntegral } from "../../src/spectrum/lanczos.js";
import { normalisedAdjacency } from "../../src/spectrum/operator.js";

describe("Gauss rules of many probes", () => {
  it.each([
    [erdosRenyi(60, 0.1, 3), 100],
    [erdosRenyi(700, 0.01, 4), 50],
    [complete(30), 20],
  ] as const)("integrate as the reorthogonalised iteration does", (graph, probes) => {
    const operator = normalisedAdjacency(graph);
    const found = probeRules(operator, probes, 12, 5);
    const plain = lanczosDensity(operator, { probes, steps: 12, seed: 5 });
    for (const f of [(x: number) => Math.exp(x), (x: number) => Math.cos(5 * x), (x: number) => x ** 7]) {
      let sum = 0;
      for (let k = 0; k < found.nodes.length; k++) sum += (found.weights[k] * f(found.nodes[k])) / probes;
      expect(sum).toBeCloseTo(lanczosIntegral(plain, f).value, 8);
    }
  });
});

describe("a table of numbers", () => {
  it("numbers them as a map would", () => {
    const key = fc.oneof(fc.nat({ max: 50 }), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
    fc.assert(
      fc.property(fc.array(key, { maxLength: 3000 }), (keys) => {
        const table = new NumberTable();
        const map = new Map<number, number>();
        for (const k of keys) {
          if (!map.has(k)) map.set(k, map.size);
          expect(table.intern(k)).toBe(map.get(k));
        }
        expect(Array.from(table.list())).toEqual([...map.keys()]);
        expect(NumberTable.from(table.list()).intern(keys[0] ?? 0)).toBe(0);
        expect(table.copy().size).toBe(map.size);
      }),
      { numRuns: 60 },
    );
  });
});
