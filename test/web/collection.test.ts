/** The Collection view in a real browser: what it shows is what the command line says of the same data. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  accuracyText,
  chosenText,
  type EvaluationResult,
  percent,
  readDataset,
  readNpz,
  textSource,
} from "../../src/index.js";
import {
  closePages,
  csvRows,
  DATA,
  downloaded,
  expectClose,
  folder,
  graphdos,
  mapReady,
  removeFolder,
  seriousFindings,
  table,
} from "./collection-support.js";
import { type Explorer, hasChromium, startExplorer, TEST_PATIENCE } from "./page.js";

afterAll(removeFolder);

describe.skipIf(!hasChromium)("the Collection view (Chromium)", { timeout: TEST_PATIENCE }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await startExplorer();
  }, TEST_PATIENCE);
  afterEach(() => closePages(explorer));
  afterAll(() => explorer?.close());

  const openFile = async (page: Page, path: string, hash: string) => {
    await page.locator('input[data-pick="files"]').setInputFiles(path);
    await page.locator("footer strong").waitFor();
    await page.evaluate((given) => {
      location.hash = given;
    }, hash);
  };

  /** Evaluation, training and classification of the open set, against the command line. */
  async function sameAsCommandLine(page: Page, data: string, kernel: string, modelName: string) {
    await page.getByRole("button", { name: "Run nested cross-validation" }).click();
    await page.getByText(`Confusion of ${kernel}`).waitFor();
    const expected: EvaluationResult = JSON.parse(
      graphdos("evaluate", data, "--kernel", kernel, "--protocol", "quick", "--json", "--no-store"),
    );
    const [row] = expected.results;
    expect(await table(page, ".accuracies")).toEqual([
      [kernel, accuracyText(row, expected.protocol), percent(row.balancedAccuracy), chosenText(row)],
    ]);
    const confusion = csvRows((await downloaded(page, "Download the confusion as CSV")).bytes);
    expect(confusion.slice(1).map((cells) => cells.slice(1).map(Number))).toEqual(row.confusion);
    const folds = csvRows((await downloaded(page, "Download the choices of the folds as CSV")).bytes).slice(
      1,
    );
    expect(folds.map((cells) => [Number(cells[2]), Number(cells[3]), Number(cells[4])])).toEqual(
      row.perFold.map(({ accuracy, innerAccuracy, C }) => [accuracy, innerAccuracy, C]),
    );

    await page.getByRole("button", { name: `Train ${kernel} on` }).click();
    await page.getByText("support graphs").waitFor();
    const file = await downloaded(page, "Download the model as model file");
    expect(file.name).toBe(modelName);
    const theirs = join(folder, modelName);
    graphdos("train", data, "--kernel", kernel, "-o", theirs);
    expect(file.bytes.equals(readFileSync(theirs)), "the model file, byte by byte").toBe(true);

    await page.getByRole("button", { name: /^Classify / }).click();
    await page.getByText("classified").waitFor();
    const rows = csvRows((await downloaded(page, "Download the predictions as CSV")).bytes).slice(1);
    const predicted = JSON.parse(graphdos("predict", theirs, data, "--json"));
    expect(rows).toEqual(
      predicted.predictions.map((row: { graph: number; label: string; decision: number | number[] }) => [
        ...[String(row.graph), row.label],
        ...[row.decision].flat().map(String),
      ]),
    );
    const title = await page.getByText("classified").textContent();
    expect(title).toContain(`${(100 * predicted.accuracy).toFixed(2)} % as the data states`);
  }

  it("gives the command line's numbers for a built-in set: three classes, neighbours, features", async () => {
    const { page, faults } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos&graph=7");
    await mapReady(page);
    await sameAsCommandLine(page, "synthetic:ego", "dos", "synthetic-ego-dos.graphdos");
    const similar = JSON.parse(
      graphdos("similar", "synthetic:ego", "--graph", "7", "--kernel", "dos", "--json"),
    );
    const near = csvRows((await downloaded(page, "Download the nearest graphs as CSV")).bytes).slice(1);
    const expected: { graph: number; class: string; similarity: number; distance: number }[] =
      similar.neighbours;
    expect(near.map(([graph, label]) => [graph, label])).toEqual(
      expected.map((row) => [`graph ${row.graph}`, row.class]),
    );
    for (const [k, row] of expected.entries())
      expectClose(near[k].slice(2).map(Number), [row.similarity, row.distance], 1e-12);
    const path = join(folder, "features.npz");
    graphdos("features", "synthetic:ego", "--kernel", "dos", "-o", path);
    const features = await downloaded(page, "Download the map as features, npz");
    const [made, wanted] = [await readNpz(features.bytes), await readNpz(readFileSync(path))].map(
      Object.fromEntries,
    );
    expect(made.labels).toEqual(wanted.labels);
    expect(made.signature.shape).toEqual(wanted.signature.shape);
    expectClose(Array.from(made.signature.data, Number), Array.from(wanted.signature.data, Number), 1e-12);
    expect(faults).toEqual([]);
  });

  it.skipIf(!existsSync(join(DATA, "MUTAG.zip"))).each([
    ["MUTAG", "dos"],
    ["IMDB-BINARY", "dos"],
  ])("gives the command line's numbers for %s.zip", async (name, kernel) => {
    const path = join(DATA, `${name}.zip`);
    const { page, faults } = await explorer.open();
    await openFile(page, path, `#view=collection&set=${name}&kernel=${kernel}`);
    await mapReady(page);
    await sameAsCommandLine(page, path, kernel, `${name}-${kernel}.graphdos`);
    expect(faults).toEqual([]);
  });

  it("shows a thumbnail under the pointer, opens the graph at a click, and keeps the map as it was", async () => {
    const { page, faults } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos&graph=3");
    await mapReady(page);
    const canvas = page.locator(".ground canvas");
    await canvas.focus();
    await page.keyboard.press("+");
    await page.locator(".tip svg").waitFor();
    // the selected graph is where its tip is: left of it, or right where there is no room
    const tip = (await page.locator(".tip").boundingBox())!;
    await page.keyboard.press("ArrowRight");
    await expect.poll(async () => new URL(page.url()).hash).not.toContain("graph=3");
    await page.keyboard.press("ArrowLeft");
    const before = new URL(page.url()).hash;
    expect(before).toContain("graph=");
    await page.getByRole("button", { name: "Zoom out" }).click();
    const box = (await canvas.boundingBox())!;
    expect(tip.x).toBeGreaterThanOrEqual(box.x);
    let hit = false;
    for (let step = 0; step < 400 && !hit; step++) {
      await page.mouse.move(
        box.x + box.width * (0.2 + 0.6 * ((step * 0.618) % 1)),
        box.y + box.height * (0.15 + 0.7 * ((step * 0.414) % 1)),
      );
      hit = (await page.locator("canvas.pointing").count()) > 0;
    }
    expect(hit).toBe(true);
    const title = await page.locator(".tip .name").textContent();
    await page.mouse.down();
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).hash).toContain("view=graph");
    expect(title).toBe(
      `graph ${new URLSearchParams(new URL(page.url()).hash.slice(1)).get("graph") ?? 0} of synthetic:ego`,
    );
    await page.goBack();
    await canvas.waitFor();
    await page.getByRole("button", { name: "All", exact: true }).click();
    expect(faults).toEqual([]);
  });

  it("pans by dragging and zooms with the wheel", async () => {
    const { page } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos");
    await mapReady(page);
    // the last of what the view shows: nothing moves the map after that
    await page.locator("section[aria-label='Nearest graphs'] tbody tr:not([aria-hidden])").first().waitFor();
    const all = page.getByRole("button", { name: "All", exact: true });
    expect(await all.isDisabled()).toBe(true);
    /** Once what is asked for has been drawn: the map is drawn in the next frame. */
    const picture = () =>
      page.locator(".ground canvas").evaluate(async (canvas) => {
        for (let k = 0; k < 2; k++) await new Promise((drawn) => requestAnimationFrame(drawn));
        return (canvas as HTMLCanvasElement).toDataURL();
      });
    // drawn to the end: the same three times, moments apart
    let whole = "";
    let times = 0;
    await expect
      .poll(
        async () => {
          const before = whole;
          whole = await picture();
          times = whole === before ? times + 1 : 1;
          return times;
        },
        { interval: 400 },
      )
      .toBeGreaterThanOrEqual(3);
    const box = (await page.locator(".ground canvas").boundingBox())!;
    await page.mouse.move(box.x + 30, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + 90, { steps: 4 });
    await page.mouse.up();
    await expect.poll(picture).not.toBe(whole);
    const panned = await picture();
    await page.mouse.wheel(0, -400);
    await expect.poll(picture).not.toBe(panned);
    await all.click();
    await page.mouse.move(0, 0);
    await expect.poll(picture).toBe(whole);
  });

  it("cancels an evaluation, says so by stopping, and runs it again", async () => {
    const { page, faults } = await explorer.open("#view=collection&set=synthetic:threads&kernel=dos");
    await mapReady(page);
    await page.getByLabel("Protocol").selectOption("paper");
    await page.getByRole("button", { name: "Run nested cross-validation" }).click();
    await page.getByText(/of 100 folds/).waitFor();
    await page.getByRole("region", { name: "Evaluation" }).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Run nested cross-validation" }).waitFor();
    expect(await page.getByText("Confusion of").count()).toBe(0);
    await page.getByLabel("Protocol").selectOption("quick");
    await page.getByRole("button", { name: "Run nested cross-validation" }).click();
    await page.getByText("Confusion of dos").waitFor();
    expect(faults).toEqual([]);
  });

  it("classifies dropped graphs with a loaded model, and leaves the open set open", async () => {
    const model = join(folder, "threads.graphdos");
    graphdos("train", "synthetic:threads", "--kernel", "dos", "--probability", "-o", model);
    const star = join(folder, "star.txt");
    writeFileSync(star, Array.from({ length: 40 }, (_, k) => `0 ${k + 1}`).join("\n"));
    const { page, faults } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos");
    await page.getByLabel("or load one").setInputFiles(model);
    await page
      .getByText("dos on 400 graphs of synthetic:threads")
      .or(page.getByText("graphs of synthetic:threads"))
      .first()
      .waitFor();
    await page.getByLabel("Drop graphs here, or pick files").setInputFiles(star);
    await page.getByText("1 graph classified").waitFor();
    const [cells] = await table(page, ".predictions");
    const [expected] = JSON.parse(graphdos("predict", model, star, "--json")).predictions;
    expect(cells.slice(0, 3)).toEqual([String(expected.graph), expected.label, expected.decision.toFixed(3)]);
    expect(await page.locator("footer strong").textContent()).toBe("synthetic:ego");
    // and by dropping: the page must not open it
    const transfer = await page.evaluateHandle(() => {
      const made = new DataTransfer();
      made.items.add(new File(["0 1\n1 2\n"], "path.txt"));
      return made;
    });
    await page.dispatchEvent(".drop", "drop", { dataTransfer: transfer });
    await page.getByText(/^path(\.txt)?: 1 graph classified/).waitFor();
    expect(await page.locator("footer strong").textContent()).toBe("synthetic:ego");
    expect(faults).toEqual([]);
  });

  it("says of classified files what the model does not use and how they were read", async () => {
    const model = join(folder, "ego.graphdos");
    graphdos("train", "synthetic:ego", "--kernel", "dos", "-o", model);
    const water = join(folder, "water.gml");
    const text = `graph [ directed 1
      node [ id 1 label "H" name "a" ] node [ id 2 label "O" name "b" ] node [ id 3 label "H" name "c" ]
      edge [ source 1 target 2 ] edge [ source 2 target 3 ] ]`;
    writeFileSync(water, text);
    const unused: string[] = JSON.parse(graphdos("predict", model, water, "--json")).notes;
    expect(unused).toHaveLength(1);
    expect(unused[0]).toMatch(/^not used: node labels \(.*\), node key name/);
    const { notes } = await readDataset(textSource("water.gml", text));
    expect(notes).toContain("directed edges were symmetrised: 2");
    const { page, faults } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos");
    await page.getByLabel("or load one").setInputFiles(model);
    await page.getByLabel("Drop graphs here, or pick files").setInputFiles(water);
    await page.getByText("1 graph classified").waitFor();
    const said = page.locator("[data-prediction-notes] li");
    expect(await said.allTextContents()).toEqual([...unused, ...notes]);
    // of the open set: how it was read is said above the view
    await page.getByRole("button", { name: "Classify synthetic:ego" }).click();
    await page.getByText("360 graphs classified").waitFor();
    expect(await said.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  /** Rings and lines with node labels, colours that no reader uses, and a single star. */
  const markedGraphs = (graphs: number) =>
    JSON.stringify(
      Array.from({ length: graphs }, (_, g) => {
        const n = 3 + (g % 7);
        const kind = g === 0 ? "star" : g % 2 === 0 ? "ring" : "line";
        const ends = (i: number) => ({ source: kind === "star" ? 0 : i - 1, target: i });
        const links = Array.from({ length: n - 1 }, (__, i) => ends(i + 1));
        return {
          ...{ directed: false, multigraph: false, graph: { class: kind } },
          nodes: Array.from({ length: n }, (__, id) => ({
            id,
            label: id % 2 === 0 ? "C" : "O",
            colour: "red",
          })),
          links: kind === "ring" ? [...links, { source: n - 1, target: 0 }] : links,
        };
      }),
    );

  it("says of models, nearest graphs, similarities and spectra what they do not use", async () => {
    const data = join(folder, "marked.json");
    writeFileSync(data, markedGraphs(21));
    const json = (...words: string[]) => JSON.parse(graphdos(...words, "--json"));
    const [unused] = json("similar", data, "--graph", "2", "--kernel", "dos").notes as string[];
    expect(unused).toMatch(/^not used: node labels \(.*\), .*colour/);
    const { page, faults } = await explorer.open("#graph=2");
    await openFile(page, data, "#view=collection&set=marked&kernel=dos&graph=2");
    await mapReady(page);
    await page.locator("section[aria-label='Nearest graphs'] tbody tr:not([aria-hidden])").first().waitFor();
    // once for the map and the nearest graphs, which are by the same kernel
    expect(await page.locator(".wide").getByText(unused).count()).toBe(1);
    await page.getByRole("button", { name: "Train dos on marked" }).click();
    await page.getByText("support graphs").waitFor();
    const said = page.locator("[data-model] p");
    const trained = graphdos("train", data, "--kernel", "dos", "-o", join(folder, "marked.graphdos"));
    const [, ...sentences] = trained.trimEnd().split("\n");
    expect(sentences.at(-1)).toBe(unused);
    sentences.splice(
      -1,
      0,
      "class star has 1 graph: the cross-validation that chooses cannot learn it and test it at once",
    );
    expect(await said.allTextContents()).toEqual(sentences);

    await page.getByRole("button", { name: "Spectrum", exact: true }).click();
    const spectral: string[] = json("spectrum", data, "--graph", "2").notes;
    expect(spectral).toHaveLength(1);
    await page.locator("[data-unused]").waitFor();
    expect(await page.locator("[data-unused]").textContent()).toBe(spectral[0]);

    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("button", { name: "Compute wl", exact: true }).click();
    for (const kernel of ["retgk1+dos", "wl"])
      await page.locator(`[data-kernel='${kernel}'][data-value]`).waitFor();
    const shown = await page.locator("[data-kernel-note]").allTextContents();
    for (const kernel of ["dos", "ldos", "wl"]) {
      const notes: string[] = json("similar", data, "--graph", "2", "--kernel", kernel).notes;
      const own = shown.filter((line) => line.slice(0, line.indexOf(": ")).split(", ").includes(kernel));
      expect(own.map((line) => line.slice(line.indexOf(": ") + 2))).toEqual(notes);
    }
    expect(faults).toEqual([]);
  });

  it("says of similarities in a large set how their scale was found", async () => {
    const { page, faults } = await explorer.open();
    const data = join(folder, "large.json");
    writeFileSync(data, markedGraphs(2001));
    await openFile(page, data, "#view=compare&set=large");
    await page.locator("[data-kernel=dos][data-value]").waitFor();
    await page
      .locator("[data-kernel-note]")
      .getByText("dos: bandwidths: medians over the pairs of 2000 of the 2001 graphs, seed 0")
      .waitFor();
    expect(faults).toEqual([]);
  });

  it("says what is wrong with a model or with graphs, in the command line's sentence", async () => {
    const damaged = join(folder, "damaged.graphdos");
    writeFileSync(damaged, "not a model");
    const { page } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos");
    await page.getByLabel("or load one").setInputFiles(damaged);
    await page.getByText("damaged.graphdos: not a graphdos model file").waitFor();
  });

  it("has pictures and tables to download that are what they say", async () => {
    const { page } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos");
    await mapReady(page);
    for (const [what, points] of [
      ["map", 360],
      ["heat map", 0],
    ] as const) {
      const svg = await downloaded(page, `Download the ${what} as SVG`);
      const text = svg.bytes.toString();
      expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      const fault = await page.evaluate(
        (given) =>
          new DOMParser().parseFromString(given, "image/svg+xml").querySelector("parsererror")?.textContent,
        text,
      );
      expect(fault).toBeUndefined();
      if (points > 0) expect(text.match(/z/g)!.length).toBeGreaterThanOrEqual(points);
      const png = await downloaded(page, `Download the ${what} as PNG`);
      expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
      expect(png.bytes.length).toBeGreaterThan(10_000);
    }
    const places = csvRows((await downloaded(page, "Download the map as CSV")).bytes);
    expect(places).toHaveLength(361);
    // centred, uncorrelated axes: what kernel PCA promises
    const sums = [0, 0, 0];
    for (const [, , x, y] of places.slice(1)) {
      sums[0] += Number(x);
      sums[1] += Number(y);
      sums[2] += Number(x) * Number(y);
    }
    for (const sum of sums) expect(Math.abs(sum)).toBeLessThan(1e-6);
  });

  it("has no serious finding of accessibility, before and after an evaluation, in light and dark", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos", { colorScheme });
      await mapReady(page);
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole("button", { name: "Run nested cross-validation" }).click();
      await page.getByText("Confusion of dos").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    }
  });

  it("fits a phone: nothing is wider than the screen", async () => {
    const { page } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos", {
      viewport: { width: 390, height: 844 },
    });
    await mapReady(page);
    await page.getByRole("button", { name: "Run nested cross-validation" }).click();
    await page.getByText("Confusion of dos").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
