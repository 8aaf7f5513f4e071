/** What the explorer promises besides its numbers: reachable by all, small, quick, and never in the way of the hand on the slider. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { barabasiAlbert } from "../../src/graph/generators/index.js";
import { type Explorer, hasChromium, startExplorer } from "./page.js";

const TIMEOUT = 120_000;
const folder = mkdtempSync(join(tmpdir(), "graphdos-quality-"));

describe.skipIf(!hasChromium)("the quality of the explorer (Chromium)", () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await startExplorer();
  }, TIMEOUT);
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
    { timeout: TIMEOUT },
    async (colorScheme) => {
      const { page } = await explorer.open("", { colorScheme });
      page.setDefaultTimeout(60_000);
      for (const [hash, ready, name] of colorScheme === "light" ? views : views.slice(2, 4)) {
        await page.goto("about:blank");
        await page.goto(explorer.address + hash);
        await page.locator(ready).first().waitFor();
        expect(await findings(page), name).toEqual([]);
      }
      await page.context().close();
    },
  );

  it("nothing is wider than a phone, and every view is a tab away", { timeout: TIMEOUT }, async () => {
    const { page } = await explorer.open("", { viewport: { width: 390, height: 844 } });
    page.setDefaultTimeout(60_000);
    for (const [hash, ready, name] of views) {
      await page.goto("about:blank");
      await page.goto(explorer.address + hash);
      await page.locator(ready).first().waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, name).toBeLessThanOrEqual(390);
    }
    const tabs = page.getByRole("navigation", { name: "Views" }).getByRole("button");
    const boxes = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().right));
    expect(boxes).toHaveLength(5);
    expect(Math.max(...boxes)).toBeLessThanOrEqual(390);
    await page.context().close();
  });

  it("keys reach the tabs, the sliders and the eigenvalues", { timeout: TIMEOUT }, async () => {
    const { page } = await explorer.open("#view=spectrum&set=synthetic:threads&graph=3");
    page.setDefaultTimeout(60_000);
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

  it("shows its first view within two seconds of a cold load", { timeout: TIMEOUT }, async () => {
    const times: number[] = [];
    // other work on the machine may delay one load, not every one
    for (let k = 0; k < 5 && !times.some((time) => time < 2000); k++) {
      const start = performance.now();
      const { page } = await explorer.open();
      await page.getByText("Or take a built-in set").waitFor();
      times.push(performance.now() - start);
      await page.context().close();
    }
    expect(Math.min(...times)).toBeLessThan(2000);
  });

  it("never holds the main thread for 50 ms while it computes a large thread of REDDIT's size", {
    timeout: TIMEOUT,
  }, async () => {
    const lines: string[] = [];
    barabasiAlbert(3800, 1, 5).forEachEdge((i, j) => lines.push(`${i} ${j}`));
    const file = join(folder, "thread.edges");
    writeFileSync(file, `${lines.join("\n")}\n`);
    const { page, faults } = await explorer.open("#view=open");
    page.setDefaultTimeout(60_000);
    await page.locator("[data-pick=files]").setInputFiles(file);
    await page.getByRole("heading", { name: "thread" }).waitFor();
    await page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: "Spectrum" }).click();
    await page.locator("[data-settled=true]").waitFor();
    const longest: number[] = [];
    // other work on the machine may stop the thread for a while, not every time
    for (let attempt = 0; attempt < 4 && !longest.some((time) => time <= 50); attempt++) {
      await page.evaluate(() => {
        const found: number[] = [];
        Object.assign(globalThis, { found });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) found.push(entry.duration);
        }).observe({ type: "longtask" });
      });
      const slider = page.getByRole("slider", { name: "Moments" });
      for (const moments of [60, 90, 140, 200, 30]) {
        await slider.fill(String(moments + attempt));
        await page.waitForURL(new RegExp(`moments=${Math.min(200, moments + attempt)}`));
      }
      await page.getByLabel(/self-loop/).click();
      await page.locator(`[data-loops=${attempt % 2 === 0}]`).waitFor();
      longest.push(
        await page.evaluate(() => Math.max(0, ...(globalThis as unknown as { found: number[] }).found)),
      );
    }
    expect(Math.min(...longest)).toBeLessThanOrEqual(50);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
