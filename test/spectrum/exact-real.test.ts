import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { denseEigen } from "../../src/compute/eigen.js";
import { loadKernels } from "../../src/compute/wasm.js";
import type { Graph } from "../../src/graph/graph.js";
import { openData } from "../../src/node/open.js";
import { profileMany } from "../../src/spectrum/exact.js";
import { denseNormalised } from "../../src/spectrum/operator.js";
import { chebyshevValues, momentsByEigenvectors, momentsByRecurrence } from "./moments-oracle.js";

const FOLDER = "../shared/datasets/";
const M = 50;
const kernels = await loadKernels();
const eigenKernels = await loadKernels();

/** Σ_k u_k(i)² T_m(λ_k) by dense eigenvectors. */
function byEigenvectors(graph: Graph, selfLoops: boolean): Float64Array {
  const n = graph.nodeCount;
  const { values, vectors } = denseEigen(eigenKernels, denseNormalised(graph, { selfLoops }), n);
  const out = new Float64Array(n * (M + 1));
  for (let k = 0; k < n; k++) {
    const t = chebyshevValues(values[k], M);
    for (let i = 0; i < n; i++) {
      const square = vectors![k * n + i] ** 2;
      for (let m = 0; m <= M; m++) out[i * (M + 1) + m] += square * t[m];
    }
  }
  return out;
}

/** Sets, and how many graphs of each (from the first) of at most 500 nodes. */
const SETS: [string, number][] = [
  ["MUTAG", 188],
  ["IMDB-BINARY", 1000],
  ["PROTEINS", 100],
  ["COLLAB", 100],
  ["REDDIT-BINARY", 100],
];

describe.each(SETS)("exact profiles of %s (skipped where ../shared is missing)", (name, count) => {
  const file = `${FOLDER}${name}.zip`;
  it.skipIf(!existsSync(file))(
    "agree with dense eigenvectors at every node, with and without A + I",
    async () => {
      const graphs = (await openData(file)).graphs.filter((graph) => graph.nodeCount <= 500).slice(0, count);
      expect(graphs).toHaveLength(count);
      for (const selfLoops of [false, true]) {
        const profiles = profileMany(graphs, { kernels, selfLoops });
        let worst = 0;
        graphs.forEach((graph, g) => {
          const expected = byEigenvectors(graph, selfLoops);
          for (let i = 0; i < graph.nodeCount; i++) {
            const row = profiles[g].nodeMoments(i);
            for (let m = 0; m <= M; m++)
              worst = Math.max(worst, Math.abs(row[m] - expected[i * (M + 1) + m]));
          }
        });
        expect(worst).toBeLessThan(1e-10);
      }
    },
  );
});

describe("exact profiles of real graphs (skipped where ../shared is missing)", () => {
  it.skipIf(!existsSync(`${FOLDER}MUTAG.zip`))(
    "of MUTAG agree with another program's eigenvectors",
    async () => {
      const { graphs } = await openData(`${FOLDER}MUTAG.zip`);
      const profiles = profileMany(graphs, { kernels });
      graphs.forEach((graph, g) => {
        momentsByEigenvectors(graph, M).forEach((expected, i) => {
          const row = profiles[g].nodeMoments(i);
          for (let m = 0; m <= M; m++) expect(Math.abs(row[m] - expected[m])).toBeLessThan(1e-10);
        });
      });
    },
  );

  it.skipIf(!existsSync(`${FOLDER}REDDIT-BINARY.zip`))(
    "of the largest threads agree with the plain recurrence",
    async () => {
      const { graphs } = await openData(`${FOLDER}REDDIT-BINARY.zip`);
      const largest = graphs.toSorted((a, b) => b.nodeCount - a.nodeCount).slice(0, 5);
      const profiles = profileMany(largest, { kernels });
      largest.forEach((graph, g) => {
        for (let i = 0; i < graph.nodeCount; i += 997) {
          const expected = momentsByRecurrence(graph, M, i);
          const row = profiles[g].nodeMoments(i);
          for (let m = 0; m <= M; m++) expect(Math.abs(row[m] - expected[m])).toBeLessThan(1e-10);
        }
      });
    },
  );
});
