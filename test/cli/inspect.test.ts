import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { inspectionText } from "../../src/cli/inspect.js";
import { singleGraph } from "../../src/data/dataset.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import { inspectDataset } from "../../src/experiment/inspection.js";
import { emptyCleaning } from "../../src/graph/cleaning.js";
import { path } from "../../src/graph/generators/index.js";

const text = (dataset: Parameters<typeof inspectDataset>[0], columns?: number) =>
  inspectionText(inspectDataset(dataset), columns);

test("names the set, its sizes, classes, structure and how it was read", () => {
  const shown = text(syntheticDataset("threads", { graphs: 20 }));
  for (const part of [
    "synthetic:threads",
    "mean nodes",
    "Classes",
    "question",
    "Structure",
    "Reading and cleaning",
  ])
    expect(shown).toContain(part);
});

test("fits the terminal", () => {
  for (const columns of [60, 80, 100])
    for (const line of text(syntheticDataset("ego", { graphs: 30 }), columns).split("\n"))
      expect(stripVTControlCharacters(line).length, line).toBeLessThanOrEqual(columns);
});

test("of very many classes the largest are shown", () => {
  const dataset = syntheticDataset("threads", { graphs: 60 });
  const classes = Int32Array.from(dataset.graphs, (_, g) => (g < 10 ? 49 : g % 50));
  const classNames = Array.from({ length: 50 }, (_, c) => `kind-${c}`);
  const shown = stripVTControlCharacters(text({ ...dataset, classes, classNames }));
  expect(shown).toContain("kind-49");
  expect(shown).toContain("and 30 smaller classes");
});

test("a single graph is shown without the words for sets", () => {
  const shown = text(singleGraph("line", path(5), { ...emptyCleaning(), edgesRead: 4, oneWay: 4 }, []));
  expect(shown).toContain("The graph is connected.");
  expect(shown).not.toContain("mean nodes");
  expect(shown).not.toContain("isomorphic");
});

test("a name with control characters does not reach the terminal as such", () => {
  const dataset = { ...syntheticDataset("threads", { graphs: 4 }), name: "\u001b[2Jx", notes: ["\u001b[2J"] };
  expect(text(dataset)).not.toContain("\u001b[2J");
});
