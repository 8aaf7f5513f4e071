/** The explorer end to end in Chromium: open, graph, spectrum, compare, share. What it shows is held against the command line. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Graph, readDataset, readNpz, syntheticDataset } from "../../src/index.js";
import { fileSource } from "../../src/node/file-source.js";
import { type Explorer, goTo, hasChromium, type OpenPage, startExplorer, TEST_PATIENCE } from "./page.js";

const DATA = resolve("../shared/datasets");
const mutag = join(DATA, "MUTAG.zip");
const imdb = join(DATA, "IMDB-BINARY.zip");
const folder = mkdtempSync(join(tmpdir(), "graphdos-page-"));

/** What the command line prints. */
function graphdos(...words: string[]): { stdout: string; stderr: string } {
  return spawnSync(process.execPath, ["dist/cli/main.js", ...words], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
}
/** Rows of numbers under a head. */
const rows = (table: string) =>
  table
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").map(Number));
/** Browsers and Node differ in the last digits of sines. */
const largestGap = (a: number[][], b: number[][]) => {
  expect(a.map((row) => row.length)).toEqual(b.map((row) => row.length));
  return a
    .flatMap((row, r) => row.map((value, c) => Math.abs(value - b[r][c])))
    .reduce((x, y) => Math.max(x, y), 0);
};
const graphdosJson = (...words: string[]) => JSON.parse(graphdos(...words, "--json").stdout);

describe.skipIf(!hasChromium)("the explorer (Chromium)", () => {
  let explorer: Explorer;
  const opened: OpenPage[] = [];
  beforeAll(async () => {
    explorer = await startExplorer();
  }, TEST_PATIENCE);
  afterAll(async () => {
    await explorer?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const visit = async (hash = ""): Promise<Page> => {
    const open = await explorer.open(hash);
    opened.push(open);
    return open.page;
  };
  /** A page with files opened in it. */
  const withFiles = async (files: string | string[], hash = "", pick = "files"): Promise<Page> => {
    const page = await visit(hash);
    await page.locator(`[data-pick=${pick}]`).setInputFiles(files);
    return page;
  };
  const download = async (page: Page, name: string): Promise<Buffer> => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name, exact: true }).click(),
    ]);
    return readFileSync(await file.path());
  };
  const finish = async (page: Page) => {
    const { faults } = opened.find((open) => open.page === page)!;
    expect(faults).toEqual([]);
    await page.context().close();
  };

  describe("open", () => {
    const facts = async (page: Page) => {
      await page.locator(".facts[aria-busy=false]").waitFor();
      const cards = await page
        .locator(".facts .card")
        .evaluateAll((all) =>
          all.map((card) => [card.children[0].textContent, card.children[1].textContent]),
        );
      return Object.fromEntries(cards) as Record<string, string>;
    };
    const sentences = (page: Page, kind: string) =>
      page.locator(`[data-sentences=${kind}] li`).allTextContents();
    const spaces = (text: string) => text.replace(/\s+/g, " ");

    it("a built-in set, with the numbers and the sentences of `inspect`", {
      timeout: TEST_PATIENCE,
    }, async () => {
      const page = await visit();
      await page.getByRole("button", { name: /synthetic:ego/ }).click();
      const shown = await facts(page);
      const said = graphdosJson("inspect", "synthetic:ego");
      expect(shown.graphs).toBe(String(said.graphs));
      expect(shown["mean nodes"]).toBe(said.meanNodes.toFixed(2));
      expect(shown["mean edges"]).toBe(said.meanEdges.toFixed(2));
      const text = spaces(graphdos("inspect", "synthetic:ego").stdout);
      for (const kind of ["reading", "structure"])
        for (const sentence of await sentences(page, kind)) expect(text).toContain(spaces(sentence));
      expect(page.url()).toContain("#set=synthetic:ego");
      await finish(page);
    });

    it.skipIf(!existsSync(imdb))(
      "a TU zip, with the numbers and the sentences of `inspect`",
      { timeout: TEST_PATIENCE },
      async () => {
        const page = await withFiles(imdb);
        const shown = await facts(page);
        const text = spaces(graphdos("inspect", imdb).stdout);
        for (const [name, value] of Object.entries(shown)) expect(text).toContain(`${name} ${value}`);
        const all = [...(await sentences(page, "reading")), ...(await sentences(page, "structure"))];
        expect(all.length).toBeGreaterThan(3);
        for (const sentence of all) expect(text).toContain(spaces(sentence));
        await finish(page);
      },
    );

    it("a folder of graph files with labels, and a file that is dropped", {
      timeout: TEST_PATIENCE,
    }, async () => {
      const inside = join(folder, "shapes");
      spawnSync("mkdir", ["-p", inside]);
      writeFileSync(join(inside, "ring.edges"), "0 1\n1 2\n2 0\n");
      writeFileSync(join(inside, "line.edges"), "0 1\n1 2\n");
      writeFileSync(join(inside, "labels.csv"), "file,label\nring.edges,round\nline.edges,straight\n");
      const page = await withFiles(inside, "", "folder");
      expect((await facts(page)).graphs).toBe("2");
      await page.getByText("straight").first().waitFor();
      await page.evaluate(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["0 1\n0 2\n0 3\n0 1\n"], "star.edges"));
        dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      });
      await page.getByRole("heading", { name: "star" }).waitFor();
      await page.getByText("Dropped 1 repeated line").waitFor();
      await finish(page);
    });

    it("says the command line's sentence of a bad file, and goes on", {
      timeout: TEST_PATIENCE,
    }, async () => {
      const page = await visit();
      const bad: [string, string][] = [
        ["words.edges", "1 2\n2 x3 y z w\n"],
        ["range.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n1 9 1\n"],
        ["cut.zip", "PK\u0003\u0004 cut off"],
        ["nothing.txt", ""],
      ];
      for (const [name, text] of bad) {
        const path = join(folder, name);
        writeFileSync(path, text);
        await page.locator("[data-pick=files]").setInputFiles(path);
        await page.getByRole("alert").getByText(name).waitFor();
        const sentence = graphdos("inspect", path)
          .stderr.replace(/^graphdos: /, "")
          .trim();
        expect(await page.getByRole("alert").locator("p").textContent()).toBe(sentence);
      }
      await page.getByRole("button", { name: /synthetic:threads/ }).click();
      await page.getByRole("heading", { name: "synthetic:threads" }).waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      await finish(page);
    });
  });

  describe("graph", () => {
    /** The k-th power of D^(-1/2) A D^(-1/2), by plain products. */
    const returns = (graph: Graph, k: number): number[] => {
      const n = graph.nodeCount;
      const walk = Array.from({ length: n }, (_, i) =>
        Array.from(
          { length: n },
          (_, j) => graph.weight(i, j) / Math.sqrt(graph.degree(i) * graph.degree(j)) || 0,
        ),
      );
      let power: number[][] = walk.map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));
      for (let step = 0; step < k; step++)
        power = power.map((row) =>
          row.map((_, j) => row.reduce((sum, value, m) => sum + value * walk[m][j], 0)),
        );
      return power.map((row, i) => row[i]);
    };

    it("draws a graph, colours it by return probabilities, tells of a node", {
      timeout: TEST_PATIENCE,
    }, async () => {
      const graph = syntheticDataset("ego").graphs[7];
      const expected = returns(graph, 4);
      const page = await visit("#view=graph&set=synthetic:ego&graph=7&node=3&motifs=1");
      await page.locator("[data-settled=true]").waitFor();
      await page.locator(".legend .ends").first().waitFor();
      const value = page.getByText("back after 4 steps").locator("xpath=following-sibling::dd");
      expect(Number(await value.textContent())).toBeCloseTo(expected[3], 4);
      const table = (await download(page, "Download the drawing as CSV"))
        .toString()
        .trim()
        .split("\n")
        .slice(1);
      const values = table.map((line) => Number(line.split(",").at(-1)));
      expect(largestGap([values], [expected])).toBeLessThan(1e-6);
      const svg = (await download(page, "Download the drawing as SVG")).toString();
      expect(svg.match(/<circle/g)).toHaveLength(graph.nodeCount);
      const png = await download(page, "Download the drawing as PNG");
      expect(png.subarray(1, 4).toString()).toBe("PNG");
      await finish(page);
    });

    it("shows the density of the node under the pointer", { timeout: TEST_PATIENCE }, async () => {
      // a single node lies in the middle
      const one = join(folder, "one.mtx");
      writeFileSync(one, "%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n");
      const page = await withFiles(one);
      await page.getByRole("heading", { name: "one" }).waitFor();
      await goTo(page, "Graph");
      await page.locator("[data-settled=true]").waitFor();
      await page.getByText("Point at a node").waitFor();
      const box = (await page.locator("[data-settled]").boundingBox())!;
      await expect
        .poll(async () => {
          await page.mouse.move(box.x + box.width / 2 + 2, box.y + box.height / 2 - 2);
          await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
          return page.locator(".detail").getAttribute("data-node");
        })
        .toBe("0");
      // with its self-loop all of its density is at 1
      await page.locator(".detail").getByText("at λ = 1").waitFor();
      await page.locator(".detail").getByText("100 %").first().waitFor();
      await page.mouse.move(box.x + 20, box.y + 20);
      await page.getByText("Point at a node").waitFor();
      await finish(page);
    });
  });

  describe("spectrum", () => {
    it("draws the command line's numbers, exact and sampled, while sliders move", {
      timeout: TEST_PATIENCE,
    }, async () => {
      const page = await visit("#view=spectrum&set=synthetic:threads&graph=3");
      await page.locator("[data-estimator=exact]").waitFor();
      const table = async (...options: string[]) => {
        const path = join(folder, "density.csv");
        graphdos("spectrum", "synthetic:threads", "--graph", "3", "-o", path, ...options);
        return readFileSync(path, "utf8");
      };
      const shown = async () => (await download(page, "Download the density as CSV")).toString();
      const check = async (...options: string[]) => {
        const [own, said] = [await shown(), await table(...options)];
        expect(own.split("\n")[0]).toBe(said.split("\n")[0]);
        expect(largestGap(rows(own), rows(said))).toBeLessThan(1e-9);
      };
      await check();
      await page.getByRole("slider", { name: "Moments" }).fill("23");
      await page.waitForURL(/moments=23/);
      await page.getByText("Probes", { exact: true }).click();
      await page.getByRole("slider", { name: "Random probes" }).fill("9");
      await page.getByText("9 random probes").waitFor();
      await check("--moments", "23", "--estimator", "probes", "--probes", "9");
      await page.getByLabel(/self-loop/).check();
      await page.getByText("Exact", { exact: true }).click();
      await page.locator("[data-estimator=exact][data-loops=true]").waitFor();
      await check("--moments", "23", "--self-loops");
      await finish(page);
    });

    it("a click on the spike at 0 lights up the dangling twins", { timeout: TEST_PATIENCE }, async () => {
      const graph = syntheticDataset("threads").graphs[3];
      const rowOf = (i: number) => graph.targets.slice(graph.offsets[i], graph.offsets[i + 1]).join(" ");
      const all = Array.from({ length: graph.nodeCount }, (_, i) => rowOf(i));
      const twins = all.filter((row) => all.filter((other) => other === row).length > 1).length;
      const page = await visit("#view=spectrum&set=synthetic:threads&graph=3");
      await page.locator("[data-estimator=exact]").waitFor();
      const over = page.locator(".chart .u-over").first();
      const box = (await over.boundingBox())!;
      await page.mouse.move(box.x + box.width / 2 + 3, box.y + 60);
      await page.mouse.click(box.x + box.width / 2 + 3, box.y + 60);
      await page.locator(`[data-lit="${twins}"]`).waitFor();
      expect(page.url()).toContain("lambda=0");
      const said = graphdosJson("spectrum", "synthetic:threads", "--graph", "3");
      const atom = said.atoms.find(({ eigenvalue }: { eigenvalue: number }) => eigenvalue === 0);
      await page.getByText(`It occurs ${atom.count} times`).waitFor();
      const listed = await page.locator("section[aria-label='Known eigenvalues'] tbody tr").count();
      expect(listed).toBe(said.atoms.length);
      const svg = (await download(page, "Download the density as SVG")).toString();
      expect(svg).toContain("<title>Density of states of graph 3 of synthetic:threads</title>");
      await finish(page);
    });

    it.skipIf(!existsSync(imdb))("of a graph of a TU zip", { timeout: TEST_PATIENCE }, async () => {
      const page = await withFiles(imdb, "#graph=17");
      await page.getByRole("heading", { name: "IMDB-BINARY" }).waitFor();
      await goTo(page, "Spectrum");
      await page.getByRole("spinbutton", { name: "Graph" }).fill("17");
      await page.getByRole("spinbutton", { name: "Graph" }).press("Enter");
      await page.waitForURL(/graph=17/);
      const said = graphdosJson("spectrum", imdb, "--graph", "17");
      await page.getByText(`exact (chosen by cost): ${said.estimator.reason}`).waitFor();
      const csv = (await download(page, "Download the eigenvalues as CSV"))
        .toString()
        .trim()
        .split("\n")
        .slice(1);
      const shown = csv.map((line) => line.split(",").slice(0, 3).map(Number)).sort((a, b) => a[0] - b[0]);
      expect(shown).toEqual(
        said.atoms.map(({ eigenvalue, mass, count }: Record<string, number>) => [eigenvalue, mass, count]),
      );
      await finish(page);
    });
  });

  describe.skipIf(!existsSync(mutag))("compare", () => {
    it("two graphs, with the distances, the nodes and the similarities of `similar`", {
      timeout: TEST_PATIENCE,
    }, async () => {
      const page = await withFiles(mutag);
      await page.getByRole("heading", { name: "MUTAG" }).waitFor();
      await goTo(page, "Compare");
      await page.getByRole("spinbutton", { name: "Second" }).fill("5");
      await page.getByRole("spinbutton", { name: "Second" }).press("Enter");
      await page.waitForURL(/other=5/);
      const pair = graphdosJson("similar", mutag, mutag, "--graph", "0", "--other-graph", "5");
      await page.getByText(pair.spectralDistance.toPrecision(3)).first().waitFor();
      const distance = await page.locator("[data-distance]").getAttribute("data-distance");
      expect(Number(distance)).toBeCloseTo(pair.spectralDistance, 10);
      const nodes = (await page.locator(".gaps section").first().locator("tbody tr").allTextContents())
        .length;
      expect(nodes).toBe(pair.nodes.first.length);
      await page.locator("[data-kernel='retgk1+dos'][data-value]").waitFor();
      for (const kernel of ["dos", "dos+ldos", "retgk1"]) {
        const said = graphdosJson("similar", mutag, "--graph", "0", "-k", "187", "--kernel", kernel);
        const { similarity } = said.neighbours.find(({ graph }: { graph: number }) => graph === 5);
        const shown = await page.locator(`[data-kernel='${kernel}']`).getAttribute("data-value");
        expect(Number(shown)).toBeCloseTo(similarity, 12);
      }
      const svg = (await download(page, "Download the comparison as SVG")).toString();
      expect(svg).toContain("Nodes whose local density");
      await finish(page);
    });

    it("keeps its view in the address: a file of that name brings it back", {
      timeout: TEST_PATIENCE,
    }, async () => {
      const page = await visit("#view=spectrum&set=MUTAG&graph=12&moments=31&lambda=0");
      await page.getByText("This address was made with MUTAG").waitFor();
      await page.getByRole("button", { name: "Open a file" }).click();
      await page.locator("[data-pick=files]").setInputFiles(mutag);
      await page.getByRole("heading", { name: "MUTAG" }).waitFor();
      await goTo(page, "Spectrum");
      expect(await page.getByRole("spinbutton", { name: "Graph" }).inputValue()).toBe("12");
      expect(await page.getByRole("slider", { name: "Moments" }).inputValue()).toBe("31");
      await page.goBack();
      await page.getByRole("heading", { name: "See what a spectrum says" }).waitFor();
      await finish(page);
    });

    it("downloads the features that `features` writes", { timeout: TEST_PATIENCE }, async () => {
      const page = await withFiles(mutag);
      await page.getByRole("heading", { name: "MUTAG" }).waitFor();
      const shown = await download(page, "Download the set as features (npz)");
      const path = join(folder, "features.npz");
      graphdos("features", mutag, "--kernel", "ldos", "-o", path);
      const [own, said] = [await readNpz(shown), await readNpz(readFileSync(path))];
      expect([...own.keys()]).toEqual([...said.keys()]);
      for (const [name, array] of said) {
        expect(own.get(name)!.shape).toEqual(array.shape);
        const numbers = (of: typeof array) => [Array.from(of.data as Float64Array, Number)];
        expect(largestGap(numbers(own.get(name)!), numbers(array))).toBeLessThan(1e-9);
      }
      const set = await readDataset(await fileSource(mutag));
      const lines = (await download(page, "Download the set as CSV")).toString().trim().split("\n");
      expect(lines).toHaveLength(1 + set.graphs.length);
      await finish(page);
    });
  });
});
