/**
 * The same page reached by different orders of clicks: what it shows is of the set, the graphs and the settings that its address names,
 * whatever was shown before. Held against the library.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  computeProfiles,
  type Dataset,
  eigenvalueWeights,
  formatNumber,
  graphSpectrum,
  graphTitle,
  inlineExecutor,
  nodeGaps,
  nodeSpectrum,
  readDataset,
  returnsAfter,
  spectralDistance,
  subset,
  syntheticDataset,
  textSource,
  writeJson,
} from "../../src/index.js";
import { downloaded, folder, graphdos, mapReady, removeFolder } from "./collection-support.js";
import {
  dropText,
  type Explorer,
  goTo,
  hasChromium,
  heldAnswers,
  holdAnswers,
  letThrough,
  openGate,
  parameter,
  startExplorer,
  TEST_PATIENCE,
} from "./page.js";

const ego = syntheticDataset("ego");
const last = ego.graphs.length - 1;

describe.skipIf(!hasChromium)("orders of clicks (Chromium)", { timeout: TEST_PATIENCE }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await startExplorer();
  }, TEST_PATIENCE);
  afterAll(async () => {
    await explorer?.close();
    removeFolder();
  });

  const visit = async (
    hash = "",
    prepare?: (page: Page) => Promise<unknown>,
  ): Promise<{ page: Page; finish: () => Promise<void> }> => {
    const { page, faults } = await explorer.open(hash, { prepare });
    const finish = async () => {
      expect(faults).toEqual([]);
      await page.context().close();
    };
    return { page, finish };
  };

  it("a curve that is clicked before any node was looked at: nodes light up, and stay known", async () => {
    const { page, finish } = await visit();
    await page.getByRole("button", { name: /synthetic:ego/ }).click();
    await goTo(page, "Spectrum");
    await page.locator("[data-estimator=exact]").waitFor();
    const chart = (await page.locator(".chart .u-over").first().boundingBox())!;
    await page.mouse.click(chart.x + 0.62 * chart.width, chart.y + chart.height / 2);
    await page.waitForURL(/lambda=/);
    const lambda = Number(parameter(page, "lambda"));
    const [first, second] = await computeProfiles(ego.graphs.slice(0, 2), { moments: 50 }, inlineExecutor());
    const { values } = eigenvalueWeights(ego.graphs[0], first, lambda, { damping: "jackson", filter: "all" });
    expect(Math.max(...values)).toBeGreaterThan(0);
    await page.locator(`[data-lit="${values.filter((value) => value > 0).length}"]`).waitFor();
    expect(await page.locator(".scale .ends span").last().textContent()).toBe(
      formatNumber(Math.max(...values), 4),
    );
    await goTo(page, "Graph");
    await page.getByRole("spinbutton", { name: "Node" }).fill("3");
    await page.getByRole("spinbutton", { name: "Node" }).press("Enter");
    const { returns } = nodeSpectrum(ego.graphs[0], first, 3, { damping: "jackson", filter: "all" })!;
    const shown = page.getByText("back after 4 steps").locator("xpath=following-sibling::dd");
    expect(await shown.textContent()).toBe(formatNumber(returns[4], 4));
    await goTo(page, "Compare");
    await page.locator("[data-distance]").waitFor();
    const named = (g: number, profile: typeof first) => ({
      ...{ name: "", graph: ego.graphs[g], profile, nodeIds: null },
    });
    const gaps = nodeGaps(named(0, first), named(1, second), { damping: "jackson" });
    expect(gaps.first.length).toBeGreaterThan(0);
    for (const [k, rows] of [gaps.first, gaps.second].entries())
      expect(await page.locator(".gaps section").nth(k).locator("tbody tr").count()).toBe(rows.length);
    await finish();
  });

  const setHash = (page: Page, hash: string) =>
    page.evaluate((given) => {
      location.hash = given;
    }, hash);
  const star = (leaves: number) => Array.from({ length: leaves }, (_, k) => `0 ${k + 1}\n`).join("");
  /** Address, title, status line and the open view are of the same set. */
  const expectSet = async (page: Page, name: string, sizes: string) => {
    await page.locator("footer strong").getByText(name, { exact: true }).waitFor();
    await page.getByText(sizes).first().waitFor();
    expect(parameter(page, "set")).toBe(name);
    expect(await page.title()).toBe(`${name} · graphdos explorer`);
  };

  it.each([
    ["dropped", "Graph"],
    ["dropped", "Spectrum"],
    ["opened by its address", "Graph"],
    ["opened by its address", "Spectrum"],
  ])("another set that is %s in %s replaces all that is shown", async (how, view) => {
    const { page, finish } = await visit();
    await page.getByText("No data set is open").waitFor();
    // a file can be gone back to once it was open
    if (how !== "dropped") {
      await dropText(page, "star.edges", star(6));
      await page.getByRole("heading", { name: "star" }).waitFor();
    }
    await setHash(page, "#set=synthetic:ego&graph=5&lambda=0.5");
    await goTo(page, view);
    await page.locator("[data-settled=true]").waitFor();
    await page
      .getByText(view === "Graph" ? "probability that a walk is back" : "exact (chosen by cost)")
      .first()
      .waitFor();
    if (how === "dropped") await dropText(page, "star.edges", star(6));
    else await setHash(page, `#view=${view.toLowerCase()}&set=star`);
    await expectSet(page, "star", "7 nodes, 6 edges");
    await page
      .getByRole("img", { name: /Drawing of star/ })
      .first()
      .waitFor();
    if (view === "Spectrum") {
      const rows = page.locator("section[aria-label='Known eigenvalues'] tbody tr");
      // of a star with 6 leaves: 0 five times; -1 and 1
      await rows.getByText("5", { exact: true }).waitFor();
    } else {
      await page.getByRole("spinbutton", { name: "Node" }).fill("0");
      await page.getByRole("spinbutton", { name: "Node" }).press("Enter");
      await page.getByText("6 neighbours").waitFor();
      const back = page.getByText("back after 4 steps").locator("xpath=following-sibling::dd");
      expect(Number(await back.textContent())).toBe(1);
    }
    await finish();
  });

  const threads = syntheticDataset("threads");
  const few = subset(threads, [0, 200, 1, 201, 2]);
  const fewText = [...writeJson(few)].join("");
  /** What Compare shows is of these two graphs of the set; `data` is the set for the command line. */
  const expectCompared = async (
    page: Page,
    dataset: Dataset,
    data: string,
    pair: readonly [number, number],
  ) => {
    const graphs = pair.map((g) => dataset.graphs[g]);
    const profiles = await computeProfiles(graphs, { moments: 50 }, inlineExecutor());
    const of = (k: number) => ({ name: "", graph: graphs[k], profile: profiles[k], nodeIds: null });
    const [one, two] = graphs.map((graph, k) => graphSpectrum(graph, profiles[k], { name: "" }));
    await page.locator("[data-distance]").waitFor();
    expect(Number(await page.locator("[data-distance]").getAttribute("data-distance"))).toBeCloseTo(
      spectralDistance(one, two),
      10,
    );
    const gaps = nodeGaps(of(0), of(1), { damping: "jackson" });
    for (const [k, rows] of [gaps.first, gaps.second].entries())
      expect(await page.locator(".gaps section").nth(k).locator("tbody tr").count()).toBe(rows.length);
    await page.locator("[data-kernel='retgk1+dos'][data-value]").waitFor();
    for (const kernel of ["dos", "ldos"]) {
      const said = JSON.parse(
        graphdos("similar", data, "--graph", `${pair[0]}`, "-k", "400", "--kernel", kernel, "--json"),
      );
      const { similarity } = said.neighbours.find(({ graph }: { graph: number }) => graph === pair[1]);
      const shown = await page.locator(`[data-kernel='${kernel}']`).getAttribute("data-value");
      expect(Number(shown)).toBeCloseTo(similarity, 12);
    }
  };
  const holdKernels = (page: Page) => holdAnswers(page, "similarity");
  /** The answer that was held back comes now, when others are waited for: it goes nowhere. */
  const expectNothingFromBefore = async (page: Page) => {
    await heldAnswers(page, 2);
    await letThrough(page);
    expect(await page.locator("[data-kernel][data-value]").count()).toBe(0);
    await openGate(page);
  };

  it("another set by its address, while kernels are computed: every number is of the set that is named", async () => {
    const { page, finish } = await visit("#view=compare&set=synthetic:ego&graph=2&other=3", holdKernels);
    await page.getByLabel(/^progress of/).waitFor();
    await heldAnswers(page, 1);
    await setHash(page, "#view=compare&set=synthetic:threads&graph=2&other=3");
    await expectSet(page, "synthetic:threads", "Two graphs of synthetic:threads");
    await expectNothingFromBefore(page);
    await expectCompared(page, threads, "synthetic:threads", [2, 3]);
    await finish();
  });

  it("another set that is dropped in Compare, while kernels are computed: all that is shown is of it", async () => {
    const data = join(folder, "few.json");
    writeFileSync(data, fewText);
    const { page, finish } = await visit("#view=compare&set=synthetic:ego&graph=2&other=3", holdKernels);
    await page.locator("[data-distance]").waitFor();
    await heldAnswers(page, 1);
    await dropText(page, "few.json", fewText);
    await expectSet(page, "few", "Two graphs of few");
    expect(parameter(page, "graph")).toBe(null);
    expect(parameter(page, "other")).toBe(null);
    for (const g of [0, 1])
      await page.getByRole("img", { name: `Drawing of ${graphTitle({ ...few, name: "few" }, g)}` }).waitFor();
    expect(await page.getByRole("main").textContent()).not.toContain("synthetic:ego");
    await expectNothingFromBefore(page);
    await expectCompared(page, few, data, [0, 1]);
    await finish();
  });

  it("another pair of graphs, while kernels are computed: no similarity is of the pair before", async () => {
    const data = join(folder, "few.json");
    writeFileSync(data, fewText);
    const { page, finish } = await visit("#view=compare&set=few&graph=2&other=3", holdKernels);
    await page.getByText("This address was made with few").waitFor();
    await dropText(page, "few.json", fewText);
    await heldAnswers(page, 1);
    await page.getByRole("spinbutton", { name: "Second" }).fill("4");
    await page.getByRole("spinbutton", { name: "Second" }).press("Enter");
    await page.waitForURL(/other=4/);
    await expectNothingFromBefore(page);
    await expectCompared(page, few, data, [2, 4]);
    await finish();
  });

  it("another set, while one is being opened: the last that was named is open", async () => {
    const { page, finish } = await visit("#view=graph&set=synthetic:ego", (before) =>
      holdAnswers(before, "open"),
    );
    await page.getByRole("heading", { name: "Opening synthetic:ego" }).waitFor();
    await heldAnswers(page, 1);
    await setHash(page, "#view=graph&set=synthetic:threads");
    await page.getByRole("heading", { name: "Opening synthetic:threads" }).waitFor();
    await heldAnswers(page, 2);
    await letThrough(page);
    expect(await page.title()).toBe("graphdos explorer");
    await openGate(page);
    const { nodeCount, edgeCount } = threads.graphs[0];
    await expectSet(page, "synthetic:threads", `${nodeCount} nodes, ${edgeCount} edges`);
    await finish();
  });

  it("graphs without nodes: nobody's nodes have their like in them", async () => {
    const { page, finish } = await visit();
    await page.getByText("No data set is open").waitFor();
    const line = (nodes: number) => ({
      nodes: Array.from({ length: nodes }, (_, id) => ({ id })),
      links: Array.from({ length: Math.max(0, nodes - 1) }, (_, k) => ({ source: k, target: k + 1 })),
    });
    await dropText(page, "lines.json", JSON.stringify([line(0), line(4), line(4)]));
    await page.getByRole("heading", { name: "lines" }).waitFor();
    await goTo(page, "Compare");
    const said = () => page.locator(".gaps section > p").allTextContents();
    await page.locator("[data-distance]").waitFor();
    expect(await said()).toEqual([
      "graph 0 of lines has no nodes.",
      "graph 1 of lines has nodes, graph 0 of lines has none.",
    ]);
    await setHash(page, "#view=compare&set=lines&graph=1&other=2");
    await page.locator("[data-distance='0']").waitFor();
    expect(await said()).toEqual([
      "Every node of graph 1 of lines has its like in graph 2 of lines.",
      "Every node of graph 2 of lines has its like in graph 1 of lines.",
    ]);
    await finish();
  });

  it("other colours while they are computed: the legend and the drawing say what is shown", async () => {
    const { page, finish } = await visit("#view=graph&set=synthetic:ego&graph=2", (before) =>
      holdAnswers(before, "colours"),
    );
    await heldAnswers(page, 1);
    await letThrough(page);
    const { graphs } = ego;
    const [profile] = await computeProfiles([graphs[2]], { moments: 50 }, inlineExecutor());
    const values = returnsAfter(profile, 4);
    const ends = [Math.min(...values), Math.max(...values)].map((value) => formatNumber(value, 4));
    const legend = page.locator(".legend");
    const drawing = page.getByRole("img", { name: /^Drawing of/ });
    const expectReturns = async () => {
      expect(await legend.locator(".ends span").allTextContents()).toEqual(ends);
      for (const said of [await legend.textContent(), await drawing.getAttribute("aria-label")])
        expect(said).toContain("probability that a walk is back after 4 steps");
    };
    await expectReturns();
    await page.getByText("Density", { exact: true }).click();
    await page.waitForURL(/colour=density/);
    await heldAnswers(page, 2);
    await expectReturns();
    await openGate(page);
    await legend.getByText("local density at λ = 0").waitFor();
    const { values: densities } = eigenvalueWeights(graphs[2], profile, 0);
    expect(await legend.locator(".ends span").last().textContent()).toBe(
      formatNumber(Math.max(...densities), 4),
    );
    await finish();
  });

  it("another kernel while its map is computed: files are named after what they hold", async () => {
    const { page, finish } = await visit("#view=collection&set=synthetic:ego&kernel=dos", (before) =>
      holdAnswers(before, "map"),
    );
    await heldAnswers(page, 1);
    await letThrough(page);
    await mapReady(page);
    const before = await downloaded(page, "Download the map as CSV");
    await page.locator(".top select").selectOption("wl");
    await heldAnswers(page, 2);
    const meanwhile = await downloaded(page, "Download the map as CSV");
    expect(meanwhile.bytes.equals(before.bytes)).toBe(true);
    expect(meanwhile.name).toBe("synthetic-ego-dos-map.csv");
    await openGate(page);
    await expect
      .poll(async () => (await downloaded(page, "Download the map as CSV")).name)
      .toBe("synthetic-ego-wl-map.csv");
    await finish();
  });

  /** Drops what a browser would give: a folder that is listed when `list` is called in the page, or a file that is gone by then. */
  const dropEntry = (page: Page, kind: "folder" | "gone") =>
    page.evaluate((what) => {
      const file = {
        ...{ isFile: true, isDirectory: false, name: "a.edges", fullPath: "/slow/a.edges" },
        file: (take: (file: File) => void, fail: (error: Error) => void) =>
          what === "gone" ? fail(new Error("it is gone")) : take(new File(["0 1\n"], "a.edges")),
      };
      const pages = [[file], []];
      const folder = {
        ...{ isFile: false, isDirectory: true, name: "slow", fullPath: "/slow" },
        createReader: () => ({
          readEntries: (take: (entries: unknown[]) => void) =>
            Object.assign(window, { list: () => take(pages.shift()!) }),
        }),
      };
      const entry = what === "gone" ? file : folder;
      const event = new Event("drop", { bubbles: true, cancelable: true });
      const items = [{ webkitGetAsEntry: () => entry, getAsFile: () => null }];
      dispatchEvent(Object.assign(event, { dataTransfer: { types: ["Files"], items } }));
    }, kind);
  const list = (page: Page) => page.evaluate(() => (window as unknown as { list: () => void }).list());

  it("a folder whose files are still listed when another set is dropped: the last one is open", async () => {
    const { page, finish } = await visit();
    await page.getByText("No data set is open").waitFor();
    await dropEntry(page, "folder");
    await page.getByText("Opening what was dropped").waitFor();
    await dropText(page, "six.edges", star(6));
    await page.getByRole("heading", { name: "six" }).waitFor();
    // in two parts, the last one empty: nothing is being opened then
    await list(page);
    await list(page);
    expect(await page.locator("footer").textContent()).not.toContain("Opening");
    await page.getByRole("button", { name: "See the graph" }).click();
    await expectSet(page, "six", "7 nodes, 6 edges");
    // a folder that nothing follows is opened
    await dropEntry(page, "folder");
    await list(page);
    await list(page);
    await expectSet(page, "a", "2 nodes, 1 edge");
    await finish();
  });

  it("a dropped file that is gone, and a folder without files: a sentence, and what is open stays", async () => {
    const { page, finish } = await visit();
    await page.getByText("No data set is open").waitFor();
    await dropText(page, "six.edges", star(6));
    await page.getByRole("heading", { name: "six" }).waitFor();
    await dropEntry(page, "gone");
    await page.getByRole("alert").getByText("slow/a.edges cannot be read: it is gone").waitFor();
    await page.evaluate(() => {
      const folder = {
        isDirectory: true,
        name: "hollow",
        createReader: () => ({ readEntries: (take: (none: []) => void) => take([]) }),
      };
      const event = new Event("drop", { bubbles: true, cancelable: true });
      const items = [{ webkitGetAsEntry: () => folder, getAsFile: () => null }];
      dispatchEvent(Object.assign(event, { dataTransfer: { types: ["Files"], items } }));
    });
    await page.getByRole("alert").getByText("hollow holds no files").waitFor();
    expect(await page.getByText("Opening").count()).toBe(0);
    await goTo(page, "Graph");
    await expectSet(page, "six", "7 nodes, 6 edges");
    await finish();
  });

  it("back, forward and reload: the address, the title and the view are of one set", async () => {
    const { page, finish } = await visit();
    await page.getByText("No data set is open").waitFor();
    await dropText(page, "six.edges", star(6));
    await page.getByRole("heading", { name: "six" }).waitFor();
    await goTo(page, "Graph");
    await expectSet(page, "six", "7 nodes, 6 edges");
    await dropText(page, "four.edges", star(4));
    await expectSet(page, "four", "5 nodes, 4 edges");
    await page.goBack();
    await expectSet(page, "six", "7 nodes, 6 edges");
    await page.goForward();
    await expectSet(page, "four", "5 nodes, 4 edges");
    await setHash(page, "#view=graph&set=synthetic:ego&graph=5000&other=7000&node=900");
    const { nodeCount, edgeCount } = ego.graphs[last];
    await expectSet(page, "synthetic:ego", `${nodeCount} nodes, ${edgeCount} edges`);
    await page.waitForURL(new RegExp(`graph=${last}&other=${last}$`));
    await setHash(page, `#view=graph&set=synthetic:ego&graph=${last + 1}&node=900`);
    await page.waitForURL(new RegExp(`graph=${last}$`));
    await page.reload();
    await expectSet(page, "synthetic:ego", `${nodeCount} nodes, ${edgeCount} edges`);
    // files are not at hand after a reload
    await setHash(page, "#view=graph&set=four");
    await page.getByText("This address was made with four").waitFor();
    expect(await page.title()).toBe("graphdos explorer");
    await dropText(page, "four.edges", star(4));
    await expectSet(page, "four", "5 nodes, 4 edges");
    await setHash(page, "");
    await page.getByText("No data set is open").waitFor();
    expect(await page.title()).toBe("graphdos explorer");
    await finish();
  });

  it.each([
    ["999999", last],
    ["99999999999", last],
    ["-5", 0],
    ["NaN", 0],
    ["2.5", 0],
  ])("graph=%s in an address is a graph that the set has", async (given, shown) => {
    const { page, finish } = await visit(`#view=graph&set=synthetic:ego&graph=${given}&node=${given}`);
    const { nodeCount, edgeCount } = ego.graphs[shown];
    await expectSet(page, "synthetic:ego", `${nodeCount} nodes, ${edgeCount} edges`);
    await page.getByRole("img", { name: `Drawing of graph ${shown} of synthetic:ego` }).waitFor();
    expect(parameter(page, "graph")).toBe(shown === 0 ? null : String(shown));
    expect(parameter(page, "node")).toBe(null);
    // and as the second of two
    await setHash(page, `#view=compare&set=synthetic:ego&graph=3&other=${given}`);
    await page.locator("[data-distance]").waitFor();
    // what stands for no graph is passed over: the default is 1
    const other = shown === 0 ? 1 : shown;
    await expect.poll(() => parameter(page, "other")).toBe(other === 1 ? null : String(other));
    const pair = [ego.graphs[3], ego.graphs[other]];
    const profiles = await computeProfiles(pair, { moments: 50 }, inlineExecutor());
    const [one, two] = pair.map((graph, k) => graphSpectrum(graph, profiles[k], { name: "" }));
    const distance = Number(await page.locator("[data-distance]").getAttribute("data-distance"));
    expect(distance).toBeCloseTo(spectralDistance(one, two), 10);
    await finish();
  });

  it("how a file was read can be seen in every view", async () => {
    const text = "source target weight\na b 1.5\nb c 2\nc a 1\n";
    const { notes } = await readDataset(textSource("pairs.edges", text));
    expect(notes.filter((note) => note.includes("header"))).toHaveLength(1);
    const { page, finish } = await visit("#view=graph");
    await page.getByText("No data set is open").first().waitFor();
    await dropText(page, "pairs.edges", text);
    for (const view of ["Graph", "Spectrum", "Collection"]) {
      await goTo(page, view);
      const line = page.locator("[data-notes]");
      await line.waitFor();
      for (const note of notes) expect(await line.textContent()).toContain(note);
    }
    await goTo(page, "Open");
    await page.locator(".facts[aria-busy=false]").waitFor();
    const said = await page
      .locator("[data-sentences=reading] li")
      .filter({ visible: true })
      .allTextContents();
    for (const note of notes) expect(said).toContain(note);
    // another file takes its notes along
    await goTo(page, "Graph");
    await dropText(page, "four.edges", star(4));
    await expectSet(page, "four", "5 nodes, 4 edges");
    expect(await page.getByRole("main").textContent()).not.toContain("header");
    await finish();
  });

  describe("a worker that cannot be loaded", () => {
    /** Without the scripts of that address until `unroute`. */
    const without = async (script: RegExp, hash: string): Promise<Page> => {
      const prepare = (page: Page) => page.route(script, (route) => route.abort());
      return (await explorer.open(hash, { prepare })).page;
    };

    it("the engine: a sentence, nothing waits for ever, and another start", async () => {
      const page = await without(/\/worker-[^/]*\.js/, "#view=spectrum&set=synthetic:ego");
      await page.getByRole("alert").getByText("could not be loaded").waitFor();
      await page.getByRole("heading", { name: "synthetic:ego is not open" }).waitFor();
      await page.getByRole("button", { name: "Open it again" }).click();
      await page.getByRole("alert").getByText("could not be loaded").waitFor();
      await page.unroute(/\/worker-[^/]*\.js/);
      await page.getByRole("button", { name: "Open it again" }).click();
      await page.locator("[data-estimator=exact]").waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      await page.context().close();
    });

    it("the layout: a sentence in the drawing, and another try", async () => {
      const page = await without(/\/layout-worker-[^/]*\.js/, "#view=graph&set=synthetic:ego");
      await page.getByText("The graph could not be laid out").waitFor();
      await page.unroute(/\/layout-worker-[^/]*\.js/);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator("[data-settled=true]").waitFor();
      await page.context().close();
    });
  });
});
