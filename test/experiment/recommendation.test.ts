import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import type { Comparison, KernelResult } from "../../src/experiment/evaluation-types.js";
import { affordable, kernelCost, setSize } from "../../src/experiment/kernel-cost.js";
import { compareWithBest, recommendKernel } from "../../src/experiment/recommendation.js";
import { buildGraph } from "../../src/graph/build.js";
import { path, rmat } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { KERNELS } from "../../src/kernel/registry.js";

/** Of which `seconds` were measured. */
const result = (kernel: string, mean: number, seconds = 100, perFold: number[] = []) =>
  ({
    kernel,
    accuracy: { mean, perFold },
    seconds: { profile: 0, signature: 0.75 * seconds, gram: 0, svm: 0.25 * seconds },
  }) as KernelResult;
const against = (second: string, difference: number, pHolm: number): Comparison => ({
  ...{ first: "a", second, difference, t: 0, p: 0.001, pHolm },
});

describe("the recommended kernel", () => {
  it("is the most accurate where all others are significantly worse", () => {
    const found = recommendKernel([result("a", 0.9), result("b", 0.8, 1)], [against("b", 0.1, 0.01)])!;
    expect(found).toMatchObject({ kernel: "a", notDistinguishable: [] });
    expect(found.reason).toBe("90.0 %, the most accurate; the other is significantly worse");
  });

  it("is a much cheaper one, by measured time, that is not distinguishable from the most accurate", () => {
    const comparisons = [against("b", 0.005, 0.4)];
    const found = recommendKernel([result("a", 0.9), result("b", 0.895, 10)], comparisons)!;
    expect(found).toMatchObject({ kernel: "b", notDistinguishable: ["b"] });
    expect(found.reason).toBe(
      "89.5 %, not distinguishable from a (90.0 %, the most accurate; p = 0.40) at about 1/10 of its measured time",
    );
    expect(recommendKernel([result("a", 0.9, 30), result("b", 0.895, 11)], comparisons)?.kernel).toBe("a");
  });

  it("is not one that is significantly worse, nor one that took about as long, nor one further than a point away", () => {
    const alone = recommendKernel([result("a", 0.9), result("b", 0.895, 10)], [against("b", 0.005, 0.01)])!;
    expect(alone.kernel).toBe("a");
    const dear = recommendKernel([result("a", 0.9), result("c", 0.895, 90)], [against("c", 0.005, 0.4)])!;
    expect(dear.kernel).toBe("a");
    expect(dear.reason).toBe(
      "90.0 %, the most accurate, but not distinguishable from c; none of these within a point of it took a third of its measured time or less",
    );
    const far = recommendKernel([result("a", 0.9), result("b", 0.85, 1)], [against("b", 0.05, 0.4)])!;
    expect(far).toMatchObject({ kernel: "a", notDistinguishable: ["b"] });
    expect(far.reason).toMatch(/not distinguishable from b; none of these comes within a point of it$/);
    expect(recommendKernel([result("a", 0.9)], [])).toBeNull();
  });

  it("comes with a warning: the highest of several accuracies is optimistic", () => {
    const found = recommendKernel([result("a", 0.9), result("b", 0.895, 10)], [against("b", 0.005, 0.4)])!;
    expect(found.caution).toMatch(/^90\.0 % of a is optimistic: the highest of 2 accuracies/);
  });
});

describe("the best kernel against the others", () => {
  const named = (accuracies: number[][]) =>
    accuracies.map((perFold, k) =>
      result(`k${k}`, perFold.reduce((sum, x) => sum + x, 0) / perFold.length, 1, perFold),
    );

  it("is compared with each, whatever its place, by t tests with Holm's correction for all pairs", () => {
    const [worst, close, ...more] = compareWithBest(
      named([
        [0.8, 0.7, 0.9, 0.8, 0.7, 0.8, 0.9, 0.6, 0.8, 0.7],
        [0.9, 0.9, 0.9, 1.0, 0.9, 0.8, 1.0, 0.9, 0.9, 0.9],
        [0.9, 0.8, 1.0, 0.9, 0.9, 0.8, 0.9, 0.8, 0.9, 0.9],
      ]),
      { folds: 10 },
    );
    expect(more).toEqual([]);
    // scipy.stats.t with the variance of Nadeau and Bengio; the third pair has p = 0.010084229798507736, which comes first: times 3
    expect(worst).toMatchObject({ first: "k1", second: "k0" });
    expect(worst.difference).toBeCloseTo(0.14, 12);
    expect(worst.t).toBeCloseTo(3.153944898227081, 10);
    expect(worst.p).toBeCloseTo(0.011663277306555083, 10);
    expect(worst.pHolm).toBeCloseTo(3 * 0.010084229798507736, 10);
    expect(close).toMatchObject({ first: "k1", second: "k2" });
    expect(close.p).toBeCloseTo(0.3586313643065173, 10);
    expect(close.pHolm).toBe(close.p);
  });

  it("is called better in no more than one run of twenty where all kernels are equally good", () => {
    // Accuracies as the test takes them to be: folds vary by σ, and what they share by σ/√(folds − 1).
    const [runs, kernels, folds] = [1000, 8, 10];
    const random = new Random(3);
    let found = 0;
    for (let run = 0; run < runs; run++) {
      const accuracies = Array.from({ length: kernels }, () => {
        const common = random.normal() / Math.sqrt(folds - 1);
        return Array.from({ length: folds }, () => 0.8 + 0.02 * (common + random.normal()));
      });
      if (compareWithBest(named(accuracies), { folds }).some(({ pHolm }) => pHolm < 0.05)) found++;
    }
    // 50 expected at most, four standard deviations above; with a correction for the pairs of the best alone there are more
    expect(found).toBeLessThan(50 + 4 * Math.sqrt(50));
    expect(found).toBeGreaterThan(0);
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
