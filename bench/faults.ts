/**
 * Kills: `evaluate` and `reproduce` on a small set, each killed with SIGKILL at 100 random moments of its life (a third of them while a
 * file is being written) and taken up each time, must end in the bytes of an undisturbed run, with the same entries in the cache
 * and no temporary file left.      npx tsx bench/faults.ts [KILLS=100] [SEED=1]
 */
import { Random } from "../src/base/random.js";
import { killedChain, undisturbed } from "../test/faults/kills.js";
import { evaluation, longReproduction, type Plan, Workshop } from "../test/faults/workshop.js";
import { verdict } from "./measure.js";

const kills = Number(process.argv[2] ?? 100);
const seed = Number(process.argv[3] ?? 1);
/** A chain of runs is killed so many times at most before one may end. */
const LONGEST = 4;

async function measure(workshop: Workshop, plan: Plan, random: Random): Promise<void> {
  const whole = await undisturbed(workshop, plan);
  console.log(
    `${plan.name}: undisturbed in ${(whole.life / 1000).toFixed(1)} s of the processor, ${whole.writes} files written, ${whole.entries} of them entries of the cache`,
  );
  const total = { chains: 0, kills: 0, early: 0, late: 0, torn: 0, differing: 0, left: 0 };
  while (total.kills < kills) {
    const most = Math.min(kills - total.kills, 1 + random.integer(LONGEST));
    const chain = await killedChain(workshop, plan, whole, random, most);
    total.chains++;
    total.kills += chain.kills;
    total.early += chain.early;
    total.late += chain.late;
    total.torn += chain.torn;
    total.left += chain.partials.length;
    const other = Object.keys({ ...whole.made, ...chain.made }).filter(
      (name) => chain.made[name] !== whole.made[name],
    );
    if (chain.entries !== whole.entries) other.push(`the cache: ${chain.entries} entries`);
    if (other.length > 0) total.differing++;
    console.log(
      `${total.kills} of ${kills}: ${chain.kills} kills, ${chain.torn} temporary files left, then ${other.length === 0 ? "the same bytes" : `others: ${other.join(", ")}`}`,
    );
  }
  console.log(
    `${plan.name}: ${total.kills} kills in ${total.chains} chains of runs, ${total.early} of them before the process wrote anything, ` +
      `${total.late} when the cache was complete; they left ${total.torn} temporary files`,
  );
  verdict(`${plan.name}: chains that end in other bytes`, total.differing, 0, "at most");
  verdict(`${plan.name}: temporary files at the end`, total.left, 0, "at most");
}

const workshop = new Workshop();
try {
  for (const [stream, plan] of [evaluation, longReproduction].entries())
    await measure(workshop, plan, new Random(seed, stream));
} finally {
  workshop.remove();
}
