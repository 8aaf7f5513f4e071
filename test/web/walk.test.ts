/**
 * A random walk over what can be done on the page: sets opened by drop and by address, tabs, graphs, nodes, eigenvalues, kernels started
 * and stopped, back and forward, several at once without waiting. At every look all numbers that are shown are those of the set and the
 * graphs that the page names, computed here by the library; after every step the page comes to rest at what its address says.
 * GRAPHDOS_WALK_SEED=… walks another way.
 */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  computeProfiles,
  type Dataset,
  fitKernel,
  formatNumber,
  graphSpectrum,
  graphTitle,
  inlineExecutor,
  kernelByName,
  kernelDistances,
  kernelGram,
  kernelInput,
  kernelNeeds,
  kernelOptions,
  motifRoles,
  nearestGraphs,
  nodeGaps,
  nodeSpectrum,
  quantity,
  Random,
  readDataset,
  returnsAfter,
  type SpectralProfile,
  spectralDistance,
  subset,
  syntheticDataset,
  textSource,
  writeJson,
} from "../../src/index.js";
import { dropText, type Explorer, hasChromium, startExplorer, TEST_PATIENCE } from "./page.js";

const STEPS = 30;
const given = process.env.GRAPHDOS_WALK_SEED;
const SEEDS = given === undefined ? [1, 2] : [Number(given)];
const VIEWS = ["open", "graph", "spectrum", "compare", "collection"];
const KERNELS = ["dos", "ldos", "dos+ldos", "wl", "sp"];

/** What the library says of a set. */
class Oracle {
  private readonly profiles = new Map<number, Promise<SpectralProfile>>();
  private readonly grams = new Map<string, Promise<ArrayLike<number>>>();

  constructor(
    readonly dataset: Dataset,
    /** What is dropped to open it. */
    readonly file: string,
    readonly text: string,
  ) {}

  profile(g: number): Promise<SpectralProfile> {
    let found = this.profiles.get(g);
    if (found === undefined) {
      found = computeProfiles([this.dataset.graphs[g]], { moments: 50 }, inlineExecutor()).then(
        ([one]) => one,
      );
      this.profiles.set(g, found);
    }
    return found;
  }

  async spectrum(g: number) {
    return graphSpectrum(this.dataset.graphs[g], await this.profile(g), {
      name: graphTitle(this.dataset, g),
    });
  }

  gram(kernel: string): Promise<ArrayLike<number>> {
    const known = this.grams.get(kernel);
    if (known !== undefined) return known;
    const spec = kernelByName(kernel);
    const options = kernelOptions(spec);
    const executor = inlineExecutor();
    const made = (async () => {
      const input = await kernelInput(this.dataset, kernelNeeds(spec, options), { moments: 50 }, executor);
      const fitted = await fitKernel(spec, input, options, { executor });
      const distances = await kernelDistances(fitted, { executor, nameOf: input.nameOf });
      return kernelGram(fitted, distances).gram.values;
    })();
    this.grams.set(kernel, made);
    return made;
  }
}

