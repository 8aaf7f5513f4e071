/** Shards as a batch system runs them: processes side by side, then one merge; compared with one process to the byte. */
import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseShard } from "../../src/cli/shard.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-shard-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { ...process.env, GRAPHDOS_CACHE: join(folder, "cache"), GRAPHDOS_DATA: "" };
const at = (name: string) => join(folder, name);
const main = "dist/cli/main.js";
const graphdos = (...args: string[]) =>
  spawnSync(process.execPath, [main, ...args], { encoding: "utf8", env });
const start = (...args: string[]) => promisify(execFile)(process.execPath, [main, ...args], { env });
const bytes = (name: string) => readFileSync(at(name));

/** One process, and `count` processes side by side with a merge in a shuffled order. */
async function bothWays(args: string[], name: string, extension: string, count: number): Promise<void> {
  const [command, ...rest] = args;
  const parts = Array.from({ length: count }, (_, k) => at(`${name}-${k + 1}.part`));
  const calls = parts.map((part, k) =>
    start(command, ...rest, "--shard", `${k + 1}/${count}`, "-o", part, "--workers", String(k % 2)),
  );
  calls.push(start(command, ...rest, "-o", at(`${name}.${extension}`), "--workers", "1"));
  await Promise.all(calls);
  const { status, stderr } = graphdos("merge", at(`${name}-merged.${extension}`), ...parts.reverse());
  expect(stderr).not.toMatch(/graphdos:/);
  expect(status).toBe(0);
}

/** Thirty threads of stars and paths. */
function graphs(name: string, count = 30): string {
  const path = at(name);
  spawnSync("mkdir", ["-p", path]);
  const rows: string[] = [];
  for (let k = 0; k < count; k++) {
    const n = 5 + ((7 * k) % 23);
    const edges = Array.from({ length: n }, (_, i) => (k % 2 === 0 ? `0 ${i + 1}` : `${i} ${i + 1}`));
    writeFileSync(join(path, `g${k}.txt`), `${edges.join("\n")}\n1 3\n`);
    rows.push(`g${k}.txt,${k % 2}`);
  }
  writeFileSync(join(path, "labels.csv"), `file,label\n${rows.join("\n")}\n`);
  return path;
}
const set = graphs("set");

describe("shards run side by side and merged", () => {
  it("give the features of one process to the byte, with the moments of nodes", async () => {
    await bothWays(["features", set, "--kernel", "dos+ldos", "--nodes", "--moments", "20"], "f", "npz", 3);
    expect(bytes("f-merged.npz").equals(bytes("f.npz"))).toBe(true);
  });

  it("give features by random probes to the byte: a graph's probes do not depend on its shard", async () => {
    const probes = ["--estimator", "probes", "--probes", "4", "--seed", "5", "--moments", "10"];
    await bothWays(["features", set, "--kernel", "dos", ...probes], "p", "csv", 2);
    expect(bytes("p-merged.csv").equals(bytes("p.csv"))).toBe(true);
  });

  it.each(["dos+ldos", "retgk1", "wl"])("give the Gram matrix of %s to the byte", async (kernel) => {
    await bothWays(["gram", set, "--kernel", kernel], kernel, "npy", 2);
    expect(bytes(`${kernel}-merged.npy`).equals(bytes(`${kernel}.npy`))).toBe(true);
  });

  it("work with more shards than there is work, and in single precision", async () => {
    const few = graphs("few", 3);
    await bothWays(["features", few, "--moments", "6"], "few", "npz", 4);
    expect(bytes("few-merged.npz").equals(bytes("few.npz"))).toBe(true);
    await bothWays(["gram", few, "--float32", "--moments", "6"], "fewgram", "npy", 2);
    expect(bytes("fewgram-merged.npy").equals(bytes("fewgram.npy"))).toBe(true);
  });
});

