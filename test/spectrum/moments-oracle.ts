/**
 * Chebyshev moments of nodes by slow ways that share nothing with the exact engine but the definition of Ã, which is written
 * out here once more.
 */
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import type { Graph } from "../../src/graph/graph.js";

/** Ã as rows of numbers; A_ii = 1 with selfLoops. */
export function denseOperator(graph: Graph, selfLoops: boolean): number[][] {
  const n = graph.nodeCount;
  const a = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  graph.forEachEdge((i, j, w) => {
    a[i][j] = a[j][i] = w;
  });
  if (selfLoops) for (let i = 0; i < n; i++) a[i][i] = 1;
  const degree = a.map((row) => row.reduce((sum, w) => sum + w, 0));
  return a.map((row, i) =>
    row.map((w, j) => (w === 0 ? 0 : w / Math.sqrt(degree[i]) / Math.sqrt(degree[j]))),
  );
}

/** Σ_k u_k(i)² T_m(λ_k): eigenvectors by ml-matrix. n rows of moments + 1. */
export function momentsByEigenvectors(graph: Graph, moments: number, selfLoops = false): number[][] {
  const n = graph.nodeCount;
  if (n === 0) return [];
  const eigen = new EigenvalueDecomposition(new Matrix(denseOperator(graph, selfLoops)), {
    assumeSymmetric: true,
  });
  const vectors = eigen.eigenvectorMatrix;
  const out = Array.from({ length: n }, () => new Array<number>(moments + 1).fill(0));
  for (let k = 0; k < n; k++) {
    const values = chebyshevValues(eigen.realEigenvalues[k], moments);
    for (let i = 0; i < n; i++)
      for (let m = 0; m <= moments; m++) out[i][m] += vectors.get(i, k) ** 2 * values[m];
  }
  return out;
}

/** T_0(x)..T_moments(x). */
export function chebyshevValues(x: number, moments: number): number[] {
  const values = [1, x];
  for (let m = 2; m <= moments; m++) values.push(2 * x * values[m - 1] - values[m - 2]);
  return values.slice(0, moments + 1);
}

/** T_m = 2ÃT_m−1 − T_m−2 on full matrices, without a division: for weights whose squares no eigensolver can take. n rows of moments + 1. */
export function momentsByDenseRecurrence(graph: Graph, moments: number, selfLoops = false): number[][] {
  const a = denseOperator(graph, selfLoops);
  const n = a.length;
  let before: number[][] = a.map((_, i) => a.map((__, j) => (i === j ? 1 : 0)));
  let now = a;
  const out = before.map((row, i) => [row[i], a[i][i]]);
  for (let m = 2; m <= moments; m++) {
    const next = a.map((row, i) =>
      row.map((_, j) => {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += a[i][k] * now[k][j];
        return 2 * sum - before[i][j];
      }),
    );
    before = now;
    now = next;
    for (let i = 0; i < n; i++) out[i].push(now[i][i]);
  }
  return out;
}

/** e_iᵀ T_m(Ã) e_i by the three-term recurrence on the graph's own rows, a vector at a time: for graphs too large for eigenvectors. */
export function momentsByRecurrence(graph: Graph, moments: number, node: number): number[] {
  const { nodeCount: n, offsets, targets, weights } = graph;
  const root = Float64Array.from({ length: n }, (_, i) => Math.sqrt(graph.degree(i)));
  let before = new Float64Array(n);
  let now = new Float64Array(n);
  now[node] = 1;
  const out = [1];
  for (let m = 1; m <= moments; m++) {
    const next = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let k = offsets[i]; k < offsets[i + 1]; k++)
        sum += ((weights === null ? 1 : weights[k]) * now[targets[k]]) / (root[i] * root[targets[k]]);
      next[i] = m === 1 ? sum : 2 * sum - before[i];
    }
    before = now;
    now = next;
    out.push(now[node]);
  }
  return out;
}
