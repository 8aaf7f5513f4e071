/** Ctrl-C and SIGTERM: an exit code that says so, nothing half-written, and the same bytes when it is run again. */
import { afterAll, describe, expect, it } from "vitest";
import { undisturbed, watchTime } from "./kills.js";
import { evaluation, evaluationWithoutTimes, reproduction, Workshop } from "./workshop.js";

const workshop = new Workshop();
afterAll(() => workshop.remove());
/** Shares of an undisturbed life: in the middle of the work, and in that of a run which takes it up. */
const STOPS = [
  ["SIGINT", 0.5],
  ["SIGTERM", 0.4],
] as const;

describe.each([evaluation, reproduction])("graphdos $name", (plan) => {
  it("stopped by Ctrl-C and then by SIGTERM ends in the bytes of an undisturbed run", async () => {
    const whole = await undisturbed(workshop, plan);
    workshop.reset();
    let stopped = 0;
    for (const [signal, moment] of STOPS) {
      const { child, ended } = workshop.start(plan.args);
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
