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

/** The runs in Node, by one program made of node-run.ts: every run would take seconds more to read TypeScript. */
export class NodeRuns {
  private readonly folder = mkdtempSync(join(tmpdir(), "graphdos-same-"));

  private constructor() {}

  static async make(): Promise<NodeRuns> {
    const runs = new NodeRuns();
    await build({
      configFile: false,
      logLevel: "error",
      build: {
        ssr: "test/same/node-run.ts",
        outDir: runs.folder,
        rollupOptions: { output: { entryFileNames: "run.mjs" } },
      },
    });
    return runs;
  }

  async results({
    program = process.execPath,
    workers,
    quick,
    plain = false,
  }: NodeRun): Promise<EncodedResults> {
    const words = [String(workers), quick ? "quick" : "full", plain ? "plain" : "wasm"];
    const args = [join(this.folder, "run.mjs"), ...words];
    const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 30 });
    return JSON.parse(stdout);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
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
    // no limit of time: how long a browser takes to start on a busy machine is nobody's guess
    const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"], timeout: 0 });
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
