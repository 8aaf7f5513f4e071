/**
 * Runs that are killed (SIGKILL) at random moments and taken up again until one ends.
 *
 * Most moments are uniform over the life of the process, from its start on, in its own processor time, so that a busy machine does not
 * move them; the others are the moment at which the n-th temporary file appears, in the cache or beside the outputs, so that kills
 * also hit the writing itself.
 */
import type { ChildProcess } from "node:child_process";
import { existsSync, type FSWatcher, mkdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../src/base/random.js";
import { codeFolder } from "../../src/node/disk-store.js";
import { built } from "../built.js";
import type { Plan, Workshop } from "./workshop.js";

const { codeHash } = await built<typeof import("../../src/node/code-hash.js")>("node/code-hash");

/** One run in so many is killed while it writes. */
const WRITING = 3;
/** Beyond the usual life: a late kill then finds the process gone, or ending. */
const LATE = 1.05;
/** How often a process is looked at, and the unit of processor time in /proc, in milliseconds. */
const LOOK_MS = 3;
const TICK_MS = 10;

export interface Whole {
  /** Milliseconds of an undisturbed run, of the processor where that is known. */
  life: number;
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
  const running = workshop.start(plan.args);
  const time = watchTime(running.child, () => undefined);
  const made = await workshop.endOf(plan, running);
  const life = time.stop();
  const writes = watched.stop();
  return { life, writes, made, entries: entriesOf(workshop) };
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
  // the first kill falls into the first half, so that it is sure to come before the end
  let life = reference.life / 2;
  let writes = Math.max(1, Math.floor(reference.writes / 2));
  while (chain.kills < kills) {
    const { killed, written, spent } = await killedRun(workshop, plan, random, life, writes);
    if (!killed) break;
    chain.kills++;
    if (written === 0) chain.early++;
    if (entriesOf(workshop) === reference.entries) chain.late++;
    chain.torn += workshop.partials().length;
    // what is done shortens the next life; its start takes as long as before
    life = Math.max(reference.life / 4, (chain.kills === 1 ? reference.life : life) - spent / 2);
    writes = Math.max(1, reference.writes - entriesOf(workshop));
  }
  const made = await workshop.whole(plan);
  return { ...chain, made, partials: workshop.partials(), entries: entriesOf(workshop) };
}

/** `killed`: whether the kill came before the end; `written`: temporary files that were seen; `spent`: its time. */
async function killedRun(
  workshop: Workshop,
  plan: Plan,
  random: Random,
  life: number,
  writes: number,
): Promise<{ killed: boolean; written: number; spent: number }> {
  const writing = random.integer(WRITING) === 0;
  const moment = random.uniform() * life * LATE;
  const nth = 1 + random.integer(writes);
  let seen = 0;
  const watched = watchWrites(workshop, () => {
    if (writing && ++seen === nth) running.child.kill("SIGKILL");
  });
  const running = workshop.start(plan.args);
  const time = watchTime(running.child, (spent) => {
    if (!writing && spent >= moment) running.child.kill("SIGKILL");
  });
  const { code, signal, stderr } = await running.ended;
  const spent = time.stop();
  const written = watched.stop();
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`${plan.name} ended with ${code}: ${stderr}`);
  return { killed: signal === "SIGKILL", written, spent };
}

/** Calls back with the time that a process has had, again and again; `stop` gives the last. */
export function watchTime(child: ChildProcess, onTime: (spent: number) => void): { stop(): number } {
  const start = performance.now();
  let spent = 0;
  const timer = setInterval(() => {
    spent = processorTime(child.pid!) ?? (existsSync("/proc/self/stat") ? spent : performance.now() - start);
    onTime(spent);
  }, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      return spent;
    },
  };
}

/** Of all threads, in user and system mode: the 14th and 15th word of /proc/PID/stat. Null where there is none. */
function processorTime(pid: number): number | null {
  try {
    const words = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return TICK_MS * (Number(words[11]) + Number(words[12]));
  } catch {
    return null;
  }
}

/** Calls back for every temporary file that appears; `stop` gives their number. */
function watchWrites(workshop: Workshop, onWrite: () => void): { stop(): number } {
  const folders = [workshop.folder, join(workshop.folder, "results")];
  const entries = join(workshop.results, codeFolder(codeHash()));
  for (let k = 0; k < 256; k++) folders.push(join(entries, k.toString(16).padStart(2, "0")));
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
