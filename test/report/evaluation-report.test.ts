import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { evaluationPictures } from "../../src/experiment/evaluation-pictures.js";
import type { EvaluationResult, KernelResult } from "../../src/experiment/evaluation-types.js";
import { evaluationReport } from "../../src/report/evaluation-report.js";

const EVIL = `<script>alert("1")</script>`;

function kernel(name: string, mean: number, changes: Partial<KernelResult> = {}): KernelResult {
  return {
    kernel: name,
    title: `title of ${name}`,
    accuracy: { mean, std: 0.012, perRepeat: [mean - 0.012, mean + 0.012], foldStd: 0.034, perFold: [] },
    balancedAccuracy: mean - 0.02,
    confusion: [
      [45, 15],
      [4, 36],
    ],
    chosen: [
      { point: { p: 1, damping: "jackson" }, C: 10, times: 3 },
      { point: { p: 2, damping: "jackson" }, C: 1, times: 1 },
    ],
    perFold: [],
    predictions: [],
    seconds: { profile: 1, signature: 0.5, gram: 0.25, svm: 2 },
    fits: 120,
    capped: 0,
    largestGap: 0,
    notes: [],
    ...changes,
  };
}

function evaluation(changes: Partial<EvaluationResult> = {}): EvaluationResult {
  return {
    dataset: "TOY",
    graphs: 50,
    classNames: ["yes", "no"],
    classCounts: [30, 20],
    protocol: { name: "paper", repeats: 2, folds: 10, inner: 5, Cs: [0.1, 1, 10], seed: 7, grouped: false },
    results: [kernel("dos", 0.81), kernel("dos+ldos", 0.85), kernel("wl", 0.7)],
    comparisons: [{ first: "dos+ldos", second: "dos", difference: 0.012, t: 2.4, p: 0.03, pHolm: 0.09 }],
    warnings: [],
    baseline: 0.6,
    version: "9.8.7",
    ...changes,
  };
}

const classes = Int32Array.from({ length: 50 }, (_, g) => (g < 30 ? 0 : 1));
const gram = Float64Array.from({ length: 2500 }, (_, k) =>
  Math.exp(-Math.abs(Math.floor(k / 50) - (k % 50)) / 20),
);
const profiles = Array.from({ length: 50 }, (_, g) => ({
  nodeCount: 1,
  trace: Float64Array.from({ length: 11 }, (_, m) => Math.cos((m * Math.PI * (g + 1)) / 52)),
}));
const picturesFor = (classNames: string[]) =>
  evaluationPictures({ name: "TOY", classes, classNames }, gram, 50, profiles);

const open = (page: string) => parseHTML(page).document;
const text = (page: string) => open(page).body.textContent!.replace(/\s+/g, " ");

