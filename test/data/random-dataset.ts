/** Random data sets for the round trips of the writers. */
import fc from "fast-check";
import { type Dataset, indexClasses, type NodeIds } from "../../src/data/dataset.js";
import { buildGraph } from "../../src/graph/build.js";
import { emptyCleaning } from "../../src/graph/cleaning.js";

const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);

export interface Kinds {
  /** Values that classes may have. */
  classes: fc.Arbitrary<string>;
}

export function datasetArbitrary({ classes }: Kinds): fc.Arbitrary<Dataset> {
  const flags = fc.record({
    labelled: fc.boolean(),
    dimension: fc.nat(3),
    classed: fc.boolean(),
    named: fc.boolean(),
    targeted: fc.boolean(),
  });
  return flags.chain(({ labelled, dimension, classed, named, targeted }) => {
    const graph = fc.integer({ min: 1, max: 8 }).chain((n) =>
      fc.record({
        n: fc.constant(n),
        edges: fc.array(fc.tuple(fc.nat(n - 1), fc.nat(n - 1), positive), { maxLength: 14 }),
        weighted: fc.boolean(),
        labels: fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: n, maxLength: n }),
        values: fc.array(finite, { minLength: n * dimension, maxLength: n * dimension }),
        words: fc.uniqueArray(
          fc.string({ unit: "grapheme", maxLength: 6 }).map((s) => `w${s}`),
          { minLength: n, maxLength: n },
        ),
        numbers: fc.uniqueArray(fc.integer(), { minLength: n, maxLength: n }),
        ids: fc.constantFrom("none", "words", "numbers"),
        label: classes,
        target: finite,
        name: fc.string({ minLength: 1, maxLength: 5 }),
      }),
    );
    return fc.array(graph, { minLength: 1, maxLength: 4 }).map((parts): Dataset => {
      const nodeIds = parts.map((part): NodeIds | null => {
        if (part.ids === "words") return part.words;
        const counted = part.numbers.every((x, i) => x === i);
        return part.ids === "numbers" && !counted ? Float64Array.from(part.numbers) : null;
      });
      return {
        name: "x",
        graphs: parts.map(
          (part) =>
            buildGraph({
              nodeCount: part.n,
              sources: part.edges.map(([i]) => i),
              targets: part.edges.map(([, j]) => j),
              weights:
                part.weighted && part.edges.some(([, , w]) => w !== 1)
                  ? part.edges.map(([, , w]) => w)
                  : null,
              labels: labelled ? part.labels : null,
              attributes: dimension > 0 ? { values: part.values, dimension } : null,
            }).graph,
        ),
        ...(classed
          ? indexClasses(
              parts.map((part) => part.label),
              [],
            )
          : { classes: null, classNames: [] }),
        targets: targeted ? Float64Array.from(parts, (part) => part.target) : null,
        graphNames: named ? parts.map((part) => part.name) : parts.length === 1 ? ["x"] : null,
        nodeIds: nodeIds.every((ids) => ids === null) ? null : nodeIds,
        cleaning: emptyCleaning(),
        notes: [],
      };
    });
  });
}
