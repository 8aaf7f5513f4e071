/** One graph in blocks, in threads of thought that share nothing: every unit goes through bytes and a context of its own. */
import { describe, expect, it } from "vitest";
import { createContext, type Executor } from "../../src/compute/executor.js";
import { decodePlain, encodePlain } from "../../src/compute/plain-data.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { barabasiAlbert, erdosRenyi, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import type { ProbeOptions } from "../../src/spectrum/probe-options.js";
import { probeProfile } from "../../src/spectrum/probes.js";
import type { SpectralProfile } from "../../src/spectrum/profile.js";
import { blocksElsewhere } from "../../src/spectrum/remote-blocks.js";
import { sampleProfile } from "../../src/spectrum/sample.js";
import { inlineRunner } from "../../src/spectrum/step-runner.js";

/** Two workers, the last unit first. */
function remoteExecutor(): Executor & { units: number } {
  const contexts = [createContext(), createContext()];
  const executor = {
    workers: 2,
    remote: { unitSeconds: 1 },
    units: 0,
    async map<I, O>(task: { run(context: never, input: I): O | Promise<O> }, inputs: readonly I[]) {
      const outputs = new Array<O>(inputs.length);
      for (let k = inputs.length - 1; k >= 0; k--) {
        const input = decodePlain(encodePlain(inputs[k])) as I;
        const output = await task.run((await contexts[k % 2]) as never, input);
        outputs[k] = decodePlain(encodePlain(output)) as O;
        executor.units++;
      }
      return outputs;
    },
    close: async () => undefined,
  };
  return executor;
}

const bytes = ({ buffer, byteOffset, byteLength }: SpectralProfile) =>
  new Uint8Array(buffer, byteOffset, byteLength);
const graphs: [string, Graph][] = [
  ["a scale-free graph", barabasiAlbert(700, 3, 4)],
  ["a sparse graph with isolated nodes", erdosRenyi(400, 0.004, 5)],
  ["a star", star(20)],
  ["two nodes", path(2)],
];

describe.each(graphs)("probes of %s in blocks elsewhere", (_, graph) => {
  const cases: [string, ProbeOptions][] = [
    ["the trace", { probes: 21, nodes: false }],
    ["an odd number of moments", { probes: 8, nodes: false, moments: 7 }],
    ["the moments of nodes", { probes: 27, nodes: true }],
    ["Gaussian probes of A + I", { probes: 5, distribution: "gaussian", selfLoops: true }],
    ["single precision", { probes: 40, nodes: false, float32: true }],
    ["a tolerance, in several rounds", { probes: 4, nodes: false, tolerance: 0.02 }],
  ];
  it.each(cases)("give the same bits as here: %s", async (_, options) => {
    const all = { moments: 12, seed: 9, ...options };
    const here = await probeProfile(graph, inlineRunner(await loadKernels()), all);
    const executor = remoteExecutor();
    const elsewhere = await blocksElsewhere(executor, graph, undefined);
    const there = await probeProfile(graph, inlineRunner(await loadKernels()), all, elsewhere.probes(all));
    expect(Buffer.compare(bytes(there), bytes(here))).toBe(0);
    expect(executor.units).toBeGreaterThan(0);
  });

  it("gives the same bits as here for a sample of nodes", async () => {
    const options = { moments: 12, seed: 3, sample: 30, selfLoops: false };
    const here = await sampleProfile(graph, inlineRunner(await loadKernels()), options);
    const executor = remoteExecutor();
    const { sample } = await blocksElsewhere(executor, graph, undefined);
    const there = await sampleProfile(graph, inlineRunner(await loadKernels()), options, sample(options));
    expect(Buffer.compare(bytes(there), bytes(here))).toBe(0);
    expect(executor.units).toBeGreaterThan(0);
  });
});
