import { expect, it } from "vitest";
import { inlineExecutor } from "../../src/compute/executor.js";
import { barabasiAlbert, star } from "../../src/graph/generators/index.js";
import { fitKernel, kernelByName } from "../../src/kernel/registry.js";
import { computeProfiles } from "../../src/spectrum/profiles.js";

const executor = inlineExecutor();
const context = { executor };

it.each(["probes", "sample"] as const)(
  "dos says how good moments from %s are, and nothing of exact ones",
  async (estimator) => {
    const graphs = [barabasiAlbert(600, 3, 1)];
    const exact = await computeProfiles([star(9)], { moments: 12 }, executor);
    const estimated = await computeProfiles(graphs, { moments: 12, estimator, probes: 40 }, executor);
    const input = { profiles: [...exact, ...estimated], nameOf: String };
    const spec = kernelByName("dos");
    const { notes } = await fitKernel(spec, input, {}, context);
    const errors = estimated[0].standardError!.trace!;
    const largest = Math.max(...errors) / 600;
    expect(largest).toBeGreaterThan(0);
    expect(notes).toEqual([
      `dos: the moments of 1 of 2 graphs are estimates, the standard error of a mean over nodes is at most ${largest.toPrecision(2)}`,
    ]);
    expect((await fitKernel(spec, { profiles: exact, nameOf: String }, {}, context)).notes).toEqual([]);
  },
);
