import { describe, expect, it } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { datasetAddress, findRegistered, registry, unknownSet } from "../../src/data/registry.js";

describe("the registry of data sets", () => {
  it("has each name once, whatever the capitals", () => {
    const names = registry.map((set) => set.name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });

  it("has names that are safe as file names and in addresses", () => {
    for (const { name } of registry) expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it("has figures that are possible", () => {
    for (const set of registry) {
      if (set.graphs !== null) expect(set.graphs, set.name).toBeGreaterThan(1);
      if (set.classes !== null) expect(set.classes, set.name).not.toBe(1);
      if (set.classes && set.graphs !== null) expect(set.classes, set.name).toBeLessThan(set.graphs);
      if (set.meanNodes !== null) expect(set.meanNodes, set.name).toBeGreaterThan(1);
      // every edge list of the collection has an average degree of at least 1
      if (set.meanEdges !== null) expect(set.meanEdges, set.name).toBeGreaterThan(set.meanNodes! / 2);
    }
  });

  it("gives the figures that were counted in the files themselves", () => {
    // lines of NAME_graph_labels.txt, their distinct values, lines of NAME_graph_indicator.txt and half those of NAME_A.txt, a graph
    const counted: [string, number, number, number, number][] = [
      ["REDDIT-BINARY", 2000, 2, 429.627, 497.754],
      ["REDDIT-MULTI-5K", 4999, 5, 508.5159, 594.8746],
      ["IMDB-BINARY", 1000, 2, 19.773, 96.531],
      ["IMDB-MULTI", 1500, 3, 13.0013, 65.9353],
      ["REDDIT-THREADS-10K", 10000, 2, 23.739, 24.6184],
      ["MUTAG", 188, 2, 17.9309, 19.7926],
      ["PROTEINS", 1113, 2, 39.0575, 72.8158],
    ];
    for (const [name, graphs, classes, nodes, edges] of counted) {
      const set = findRegistered(name)!;
      expect([set.graphs, set.classes], name).toEqual([graphs, classes]);
      expect(Math.abs(set.meanNodes! - nodes), name).toBeLessThanOrEqual(0.00501);
      expect(Math.abs(set.meanEdges! - edges), name).toBeLessThanOrEqual(0.00501);
    }
  });

  it("finds a set whatever the capitals, and nothing else", () => {
    expect(findRegistered("mutag")?.name).toBe("MUTAG");
    expect(findRegistered("Reddit-Binary")?.name).toBe("REDDIT-BINARY");
    expect(findRegistered("MUTA")).toBeNull();
    expect(findRegistered("")).toBeNull();
  });

  it("suggests the nearest name for an unknown one, and the list when none is near", () => {
    expect(unknownSet("MUTAGG")).toBeInstanceOf(GraphdosError);
    expect(unknownSet("MUTAGG").code).toBe("bad-call");
    expect(unknownSet("MUTAGG").message).toBe("unknown data set: MUTAGG; did you mean MUTAG?");
    expect(unknownSet("mutagg.zip").message).toContain("did you mean MUTAG?");
    expect(unknownSet("something else").message).toContain("graphdos datasets list");
  });

  it("gives the address in the public collection or in a mirror", () => {
    expect(datasetAddress("MUTAG")).toBe("https://www.chrsmrrs.com/graphkerneldatasets/MUTAG.zip");
    expect(datasetAddress("MUTAG", "http://localhost:1/tu")).toBe("http://localhost:1/tu/MUTAG.zip");
    expect(datasetAddress("MUTAG", "http://localhost:1/tu//")).toBe("http://localhost:1/tu/MUTAG.zip");
  });
});
