import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readNpy } from "../../src/data/npy.js";
import { complete, cycle, path, star } from "../../src/graph/generators/index.js";
import {
  graphdos,
  hasModule,
  hasProgram,
  python,
  refusal,
  skippedWithout,
  temporaryFolder,
  writeFolder,
  writeGraph,
} from "./kernel-support.js";

const folder = temporaryFolder("gram");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string) => join(folder, name);

const graphs = { a: star(7), b: path(2), c: complete(4) };
const spectra = [
  [1, -1, 0, 0, 0, 0, 0, 0],
  [1, -1],
  [1, -1 / 3, -1 / 3, -1 / 3],
];
const set = writeFolder(file("set"), graphs, ["1", "-1", "1"]);
const MOMENTS = 6;
const words = ["--kernel", "dos", "--moments", String(MOMENTS), "--damping", "none"];

/** exp(−d²/median d²) from the eigenvalues of the three graphs. */
function expected(): number[][] {
  const moments = spectra.map((values) =>
    Array.from({ length: MOMENTS }, (_, m) =>
      values.reduce((sum, value) => sum + Math.cos((m + 1) * Math.acos(value)), 0),
    ),
  );
  const square = (g: number, h: number) =>
    moments[g].reduce((sum, value, m) => sum + (value - moments[h][m]) ** 2, 0);
  const median = [square(0, 1), square(0, 2), square(1, 2)].sort((x, y) => x - y)[1];
  return [0, 1, 2].map((g) => [0, 1, 2].map((h) => Math.exp(-square(g, h) / median)));
}

const hasTools = hasProgram("svm-train");
const hasSklearn = hasModule("sklearn");

describe("graphdos gram", () => {
  it("is exp(−d²/median) of the spectra, as .npy, .csv and .libsvm", async () => {
    const { out, err } = await graphdos("gram", set, ...words, "-o", file("g.npy"));
    expect(out).toMatch(/^set: 3 graphs, kernel dos \(density of states\)\n {2}dos +exp\(−γ d²\), γ = /);
    expect(err).toContain("the bandwidth is that of all graphs");
    const { dtype, shape, data } = readNpy(readFileSync(file("g.npy")));
    expect([dtype, shape]).toEqual(["float64", [3, 3]]);
    expected().forEach((row, g) => {
      row.forEach((value, h) => {
        expect(data[3 * g + h]).toBeCloseTo(value, 12);
      });
    });
    const rows = [0, 1, 2].map((g) => [0, 1, 2].map((h) => Number(data[3 * g + h])));
    await graphdos("gram", set, ...words, "-o", file("g.csv"));
    const csv = readFileSync(file("g.csv"), "utf8");
    expect(csv).toBe(rows.map((row) => `${row.join(",")}\n`).join(""));
    expect((await graphdos("-q", "gram", set, ...words, "-o", "-")).out).toBe(csv);
    await graphdos("gram", set, ...words, "-o", file("g.libsvm"));
    const lines = rows.map(
      (row, g) => `${[1, -1, 1][g]} 0:${g + 1} ${row.map((value, h) => `${h + 1}:${value}`).join(" ")}\n`,
    );
    expect(readFileSync(file("g.libsvm"), "utf8")).toBe(lines.join(""));
  });

  it("--float32 halves the numbers, in tables as well", async () => {
    await graphdos("gram", set, ...words, "--float32", "-o", file("half.npy"));
    const half = readNpy(readFileSync(file("half.npy")));
    expect(half.dtype).toBe("float32");
    await graphdos("gram", set, ...words, "--float32", "-o", file("half.csv"));
    const numbers = readFileSync(file("half.csv"), "utf8").trim().split(/[,\n]/).map(Number);
    expect(Float32Array.from(numbers)).toEqual(half.data);
    const wanted = expected().flat();
    numbers.forEach((value, k) => {
      expect(value).toBeCloseTo(wanted[k], 6);
    });
  });

  it("tells kernel, options, bandwidths and eigenvalues in one JSON document", async () => {
    const labels = file("labels.npy");
    const to = ["-o", file("json.npy"), "--labels", labels, "--json"];
    const document = JSON.parse((await graphdos("gram", set, ...words, ...to)).out);
    expect(document).toMatchObject({ dataset: "set", graphs: 3, kernel: "dos", moments: 6, float32: false });
    expect(document.options).toMatchObject({ damping: "none", scale: "trace", exponent: 2 });
    expect(document.bandwidths).toHaveLength(1);
    expect(document.bandwidths[0].gamma).toBeCloseTo(1 / document.bandwidths[0].typical, 12);
    expect(document.definiteness.smallest).toBeGreaterThan(0);
    expect(Array.from(readNpy(readFileSync(labels)).data as Int32Array)).toEqual([1, -1, 1]);
  });

  it("refuses an exponent with which the matrix would not be positive semi-definite", async () => {
    const data = writeFolder(file("lines"), { a: path(3), b: path(4), c: cycle(5) });
    const words = ["--kernel", "dos-cdf", "--option", "exponent=2", "-o", file("indefinite.npy")];
    const { code, message } = await refusal("gram", data, ...words);
    expect(code).toBe("bad-call");
    expect(message).toContain("of an L1 distance is not positive definite");
    expect(existsSync(file("indefinite.npy"))).toBe(false);
  });

  it("a single graph is like itself", async () => {
    const one = writeGraph(file("one.json"), path(3));
    await graphdos("gram", one, "-o", file("one.csv"));
    expect(readFileSync(file("one.csv"), "utf8")).toBe("1\n");
  });

  it("without classes LIBSVM's labels are -1, and that is said", async () => {
    const bare = writeFolder(file("bare"), graphs);
    const { err } = await graphdos("gram", bare, ...words, "-o", file("bare.libsvm"));
    expect(err).toContain("bare has no classes: every label is -1");
    expect(readFileSync(file("bare.libsvm"), "utf8")).toMatch(/^-1 0:1 .*\n-1 0:2 .*\n-1 0:3 /);
  });
});

