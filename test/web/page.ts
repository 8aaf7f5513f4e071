/**
 * The built page in Debian's Chromium: dist/web from the server of `graphdos serve`, and a page of a browser that notes what must not
 * happen, console errors and requests to elsewhere.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type StaticServerOptions, serveFolder } from "../../src/node/static-server.js";

export const CHROMIUM = "/usr/bin/chromium";
export const hasChromium = existsSync(CHROMIUM);

const ROOT = resolve("dist/web");

export interface Explorer {
  address: string;
  browser: Browser;
  /** A new page at the hash, in a context of its own. */
  open(hash?: string, options?: BrowserContextOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenPage {
  page: Page;
  /** Console errors, failed requests and requests to other hosts, as they came. */
  faults: string[];
}

export async function startExplorer(options: StaticServerOptions = {}): Promise<Explorer> {
  buildPage();
  const server = await serveFolder(ROOT, options);
  const address = server.url;
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  return {
    address,
    browser,
    async open(hash = "", options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
      });
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("requestfailed", (request) => {
        // aborted: the page itself gave it up, with a worker that it ended or by loading anew
        if (request.failure()?.errorText !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()}`);
      });
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(address) && !/^(data|blob):/.test(url)) faults.push(`elsewhere: ${url}`);
      });
      await page.goto(address + hash);
      return { page, faults };
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** To a view, by its tab. */
export const goTo = (page: Page, view: string): Promise<void> =>
  page.getByRole("navigation", { name: "Views" }).getByRole("button", { name: view }).click();

/** What the address says of a field; null where it has the default. */
export const parameter = (page: Page, name: string): string | null =>
  new URLSearchParams(new URL(page.url()).hash.slice(1)).get(name);

/** Drops a file with this text into the page, wherever it is. */
export const dropText = (page: Page, name: string, text: string): Promise<void> =>
  page.evaluate(
    ([given, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], given));
      dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );

/** Builds dist/web when it is older than its sources; test files that start at once take turns. The lock ends with its process. */
function buildPage(): void {
  mkdirSync("build", { recursive: true });
  const page = "dist/web/index.html";
  const { status, stderr } = spawnSync(
    "flock",
    [
      "build/page.lock",
      ...["sh", "-c"],
      `[ -e ${page} ] && [ -z "$(find web src -newer ${page} -print -quit)" ] || npm run --silent build:web`,
    ],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`the page does not build: ${stderr}`);
}
