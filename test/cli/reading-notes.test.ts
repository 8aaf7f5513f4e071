import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readingSentence } from "../../src/cli/common.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-reading-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function graphdos(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], {
    encoding: "utf8",
    env: { ...process.env, GRAPHDOS_CACHE: join(folder, "cache") },
  });
  expect(status, stderr).toBe(0);
  return { stdout, stderr };
}

const small = ["--moments", "8", "--workers", "0"];
const header = file("header.csv", "follower,followee\n1,2\n2,3\n");
const HEADER =
  "header: edge list; line 1 (follower, followee) was read as a header; --header no reads it as an edge\n";

describe("what a reader had to decide is said on the screen", () => {
  it.each([
    ["spectrum", [header]],
    ["spectrum with JSON", [header, "--json"]],
    ["gram", [header, "--kernel", "dos", "-o", join(folder, "g.npy")]],
    ["features", [header, "--kernel", "dos", "-o", join(folder, "f.npz")]],
    ["similar", [header, header, "--kernel", "dos"]],
  ])("by %s", (name, args) => {
    const { stderr } = graphdos(name.split(" ")[0], ...args, ...small);
    expect(stderr).toContain(HEADER);
  });

  it("by inspect in its answer, once", () => {
    const { stdout, stderr } = graphdos("inspect", header);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("line 1 (follower, followee) was read as a header");
    expect(stderr).toBe("");
  });

  it("and not with --quiet", () => {
    expect(graphdos("spectrum", header, ...small, "-q").stderr).toBe("");
  });

  it.each([
    ["Latin-1", Buffer.from("M\xfcller M\xe4ller\nM\xe4ller Bob\n", "latin1"), "it was read as Latin-1"],
    ["two spellings of a number", "1 2\n2.0 3\n", "2 and 2.0 are one whole number in two spellings"],
    ["a weight", "1 2 0.5\n2 3 1\n", "the third column is the weight"],
  ])("%s", (name, content, sentence) => {
    expect(graphdos("spectrum", file(`${name}.txt`, content), ...small).stderr).toContain(sentence);
  });

  it("and nothing where there was nothing to decide, or it is said beside the result", () => {
    const said = (...notes: string[]) => readingSentence({ name: "A", notes });
    expect(said("TU format")).toBeNull();
    expect(said("TU format", "edge labels are not used")).toBeNull();
    expect(
      said("edge list", "columns behind the third are not used", "line 1 (a, b) was read as a header"),
    ).toBe("A: edge list; line 1 (a, b) was read as a header");
  });
});
