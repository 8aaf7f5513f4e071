import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { type Dataset, singleGraph } from "../../src/data/dataset.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import { inspectDataset } from "../../src/experiment/inspection.js";
import { buildGraph } from "../../src/graph/build.js";
import { figure, PALETTE, plotSvg } from "../../src/report/figure.js";
import { escapeHtml, html } from "../../src/report/html.js";
import { inspectionReport } from "../../src/report/inspection-report.js";
import { renderPage } from "../../src/report/page.js";

const EVIL = `<script>alert("1")</script>`;

describe("html", () => {
  test("escapes what could end text or an attribute", () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;");
  });

  test("escapes strings, keeps its own results, joins lists, leaves out nothing values", () => {
    const item = html`<i>${"<"}</i>`;
    expect(html`<b title="${'"'}">${[item, item]}${null}${undefined}${false}${0}</b>`.text).toBe(
      `<b title="&quot;"><i>&lt;</i><i>&lt;</i>0</b>`,
    );
  });
});

describe("page", () => {
  const page = renderPage({
    title: EVIL,
    subtitle: EVIL,
    cards: [{ label: EVIL, value: EVIL, note: EVIL }],
    sections: [{ title: EVIL, lead: EVIL, body: EVIL }],
    provenance: [[EVIL, EVIL]],
  });

  test("holds no script and asks for nothing from outside", () => {
    const { document } = parseHTML(page);
    expect(document.querySelectorAll("script").length).toBe(0);
    expect(page).not.toMatch(/<link|src=|url\(|@import/);
    expect(page).toContain("default-src 'none'");
    expect(document.querySelector("h1")!.textContent).toBe(EVIL);
  });

  test("does not escape its own style sheet", () => {
    expect(page).toContain("prefers-color-scheme: dark");
    expect(page.slice(page.indexOf("<style>"), page.indexOf("</style>"))).not.toContain("&quot;");
  });
});

describe("figure", () => {
  test("is an SVG with a description and axes in the page's colour", () => {
    const svg = plotSvg({ x: { domain: [0, 1] }, y: { domain: [0, 1] }, marks: [] }, `5 < 6 ${EVIL}`).text;
    expect(svg.startsWith("<svg")).toBe(true);
    expect(svg).toContain("currentColor");
    const { document } = parseHTML(svg);
    expect(document.querySelector("title")!.textContent).toBe(`5 < 6 ${EVIL}`);
    expect(document.querySelector("script")).toBeNull();
  });

  test("escapes its caption", () => {
    expect(figure({ marks: [], description: "d", caption: EVIL }).text).toContain(
      "<figcaption>&lt;script&gt;",
    );
  });

  test("the palette has no colour twice", () => {
    expect(new Set(PALETTE).size).toBe(PALETTE.length);
  });
});

describe("inspection report", () => {
  const threads = syntheticDataset("threads", { graphs: 40 });
  const report = (dataset: Dataset) =>
    inspectionReport(inspectDataset(dataset), dataset, {
      command: `graphdos inspect ${EVIL}`,
      date: "2026-01-02",
    });

  test("shows headline numbers, classes, figures, drawings and where it came from", () => {
    const { document } = parseHTML(report(threads));
    const headings = [...document.querySelectorAll("h2")].map((h) => h.textContent);
    expect(headings).toEqual([
      "Classes",
      "Sizes",
      "Nodes and edges",
      "Typical graphs",
      "Structure",
      "Reading and cleaning",
    ]);
    const cards = [...document.querySelectorAll(".card")].map((card) => card.textContent);
    expect(cards[0]).toContain("graphs40");
    for (const svg of document.querySelectorAll("figure svg"))
      expect(svg.querySelector("title")!.textContent).not.toBe("");
    expect(document.querySelectorAll(".thumbnails figure").length).toBe(12);
    expect(document.querySelector("footer")!.textContent).toContain("2026-01-02");
  });

  test("is the same bytes for the same data", () => {
    expect(report(threads)).toBe(report(threads));
  });

  test("a class, a data set and a graph named like markup stay text everywhere", () => {
    const evil = {
      ...threads,
      name: EVIL,
      classNames: [EVIL, `"><img src=x onerror=alert(1)>`],
      graphNames: threads.graphs.map((_, g) => `${EVIL}${g}`),
      notes: [EVIL],
    };
    const page = report(evil);
    const { document } = parseHTML(page);
    expect(document.querySelectorAll("script, img, [onerror]").length).toBe(0);
    expect(page).not.toContain("<script");
    expect(page).not.toContain("<img");
    expect(document.querySelector(".legend li")!.textContent).toBe(EVIL);
  });

  test.each([0, 1, 2])("works for a single graph of %i nodes without edges", (nodeCount) => {
    const { graph, cleaning } = buildGraph({ nodeCount, sources: [], targets: [] });
    const page = report(singleGraph("small", graph, cleaning, []));
    expect(page).toContain("small");
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("works for an empty data set, for one without classes and for more classes than colours", () => {
    const empty = { ...threads, graphs: [], classes: new Int32Array(0), classNames: [] };
    const plain = { ...threads, classes: null, classNames: [] };
    const many = {
      ...threads,
      classes: Int32Array.from(threads.graphs, (_, g) => g % 10),
      classNames: Array.from({ length: 10 }, (_, c) => `class ${c}`),
    };
    for (const dataset of [empty, plain, many]) expect(report(dataset)).not.toMatch(/NaN|undefined|Infinity/);
    expect(report(many)).toContain("3 other classes");
    expect(report(plain)).not.toContain("Always answering");
  });
});
