import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "./kernel-support.js";

const folder = temporaryFolder("outputs");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]) => join(folder, ...names);

function graphdos(...args: string[]) {
  const env = { ...process.env, GRAPHDOS_CACHE: at("cache"), NO_COLOR: "1" };
  return spawnSync(process.execPath, [resolve("dist/cli/main.js"), ...args], {
    encoding: "utf8",
    env,
    cwd: folder,
  });
}
const small = ["--kernel", "dos", "--moments", "4", "--workers", "0", "-q"];

function refused(args: string[], sentence: RegExp | string) {
  const { status, stdout, stderr } = graphdos(...args);
  expect(stderr).toMatch(sentence);
  expect([status, stdout, stderr.trimEnd().split("\n").length]).toEqual([2, "", 1]);
}

/** A TU set of paths and stars of 4 to 7 nodes. */
beforeAll(() => {
  mkdirSync(at("SET"));
  const [edges, indicator, labels]: string[][] = [[], [], []];
  for (let g = 0, first = 1; g < 8; first += 4 + (g++ >> 1)) {
    for (let i = 0; i < 4 + (g >> 1); i++) indicator.push(String(g + 1));
    for (let i = 1; i < 4 + (g >> 1); i++) edges.push(`${first + i}, ${g % 2 === 0 ? first : first + i - 1}`);
    labels.push(String(g % 2));
  }
  writeFileSync(at("SET", "SET_A.txt"), edges.join("\n"));
  writeFileSync(at("SET", "SET_graph_indicator.txt"), indicator.join("\n"));
  writeFileSync(at("SET", "SET_graph_labels.txt"), labels.join("\n"));
  for (const name of ["graph.csv", "graph.svg", "graph"]) writeFileSync(at(name), "1 2\n2 3\n3 1\n3 4\n");
  symlinkSync(at("graph.csv"), at("link.csv"));
  for (const shard of ["1/2", "2/2"])
    graphdos("gram", "SET", "-o", `g${shard[0]}.part`, "--shard", shard, ...small);
  graphdos("features", "SET", "-o", "f.part", "--shard", "1/1", ...small);
  graphdos("train", "SET", "-o", "set.graphdos", "--c", "1", ...small);
  copyFileSync(at("f.part"), at("f.csv"));
  symlinkSync(at("f.part"), at("f.npz"));
});

describe("a result in the place of what is read", () => {
  it.each([
    ["train", "graph", "-o", "graph", "--kernel", "dos"],
    ["train", "graph", "-o", "./SET/../graph", "--kernel", "dos"],
    ["evaluate", "graph", "--report", "graph", "--no-store"],
    ["inspect", "graph", "--report", "graph"],
    ["spectrum", "graph.csv", "-o", "graph.csv"],
    ["spectrum", "graph", "--compare", "graph.csv", "-o", "graph.csv"],
    ["features", "graph.csv", "-o", "link.csv"],
    ["gram", "link.csv", "-o", "graph.csv"],
    ["similar", "graph", "graph.svg", "-o", "graph.svg"],
    ["similar", "graph", "graph.csv", "--reference", "graph.svg", "-o", "graph.svg"],
    ["predict", "set.graphdos", "graph", "--csv", "graph"],
    ["predict", "set.graphdos", "SET", "--csv", "set.graphdos"],
    ["merge", "f.csv", "f.csv"],
    ["merge", "f.npz", "f.part"],
    ["merge", "g.npy", "g1.part", "g2.part", "--labels", "g1.part"],
    ["train", "SET", "-o", "SET/SET_graph_labels.txt", "--kernel", "dos"],
    ["train", "SET", "-o", "SET/SET_A.txt", "--data-dir", "."],
  ])("is refused: %s %s %s %s %s %s %s", (...args) => {
    const before = ["graph", "graph.csv", "graph.svg", "f.csv", "f.part", "g1.part", "set.graphdos"].map(
      (name) => readFileSync(at(name)),
    );
    refused(args, /^graphdos: .*(which is read: the result would take its place|it may be part of the data)/);
    const after = ["graph", "graph.csv", "graph.svg", "f.csv", "f.part", "g1.part", "set.graphdos"].map(
      (name) => readFileSync(at(name)),
    );
    expect(after).toEqual(before);
  });

  it("is refused for the copy of a set that its name means", () => {
    mkdirSync(at("data"));
    writeFileSync(at("data", "MUTAG.zip"), "not looked at");
    refused(
      ["train", "MUTAG", "--data-dir", "data", "-o", "data/MUTAG.zip", ...small],
      /is MUTAG, which is read/,
    );
  });

  it("is none where it is new in the folder of the data, or a result of an earlier call", () => {
    for (let call = 0; call < 2; call++)
      expect(graphdos("gram", "SET", "-o", "SET/g.npy", ...small)).toMatchObject({ status: 0, stderr: "" });
    expect(graphdos("predict", "set.graphdos", "SET", "--csv", "SET/p.csv", "-q")).toMatchObject({
      status: 0,
    });
  });
});

