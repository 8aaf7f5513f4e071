/** What parts say they use is what their values depend on: each mark is changed, and the Gram matrix must change or stay by the declaration. */
import { expect, it } from "vitest";
import { inlineExecutor } from "../../src/compute/executor.js";
import type { Dataset } from "../../src/data/dataset.js";
import { kernelInput } from "../../src/experiment/kernel-run.js";
import { buildGraph } from "../../src/graph/build.js";
import { emptyCleaning } from "../../src/graph/cleaning.js";
import type { Graph } from "../../src/graph/graph.js";
import type { Mark } from "../../src/kernel/part.js";
import {
  fitKernel,
  KERNELS,
  type KernelSpec,
  kernelDistances,
  kernelGram,
  kernelNeeds,
  kernelOptions,
} from "../../src/kernel/registry.js";

const MARKS: readonly Mark[] = ["labels", "attributes", "weights"];

/** Cycles with chords; `changed` gives the marked thing other values. */
function graphs(changed: Mark | null): Graph[] {
  return [7, 8, 9, 10].map((n) => {
    const sources = [...Array(n).keys(), 0, 1];
    const targets = [...Array.from({ length: n }, (_, i) => (i + 1) % n), 3, 4];
    const step = (mark: Mark) => (changed === mark ? 3 : 2);
    return buildGraph({
      nodeCount: n,
      sources,
      targets,
      weights: sources.map((_, e) => 1 + ((e * step("weights")) % 5)),
      labels: Int32Array.from({ length: n }, (_, i) => i ** step("labels") % (step("labels") + 2)),
      attributes: {
        dimension: 1,
        values: Float64Array.from({ length: n }, (_, i) => (i * i * step("attributes")) % 7),
      },
    }).graph;
  });
}

async function gram(spec: KernelSpec, changed: Mark | null, given: Record<string, string>) {
  const set: Dataset = {
    ...{ name: "made up", graphs: graphs(changed), classes: null, classNames: [], targets: null },
    ...{ graphNames: null, nodeIds: null, cleaning: emptyCleaning(), notes: [] },
  };
  const options = kernelOptions(spec, given);
  const executor = inlineExecutor();
  const needs = kernelNeeds(spec, options);
  const input = await kernelInput(set, needs, { moments: 8 }, executor);
  const fitted = await fitKernel(spec, input, options, { executor });
  return Array.from(kernelGram(fitted, await kernelDistances(fitted, { executor })).gram.values);
}

/** The defaults, and every other value of the options called labels, attributes and substructure. */
function choices(spec: KernelSpec): Record<string, string>[] {
  const found: Record<string, string>[] = [{}];
  for (const [name, { allowed }] of Object.entries(spec.options))
    if (/(^|\.)(labels|attributes|substructure)$/.test(name) && !("from" in allowed))
      for (const value of allowed) found.push({ [name]: value as string });
  return found;
}

for (const spec of KERNELS.filter(({ parts }) => parts.length === 1))
  it(`${spec.name} depends on the marks that it declares, and on no other`, async () => {
    for (const given of choices(spec)) {
      const declared = spec.parts[0].uses(kernelOptions(spec, given));
      const before = await gram(spec, null, given);
      for (const mark of MARKS) {
        const after = await gram(spec, mark, given);
        const differs = after.some((value, k) => value !== before[k]);
        expect(differs, `${mark} with ${JSON.stringify(given)}`).toBe(declared.includes(mark));
      }
    }
  });
