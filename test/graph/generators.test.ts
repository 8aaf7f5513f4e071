import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphdosError } from "../../src/base/errors.js";
import { buildGraph } from "../../src/graph/build.js";
import { EdgeList } from "../../src/graph/generators/edges.js";
import {
  balancedTree,
  barabasiAlbert,
  complete,
  completeBipartite,
  cycle,
  erdosRenyi,
  grid,
  hypercube,
  path,
  randomTree,
  rmat,
  star,
  stochasticBlock,
  wattsStrogatz,
} from "../../src/graph/generators/index.js";
import { rmatDraws } from "../../src/graph/generators/rmat.js";
import type { Graph } from "../../src/graph/graph.js";
import { itAtSize } from "../at-size.js";

const degrees = (graph: Graph) => [...graph.validate().degrees()];
const bytes = (graph: Graph) => new Uint8Array(graph.buffer);
const edgesOf = (graph: Graph) => {
  const list: string[] = [];
  graph.forEachEdge((i, j) => list.push(`${i}-${j}`));
  return list;
};

function componentCount(graph: Graph): number {
  const parent = Array.from({ length: graph.nodeCount }, (_, i) => i);
  const root = (i: number): number => (parent[i] === i ? i : root((parent[i] = parent[parent[i]])));
  let count = graph.nodeCount;
  graph.forEachEdge((i, j) => {
    if (root(i) !== root(j)) count--;
    parent[root(i)] = root(j);
  });
  return count;
}

const size = fc.integer({ min: 0, max: 60 });
const seeds = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.maxSafeNat());
const chance = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));

describe("families in closed form", () => {
  test("have the degrees and edges that the smallest sizes allow", () => {
    for (const family of [path, cycle, complete]) {
      expect(degrees(family(0))).toEqual([]);
      expect(degrees(family(1))).toEqual([0]);
      expect(degrees(family(2))).toEqual([1, 1]);
    }
    expect(degrees(star(0))).toEqual([0]);
    expect(degrees(completeBipartite(0, 0))).toEqual([]);
    expect(degrees(completeBipartite(0, 3))).toEqual([0, 0, 0]);
    expect(degrees(grid(0, 5))).toEqual([]);
    expect(degrees(grid(5, 0))).toEqual([]);
    expect(degrees(grid(1, 1))).toEqual([0]);
    expect(degrees(hypercube(0))).toEqual([0]);
    expect(degrees(hypercube(1))).toEqual([1, 1]);
    expect(degrees(balancedTree(3, 0))).toEqual([0]);
  });

  test("are the graphs one draws by hand", () => {
    expect(edgesOf(path(4))).toEqual(["0-1", "1-2", "2-3"]);
    expect(edgesOf(cycle(4))).toEqual(["0-1", "0-3", "1-2", "2-3"]);
    expect(edgesOf(star(3))).toEqual(["0-1", "0-2", "0-3"]);
    expect(edgesOf(grid(2, 3))).toEqual(["0-1", "0-3", "1-2", "1-4", "2-5", "3-4", "4-5"]);
    expect(edgesOf(hypercube(2))).toEqual(["0-1", "0-2", "1-3", "2-3"]);
    expect(edgesOf(completeBipartite(2, 2))).toEqual(["0-2", "0-3", "1-2", "1-3"]);
    expect(edgesOf(balancedTree(2, 2))).toEqual(["0-1", "0-2", "1-3", "1-4", "2-5", "2-6"]);
    expect(edgesOf(balancedTree(1, 3))).toEqual(edgesOf(path(4)));
  });

  test("have their degree sequences", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 60 }), fc.integer({ min: 1, max: 60 }), (n, m) => {
        expect(degrees(path(n))).toEqual([1, ...Array(n - 2).fill(2), 1]);
        expect(degrees(cycle(n))).toEqual(Array(n).fill(2));
        expect(degrees(star(n))).toEqual([n, ...Array(n).fill(1)]);
        expect(degrees(complete(n))).toEqual(Array(n).fill(n - 1));
        expect(degrees(completeBipartite(n, m))).toEqual([...Array(n).fill(m), ...Array(m).fill(n)]);
        expect(grid(n, m).validate().edgeCount).toBe(n * (m - 1) + m * (n - 1));
      }),
      { numRuns: 30 },
    );
    for (let d = 0; d <= 8; d++) expect(degrees(hypercube(d))).toEqual(Array(2 ** d).fill(d));
  });

  test("a balanced tree is connected, with branching^depth leaves", () => {
    for (const branching of [2, 3, 7]) {
      const depth = 3;
      const tree = balancedTree(branching, depth).validate();
      expect(componentCount(tree)).toBe(1);
      expect(tree.edgeCount).toBe(tree.nodeCount - 1);
      expect(degrees(tree).filter((d) => d === 1)).toHaveLength(branching ** depth);
    }
  });
});

