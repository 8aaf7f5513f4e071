import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "graphdos-checks-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function graphdos(args: string[], more: Record<string, string> = {}) {
  const env = { ...process.env, GRAPHDOS_CACHE: join(folder, "cache"), ...more };
  return spawnSync(process.execPath, ["dist/cli/main.js", ...args], { encoding: "utf8", env });
}
const small = ["--moments", "8", "--workers", "0", "-q"];
const quick = ["--protocol", "quick", "--folds", "3", "--no-store", ...small];

describe("a result that has nowhere to go", () => {
  // the data is not there either: who looks at the place of the result first names that
  const nowhere = join(folder, "missing", "out");
  it.each([
    ["train", "no-such-data", "-o", `${nowhere}.graphdos`],
    ["predict", "no-such-model", "no-such-data", "--csv", `${nowhere}.csv`],
    ["evaluate", "no-such-data", "--report", `${nowhere}.html`],
    ["inspect", "no-such-data", "--report", `${nowhere}.html`],
    ["spectrum", "no-such-data", "-o", `${nowhere}.svg`],
    ["spectrum", "no-such-data", "-o", `${folder}.svg/`],
    ["features", "no-such-data", "-o", `${nowhere}.npz`],
    ["features", "no-such-data", "--shard", "1/2", "-o", `${nowhere}.part`],
    ["gram", "no-such-data", "-o", `${nowhere}.npy`],
    ["gram", "no-such-data", "-o", join(folder, "gram.npy"), "--labels", `${nowhere}.npy`],
    ["similar", "no-such-data", "--graph", "0", "-o", `${nowhere}.svg`],
    ["merge", `${nowhere}.npz`, "no-such-part"],
    ["reproduce", "--data-dir", join(folder, "no-such-data"), "--out", "/dev/null/results"],
  ])("is refused before %s reads its data", (...args) => {
    const { status, stderr } = graphdos(args);
    expect(stderr).toMatch(/^graphdos: cannot write /);
    expect(status).not.toBe(0);
  });
});