describe("the report of an evaluation", () => {
  const page = evaluationReport(evaluation(), picturesFor(["yes", "no"]), {
    command: "graphdos evaluate TOY",
    date: "2026-01-02",
  });
  const document = open(page);

  test("needs nothing from outside and holds no script", () => {
    expect(document.querySelectorAll("script, link, iframe").length).toBe(0);
    expect(page).not.toMatch(/@import|url\((?!#)|(?:src|href)="(?!data:image\/png;base64,)/);
  });

  test("has the best kernel, its accuracy, the guess and the protocol in front", () => {
    const cards = [...document.querySelectorAll(".card")].map((card) => card.textContent);
    expect(cards.join("|")).toContain("85.0 ± 1.2 %");
    expect(cards.join("|")).toContain("best kerneldos+ldos");
    expect(cards.join("|")).toContain("guessing60.0 %");
    expect(cards.join("|")).toContain("2 × 10 folds");
  });

  test("marks the best row alone, whatever its place", () => {
    const rows = [...document.querySelectorAll("table")[0].querySelectorAll("tbody tr")];
    expect(rows.map((row) => row.textContent!.includes("best"))).toEqual([false, true, false]);
    const cells = [...rows[1].querySelectorAll("td")].map((cell) =>
      cell.textContent!.replaceAll("\u00a0", " "),
    );
    expect(cells.slice(1)).toEqual(["85.0 ± 1.2", "3.4", "83.0", "C = 10, p = 1, damping = jackson", "3.8"]);
  });

  test("recommends a kernel, says what cannot be told apart, and calls the highest accuracy optimistic", () => {
    const recommendation = {
      ...{ kernel: "dos", reason: "because of this", notDistinguishable: ["dos"], caution: "mind that" },
    };
    const kernels = text(evaluationReport(evaluation({ recommendation }), null));
    expect(kernels).toContain("Recommended: dos: because of this. Mind that.");
    expect(kernels).toContain("dos+ldos is not distinguishable from dos: 1.2 points ahead, p = 0.09.");
    expect(kernels).toContain("Holm's correction for all pairs of kernels");
    expect(kernels).toContain("optimistic: the highest of 3");
    expect(text(page)).not.toContain("Recommended");
  });

  test("shows the shares of each row of the confusion matrix", () => {
    const rows = [...document.querySelectorAll("table")[1].querySelectorAll("tbody tr")];
    const cells = rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent));
    expect(cells).toEqual([
      ["75.0", "25.0", "30"],
      ["10.0", "90.0", "20"],
    ]);
    expect(text(page)).toContain("25 % of class yes were taken for no");
  });

  test("counts the choices, those of C that were never chosen included", () => {
    const titles = [...document.querySelectorAll("svg title")].map((title) => title.textContent);
    expect(titles).toContain("C: 0.1 0 times, 1 1 times, 10 3 times");
    expect(titles).toContain("p: 1 3 times, 2 1 times");
    expect(text(page)).toContain("The same in all of them: damping = jackson");
  });

  test("draws map, matrix and densities: a dot a graph, one image, a line and a band a class", () => {
    const figures = [...document.querySelectorAll("figure")];
    const titled = (words: string) =>
      figures.find((figure) => figure.querySelector("title")!.textContent!.startsWith(words))!;
    expect(titled("Map of the graphs").querySelectorAll("circle").length).toBe(50);
    expect(titled("Kernel values of 50").querySelectorAll("image").length).toBe(1);
    expect(titled("Mean density of states").querySelectorAll("path[stroke^='var(--series']").length).toBe(2);
    expect(text(page)).toMatch(/first axis \(\d+\.\d % of the variance\)/);
  });

  test("tells where it came from", () => {
    const foot = document.querySelector("footer")!.textContent!;
    for (const word of ["graphdos 9.8.7", "Seed7", "graphdos evaluate TOY", "2026-01-02", "repeated 2 times"])
      expect(foot).toContain(word);
  });

  test("is the same when made again", () => {
    const again = evaluationReport(evaluation(), picturesFor(["yes", "no"]), {
      command: "graphdos evaluate TOY",
      date: "2026-01-02",
    });
    expect(again).toBe(page);
  });
});

describe("names and sentences from data", () => {
  test("are escaped wherever they stand", () => {
    const page = evaluationReport(
      evaluation({
        dataset: EVIL,
        classNames: [EVIL, `"'><img src=x>`],
        results: [
          kernel(EVIL, 0.8, {
            title: EVIL,
            notes: [EVIL],
            chosen: [
              { point: { [EVIL]: EVIL }, C: 1, times: 2 },
              { point: { [EVIL]: "x" }, C: 1, times: 1 },
            ],
          }),
        ],
        comparisons: [{ first: EVIL, second: EVIL, difference: 0.1, t: 1, p: 0.2, pHolm: 0.2 }],
        recommendation: { kernel: EVIL, reason: EVIL, notDistinguishable: [EVIL], caution: EVIL },
        warnings: [EVIL],
        version: EVIL,
      }),
      picturesFor([EVIL, `"'><img src=x>`]),
      { command: EVIL, date: EVIL },
    );
    expect(page).not.toMatch(/<script|<img/);
    expect(open(page).querySelectorAll("script, img").length).toBe(0);
    expect(text(page)).toContain(EVIL);
  });
});

describe("less than everything", () => {
  test("without pictures the numbers remain", () => {
    const page = evaluationReport(evaluation(), null);
    expect(open(page).querySelectorAll("image").length).toBe(0);
    expect(text(page)).toContain("85.0 ± 1.2 %");
    expect(text(page)).not.toContain("Densities");
  });

  test("without any result it says so", () => {
    expect(text(evaluationReport(evaluation({ results: [], comparisons: [] }), null))).toContain(
      "No kernel was evaluated",
    );
  });

  test("with one repeat the spread is that of the folds", () => {
    const single = kernel("dos", 0.8, {
      accuracy: { mean: 0.8, std: 0, perRepeat: [0.8], foldStd: 0.05, perFold: [] },
    });
    const page = text(evaluationReport(evaluation({ results: [single], comparisons: [] }), null));
    expect(page).toContain("80.0 ± 5.0 %");
    expect(page).toContain("over folds");
    expect(page).not.toContain("± 0.0");
  });

  test("warnings and notes of kernels come before the kernels", () => {
    const page = text(
      evaluationReport(
        evaluation({
          warnings: ["class no is small"],
          results: [kernel("dos", 0.8, { notes: ["was capped"] })],
        }),
        null,
      ),
    );
    expect(page).toContain("class no is small");
    expect(page.indexOf("dos: was capped")).toBeLessThan(page.indexOf("Kernels"));
  });

  test("a class without graphs, and more classes than colours and columns", () => {
    const count = 15;
    const confusion = Array.from({ length: count }, (_, t) =>
      Array.from({ length: count }, (_, p) => (t === p && t > 0 ? 4 : 0)),
    );
    const page = evaluationReport(
      evaluation({
        classNames: Array.from({ length: count }, (_, c) => `k${c}`),
        classCounts: Array.from({ length: count }, (_, c) => (c === 0 ? 0 : 4)),
        results: [kernel("dos", 1, { confusion })],
      }),
      null,
    );
    expect(page).not.toContain("NaN");
    expect(text(page)).toContain("The 3 smallest classes are not shown");
    expect(text(page)).toContain("Every graph was recognised");
  });
});
