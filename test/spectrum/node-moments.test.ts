/** Moments of nodes that are named, against dense eigenvectors. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { loadKernels } from "../../src/compute/wasm.js";
import { buildGraph } from "../../src/graph/build.js";
import { exactNodeMoments } from "../../src/spectrum/sample.js";
import { inlineRunner } from "../../src/spectrum/step-runner.js";
import { edgeInputs } from "../graph/arbitrary.js";
import { momentsByEigenvectors } from "./moments-oracle.js";

it("are those of the eigenvectors, in the order asked for, of a node asked for twice too", async () => {
  const kernels = await loadKernels();
  await fc.assert(
    fc.asyncProperty(
      edgeInputs,
      fc.boolean(),
      fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
      async (input, selfLoops, picks) => {
        const { graph } = buildGraph(input);
        fc.pre(graph.nodeCount > 0);
        const nodes = picks.map((pick) => pick % graph.nodeCount);
        const moments = 9;
        const rows = await exactNodeMoments(graph, nodes, inlineRunner(kernels), { moments, selfLoops });
        const expected = momentsByEigenvectors(graph, moments, selfLoops);
        nodes.forEach((i, k) => {
          for (let m = 0; m <= moments; m++)
            expect(rows[k * (moments + 1) + m], `node ${i}, moment ${m}`).toBeCloseTo(expected[i][m], 9);
        });
      },
    ),
  );
});
