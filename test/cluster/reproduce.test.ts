/** `reproduce` on a cluster: the numbers of one machine, for a small set that has the name of a large one. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import { writeTU } from "../../src/data/write-tu.js";
import { ended, folder, hasRedis, noRedis, start, startRedis, working } from "./support.js";

const SET = "IMDB-BINARY";

/** Two dozen ego-networks as a TU folder under a registered name. */
function smallSet(): string {
  const data = join(folder, "data");
  mkdirSync(join(data, SET), { recursive: true });
  for (const { path, chunks } of writeTU({ ...syntheticDataset("ego", { graphs: 24, seed: 2 }), name: SET })
    .files)
    writeFileSync(join(data, SET, path), [...chunks].join(""));
  return data;
}

/** Without what differs from run to run: times, the command line, the cache. */
function numbersOf(out: string): unknown {
  const text = readFileSync(join(out, "reproduction.json"), "utf8");
  const result = JSON.parse(text, (key, value) => (key === "seconds" ? undefined : value));
  return { ...result, date: null, command: null, cache: null };
}

describe.skipIf(!hasRedis)(`reproduce on a cluster${hasRedis ? "" : ` (${noRedis})`}`, () => {
  it("gives the numbers of one machine", async () => {
    const data = smallSet();
    const redis = await startRedis();
    const run = (args: string[], cache: string) =>
      start(process.execPath, ["dist/cli/main.js", ...args], {
        env: { ...process.env, GRAPHDOS_CACHE: join(folder, cache), GRAPHDOS_DATA: data },
      });
    const workers = [1, 2].map(() => run(["worker", "--cluster", redis.address, "--workers", "1"], "there"));
    await Promise.all(workers.map(working));
    const plan = ["reproduce", "--only", "table,ours", "--sets", SET, "-q"].concat(
      ...["--repeats", "1", "--folds", "3", "--inner", "2"],
    );
    const outs = { here: join(folder, "here"), there: join(folder, "there-out") };
    const there = run([...plan, "--out", outs.there, "--cluster", redis.address], "there");
    expect(await ended(there.child), there.err()).toBe(0);
    const here = run([...plan, "--out", outs.here, "--workers", "2"], "here");
    expect(await ended(here.child), here.err()).toBe(0);
    for (const { child } of workers) {
      child.kill("SIGTERM");
      expect(await ended(child)).toBe(0);
    }
    const numbers = numbersOf(outs.there);
    expect(numbers).toEqual(numbersOf(outs.here));
    expect(numbers).toMatchObject({ tables: [{ experiment: "table" }, { experiment: "ours" }] });
    expect(redis.cli("--scan", "--pattern", "graphdos:run*")).toBe("");
  }, 600_000);
});
