import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Dataset, emptyGraphsNote, singleGraph } from "../../src/data/dataset.js";
import { cleaningSentences, readingSentences } from "../../src/experiment/cleaning-sentences.js";
import { binCounts, distribution } from "../../src/experiment/distribution.js";
import { inspectDataset } from "../../src/experiment/inspection.js";
import { inspectionSentences } from "../../src/experiment/inspection-sentences.js";
import { setNotes } from "../../src/experiment/unused-marks.js";
import { formatNumber, formatShare, quantity } from "../../src/experiment/wording.js";
import { buildGraph } from "../../src/graph/build.js";
import { addCleaning, emptyCleaning } from "../../src/graph/cleaning.js";
import { openData } from "../../src/node/open.js";

type Pairs = [number, number][];

function datasetOf(list: [nodes: number, edges: Pairs, className: number][]): Dataset {
  const cleaning = emptyCleaning();
  const graphs = list.map(([nodeCount, edges]) => {
    const built = buildGraph({ nodeCount, sources: edges.map(([i]) => i), targets: edges.map(([, j]) => j) });
    addCleaning(cleaning, built.cleaning);
    return built.graph;
  });
  return {
    name: "toy",
    graphs,
    classes: Int32Array.from(list, ([, , c]) => c),
    classNames: ["a", "b"],
    targets: null,
    graphNames: null,
    nodeIds: null,
    cleaning,
    notes: ["made by hand"],
  };
}

const triangle: Pairs = [
  [0, 1],
  [1, 2],
  [0, 2],
];
const wedge: Pairs = [
  [0, 1],
  [1, 2],
];
const otherWedge: Pairs = [
  [2, 0],
  [2, 1],
];

describe("inspectDataset", () => {
  const toy = datasetOf([
    [3, triangle, 0],
    [3, wedge, 0],
    [3, otherWedge, 1],
    [4, [...wedge, [3, 3]], 1],
    [2, [], 1],
  ]);
  const inspection = inspectDataset(toy);

  test("counts graphs, classes, nodes and edges, self-loops as one edge", () => {
    expect(inspection).toMatchObject({
      name: "toy",
      graphs: 5,
      classes: 2,
      classNames: ["a", "b"],
      classCounts: [2, 3],
      largestClassShare: 0.6,
      meanNodes: 3,
      meanEdges: 2,
      totalNodes: 15,
      totalEdges: 10,
      isolatedNodes: 2,
      selfLoops: 1,
      emptyGraphs: 0,
      edgelessGraphs: 1,
      weighted: false,
      nodeLabels: 0,
      attributeDimension: 0,
      targets: null,
      notes: ["made by hand"],
    });
    expect(inspection.cleaned).toEqual(toy.cleaning);
    expect(inspection.perClass[0]).toEqual({
      name: "a",
      graphs: 2,
      meanNodes: 3,
      meanEdges: 2.5,
      meanDensity: expect.closeTo((1 + 2 / 3) / 2, 12),
    });
    expect(inspection.meanDensity).toBeCloseTo((1 + 2 / 3 + 2 / 3 + 2 / 6 + 0) / 5, 12);
  });

  test("counts components, twins and copies", () => {
    expect(inspection.components).toEqual({ mean: 7 / 5, max: 2, connectedShare: 0.6 });
    // triangle 3 of 3, wedges 2 of 3 each and 2 of 4, two isolated nodes
    expect(inspection.twins).toMatchObject({ nodes: 3 + 2 + 2 + 2 + 2, classes: 1 + 2 + 2 + 3 + 1 });
    expect(inspection.isomorphic).toEqual({
      distinct: 4,
      copies: 1,
      largestGroup: 2,
      mixedGroups: 1,
      mixedGraphs: 2,
      ceiling: 0.8,
      undecided: 0,
    });
  });

  test("says so in sentences", () => {
    const text = inspectionSentences(inspection).join(" ");
    expect(text).toContain("5 graphs are 4 different graphs up to renaming the nodes: 1 isomorphic copy");
    expect(text).toContain("1 of them occurs in more than one class (2 copies)");
    expect(text).toContain("more than 80 % of this set right");
    expect(text).toContain("60 % of the graphs are connected");
    expect(text).toContain("1 graph has no edge.");
  });

  test("survives JSON unchanged", () => {
    expect(JSON.parse(JSON.stringify(inspection))).toEqual(inspection);
  });

  test("an empty data set has zeros and no NaN", () => {
    const empty = inspectDataset({ ...toy, graphs: [], classes: new Int32Array(0), classNames: [] });
    expect(JSON.parse(JSON.stringify(empty))).toEqual(empty);
    expect(empty).toMatchObject({ graphs: 0, meanNodes: 0, largestClassShare: null });
  });

  test("a graph without nodes is fine", () => {
    const { graph, cleaning } = buildGraph({ nodeCount: 0, sources: [], targets: [] });
    const none = inspectDataset(singleGraph("none", graph, cleaning, []));
    expect(none).toMatchObject({ graphs: 1, classes: 0, totalNodes: 0, emptyGraphs: 1, meanDensity: 0 });
    expect(inspectionSentences(none)).toEqual(["The graph is connected.", "1 graph has no node."]);
  });

  test("an aborted signal stops it, an unknown option is refused", () => {
    expect(() => inspectDataset(toy, { signal: AbortSignal.abort() })).toThrow("interrupted");
    expect(() => inspectDataset(toy, { speed: 1 } as object)).toThrow("inspect: unknown option: speed");
  });
});

