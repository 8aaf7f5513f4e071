/** The results of other environments, as text: another process of some version of Node, and a page in Debian's Chromium. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { build } from "vite";
import { serveFolder } from "../../src/node/static-server.js";
import type { EncodedResults } from "./encoding.js";

export interface NodeRun {
  /** The program; default: the one that runs this. */
  program?: string;
  workers: number;
  quick: boolean;
  /** The plain-TypeScript twin in place of WASM. */
  plain?: boolean;
}

export async function resultsInNode({
  program = process.execPath,
  workers,
  quick,
  plain = false,
}: NodeRun): Promise<EncodedResults> {
  const size = quick ? "quick" : "full";
  const args = ["--import", "tsx", "test/same/node-run.ts", String(workers), size, plain ? "plain" : "wasm"];
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 30 });
  return JSON.parse(stdout);
}

/** One run for each number of workers; 0 is the thread of the page. */
export async function resultsInChromium(
  workers: readonly number[],
  quick: boolean,
  program = "/usr/bin/chromium",
): Promise<EncodedResults[]> {
  const folder = mkdtempSync(join(tmpdir(), "graphdos-same-"));
  try {
    await build({
      root: "test/same/page",
      configFile: false,
      base: "./",
      logLevel: "error",
      worker: { format: "es" },
      build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    });
    const server = await serveFolder(folder);
    const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(0);
      await page.goto(server.url);
      await page.waitForFunction("'results' in window");
      const all: EncodedResults[] = [];
      for (const count of workers) all.push(await page.evaluate(`window.results(${count}, ${quick})`));
      return all;
    } finally {
      await browser.close();
      await server.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
