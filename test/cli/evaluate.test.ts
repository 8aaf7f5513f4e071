/** evaluate, train and predict as a person calls them: the built program in a process of its own. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "graphdos-evaluate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { ...process.env, GRAPHDOS_CACHE: join(folder, "cache"), GRAPHDOS_DATA: "" };
const graphdos = (...args: string[]) =>
  spawnSync(process.execPath, ["dist/cli/main.js", ...args], { encoding: "utf8", env });

/** Eight threads of each of two classes that are easy to tell apart, as a folder of edge lists. */
function stars(name: string, labels: (k: number) => string): string {
  const path = join(folder, name);
  spawnSync("mkdir", ["-p", path]);
  const rows: string[] = [];
  for (let k = 0; k < 16; k++) {
    const n = 6 + (k >> 1);
    const edges = Array.from({ length: n }, (_, i) => (k % 2 === 0 ? `0 ${i + 1}` : `${i} ${i + 1}`));
    writeFileSync(join(path, `g${k}.txt`), `${edges.join("\n")}\n`);
    rows.push(`g${k}.txt,${labels(k)}`);
  }
  writeFileSync(join(path, "labels.csv"), `file,label\n${rows.join("\n")}\n`);
  return path;
}
const easy = stars("easy", (k) => (k % 2 === 0 ? "star" : "path"));
const quick = ["--protocol", "quick", "--folds", "4", "--moments", "10"];

