import { describe, expect, it } from "vitest";
import { MOTIF_ROLES, motifRoles } from "../../src/experiment/motif-roles.js";
import { buildGraph } from "../../src/graph/build.js";
import { complete, path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";

const roles = (graph: Graph) => Array.from(motifRoles(graph), (role) => MOTIF_ROLES[role]);
const graphOf = (nodeCount: number, ...edges: [number, number][]) =>
  buildGraph({ nodeCount, sources: edges.map(([i]) => i), targets: edges.map(([, j]) => j) }).graph;

describe("the roles of nodes in motifs", () => {
  it("of no node, and of nodes without an edge: none", () => {
    expect(roles(graphOf(0))).toEqual([]);
    expect(roles(graphOf(2))).toEqual(["none", "none"]);
  });

  it("the leaves of a star are leaf twins, its hub is nothing", () => {
    expect(roles(star(3)).sort()).toEqual(["leaf twins", "leaf twins", "leaf twins", "none"].sort());
  });

  it("the nodes of a complete graph are clique twins", () => {
    expect(new Set(roles(complete(4)))).toEqual(new Set(["clique twins"]));
    expect(roles(complete(2))).toEqual(["clique twins", "clique twins"]);
  });

  it("two nodes with the same two neighbours are open twins", () => {
    // 0 and 1 see 2 and 3; 2 and 3 differ by the chain at 3
    expect(roles(graphOf(5, [0, 2], [0, 3], [1, 2], [1, 3], [3, 4]))).toEqual([
      ...["open twins", "open twins", "none", "none", "pendant"],
    ]);
  });

  it("a chain that hangs on a triangle is pendant, all of it", () => {
    expect(roles(graphOf(6, [0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 5]))).toEqual([
      ...["clique twins", "clique twins", "none", "pendant", "pendant", "pendant"],
    ]);
  });

  it("in a tree only the leaves hang", () => {
    expect(roles(path(5))).toEqual(["pendant", "none", "none", "none", "pendant"]);
  });
});