describe("distribution", () => {
  test("quartiles as numpy gives them", () => {
    expect(distribution([4, 1, 3, 2])).toMatchObject({
      min: 1,
      q1: 1.75,
      median: 2.5,
      q3: 3.25,
      max: 4,
      mean: 2.5,
    });
    expect(distribution([7])).toMatchObject({ min: 7, q1: 7, median: 7, mean: 7, q3: 7, max: 7 });
  });

  test("every value is in one bin, edges ascend", () => {
    const whole = fc.array(fc.nat(100_000), { minLength: 1 });
    const fractions = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(fc.oneof(whole, fractions), (values) => {
        const { edges, counts } = distribution(values).histogram;
        expect(counts.reduce((a, b) => a + b, 0)).toBe(values.length);
        expect(edges.length).toBe(counts.length + 1);
        expect(counts.length).toBeLessThan(60);
        for (let k = 0; k < counts.length; k++) {
          expect(edges[k + 1]).toBeGreaterThan(edges[k]);
          const inside = values.filter(
            (x) => x >= edges[k] && (k === counts.length - 1 ? x <= edges[k + 1] : x < edges[k + 1]),
          );
          expect(counts[k]).toBe(inside.length);
        }
      }),
    );
  });

  test("values that differ by next to nothing are in one bin", () => {
    expect(distribution([0.1, 0.1 + 1e-15]).histogram.counts).toEqual([2]);
    expect(distribution([0, -5e-324]).histogram.counts).toEqual([2]);
    expect(distribution([0.5, 0.5]).histogram.edges).toEqual([0.5, 1]);
  });

  test("a wide range of counts has bins of equal ratio and a bin for zeros", () => {
    const { scale, edges, counts } = distribution([0, 0, 1, 10, 100, 1000]).histogram;
    expect(scale).toBe("log");
    expect(edges.slice(0, 2)).toEqual([0, 1]);
    expect(counts[0]).toBe(2);
    expect(edges.at(-1)).toBe(1001);
  });

  test("values outside of the edges are in no bin", () => {
    expect(binCounts([-1, 0, 1, 2, 3], [0, 1, 2])).toEqual([1, 2]);
    expect(binCounts([1], [])).toEqual([]);
  });
});

