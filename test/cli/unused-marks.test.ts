/** What a set holds and the work does not use is said in one line, by every command; with the option that uses it, no longer. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "graphdos-unused-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { ...process.env, GRAPHDOS_CACHE: join(folder, "cache"), GRAPHDOS_DATA: "", NO_COLOR: "1" };
const graphdos = (...words: string[]) => {
  const ran = spawnSync(process.execPath, ["dist/cli/main.js", ...words], { encoding: "utf8", env });
  expect(ran.status, ran.stderr).toBe(0);
  return ran;
};

/** Stars and paths with everything that a TU set may hold. */
function everything(): string {
  const path = join(folder, "ALL");
  mkdirSync(path);
  const [edges, of, classes, targets]: string[][] = [[], [], [], []];
  for (let g = 0; g < 12; g++) {
    const first = of.length + 1;
    const n = 5 + (g >> 1);
    for (let i = 0; i < n; i++) of.push(String(g + 1));
    for (let i = 1; i < n; i++) {
      const from = g % 2 === 0 ? first : first + i - 1;
      edges.push(`${from}, ${first + i}`, `${first + i}, ${from}`);
    }
    classes.push(String(g % 2));
    targets.push(String(g / 2));
  }
  const write = (role: string, lines: string[]) =>
    writeFileSync(join(path, `ALL_${role}.txt`), `${lines.join("\n")}\n`);
  write("A", edges);
  write("graph_indicator", of);
  write("graph_labels", classes);
  write("graph_attributes", targets);
  write(
    "node_labels",
    of.map((_, i) => String(i % 3)),
  );
  write(
    "node_attributes",
    of.map((_, i) => `${i % 5}, ${i % 7}`),
  );
  write(
    "edge_labels",
    edges.map((_, e) => String((e >> 1) % 2)),
  );
  write(
    "edge_attributes",
    edges.map((_, e) => String(1 + ((e >> 1) % 4))),
  );
  return path;
}
const data = everything();
const model = join(folder, "m.model");
const quick = ["--protocol", "quick", "--folds", "2", "--moments", "10", "--workers", "0", "--no-store"];
const few = ["--moments", "10", "--workers", "0"];
const marks = ["--option", "labels=nodes", "--option", "attributes=nodes", "--edge-weights"];

const COMMANDS: Record<string, (more: string[]) => string[]> = {
  evaluate: (more) => ["evaluate", data, "--kernel", "dos", ...quick, ...more],
  train: (more) => ["train", data, "--kernel", "dos", "--folds", "2", "-o", model, ...few, ...more],
  features: (more) => ["features", data, "--kernel", "dos", "-o", join(folder, "f.npz"), ...few, ...more],
  gram: (more) => ["gram", data, "--kernel", "dos", "-o", join(folder, "g.npy"), ...few, ...more],
  similar: (more) => ["similar", data, "--kernel", "dos", "--graph", "0", ...few, ...more],
};
const linesOf = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
  `${stdout}\n${stderr}`.split("\n").filter((line) => line.includes("not used: "));

for (const [name, words] of Object.entries(COMMANDS))
  it(`${name} says in one line what it does not use, and with which option it would`, () => {
    const said = linesOf(graphdos(...words([])));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("node labels (--option labels=nodes would)");
    expect(said[0]).toContain("node attributes (--option attributes=nodes would)");
    expect(said[0]).toContain("edge labels");
    expect(said[0]).toContain("edge attributes (--edge-weights takes the first as weights)");
    expect(said[0]).toContain("numbers to predict");
    const rest = linesOf(graphdos(...words(marks)));
    expect(rest).toHaveLength(1);
    expect(rest[0]).toMatch(/not used: numbers to predict \([^)]*\), edge labels$/);
    const document = JSON.parse(graphdos(...words(["--json"])).stdout) as {
      notes?: string[];
      warnings?: string[];
    };
    const told = document.notes ?? document.warnings ?? [];
    expect(told.filter((note) => note.startsWith("not used: "))).toHaveLength(1);
  });

it("predict says it by the options of the model", () => {
  graphdos(...COMMANDS.train([]));
  expect(linesOf(graphdos("predict", model, data, "--workers", "0"))[0]).toContain("node labels");
  graphdos(...COMMANDS.train(marks));
  const said = linesOf(graphdos("predict", model, data, "--workers", "0", "--edge-weights"));
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/not used: numbers to predict \([^)]*\), edge labels$/);
});

it("spectrum says it: a density sees nodes, edges and weights alone", () => {
  const said = linesOf(graphdos("spectrum", data, "--graph", "0", ...few));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("node labels, node attributes, ");
});

it("names the kernels that leave a mark out where others use it, and the kernel for what no option uses", () => {
  const words = ["evaluate", data, "--kernel", "dos,wl", ...quick, "--edge-weights"];
  const [said] = linesOf(graphdos(...words));
  expect(said).toContain("node labels by dos (--option labels=nodes would)");
  expect(said).toContain("edge weights by wl (--kernel dos or ");
});

it("shards of features and gram say it", () => {
  for (const [command, key] of [
    ["features", "f.part"],
    ["gram", "g.part"],
  ]) {
    const words = [command, data, "--kernel", "dos", "--shard", "1/2", "-o", join(folder, key), ...few];
    const said = linesOf(graphdos(...words));
    expect(said, command).toHaveLength(1);
    expect(said[0]).toContain("node labels (--option labels=nodes would)");
  }
});

it("libsvm matrices have the numbers to predict in them", () => {
  const words = ["gram", data, "--kernel", "dos", "-o", join(folder, "g.libsvm"), ...few];
  expect(linesOf(graphdos(...words))[0]).not.toContain("numbers to predict");
});
