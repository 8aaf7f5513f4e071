/** What the explorer promises besides its numbers: reachable by all, small, quick, and never in the way of the hand on the slider. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barabasiAlbert } from "../../src/graph/generators/index.js";
import { type Explorer, goTo, hasChromium, startExplorer, TEST_PATIENCE } from "./page.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-quality-"));

describe.skipIf(!hasChromium)("the quality of the explorer (Chromium)", () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await startExplorer();
  }, TEST_PATIENCE);
  afterAll(async () => {
    await explorer?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const findings = async (page: Page) => {
    // its types are those of the package playwright, of which playwright-core is the inside
    const axe = new AxeBuilder({ page } as unknown as ConstructorParameters<typeof AxeBuilder>[0]);
    const { violations } = await axe.analyze();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  };

  const views: [string, string, string][] = [
    ["", "text=Or take a built-in set", "start"],
    ["#set=synthetic:ego", ".facts[aria-busy=false]", "open"],
    ["#view=graph&set=synthetic:ego&graph=7&node=3&motifs=1", "[data-settled=true]", "graph"],
    [
      "#view=spectrum&set=synthetic:ego&graph=3&estimator=probes&lambda=-0.125",
      "[data-estimator=probes]",
      "spectrum",
    ],
    ["#view=compare&set=synthetic:ego&graph=3&other=4", "[data-distance]", "compare"],
    ["#view=graph&set=MUTAG", "text=This address was made with MUTAG", "a file that is not there"],
  ];

  it.each(["light", "dark"] as const)(
    "axe finds nothing serious, %s",
    { timeout: TEST_PATIENCE },
    async (colorScheme) => {
      const { page } = await explorer.open("", { colorScheme });
      for (const [hash, ready, name] of colorScheme === "light" ? views : views.slice(2, 4)) {
        await page.goto("about:blank");
        await page.goto(explorer.address + hash);
        await page.locator(ready).first().waitFor();
        expect(await findings(page), name).toEqual([]);
      }
      await page.context().close();
    },
  );

  it("nothing is wider than a phone, and every view is a tab away", { timeout: TEST_PATIENCE }, async () => {
    const { page } = await explorer.open("", { viewport: { width: 390, height: 844 } });
    for (const [hash, ready, name] of views) {
      await page.goto("about:blank");
      await page.goto(explorer.address + hash);
      await page.locator(ready).first().waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, name).toBeLessThanOrEqual(390);
      const tabs = page.getByRole("navigation", { name: "Views" }).getByRole("button");
      const ends = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().right));
      expect(ends).toHaveLength(5);
      expect(Math.max(...ends), name).toBeLessThanOrEqual(390);
    }
    await page.context().close();
  });

  it("keys reach the tabs, the sliders and the eigenvalues", { timeout: TEST_PATIENCE }, async () => {
    const { page } = await explorer.open("#view=spectrum&set=synthetic:threads&graph=3");
    await page.locator("[data-estimator=exact]").waitFor();
    const reached = new Set<string>();
    for (let k = 0; k < 40 && !reached.has("Eigenvalue λ"); k++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const active = document.activeElement;
        const label =
          active instanceof HTMLInputElement ? active.labels?.[0]?.textContent : active?.textContent;
        return label?.trim() ?? "";
      });
      reached.add(name);
      if (name === "Moments") await page.keyboard.press("ArrowRight");
    }
    for (const name of ["Collection", "Moments", "Jackson", "Eigenvalue λ"])
      expect([...reached]).toContain(name);
    expect(page.url()).toContain("moments=51");
    await page.context().close();
  });

  it("is below 1.5 MB in all, and carries no Node-only drawing", () => {
    const files = readdirSync("dist/web", { recursive: true, encoding: "utf8" }).map((name) =>
      join("dist/web", name),
    );
    const sizes = files.map((file) => (statSync(file).isFile() ? statSync(file).size : 0));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000);
    for (const file of files.filter((name) => name.endsWith(".js")))
      expect(/linkedom|resvg/.test(readFileSync(file, "utf8")), file).toBe(false);
  });

  it("shows its first view without waiting for what computes, and computes nothing itself", {
    timeout: TEST_PATIENCE,
  }, async () => {
    const lines: string[] = [];
    barabasiAlbert(3800, 1, 5).forEachEdge((i, j) => lines.push(`${i} ${j}`));
    const file = join(folder, "thread.edges");
    writeFileSync(file, `${lines.join("\n")}\n`);
    const { page, faults } = await explorer.open("#view=open");
    // the engine's script comes when it is let through, not before
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/worker-[^/]*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await page.getByText("Or take a built-in set").waitFor();
    const scripts = await page.evaluate(() =>
      performance.getEntriesByType("resource").flatMap(({ name }) => (name.endsWith(".js") ? [name] : [])),
    );
    const own = scripts.filter((url) => !/\/worker-/.test(url));
    expect(own.length).toBeGreaterThan(0);
    // the numerics are one WASM module, in base64: in the engine's script and in none that the page itself runs
    const numeric = (url: string) =>
      /AGFzb/.test(readFileSync(join("dist/web", new URL(url).pathname), "utf8"));
    expect(own.filter(numeric)).toEqual([]);
    const engine = readdirSync("dist/web/assets").filter((name) => name.startsWith("worker-"));
    expect(engine.map((name) => numeric(`file:///assets/${name}`))).toEqual([true]);
    await page.locator("[data-pick=files]").setInputFiles(file);
    await page.getByText("Opening thread.edges").first().waitFor();
    await goTo(page, "Spectrum");
    await page.getByRole("heading", { name: "Opening thread.edges" }).waitFor();
    release();
    await page.locator("[data-estimator=exact]").waitFor();
    await page.getByRole("slider", { name: "Moments" }).fill("200");
    await page.getByLabel(/self-loop/).click();
    await page.locator("[data-loops=true]").waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
