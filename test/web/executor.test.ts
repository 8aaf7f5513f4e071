/** Web workers in a real browser against this thread of Node: the same bits, with shared memory and without. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  computeProfiles,
  evaluate,
  generators,
  inlineExecutor,
  type ProfileOptions,
  probeProfile,
  protocolByName,
  sharedRunner,
  syntheticDataset,
} from "../../src/index.js";
import { type StaticServer, serveFolder } from "../../src/node/static-server.js";
import type { Calls } from "./executor/page.js";
import { PATIENCE, TEST_PATIENCE } from "./page.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-executor-"));
const pages = new Map<string, Page>();
const servers: StaticServer[] = [];
let browser: Browser;

beforeAll(async () => {
  await build({
    root: "test/web/executor",
    configFile: false,
    base: "./",
    logLevel: "error",
    worker: { format: "es" },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      minify: false,
      modulePreload: { polyfill: false },
    },
  });
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox"],
    timeout: PATIENCE,
  });
  for (const isolated of [true, false]) {
    const server = await serveFolder(folder, { isolated });
    servers.push(server);
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(server.url);
    await page.waitForFunction("'calls' in window");
    pages.set(isolated ? "shared memory" : "no shared memory", page);
  }
}, TEST_PATIENCE);
afterAll(async () => {
  await browser?.close();
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const bytesOf = (p: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }) =>
  Buffer.from(new Uint8Array(p.buffer, p.byteOffset, p.byteLength)).toString("base64");

type Result<K extends keyof Calls> = Awaited<ReturnType<Calls[K]>>;

describe.each(["shared memory", "no shared memory"])(
  "web workers with %s",
  { timeout: TEST_PATIENCE },
  (kind) => {
    const call = <K extends keyof Calls>(name: K, ...given: Parameters<Calls[K]>): Promise<Result<K>> =>
      pages
        .get(kind)!
        .evaluate(
          ([called, values]) =>
            (window as unknown as { calls: Record<string, (...all: unknown[]) => unknown> }).calls[
              called as string
            ](...(values as unknown[])),
          [name, given] as const,
        ) as Promise<Result<K>>;

    it("are what is tested", async () => {
      expect(await call("isolated")).toBe(kind === "shared memory");
    });

    it.each<ProfileOptions["estimator"]>(["exact", "probes", "sample"])(
      "give the bits of %s profiles that Node gives",
      async (estimator) => {
        const graphs = [
          generators.star(30),
          ...Array.from({ length: 20 }, (_, k) => generators.erdosRenyi(10 + k, 0.2, k)),
        ];
        const options = { moments: 20, estimator, probes: 10, seed: 9 };
        const expected = (await computeProfiles(graphs, options, inlineExecutor())).map(bytesOf);
        for (const workers of [0, 1, 3]) expect(await call("profiles", workers, options)).toEqual(expected);
      },
    );

    it("give the bits of one large graph whose steps are shared", async () => {
      const graph = generators.rmat({ scale: 12, edges: 20_000, seed: 1 });
      const runner = await sharedRunner(inlineExecutor());
      const expected = bytesOf(await probeProfile(graph, runner, { moments: 15, probes: 13, seed: 2 }));
      for (const workers of [1, 3]) expect(await call("shared", workers)).toBe(expected);
    });

    it("give the evaluation that Node gives, with progress", async () => {
      const expected = await evaluate(syntheticDataset("ego"), {
        kernels: [{ name: "dos" }],
        protocol: protocolByName("quick", { folds: 3 }),
        executor: inlineExecutor(),
      });
      const { result, progress } = await call("evaluate", 3);
      /** All but how long things took. */
      const numbers = (of: unknown) =>
        JSON.parse(JSON.stringify(of), (key, value) => (key === "seconds" ? undefined : value)) as unknown;
      expect(numbers(result)).toEqual(numbers(expected));
      const steps = ["looking for isomorphic graphs", "profiles", "distances", "dos", "size alone"];
      expect(progress).toEqual(steps);
    });

    it("stop when told to, and work again afterwards", async () => {
      expect(await call("cancelled", 3)).toEqual({ code: "interrupted", after: 21 });
    });

    it("say what went wrong", async () => {
      expect(await call("unknown", 1)).toBe("unknown task: no-such-task");
      const brokeDown = expect.stringMatching(/^a worker broke down in profiles \(unit 0\): /);
      expect(await call("missingScript")).toEqual([brokeDown, brokeDown]);
      expect(await call("badOption")).toBe("unknown option of web workers: wrokers; did you mean workers?");
    });
  },
);
