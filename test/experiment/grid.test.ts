import { describe, expect, it } from "vitest";
import { kernelGrid } from "../../src/experiment/grid.js";
import { path, star } from "../../src/graph/generators/index.js";
import { kernelByName } from "../../src/kernel/registry.js";
import { context } from "../kernel/helpers.js";

const fgsd = kernelByName("fgsd");

describe("grid of a kernel", () => {
  it("has the form of FGSD among what is chosen, a linear form once and a radial one with both exponents", () => {
    const points = kernelGrid(fgsd, { name: "fgsd" });
    expect(points.length).toBe(2 * 3 * (1 + 2 + 2));
    const of = (form: string) => points.filter(({ label }) => label.form === form);
    expect(of("linear").every(({ label }) => !("exponent" in label))).toBe(true);
    expect(new Set(of("radial").map(({ label }) => label.exponent))).toEqual(new Set([1, 2]));
    expect(new Set(points.map(({ label }) => JSON.stringify(label))).size).toBe(points.length);
  });

  it("does not search what is fixed", () => {
    const points = kernelGrid(fgsd, { name: "fgsd", options: { form: "linear", binWidth: 0.01 } });
    expect(points.map(({ label }) => label)).toEqual([{ distance: "harmonic" }, { distance: "biharmonic" }]);
  });

  it("counts once for all forms, and anew for another setting", async () => {
    const input = { graphs: [path(4), star(3)], memo: new Map() };
    const features = async (options: object) => {
      const all = {
        ...Object.fromEntries(Object.entries(fgsd.options).map(([k, v]) => [k, v.default])),
        ...options,
      };
      const { signatures } = await fgsd.parts[0].fit(input, all, context);
      return signatures.kind === "counts" ? signatures.features : null;
    };
    const linear = await features({ form: "linear" });
    expect(await features({ form: "radial", exponent: 1 })).toBe(linear);
    const wide = await features({ binWidth: 0.5 });
    expect(wide).not.toBe(linear);
    expect(await features({ binWidth: 0.5, form: "linear" })).toBe(wide);
    expect(input.memo.size).toBe(1);
  });
});
