import { describe, expect, it } from "vitest";
import { inlineExecutor } from "../../src/compute/executor.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { complete, grid, star } from "../../src/graph/generators/index.js";
import { exactProfile, profileMany } from "../../src/spectrum/exact.js";
import { NO_ROW, SpectralProfile } from "../../src/spectrum/profile.js";
import { computeProfiles } from "../../src/spectrum/profiles.js";

const kernels = await loadKernels();

describe("spectral profile", () => {
  it("survives its buffer, at any place in it", () => {
    const graphs = [grid(3, 5), star(4), complete(3)];
    const profiles = profileMany(graphs, { kernels, moments: 12 });
    expect(new Set(profiles.map((p) => p.buffer)).size).toBe(1);
    for (const profile of profiles) {
      const again = SpectralProfile.fromBuffer(structuredClone(profile.buffer), profile.byteOffset);
      expect(again.rows).toEqual(profile.rows);
      expect(again.weights).toEqual(profile.weights);
      expect(again.trace).toEqual(profile.trace);
      expect(again.rowOf).toEqual(profile.rowOf);
      expect(again.estimator).toEqual(profile.estimator);
      expect(profile.copy().buffer.byteLength).toBe(profile.byteLength);
      expect(profile.copy().rows).toEqual(profile.rows);
    }
  });

  it("says how it was computed", () => {
    const { estimator } = exactProfile(star(6), { kernels, selfLoops: true });
    expect(estimator).toEqual({
      name: "exact",
      reason: "2 twin classes, 2 of them in trees",
      detail: { classes: 2, treeNodes: 2, probes: 0, denseOrder: 0, selfLoops: 1 },
    });
  });

  it("without rows has the same trace, to the bit, and no moments of nodes", async () => {
    const graphs = [grid(3, 5), star(4), complete(3)];
    const whole = await computeProfiles(graphs, { moments: 9 }, inlineExecutor());
    const sums = await computeProfiles(graphs, { moments: 9, nodes: false }, inlineExecutor());
    sums.forEach((profile, g) => {
      expect(profile.trace).toEqual(whole[g].trace);
      expect(profile.estimator).toEqual(whole[g].estimator);
      expect(profile.rowCount).toBe(0);
      expect(profile.byteLength).toBeLessThan(whole[g].byteLength);
      expect(() => profile.nodeMoments(0)).toThrow(/node 0 has no moments/);
    });
  });

  it.each(["exact", "probes"] as const)(
    "gives no node's row where it is a trace alone (%s)",
    async (estimator) => {
      const { nodeFeatures } = await import("../../src/signature/node-features.js");
      const { localDensityMap } = await import("../../src/experiment/local-map.js");
      const { channelTraces } = await import("../../src/signature/labelled-traces.js");
      const { nodeSpectrum, returnsAfter } = await import("../../src/experiment/node-spectrum.js");
      const graph = star(4);
      const [sums] = await computeProfiles(
        [graph],
        { moments: 6, estimator, nodes: false },
        inlineExecutor(),
      );
      expect([...sums.rowOf]).toEqual(new Array(5).fill(NO_ROW));
      for (const profile of [sums, sums.copy(), sums.cut(3)]) {
        expect(() => profile.nodeMoments(3)).toThrow(/node 3 has no moments/);
        expect(nodeSpectrum(graph, profile, 3)).toBeNull();
        expect([...returnsAfter(profile, 2)]).toEqual(new Array(5).fill(Number.NaN));
        const refusal = /has sums over its nodes, no moments of single nodes/;
        expect(() => nodeFeatures([profile])).toThrow(refusal);
        expect(() => localDensityMap(profile)).toThrow(refusal);
        const marks = { labels: Int32Array.of(1), means: null, scales: null };
        expect(() => channelTraces([graph], [profile], marks)).toThrow(refusal);
      }
    },
  );

  it("carries standard errors, a note and nodes without rows where an estimator has them", () => {
    const profile = SpectralProfile.allocate({
      nodeCount: 3,
      moments: 4,
      rowCount: 2,
      estimator: {
        name: "sample",
        numbers: [2, 17],
        note: "70,000 classes are too many for exact – sampled",
      },
      rowErrors: true,
      traceErrors: true,
    });
    profile.rowOf.set([1, NO_ROW, 0]);
    profile.rows.fill(0.5);
    profile.weights.set([1, 2]);
    profile.standardError?.rows?.fill(0.25);
    profile.standardError?.trace?.fill(0.125);
    const again = SpectralProfile.fromBuffer(profile.buffer).sumTrace();
    expect(again.standardError?.rows).toEqual(new Float64Array(10).fill(0.25));
    expect(again.standardError?.trace).toEqual(new Float64Array(5).fill(0.125));
    expect(again.estimator.reason).toBe("2 sampled nodes; 70,000 classes are too many for exact – sampled");
    expect(again.estimator.detail.seed).toBe(17);
    expect([...again.trace]).toEqual(new Array(5).fill(1.5));
    expect(() => again.nodeMoments(1)).toThrow(/node 1 has no moments/);
  });

  it("refuses bytes that are not a profile", () => {
    const bytes = new Uint8Array(exactProfile(star(3), { kernels }).copy().buffer as ArrayBuffer);
    expect(() => SpectralProfile.fromBuffer(new ArrayBuffer(8), 0, "cache")).toThrow(/cache: no profile/);
    expect(() => SpectralProfile.fromBuffer(bytes.slice(0, -8).buffer)).toThrow(/wrong size/);
    const at = (byte: number) => {
      const broken = bytes.slice();
      broken[byte] ^= 0x40;
      return () => SpectralProfile.fromBuffer(broken.buffer);
    };
    expect(at(0)).toThrow(/magic/);
    expect(at(4)).toThrow(/version/);
    expect(at(8)).toThrow(/flags/);
    expect(at(12)).toThrow(/wrong size/);
    expect(at(16)).toThrow(/wrong size/);
    expect(at(24)).toThrow(/estimator/);
  });
});
