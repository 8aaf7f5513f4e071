/** Disks that are full or read-only, under the cache and under the outputs: a sentence or work without a cache, never half a file. */

import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EvaluationResult } from "../../src/experiment/evaluation-types.js";
import { canMount, noMount, withMount } from "./mounts.js";
import { evaluation, evaluationWithoutTimes, reproduction, Workshop } from "./workshop.js";

const workshop = new Workshop();
afterAll(() => workshop.remove());
const HEADER_BYTES = 56;
const short = evaluation.args.filter((word) => !["--report", "report.html"].includes(word));

/** The printed result without times, and its warnings apart. */
function printed(stdout: string): { numbers: string; warnings: string[] } {
  const result = JSON.parse(evaluationWithoutTimes(stdout)) as EvaluationResult;
  return { numbers: JSON.stringify({ ...result, warnings: [] }), warnings: result.warnings };
}

/** Every entry of the cache is as long as its header says. */
function checkEntries(): void {
  const entries = workshop.files("cache/results");
  expect(entries.length).toBeGreaterThan(0);
  for (const path of entries) {
    const bytes = readFileSync(join(workshop.folder, path));
    expect(bytes.length, path).toBe(HEADER_BYTES + bytes.readDoubleLE(16));
  }
}

let whole: string;
beforeAll(async () => {
  const { stdout } = await workshop.run([...short, "--no-store"]);
  whole = printed(stdout).numbers;
}, 600_000);

describe.skipIf(!canMount)(`a full disk${noMount}`, () => {
  it("under the cache: the run goes on without keeping, to the same numbers, and says so once", async () => {
    workshop.reset();
    await withMount(workshop.cache, 32, async () => {
      const { code, stdout } = await workshop.run(short);
      expect(code).toBe(0);
      const { numbers, warnings } = printed(stdout);
      expect(numbers).toBe(whole);
      expect(warnings).toEqual([
        expect.stringMatching(/^folds are not kept: cannot write .*: the disk is full$/),
      ]);
      checkEntries();
      expect(workshop.partials()).toEqual([]);
    });
  }, 600_000);

  it("under the page: the result is printed, one sentence, nothing under the page's name", async () => {
    workshop.reset();
    await withMount(join(workshop.folder, "pages"), 16, async () => {
      const { code, stdout, stderr } = await workshop.run([...short, "--report", "pages/report.html"]);
      expect([code, stderr]).toEqual([1, "graphdos: cannot write pages/report.html: the disk is full\n"]);
      expect(printed(stdout)).toEqual({ numbers: whole, warnings: [] });
      expect(readdirSync(join(workshop.folder, "pages"))).toEqual([]);
    });
  }, 600_000);

  it("under stdout: no half result passes for a whole one", async () => {
    for (const target of ["out", "/dev/full"])
      await withMount(join(workshop.folder, "out"), 4, async () => {
        const file = target === "out" ? join(workshop.folder, "out", "result.json") : target;
        const descriptor = openSync(file, "w");
        const ended = workshop.run(short, { stdout: descriptor });
        closeSync(descriptor);
        const { code, stderr } = await ended;
        expect([code, stderr]).toEqual([
          1,
          "graphdos: cannot write the result to stdout: the disk is full\n",
        ]);
      });
  }, 600_000);

  it("under the outputs of reproduce: a sentence, whole files only, and the same bytes once there is room", async () => {
    workshop.reset();
    const expected = await workshop.whole(reproduction);
    const out = join(workshop.folder, "results");
    workshop.reset();
    await withMount(out, 24, async (remount) => {
      const { code, stdout, stderr } = await workshop.run(reproduction.args);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^graphdos: cannot write \S+: the disk is full\n$/);
      const soFar = JSON.parse(readFileSync(join(out, "reproduction.json"), "utf8"));
      expect(soFar.tables[0].cells.length).toBeGreaterThan(0);
      expect(workshop.partials()).toEqual([]);
      remount("size=4m");
      expect(await workshop.whole(reproduction)).toEqual(expected);
    });
  }, 600_000);
});

describe("a cache that cannot be written to", () => {
  it.skipIf(!canMount)(
    `because it is read-only is read, and the rest is computed${noMount}`,
    async () => {
      workshop.reset();
      await withMount(workshop.cache, 4096, async (remount) => {
        await workshop.run(short.map((word) => (word === "dos,ldos" ? "dos" : word)));
        const kept = workshop.files("cache");
        // ten folds of dos and ten of size alone
        expect(kept.length).toBe(20);
        remount("ro");
        const { code, stdout } = await workshop.run(short);
        expect(code).toBe(0);
        const { numbers, warnings } = printed(stdout);
        expect(numbers).toBe(whole);
        expect(warnings).toEqual([
          expect.stringMatching(/^folds are not kept: cannot write .*: the file system is read-only$/),
        ]);
        expect(workshop.files("cache")).toEqual(kept);
        const cleared = await workshop.run(["cache", "clear"]);
        expect(cleared.code).toBe(1);
        // the folder of the code that computed them
        expect(cleared.stderr).toMatch(
          new RegExp(
            `^graphdos: cannot remove ${workshop.results}/[0-9a-f]{32}: the file system is read-only\n$`,
          ),
        );
      });
    },
    600_000,
  );

  it("because a file is in its place costs a warning", async () => {
    workshop.reset();
    writeFileSync(workshop.cache, "");
    const { code, stdout } = await workshop.run(short);
    expect(code).toBe(0);
    const { numbers, warnings } = printed(stdout);
    expect(numbers).toBe(whole);
    expect(warnings).toEqual([
      expect.stringMatching(/^folds are not kept: cannot write .* is not a folder$/),
    ]);
    const listed = await workshop.run(["cache", "list"]);
    expect([listed.code, listed.stderr]).toEqual([0, ""]);
  }, 600_000);

  it("an output folder that cannot be made is one sentence", async () => {
    workshop.reset();
    writeFileSync(join(workshop.folder, "results"), "mine");
    const { code, stderr } = await workshop.run(reproduction.args);
    expect([code, stderr]).toEqual([
      1,
      `graphdos: cannot write ${join(workshop.folder, "results")}: a file of that name is there, and no folder\n`,
    ]);
    expect(workshop.text("results")).toBe("mine");
    expect(existsSync(workshop.cache)).toBe(false);
  });
});
