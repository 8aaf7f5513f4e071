import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { type Executor, inlineExecutor } from "../../src/compute/executor.js";
import { typescriptKernels } from "../../src/compute/twin.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { barabasiAlbert, complete, cycle, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { packGraphs } from "../../src/graph/pack.js";
import { nodeFeatures } from "../../src/signature/node-features.js";
import { getRow } from "../../src/signature/node-rows.js";
import { walkRows, walkTask } from "../../src/signature/walks.js";
import { profileMany } from "../../src/spectrum/exact.js";
import { graphOf, largestDifference } from "../kernel/helpers.js";

const kernels = await loadKernels();
const inline = inlineExecutor();

const triangleAndPoint = graphOf(4, [
  [0, 1],
  [1, 2],
  [2, 0],
]);
const weightedPath = graphOf(4, [
  [0, 1, 3],
  [1, 2, 0.5],
  [2, 2, 7],
  [2, 3, 1],
]);
const edgeWithLoop = graphOf(3, [
  [0, 0],
  [0, 1],
]);

/** Return probabilities from all eigenvalues, in the order of the nodes. */
function exactRows(graphs: Graph[], steps: number): Float64Array[] {
  const profiles = profileMany(graphs, { kernels, moments: steps, selfLoops: true });
  const exact = nodeFeatures(profiles);
  return graphs.flatMap((graph, g) =>
    Array.from({ length: graph.nodeCount }, (_, node) =>
      getRow(exact, exact.offsets[g] + profiles[g].rowOf[node]),
    ),
  );
}

/** One walk after another, one step after another, as assembly/walks.ts says in words. */
function plainCounts(graph: Graph, node: number, walks: number, steps: number, seed: number): number[] {
  const random = new Random(seed, node, graph.nodeCount);
  const words = Array.from({ length: 4 * Math.ceil(walks / 4) * steps }, () => random.uint32());
  const counts = new Array<number>(steps).fill(0);
  for (let walk = 0; walk < walks; walk++)
    for (let k = 0, at = node; k < steps; k++) {
      const choices: [number, number][] = [[at, 1]];
      for (let e = graph.offsets[at]; e < graph.offsets[at + 1]; e++)
        if (graph.targets[e] !== at) choices.push([graph.targets[e], graph.weights?.[e] ?? 1]);
      const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
      let left = (words[4 * (Math.floor(walk / 4) * steps + k) + (walk % 4)] / 2 ** 32) * total;
      let chosen = 0;
      while (left >= choices[chosen][1] && chosen < choices.length - 1) left -= choices[chosen++][1];
      at = choices[chosen][0];
      if (at === node) counts[k]++;
    }
  return counts;
}

