import { describe, expect, it } from "vitest";
import { LabelledReturnKernel } from "../../src/baseline/labelled.js";
import { labelledVectors } from "../../src/baseline/labelled-task.js";
import { type Executor, inlineExecutor } from "../../src/compute/executor.js";
import { loadKernels } from "../../src/compute/wasm.js";
import { buildGraph } from "../../src/graph/build.js";
import type { Graph } from "../../src/graph/graph.js";
import { channelTraces } from "../../src/signature/labelled-traces.js";
import { nodeMarks } from "../../src/signature/node-marks.js";
import { ExactProfiler } from "../../src/spectrum/exact.js";
import { denseNormalised } from "../../src/spectrum/operator.js";

const M = 6;
const kernels = await loadKernels();
const profiler = new ExactProfiler({ kernels, moments: M });
const profilesOf = (graphs: Graph[]) => graphs.map((graph) => profiler.profile(graph));

const graphOf = (
  nodeCount: number,
  edges: number[][],
  labels: number[] | null = null,
  attributes: number[] | null = null,
) =>
  buildGraph({
    nodeCount,
    sources: edges.map(([i]) => i),
    targets: edges.map(([, j]) => j),
    labels,
    attributes: attributes === null ? null : { values: attributes, dimension: attributes.length / nodeCount },
  }).graph;

/** Return probabilities by powers of the whole matrix. */
function returns(graph: Graph): number[][] {
  const n = graph.nodeCount;
  const A = denseNormalised(graph);
  let P = Float64Array.from(A);
  const out = Array.from({ length: n }, () => [] as number[]);
  for (let m = 1; m <= M; m++) {
    for (let i = 0; i < n; i++) out[i].push(P[i * n + i]);
    P = Float64Array.from({ length: n * n }, (_, k) => {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += P[Math.floor(k / n) * n + j] * A[j * n + (k % n)];
      return sum;
    });
  }
  return out;
}

const gauss = (x: ArrayLike<number>, y: ArrayLike<number>, width: number) => {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += (x[k] - y[k]) ** 2;
  return Math.exp(-sum / (2 * width * width));
};

/** The mean over all pairs of nodes, from the definition. */
function meanKernel(G: Graph, H: Graph, width: number, scales: number[], attributeWidth: number): number {
  const [p, q] = [returns(G), returns(H)];
  const row = (graph: Graph, i: number) => scales.map((s, a) => graph.attributes![i * scales.length + a] / s);
  let sum = 0;
  for (let u = 0; u < G.nodeCount; u++)
    for (let v = 0; v < H.nodeCount; v++) {
      if (G.labels !== null && G.labels[u] !== H.labels![v]) continue;
      sum += gauss(p[u], q[v], width) * gauss(row(G, u), row(H, v), attributeWidth);
    }
  return sum / (G.nodeCount * H.nodeCount);
}

function inner({ dimension, values }: { dimension: number; values: Float64Array }, g: number, h: number) {
  let sum = 0;
  for (let d = 0; d < dimension; d++) sum += values[g * dimension + d] * values[h * dimension + d];
  return sum;
}

const triangle = [
  [0, 1],
  [1, 2],
  [0, 2],
  [2, 3],
];
const claw = [
  [0, 1],
  [0, 2],
  [0, 3],
];

