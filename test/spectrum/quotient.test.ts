import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildGraph } from "../../src/graph/build.js";
import { complete, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { twinClasses } from "../../src/graph/twins.js";
import { Decomposition, NONE } from "../../src/spectrum/decompose.js";
import { type Quotient, QuotientBuilder } from "../../src/spectrum/quotient.js";
import { edgeInputs } from "../graph/arbitrary.js";
import { denseOperator } from "./moments-oracle.js";

function quotientOf(graph: Graph, selfLoops = false): Quotient {
  const twins = twinClasses(graph, { selfLoops: selfLoops ? "one" : "keep" });
  return new QuotientBuilder().build(graph, twins, selfLoops);
}

function denseQuotient({ count, offsets, targets, values }: Quotient): number[][] {
  return Array.from({ length: count }, (_, p) => {
    const row = new Array<number>(count).fill(0);
    for (let k = offsets[p]; k < offsets[p + 1]; k++) row[targets[k]] = values[k];
    return row;
  });
}

/** Weights whose quotients are no smaller than the smallest number. */
const ordinary = (weights: number[] | null) =>
  weights?.map((w) => (w > 100 ? 3 : w > 0 && w < 1e-100 ? 0.25 : w)) ?? null;

describe("quotient", () => {
  it("of no nodes is empty, of isolated nodes one zero row", () => {
    expect(quotientOf(buildGraph({ nodeCount: 0, sources: [], targets: [] }).graph).count).toBe(0);
    const isolated = quotientOf(buildGraph({ nodeCount: 4, sources: [], targets: [] }).graph);
    expect(denseQuotient(isolated)).toEqual([[0]]);
    expect(isolated.sizes[0]).toBe(4);
    expect(isolated.spikes[0]).toBe(0);
  });

  it("of a star is centre and leaves, coupled by 1", () => {
    const quotient = quotientOf(star(9));
    expect(denseQuotient(quotient)).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect([...quotient.spikes.subarray(0, 2)]).toEqual([0, 0]);
  });

  it("of a complete graph is one node with a loop of 1 and a spike of −1/(n−1)", () => {
    const quotient = quotientOf(complete(5));
    expect(quotient.count).toBe(1);
    expect(quotient.loops[0]).toBeCloseTo(1, 15);
    expect(quotient.spikes[0]).toBeCloseTo(-1 / 4, 15);
  });

  it("with A + I turns clique twins into a spike of 0", () => {
    const quotient = quotientOf(complete(5), true);
    expect(quotient.loops[0]).toBeCloseTo(1, 15);
    expect(quotient.spikes[0]).toBe(0);
  });

  it("is Sᵀ·Ã·S, S the normalised indicators of the classes, and symmetric to the bit", () => {
    fc.assert(
      fc.property(edgeInputs, fc.boolean(), (input, selfLoops) => {
        const { graph } = buildGraph({ ...input, weights: ordinary(input.weights) });
        const twins = twinClasses(graph, { selfLoops: selfLoops ? "one" : "keep" });
        const dense = denseQuotient(new QuotientBuilder().build(graph, twins, selfLoops));
        const operator = denseOperator(graph, selfLoops);
        for (let p = 0; p < twins.count; p++)
          for (let q = 0; q < twins.count; q++) {
            let expected = 0;
            for (let i = 0; i < graph.nodeCount; i++)
              for (let j = 0; j < graph.nodeCount; j++)
                if (twins.classOf[i] === p && twins.classOf[j] === q)
                  expected += operator[i][j] / Math.sqrt(twins.size[p] * twins.size[q]);
            expect(Math.abs(dense[p][q] - expected)).toBeLessThan(1e-13);
            expect(dense[p][q]).toBe(dense[q][p]);
          }
      }),
    );
  });

  it("has targets in ascending order and reuses its memory without leftovers", () => {
    const builder = new QuotientBuilder();
    builder.build(path(50), twinClasses(path(50)), false);
    const graph = path(4);
    const { offsets, targets, count } = builder.build(graph, twinClasses(graph), false);
    expect(count).toBe(4);
    for (let p = 0; p < count; p++)
      for (let k = offsets[p] + 1; k < offsets[p + 1]; k++)
        expect(targets[k]).toBeGreaterThan(targets[k - 1]);
    expect(offsets[count]).toBe(6);
  });
});

describe("decomposition", () => {
  it("sorts nodes into trees and cores, each once, children before parents", () => {
    fc.assert(
      fc.property(edgeInputs, (input) => {
        const quotient = quotientOf(buildGraph({ ...input, weights: ordinary(input.weights) }).graph);
        const parts = new Decomposition().run(quotient);
        const dense = denseQuotient(quotient);
        const coreNodes: number[] = [];
        for (let k = 0; k < parts.componentCount; k++)
          coreNodes.push(...parts.order.subarray(parts.start[k], parts.start[k] + parts.coreSize[k]));
        const trees = [...parts.trees.subarray(0, parts.treeCount)];
        expect([...coreNodes, ...trees].sort((a, b) => a - b)).toEqual(
          Array.from({ length: quotient.count }, (_, p) => p),
        );
        // every core node keeps two neighbours in the core: nothing more could be taken off
        for (const p of coreNodes)
          expect(coreNodes.filter((q) => q !== p && dense[p][q] !== 0).length).toBeGreaterThanOrEqual(2);
        // a tree node's only neighbours are its parent and nodes taken off before it
        trees.forEach((c, place) => {
          const before = new Set(trees.slice(0, place));
          const rest = dense[c].flatMap((x, q) => (x !== 0 && q !== c && !before.has(q) ? [q] : []));
          expect(rest).toEqual(parts.parent[c] === NONE ? [] : [parts.parent[c]]);
          if (rest.length > 0) expect(parts.coupling[c]).toBe(dense[c][rest[0]]);
          expect(parts.leaf[c] === 1).toBe(!trees.some((x) => parts.parent[x] === c));
        });
        // a component is closed under neighbourhood
        for (let k = 0; k < parts.componentCount; k++) {
          const members = [...parts.order.subarray(parts.start[k], parts.start[k + 1])];
          members.forEach((p, place) => {
            expect(parts.position[p]).toBe(place);
            dense[p].forEach((x, q) => {
              if (x !== 0) expect(members).toContain(q);
            });
          });
        }
      }),
      { numRuns: 300 },
    );
  });
});