describe("graphdos evaluate", () => {
  it("prints a table with the best row marked", () => {
    const { status, stdout } = graphdos("evaluate", easy, "--kernel", "dos,ldos", ...quick);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\* {2}(dos|ldos) +100\.00 ± 0\.00/m);
    expect(stdout).toMatch(/^ {3}size alone +\d+\.\d\d ± /m);
    expect(stdout).toContain("ceiling 100 %: no identical graphs are of different classes");
    expect(stdout).toContain("confusion of");
  });

  it("prints the JSON that others rely on, and the same for one worker and two", () => {
    const args = ["evaluate", easy, "--kernel", "dos", "--json", "--no-store", ...quick];
    const one = JSON.parse(graphdos(...args, "--workers", "1").stdout);
    const two = JSON.parse(graphdos(...args, "--workers", "2").stdout);
    const [result] = one.results;
    expect(one).toMatchObject({ dataset: "easy", protocol: { name: "quick", folds: 4, inner: 3 } });
    expect(result).toMatchObject({ kernel: "dos", accuracy: { mean: 1, std: 0, perRepeat: [1] } });
    expect(Object.keys(result.seconds)).toEqual(["profile", "signature", "gram", "svm"]);
    expect(result.chosen[0]).toMatchObject({ C: expect.any(Number), times: expect.any(Number) });
    expect(one).toMatchObject({
      sizeAlone: { kernel: "size alone" },
      ceiling: { structure: 1, labels: null },
    });
    for (const row of [result, two.results[0], one.sizeAlone, two.sizeAlone]) delete row.seconds;
    expect(two).toEqual(one);
  });

  it("recommends a kernel on the screen, in the JSON and in the report, in the same words", () => {
    const report = join(folder, "several.html");
    const args = ["evaluate", easy, "--kernel", "dos,ldos,wl", "--report", report, ...quick];
    const { stdout } = graphdos(...args);
    // the second time from the cache, with the times of the first
    const { recommendation, comparisons } = JSON.parse(graphdos(...args, "--json").stdout);
    expect(comparisons.map(({ pHolm }: { pHolm: number }) => pHolm)).toEqual([1, 1]);
    expect(recommendation.notDistinguishable).toHaveLength(2);
    expect(recommendation.reason).toContain("not distinguishable from");
    expect(recommendation.caution).toContain("100.0 % of dos is optimistic: the highest of 3 accuracies");
    const words = `recommended: ${recommendation.kernel}: ${recommendation.reason}`;
    expect(stdout).toContain(`\n${words}\n${recommendation.caution}\n`);
    expect(readFileSync(report, "utf8")).toContain(
      `<strong>R${words.slice(1)}.</strong> ${recommendation.caution}.`,
    );
  });

  it("writes a page without anything from elsewhere", () => {
    const report = join(folder, "report.html");
    expect(graphdos("evaluate", easy, "--kernel", "dos", "--report", report, ...quick).status).toBe(0);
    const page = readFileSync(report, "utf8");
    expect(page).toContain("<svg");
    expect(page).toContain("size alone");
    expect(page).toContain("Ceiling 100 %");
    expect(page).not.toMatch(/(src|href)="https?:/);
  });

  it("takes options and grids of kernels by name, and refuses what no kernel knows", () => {
    const { stdout } = graphdos(
      "evaluate",
      easy,
      "--kernel",
      "dos,ldos",
      "--grid",
      "multiple=0.3,1",
      "--option",
      "ldos.mmd=exact",
      "--json",
      ...quick,
    );
    const points = JSON.parse(stdout).results.map((row: { chosen: { point: object }[] }) =>
      Object.keys(row.chosen[0].point),
    );
    expect(points).toEqual([
      ["multiple", "exponent"],
      ["multiple", "exponent"],
    ]);
    const bad = graphdos("evaluate", easy, "--option", "widht=3");
    expect(bad.status).toBe(2);
    expect(bad.stderr).toContain("unknown option of kernel dos+ldos: widht");
    expect(graphdos("evaluate", easy, "--kernel", "doss").stderr).toContain(
      "unknown kernel: doss; did you mean dos?",
    );
    expect(graphdos("evaluate", easy, "--c", "0,1").stderr).toContain("expected numbers above 0");
  });

  it("takes the number of moments as a grid, for all parts or for one", () => {
    const chosen = (...grid: string[]) => {
      const { stdout } = graphdos(
        "evaluate",
        easy,
        ...grid.flatMap((g) => ["--grid", g]),
        "--json",
        ...quick,
      );
      return JSON.parse(stdout).results[0].chosen[0].point;
    };
    expect([5, 8]).toContain(chosen("moments=5,8").moments);
    expect([5, 8]).toContain(chosen("dos.moments=5,8")["dos.moments"]);
    expect(graphdos("evaluate", easy, "--grid", "wl.moments=5,8", ...quick).stderr).toContain(
      "unknown option of kernel dos+ldos: wl.moments",
    );
    expect(graphdos("evaluate", easy, "--grid", "dos.moments=few", ...quick).stderr).toContain(
      "moments: got few, expected whole numbers from 1 to 4096",
    );
  });

  it("says what is wrong with the labels", () => {
    const one = graphdos(
      "evaluate",
      stars("one", () => "a"),
      ...quick,
    );
    expect([one.status, one.stderr]).toEqual([
      1,
      "graphdos: one: all graphs are of one class (a): there is nothing to tell apart\n",
    ]);
    const rare = graphdos(
      "evaluate",
      stars("rare", (k) => (k < 2 ? "rare" : k % 2 === 0 ? "star" : "path")),
      "--kernel",
      "dos",
      ...quick,
    );
    expect(rare.status).toBe(0);
    expect(rare.stdout).toMatch(/warning: .*class/);
  });

  it("keeps finished folds when interrupted, leaves nothing half-written and goes on from there", async () => {
    const args = ["evaluate", "synthetic:communities", "--kernel", "dos", "--repeats", "2", "--json"];
    const child = spawn(process.execPath, ["dist/cli/main.js", ...args], { env });
    const results = join(folder, "cache", "results");
    const names = () => (existsSync(results) ? readdirSync(results, { recursive: true }).map(String) : []);
    const isPartial = (name: string) => name.endsWith(".partial");
    // an entry, below the folders of the code and of its first digits
    const entries = () => names().filter((name) => name.split(sep).length === 3 && !isPartial(name)).length;
    const before = entries();
    const finished = new Promise<number | null>((resolve) => child.on("exit", resolve));
    while (entries() < before + 2 && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGINT");
    expect(await finished).toBe(130);
    expect(entries()).toBeGreaterThanOrEqual(before + 2);
    expect(names().filter(isPartial)).toEqual([]);
    const strip = (text: string) => JSON.parse(text, (key, value) => (key === "seconds" ? undefined : value));
    expect(strip(graphdos(...args).stdout)).toEqual(strip(graphdos(...args, "--no-store").stdout));
  });
});

describe("graphdos train and predict", () => {
  const model = join(folder, "m.graphdos");
  it("make a model and classify graphs it has never seen, from another kind of file", () => {
    const trained = graphdos(
      "train",
      easy,
      "-o",
      model,
      "--kernel",
      "dos+ldos",
      "--folds",
      "3",
      "--moments",
      "10",
    );
    expect(trained.stderr).toBe("");
    expect(trained.stdout).toContain(`wrote ${model}`);
    const file = join(folder, "new.csv");
    writeFileSync(file, "a,b\na,c\na,d\na,e\na,f\na,g\na,h\na,i\na,j\n");
    const { predictions } = JSON.parse(graphdos("predict", model, file, "--json").stdout);
    expect(predictions).toEqual([{ graph: "new", label: "star", decision: expect.any(Number) }]);
    expect(predictions[0].decision).toBeGreaterThan(0);
    expect(graphdos("predict", model, easy).stdout).toContain("100.00 % of the classes that the data states");
    const csv = graphdos("predict", model, easy, "--csv").stdout.split("\n");
    expect(csv[0]).toBe("graph,label,decision");
    expect(csv).toHaveLength(18);
  });

  it("refuse a damaged model, a missing one and one that is something else, each with a sentence", () => {
    const cut = join(folder, "cut.graphdos");
    writeFileSync(cut, readFileSync(model).subarray(0, 1000));
    const expectSentence = (path: string, sentence: string) => {
      const { status, stderr } = graphdos("predict", path, easy);
      expect(status).toBe(1);
      expect(stderr).toContain(sentence);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    };
    expectSentence(cut, "cut.graphdos: the model file is damaged or cut off");
    expectSentence(join(folder, "none.graphdos"), "cannot read");
    expectSentence(join(easy, "g0.txt"), "not a graphdos model file");
    const unwritable = graphdos(
      "train",
      easy,
      "-o",
      join(folder, "no", "m.graphdos"),
      "--kernel",
      "dos",
      "--folds",
      "3",
    );
    expect(unwritable.status).toBe(1);
    expect(unwritable.stderr).toContain("cannot write");
  });
});
