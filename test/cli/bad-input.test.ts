/** What a person sees who calls wrongly or has bad files: one sentence, the right exit code, no stack trace, nothing left behind. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "graphdos-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const graphdos = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], {
    encoding: "utf8",
    env: { ...process.env, GRAPHDOS_CACHE: join(folder, "cache"), GRAPHDOS_DATA: "" },
  });
  return { status, stdout, stderr };
};
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

function expectSentence(result: ReturnType<typeof graphdos>, status: number, sentence: string) {
  expect(result.stderr).toContain(sentence);
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(result.stderr).toMatch(/^graphdos: /);
  expect(result.stderr).not.toMatch(/\bat .*\.js:/);
  expect(result.status).toBe(status);
  expect(result.stdout).toBe("");
}

describe("a wrong call", () => {
  it.each([
    [["inspekt", "x"], "unknown command 'inspekt' (Did you mean inspect?); see graphdos --help"],
    [["inspect", "x", "--jsn"], "unknown option '--jsn' (Did you mean --json?); see graphdos inspect --help"],
    [["inspect"], "missing required argument 'data'; see graphdos inspect --help"],
    [["inspect", "x", "y"], "too many arguments for 'inspect'"],
    [["inspect", "MUTAGG"], "no file, folder or known data set: MUTAGG; did you mean MUTAG?"],
    [["inspect", "synthetic:thread"], "unknown synthetic data set: thread; did you mean threads?"],
    [
      ["inspect", "x.txt", "--format", "xml"],
      "argument 'xml' is invalid. Allowed choices are mtx, graphml, gexf, gml, dot, pajek, graph6, gdf, metis, adjlist, multiline-adjlist, lgl, json, matrix, edges",
    ],
    [["inspect", "x.txt", "--max-unpacked", "-3"], "expected a whole number above 0, got -3"],
    [["datasets", "gett", "MUTAG"], "unknown command 'gett'"],
  ])("%j", (args, sentence) => {
    expectSentence(graphdos(...args), 2, sentence);
  });

  it("shows help on stdout when asked, and exits with 0", () => {
    const { status, stdout } = graphdos("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("inspect");
  });
});

describe("a bad file", () => {
  it.each([
    ["missing", () => join(folder, "missing.txt"), "no such file or folder"],
    ["empty", () => file("empty.txt", ""), "empty.txt: the file is empty"],
    ["letters", () => file("letters.txt", "0 1\nx 2\n"), "letters.txt line 2: not a node number: got x"],
    [
      "NaN weight",
      () => file("nan.csv", "0,1,1\n1,2,nan\n"),
      "nan.csv line 2: the weight must be a finite number",
    ],
    ["broken JSON", () => file("bad.json", '{"nodes": ['), "bad.json"],
    [
      "no indicator",
      () => file("noindicator.zip", zipSync({ "X_A.txt": strToU8("1,2\n") })),
      "noindicator: the indicator file X_graph_indicator.txt is missing",
    ],
    [
      "climbing zip",
      () => file("climb.zip", zipSync({ "../x.txt": strToU8("1") })),
      "a path that climbs out of the archive",
    ],
    [
      "cut zip",
      () => file("cut.zip", zipSync({ "X_A.txt": strToU8("1,2\n") }).slice(0, 60)),
      "cut.zip: the zip file is damaged or cut off",
    ],
  ])("%s", (_, make, sentence) => {
    expectSentence(graphdos("inspect", make()), 1, sentence);
  });

  it("shows the stack only with --debug", () => {
    const { stderr } = graphdos("--debug", "inspect", file("letters2.txt", "0 1\nx 2\n"));
    expect(stderr).toMatch(/\bat .*edge-list\.js:/);
  });

  it("a zip bomb is stopped by the limit", () => {
    const bomb = file("bomb.zip", zipSync({ "X_A.txt": new Uint8Array(20_000_000) }));
    expectSentence(
      graphdos("inspect", bomb, "--max-unpacked", "1000000"),
      1,
      "bomb.zip: unpacks to more than 1000000 bytes",
    );
  });
});

describe("a report that cannot be written", () => {
  it("is one sentence and leaves nothing behind", () => {
    const target = join(folder, "no-such-folder", "report.html");
    const result = graphdos("-q", "inspect", "synthetic:ego", "--report", target);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain(`cannot write ${target}`);
    expect(existsSync(join(folder, "no-such-folder"))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });
});