describe("an edge list", () => {
  test("makes the graph that the builder makes of it, loops apart", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 12 })
          .chain((n) =>
            fc.tuple(fc.constant(n), fc.array(fc.tuple(fc.nat(n - 1), fc.nat(n - 1)), { maxLength: 200 })),
          ),
        ([nodeCount, pairs]) => {
          const list = new EdgeList(nodeCount, 1);
          for (const [i, j] of pairs) list.push(i, j);
          const simple = pairs.filter(([i, j]) => i !== j);
          const { graph } = buildGraph({
            nodeCount,
            sources: simple.map(([i]) => i),
            targets: simple.map(([, j]) => j),
          });
          expect(bytes(list.toGraph())).toEqual(bytes(graph));
        },
      ),
    );
  });
});

describe("random families", () => {
  const families: Record<string, (n: number, p: number, seed: number) => Graph> = {
    randomTree: (n, _, seed) => randomTree(n, seed),
    erdosRenyi,
    barabasiAlbert: (n, p, seed) => barabasiAlbert(n, Math.round(8 * p), seed),
    wattsStrogatz: (n, p, seed) =>
      wattsStrogatz(n, 2 * Math.floor(Math.min(6, Math.max(0, n - 1)) / 2), p, seed),
    stochasticBlock: (n, p, seed) =>
      stochasticBlock(
        [n, 3, 0, n >> 1],
        [
          [p, 0.1, 1, 0],
          [0.1, 1, 0, 1 - p],
          [1, 0, 1, 0.5],
          [0, 1 - p, 0.5, p],
        ],
        seed,
      ),
    rmat: (n, _, seed) => rmat({ scale: n % 11, edges: 3 * n, seed }),
  };

  test.each(Object.entries(families))(
    "%s gives a valid graph without loops for every size and seed",
    (_, make) => {
      fc.assert(
        fc.property(size, chance, seeds, (n, p, seed) => {
          const graph = make(n, p, seed).validate();
          expect(graph.selfLoopCount).toBe(0);
        }),
      );
      for (const n of [0, 1, 2]) for (const p of [0, 0.5, 1]) make(n, p, 7).validate();
    },
  );

  test.each(Object.entries(families))("%s repeats its bits for a seed and not for another", (_, make) => {
    expect(bytes(make(50, 0.3, 11))).toEqual(bytes(make(50, 0.3, 11)));
    expect(bytes(make(50, 0.3, 11))).not.toEqual(bytes(make(50, 0.3, 12)));
    expect(bytes(make(50, 0.3, 11))).not.toEqual(bytes(make(50, 0.3, 11 + 2 ** 32)));
  });
});

describe("random trees", () => {
  test("are connected with n - 1 edges", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), seeds, (n, seed) => {
        const tree = randomTree(n, seed).validate();
        expect(tree.edgeCount).toBe(n - 1);
        expect(componentCount(tree)).toBe(1);
      }),
    );
    expect(randomTree(0, 1).nodeCount).toBe(0);
  });

  test("on four nodes are the 16 labelled trees, equally often", () => {
    const draws = 16_000;
    const seen = new Map<string, number>();
    for (let seed = 0; seed < draws; seed++) {
      const key = edgesOf(randomTree(4, seed)).join(" ");
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    expect(seen.size).toBe(16);
    const expected = draws / 16;
    const chiSquare = [...seen.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(37.7); // 0.999 quantile with 15 degrees of freedom
  });
});

