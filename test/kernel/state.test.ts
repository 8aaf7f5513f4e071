import { describe, expect, test } from "vitest";
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
