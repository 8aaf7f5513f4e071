/** The command line, the page and what it downloads, for tests that hold one against the other. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Explorer } from "./page.js";

export const DATA = resolve("../shared/datasets");
export const folder = mkdtempSync(join(tmpdir(), "graphdos-collection-"));

export const removeFolder = () => rmSync(folder, { recursive: true, force: true });

export function graphdos(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["dist/cli/main.js", "--quiet", ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, GRAPHDOS_CACHE: join(folder, "cache"), GRAPHDOS_DATA: DATA },
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout;
}

export const table = (page: Page, selector: string) =>
  page
    .locator(`${selector} tbody tr`)
    .evaluateAll((rows) =>
      rows.map((row) => Array.from(row.children, (cell) => cell.textContent!.trim().replace(/\s+/g, " "))),
    );

export async function downloaded(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  const download = await waiting;
  return { name: download.suggestedFilename(), bytes: readFileSync((await download.path())!) };
}

/** Engines differ in the last bit of some functions: the same numbers but for rounding. */
export function expectClose(got: readonly number[], expected: readonly number[], tolerance: number) {
  expect(got).toHaveLength(expected.length);
  const scale = Math.max(...expected.map(Math.abs), 1);
  for (let k = 0; k < got.length; k++)
    if (!(Math.abs(got[k] - expected[k]) <= tolerance * scale)) expect(got[k]).toBe(expected[k]);
}

export const csvRows = (bytes: Buffer) =>
  bytes
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));

export const mapReady = (page: Page) => page.getByText("Kernel PCA: the first axis").waitFor();

export async function closePages({ browser }: Explorer): Promise<void> {
  for (const context of browser.contexts()) await context.close();
}

export async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
