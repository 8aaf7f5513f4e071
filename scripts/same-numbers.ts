/**
 * The same results in many environments, compared byte by byte with those of this Node in one thread: threads, plain TypeScript in place of
 * WASM, other versions of Node, Chromium. Prints a table of results × environments; ends with 1 where anything differs.
 *
 *   npx tsx scripts/same-numbers.ts [--quick] [--all] [PROGRAM ...]
 *
 * PROGRAM is another Node: `npm install --prefix /tmp/node24 node@24` puts one at /tmp/node24/node_modules/node/bin/node. Results that are the
 * same everywhere are counted in one line; --all lists them too. Needs a build (npm run build) and Debian's chromium.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { compareEncoded, type EncodedResults } from "../test/same/encoding.js";
import { NodeRuns, resultsInChromium } from "../test/same/environments.js";

const given = process.argv.slice(2);
const quick = given.includes("--quick");
const all = given.includes("--all");
const programs = given.filter((word) => !word.startsWith("--"));
const versionOf = (program: string) => execFileSync(program, ["--version"], { encoding: "utf8" }).trim();

const environments: [name: string, results: EncodedResults][] = [];
async function add(name: string, make: () => Promise<EncodedResults>): Promise<void> {
  const start = performance.now();
  environments.push([name, await make()]);
  console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

const node = await NodeRuns.make();
const own = `Node ${process.version.slice(1)}`;
await add(`${own}, one thread`, () => node.results({ workers: 0, quick }));
for (const workers of [1, 2, 3])
  await add(`${workers} worker threads`, () => node.results({ workers, quick }));
await add("plain TypeScript", () => node.results({ workers: 0, quick, plain: true }));
for (const program of programs) {
  const version = `Node ${versionOf(program).slice(1)}`;
  await add(version, () => node.results({ program, workers: 0, quick }));
  await add(`${version}, 3 threads`, () => node.results({ program, workers: 3, quick }));
  await add(`${version}, plain TypeScript`, () => node.results({ program, workers: 0, quick, plain: true }));
}
node.remove();
for (const workers of [0, 2])
  await add(workers === 0 ? "Chromium, the page" : `Chromium, ${workers} web workers`, async () => {
    const [results] = await resultsInChromium([workers], quick);
    return results;
  });

const [, reference] = environments[0];
const names = Object.keys(reference);
const rows = names.map((name) => ({
  name,
  hash: createHash("sha256").update(reference[name], "base64").digest("hex").slice(0, 12),
  cells: environments.slice(1).map(([, results]) => compareEncoded(reference[name], results[name])),
}));
const same = rows.filter(({ cells }) => cells.every((cell) => cell === "="));
const shown = all ? rows : rows.filter((row) => !same.includes(row));
if (shown.length > 0) {
  const heads = environments.slice(1).map(([name]) => name);
  console.log(`| result | ${environments[0][0]} | ${heads.join(" | ")} |`);
  console.log(`|---|---|${heads.map(() => "---|").join("")}`);
  for (const { name, hash, cells } of shown) console.log(`| ${name} | ${hash} | ${cells.join(" | ")} |`);
}
const numbers = names.reduce((sum, name) => sum + Buffer.from(reference[name], "base64").length / 8, 0);
console.log(
  `${same.length} of ${names.length} results (${numbers} numbers) are the same to the bit in ${environments.length} environments`,
);
if (same.length < names.length) process.exitCode = 1;
