/** The page from a server that sends no isolation headers, as many static hosts do. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accuracyText, type EvaluationResult } from "../../src/index.js";
import { graphdos, mapReady, removeFolder, table } from "./collection-support.js";
import { type Explorer, hasChromium, startExplorer, TEST_PATIENCE } from "./page.js";

describe.skipIf(!hasChromium)("the page without isolation (Chromium)", { timeout: TEST_PATIENCE }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await startExplorer({ isolated: false });
  }, TEST_PATIENCE);
  afterAll(async () => {
    await explorer?.close();
    removeFolder();
  });

  it("has no shared memory, and the same numbers", async () => {
    const { page, faults } = await explorer.open("#view=collection&set=synthetic:ego&kernel=dos");
    await mapReady(page);
    expect(await page.evaluate(() => [crossOriginIsolated, typeof SharedArrayBuffer])).toEqual([
      false,
      "undefined",
    ]);
    await page.getByRole("button", { name: "Run nested cross-validation" }).click();
    await page.getByText("Confusion of dos").waitFor();
    const said = graphdos(
      ...["evaluate", "synthetic:ego", "--kernel", "dos", "--protocol", "quick", "--json", "--no-store"],
    );
    const { results, protocol }: EvaluationResult = JSON.parse(said);
    expect((await table(page, ".accuracies"))[0][1]).toBe(accuracyText(results[0], protocol));
    expect(faults).toEqual([]);
  });
});
