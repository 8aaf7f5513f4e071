/** Several processes on one cache: side by side, one of them killed, and with someone who lists and clears it all the while. */
import { spawn } from "node:child_process";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.js";
import { evaluation, type Plan, reproduction, Workshop } from "./workshop.js";

const [one, two] = [new Workshop(), new Workshop()];
afterAll(() => {
  one.remove();
  two.remove();
});

describe("two processes on one cache", () => {
  const plans = [evaluation, reproduction];
  const wholes = new Map<Plan, Record<string, string>>();
  // keeps entries of every kind, those of an evaluation among them
  const plan = reproduction;
  let life: number;
  beforeAll(async () => {
    for (const each of plans) {
      one.reset();
      const start = performance.now();
      wholes.set(each, await one.whole(each));
      life = performance.now() - start;
    }
  }, 600_000);

  it.each(plans)(
    "of $name both end in the bytes of one alone",
    async (each) => {
      const whole = wholes.get(each)!;
      one.reset();
      two.reset();
      const made = await Promise.all([one.whole(each), two.whole(each, { cache: one.cache })]);
      // what one counts in the cache may be the other's temporary file
      expect(made.map(withoutCounts)).toEqual([withoutCounts(whole), withoutCounts(whole)]);
      expect([...one.partials(), ...two.partials()]).toEqual([]);
      expect(withoutCounts(await one.whole(each))).toEqual(withoutCounts(whole));
    },
    600_000,
  );

  it("one ends in the same bytes while others are killed beside it", async () => {
    one.reset();
    two.reset();
    const first = one.start(plan.args);
    const random = new Random(2);
    let over = false;
    const ended = first.ended.finally(() => {
      over = true;
    });
    while (!over) {
      const beside = two.start(plan.args, { cache: one.cache });
      await Promise.race([
        beside.ended,
        ended,
        new Promise((done) => setTimeout(done, random.uniform() * life)),
      ]);
      beside.child.kill("SIGKILL");
      await beside.ended;
    }
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(withoutCounts(plan.made(one, stdout))).toEqual(withoutCounts(wholes.get(plan)!));
  }, 600_000);

  it("cleared and listed all the while, it ends in the same bytes and warns of nothing", async () => {
    one.reset();
    const { ended } = one.start(plan.args);
    let over = false;
    const run = ended.finally(() => {
      over = true;
    });
    while (!over) {
      const calls = await Promise.all([one.run(["cache", "clear"]), one.run(["cache", "list", "--json"])]);
      for (const { code, stderr } of calls)
        expect([code, stderr]).toEqual([0, expect.not.stringMatching(/graphdos:/)]);
      const { folder, parts } = JSON.parse(calls[1].stdout);
      expect(folder).toBe(dirname(one.results));
      expect(parts.map(({ name }: { name: string }) => name)).toEqual(["results", "datasets"]);
      // a temporary file that was just opened is an entry of no bytes
      for (const { entries, bytes } of parts) if (bytes > 0) expect(entries).toBeGreaterThan(0);
    }
    const { code, stdout } = await run;
    expect(code).toBe(0);
    expect(withoutCounts(plan.made(one, stdout))).toEqual(withoutCounts(wholes.get(plan)!));
  }, 600_000);
});

describe("graphdos cache clear", () => {
  it("ends well while another process writes entry after entry", async () => {
    one.reset();
    const store = pathToFileURL(resolve("dist/node/disk-store.js")).href;
    const script = `const { DiskStore } = await import(${JSON.stringify(store)});
      const store = new DiskStore(${JSON.stringify(one.results)});
      process.stdout.write("ready");
      for (let k = 0; ; k += 8)
        await Promise.all(Array.from({ length: 8 }, (_, j) => store.put(String(k + j), new Uint8Array(100))));`;
    const writer = spawn(process.execPath, ["--input-type=module", "-e", script]);
    try {
      await new Promise((done) => writer.stdout.once("data", done));
      for (let k = 0; k < 4; k++) {
        const { code, stderr } = await one.run(["cache", "clear"]);
        expect([code, stderr]).toEqual([0, expect.stringMatching(/^removed /)]);
      }
    } finally {
      writer.kill("SIGKILL");
    }
  });
});

/** Pages of a reproduction tell how much the cache holds, which here depends on who came when. */
function withoutCounts(made: Record<string, string>): Record<string, string> {
  if (!("reproduction.json" in made)) return made;
  const { cache: _, ...rest } = JSON.parse(made["reproduction.json"]);
  return { ...made, "reproduction.json": JSON.stringify(rest) };
}
