/**
 * Fuzzed files of every format through their readers: every one must end in a valid object or in GraphdosError, in less than a second and
 * less than 256 MiB (test/fuzz/run.ts says how both are measured).      npm run bench -- fuzz [--count 100000] [--seed 1] [--from 0]
 *
 * The inputs are read in a child process, which names each before it starts. One that is silent for a minute is ended and that input
 * counts as a hang; the next child goes on behind it.
 */
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Finding, Fuzzer, type Tally } from "../test/fuzz/run.js";
import { verdict } from "./measure.js";

const SILENCE = 60_000;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    child: { type: "boolean", default: false },
  },
});
const [count, seed, from] = [values.count, values.seed, values.from].map(Number);
if (![count, seed, from].every((x) => Number.isSafeInteger(x) && x >= 0))
  throw new Error("fuzz: --count, --seed and --from are whole numbers");

interface Outcome {
  findings: Finding[];
  tallies: [string, Tally][];
}

/** Reads inputs from..to−1; lines on stdout: the number of each, at the end the outcome. */
async function readInputs(first: number, last: number): Promise<void> {
  const fuzzer = await Fuzzer.make(seed);
  for (let number = first; number < last; number++) {
    writeSync(1, `${number}\n`);
    await fuzzer.run(number);
  }
  fuzzer.close();
  const outcome: Outcome = { findings: fuzzer.findings, tallies: [...fuzzer.tallies] };
  writeSync(1, `${JSON.stringify(outcome)}\n`);
}

/** The outcome of a child, or the number of the input at which it hung or died. */
function runChild(first: number, last: number): Promise<Outcome | { stuck: number; why: string }> {
  return new Promise((resolve) => {
    const options = [
      "--child",
      "--seed",
      String(seed),
      "--from",
      String(first),
      "--count",
      String(last - first),
    ];
    const child = spawn(process.execPath, ["--import", "tsx", "bench/fuzz.ts", ...options], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let reached = first;
    let rest = "";
    let outcome: Outcome | null = null;
    let why = "ended";
    const silent = () => {
      why = `hung for ${SILENCE / 1000} s`;
      child.kill("SIGKILL");
    };
    let timer = setTimeout(silent, 5 * SILENCE);
    child.stdout.on("data", (data: Buffer) => {
      clearTimeout(timer);
      timer = setTimeout(silent, SILENCE);
      const lines = (rest + data.toString()).split("\n");
      rest = lines.pop()!;
      for (const line of lines)
        if (line.startsWith("{")) outcome = JSON.parse(line) as Outcome;
        else reached = Number(line);
    });
    child.on("close", () => {
      clearTimeout(timer);
      resolve(outcome ?? { stuck: reached, why });
    });
  });
}

/** Inputs a child: what one leaves behind does not grow without end. */
const BATCH = 20_000;

async function main(): Promise<void> {
  const findings: Finding[] = [];
  const tallies = new Map<string, Tally>();
  const start = performance.now();
  const end = from + count;
  for (let first = from; first < end; ) {
    const last = Math.min(end, first + BATCH);
    const outcome = await runChild(first, last);
    if ("stuck" in outcome) {
      findings.push({ target: "?", seed, number: outcome.stuck, what: outcome.why });
      first = outcome.stuck + 1;
      continue;
    }
    findings.push(...outcome.findings);
    for (const [name, tally] of outcome.tallies) tallies.set(name, united(tallies.get(name), tally));
    first = last;
  }
  console.log("format         read   refused   slowest, ms    most memory, MiB");
  for (const [name, { read, refused, slowest, largest }] of tallies)
    console.log(
      `${name.padEnd(11)}${String(read).padStart(8)}${String(refused).padStart(10)}` +
        `${slowest.milliseconds.toFixed(0).padStart(8)} (${slowest.number})${largest.mebibytes.toFixed(1).padStart(10)} (${largest.number})`,
    );
  for (const { target, number, what } of findings) console.log(`input ${number} (${target}): ${what}`);
  const seconds = (performance.now() - start) / 1000;
  verdict(
    `findings in ${count} inputs of seed ${seed}, ${seconds.toFixed(0)} s`,
    findings.length,
    0,
    "at most",
  );
}

function united(a: Tally | undefined, b: Tally): Tally {
  if (a === undefined) return b;
  return {
    read: a.read + b.read,
    refused: a.refused + b.refused,
    slowest: a.slowest.milliseconds >= b.slowest.milliseconds ? a.slowest : b.slowest,
    largest: a.largest.mebibytes >= b.largest.mebibytes ? a.largest : b.largest,
  };
}

await (values.child ? readInputs(from, from + count) : main());
