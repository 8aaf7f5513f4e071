import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.js";
import { buildGraph } from "../../src/graph/build.js";
import type { Graph } from "../../src/graph/graph.js";
import { isomorphic, isomorphismGroups } from "../../src/graph/isomorphism.js";
import { openData } from "../../src/node/open.js";

type Edge = readonly [number, number, number?];

const graphOf = (nodeCount: number, edges: readonly Edge[], labels: number[] | null = null) =>
  buildGraph({
    nodeCount,
    sources: edges.map(([i]) => i),
    targets: edges.map(([, j]) => j),
    weights: edges.some((e) => e.length === 3) ? edges.map(([, , w]) => w ?? 1) : null,
    labels,
  }).graph;

function relabel(graph: Graph, place: ArrayLike<number>): Graph {
  const edges: Edge[] = [];
  graph.forEachEdge((i, j, w) => {
    edges.push(graph.weights === null ? [place[i], place[j]] : [place[i], place[j], w]);
  });
  const labels = graph.labels && [...graph.labels];
  for (let i = 0; labels && i < graph.nodeCount; i++) labels[place[i]] = graph.labels![i];
  return graphOf(graph.nodeCount, edges, labels);
}

const shuffled = (graph: Graph, seed: number) =>
  relabel(graph, new Random(seed).shuffle(Uint32Array.from({ length: graph.nodeCount }, (_, i) => i)));

const cycleEdges = (nodes: number[]): Edge[] => nodes.map((i, k) => [i, nodes[(k + 1) % nodes.length]]);

/** Nodes (x, y) of Z4 × Z4, joined when their difference is in the set. */
function cayley(differs: (dx: number, dy: number) => boolean): Graph {
  const edges: Edge[] = [];
  for (let a = 0; a < 16; a++)
    for (let b = 0; b < a; b++)
      if (differs(((((a >> 2) - (b >> 2)) % 4) + 4) % 4, ((a % 4) - (b % 4) + 4) % 4)) edges.push([a, b]);
  return graphOf(16, edges);
}

describe("small cases", () => {
  test("no graphs, no groups", () => {
    expect(isomorphismGroups([])).toEqual({ group: new Uint32Array(0), count: 0, undecided: 0 });
  });

  test("graphs of 0, 1, 2 nodes with and without edges and loops", () => {
    const graphs = [
      graphOf(0, []),
      graphOf(1, []),
      graphOf(1, [[0, 0]]),
      graphOf(2, []),
      graphOf(2, [[0, 1]]),
      graphOf(2, [[1, 1]]),
      graphOf(2, [[0, 0]]),
      graphOf(0, []),
    ];
    expect([...isomorphismGroups(graphs).group]).toEqual([0, 1, 2, 3, 4, 5, 5, 0]);
  });

  test("weights count, and weights that are all 1 are no weights", () => {
    const plain = graphOf(3, [
      [0, 1],
      [1, 2],
    ]);
    const ones = graphOf(3, [
      [0, 2, 1],
      [2, 1, 1],
    ]);
    const heavy = graphOf(3, [
      [0, 1, 1],
      [1, 2, 2],
    ]);
    expect(isomorphic(plain, ones)).toBe("same");
    expect(isomorphic(plain, heavy)).toBe("different");
    expect(isomorphic(heavy, relabel(heavy, [2, 1, 0]))).toBe("same");
  });

  test("labels count only when respected", () => {
    const a = graphOf(3, [[0, 1]], [1, 2, 2]);
    const b = graphOf(3, [[0, 1]], [2, 2, 1]);
    const c = graphOf(3, [[1, 2]], [2, 1, 2]);
    expect([...isomorphismGroups([a, b, c]).group]).toEqual([0, 0, 0]);
    expect([...isomorphismGroups([a, b, c], { labels: "respect" }).group]).toEqual([0, 1, 0]);
  });

  test("unknown options are refused", () => {
    expect(() => isomorphismGroups([], { limit: 3 } as object)).toThrow("isomorphism: unknown option: limit");
  });
});