describe("the job array of docs/examples", () => {
  it("makes the features of one process to the byte", async () => {
    const parts = at("array");
    const run = (task: number) =>
      promisify(execFile)("bash", ["docs/examples/features-array.sh", set, parts], {
        env: {
          ...{ ...env, GRAPHDOS: `${process.execPath} ${main}`, SLURM_CPUS_PER_TASK: "1" },
          ...{ SLURM_ARRAY_TASK_ID: String(task), SLURM_ARRAY_TASK_COUNT: "2" },
        },
      });
    await Promise.all([run(1), run(2), start("features", set, "-o", at("array.npz"), "--workers", "1")]);
    const files = [1, 2].map((task) => join(parts, `${task}-of-2.part`));
    expect(graphdos("merge", at("array-merged.npz"), ...files).status).toBe(0);
    expect(bytes("array-merged.npz").equals(bytes("array.npz"))).toBe(true);
  });
});

describe("parts that do not make a whole", () => {
  const part = (k: number, ...options: string[]) =>
    graphdos("features", set, "--kernel", "dos", ...options, "--shard", `${k}/3`, "-o", at(`x${k}.part`));
  const merge = (...names: string[]) =>
    graphdos("merge", at("x.npz"), ...names.map((name) => at(`${name}.part`)));
  beforeAll(() => {
    for (const k of [1, 2, 3]) expect(part(k, "--moments", "8").status).toBe(0);
  });

  it("are refused with the shard that is missing", () => {
    const { status, stderr } = merge("x1", "x3");
    expect(status).toBe(1);
    expect(stderr).toContain("1 of 3 shards is missing: 2; run features with --shard 2/3 again");
  });

  it("are refused when one is given twice", () => {
    copyFileSync(at("x2.part"), at("copy.part"));
    expect(merge("x1", "x2", "copy", "x3").stderr).toMatch(
      /shard 2\/3 is given twice: .*x2.part and .*copy.part/,
    );
  });

  it("are refused when their options or data differ, with what differs", () => {
    copyFileSync(at("x3.part"), at("good.part"));
    expect(part(3, "--moments", "9").status).toBe(0);
    expect(merge("x1", "x2", "x3").stderr).toContain("moments: 9 and 8");
    const other = graphs("other", 29);
    graphdos("features", other, "--kernel", "dos", "--moments", "8", "--shard", "3/3", "-o", at("x3.part"));
    expect(merge("x1", "x2", "x3").stderr).toContain("parts of different results: the data");
    copyFileSync(at("good.part"), at("x3.part"));
  });

  it("are refused when they are damaged, cut short or something else", () => {
    const whole = bytes("x1.part");
    for (const cut of [10, whole.length - 1]) {
      writeFileSync(at("cut.part"), whole.subarray(0, cut));
      const { status, stderr } = merge("cut", "x2", "x3");
      expect(status).toBe(1);
      expect(stderr).toMatch(/cut.part: (not a part of a result|damaged or cut short)/);
    }
    const changed = Buffer.from(whole);
    changed[whole.length >> 1] ^= 1;
    writeFileSync(at("changed.part"), changed);
    expect(merge("changed", "x2", "x3").stderr).toContain(
      "changed.part: damaged or cut short: run its shard again",
    );
    expect(graphdos("merge", at("x.npz"), at("none.part")).stderr).toContain("no such file");
  });

  it("have a name that says so, and options that make sense", () => {
    expect(graphdos("features", set, "--shard", "1/3", "-o", at("x.npz")).stderr).toContain("expected .part");
    expect(graphdos("features", set, "--shard", "4/3", "-o", at("x.part")).stderr).toContain("got 4/3");
    expect(
      graphdos("gram", set, "--shard", "1/3", "--labels", at("l.npy"), "-o", at("x.part")).stderr,
    ).toContain("give it to graphdos merge");
    expect(parseShard("3/16")).toEqual({ index: 3, count: 16 });
    for (const text of ["0/3", "1", "1/0", "-1/3", "1/2/3", "a/b"])
      expect(() => parseShard(text)).toThrow("i/n");
  });
});
