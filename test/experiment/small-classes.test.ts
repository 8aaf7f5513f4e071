import { describe, expect, it } from "vitest";
import { inlineExecutor } from "../../src/compute/executor.js";
import { memoryStore } from "../../src/compute/store.js";
import type { Dataset } from "../../src/data/dataset.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import { evaluate } from "../../src/experiment/evaluation.js";
import { protocolByName } from "../../src/experiment/protocols.js";
import { sizeAlone } from "../../src/experiment/size-alone.js";
import { buildGraph } from "../../src/graph/build.js";
import { fitModel, predictGraphs } from "../../src/model/model.js";

const executor = inlineExecutor();

/** Stars for class b, paths for all others, of 5 to 8 nodes. */
function setOf(names: string): Dataset {
  const classNames = [...new Set(names)].sort();
  const graphs = Array.from(names, (name, k) => {
    const nodeCount = 5 + (k % 4);
    const targets = Array.from({ length: nodeCount - 1 }, (_, i) => i + 1);
    const sources = targets.map((i) => (name === "b" ? 0 : i - 1));
    return buildGraph({ nodeCount, sources, targets }).graph;
  });
  const classes = Int32Array.from(names, (name) => classNames.indexOf(name));
  return { ...syntheticDataset("threads", { graphs: 4 }), name: "small", graphs, classes, classNames };
}
const options = { kernels: [{ name: "dos" }], profile: { moments: 10 }, executor };

describe("small classes and small sets", () => {
  for (const classifier of ["svm", "1nn"] as const)
    it.each(["aaaaaaaaaaaabb", "aaaaaaaaaaaab", "aaaaaaccccccb", "ababab", "abb", "ab"])(
      `are evaluated with ${classifier}: %s`,
      async (names) => {
        const set = setOf(names);
        const protocol = protocolByName("paper", { repeats: 2, classifier });
        const result = await evaluate(set, { ...options, protocol });
        const [{ predictions }] = result.results;
        expect(predictions.map((row) => row.length)).toEqual([names.length, names.length]);
        for (const row of predictions) for (const c of row) expect(set.classNames[c]).toBeDefined();
        // a class that the training part lacks is never answered
        if (names.indexOf("b") === names.lastIndexOf("b")) {
          const only = names.indexOf("b");
          for (const row of predictions) expect(set.classNames[row[only]]).not.toBe("b");
          expect(result.warnings).toContain(
            "class b has 1 graph: when it is tested, nothing has been learnt of its class",
          );
        }
        expect(result.protocol.folds).toBe(Math.min(10, names.length));
        if (names.length < 10)
          expect(result.warnings).toContain(
            `${names.length} graphs make no more than ${names.length} folds: 10 were asked for`,
          );
        expect(result.warnings.join(" ")).not.toMatch(/class \d|stratifiedFolds/);
      },
    );

  it("are named by their names in warnings, once", async () => {
    const protocol = protocolByName("quick", { repeats: 3 });
    const { warnings } = await evaluate(setOf("aaaaaaaaaaaabbb"), { ...options, protocol });
    expect(warnings.filter((text) => text.includes("class b"))).toEqual([
      "class b has 3 graphs, fewer than the 10 folds: some folds test none of it",
    ]);
  });

  it("have the row of size alone with the folds that they allow, by itself as in an evaluation", async () => {
    const set = { ...setOf("ababab"), classes: setOf("ababab").classes! };
    const store = memoryStore();
    const protocol = protocolByName("paper", { repeats: 2 });
    const { sizeAlone: row } = await evaluate(set, { ...options, protocol, store });
    expect(row!.accuracy.perFold).toHaveLength(2 * 6);
    expect(await sizeAlone(set, { protocol, executor, store, keptOnly: true })).toEqual(row);
  });

  it("with copies in one fold: as many folds as there are graphs that differ", async () => {
    const protocol = protocolByName("quick", { grouped: true });
    const { protocol: used, warnings } = await evaluate(setOf("abababababab"), { ...options, protocol });
    // four paths and four stars, of which half of the sizes occur
    expect(used.folds).toBe(4);
    expect(warnings).toContain("4 graphs that differ make no more than 4 folds: 10 were asked for");
    const same = { ...setOf("ababababab"), graphs: setOf("aaaaaaaaaa").graphs.map((_, __, all) => all[0]) };
    await expect(evaluate(same, { ...options, protocol })).rejects.toThrow(
      "small: all graphs are copies of one: with copies in one fold there is nothing to test",
    );
  });

  it.each(["aaaaaaaaaaaab", "aab", "ab", "ababab", "aaaccb"])("make a model: %s", async (names) => {
    for (const probability of [false, true]) {
      const set = setOf(names);
      const model = await fitModel(set, { profile: { moments: 10 }, executor, probability });
      const { classes } = await predictGraphs(model, set, { executor });
      expect(classes).toHaveLength(names.length);
    }
  });
});
