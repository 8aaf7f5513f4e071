import { describe, expect, test } from "vitest";
import { linearSignatures } from "../../src/kernel/linear-vectors.js";
import { type OptionSpec, type OptionValue, resolveOptions } from "../../src/kernel/options.js";
import { fitKernel, KERNELS, kernelByName, kernelGram, kernelOptions } from "../../src/kernel/registry.js";
import { context, inputOf, randomGraphs } from "./helpers.js";

/** Values just outside of what an option allows, and of other kinds. */
function refused({ allowed }: OptionSpec): OptionValue[] {
  if (!("from" in allowed)) return ["no such word", 12345, Number.NaN];
  const { from, to, above, integer } = allowed;
  return [
    ...["1", true, Number.NaN, from - 1],
    ...(to < Number.MAX_SAFE_INTEGER ? [to + 1] : []),
    ...(above ? [from] : []),
    ...(integer ? [from + 0.5] : []),
  ];
}

const accepted = ({ allowed }: OptionSpec): readonly OptionValue[] =>
  "from" in allowed ? [allowed.to, ...(allowed.above ? [] : [allowed.from])] : allowed;

describe.each(KERNELS.map((spec) => [spec.name, spec] as const))("options of %s", (name, spec) => {
  test("are taken up to their ends and refused beyond, in a sentence that names them", () => {
    for (const [option, own] of Object.entries(spec.options)) {
      for (const value of accepted(own)) expect(kernelOptions(spec, { [option]: value })[option]).toBe(value);
      for (const value of refused(own))
        expect(() => kernelOptions(spec, { [option]: value }), `${option} = ${value}`).toThrow(
          `${option}: got ${value}, expected `,
        );
    }
    expect(() => kernelOptions(spec, { nothing: 1 })).toThrow(`option of kernel ${name}`);
  });

  test("have defaults that are allowed, and grids of allowed values", () => {
    for (const [option, own] of Object.entries(spec.options))
      for (const value of [own.default, ...(own.grid ?? [])])
        expect(resolveOptions({ [option]: own }, { [option]: value }, "x")).toEqual({ [option]: value });
  });
});

describe("vectors whose inner products are the kernel", () => {
  const made = { count: 3, dimension: 2, values: Float64Array.of(3, 4, 0, 0, 0, -2) };

  test("are compared by angle, as they are, or at unit length with the zero vector far from all", () => {
    expect(linearSignatures(made, "linear")).toMatchObject({ metric: "cosine", ...made });
    expect(linearSignatures(made, "radial-counts")).toMatchObject({ metric: "euclidean", ...made });
    const { metric, dimension, values } = linearSignatures(made, "radial");
    expect([metric, dimension]).toEqual(["euclidean", 3]);
    expect([...values]).toEqual([0.6, 0.8, 0, 0, 0, 1, 0, -1, 0]);
  });
});

test("a kernel refuses another number of distance matrices than it has parts", async () => {
  const fitted = await fitKernel(kernelByName("dos"), await inputOf(randomGraphs(4, 1)), {}, context);
  expect(() => kernelGram(fitted, [])).toThrow("kernel dos: got 0 distance matrices, expected 1");
});
