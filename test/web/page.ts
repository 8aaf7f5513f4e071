/**
 * The built page in Debian's Chromium: dist/web from the server of `graphdos serve`, and a page of a browser that notes what must not
 * happen, console errors and requests to elsewhere.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { type StaticServerOptions, serveFolder } from "../../src/node/static-server.js";

/** Of one step, against a hang alone: how long it takes on a busy machine is nobody's guess. Tests take what their steps take. */
export const PATIENCE = 240_000;
export const TEST_PATIENCE = 5 * PATIENCE;

export const CHROMIUM = "/usr/bin/chromium";
export const hasChromium = existsSync(CHROMIUM);

const ROOT = resolve("dist/web");

export interface Explorer {
  address: string;
  browser: Browser;
  /** A new page at the hash, in a context of its own. `prepare`: what is to be done with the page before it is loaded. */
  open(
    hash?: string,
    options?: BrowserContextOptions & { prepare?: (page: Page) => Promise<unknown> },
  ): Promise<OpenPage>;
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
    timeout: PATIENCE,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  return {
    address,
    browser,
    async open(hash = "", { prepare, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
      context.setDefaultTimeout(PATIENCE);
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
      await prepare?.(page);
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

/**
 * From before the page is loaded: the engine's answers to the calls of a name wait in `gate` until they are let through, so that a test
 * says when they come.
 */
export const holdAnswers = (page: Page, call: string): Promise<unknown> =>
  page.addInitScript((name) => {
    const asked = new Set<number>();
    const gate: Gate = { held: [], open: false };
    Object.assign(window, { gate });
    const { postMessage, addEventListener } = Worker.prototype;
    Object.assign(Worker.prototype, {
      postMessage(this: Worker, ...given: [{ call?: string; id: number }]) {
        if (given[0].call === name) asked.add(given[0].id);
        Reflect.apply(postMessage, this, given);
      },
      addEventListener(this: Worker, type: string, hear: (event: Event) => void) {
        addEventListener.call(this, type, (event) => {
          const { data } = event as MessageEvent<{ id: number; output?: unknown }>;
          if (gate.open || data?.output === undefined || !asked.has(data.id)) hear(event);
          else gate.held.push(() => hear(event));
        });
      },
    });
  }, call);

interface Gate {
  held: (() => void)[];
  open: boolean;
}
type Gated = typeof window & { gate: Gate };

/** Until so many answers were held back. */
export const heldAnswers = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction((wanted) => (window as Gated).gate.held.length >= wanted, count);

/** Lets the first one that was held back through, and waits until the page has drawn what it makes of it. */
export const letThrough = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    (window as Gated).gate.held[0]();
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    await frame();
    await frame();
  });

/** Lets all but the first through, and those to come. */
export const openGate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { gate } = window as Gated;
    gate.open = true;
    for (const hear of gate.held.slice(1)) hear();
  });

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
