/** A data set whose names attack, in the explorer and in the reports, in a real browser: none of them becomes anything but text. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostileFolder, hostileJson } from "../cli/hostile.js";
import { type Explorer, hasChromium, startExplorer, TEST_PATIENCE } from "./page.js";

const parent = mkdtempSync(join(tmpdir(), "graphdos-hostile-"));
const file = (name: string) => join(parent, name);

describe.skipIf(!hasChromium)("names that attack (Chromium)", { timeout: TEST_PATIENCE }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await startExplorer();
  }, TEST_PATIENCE);
  afterAll(async () => {
    await explorer?.close();
    rmSync(parent, { recursive: true, force: true });
  });

  it("run nothing from a report or a picture on disk", async () => {
    const data = hostileFolder(parent);
    const fast = ["--kernel", "dos", "--moments", "10", "--workers", "0"];
    const quick = ["--protocol", "quick", "--folds", "2", "--no-store"];
    for (const args of [
      ["evaluate", data, ...fast, ...quick, "--report", file("evaluation.html")],
      ["inspect", data, "--report", file("inspection.html")],
      ["spectrum", data, "--graph", "1", "--moments", "10", "-o", file("spectrum.svg")],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, ["dist/cli/main.js", "-q", ...args], {
        encoding: "utf8",
      });
      expect(status, stderr).toBe(0);
    }
    for (const name of ["evaluation.html", "inspection.html", "spectrum.svg"]) {
      const page = await explorer.browser.newPage();
      const said: string[] = [];
      page.on("console", (message) => said.push(message.text()));
      page.on("pageerror", (error) => said.push(String(error)));
      page.on("request", (request) => {
        if (!request.url().startsWith("file:")) said.push(request.url());
      });
      await page.goto(pathToFileURL(file(name)).href);
      expect(await page.evaluate(() => "hacked" in window), name).toBe(false);
      expect(await page.locator("script, img, iframe, b").count(), name).toBe(0);
      expect(await page.locator("text").count(), name).toBeGreaterThan(0);
      expect(said, name).toEqual([]);
      await page.close();
    }
  });

  it("run nothing in the explorer, in any view", async () => {
    const name = "set<img src=x onerror=window.hacked=1>";
    writeFileSync(file(`${name}.json`), hostileJson());
    const { page, faults } = await explorer.open("");
    await page.locator('input[data-pick="files"]').setInputFiles(file(`${name}.json`));
    await page.locator("footer strong").waitFor();
    for (const [hash, ready] of [
      ["view=open", ".facts[aria-busy=false]"],
      ["view=collection&kernel=dos", "text=Kernel PCA: the first axis"],
      ["view=graph&graph=1&node=0", "[data-settled=true]"],
      ["view=spectrum&graph=1", "[data-estimator]"],
      ["view=compare&graph=1&other=2", "[data-distance]"],
    ]) {
      await page.evaluate(
        (given) => {
          location.hash = given;
        },
        `${hash}&set=${encodeURIComponent(name)}`,
      );
      await page.locator(ready).first().waitFor();
      expect(await page.evaluate(() => "hacked" in window), hash).toBe(false);
      expect(await page.locator('script:not([src]), img[src="x"], [onerror]').count(), hash).toBe(0);
    }
    expect(await page.locator("body").textContent()).toContain("<script>window.hacked=1</script>");
    expect(faults).toEqual([]);
  });
});
