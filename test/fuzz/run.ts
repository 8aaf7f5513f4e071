/**
 * Reads mutants one after another and says what is wrong with any: an error that is not GraphdosError, an object that is not valid, a
 * second or more of time, 256 MiB or more of memory.
 *
 * Time is that of the processor, or that of the clock where it is less, so that a busy machine accuses no reader; one that waits for ever is
 * ended by the caller. Memory is the peak of the resident set during one input above what was resident before it: the kernel's own
 * high-water mark (VmHWM), set back before each input through /proc/self/clear_refs; where that is not there, heap and array buffers after
 * the input. Array buffers that were asked for and never touched count too.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { GraphdosError } from "../../src/base/errors.js";
import { Random } from "../../src/base/random.js";
import { makeTargets, type Target } from "./targets.js";

export const MOST_MILLISECONDS = 1000;
export const MOST_MEBIBYTES = 256;

export interface Finding {
  target: string;
  seed: number;
  number: number;
  what: string;
}

export interface Tally {
  read: number;
  refused: number;
  slowest: { milliseconds: number; number: number };
  largest: { mebibytes: number; number: number };
}

export class Fuzzer {
  readonly findings: Finding[] = [];
  readonly tallies = new Map<string, Tally>();

  private constructor(
    private readonly targets: readonly Target[],
    private readonly seed: number,
    readonly close: () => void,
  ) {}

  static async make(seed: number): Promise<Fuzzer> {
    const { targets, close } = await makeTargets();
    return new Fuzzer(targets, seed, close);
  }

  /** The same readers, other inputs; nothing is counted together. */
  withSeed(seed: number): Fuzzer {
    return new Fuzzer(this.targets, seed, () => undefined);
  }

  targetOf(number: number): Target {
    return this.targets[number % this.targets.length];
  }

  input(number: number, target = this.targetOf(number)): Uint8Array {
    return target.mutant(new Random(this.seed, number));
  }

  /** Input `number` of the seed, read and judged; for the reader called `name`, where it was another's turn when it was found. */
  async run(number: number, name?: string): Promise<void> {
    const target = this.targets.find((known) => known.name === name) ?? this.targetOf(number);
    const bytes = this.input(number, target);
    const { milliseconds, mebibytes, error } = await measured(
      target,
      bytes,
      new Random(this.seed, number, 1),
    );
    const tally = this.tallyOf(target.name);
    if (error === null) tally.read++;
    else tally.refused++;
    if (milliseconds > tally.slowest.milliseconds) tally.slowest = { milliseconds, number };
    if (mebibytes > tally.largest.mebibytes) tally.largest = { mebibytes, number };
    const find = (what: string) => this.findings.push({ target: target.name, seed: this.seed, number, what });
    if (error !== null && !(error instanceof GraphdosError))
      find(error instanceof Error ? (error.stack ?? error.message) : "something that is no error was thrown");
    else if (error !== null && /undefined(?! entity)|\[object|NaN is/.test(error.message))
      find(`a poor sentence: ${error.message}`);
    if (milliseconds >= MOST_MILLISECONDS) find(`took ${milliseconds.toFixed(0)} ms`);
    if (mebibytes >= MOST_MEBIBYTES) find(`took ${mebibytes.toFixed(0)} MiB`);
  }

  private tallyOf(name: string): Tally {
    const known = this.tallies.get(name);
    if (known !== undefined) return known;
    const fresh = {
      read: 0,
      refused: 0,
      slowest: { milliseconds: 0, number: -1 },
      largest: { mebibytes: 0, number: -1 },
    };
    this.tallies.set(name, fresh);
    return fresh;
  }
}

async function measured(target: Target, bytes: Uint8Array, random: Random) {
  const levels = FuzzLevels.start();
  const start = performance.now();
  const before = process.cpuUsage();
  let error: unknown = null;
  try {
    await target.read(bytes, random);
  } catch (thrown) {
    error = thrown;
  }
  const { user, system } = process.cpuUsage(before);
  const milliseconds = Math.min(performance.now() - start, (user + system) / 1000);
  return { milliseconds, mebibytes: levels.mebibytes(), error };
}

const canReset = (() => {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
    return true;
  } catch {
    return false;
  }
})();

/** Memory before an input, to say afterwards what it took. */
export class FuzzLevels {
  private constructor(
    private readonly resident: number,
    private readonly buffers: number,
  ) {}

  static start(): FuzzLevels {
    if (canReset) writeFileSync("/proc/self/clear_refs", "5");
    return new FuzzLevels(residentBytes("VmRSS"), process.memoryUsage().arrayBuffers);
  }

  /** The peak since the start above what there was at the start. */
  mebibytes(): number {
    const asked = process.memoryUsage().arrayBuffers - this.buffers;
    return Math.max(residentBytes("VmHWM") - this.resident, asked, 0) / 2 ** 20;
  }
}

function residentBytes(field: "VmRSS" | "VmHWM"): number {
  if (!canReset) {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  }
  return (
    1024 * Number(new RegExp(`${field}:\\s*(\\d+)`).exec(readFileSync("/proc/self/status", "latin1"))![1])
  );
}