/** All that the page says at one moment. */
const snapshot = (page: Page) =>
  page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
    const text = (element: Element | null | undefined) =>
      element == null ? null : element.textContent!.trim().replace(/\s+/g, " ");
    const table = (selector: string) =>
      all(`${selector} tbody tr:not([aria-hidden])`).map((row) =>
        Array.from(row.children, (cell) => text(cell)!),
      );
    const number = (value: string | undefined) => (value === undefined ? null : Number(value));
    const detail = all(".detail[data-node]")[0];
    return {
      address: Object.fromEntries(new URLSearchParams(location.hash.slice(1))) as Record<string, string>,
      title: document.title,
      set: text(document.querySelector("footer strong")),
      busy: document.querySelector("footer progress") !== null,
      view: text(document.querySelector("nav [aria-current]"))!.toLowerCase(),
      alerts: all("[role=alert]").map((element) => text(element)!),
      pickers: all(".picker").map((picker) => ({
        graph: picker.querySelector("input")!.valueAsNumber,
        facts: text(picker.querySelector("p"))!,
      })),
      drawings: all("[data-settled]").map((stage) => ({
        label: stage.ariaLabel!,
        settled: stage.dataset.settled === "true",
      })),
      heading: text(document.querySelector("#set-title, .top h1")),
      cards: all(".facts[aria-busy=false] .card").map((card) => [
        text(card.querySelector("dt"))!,
        text(card.querySelector("dd"))!,
      ]),
      roles: all(".roles li span:last-child").map((count) => text(count)!),
      scale: all(".legend .ends span").map((end) => text(end)!),
      node: detail === undefined ? null : number(detail.dataset.node),
      returns: detail === undefined ? null : text(detail.querySelector("dd")),
      estimator: all("[data-estimator]")[0]?.dataset.estimator ?? null,
      eigenvalues: table("section[aria-label='Known eigenvalues']").map((cells) => cells.slice(1, 3)),
      distance: number(all("[data-distance]")[0]?.dataset.distance),
      gaps: all(".gaps section").map((part) => part.querySelectorAll("tbody tr").length),
      similarities: all("[data-kernel][data-value]").map(
        (row) => [row.dataset.kernel!, Number(row.dataset.value)] as const,
      ),
      kernel: document.querySelector<HTMLSelectElement>(".top select")?.value ?? null,
      neighbours: table("section[aria-label='Nearest graphs']"),
    };
  });
type Snapshot = Awaited<ReturnType<typeof snapshot>>;