describe("Erdős-Rényi graphs and block models", () => {
  test("p = 0 has no edges, p = 1 has all", () => {
    expect(erdosRenyi(30, 0, 1).edgeCount).toBe(0);
    expect(bytes(erdosRenyi(30, 1, 1))).toEqual(bytes(complete(30)));
    const bipartite = stochasticBlock(
      [4, 5],
      [
        [0, 1],
        [1, 0],
      ],
      3,
    );
    expect(bytes(bipartite)).toEqual(bytes(completeBipartite(4, 5)));
    expect(erdosRenyi(1000, Number.MIN_VALUE, 1).edgeCount).toBe(0);
  });

  test("the number of edges is within five standard deviations of its expectation", () => {
    const cases = Object.entries({ 300: 0.5, 301: 0.97, 2000: 0.01, 100000: 2e-5 });
    for (const [n, p] of cases.map(([key, p]) => [Number(key), p]))
      for (const seed of [1, 2, 3]) {
        const pairs = (n * (n - 1)) / 2;
        const sigma = Math.sqrt(pairs * p * (1 - p));
        expect(Math.abs(erdosRenyi(n, p, seed).edgeCount - pairs * p)).toBeLessThan(5 * sigma);
      }
  });

  test("every pair is equally likely", () => {
    const seen = new Map<string, number>();
    for (let seed = 0; seed < 8000; seed++)
      for (const edge of edgesOf(erdosRenyi(5, 0.3, seed))) seen.set(edge, (seen.get(edge) ?? 0) + 1);
    expect(seen.size).toBe(10);
    const sigma = Math.sqrt(8000 * 0.3 * 0.7);
    for (const count of seen.values()) expect(Math.abs(count - 2400)).toBeLessThan(5 * sigma);
  });

  test("the edges between each two blocks are within five standard deviations of their expectation", () => {
    const sizes = [300, 200, 500];
    const p = [
      [0.1, 0.02, 0.3],
      [0.02, 0.5, 0.01],
      [0.3, 0.01, 0.05],
    ];
    const blockOf = sizes.flatMap((count, r) => Array<number>(count).fill(r));
    for (const seed of [1, 2, 3]) {
      const counts = sizes.map(() => sizes.map(() => 0));
      stochasticBlock(sizes, p, seed)
        .validate()
        .forEachEdge((i, j) => counts[blockOf[i]][blockOf[j]]++);
      for (let r = 0; r < 3; r++)
        for (let s = r; s < 3; s++) {
          const pairs = r === s ? (sizes[r] * (sizes[r] - 1)) / 2 : sizes[r] * sizes[s];
          const sigma = Math.sqrt(pairs * p[r][s] * (1 - p[r][s]));
          expect(Math.abs(counts[r][s] - pairs * p[r][s])).toBeLessThan(5 * sigma);
        }
    }
  });
});

describe("Barabási-Albert graphs", () => {
  test("have exactly min(v, m) edges for each new node v, to earlier nodes", () => {
    fc.assert(
      fc.property(size, fc.integer({ min: 0, max: 8 }), seeds, (n, m, seed) => {
        const graph = barabasiAlbert(n, m, seed);
        const toEarlier = Array<number>(n).fill(0);
        graph.forEachEdge((_, j) => toEarlier[j]++);
        expect(toEarlier).toEqual(Array.from({ length: n }, (_, v) => Math.min(v, m)));
      }),
    );
    expect(barabasiAlbert(1000, 4, 1).edgeCount).toBe(10 + 995 * 4);
  });

  test("prefer nodes by their degree: the node after the first three follows the degrees 1, 2, 1", () => {
    // m = 1: nodes 0 - 1, then 2 joins one of them; node 3 joins the middle of that path with probability 1/2
    let middle = 0;
    for (let seed = 0; seed < 10_000; seed++)
      if (Math.max(...degrees(barabasiAlbert(4, 1, seed))) === 3) middle++;
    expect(Math.abs(middle - 5000)).toBeLessThan(5 * 50);
  });
});

describe("Watts-Strogatz graphs", () => {
  test("have exactly nk/2 edges", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(20), chance, seeds, (n, half, p, seed) => {
        const k = 2 * Math.min(half, Math.floor((n - 1) / 2));
        expect(wattsStrogatz(n, k, p, seed).validate().edgeCount).toBe((n * k) / 2);
      }),
    );
    expect(wattsStrogatz(20_000, 6, 1, 5).validate().edgeCount).toBe(60_000);
  });

  test("are the ring at p = 0, and move a share p of the edges otherwise", () => {
    expect(bytes(wattsStrogatz(9, 2, 0, 1))).toEqual(bytes(cycle(9)));
    expect(degrees(wattsStrogatz(9, 4, 0, 1))).toEqual(Array(9).fill(4));
    const ends = edgesOf(wattsStrogatz(10_000, 4, 0.3, 1)).map((edge) => edge.split("-").map(Number));
    const kept = ends.filter(([i, j]) => Math.min(j - i, 10_000 - j + i) <= 2).length;
    expect(Math.abs(kept - 14_000)).toBeLessThan(5 * Math.sqrt(20_000 * 0.3 * 0.7) + 15);
  });
});

