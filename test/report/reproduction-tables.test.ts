import { describe, expect, test } from "vitest";
import { textSource } from "../../src/data/bytes.js";
import { readCsv } from "../../src/data/csv.js";
import { parseXml } from "../../src/data/xml.js";
import { reproductionFiles, reproductionTables } from "../../src/report/reproduction-tables.js";
import { cell, EMPTY, EVIL, everyStringReplaced, madeUp } from "./made-up-reproduction.js";

/** The rows of a CSV as records. */
async function records(name: string, result = madeUp()): Promise<Record<string, string>[]> {
  const { content } = reproductionTables(result).find((file) => file.name === name)!;
  const [head, ...rows] = await readCsv(textSource(name, content), []);
  for (const row of rows) expect(row.fields.length).toBe(head.fields.length);
  return rows.map(({ fields }) => Object.fromEntries(head.fields.map((key, k) => [key, fields[k]])));
}

describe("the CSV files", () => {
  test("table.csv has every cell, its numbers to the bit", async () => {
    const { tables } = madeUp();
    const expected = tables.flatMap(({ experiment, cells }) =>
      cells.map(({ row, set, accuracy, paper, deviations }) => [
        ...[experiment, row, set, accuracy.mean, accuracy.std],
        ...[paper?.mean ?? null, paper?.std ?? null, deviations],
      ]),
    );
    const number = (text: string) => (text === "" ? null : Number(text));
    const found = (await records("table.csv")).map((row) => [
      ...[row.experiment, row.row, row.set, number(row.accuracy), number(row.std)],
      ...[number(row.paper), number(row.paper_std), number(row.deviations)],
    ]);
    expect(found).toEqual(expected);
  });

  test("table.csv has the choices with how often each was made", async () => {
    const table = { ...madeUp().tables[0], cells: [cell("DOS", "A", 0.5)] };
    const [row] = await records("table.csv", madeUp({ tables: [table] }));
    expect(row.chosen).toBe("C=10 p=1 (61); C=100 p=2 (22)");
  });

  test("the other files have every point, their numbers to the bit", async () => {
    const result = madeUp();
    const numbers = (rows: Record<string, string>[], ...keys: string[]) =>
      rows.map((row) => keys.map((key) => Number(row[key])));
    expect(numbers(await records("moments.csv"), "figure", "moments", "accuracy", "std")).toEqual(
      result.moments.flatMap(({ figure, points }) => points.map((p) => [figure, p.moments, p.mean, p.std])),
    );
    expect(numbers(await records("scaling.csv"), "nodes", "edges", "dos_seconds", "ldos_seconds")).toEqual(
      result.scaling.map((p) => [p.nodes, p.edges, p.dosSeconds, p.ldosSeconds]),
    );
    expect(numbers(await records("errors.csv"), "probes", "rms", "largest")).toEqual(
      result.errors!.points.map((p) => [p.probes, p.rms, p.largest]),
    );
    expect(numbers(await records("conditions.csv"), "moments", "two_norm", "skeel")).toEqual(
      result.errors!.conditions.map((p) => [p.moments, p.twoNorm, p.skeel]),
    );
    const ablation = await records("ablation.csv");
    expect(numbers(ablation, "accuracy", "std")).toEqual(
      result.ablation.map(({ accuracy }) => [accuracy.mean, accuracy.std]),
    );
    expect(ablation.map(({ difference }) => difference === "")).toEqual(
      result.ablation.map(({ difference }) => difference === null),
    );
  });

  test("names with commas, quotes and line ends come back as they were", async () => {
    const rows = await records("ablation.csv", everyStringReplaced(madeUp(), `a,"b"\n;c`));
    expect(rows.length).toBe(madeUp().ablation.length);
    for (const row of rows) expect([row.factor, row.set]).toEqual([`a,"b"\n;c`, `a,"b"\n;c`]);
  });

  test("what is unknown is an empty field, never a word", () => {
    const table = {
      ...madeUp().tables[0],
      cells: [cell("DOS", "A", Number.NaN, { paper: { mean: 0.5, std: null }, chosen: [] })],
    };
    const text = reproductionTables(madeUp({ tables: [table] }))
      .map(({ content }) => content)
      .join("\n");
    expect(text).not.toMatch(/undefined|NaN|null|Infinity/);
  });

  test("a part without data has no file", () => {
    expect(reproductionTables(madeUp(EMPTY))).toEqual([]);
  });
});

describe("the files of a reproduction", () => {
  test("are the page, the Markdown, the data, six tables and six figures", () => {
    const files = reproductionFiles(madeUp());
    expect(files.map(({ name }) => name)).toEqual([
      ...["reproduction.html", "reproduction.md", "reproduction.json", "table.csv", "moments.csv"],
      ...["scaling.csv", "errors.csv", "conditions.csv", "ablation.csv", "tottering.csv"],
      ...[1, 2, 3, 4, 5, 6].map((k) => `figure-${k}.svg`),
    ]);
    expect(JSON.parse(files[2].content)).toEqual(madeUp());
  });

  test("two curves of one figure are two files", () => {
    const { moments } = madeUp();
    const names = reproductionFiles(madeUp({ ...EMPTY, moments: [moments[0], moments[0]] })).map(
      ({ name }) => name,
    );
    expect(names.filter((name) => name.endsWith(".svg"))).toEqual(["figure-1.svg", "figure-1-2.svg"]);
  });

  test.each([
    ["as made up", madeUp()],
    ["with evil names", everyStringReplaced(madeUp(), `${EVIL}\u0001\u00a0`)],
  ])("figures %s are well-formed XML on white that needs no page", async (_, result) => {
    const figures = reproductionFiles(result).filter(({ name }) => name.endsWith(".svg"));
    expect(figures.length).toBe(6);
    for (const { name, content } of figures) {
      const elements: string[] = [];
      let text = "";
      await parseXml(textSource(name, content), {}, () => ({
        open: (element) => elements.push(element),
        close: () => undefined,
        text: (part) => {
          text += part;
        },
      }));
      expect(elements[0]).toBe("svg");
      expect(elements.slice(1, 3)).toEqual(["title", "rect"]);
      expect(elements).not.toContain("script");
      expect(content).toContain('<rect width="100%" height="100%" fill="#ffffff"/>');
      expect(content).not.toMatch(/var\(--series|undefined|NaN|Infinity|&nbsp;/);
      expect(content.match(/[\p{Cc}]/gu)?.filter((letter) => letter !== "\n") ?? []).toEqual([]);
      expect(text.length).toBeGreaterThan(20);
    }
  });
});
