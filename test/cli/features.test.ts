import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readNpz } from "../../src/data/npz.js";
import { barabasiAlbert, complete, path, star } from "../../src/graph/generators/index.js";
import {
  graphdos,
  hasModule,
  python,
  refusal,
  skippedWithout,
  temporaryFolder,
  writeFolder,
  writeGraph,
} from "./kernel-support.js";

const folder = temporaryFolder("features");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Eigenvalues: ±1 and six times 0; ±1; 1 and three times −1/3. */
const graphs = { a: star(7), b: path(2), c: complete(4) };
const spectra = [
  [1, -1, 0, 0, 0, 0, 0, 0],
  [1, -1],
  [1, -1 / 3, -1 / 3, -1 / 3],
];
const traceMoment = (g: number, m: number) =>
  spectra[g].reduce((sum, value) => sum + Math.cos(m * Math.acos(value)), 0);
const numbered = writeFolder(join(folder, "numbered"), graphs, ["1", "-1", "1"]);
const worded = writeFolder(join(folder, "worded"), graphs, ["tree", "edge", "tree"]);
const bare = writeFolder(join(folder, "bare"), graphs);
/** Too many nodes without twins for exact moments in 20 s, even few of them. */
const large = writeGraph(join(folder, "large.json"), barabasiAlbert(60_000, 6, 5));
const npz = async (name: string) => readNpz(readFileSync(join(folder, name)));
const hasNumpy = hasModule("numpy");

