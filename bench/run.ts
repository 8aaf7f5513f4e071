/**
 * All benchmarks, or those named: `npm run bench -- read profile`. Each prints its ratios; run them on an idle machine. Words from the
 * first option on go to the benchmark: `npm run bench -- fuzz --count 10000`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const helpers = ["run.ts", "measure.ts"];
const all = readdirSync("bench").filter((file) => file.endsWith(".ts") && !helpers.includes(file));
const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith("-"));
const chosen = firstOption < 0 ? words : words.slice(0, firstOption);
const passed = firstOption < 0 ? [] : words.slice(firstOption);
if (passed.length > 0 && chosen.length !== 1)
  throw new Error(`options belong to one benchmark: got ${passed.join(" ")} with ${chosen.length}`);
const unknown = chosen.filter((name) => !all.includes(`${name}.ts`));
if (unknown.length > 0)
  throw new Error(
    `unknown benchmark: ${unknown.join(", ")}; known: ${all.map((f) => f.slice(0, -3)).join(", ")}`,
  );
for (const file of chosen.length > 0 ? chosen.map((name) => `${name}.ts`) : all) {
  console.log(`\n== ${file.slice(0, -3)}`);
  const { status } = spawnSync("npx", ["tsx", `bench/${file}`, ...passed], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
