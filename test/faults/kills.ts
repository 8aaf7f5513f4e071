/**
 * Runs that are killed (SIGKILL) at random moments and taken up again until one ends.
 *
 * Most moments are uniform over the life of the process, from its start on; the others are the moment at which the n-th temporary
 * file appears, in the cache or beside the outputs, so that kills also hit the writing itself.
 */
import { existsSync, type FSWatcher, mkdirSync, watch } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../src/base/random.js";
import type { Plan, Workshop } from "./workshop.js";

/** One run in so many is killed while it writes. */
const WRITING = 3;
/** Beyond the usual life: a late kill then finds the process gone, or ending. */
const LATE = 1.05;

export interface Whole {
  /** Milliseconds of an undisturbed run. */
  whole: number;
  /** Temporary files that it writes. */
  writes: number;
  /** Entries of the cache at its end. */
  entries: number;
  made: Record<string, string>;
}

export interface Chain {
  kills: number;
  /** Kills before the process had written anything, and when the cache was complete. */
  early: number;
  late: number;
  /** Temporary files that the kills left, all together. */
  torn: number;
  made: Record<string, string>;
  /** Temporary files and entries of the cache at the end. */
  partials: string[];
  entries: number;
}

/** One undisturbed run from nothing. */
export async function undisturbed(workshop: Workshop, plan: Plan): Promise<Whole> {
  workshop.reset();
  const watched = watchWrites(workshop, () => undefined);
  const start = performance.now();
  const made = await workshop.whole(plan);
  const whole = performance.now() - start;
  const writes = watched.stop();
  return { whole, writes, made, entries: entriesOf(workshop) };
}

/** Starts from nothing, is killed, taken up and killed again, `kills` times at most, then left to end. */
export async function killedChain(
  workshop: Workshop,
  plan: Plan,
  reference: Whole,
  random: Random,
  kills: number,
): Promise<Chain> {
  workshop.reset();
  const chain = { kills: 0, early: 0, late: 0, torn: 0 };
  let life = reference.whole;
  let writes = reference.writes;
  while (chain.kills < kills) {
    const start = performance.now();
    const { killed, written } = await killedRun(workshop, plan, random, life, writes);
    if (!killed) break;
    chain.kills++;
    if (written === 0) chain.early++;
    if (entriesOf(workshop) === reference.entries) chain.late++;
    chain.torn += workshop.partials().length;
    // what is done shortens the next life; its start takes as long as before
    life = Math.max(reference.whole / 4, life - (performance.now() - start) / 2);
    writes = Math.max(1, reference.writes - entriesOf(workshop));
  }
  const made = await workshop.whole(plan);
  return { ...chain, made, partials: workshop.partials(), entries: entriesOf(workshop) };
}

/** `killed`: whether the kill came before the end; `written`: temporary files that were seen. */
async function killedRun(
  workshop: Workshop,
  plan: Plan,
  random: Random,
  life: number,
  writes: number,
): Promise<{ killed: boolean; written: number }> {
  const writing = random.integer(WRITING) === 0;
  const moment = random.uniform() * life * LATE;
  const nth = 1 + random.integer(writes);
  let seen = 0;
  const watched = watchWrites(workshop, () => {
    if (writing && ++seen === nth) running.child.kill("SIGKILL");
  });
  const running = workshop.start(plan.args);
  const timer = setTimeout(() => !writing && running.child.kill("SIGKILL"), moment);
  const { code, signal, stderr } = await running.ended;
  clearTimeout(timer);
  const written = watched.stop();
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`${plan.name} ended with ${code}: ${stderr}`);
  return { killed: signal === "SIGKILL", written };
}

/** Calls back for every temporary file that appears; `stop` gives their number. */
function watchWrites(workshop: Workshop, onWrite: () => void): { stop(): number } {
  const folders = [workshop.folder, join(workshop.folder, "results")];
  for (let k = 0; k < 256; k++) folders.push(join(workshop.results, k.toString(16).padStart(2, "0")));
  const seen = new Set<string>();
  const watchers: FSWatcher[] = folders.map((folder) => {
    mkdirSync(folder, { recursive: true });
    return watch(folder, (_, name) => {
      if (!name?.endsWith(".partial") || seen.has(name)) return;
      seen.add(name);
      onWrite();
    });
  });
  return {
    stop() {
      for (const watcher of watchers) watcher.close();
      return seen.size;
    },
  };
}

function entriesOf(workshop: Workshop): number {
  return existsSync(workshop.results)
    ? workshop.files("cache/results").filter((path) => !path.endsWith(".partial")).length
    : 0;
}