describe("graphdos features", () => {
  it("writes the damped trace moments of each graph and its class", async () => {
    const file = join(folder, "dos.npz");
    const words = ["--kernel", "dos", "--moments", "6", "--damping", "none", "-o", file];
    const { out, err } = await graphdos("features", numbered, ...words);
    expect(out).toBe("numbered: 3 graphs, 6 dimensions (dos 6)\n");
    expect(err).toBe(`wrote ${file}\n`);
    const arrays = await npz("dos.npz");
    expect([...arrays.keys()]).toEqual(["signature", "labels"]);
    const { shape, dtype, data } = arrays.get("signature")!;
    expect([shape, dtype]).toEqual([[3, 6], "float64"]);
    for (let g = 0; g < 3; g++)
      for (let m = 1; m <= 6; m++) expect(data[g * 6 + m - 1]).toBeCloseTo(traceMoment(g, m), 12);
    expect(arrays.get("labels")!.dtype).toBe("int32");
    expect(Array.from(arrays.get("labels")!.data as Int32Array)).toEqual([1, -1, 1]);
  });

  it("with --nodes, twins are one row with their weight, and the weighted rows sum to the trace", async () => {
    const file = join(folder, "nodes.npz");
    const words = ["--nodes", "--moments", "5", "-o", file, "--json"];
    const summary = JSON.parse((await graphdos("features", numbered, ...words)).out);
    expect([summary.nodeRows, summary.nodeProfilesOf, summary.labels]).toEqual([4, "A", "values"]);
    const arrays = await npz("nodes.npz");
    const [offsets, weights, moments] = ["node_offsets", "node_weights", "node_moments"].map((name) =>
      Array.from(arrays.get(name)!.data as Float64Array),
    );
    expect(offsets).toEqual([0, 2, 3, 4]);
    expect(weights.slice(0, 2).sort((x, y) => x - y)).toEqual([1, 7]);
    expect(weights.slice(2)).toEqual([2, 4]);
    for (let g = 0; g < 3; g++)
      for (let m = 0; m <= 5; m++) {
        let sum = 0;
        for (let r = offsets[g]; r < offsets[g + 1]; r++) sum += weights[r] * moments[r * 6 + m];
        expect(sum).toBeCloseTo(traceMoment(g, m), 12);
      }
  });

  it.each([
    ["auto", "sample", []],
    ["auto", "sample", ["--tolerance", "0.01"]],
    ["probes", "probes", []],
    ["sample", null, []],
  ])("--nodes leaves the signature as it is: estimator %s", async (estimator, ofNodes, words) => {
    const [alone, both] = [join(folder, "alone.npz"), join(folder, "both.npz")];
    const common = [large, "--kernel", "dos", "--moments", "10", "--estimator", estimator, "--probes", "8"];
    await graphdos("features", ...common, ...words, "-o", alone);
    const { err } = await graphdos("features", ...common, ...words, "--nodes", "-o", both);
    const [without, arrays] = [await npz("alone.npz"), await npz("both.npz")];
    expect(arrays.get("signature")).toEqual(without.get("signature"));
    expect(arrays.get("node_moments")!.shape[1]).toBe(11);
    if (ofNodes === null) expect(err).not.toContain("--nodes:");
    else expect(err).toContain(`apart from the signature, which comes from probes: ${ofNodes} for 1 graph`);
    expect(err.includes("--tolerance 0.01 is that of the signature alone")).toBe(
      words.length > 0 && ofNodes === "sample",
    );
  });

  it.skipIf(!hasNumpy)(
    `numpy reads every array with its shape and type${skippedWithout(hasNumpy, "numpy")}`,
    async () => {
      const file = join(folder, "numpy.npz");
      const words = ["--kernel", "dos+ldos", "--nodes", "--moments", "4", "-o", file];
      await graphdos("features", numbered, ...words);
      const script = `
import json, sys, numpy
f = numpy.load(sys.argv[1])
sums = numpy.add.reduceat(f["node_weights"][:, None] * f["node_moments"], f["node_offsets"][:-1], axis=0)
print(json.dumps({"kinds": {k: str(f[k].dtype) for k in f.files}, "shape": f["signature"].shape, "sums": sums.tolist(),
  "labels": f["labels"].tolist()}))`;
      const read = python<{ kinds: object; shape: number[]; sums: number[][]; labels: number[] }>(
        script,
        file,
      );
      expect(read.kinds).toEqual({
        signature: "float64",
        labels: "int32",
        node_offsets: "int32",
        node_weights: "float64",
        node_moments: "float64",
      });
      expect(read.shape[0]).toBe(3);
      expect(read.labels).toEqual([1, -1, 1]);
      read.sums.forEach((row, g) => {
        row.forEach((value, m) => {
          expect(value).toBeCloseTo(traceMoment(g, m), 12);
        });
      });
    },
  );

  it("distances between rows of ldos are the exact MMDs, to the tolerance", async () => {
    const set = writeFolder(join(folder, "webs"), { a: barabasiAlbert(30, 2, 1), b: path(9), c: star(4) });
    const file = join(folder, "ldos.npz");
    await graphdos("features", set, "-o", file, "--option", "tolerance=1e-4");
    const gram = join(folder, "exact.csv");
    const words = ["--kernel", "ldos", "--option", "ldos.mmd=exact", "--json", "-o", gram];
    const { bandwidths } = JSON.parse((await graphdos("gram", set, ...words)).out);
    const { data, shape } = (await npz("ldos.npz")).get("signature")!;
    const squares = readFileSync(gram, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(",").map((value) => -Math.log(Number(value)) / bandwidths[0].gamma));
    for (let g = 0; g < 3; g++)
      for (let h = 0; h < g; h++) {
        let sum = 0;
        for (let d = 0; d < shape[1]; d++)
          sum += (Number(data[g * shape[1] + d]) - Number(data[h * shape[1] + d])) ** 2;
        expect(Math.abs(Math.sqrt(sum) - Math.sqrt(squares[g][h]))).toBeLessThan(1e-4);
      }
  });

  it("classes that are words become their numbers, graphs without classes get -1", async () => {
    const words = ["--kernel", "dos", "-o", join(folder, "labels.npz")];
    const { err } = await graphdos("features", worded, ...words);
    expect(err).toContain("0 is edge, 1 is tree");
    expect(Array.from((await npz("labels.npz")).get("labels")!.data as Int32Array)).toEqual([1, 0, 1]);
    expect((await graphdos("features", bare, ...words)).err).toContain("bare has no classes");
    expect(Array.from((await npz("labels.npz")).get("labels")!.data as Int32Array)).toEqual([-1, -1, -1]);
  });

  it("writes a table of names, classes and numbers, to a file or to stdout", async () => {
    const words = ["--kernel", "dos-cdf", "--option", "points=2", "--moments", "3"];
    const { out } = await graphdos("-q", "features", worded, ...words, "-o", "-");
    const [head, first, second] = out.split("\n");
    expect(head).toBe("graph,class,dos-cdf_1,dos-cdf_2");
    expect(first).toMatch(/^a\.json,tree,[\d.e-]+,[\d.e-]+$/);
    expect(second).toMatch(/^b\.json,edge,/);
    const file = join(folder, "table.csv");
    await graphdos("features", worded, ...words, "-o", file);
    expect(readFileSync(file, "utf8")).toBe(out);
  });

  it("a data set of one graph is fine", async () => {
    const file = writeGraph(join(folder, "one.json"), path(3));
    const { out } = await graphdos("features", file, "--kernel", "dos", "-o", join(folder, "one.npz"));
    expect(out).toContain("1 graph, 50 dimensions");
  });
});