describe("R-MAT graphs", () => {
  itAtSize(
    "choose the quadrants with the stated shares on every level, one level independent of the next",
    () => {
      const shares = [0.45, 0.25, 0.18, 0.12];
      const [a, b, c, d] = shares;
      const scale = 14; // not a multiple of the levels that one word decides
      const draws = 200_000;
      const { words } = rmatDraws({ scale, edges: draws, a, b, c, d, seed: 5 });
      for (let level = 0; level < scale; level++) {
        const counts = Array<number>(4).fill(0);
        const pairs = Array<number>(16).fill(0);
        const next = (level + 1) % scale;
        for (let e = 0; e < draws; e++) {
          const quadrant = (k: number) => 2 * ((words[2 * e] >>> k) & 1) + ((words[2 * e + 1] >>> k) & 1);
          counts[quadrant(level)]++;
          pairs[4 * quadrant(level) + quadrant(next)]++;
        }
        const near = (count: number, p: number) =>
          expect(Math.abs(count - draws * p)).toBeLessThan(5 * Math.sqrt(draws * p * (1 - p)));
        for (let q = 0; q < 4; q++) near(counts[q], shares[q]);
        for (let q = 0; q < 16; q++) near(pairs[q], shares[q >> 2] * shares[q & 3]);
      }
    },
  );

  test("never choose a quadrant of probability 0", () => {
    const lower = rmatDraws({ scale: 9, edges: 50_000, a: 0.5, b: 0, c: 0.5, d: 0, seed: 1 }).words;
    expect(lower.every((word, at) => at % 2 === 0 || word === 0)).toBe(true);
    expect(rmat({ scale: 6, edges: 100, a: 1, b: 0, c: 0, d: 0, seed: 1 }).edgeCount).toBe(0);
  });

  itAtSize("10^6 edges on 2^20 nodes are drawn, and few of them repeat", () => {
    const graph = rmat({ scale: 20, edges: 1_000_000, seed: 3 });
    expect(graph.validate().nodeCount).toBe(2 ** 20);
    expect(graph.edgeCount).toBeGreaterThan(950_000);
    expect(graph.edgeCount).toBeLessThanOrEqual(1_000_000);
    expect(Math.max(...graph.degrees().subarray(0, 16))).toBeGreaterThan(1000);
  });

  test("the largest scale keeps its numbers in range", () => {
    const { words } = rmatDraws({ scale: 30, edges: 1000, a: 0, b: 0, c: 0, d: 1, seed: 1 });
    expect(new Set(words)).toEqual(new Set([2 ** 30 - 1]));
  });
});

describe("bad arguments", () => {
  const calls: [string, () => unknown, RegExp][] = [
    ["path", () => path(-1), /path: number of nodes: got -1, expected/],
    ["cycle", () => cycle(2.5), /got 2.5/],
    ["star", () => star(Number.NaN), /got NaN/],
    ["complete", () => complete(1_000_000), /too many edges: got 499999500000/],
    ["completeBipartite", () => completeBipartite(2, -3), /second side: got -3/],
    ["grid", () => grid(1e6, 1e6), /too many nodes: got 1000000000000/],
    ["hypercube", () => hypercube(31), /dimension: got 31/],
    ["balancedTree", () => balancedTree(0, 2), /branching: got 0/],
    ["a deep balancedTree", () => balancedTree(2, 5000), /too many nodes: got Infinity/],
    ["randomTree", () => randomTree(5, -1), /seed: got -1/],
    ["erdosRenyi", () => erdosRenyi(5, 1.5, 1), /probability: got 1.5/],
    ["a dense erdosRenyi", () => erdosRenyi(1e6, 0.9, 1), /too many edges/],
    [
      "stochasticBlock's rows",
      () => stochasticBlock([1, 2], [[1]], 1),
      /rows of probabilities: got 1, expected 2/,
    ],
    [
      "stochasticBlock's columns",
      () => stochasticBlock([1, 2], [[1], [1, 1]], 1),
      /block 0: got 1, expected 2/,
    ],
    [
      "stochasticBlock's symmetry",
      () =>
        stochasticBlock(
          [1, 2],
          [
            [1, 0.5],
            [0.2, 1],
          ],
          1,
        ),
      /got 0.5 and 0.2/,
    ],
    ["barabasiAlbert", () => barabasiAlbert(5, -2, 1), /got -2/],
    ["wattsStrogatz's odd k", () => wattsStrogatz(9, 3, 0.1, 1), /got 3, expected an even number/],
    ["wattsStrogatz's large k", () => wattsStrogatz(4, 4, 0.1, 1), /got 4, expected an integer from 0 to 3/],
    ["rmat's sum", () => rmat({ scale: 3, edges: 5, a: 0.9, seed: 1 }), /a \+ b \+ c \+ d: got 1.33/],
    ["rmat's scale", () => rmat({ scale: 31, edges: 5, seed: 1 }), /scale: got 31/],
    [
      "rmat's options",
      () => rmat({ scale: 3, edges: 5, seed: 1, edge: 3 } as never),
      /unknown option of rmat: edge/,
    ],
  ];
  test.each(calls)("of %s are an error with the value", (_, call, text) => {
    expect(call).toThrow(text);
    try {
      call();
    } catch (error) {
      expect((error as GraphdosError).code).toBe("bad-call");
    }
  });
});