describe("commands say and do what was asked", () => {
  it("--seed reaches kernels that draw", () => {
    const notes = (seed: string) => {
      const args = ["evaluate", "synthetic:threads", "--kernel", "ldos", "--option", "mmd=fourier", "--json"];
      const { stdout, stderr } = graphdos([...args, "--seed", seed, "--c", "1", ...quick]);
      expect(stderr).toBe("");
      return JSON.parse(stdout).results[0].notes.join("\n");
    };
    expect(notes("5")).toContain("seed 5");
  });

  it("a page draws a grid of more moments than --moments", () => {
    const page = join(folder, "more.html");
    const args = [
      "evaluate",
      "synthetic:threads",
      "--kernel",
      "dos",
      "--grid",
      "moments=12,16",
      "--report",
      page,
    ];
    const { status, stderr } = graphdos([...args, ...quick]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(readFileSync(page, "utf8")).toMatch(/moments(\u00a0| )=(\u00a0| )1[26]/);
  });

  it("a page shows a command that can be called again, and moments of single parts are drawn", () => {
    const page = join(folder, "a page.html");
    const args = ["evaluate", "--kernel", "dos+ldos", "--grid", "dos.moments=4,12", "--report", page];
    const { status, stderr } = graphdos(["--debug", ...args, ...quick, "synthetic:threads"]);
    expect([status, stderr]).toEqual([0, ""]);
    const text = readFileSync(page, "utf8").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
    expect(text).toContain(
      `graphdos --debug evaluate --kernel dos+ldos --grid dos.moments=4,12 --report '${page}'`,
    );
    expect(text).toContain("-q synthetic:threads");
  });

  it("a matrix geometric mean makes no model, also where a grid asks for it", () => {
    const model = join(folder, "g.graphdos");
    // the data is not there: who looks at the kernel first names that
    for (const words of [
      ["--grid", "combine=composite,geometric"],
      ["--option", "combine=geometric"],
    ]) {
      const { status, stderr } = graphdos(["train", "no-such-data", "-o", model, ...words, ...small]);
      expect(stderr).toContain("a model cannot use the matrix geometric mean");
      expect(status).toBe(2);
      expect(existsSync(model)).toBe(false);
    }
  });

  it("a model may be chosen among more moments than --moments", () => {
    const model = join(folder, "more.graphdos");
    const args = ["train", "synthetic:threads", "-o", model, "--kernel", "dos", "--grid", "moments=12,16"];
    expect(graphdos([...args, "--c", "1", ...small])).toMatchObject({ status: 0, stderr: "" });
    const predicted = graphdos(["predict", model, "synthetic:threads", "--json", "-q"]);
    expect(JSON.parse(predicted.stdout).predictions).toHaveLength(400);
  });

  it("predict gives one JSON document and writes a table beside it", () => {
    const [model, table] = [join(folder, "both.graphdos"), join(folder, "both.csv")];
    const args = ["synthetic:threads", "--kernel", "dos", "--c", "1", "-o", model, ...small];
    expect(graphdos(["train", ...args])).toMatchObject({ status: 0, stderr: "" });
    const words = ["predict", model, "synthetic:threads", "--workers", "0", "-q"];
    const both = graphdos([...words, "--json", "--csv", table]);
    expect(both).toMatchObject({ status: 0, stderr: "" });
    const labels = JSON.parse(both.stdout).predictions.map(({ label }: { label: string }) => label);
    const [head, ...rows] = readFileSync(table, "utf8").trimEnd().split("\n");
    expect(labels).toHaveLength(400);
    expect(rows.map((row) => row.split(",")[head.split(",").indexOf("label")])).toEqual(labels);
    // alone, to stdout, the table is the same
    expect(graphdos([...words, "--csv"]).stdout).toBe(readFileSync(table, "utf8"));
  });

  it.each([
    ["evaluate", "no-such-data", "--folds"],
    ["evaluate", "no-such-data", "--inner"],
    ["train", "no-such-data", "-o", join(folder, "f.graphdos"), "--folds"],
    ["reproduce", "--out", join(folder, "f"), "--inner"],
  ])("one fold is none: %s", (...args) => {
    const { status, stderr } = graphdos([...args, "1"]);
    expect(stderr).toContain("expected a whole number of at least 2, got 1: one is tested, the others teach");
    expect(status).toBe(2);
  });

  it.each([
    ["--grid", "moments=0", "grid: moments: got 0, expected whole numbers from 1 to 4096"],
    ["--grid", "moments=4,5000", "grid: moments: got 5000, expected whole numbers from 1 to 4096"],
    ["--grid", "dos.exponent=3", "exponent"],
    ["--kernel", "wl,dos,ldos,dos", "--kernel: got dos twice; expected each kernel once"],
    ["--store", "/dev/null/kept", "cannot write /dev/null/kept: /dev/null is not a folder"],
  ])("evaluate refuses %s %s before it reads its data", (option, value, sentence) => {
    const args = ["evaluate", "no-such-data", "--kernel", "wl,dos,ldos", "--no-store", option, value];
    const { status, stderr } = graphdos(args);
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(status).not.toBe(0);
  });

  it("two documents do not share stdout", () => {
    const { status, stderr } = graphdos(["predict", "no-such-model", "no-such-data", "--json", "--csv"]);
    expect(stderr).toContain("--json and --csv without a file both write to stdout");
    expect(status).toBe(2);
  });

  it("GRAPHDOS_CLUSTER is nothing to commands that run here", () => {
    const wrong = { GRAPHDOS_CLUSTER: "no address" };
    const model = join(folder, "m.graphdos");
    const args = ["synthetic:threads", "--kernel", "dos", "--c", "1", "--moments", "8", "-q"];
    expect(graphdos(["train", ...args, "-o", model], wrong)).toMatchObject({ status: 0, stderr: "" });
    expect(graphdos(["predict", model, "synthetic:threads", "-q"], wrong)).toMatchObject({ status: 0 });
    const one = ["spectrum", "synthetic:threads", "--graph", "0"];
    expect(graphdos(one, wrong)).toMatchObject({ status: 0 });
    for (const words of [["inspect", "synthetic:threads"], ["datasets", "list"], ["cache"], ["--help"]])
      expect(graphdos(words, wrong), words.join(" ")).toMatchObject({ status: 0 });
    // --workers is said now
    const features = [
      "features",
      "synthetic:threads",
      "--kernel",
      "dos",
      "-o",
      join(folder, "w.npz"),
      ...small,
    ];
    expect(graphdos(features, wrong)).toMatchObject({ status: 0 });
  });
});

describe("a cluster that makes no sense is refused before the data is read", () => {
  const gram = join(folder, "c.npy");
  it.each([
    ["features", "no-such-data", "-o", join(folder, "c.npz")],
    ["gram", "no-such-data", "-o", gram],
    ["similar", "no-such-data", "--graph", "0"],
    ["evaluate", "no-such-data", "--no-store"],
    ["reproduce", "--out", join(folder, "results")],
  ])("%s", (...args) => {
    const wrong = graphdos(args, { GRAPHDOS_CLUSTER: "no address" });
    expect(wrong.stderr).toBe(
      "graphdos: address of the cluster: not an address: expected redis://HOST[:PORT][/DATABASE] or rediss://…\n",
    );
    expect(wrong.status).toBe(2);
    const both = graphdos([...args, "--workers", "1", "--cluster", "redis://localhost"]);
    expect(both.stderr).toContain("--workers is of this machine, --cluster of others");
    expect(both.status).toBe(2);
  });

  it("and so is a shared folder without one", () => {
    const { status, stderr } = graphdos(["gram", "no-such-data", "-o", gram, "--store", folder]);
    expect(stderr).toContain("--store is the shared folder of a cluster: it does nothing without --cluster");
    expect(status).toBe(2);
  });
});

describe("an option that does nothing is refused", () => {
  const out = ["-o", join(folder, "m.graphdos")];
  it.each([
    [["evaluate", "--kernel", "wl", "--moments", "9"], "--moments does nothing with kernel wl"],
    [["evaluate", "--kernel", "wl,sp", "--tolerance", "0.1"], "--tolerance does nothing with kernels wl, sp"],
    [["evaluate", "--kernel", "retgk1", "--self-loops"], "--self-loops does nothing with kernel retgk1"],
    [["evaluate", "--kernel", "ldos", "--damping", "none"], "--damping is that of the density of states"],
    [["evaluate", "--kernel", "dos", "--limit", "5"], "--limit 5 does nothing without --kernel all"],
    [
      ["evaluate", "--no-store", "--cache-limit", "1GiB"],
      "--cache-limit does nothing with --store or --no-store",
    ],
    [["train", "--kernel", "wl", "--moments", "9", ...out], "--moments does nothing with kernel wl"],
  ])("%j", ([command, ...args], sentence) => {
    const { status, stderr } = graphdos([command, "no-such-data", ...args]);
    expect(stderr).toContain(sentence);
    expect(status).toBe(2);
  });

  it("and taken where one of the kernels has a use for it", () => {
    const args = ["--kernel", "wl,dos", "--damping", "none", "--c", "1", "--json"];
    const { status, stdout, stderr } = graphdos(["evaluate", "synthetic:threads", ...args, ...quick]);
    expect(status, stderr).toBe(0);
    expect(JSON.parse(stdout).results).toHaveLength(2);
  });
});