describe("simulated walks", () => {
  test("converge to the exact return probabilities of A + I, weighted and with self-loops too", async () => {
    const graphs = [triangleAndPoint, weightedPath, edgeWithLoop];
    const walks = await walkRows(graphs, inline, { walks: 20_000, steps: 6, seed: 2 });
    exactRows(graphs, 6).forEach((row, i) => {
      expect(largestDifference(getRow(walks, i), row)).toBeLessThan(0.02);
    });
    expect(Array.from(walks.masses)).toEqual([...new Array(8).fill(0.25), 1 / 3, 1 / 3, 1 / 3]);
  });

  test("err as binomial counts do: squared errors in units of p(1 − p)/walks are 1 in the mean", async () => {
    const graphs = [complete(40), cycle(60), star(50), barabasiAlbert(150, 2, 1)];
    const [walks, steps] = [200, 12];
    const rows = await walkRows(graphs, inline, { walks, steps, seed: 7 });
    let [sum, count] = [0, 0];
    exactRows(graphs, steps).forEach((exact, i) => {
      const row = getRow(rows, i);
      for (let k = 0; k < steps; k++) {
        const variance = (exact[k] * (1 - exact[k])) / walks;
        sum += (row[k] - exact[k]) ** 2 / variance;
        count++;
      }
    });
    // about 3,600 terms of variance 2 or so, neighbouring steps correlated
    expect(sum / count).toBeGreaterThan(0.9);
    expect(sum / count).toBeLessThan(1.1);
  });

  test("take the words that they say they take", async () => {
    for (const graph of [triangleAndPoint, weightedPath, edgeWithLoop, barabasiAlbert(30, 2, 3)])
      for (const [walks, steps] of [
        [1, 1],
        [6, 5],
        [8, 4],
        [11, 9],
      ]) {
        const seed = 2 ** 40 + 5;
        const rows = await walkRows([graph], inline, { walks, steps, seed });
        for (let i = 0; i < graph.nodeCount; i++)
          expect(Array.from(getRow(rows, i), (share) => Math.round(share * walks))).toEqual(
            plainCounts(graph, i, walks, steps, seed),
          );
      }
  });

  test("have the same bits in WASM and in TypeScript", async () => {
    const context = { kernels, memory: new Map() };
    const plain = { kernels: typescriptKernels(), memory: new Map() };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.double({ min: 0.01, max: 5, noNaN: true })), {
          maxLength: 40,
        }),
        fc.record({ walks: fc.integer({ min: 1, max: 13 }), steps: fc.integer({ min: 1, max: 13 }) }),
        fc.record({ seed: fc.nat(), weighted: fc.boolean(), from: fc.nat(12), more: fc.nat(12) }),
        async (edges, { walks, steps }, { seed, weighted, from, more }) => {
          const graph = graphOf(12, weighted ? edges : edges.map(([a, b]): [number, number] => [a, b]));
          const to = Math.min(12, from + more);
          const unit = () => ({
            graphs: packGraphs([graph]),
            from: Math.min(from, to),
            to,
            walks,
            steps,
            seed,
          });
          expect(await walkTask.run(context, unit())).toEqual(await walkTask.run(plain, unit()));
        },
      ),
      { numRuns: 150 },
    );
  });

  test("are the same however the nodes are cut, and tell how far they are", async () => {
    const graphs = [barabasiAlbert(70, 2, 1), graphOf(0, []), complete(3), weightedPath, star(20)];
    const whole = await walkRows(graphs, inline, { walks: 10, steps: 8, seed: 3 });
    let units = 0;
    const pieces: Executor = {
      ...inline,
      // 2·10^8 steps a second: 13 nodes a unit
      remote: { unitSeconds: (13 * 80) / 2e8 },
      map(task, inputs, options) {
        units = inputs.length;
        return inline.map(task, inputs, options);
      },
    };
    const seen: number[] = [];
    const cut = await walkRows(graphs, pieces, {
      ...{ walks: 10, steps: 8, seed: 3 },
      onProgress: ({ done, total, unit }) => seen.push(done, total, unit.length),
    });
    expect(units).toBe(6 + 1 + 2);
    expect(cut).toEqual(whole);
    expect(seen.slice(-3)).toEqual([98, 98, "nodes".length]);
  });

  test("stop when told to", async () => {
    const control = new AbortController();
    const pieces: Executor = { ...inline, remote: { unitSeconds: 1e-5 } };
    const run = walkRows([barabasiAlbert(70, 2, 1)], pieces, {
      signal: control.signal,
      onProgress: () => control.abort(),
    });
    await expect(run).rejects.toThrow(/interrupted/);
  });

  test("an isolated node always returns; wrong numbers of walks are refused", async () => {
    const rows = await walkRows([graphOf(1, [])], inline, { walks: 3, steps: 2 });
    expect(Array.from(getRow(rows, 0))).toEqual([1, 1]);
    await expect(walkRows([], inline, { walks: 0 })).rejects.toThrow(/walks: got 0/);
    await expect(walkRows([], inline, { steps: 1.5 })).rejects.toThrow(/steps: got 1.5/);
  });
});
