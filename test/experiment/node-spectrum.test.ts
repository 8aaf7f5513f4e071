import { describe, expect, it } from "vitest";
import { loadKernels } from "../../src/compute/wasm.js";
import { eigenvalueWeights, nodeSpectrum, returnsAfter } from "../../src/experiment/node-spectrum.js";
import { barabasiAlbert, complete, star } from "../../src/graph/generators/index.js";
import { symmetricEigen } from "../../src/spectrum/dense-eigen.js";
import { exactProfile } from "../../src/spectrum/exact.js";
import { denseNormalised } from "../../src/spectrum/operator.js";

const kernels = await loadKernels();
const profileOf = (graph: Parameters<typeof exactProfile>[0], moments = 30) =>
  exactProfile(graph, { moments, kernels });

describe("the spectrum of a node", () => {
  it("of a leaf of a star: 0 but for its share of the two ends", () => {
    const graph = star(5);
    const leaf = Array.from({ length: 6 }, (_, i) => i).find((i) => graph.neighbourCount(i) === 1)!;
    const { atoms, density, returns } = nodeSpectrum(graph, profileOf(graph), leaf)!;
    // eigenvectors at ±1 give a leaf 1/10 each, four of five leaves' worth of 0 is left
    expect(atoms.map(({ at }) => at)).toEqual([-1, 0, 1]);
    expect(atoms.map(({ mass }) => mass)).toEqual([0.1, 0.8, 0.1].map((mass) => expect.closeTo(mass, 12)));
    expect(density.every((value) => Math.abs(value) < 1e-9)).toBe(true);
    expect(Array.from(returns.slice(0, 5))).toEqual([1, 0, 0.2, 0, 0.2].map((p) => expect.closeTo(p, 12)));
  });

  it("holds mass 1, atoms and density together", () => {
    const graph = barabasiAlbert(80, 2, 4);
    const profile = profileOf(graph);
    for (const filter of ["all", "paper", "none"] as const)
      for (let i = 0; i < graph.nodeCount; i += 7) {
        const { atoms, density } = nodeSpectrum(graph, profile, i, { filter, bins: 50 })!;
        const mass =
          density.reduce((sum, value) => sum + value / 25, 0) + atoms.reduce((sum, a) => sum + a.mass, 0);
        expect(mass).toBeCloseTo(1, 10);
      }
    expect(() => nodeSpectrum(graph, profile, 80)).toThrow("expected 0 to 79");
  });

  it("return probabilities are the diagonals of powers", () => {
    const graph = barabasiAlbert(40, 2, 1);
    const values = returnsAfter(profileOf(graph), 6);
    const { values: eigenvalues, vectors } = symmetricEigen(denseNormalised(graph), 40);
    for (let i = 0; i < 40; i++) {
      let sum = 0;
      for (let k = 0; k < 40; k++) sum += eigenvalues[k] ** 6 * vectors[k * 40 + i] ** 2;
      expect(values[i]).toBeCloseTo(sum, 10);
    }
  });

  it("the spike at 0 is carried by the dangling twins, that of a clique by its members", () => {
    const tree = star(5);
    const zero = eigenvalueWeights(tree, profileOf(tree), 0);
    expect(zero.known).toBe(true);
    zero.values.forEach((value, i) => {
      expect(value).toBeCloseTo(tree.neighbourCount(i) === 1 ? 0.8 : 0, 12);
    });
    const clique = complete(5);
    const spike = eigenvalueWeights(clique, profileOf(clique), -1 / 4);
    expect(Array.from(spike.values)).toEqual(Array.from({ length: 5 }, () => expect.closeTo(0.8, 12)));
    expect(eigenvalueWeights(clique, profileOf(clique), 0.3).known).toBe(false);
    expect(() => eigenvalueWeights(clique, profileOf(clique), 2)).toThrow("expected -1 to 1");
  });
});

describe("a profile cut short", () => {
  it("is the profile of fewer moments", () => {
    const graph = barabasiAlbert(60, 2, 2);
    const [long, short] = [profileOf(graph, 40), profileOf(graph, 12)];
    const cut = long.cut(12);
    expect(cut.estimator).toEqual(long.estimator);
    for (const part of ["rows", "weights", "trace", "rowOf"] as const)
      expect(Array.from(cut[part])).toEqual(Array.from(short[part], (value) => expect.closeTo(value, 12)));
    expect(() => long.cut(41)).toThrow("expected 0 to 40");
  });
});
