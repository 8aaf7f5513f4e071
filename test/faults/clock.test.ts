/** The system's clock set back by a year in the middle of a run (libfaketime): times stay times, and numbers the same. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Reproduction } from "../../src/experiment/reproduction/types.js";
import { evaluation, reproduction, Workshop } from "./workshop.js";

const LIBRARY = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
].find((path) => existsSync(path));

const workshop = new Workshop();
afterAll(() => workshop.remove());

describe.skipIf(!LIBRARY)(
  `a clock set back${LIBRARY ? "" : " (skipped: libfaketime is not installed)"}`,
  () => {
    const offset = join(workshop.folder, "offset");
    const env = {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: offset,
      FAKETIME_NO_CACHE: "1",
      // what a person sets is the clock on the wall; the machine's count of seconds goes on
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };

    it.each([evaluation, reproduction])(
      "leaves the bytes of $name as they are",
      async (plan) => {
        workshop.reset();
        const whole = await workshop.whole(plan);
        workshop.reset();
        writeFileSync(offset, "+0");
        const { child, ended } = workshop.start(plan.args, { env });
        const back = () => existsSync(workshop.results) && workshop.files("cache/results").length > 3;
        while (!back() && child.exitCode === null) await new Promise((done) => setTimeout(done, 20));
        writeFileSync(offset, "-365d");
        const { code, stdout, stderr } = await ended;
        expect([code, stderr]).toEqual([0, expect.not.stringMatching(/NaN|-\d/)]);
        expect(plan.made(workshop, stdout)).toEqual(whole);

        if (plan === evaluation) return;
        // taken up a year earlier: the entries are from the future
        const again = await workshop.run(plan.args, { env });
        expect(plan.made(workshop, again.stdout)).toEqual(whole);
        const { date, stages } = JSON.parse(workshop.text("results/reproduction.json")) as Reproduction;
        expect(Date.now() - new Date(date).getTime()).toBeGreaterThan(300 * 24 * 3_600_000);
        expect(stages.every(({ cached }) => cached)).toBe(true);
      },
      600_000,
    );
  },
);
