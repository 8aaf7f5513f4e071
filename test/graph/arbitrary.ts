/** Random inputs for property tests. */
import fc from "fast-check";
import type { EdgeInput } from "../../src/graph/build.js";

/** Edge lists as users have them: loops, duplicates, both directions or one, isolated nodes, sometimes weights. */
export const edgeInputs: fc.Arbitrary<EdgeInput & { weights: number[] | null }> = fc
  .integer({ min: 1, max: 12 })
  .chain((nodeCount) => {
    const node = fc.integer({ min: 0, max: nodeCount - 1 });
    const edge = fc.tuple(node, node, fc.constantFrom(0, 0.5, 1, 1, 2, 1e-200, 1e200));
    return fc.tuple(fc.array(edge, { maxLength: 40 }), fc.boolean()).map(([edges, weighted]) => ({
      nodeCount,
      sources: edges.map(([i]) => i),
      targets: edges.map(([, j]) => j),
      weights: weighted ? edges.map(([, , w]) => w) : null,
    }));
  });
