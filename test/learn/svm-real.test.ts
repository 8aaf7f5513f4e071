import { existsSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { loadKernels } from "../../src/compute/wasm.js";
import { kernelInput } from "../../src/experiment/kernel-run.js";
import {
  fitKernel,
  kernelByName,
  kernelDistances,
  kernelGram,
  kernelNeeds,
  kernelOptions,
} from "../../src/kernel/registry.js";
import { predictSvc, svcPath } from "../../src/learn/svc.js";
import { SvmWorkspace } from "../../src/learn/workspace.js";
import { openData } from "../../src/node/open.js";
import { threadExecutor } from "../../src/node/worker-threads.js";

interface Golden {
  C: number;
  /** Dual objective of every pair of classes. */
  objectives: number[];
  /** Class of each test graph, a digit each, and how near its decisions were to 0. */
  predicted: string;
  margin: number[];
}
const golden: Record<string, Golden[]> = JSON.parse(readFileSync("test/golden/svm/real.json", "utf8"));
const executor = threadExecutor(0);
afterAll(() => executor.close());
const TOLERANCE = 1e-6;

describe("against scikit-learn on the real sets (skipped where ../shared is missing)", () => {
  it.skipIf(!existsSync("../shared/datasets")).each(Object.keys(golden))(
    "%s: dual objectives within 1e-6, predictions equal but for ties",
    async (name) => {
      const set = await openData(`../shared/datasets/${name}.zip`);
      const spec = kernelByName("dos");
      const options = kernelOptions(spec, { exponent: 1 });
      const input = await kernelInput(set, kernelNeeds(spec, options), {}, executor);
      const fitted = await fitKernel(spec, input, options, { executor });
      const { gram } = kernelGram(fitted, await kernelDistances(fitted, { executor }));
      const classes = set.classes!;
      const n = classes.length;
      const indices = Array.from({ length: n }, (_, i) => i);
      const [train, test] = [indices.filter((i) => i % 5 !== 0), indices.filter((i) => i % 5 === 0)];
      const workspace = new SvmWorkspace(await loadKernels());
      const rows = golden[name];
      const models = svcPath(
        gram.values,
        n,
        train,
        classes,
        rows.map((row) => row.C),
        { tolerance: TOLERANCE, workspace },
      );
      models.forEach((model, k) => {
        const { C, objectives, predicted, margin } = rows[k];
        model.pairs.forEach((pair, q) => {
          expect(pair.converged).toBe(true);
          expect(
            Math.abs(pair.objective - objectives[q]) / Math.abs(objectives[q]),
            `C = ${C}, pair ${q}`,
          ).toBeLessThan(1e-6);
        });
        const found = predictSvc(model, gram.values, n, test).classes;
        for (let t = 0; t < test.length; t++)
          if (margin[t] > 10 * TOLERANCE)
            expect(found[t], `C = ${C}, graph ${test[t]}`).toBe(Number(predicted[t]));
      });
    },
    300_000,
  );
});