describe.skipIf(!hasChromium)("a random walk over the page (Chromium)", { timeout: TEST_PATIENCE }, () => {
  let explorer: Explorer;
  const sets = new Map<string, Oracle>();
  beforeAll(async () => {
    explorer = await startExplorer();
    const json = (of: Dataset) => [...writeJson(of)].join("");
    const ego = syntheticDataset("ego");
    const threads = syntheticDataset("threads");
    for (const [file, text] of [
      [
        "many.json",
        json(
          subset(
            ego,
            Array.from({ length: 60 }, (_, k) => 6 * k),
          ),
        ),
      ],
      ["few.json", json(subset(threads, [0, 1, 2, 200, 201]))],
      ["star.edges", Array.from({ length: 7 }, (_, k) => `0 ${k + 1}\n`).join("")],
    ]) {
      const dataset = await readDataset(textSource(file, text));
      sets.set(dataset.name, new Oracle(dataset, file, text));
    }
  }, TEST_PATIENCE);
  afterAll(() => explorer?.close());

  /** What is shown and is not of the set and the graphs that are named beside it. */
  async function wrong(shown: Snapshot): Promise<string[]> {
    const found: string[] = [];
    const check = (what: string, got: unknown, expected: unknown) => {
      if (JSON.stringify(got) !== JSON.stringify(expected))
        found.push(`${what}: shown ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`);
    };
    if (shown.alerts.length > 0) found.push(...shown.alerts);
    if (shown.set === null) {
      check("pickers without a set", shown.pickers, []);
      check("heading without a set", shown.heading, null);
      return found;
    }
    const set = sets.get(shown.set)!;
    const { dataset } = set;
    const count = dataset.graphs.length;
    check("title", shown.title, `${shown.set} · graphdos explorer`);
    if (shown.heading !== null) check("heading", shown.heading, shown.set);
    for (const { graph, facts } of shown.pickers) {
      const { nodeCount, edgeCount } = dataset.graphs[graph] ?? { nodeCount: -1, edgeCount: -1 };
      const sizes = `${quantity(nodeCount, "node")}, ${quantity(edgeCount, "edge")}`;
      if (!facts.includes(`of ${count}`) || !facts.includes(sizes))
        check("picker", facts, `of ${count} ${sizes}`);
    }
    if (shown.cards.length > 0) {
      const nodes = dataset.graphs.reduce((sum, { nodeCount }) => sum + nodeCount, 0);
      check(
        "size",
        shown.cards[0],
        count === 1 ? ["nodes", formatNumber(nodes)] : ["graphs", formatNumber(count)],
      );
      if (count > 1) check("mean", shown.cards[1], ["mean nodes", formatNumber(nodes / count)]);
    }
    if (shown.view === "open" || shown.pickers.length === 0) return found;
    const [g, h] = shown.pickers.map(({ graph }) => graph);
    const graph = dataset.graphs[g];
    for (const [k, { label }] of shown.drawings.entries()) {
      const name = graphTitle(dataset, k === 0 ? g : h);
      if (!`${label},`.startsWith(`Drawing of ${name}`)) check("drawing", label, `Drawing of ${name}`);
    }
    if (shown.view === "graph") {
      const profile = await set.profile(g);
      if (shown.drawings[0].settled) {
        const counts = [0, 0, 0, 0, 0];
        for (const role of motifRoles(graph)) counts[role]++;
        check("roles", shown.roles, counts.slice(1).map(String));
      }
      const values = returnsAfter(profile, 4);
      const ends = [Math.min(...values), Math.max(...values)].map((end) => formatNumber(end, 4));
      if (shown.scale.length > 0) check("colours", shown.scale, ends);
      if (shown.node !== null && shown.returns !== null)
        check(
          `returns of node ${shown.node}`,
          shown.returns,
          formatNumber(
            nodeSpectrum(graph, profile, shown.node, { damping: "jackson", filter: "all" })!.returns[4],
            4,
          ),
        );
    }
    if (shown.view === "spectrum" && shown.estimator !== null) {
      const { atoms } = await set.spectrum(g);
      const rows = [...atoms].sort((a, b) => b.count - a.count || a.eigenvalue - b.eigenvalue).slice(0, 12);
      check(
        "times of the eigenvalues",
        shown.eigenvalues.map(([, times]) => times),
        rows.map((atom) => formatNumber(atom.count)),
      );
    }
    if (shown.view === "compare") {
      if (shown.distance !== null) {
        const expected = spectralDistance(await set.spectrum(g), await set.spectrum(h));
        if (!(Math.abs(shown.distance - expected) < 1e-9)) check("distance", shown.distance, expected);
        const compared = async (i: number) => ({
          ...{ name: "", graph: dataset.graphs[i], profile: await set.profile(i), nodeIds: null },
        });
        const { first, second } = nodeGaps(await compared(g), await compared(h), { damping: "jackson" });
        check("nodes that differ", shown.gaps, [first.length, second.length]);
      }
      for (const [kernel, value] of shown.similarities) {
        const expected = (await set.gram(kernel))[g * count + h];
        if (!(Math.abs(value - expected) < 1e-9)) check(`similarity by ${kernel}`, value, expected);
      }
    }
    if (shown.view === "collection" && shown.neighbours.length > 0) {
      const near = nearestGraphs((await set.gram(shown.kernel!)) as Float64Array, count, g, 10);
      check(
        `nearest graphs of ${g} by ${shown.kernel}`,
        shown.neighbours.map((cells) => cells.slice(-2)),
        near.map(({ similarity, distance }) => [similarity.toFixed(4), distance.toFixed(4)]),
      );
    }
    return found;
  }

  /** What is yet to come: the page is not what its address says. */
  function missing({ address, ...shown }: Snapshot): string[] {
    const found: string[] = [];
    const wait = (what: string, there: boolean) => {
      if (!there) found.push(what);
    };
    wait("the set that is being opened", !shown.busy);
    wait(`the view of the address, not ${shown.view}`, shown.view === (address.view ?? "open"));
    wait(`the set of the address, not ${shown.set}`, (shown.set ?? "") === (address.set ?? ""));
    if (shown.set === null) return found;
    const count = sets.get(shown.set)!.dataset.graphs.length;
    if (shown.view === "open") wait("the facts", shown.cards.length > 0);
    if (count === 1 && (shown.view === "compare" || shown.view === "collection")) return found;
    if (shown.view !== "open") wait("the pickers", shown.pickers.length > 0);
    if (shown.pickers.length > 0)
      wait("the graph of the address", shown.pickers[0].graph === Number(address.graph ?? 0));
    if (shown.pickers.length > 1)
      wait("the other graph of the address", shown.pickers[1].graph === Number(address.other ?? 1));
    if (shown.view === "graph") {
      wait("the drawing", shown.drawings[0]?.settled === true);
      wait("the colours", shown.scale.length === 2);
      wait(
        "the node of the address",
        shown.node === (address.node === undefined ? null : Number(address.node)),
      );
      wait("the node's density", shown.node === null || shown.returns !== null);
    }
    if (shown.view === "spectrum") wait("the spectrum", shown.estimator !== null);
    if (shown.view === "compare") wait("the comparison", shown.distance !== null);
    if (shown.view === "collection") wait("the nearest graphs", shown.neighbours.length > 0);
    return found;
  }

  /** One thing that somebody may do; where there is nothing to click on, nothing happens. */
  function action(random: Random): { name: string; act: (page: Page) => Promise<unknown> } {
    const one = <T>(from: readonly T[]): T => from[random.integer(from.length)];
    const click = (selector: string) => (page: Page) =>
      page.evaluate((at) => document.querySelector<HTMLElement>(at)?.click(), selector);
    const change = (selector: string, value: string) => (page: Page) =>
      page.evaluate(
        ([at, text]) => {
          const input = document.querySelector<HTMLInputElement | HTMLSelectElement>(at);
          if (input === null) return;
          input.value = text;
          input.dispatchEvent(new Event("change", { bubbles: true }));
        },
        [selector, value],
      );
    const name = one([...sets.keys()]);
    const view = one(VIEWS);
    const graph = random.integer(70);
    const other = random.integer(70);
    const kernel = one(KERNELS);
    const { file, text } = sets.get(name)!;
    return one([
      { name: `drop ${file}`, act: (page) => dropText(page, file, text) },
      {
        name: `address ${view} ${name} ${graph} ${other}`,
        act: (page) =>
          page.evaluate((hash) => {
            location.hash = hash;
          }, `#view=${view}&set=${name}&graph=${graph}&other=${other}`),
      },
      ...[0, 1, 2].map(() => ({
        name: `tab ${view}`,
        act: click(`nav button:nth-child(${VIEWS.indexOf(view) + 1})`),
      })),
      ...[0, 1].map(() => ({ name: `graph ${graph}`, act: change(".picker input", String(graph)) })),
      {
        name: `second graph ${other}`,
        act: change("[aria-label='Second graph'] .picker input", String(other)),
      },
      { name: "next graph", act: click("[aria-label='Next graph']") },
      { name: `node ${graph % 12}`, act: change("#node-number", String(graph % 12)) },
      { name: "an eigenvalue", act: click("section[aria-label='Known eigenvalues'] tbody button") },
      { name: `start ${kernel}`, act: click(`[aria-label='Compute ${kernel}']`) },
      {
        name: "stop the kernels",
        act: click("section[aria-label='Similarity under each kernel'] .progress button"),
      },
      { name: `collection by ${kernel}`, act: change(".top select", kernel) },
      { name: "a near graph", act: click("section[aria-label='Nearest graphs'] tbody button") },
      {
        name: "back",
        act: (page) => page.evaluate(() => (navigation.canGoBack ? history.back() : undefined)),
      },
      { name: "forward", act: (page) => page.evaluate(() => history.forward()) },
    ] satisfies { name: string; act: (page: Page) => Promise<unknown> }[]);
  }

  it.each(SEEDS)("shows nothing that is not of the set it names, seed %i", async (seed) => {
    const random = new Random(seed);
    const { page, faults } = await explorer.open();
    // each was open once, so that it can be gone back to
    for (const [name, { file, text }] of sets) {
      await dropText(page, file, text);
      await page.locator("footer strong").getByText(name, { exact: true }).waitFor();
    }
    const done: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      const actions = Array.from({ length: 1 + random.integer(3) }, () => action(random));
      done.push(actions.map(({ name }) => name).join(", then at once "));
      const where = `seed ${seed}, after:\n${done.join("\n")}\n`;
      for (const { act } of actions) await act(page);
      const contradictions = new Set<string>();
      const look = async () => {
        const shown = await snapshot(page);
        for (const sentence of await wrong(shown)) contradictions.add(sentence);
        return contradictions.size > 0 ? [] : missing(shown);
      };
      await expect.poll(look, { message: where }).toEqual([]);
      expect([...contradictions], where).toEqual([]);
    }
    expect(faults, `seed ${seed}`).toEqual([]);
    await page.context().close();
  });
});
