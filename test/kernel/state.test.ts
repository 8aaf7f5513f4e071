import { describe, expect, test } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { fitKernel, KERNELS, partOptions } from "../../src/kernel/registry.js";
import { crossDistances } from "../../src/kernel/signatures.js";
import { packState, signaturesFromState, signaturesState, unpackState } from "../../src/kernel/state.js";
import { context, executor, inputOf, randomGraphs } from "./helpers.js";

const [trained, unseen] = [await inputOf(randomGraphs(8, 60)), await inputOf(randomGraphs(3, 90))];

describe.each(KERNELS.map((spec) => [spec.name, spec] as const))("%s", (_name, spec) => {
  test("embeds unseen graphs with the same bits after a trip through bytes", async () => {
    const kernel = await fitKernel(spec, trained, "walks" in spec.options ? { walks: 10 } : {}, context);
    for (let k = 0; k < kernel.parts.length; k++) {
      const part = kernel.parts[k];
      const state = unpackState(packState(part.state()));
      const restored = spec.parts[k].restore(state, partOptions(spec, k, kernel.options));
      const kept = signaturesFromState(unpackState(packState(signaturesState(part.signatures))));
      const before = await crossDistances(await part.embed(unseen, context), part.signatures, { executor });
      const after = await crossDistances(await restored.embed(unseen, context), kept, { executor });
      expect(after).toEqual(before);
    }
  });
});

test("bytes that are not a state are refused with a reason", () => {
  const bytes = packState({ values: { a: 1 }, arrays: { x: Float64Array.of(1, 2, 3) } });
  expect(unpackState(bytes).arrays.x).toEqual(Float64Array.of(1, 2, 3));
  expect(() => unpackState(bytes.slice(0, 4))).toThrow(/too short/);
  expect(() => unpackState(bytes.slice(0, bytes.byteLength - 8))).toThrow(/cut off in x/);
  const wrong = bytes.slice(0);
  new Uint8Array(wrong)[0] = 0;
  expect(() => unpackState(wrong)).toThrow(/wrong magic/);
});

test("a header that lies about sizes, types or names is refused with a reason", () => {
  const text = (arrays: unknown, values: unknown = {}) => {
    const header = JSON.stringify({ values, arrays });
    const padded = header.padEnd(8 * Math.ceil((12 + header.length) / 8) - 12);
    const bytes = new Uint8Array(12 + padded.length + 16);
    new DataView(bytes.buffer).setUint32(0, 0x534b4447, true);
    new DataView(bytes.buffer).setUint32(4, 1, true);
    new DataView(bytes.buffer).setUint32(8, padded.length, true);
    bytes.set(new TextEncoder().encode(padded), 12);
    return bytes.buffer;
  };
  const array = { name: "x", type: "f64", length: 2 };
  expect(unpackState(text([array])).arrays.x).toHaveLength(2);
  for (const length of [-1, 0.5, 3, 1e300, 2 ** 53, "2", null])
    expect(() => unpackState(text([{ ...array, length }])), String(length)).toThrow(GraphdosError);
  for (const wrong of [null, {}, [null], [{ ...array, type: "i8" }], [{ ...array, name: 1 }]])
    expect(() => unpackState(text(wrong))).toThrow(GraphdosError);
  expect(() => unpackState(text([], { a: [] }))).toThrow(GraphdosError);
  const named = unpackState(text([{ ...array, name: "__proto__" }]));
  expect(Object.getPrototypeOf(named.arrays)).toBe(Object.prototype);
  expect(Object.keys(named.arrays)).toEqual(["__proto__"]);
});

test("signatures whose sizes do not fit are refused", () => {
  const values = { kind: "vectors", metric: "euclidean", count: 2, dimension: 3, slack: 0 };
  const arrays = { values: new Float64Array(6) };
  expect(signaturesFromState({ values, arrays }).count).toBe(2);
  for (const wrong of [
    { count: 3 },
    { count: -1 },
    { dimension: 1e9 },
    { metric: "__proto__" },
    { count: 0.5 },
  ])
    expect(() => signaturesFromState({ values: { ...values, ...wrong }, arrays })).toThrow(
      "kernel state: damaged",
    );
  const counts = { kind: "counts", count: 1, compare: "product", form: "linear", known: 4 };
  const sparse = {
    squares: Float64Array.of(1),
    offsets: Uint32Array.of(0, 2),
    ids: Uint32Array.of(1, 3),
    counts: Float64Array.of(1, 1),
  };
  expect(signaturesFromState({ values: counts, arrays: sparse }).count).toBe(1);
  for (const offsets of [
    Uint32Array.of(0, 3),
    Uint32Array.of(0),
    Uint32Array.of(1, 2),
    Float64Array.of(0, 2),
  ])
    expect(() => signaturesFromState({ values: counts, arrays: { ...sparse, offsets } })).toThrow(
      "kernel state: damaged",
    );
});
