/** Ctrl-C and SIGTERM at random moments: an exit code that says so, nothing half-written, and the same bytes when it is run again. */
import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { undisturbed, watchTime } from "./kills.js";
import { evaluation, evaluationWithoutTimes, reproduction, Workshop } from "./workshop.js";

const workshop = new Workshop();
afterAll(() => workshop.remove());
const TIMES = 4;

describe.each([evaluation, reproduction])("graphdos $name", (plan) => {
  it("stopped by Ctrl-C and by SIGTERM, again and again, ends in the bytes of an undisturbed run", async () => {
    const whole = await undisturbed(workshop, plan);
    workshop.reset();
    const random = new Random(5);
    let stopped = 0;
    for (let k = 0; k < TIMES; k++) {
      const signal = k % 2 === 0 ? "SIGINT" : "SIGTERM";
      const { child, ended } = workshop.start(plan.args);
      // the first in the middle, so that one of them is sure to be heard
      const moment = k === 0 ? 0.5 : random.uniform();
      let sent = false;
      const time = watchTime(child, (spent) => {
        if (!sent && spent >= moment * whole.life) sent = child.kill(signal);
      });
      const end = await ended;
      time.stop();
      expect(workshop.partials()).toEqual([]);
      if (end.code === 0) continue;
      stopped++;
      // an evaluation that is stopped while it draws its page has printed its result
      if (end.stdout !== "") expect(evaluationWithoutTimes(end.stdout)).toBe(whole.made.stdout);
      if (end.code === null) {
        // in the first moments, before there is anything to end in order, the signal itself ends the process
        expect([end.signal, end.stderr]).toEqual([signal, ""]);
        continue;
      }
      expect(end.code).toBe(130);
      expect(end.stderr).toBe("graphdos: interrupted\n");
    }
    expect(stopped).toBeGreaterThan(0);
    expect(await workshop.whole(plan)).toEqual(whole.made);
  }, 600_000);
});