describe("pairs that colour refinement cannot tell apart", () => {
  test("a hexagon and two triangles", () => {
    const hexagon = graphOf(6, cycleEdges([0, 1, 2, 3, 4, 5]));
    const triangles = graphOf(6, [...cycleEdges([0, 1, 2]), ...cycleEdges([3, 4, 5])]);
    expect(isomorphic(hexagon, triangles)).toBe("different");
    expect(isomorphic(hexagon, shuffled(hexagon, 3))).toBe("same");
  });

  test("the rook's graph and the Shrikhande graph, strongly regular with the same parameters", () => {
    const rook = cayley((dx, dy) => (dx === 0) !== (dy === 0));
    const shrikhande = cayley((dx, dy) => ["0,1", "0,3", "1,0", "3,0", "1,1", "3,3"].includes(`${dx},${dy}`));
    expect([rook.edgeCount, shrikhande.edgeCount]).toEqual([48, 48]);
    expect(isomorphic(rook, shrikhande)).toBe("different");
    expect(isomorphic(rook, shuffled(rook, 1))).toBe("same");
    expect(isomorphic(shrikhande, shuffled(shrikhande, 1))).toBe("same");
  });

  test("the Petersen graph and the pentagonal prism, both 3-regular on 10 nodes", () => {
    const rim = cycleEdges([0, 1, 2, 3, 4]);
    const spokes: Edge[] = [0, 1, 2, 3, 4].map((i) => [i, i + 5]);
    const petersen = graphOf(10, [...rim, ...spokes, ...cycleEdges([5, 7, 9, 6, 8])]);
    const prism = graphOf(10, [...rim, ...spokes, ...cycleEdges([5, 6, 7, 8, 9])]);
    expect(isomorphic(petersen, prism)).toBe("different");
    expect(isomorphic(petersen, shuffled(petersen, 5))).toBe("same");
  });

  test("a search that runs out of its limit is undecided and keeps the graphs apart", () => {
    const rook = cayley((dx, dy) => (dx === 0) !== (dy === 0));
    expect(isomorphic(rook, shuffled(rook, 2), { workLimit: 100 })).toBe("undecided");
    expect(isomorphismGroups([rook, shuffled(rook, 2)], { workLimit: 100 })).toMatchObject({
      count: 2,
      undecided: 1,
    });
  });
});

function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((p) =>
    Array.from({ length: n }, (_, at) => [...p.slice(0, at), n - 1, ...p.slice(at)]),
  );
}

const edgeKey = (graph: Graph) => {
  const parts: string[] = [];
  graph.forEachEdge((i, j, w) => parts.push(`${i}-${j}:${w}`));
  return parts.join(" ");
};

test("random graphs of up to 6 nodes: agrees with trying all permutations", () => {
  const all = Array.from({ length: 7 }, (_, n) => permutations(n));
  const anyGraph = (n: number) =>
    fc
      .array(fc.constantFrom(0, 0, 0, 1, 1, 2), {
        minLength: (n * (n + 1)) / 2,
        maxLength: (n * (n + 1)) / 2,
      })
      .map((weights) => {
        const edges: Edge[] = [];
        for (let i = 0, k = 0; i < n; i++)
          for (let j = 0; j <= i; j++, k++) if (weights[k] > 0) edges.push([i, j, i === j ? 1 : weights[k]]);
        return graphOf(n, edges);
      });
  const pair = fc.nat(6).chain((n) =>
    fc.tuple(anyGraph(n), anyGraph(n), fc.nat(all[n].length - 1), fc.boolean()).map(([a, b, p, copy]) => {
      return [a, copy ? relabel(a, all[n][p]) : b] as const;
    }),
  );
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const key = edgeKey(b);
      const same = all[a.nodeCount].some((p) => edgeKey(relabel(a, p)) === key);
      expect(isomorphic(a, b)).toBe(same ? "same" : "different");
    }),
    { numRuns: 300 },
  );
});

test("all 4-node graphs are 11 graphs, all 5-node graphs are 34", () => {
  for (const [n, expected] of [
    [4, 11],
    [5, 34],
  ]) {
    const pairs: Edge[] = [];
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) pairs.push([i, j]);
    const graphs = Array.from({ length: 2 ** pairs.length }, (_, bits) =>
      graphOf(
        n,
        pairs.filter((_pair, k) => (bits >> k) & 1),
      ),
    );
    expect(isomorphismGroups(graphs)).toMatchObject({ count: expected, undecided: 0 });
  }
});

test("a tree of many equal branches and a forest of many equal edges are found again", () => {
  const branches: Edge[] = [];
  for (let b = 0; b < 60; b++) branches.push([0, 1 + 2 * b], [1 + 2 * b, 2 + 2 * b]);
  const tree = graphOf(121, branches);
  expect(isomorphic(tree, shuffled(tree, 1))).toBe("same");
  const forest = graphOf(
    400,
    Array.from({ length: 200 }, (_, k): Edge => [2 * k, 2 * k + 1]),
  );
  expect(isomorphic(forest, shuffled(forest, 1))).toBe("same");
});

test("an aborted signal stops the work", () => {
  const graph = graphOf(2, [[0, 1]]);
  expect(() => isomorphismGroups([graph, graph], { signal: AbortSignal.abort() })).toThrow("interrupted");
});

/** Of the groups of copies, 493 and 321 hold one class only: what Ivanov et al. (2019, arXiv:1910.12091) publish as cleaned sets. */
describe.each([
  ["IMDB-BINARY", 537, 493],
  ["IMDB-MULTI", 387, 321],
])("%s", (name, distinct, ofOneClass) => {
  const path = `../shared/datasets/${name}.zip`;
  test.skipIf(!existsSync(path))(`is ${distinct} graphs, ${ofOneClass} of them in one class`, async () => {
    const { graphs, classes } = await openData(path, {});
    const { group, count, undecided } = isomorphismGroups(graphs);
    const classesOf = Array.from({ length: count }, () => new Set<number>());
    graphs.forEach((_, g) => {
      classesOf[group[g]].add(classes![g]);
    });
    expect([count, undecided]).toEqual([distinct, 0]);
    expect(classesOf.filter((set) => set.size === 1).length).toBe(ofOneClass);
  });
});
