/** Whole commands, timed: wall clock, processor time and peak memory of a child process. */
import { spawnSync } from "node:child_process";

export interface Measured {
  seconds: number;
  stdout: string;
}

/** Runs a shell command and fails loudly when it fails. */
export function timeShell(command: string): Measured {
  const start = performance.now();
  const { status, stdout, stderr, error } = spawnSync("bash", ["-c", `set -o pipefail; ${command}`], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const seconds = (performance.now() - start) / 1000;
  if (error || status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
  return { seconds, stdout };
}

export interface ModuleRun<T> {
  result: T;
  /** Wall clock of the whole process, start of Node included. */
  seconds: number;
  peakMiB: number;
}

/** Runs `body` (the text of an async function that returns something JSON-able) as a module in a new Node process. */
export function runModule<T>(body: string, nodeOptions: string[] = []): ModuleRun<T> {
  const script = `const run = async () => { ${body} }; const result = await run();
process.stdout.write("\\n" + JSON.stringify({ result, peakMiB: process.resourceUsage().maxRSS / 1024 }));`;
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...nodeOptions, "--input-type=module", "-e", script],
    {
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(stderr);
  return {
    ...(JSON.parse(stdout.slice(stdout.lastIndexOf("\n"))) as { result: T; peakMiB: number }),
    seconds,
  };
}

/** A line of the closing table: what was measured, the ratio, the bar it must pass. A MISS makes the bench end with exit code 1. */
export function verdict(what: string, ratio: number, bar: number, kind: "at least" | "at most"): boolean {
  const passed = kind === "at least" ? ratio >= bar : ratio <= bar;
  console.log(`${passed ? "ok  " : "MISS"} ${what}: ${ratio.toFixed(2)} (${kind} ${bar})`);
  if (!passed) process.exitCode = 1;
  return passed;
}