describe("sentences on cleaning", () => {
  test("clean data", () => {
    expect(cleaningSentences({ ...emptyCleaning(), edgesRead: 6 }, 3)).toEqual([
      "Read 6 edge lines, kept 3 edges.",
      "Nothing had to be cleaned.",
    ]);
  });

  test("everything at once", () => {
    const text = cleaningSentences(
      {
        edgesRead: 1234,
        duplicates: 1,
        oneWay: 2,
        selfLoops: 3,
        isolatedNodes: 4,
        zeroWeights: 5,
        weightConflicts: 6,
      },
      600,
    );
    expect(text).toEqual([
      "Read 1,234 edge lines, kept 600 edges.",
      "Dropped 1 repeated line: the same edge in the same direction again.",
      "Symmetrised 2 edges listed in one direction only, where others are listed in both.",
      "Dropped 5 lines with weight 0, which is no edge.",
      "Found 6 edges listed with different weights; the largest was kept.",
      "Kept 3 self-loops; each counts once as an edge and once in the degree.",
      "Kept 4 isolated nodes, which no edge line names.",
    ]);
  });

  test("a file that lists every edge once", () => {
    expect(cleaningSentences({ ...emptyCleaning(), edgesRead: 5, oneWay: 4, selfLoops: 1 }, 5)[1]).toBe(
      "Every edge is listed in one direction; each was taken in both.",
    );
  });
});

describe("each thing is said once", () => {
  const one = { cleaned: { ...emptyCleaning(), edgesRead: 4, oneWay: 3 }, totalEdges: 3 };
  const times = (sentences: readonly string[], word: RegExp) => sentences.filter((s) => word.test(s)).length;

  test("edges in one direction, by the reader or by the cleaning", () => {
    const word = /one direction|symmetrised/i;
    for (const note of [
      "directed edges were symmetrised: 3",
      "its header says that it is directed: it was symmetrised",
    ]) {
      const said = readingSentences({ ...one, notes: ["GML", note] });
      expect(said).toEqual(["Read 4 edge lines, kept 3 edges.", "GML", note]);
    }
    expect(times(readingSentences({ ...one, notes: ["GML"] }), word)).toBe(1);
    // another number, or not all edges: another fact
    expect(times(readingSentences({ ...one, notes: ["directed edges were symmetrised: 2"] }), word)).toBe(2);
    const header = ["its header says that it is directed: it was symmetrised"];
    expect(times(readingSentences({ ...one, totalEdges: 4, notes: header }), word)).toBe(2);
  });

  test("graphs without nodes", () => {
    const set = datasetOf([
      [3, wedge, 0],
      [0, [], 1],
    ]);
    const all = (notes: string[]) => {
      const inspection = inspectDataset({ ...set, notes });
      return [...inspectionSentences(inspection), ...readingSentences(inspection)];
    };
    expect(times(all([]), /no node/)).toBe(1);
    expect(times(all([emptyGraphsNote(["2"])]), /no node/)).toBe(1);
    expect(setNotes(set, null)).toEqual(["1 of 2 graphs has no nodes: kernels take empty graphs for equal"]);
    expect(setNotes(datasetOf([[3, wedge, 0]]), null)).toEqual([]);
  });
});

test("numbers as people read them", () => {
  expect([12345.678, 0.012345, 0, 3].map((x) => formatNumber(x))).toEqual(["12,345.68", "0.0123", "0", "3"]);
  expect([0.4567, 1, 0, 0.99999, 0.00001].map(formatShare)).toEqual([
    "45.7 %",
    "100 %",
    "0 %",
    "> 99.9 %",
    "< 0.1 %",
  ]);
  expect([quantity(1, "edge"), quantity(2000, "copy", "copies")]).toEqual(["1 edge", "2,000 copies"]);
});

describe.each([
  ["MUTAG", 188, 2, 17.93, 19.79, 0, 7],
  ["PROTEINS", 1113, 2, 39.06, 72.82, 5, 3],
  ["IMDB-BINARY", 1000, 2, 19.77, 96.53, 0, 0],
])("%s", (name, graphs, classes, meanNodes, meanEdges, isolatedNodes, nodeLabels) => {
  const path = `../shared/datasets/${name}.zip`;
  test.skipIf(!existsSync(path))("has the published sizes", async () => {
    const inspection = inspectDataset(await openData(path, {}));
    expect(inspection).toMatchObject({ graphs, classes, isolatedNodes, nodeLabels, selfLoops: 0 });
    expect(inspection.meanNodes).toBeCloseTo(meanNodes, 1.9);
    expect(inspection.meanEdges).toBeCloseTo(meanEdges, 1.9);
  });
});
