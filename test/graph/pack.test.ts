import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildGraph } from "../../src/graph/build.js";
import { packedRuns, packGraphs, unpackGraphs } from "../../src/graph/pack.js";
import { edgeInputs } from "./arbitrary.js";

describe("packed graphs", () => {
  it("come back as they were, in order", () => {
    fc.assert(
      fc.property(fc.array(edgeInputs, { maxLength: 6 }), (inputs) => {
        const graphs = inputs.map((input) => buildGraph(input).graph);
        const back = unpackGraphs(packGraphs(graphs));
        expect(back.map((g) => g.validate().shape)).toEqual(graphs.map((g) => g.shape));
        back.forEach((graph, k) => {
          expect(graph.targets).toEqual(graphs[k].targets);
          expect(graph.weights).toEqual(graphs[k].weights);
        });
        expect(new Uint8Array(packGraphs(back))).toEqual(new Uint8Array(packGraphs(graphs)));
      }),
    );
  });

  it("are the same graphs in runs of any length, each run but the last no shorter than asked", () => {
    fc.assert(
      fc.property(
        fc.array(edgeInputs, { maxLength: 6 }),
        fc.integer({ min: 1, max: 2000 }),
        (inputs, bytes) => {
          const graphs = inputs.map((input) => buildGraph(input).graph);
          const runs = [...packedRuns(graphs, bytes)].map((run) => unpackGraphs(run.buffer));
          expect(new Uint8Array(packGraphs(runs.flat()))).toEqual(new Uint8Array(packGraphs(graphs)));
          for (const run of runs.slice(0, -1))
            expect(run.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeGreaterThanOrEqual(bytes);
          expect([...packedRuns(graphs)].length).toBe(graphs.length === 0 ? 0 : 1);
        },
      ),
    );
  });

  it("are refused when they are something else", () => {
    expect(() => unpackGraphs(new ArrayBuffer(4))).toThrow("packed graphs: got NaN graphs in 4 bytes");
    expect(() => unpackGraphs(new Float64Array([3]).buffer)).toThrow(
      "packed graphs: got 3 graphs in 8 bytes",
    );
  });
});
