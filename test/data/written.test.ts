/** Files that networkx, igraph and SciPy wrote (written.py), read and compared node by node and edge by edge. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openData } from "../../src/node/open.js";
import { hasModule, python, skippedWithout } from "../cli/kernel-support.js";

interface Written {
  file: string;
  nodes: string[];
  edges: [from: string, to: string, weight: number][];
  /** Null where the format does not tell. */
  directed: boolean | null;
}

const there = ["networkx", "igraph", "pydot", "scipy"].every(hasModule);
const ENDINGS =
  "gml graphml gexf net adjlist multiline_adjlist metis graph dot s6 g6 json txt edgelist ncol lgl mtx".split(
    " ",
  );

describe.skipIf(!there)(
  `files of networkx and igraph${skippedWithout(there, "networkx, igraph, pydot or SciPy")}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), "graphdos-written-"));
    let written: Written[] = [];
    beforeAll(() => {
      written = python(readFileSync(new URL("written.py", import.meta.url), "utf8"), folder);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each(ENDINGS)("of the format %s are read node by node and edge by edge", async (ending) => {
      const mine = written.filter(({ file }) => file.endsWith(`.${ending}`));
      expect(mine.length).toBeGreaterThan(2);
      for (const { file, nodes, edges, directed } of mine) {
        const set = await openData(join(folder, file));
        expect(set.graphs.length, file).toBe(1);
        const [graph] = set.graphs;
        const ids = set.nodeIds?.[0] ?? null;
        const called = (i: number) => String(ids === null ? i : ids[i]);
        expect(Array.from({ length: graph.nodeCount }, (_, i) => called(i)).sort(), file).toEqual(
          nodes.toSorted(),
        );
        const read: string[] = [];
        graph.forEachEdge((i, j, weight) => read.push(edgeText(called(i), called(j), weight)));
        expect(read.sort(), file).toEqual(edges.map((edge) => edgeText(...edge)).sort());
        const says = set.notes.some((note) => note.startsWith("directed edges were symmetrised"));
        if (edges.length > 0 && directed !== null)
          expect(says, `${file}: ${set.notes.join("; ")}`).toBe(directed);
      }
    });
  },
);

const edgeText = (u: string, v: string, weight: number) => `${[u, v].sort().join(" — ")}: ${weight}`;