describe("other programs learn from the matrix of synthetic:threads, where half of the graphs is chance", () => {
  const threads = ["synthetic:threads", "--kernel", "dos", "--self-loops"];

  it.skipIf(!hasTools)(`svm-train reads .libsvm${skippedWithout(hasTools, "svm-train")}`, async () => {
    await graphdos("gram", ...threads, "-o", file("threads.libsvm"));
    const { stdout } = spawnSync("svm-train", ["-t", "4", "-v", "5", "-c", "10", file("threads.libsvm")], {
      encoding: "utf8",
    });
    const accuracy = Number(/Cross Validation Accuracy = ([\d.]+)%/.exec(stdout)?.[1]);
    expect(accuracy).toBeGreaterThan(75);
  });

  it.skipIf(!hasSklearn)(
    `scikit-learn reads .npy, numpy the same from .csv${skippedWithout(hasSklearn, "scikit-learn")}`,
    async () => {
      const labels = ["--labels", file("threads-labels.npy")];
      await graphdos("gram", ...threads, "-o", file("threads.npy"), ...labels);
      await graphdos("gram", ...threads, "-o", file("threads.csv"));
      const script = `
import json, sys, numpy
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC
k, y = numpy.load(sys.argv[1]), numpy.load(sys.argv[2])
same = bool((numpy.loadtxt(sys.argv[3], delimiter=",") == k).all())
print(json.dumps({"accuracy": cross_val_score(SVC(kernel="precomputed", C=10), k, y, cv=5).mean(), "same": same,
  "smallest": numpy.linalg.eigvalsh(k)[0]}))`;
      const files = [file("threads.npy"), file("threads-labels.npy"), file("threads.csv")];
      const read = python<{ accuracy: number; same: boolean; smallest: number }>(script, ...files);
      expect(read.accuracy).toBeGreaterThan(0.75);
      expect(read.same).toBe(true);
      expect(read.smallest).toBeGreaterThan(-1e-9);
    },
  );
});

describe("graphdos gram refuses", () => {
  it.each([
    [["--kernel", "dos+ldoss", "-o", "x.npy"], "unknown kernel: dos+ldoss; did you mean dos+ldos?"],
    [["-o", "x.npz"], "got .npz, expected .npy, .csv or .libsvm"],
    [["-o", "x"], "got no extension, expected .npy, .csv or .libsvm"],
    [["-o", "x.csv", "--labels", "y.csv"], "--labels y.csv: unknown kind of file: got .csv, expected .npy"],
    [["-o", "x.npy", "--labels", "x.npy"], "is the file of --output too"],
    [["-o", "-", "--json"], "both write to stdout"],
    [["-o", "x.npy", "--option", "combine=sum"], "got sum, expected one of composite, mean"],
    [[], "--output"],
  ])("%j in one sentence", async (more, sentence) => {
    const { code, message } = await refusal("gram", set, ...more);
    expect(message).toContain(sentence);
    expect(code).toBe("bad-call");
  });

  it("an unwritable folder before it looks at the data, and --labels without classes", async () => {
    const nowhere = await refusal("gram", "no-such-data", "-o", join(folder, "nowhere", "x.npy"));
    expect([nowhere.code, nowhere.message]).toEqual(["io", expect.stringContaining("does not exist")]);
    const bare = writeFolder(file("unlabelled"), graphs);
    const labels = await refusal("gram", bare, "-o", file("x.npy"), "--labels", file("y.npy"));
    expect([labels.code, labels.message]).toEqual(["bad-data", expect.stringContaining("has no classes")]);
  });
});