describe("labelled return probability kernel", () => {
  it("is the mean over all pairs of nodes of the product kernel: labels, attributes, both, neither", () => {
    const labels = [
      [1, 1, 7, 7],
      [7, 1, 1, 7],
    ];
    const attributes = [
      [0, 1, 2, -1, 0.5, 3, 1, 1],
      [1, 1, 0, 2, -2, 0.3, 0, 1],
    ];
    const all = attributes.flat();
    const scales = [0, 1].map((a) => {
      const column = all.filter((_, k) => k % 2 === a);
      const mean = column.reduce((s, x) => s + x, 0) / column.length;
      return Math.sqrt(column.reduce((s, x) => s + (x - mean) ** 2, 0) / column.length);
    });
    for (const withLabels of [false, true])
      for (const withAttributes of [false, true]) {
        const graphs = [triangle, claw].map((edges, g) =>
          graphOf(4, edges, withLabels ? labels[g] : null, withAttributes ? attributes[g] : null),
        );
        const options = { width: 0.3, attributeWidth: 1.5, features: 20000, seed: 5 };
        const vectors = new LabelledReturnKernel(options).fit(graphs, profilesOf(graphs));
        for (const [g, h] of [
          [0, 0],
          [0, 1],
          [1, 1],
        ]) {
          const exact = meanKernel(graphs[g], graphs[h], 0.3, withAttributes ? scales : [], 1.5);
          // 10,000 frequencies: standard error below 0.7 / 100
          expect(Math.abs(inner(vectors, g, h) - exact)).toBeLessThan(0.025);
        }
      }
  });

  it("keeps labels apart exactly: no shared label, inner product 0", () => {
    const graphs = [graphOf(4, triangle, [0, 0, 0, 0]), graphOf(4, triangle, [1, 1, 1, 1])];
    const vectors = new LabelledReturnKernel().fit(graphs, profilesOf(graphs));
    expect(vectors.dimension).toBe(3 * 200);
    expect(inner(vectors, 0, 1)).toBe(0);
    expect(inner(vectors, 0, 0)).toBeCloseTo(inner(vectors, 1, 1), 12);
  });

  it("respects labels among twins: leaves of one parent with two labels are two kinds of nodes", () => {
    const graphs = [graphOf(4, claw, [0, 1, 1, 2]), graphOf(4, claw, [0, 1, 2, 2])];
    const profiles = profilesOf(graphs);
    expect(profiles[0].rowCount).toBeLessThan(4);
    const vectors = new LabelledReturnKernel({ features: 20000 }).fit(graphs, profiles);
    // centre with centre; leaves: two pairs with label 1, two with label 2
    expect(inner(vectors, 0, 1)).toBeCloseTo(5 / 16, 6);
  });

  it("gives the same bits for the same seed, others for another; puts unseen labels in the last block", () => {
    const graphs = [graphOf(4, triangle, [0, 0, 3, 3]), graphOf(0, [], [])];
    const kernel = new LabelledReturnKernel({ features: 10, seed: 1 });
    const train = kernel.fit(graphs, profilesOf(graphs));
    expect(new LabelledReturnKernel({ features: 10, seed: 1 }).fit(graphs, profilesOf(graphs))).toEqual(
      train,
    );
    const other = new LabelledReturnKernel({ features: 10, seed: 2 }).fit(graphs, profilesOf(graphs));
    expect(other.values).not.toEqual(train.values);
    expect(train.values.subarray(30).every((x) => x === 0)).toBe(true);
    const fresh = [graphOf(1, [], [9])];
    const { values } = kernel.transform(fresh, profilesOf(fresh));
    expect(values.subarray(0, 20).every((x) => x === 0)).toBe(true);
    expect(values.reduce((s, x) => s + x * x, 0)).toBeCloseTo(1, 12);
  });

  it("has the same bits when its graphs are shared out, some a unit, as in one go", async () => {
    // 10,000 features: several units
    const graphs = Array.from({ length: 90 }, (_, g) => {
      const n = 1 + ((g * 7) % 11);
      const edges = Array.from({ length: n - 1 }, (_, i) => [i, (i * (g + 1)) % n]);
      const labels = Array.from({ length: n }, (_, i) => (i * g) % 3);
      return graphOf(
        n,
        edges,
        labels,
        labels.map((label) => Math.sin(label + g)),
      );
    });
    const profiles = profilesOf(graphs);
    const kernel = new LabelledReturnKernel({ features: 10_000 });
    const whole = kernel.fit(graphs, profiles);
    const inline = inlineExecutor();
    let units = 0;
    const counting: Executor = {
      ...inline,
      map(task, inputs, options) {
        units = inputs.length;
        return inline.map(task, inputs, options);
      },
    };
    const seen: number[] = [];
    const onProgress = ({ done }: { done: number }) => seen.push(done);
    const shared = await labelledVectors(kernel, graphs, profiles, counting, { onProgress });
    expect([shared.count, shared.dimension]).toEqual([whole.count, whole.dimension]);
    expect(Buffer.from(shared.values.buffer).equals(Buffer.from(whole.values.buffer))).toBe(true);
    expect(units).toBeGreaterThan(1);
    expect(seen.at(-1)).toBe(90);
    const bare = [...graphs.slice(0, 3), graphOf(2, [[0, 1]])];
    await expect(labelledVectors(kernel, bare, profilesOf(bare), counting, {})).rejects.toThrow(
      "graph 3 has no node labels",
    );
  });

  it("covers edgeless graphs and constant attributes", () => {
    const graphs = [graphOf(3, [], null, [2, 2, 2]), graphOf(2, [[0, 1]], null, [2, 2])];
    const { values } = new LabelledReturnKernel().fit(graphs, profilesOf(graphs));
    expect(values.every(Number.isFinite)).toBe(true);
  });

  it("refuses graphs that do not fit together", () => {
    const labelled = [graphOf(4, claw, [0, 1, 1, 2])];
    const plain = [graphOf(4, claw)];
    const kernel = new LabelledReturnKernel();
    expect(() => kernel.transform(labelled, profilesOf(labelled))).toThrow("before fit");
    kernel.fit(labelled, profilesOf(labelled));
    expect(() => kernel.transform(plain, profilesOf(plain))).toThrow("graph 0 has no node labels");
    expect(() => kernel.transform(labelled, [])).toThrow("0 profiles for 1 graphs");
    expect(() => new LabelledReturnKernel({ features: 3 })).toThrow("features: got 3");
    expect(() => new LabelledReturnKernel({ widths: 3 } as never)).toThrow("did you mean width?");
  });
});

describe("labelled traces", () => {
  it("split the trace by label and add up to it", () => {
    const graphs = [graphOf(4, triangle, [5, 5, 8, 8]), graphOf(2, [], [8, 8])];
    const profiles = profilesOf(graphs);
    const marks = nodeMarks(graphs, { labels: true, attributes: false, attributeWidth: 0 });
    const { values, channels } = channelTraces(graphs, profiles, marks);
    const dimension = channels * (M + 1);
    expect(channels).toBe(2);
    expect([values[0], values[M + 1], values[dimension], values[dimension + M + 1]]).toEqual([2, 2, 0, 2]);
    for (let m = 0; m <= M; m++) expect(values[m] + values[M + 1 + m]).toBeCloseTo(profiles[0].trace[m], 12);
    // label 8 of the triangle with a tail: nodes 2 and 3, T_2 = 2λ² − 1
    const p = returns(graphs[0]);
    expect(values[M + 1 + 2]).toBeCloseTo(2 * (p[2][1] + p[3][1]) - 2, 12);
  });
});
