/** Killed and taken up: the bytes are those of a run that nobody disturbed. `npm run bench -- faults` does it 200 times. */
import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { killedChain, undisturbed } from "./kills.js";
import { evaluation, reproduction, Workshop } from "./workshop.js";

const workshop = new Workshop();
afterAll(() => workshop.remove());
const KILLS = 3;

describe.each([evaluation, reproduction])("graphdos $name", (plan) => {
  it(`killed ${KILLS} times at random moments ends in the bytes of an undisturbed run`, async () => {
    const whole = await undisturbed(workshop, plan);
    expect(whole.entries).toBeGreaterThanOrEqual(20);
    // every entry was seen while it was written: kills hit that too
    expect(whole.writes).toBeGreaterThanOrEqual(whole.entries);
    const chain = await killedChain(workshop, plan, whole, new Random(11), KILLS);
    expect(chain.kills).toBeGreaterThan(0);
    expect(chain.made).toEqual(whole.made);
    expect(chain.partials).toEqual([]);
    expect(chain.entries).toBe(whole.entries);
  }, 600_000);
});
