import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeMarkdown, reproductionMarkdown, shortTable } from "../../src/report/reproduction-markdown.js";
import { reproductionFiles } from "../../src/report/reproduction-tables.js";
import { cell, EMPTY, EVIL, everyStringReplaced, madeUp, SETS } from "./made-up-reproduction.js";

const lines = (text: string) => text.split("\n");
const headings = (text: string) => lines(text).filter((line) => /^#{1,2} /.test(line));
/** Columns of a line of a table: bars that no backslash escapes. */
const columns = (line: string) => line.split(/(?<!\\)\|/).length - 2;

describe("the report as Markdown", () => {
  const text = reproductionMarkdown(madeUp());

  test("has the parts of the page and where it comes from", () => {
    expect(headings(text)).toEqual([
      "# Density of states graph kernels: the paper, reproduced",
      "## Aims",
      "## Table 1: accuracies",
      "## What was chosen most often",
      "## Accuracy and the number of moments",
      "## Time and the number of edges",
      "## Error analysis",
      "## Ablation",
      "## Data sets",
      "## What was left out",
      "## Time and disk",
      "## Where this comes from",
    ]);
    expect(text).toContain("```sh\ngraphdos reproduce --out results/ --repeats 10\n```");
  });

  test("every figure it names is a file beside it, and every figure is named", () => {
    const named = [...text.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file]) => file);
    const drawn = reproductionFiles(madeUp())
      .map(({ name }) => name)
      .filter((name) => name.endsWith(".svg"));
    expect(named).toEqual(drawn);
    expect(drawn).toEqual([1, 2, 3, 4, 5, 6].map((k) => `figure-${k}.svg`));
  });

  test("tables are rectangular", () => {
    const rows = lines(text).map((line) => (line.startsWith("|") ? columns(line) : 0));
    rows.forEach((count, k) => {
      if (count > 0 && rows[k - 1] > 0) expect(count).toBe(rows[k - 1]);
    });
    expect(rows.filter((count) => count > 0).length).toBeGreaterThan(60);
  });

  test("nothing is missing or made of nothing", () => {
    for (const result of [madeUp(), madeUp(EMPTY)])
      expect(reproductionMarkdown(result)).not.toMatch(/undefined|NaN|Infinity|\[object/);
    expect(headings(reproductionMarkdown(madeUp(EMPTY))).length).toBe(2);
  });
});

describe("text from data in Markdown", () => {
  test("makes no HTML, no heading and no column", () => {
    const clean = reproductionMarkdown(madeUp());
    const evil = reproductionMarkdown(everyStringReplaced(madeUp({ command: "x" }), EVIL));
    const [before, command] = evil.split("```sh");
    expect(before.replaceAll(/<\/?(?:br|sub|sup)>/g, "")).not.toMatch(/<[a-z/!]/i);
    expect(command).toContain(EVIL);
    expect(headings(before).slice(1)).toEqual(headings(clean).slice(1));
  });

  test("is what it was, read back: backslashes before signs, three entities, one line", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("ab_*|<>&`[]\\~$#+-1.) ")) }), (text) => {
        const escaped = escapeMarkdown(text);
        expect(escaped).not.toMatch(/[<>\n]/);
        expect(escaped.replaceAll(/\\./g, "")).not.toMatch(/[*`[\]|~$\\]/);
        const back = escaped
          .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
          .replaceAll("&lt;", "<")
          .replaceAll("&gt;", ">")
          .replaceAll("&amp;", "&");
        expect(back).toBe(text);
      }),
    );
  });

  test("signs that mean something are escaped, underscores inside of words are not", () => {
    expect(escapeMarkdown("RetGK_I _x_ a|b *c* [d](e) `f`")).toBe(
      "RetGK_I \\_x\\_ a\\|b \\*c\\* \\[d\\](e) \\`f\\`",
    );
    expect(escapeMarkdown("1. a")).toBe("1\\. a");
    expect(escapeMarkdown("# a\n- b")).toBe("\\# a - b");
  });

  test("the fence of the command is longer than any in it", () => {
    const text = reproductionMarkdown(madeUp({ command: "a ```` b" }));
    expect(text).toContain("`````sh\na ```` b\n`````");
  });
});

describe("the short table", () => {
  const table = (experiment: "table" | "ours", row: string, mean: number, paper: number | null) => ({
    ...{ experiment, title: experiment === "ours" ? "Ours" : "", about: "", rows: [row], sets: ["B", "A"] },
    cells: ["B", "A"].map((set, k) =>
      cell(row, set, mean + k / 10, {
        paper: paper === null ? null : { mean: paper + k / 10, std: k === 0 ? null : 0.002 },
      }),
    ),
  });
  const sets = ["A", "B"].map((name) => ({ ...madeUp().sets[0], name }));

  test("has LDOS+DOS as in the paper, ours and the paper's, in the order of the sets", () => {
    const tables = [table("table", "LDOS+DOS", 0.7, 0.72), table("ours", "dos+ldos", 0.75, null)];
    expect(shortTable(madeUp({ sets, tables }))).toBe(
      [
        "| LDOS+DOS, accuracy (%) | A | B |",
        "| --- | ---: | ---: |",
        "| as in the paper | 80.00 ± 0.31 | 70.00 ± 0.31 |",
        "| ours | 85.00 ± 0.31 | 75.00 ± 0.31 |",
        "| the paper's | 82.00 ± 0.20 | 72.00 |",
        "",
      ].join("\n"),
    );
  });

  test("names the best row of all blocks, whose ever it is, and has size alone and the ceiling beside it", () => {
    const baselines = {
      ...{ experiment: "baselines" as const, title: "Baselines", about: "" },
      ...{ rows: ["WL", "size alone"], sets: ["A", "B"] },
      cells: [cell("WL", "A", 0.9), cell("WL", "B", 0.6), cell("size alone", "A", 0.55)],
    };
    const ceilings = sets.map((set, k) => ({ ...set, ceiling: 0.95 - k / 10 }));
    const text = shortTable(
      madeUp({ sets: ceilings, tables: [table("ours", "LDOS+DOS", 0.75, null), baselines] }),
    );
    expect(lines(text).slice(3, 6)).toEqual([
      "| the best of all rows | 90.00 ± 0.31 (WL, baselines) | 75.00 ± 0.31 (LDOS+DOS, ours) |",
      "| size alone | 55.00 ± 0.31 | – |",
      "| ceiling | 95.00 | 85.00 |",
    ]);
  });

  test("leaves out what is not there, and is empty without LDOS+DOS", () => {
    const ours = shortTable(madeUp({ sets, tables: [table("ours", "LDOS+DOS", 0.75, null)] }));
    expect(lines(ours).length).toBe(4);
    expect(shortTable(madeUp({ sets, tables: [table("table", "RetGK_I+DOS", 0.7, 0.7)] }))).toBe("");
    expect(shortTable(madeUp(EMPTY))).toBe("");
  });

  test("has a column for each set of the made-up result", () => {
    expect(columns(lines(shortTable(madeUp()))[0])).toBe(1 + SETS.length);
  });
});
