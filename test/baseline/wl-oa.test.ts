import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WeisfeilerLehmanAssignment } from "../../src/baseline/wl-oa.js";
import { path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { draw, sketches } from "./counting-support.js";

/** For each pair of nodes the number of iterations in which their labels agree, by unfolding trees to that depth. */
function agreement(a: Graph, b: Graph, iterations: number): number[][] {
  const unfold = (graph: Graph, i: number, depth: number): string => {
    if (depth === 0) return String(graph.labels![i]);
    const near = Array.from(graph.targets.subarray(graph.offsets[i], graph.offsets[i + 1]), (j) =>
      unfold(graph, j, depth - 1),
    );
    return `(${unfold(graph, i, depth - 1)}${near.sort().join(" ")})`;
  };
  return Array.from({ length: a.nodeCount }, (_, i) =>
    Array.from({ length: b.nodeCount }, (_, j) => {
      let agree = 0;
      while (agree <= iterations && unfold(a, i, agree) === unfold(b, j, agree)) agree++;
      return agree;
    }),
  );
}

/** The best assignment by trying all of them: each row takes a free column, or none. */
function bestAssignment(worth: number[][], columns: number, row = 0, taken = 0): number {
  if (row === worth.length) return 0;
  let best = bestAssignment(worth, columns, row + 1, taken);
  for (let j = 0; j < columns; j++)
    if (!(taken & (1 << j)))
      best = Math.max(best, worth[row][j] + bestAssignment(worth, columns, row + 1, taken | (1 << j)));
  return best;
}

describe("WL optimal assignment", () => {
  it("is the value of the best assignment of nodes, found by trying them all", () => {
    const one = sketches({ labelled: true, maximum: 5 }).filter((sketch) => sketch.nodeCount > 0);
    fc.assert(
      fc.property(one, one, (first, second) => {
        const [a, b] = [draw(first), draw(second)];
        const kernel = new WeisfeilerLehmanAssignment({ iterations: 2 });
        const features = kernel.fit([a, b]);
        expect(kernel.gram(features, features)[1]).toBe(bestAssignment(agreement(a, b, 2), b.nodeCount));
      }),
      { numRuns: 80 },
    );
  });

  it("is (h + 1) n of a graph with itself, and nothing with the graph without nodes", () => {
    const kernel = new WeisfeilerLehmanAssignment({ iterations: 4 });
    const features = kernel.fit([path(0), star(10_000)]);
    expect(Array.from(kernel.gram(features, features))).toEqual([0, 0, 0, 5 * 10_001]);
    expect(Array.from(kernel.diagonal(features))).toEqual([0, 5 * 10_001]);
  });
});
