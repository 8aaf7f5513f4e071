/**
 * Tests that can fail: mutation testing by StrykerJS.
 *
 *   npx tsx scripts/mutants.ts [FOLDER | FOLDER/FILE.ts ...] [--share 0.2] [--survivors]
 *
 * Every small change (a sign, a comparison, a branch, a block left out) of the numerics in src/graph, src/spectrum, src/kernel and src/learn is
 * made once and the tests of the same folder are run: a change that no test notices survives. What is known from the last run is kept in build/, so
 * that a second run does only what changed. With --share so many of the changes are made. Texts are not changed (most are sentences for people), nor what runs once when a module is loaded.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";

const FOLDERS = ["graph", "spectrum", "kernel", "learn"];
const AIM = 75;

interface Report {
  files: Record<
    string,
    {
      mutants: {
        status: string;
        mutatorName: string;
        replacement?: string;
        location: { start: { line: number } };
      }[];
    }
  >;
}

const words = process.argv.slice(2);
const survivors = words.includes("--survivors");
const shareAt = words.indexOf("--share");
const share = shareAt < 0 ? 1 : Number(words[shareAt + 1]);
if (!(share > 0 && share <= 1))
  throw new Error(`share: got ${words[shareAt + 1]}, expected a number above 0, at most 1`);
const named = words.filter((word, k) => !word.startsWith("--") && (shareAt < 0 || k !== shareAt + 1));
const unknown = named.filter((word) => !FOLDERS.includes(word.split("/")[0]));
if (unknown.length > 0)
  throw new Error(`unknown folder: ${unknown.join(", ")}; known: ${FOLDERS.join(", ")}`);

/** Detected, undetected; what does not compile or was left out counts in neither. */
class Count {
  detected = 0;
  undetected = 0;
  add(status: string): void {
    if (status === "Killed" || status === "Timeout") this.detected++;
    else if (status === "Survived" || status === "NoCoverage") this.undetected++;
  }
  get score(): number {
    return (100 * this.detected) / Math.max(1, this.detected + this.undetected);
  }
}

const row = (name: string, { detected, undetected, score }: Count) =>
  console.log(
    `${name.padEnd(40)} ${String(detected + undetected).padStart(6)} mutants ${score.toFixed(1).padStart(6)} %`,
  );

mkdirSync("build/mutants", { recursive: true });
const all = new Count();
for (const place of named.length > 0 ? named : FOLDERS) {
  const [folder] = place.split("/");
  const known = place.replaceAll("/", "-");
  const fileName = `build/mutants/${known}.json`;
  process.env.GRAPHDOS_MUTANTS = folder;
  process.env.GRAPHDOS_MUTANT_SHARE = String(share);
  await new Stryker({
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("mutant-sample.mjs", import.meta.url))],
    checkers: share < 1 ? ["sample"] : [],
    mutate: [place === folder ? `src/${folder}/**/*.ts` : `src/${place}`],
    mutator: { excludedMutations: ["StringLiteral"] },
    vitest: { configFile: "test/mutants.config.ts", related: false },
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    ignorePatterns: ["build", "web", "docs", "bench", "scripts"],
    // with a sample half of them look up what is in it
    concurrency: share < 1 ? 4 : 2,
    timeoutMS: 5000,
    timeoutFactor: 1.5,
    tempDirName: "build/mutants/sandbox",
    reporters: ["json", "progress-append-only"],
    warnings: false,
    jsonReporter: { fileName },
    incremental: share === 1,
    incrementalFile: `build/mutants/${known}-known.json`,
  }).runMutationTest();
  const { files } = JSON.parse(readFileSync(fileName, "utf8")) as Report;
  const total = new Count();
  for (const [path, { mutants }] of Object.entries(files)) {
    const own = new Count();
    for (const { status, mutatorName, replacement, location } of mutants) {
      for (const count of [own, total, all]) count.add(status);
      if (survivors && (status === "Survived" || status === "NoCoverage"))
        console.log(
          `${path}:${location.start.line} ${status} ${mutatorName} ${replacement?.replace(/\s+/g, " ").slice(0, 60)}`,
        );
    }
    row(path, own);
  }
  row(`src/${place}`, total);
}
row("all", all);
if (all.score < AIM) process.exitCode = 1;