describe("places of results that are none", () => {
  it("are one file for two results, by whatever names", () => {
    for (const labels of ["a.npy", "./a.npy", `${folder}/a.npy`, "SET/../a.npy"]) {
      const words = /is the file of --output too/;
      refused(["gram", "SET", "-o", "a.npy", "--labels", labels, ...small], words);
      refused(["merge", "a.npy", "g1.part", "g2.part", "--labels", labels], /is the file of the result too/);
    }
    expect(existsSync(at("a.npy"))).toBe(false);
  });

  it.each([
    ["train", "SET", "-o"],
    ["evaluate", "SET", "--report"],
    ["inspect", "SET", "--report"],
  ])("are stdout, and no name: %s", (...args) => {
    refused([...args, "-"], /-: this result does not go to stdout: give the name of a file/);
    refused([...args, ""], /got an empty name, expected that of a file/);
    expect(existsSync(at("-"))).toBe(false);
  });

  it("but stdout is one for tables: predict --csv - is predict --csv", () => {
    const [dash, none] = [["--csv", "-"], ["--csv"]].map((words) =>
      graphdos("predict", "set.graphdos", "SET", "-q", ...words),
    );
    expect(dash).toMatchObject({ status: 0, stderr: "", stdout: none.stdout });
    expect(dash.stdout.split("\n")).toHaveLength(8 + 2);
    refused(["predict", "set.graphdos", "SET", "--csv", "-", "--json"], /both write to stdout/);
    expect(existsSync(at("-"))).toBe(false);
  });

  it("and merge of a Gram matrix ignores no option of a cluster", () => {
    for (const option of ["--store", "--cluster-password-file", "--cluster"])
      refused(
        ["merge", "m.npy", "g1.part", "g2.part", option, "x"],
        `${option} does nothing for a Gram matrix`,
      );
  });

  it("are found before the experiments of a reproduction", () => {
    for (const name of ["reproduction.html", "reproduction.md", "reproduction.json"]) {
      mkdirSync(at("out", name), { recursive: true });
      const { status, stderr } = graphdos(
        "reproduce",
        "--out",
        "out",
        "--sets",
        "IMDB-MULTI",
        "--data-dir",
        "no-such-folder",
      );
      expect(stderr).toBe(`graphdos: cannot write ${at("out", name)}: it is a folder\n`);
      expect(status).toBe(1);
      rmSync(at("out", name), { recursive: true });
    }
    const rest = ["--only", "scaling", "--out", "out"];
    for (const graphs of ["graph.csv", "graph.csv/x", "nowhere", ""])
      refused(["reproduce", "--graphs", graphs, ...rest], /^graphdos: --graphs: no such folder: /);
    refused(["reproduce", "--workers", "100000", ...rest], /expected a whole number from 1 to 1024/);
  });
});
