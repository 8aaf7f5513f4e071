import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Explorer, hasChromium, startExplorer } from "./page.js";

describe.skipIf(!hasChromium)("the shell of the explorer (Chromium)", () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await startExplorer();
  });
  afterAll(() => explorer?.close());

  it("opens the set that the address names", async () => {
    const { page, faults } = await explorer.open("#set=synthetic:ego");
    await page.getByText("400 graphs").or(page.getByText("360 graphs")).first().waitFor();
    expect(faults).toEqual([]);
  });
});
