/** Random graphs and slow, plain ways to look at kernels, for the tests of the counting kernels. */
import fc from "fast-check";
import { EigenvalueDecomposition, Matrix } from "ml-matrix";
import { buildGraph } from "../../src/graph/build.js";
import type { Graph } from "../../src/graph/graph.js";

export interface Sketch {
  nodeCount: number;
  edges: [number, number, number][];
  labels: number[] | null;
  weighted: boolean;
}

export function draw({ nodeCount, edges, labels, weighted }: Sketch): Graph {
  return buildGraph({
    nodeCount,
    sources: edges.map(([i]) => i),
    targets: edges.map(([, j]) => j),
    weights: weighted ? edges.map(([, , w]) => w) : null,
    labels,
  }).graph;
}

/** Graphs with loops, isolated nodes and several components; n = 0 and 1 too. */
export function sketches(options: {
  labelled: boolean;
  weighted?: boolean;
  maximum?: number;
}): fc.Arbitrary<Sketch> {
  return fc.integer({ min: 0, max: options.maximum ?? 9 }).chain((nodeCount) => {
    const node = fc.integer({ min: 0, max: Math.max(0, nodeCount - 1) });
    const edge = fc.tuple(node, node, fc.constantFrom(0.1, 0.3, 0.5, 1, 2));
    return fc.record({
      nodeCount: fc.constant(nodeCount),
      edges: nodeCount === 0 ? fc.constant([]) : fc.array(edge, { maxLength: 24 }),
      labels: options.labelled
        ? fc.array(fc.integer({ min: -1, max: 2 }), { minLength: nodeCount, maxLength: nodeCount })
        : fc.constant(null),
      weighted: fc.constant(options.weighted ?? false),
    });
  });
}

/** The same graph with node i called order[i]. */
export function renamed(sketch: Sketch, order: readonly number[]): Sketch {
  const labels = sketch.labels && [...sketch.labels];
  for (let i = 0; labels !== null && i < labels.length; i++) labels[order[i]] = sketch.labels![i];
  return { ...sketch, labels, edges: sketch.edges.map(([i, j, w]) => [order[i], order[j], w]) };
}

export const reversed = (sketch: Sketch) =>
  renamed(
    sketch,
    Array.from({ length: sketch.nodeCount }, (_, i) => sketch.nodeCount - 1 - i),
  );

/** Counts of what `patterns` lists for each graph, and their Gram by `combine`, all with strings. */
export function plainGram(
  left: readonly Map<string, number>[],
  right: readonly Map<string, number>[],
  combine: (a: number, b: number) => number,
): number[] {
  return left.flatMap((a) =>
    right.map((b) => [...a].reduce((sum, [name, count]) => sum + combine(count, b.get(name) ?? 0), 0)),
  );
}

export function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Smallest eigenvalue of a square matrix given by rows, divided by the largest in size. */
export function smallestEigenvalue(gram: Float64Array, n: number): number {
  if (n === 0) return 0;
  const values = new EigenvalueDecomposition(Matrix.from1DArray(n, n, gram), { assumeSymmetric: true })
    .realEigenvalues;
  return Math.min(...values) / Math.max(1e-300, ...values.map(Math.abs));
}
