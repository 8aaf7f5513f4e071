import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import type { Reproduction } from "../../src/experiment/reproduction/types.js";
import { reproductionReport } from "../../src/report/reproduction-report.js";
import { reproductionFiles } from "../../src/report/reproduction-tables.js";
import { cell, EMPTY, EVIL, everyStringReplaced, madeUp } from "./made-up-reproduction.js";

const open = (page: string) => parseHTML(page).document;
const words = (node: { textContent: string | null }) => node.textContent!.replace(/\s+/g, " ").trim();
const titles = (page: string) => [...open(page).querySelectorAll("h2")].map(words);

describe("the report of a reproduction", () => {
  const page = reproductionReport(madeUp());
  const document = open(page);

  test("needs nothing from outside and holds no script", () => {
    expect(document.querySelectorAll("script, link, iframe, img").length).toBe(0);
    expect(page).not.toMatch(/@import|url\((?!#)|(?:src|href)="(?!#)/);
  });

  test("has every part in its place", () => {
    expect(titles(page)).toEqual([
      "Aims",
      "Table 1: accuracies",
      "What was chosen most often",
      "Accuracy and the number of moments",
      "Time and the number of edges",
      "Error analysis",
      "Ablation",
      "Data sets",
      "What was left out",
      "Time and disk",
    ]);
  });

  test("has sets, repeats, aims and time in front", () => {
    const cards = [...document.querySelectorAll(".card")].map(words).join("|");
    expect(cards).toContain("data sets621,000 graphs");
    expect(cards).toContain("repeats10 × 10 folds");
    expect(cards).toContain("aims held1 of 21 missed");
    expect(cards).toContain("time32 min 55 s1 of 2 steps from the cache");
  });

  test("tells machine, versions, seed, protocol and command", () => {
    const foot = words(document.querySelector("footer")!);
    for (const part of ["graphdos 9.8.7", "2026-01-02", "Some CPU 3000, 2 cores", "15.6 GiB", "Node 20.1.2"])
      expect(foot).toContain(part);
    for (const part of [
      "Seed7",
      "10 times with new splits",
      "0.001, 0.01, 0.1, 1, 10, 100, 1000",
      "--repeats 10",
    ])
      expect(foot).toContain(part);
  });

  test("draws six figures, each with a title, a caption and a description for those who do not see it", () => {
    const figures = [...document.querySelectorAll("figure")];
    expect(figures.length).toBe(6);
    for (const figure of figures) {
      expect(words(figure.querySelector("svg > title")!).length).toBeGreaterThan(20);
      expect(words(figure.querySelector("figcaption")!).length).toBeGreaterThan(40);
      expect(figure.parentElement!.querySelector("h3")!.textContent).toMatch(/^Figure \d\. /);
    }
  });

  test("says how many repeats the figures have, where they are fewer", () => {
    const { protocol } = madeUp();
    const caption = (figureRepeats?: number) =>
      words(
        open(reproductionReport(madeUp({ protocol: { ...protocol, figureRepeats } }))).querySelector(
          "figcaption",
        )!,
      );
    expect(caption()).toContain("means over 10 repeats");
    expect(caption(3)).toContain("means over 3 repeats");
    expect(caption(1)).toContain("one standard deviation over folds");
  });

  test("is the same when made again, and writes no value that is missing", () => {
    expect(reproductionReport(madeUp())).toBe(page);
    expect(page).not.toMatch(/undefined|NaN|Infinity|\[object|>null</);
  });
});

describe("Table 1", () => {
  const table = {
    ...{
      experiment: "table" as const,
      title: "As in the paper",
      about: "About.",
      rows: ["DOS", "LDOS", "WL"],
    },
    sets: ["A", "B"],
    cells: [
      cell("DOS", "A", 0.8, {
        paper: { mean: 0.79, std: 0.002 },
        deviations: 5,
        knownDifferences: "a reason.",
      }),
      cell("LDOS", "A", 0.9, {
        paper: { mean: 0.91, std: 0.004 },
        deviations: -2.5,
        knownDifferences: "a reason.",
      }),
      cell("DOS", "B", 0.7, { paper: { mean: 0.7, std: null } }),
      cell("LDOS", "B", 0.6, { paper: { mean: 0.61, std: 0.005 }, deviations: -2 }),
    ],
  };
  const document = open(reproductionReport(madeUp({ ...EMPTY, tables: [table] })));
  const shown = document.querySelector("table")!;
  const rows = [...shown.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")]);

  test("has ours, and the paper's number below", () => {
    expect(rows.map((row) => row.map((field) => words(field.querySelector("b, span") ?? field)))).toEqual([
      ["DOS", "80.00 ± 0.31", "70.00 ± 0.31"],
      ["LDOS", "90.00 ± 0.31", "60.00 ± 0.31"],
      ["WL", "–", "–"],
    ]);
    expect(
      rows.slice(0, 2).map((row) => row.slice(1).map((field) => words(field.querySelector("small")!))),
    ).toEqual([
      ["▲1 79.00 ± 0.20", "70.00"],
      ["▼1 91.00 ± 0.40", "61.00 ± 0.50"],
    ]);
  });

  test("ends with the ceiling of each set, where that is known", () => {
    const sets = [{ ...madeUp().sets[0], name: "B", ceiling: 0.8861 }];
    const page = open(reproductionReport(madeUp({ ...EMPTY, sets, tables: [table] })));
    const last = [...page.querySelector("table")!.querySelectorAll("tbody tr")].at(-1)!;
    expect([...last.querySelectorAll("td")].map(words)).toEqual(["ceiling", "–", "88.61"]);
  });

  test("has the best of each column bold, and nothing else", () => {
    expect(rows.map((row) => row.map((field) => field.querySelector("b") !== null))).toEqual([
      [false, false, true],
      [false, true, false],
      [false, false, false],
    ]);
  });

  test("marks what is not distinguishable from the best, and says by which test", () => {
    const cells = [
      cell("DOS", "A", 0.8, { pOfDifference: 0.051 }),
      cell("LDOS", "A", 0.9),
      cell("WL", "A", 0.7, { pOfDifference: 0.049 }),
    ];
    const page = open(reproductionReport(madeUp({ ...EMPTY, tables: [{ ...table, sets: ["A"], cells }] })));
    const fields = [...page.querySelector("table")!.querySelectorAll("tbody td:nth-child(2)")].map(words);
    expect(fields).toEqual(["80.00 ± 0.31 ≈", "90.00 ± 0.31", "70.00 ± 0.31"]);
    expect(words(page.querySelector("body")!)).toContain("≈ marks what is not distinguishable from the best");
    expect(words(document.querySelector("body")!)).not.toContain("≈");
  });

  test("says once what is different in several cells, and marks only what is more than two deviations away", () => {
    const notes = [...document.querySelectorAll("ol.footnotes li")].map(words);
    expect(notes).toEqual(["DOS on A (+5.0 σ); LDOS on A (−2.5 σ): a reason."]);
  });

  test("a difference of which nothing is known is marked all the same", () => {
    const bare = {
      ...table,
      cells: [cell("DOS", "A", 0.8, { paper: { mean: 0.7, std: 0.01 }, deviations: 10 })],
    };
    const page = reproductionReport(madeUp({ ...EMPTY, tables: [bare] }));
    expect(page).toContain("DOS on A (+10.0 σ): no difference is known");
  });

  test("one repeat has no standard deviation", () => {
    const single = cell("DOS", "A", 0.8, {
      accuracy: { mean: 0.8, std: 0, perRepeat: [0.8], foldStd: 0.03, perFold: [] },
    });
    const page = reproductionReport(madeUp({ ...EMPTY, tables: [{ ...table, cells: [single] }] }));
    expect(page).not.toContain("± 0.00");
    expect(page).toContain("One repeat alone has no standard deviation");
  });

  test("ties are bold together", () => {
    const tie = { ...table, cells: [cell("DOS", "A", 0.8), cell("LDOS", "A", 0.80001)] };
    const again = open(reproductionReport(madeUp({ ...EMPTY, tables: [tie] })));
    expect(again.querySelectorAll("table")[0].querySelectorAll("td b").length).toBe(2);
  });
});

describe("less than everything", () => {
  test("nothing at all gives no part, and no file but the page, its Markdown and the data", () => {
    const result = madeUp(EMPTY);
    expect(titles(reproductionReport(result))).toEqual([]);
    expect(reproductionFiles(result).map(({ name }) => name)).toEqual([
      "reproduction.html",
      "reproduction.md",
      "reproduction.json",
    ]);
    expect(reproductionReport(result)).not.toMatch(/undefined|NaN|Infinity/);
  });

  const parts: [keyof Reproduction, string[]][] = [
    ["tables", ["Table 1: accuracies", "What was chosen most often"]],
    ["moments", ["Accuracy and the number of moments"]],
    ["scaling", ["Time and the number of edges"]],
    ["errors", ["Error analysis"]],
    ["ablation", ["Ablation"]],
    ["aims", ["Aims"]],
    ["sets", ["Data sets"]],
    ["leftOut", ["What was left out"]],
    ["stages", ["Time and disk"]],
  ];
  test.each(parts)("%s alone gives its own part alone", (name, expected) => {
    const page = reproductionReport(madeUp({ ...EMPTY, [name]: madeUp()[name] }));
    expect(titles(page)).toEqual(expected);
    expect(page).not.toMatch(/undefined|NaN|Infinity/);
  });

  test("tables and curves that hold no number yet give no part", () => {
    const empty = {
      tables: madeUp().tables.map((table) => ({ ...table, cells: [] })),
      moments: madeUp().moments.map((curve) => ({ ...curve, points: [] })),
      errors: { points: [], conditions: [] },
    };
    expect(titles(reproductionReport(madeUp({ ...EMPTY, ...empty })))).toEqual([]);
  });

  test("a single point in every figure, also one that a logarithmic axis cannot hold", () => {
    const { scaling, errors, ablation, moments } = madeUp();
    for (const zero of [1, 0]) {
      const page = reproductionReport(
        madeUp({
          scaling: [{ ...scaling[0], dosSeconds: zero, ldosSeconds: zero }],
          errors: {
            points: [{ ...errors!.points[0], rms: zero, largest: zero }],
            conditions: [{ moments: 1, twoNorm: zero, skeel: zero }],
          },
          ablation: ablation.slice(-1),
          moments: [{ ...moments[0], points: [{ set: "A", moments: 50, mean: zero, std: 0 }] }],
        }),
      );
      expect(page).not.toMatch(/undefined|NaN|Infinity/);
    }
  });

  test("hundreds of steps are told by their stage, hundreds of omissions are cut", () => {
    const stages = Array.from({ length: 300 }, (_, k) => ({
      ...{ name: `${k < 200 ? "table" : "ablation"}: step ${k}`, seconds: k, cached: k % 2 === 0 },
    }));
    const leftOut = Array.from({ length: 100 }, (_, k) => `omission ${k}`);
    const document = open(reproductionReport(madeUp({ ...EMPTY, stages, leftOut })));
    const [all, slowest] = [...document.querySelectorAll("table")].map((table) =>
      [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")].map(words)),
    );
    expect(all).toEqual([
      ["table", "200", "100", "5 h 32 min"],
      ["ablation", "100", "50", "6 h 56 min"],
      ["all", "300", "150", "12 h 28 min"],
    ]);
    expect(slowest[0]).toEqual(["ablation: step 299", "4 min 59 s"]);
    const sentences = [...document.querySelectorAll("ul.sentences li")].map(words);
    expect(sentences.length).toBe(41);
    expect(sentences[40]).toContain("60 more");
  });
});

describe("strings from data", () => {
  test("are escaped wherever they stand", () => {
    const page = reproductionReport(everyStringReplaced(madeUp(), EVIL));
    expect(page).not.toMatch(/<script|<img/i);
    expect(open(page).querySelectorAll("script, img").length).toBe(0);
    expect(open(page).body.textContent).toContain(EVIL);
  });

  test("a single set of an evil name stays text", () => {
    const { tables } = madeUp();
    const evil = tables.map((table) => ({
      ...table,
      sets: table.sets.map((set) => (set === "COLLAB" ? "<script>" : set)),
      cells: table.cells.map((one) => (one.set === "COLLAB" ? { ...one, set: "<script>" } : one)),
    }));
    const page = reproductionReport(madeUp({ tables: evil }));
    expect(open(page).querySelectorAll("script").length).toBe(0);
    expect([...open(page).querySelectorAll("th")].map(words)).toContain("<script>");
  });
});