describe("graphdos features refuses", () => {
  const to = ["-o", join(folder, "refused.npz")];
  it.each([
    [["--kernel", "retgk1"], "has no vector for a graph: use --kernel ldos --self-loops"],
    [["--kernel", "dos+ldos", "--option", "ldos.mmd=exact"], "use --option ldos.mmd=low-rank"],
    [["--kernel", "ldoss"], "unknown kernel: ldoss; did you mean ldos?"],
    [["--option", "widt=1"], "unknown option of kernel ldos: widt; did you mean width?"],
    [["--option", "width"], "got width, expected name=value"],
    [["--option", "width=wide"], "kernel ldos: width: got wide, expected a number above 0"],
    [["--option", "width=1", "--option", "ldos.width=2"], "width is given twice"],
    [["--damping", "lorentz"], "--damping is that of the density of states"],
    [["--kernel", "retgk2", "--self-loops"], "which uses A + I in any case"],
    [["--kernel", "retgk-mc", "--moments", "9"], "--moments does nothing with kernel retgk-mc"],
    [["--kernel", "retgk-mc", "--nodes"], "uses no moments of nodes"],
  ])("%j in one sentence", async (words, sentence) => {
    const { code, message } = await refusal("features", numbered, ...words, ...to);
    expect(message).toContain(sentence);
    expect(code).toBe("bad-call");
    expect(existsSync(to[1])).toBe(false);
  });

  it("a kind of file that it does not write, and --nodes in a table", async () => {
    const kind = await refusal("features", numbered, "-o", join(folder, "x.parquet"));
    expect(kind.message).toContain("got .parquet, expected .npz or .csv");
    const table = await refusal("features", numbered, "--nodes", "-o", join(folder, "x.csv"));
    expect(table.message).toContain("use -o FILE.npz");
    expect((await refusal("features", numbered)).message).toContain("--output");
  });

  it("an output that cannot be written, before it looks at the data", async () => {
    const missing = await refusal("features", "no-such-data", "-o", join(folder, "nowhere", "x.npz"));
    expect(missing).toEqual({
      code: "io",
      message: `cannot write ${join(folder, "nowhere", "x.npz")}: the folder ${join(folder, "nowhere")} does not exist`,
    });
    mkdirSync(join(folder, "taken.npz"), { recursive: true });
    expect((await refusal("features", "no-such-data", "-o", join(folder, "taken.npz"))).message).toContain(
      "it is a folder",
    );
    const file = join(numbered, "labels.csv", "x.npz");
    expect((await refusal("features", "no-such-data", "-o", file)).message).toContain("is not a folder");
  });
});

describe("Ctrl-C during graphdos features", () => {
  it("leaves the old file as it was and nothing half-written", async () => {
    const set: Record<string, ReturnType<typeof path>> = {};
    for (let g = 0; g < 40; g++) set[`g${g}`] = barabasiAlbert(1500, 3, g);
    const data = writeFolder(join(folder, "large"), set);
    const out = join(folder, "interrupted");
    mkdirSync(out);
    writeFileSync(join(out, "f.npz"), "old");
    // a program as the command line's, with progress as on a terminal
    const script = join(folder, "program.mts");
    const source = (name: string) => JSON.stringify(resolve("src", name));
    writeFileSync(
      script,
      `import { Command } from ${JSON.stringify(resolve("node_modules/commander/index.js"))};
import { addFeaturesCommand } from ${source("cli/features.ts")};
process.stderr.isTTY = true;
const program = new Command("graphdos").option("-q, --quiet");
addFeaturesCommand(program);
program.parseAsync(process.argv.slice(2), { from: "user" }).catch((error) => {
  process.exitCode = error.code === "interrupted" ? 130 : 1;
});`,
    );
    const words = ["features", data, "-o", join(out, "f.npz"), "--workers", "0"];
    const child = spawn(process.execPath, ["--import", "tsx", script, ...words]);
    let progress = "";
    child.stderr.on("data", (chunk: Buffer) => {
      progress += chunk;
      if (!child.killed && /profiles +\d+ %.*graphs\/s.* left/.test(progress)) child.kill("SIGINT");
    });
    const code = await new Promise((done) => child.on("close", done));
    expect(progress).toMatch(/profiles +\d+ %.*graphs\/s.* left/);
    expect(child.killed).toBe(true);
    expect(code).toBe(130);
    expect(readdirSync(out)).toEqual(["f.npz"]);
    expect(readFileSync(join(out, "f.npz"), "utf8")).toBe("old");
  });
});
