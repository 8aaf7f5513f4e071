import { describe, expect, it } from "vitest";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import type { Comparison, KernelResult } from "../../src/experiment/evaluation-types.js";
import { affordable, kernelCost, setSize } from "../../src/experiment/kernel-cost.js";
import { recommendKernel } from "../../src/experiment/recommendation.js";
import { buildGraph } from "../../src/graph/build.js";
import { path, rmat } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { KERNELS } from "../../src/kernel/registry.js";

const result = (kernel: string, mean: number) => ({ kernel, accuracy: { mean } }) as KernelResult;
const against = (second: string, difference: number, p: number): Comparison => ({
  ...{ first: "a", second, difference, t: 0, p },
});
const costs = new Map([
  ["a", 100],
  ["b", 10],
  ["c", 90],
]);

describe("the recommended kernel", () => {
  it("is the best where no other is close", () => {
    const found = recommendKernel([result("a", 0.9), result("b", 0.8)], [against("b", 0.1, 0.4)], costs);
    expect(found?.kernel).toBe("a");
    expect(found?.reason).toContain("90.0 %");
  });

  it("is a much cheaper one that is as good", () => {
    const found = recommendKernel([result("a", 0.9), result("b", 0.895)], [against("b", 0.005, 0.4)], costs);
    expect(found?.kernel).toBe("b");
    expect(found?.reason).toMatch(/within a point of a \(90\.0 %, p = 0\.40\) at about 1\/10/);
  });

  it("is not one that is significantly worse, nor one that costs about the same", () => {
    const worse = recommendKernel([result("a", 0.9), result("b", 0.895)], [against("b", 0.005, 0.01)], costs);
    expect(worse?.kernel).toBe("a");
    const dear = recommendKernel([result("a", 0.9), result("c", 0.895)], [against("c", 0.005, 0.4)], costs);
    expect(dear?.kernel).toBe("a");
    expect(recommendKernel([result("a", 0.9)], [], costs)).toBeNull();
  });
});

describe("costs", () => {
  const size = setSize(syntheticDataset("threads"));
  const requests = KERNELS.map(({ name }) => ({ name }));

  it("of fgsd on large graphs are those of its sample: within 3 times what was measured on 18 November 2026", () => {
    const seconds = (graph: Graph, sample: number) =>
      kernelCost(setSize({ graphs: [graph] }), {
        name: "fgsd",
        grid: { distance: ["harmonic"], binWidth: [1e-3], sample: [sample] },
      }).seconds;
    for (const [measured, estimated] of [
      [1.87, seconds(path(20_000), 200)],
      [3.48, seconds(withoutIsolated(rmat({ scale: 16, edges: 160_000, seed: 1 }), 20_000), 10)],
    ]) {
      expect(estimated / measured).toBeGreaterThan(1 / 3);
      expect(estimated / measured).toBeLessThan(3);
    }
  });

  it("are finite and positive for every kernel, and grow with the set", () => {
    const double = Object.fromEntries(Object.entries(size).map(([key, value]) => [key, 2 * value]));
    for (const request of requests) {
      const { seconds, bytes } = kernelCost(size, request);
      expect(seconds).toBeGreaterThan(0);
      expect(kernelCost({ ...size, ...double }, request).seconds).toBeGreaterThan(seconds);
      expect(bytes).toBeGreaterThanOrEqual(8 * size.graphs ** 2);
    }
  });

  it("leave out what is beyond the limit, with a sentence that says what it would cost", () => {
    expect(affordable(size, requests, 1e9).skipped).toEqual([]);
    const { kept, skipped } = affordable(size, requests, 0);
    expect(kept).toEqual([]);
    for (const { reason } of skipped) expect(reason).toMatch(/about .* of processor time/);
    const huge = { ...size, graphs: 100_000 };
    expect(affordable(huge, [{ name: "wl" }], 1e12).skipped[0].reason).toMatch(/GiB of kernel matrices/);
  });
});

/** The first `most` nodes that have edges. */
function withoutIsolated({ nodeCount, offsets, targets }: Graph, most: number): Graph {
  const kept = new Map<number, number>();
  for (let i = 0; i < nodeCount && kept.size < most; i++)
    if (offsets[i + 1] > offsets[i]) kept.set(i, kept.size);
  const [from, to]: [number[], number[]] = [[], []];
  for (const [i, own] of kept)
    for (const j of targets.subarray(offsets[i], offsets[i + 1]))
      if (i < j && kept.has(j)) {
        from.push(own);
        to.push(kept.get(j)!);
      }
  return buildGraph({ nodeCount: kept.size, sources: Uint32Array.from(from), targets: Uint32Array.from(to) })
    .graph;
}
