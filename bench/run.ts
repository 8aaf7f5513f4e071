/** All benchmarks, or those named: `npm run bench -- read profile`. Each prints its ratios; run them on an idle machine. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const helpers = ["run.ts", "measure.ts"];
const all = readdirSync("bench").filter((file) => file.endsWith(".ts") && !helpers.includes(file));
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !all.includes(`${name}.ts`));
if (unknown.length > 0)
  throw new Error(
    `unknown benchmark: ${unknown.join(", ")}; known: ${all.map((f) => f.slice(0, -3)).join(", ")}`,
  );
for (const file of chosen.length > 0 ? chosen.map((name) => `${name}.ts`) : all) {
  console.log(`\n== ${file.slice(0, -3)}`);
  const { status } = spawnSync("npx", ["tsx", `bench/${file}`], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
