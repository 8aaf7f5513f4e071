/** Every command on a data set whose names attack the terminal and the reports, as called from a shell. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { afterAll, describe, expect, it } from "vitest";
import { terminalJson, terminalText } from "../../src/cli/terminal.js";
import { CLASSES, hostileFolder, STEERING } from "./hostile.js";

const parent = mkdtempSync(join(tmpdir(), "graphdos-hostile-"));
const data = hostileFolder(parent);
const file = (name: string) => join(parent, name);
afterAll(() => rmSync(parent, { recursive: true, force: true }));

function graphdos(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["dist/cli/main.js", ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, NO_COLOR: "1", GRAPHDOS_CACHE: file("cache") },
  });
  return { stdout, stderr, status };
}

const RAW = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const FAST = ["--kernel", "dos", "--moments", "10", "--workers", "0"];

function expectPlain(args: string[], status = 0) {
  const said = graphdos(...args);
  expect(said.status, said.stderr).toBe(status);
  expect(said.stdout).not.toMatch(RAW);
  expect(said.stderr).not.toMatch(RAW);
  return said;
}

function expectNoMarkup(text: string) {
  const { document } = parseHTML(text);
  expect(document.querySelectorAll("script, img, iframe, object, embed, link, base, b").length).toBe(0);
  for (const element of document.querySelectorAll("*"))
    for (const { name, value } of element.attributes) {
      expect(name, `${element.tagName} ${name}`).not.toMatch(/^on/i);
      if (/^(href|src|xlink:href)$/i.test(name)) expect(value).toMatch(/^(#|data:image\/)/);
    }
  return document;
}

describe("names that attack", () => {
  it.each([
    ["inspect", ["inspect", data]],
    ["spectrum", ["spectrum", data, "--graph", "1", "--moments", "10"]],
    ["similar", ["similar", data, "--graph", "1", ...FAST]],
    ["gram", ["gram", data, ...FAST, "-o", file("g.npy")]],
    ["features", ["features", data, ...FAST, "-o", file("f.npz")]],
    ["features, a shard", ["features", data, ...FAST, "--shard", "1/2", "-o", file("s1.part")]],
  ])("%s: nothing of them steers the terminal", (_, args) => {
    expectPlain(args);
  });

  it("train and predict: neither from the data nor from the model file", () => {
    expectPlain(["train", data, ...FAST, "-o", file("m.graphdos")]);
    expectPlain(["predict", file("m.graphdos"), data, "--workers", "0"]);
  });

  it("errors and their stacks: neither", () => {
    expectPlain(["inspect", join(data, "missing\u001b[2J")], 1);
    expectPlain(["inspect", "--debug", join(data, "missing\u001b[2J")], 1);
    expectPlain(["evaluate", data, "--kernel", "no\u001b[2Jne"], 2);
  });

  it("JSON keeps them, as escapes", () => {
    const { stdout } = expectPlain(["inspect", data, "--json"]);
    expect(JSON.parse(stdout).classNames.toSorted()).toEqual(CLASSES.toSorted());
  });

  it("the report of evaluate holds them as text", () => {
    const args = ["--protocol", "quick", "--folds", "2", "--no-store", "--report", file("evaluation.html")];
    expectPlain(["evaluate", data, ...FAST, ...args]);
    const document = expectNoMarkup(readFileSync(file("evaluation.html"), "utf8"));
    expect(document.body.textContent).toContain("<script>window.hacked=1</script>");
  });

  it("the report of inspect holds them as text", () => {
    expectPlain(["inspect", data, "--report", file("inspection.html")]);
    const document = expectNoMarkup(readFileSync(file("inspection.html"), "utf8"));
    expect(document.body.textContent).toContain("<script>window.hacked=1</script>");
  });

  it("a spectrum as SVG holds them as text", () => {
    expectPlain(["spectrum", data, "--graph", "1", "--moments", "10", "-o", file("spectrum.svg")]);
    const document = expectNoMarkup(readFileSync(file("spectrum.svg"), "utf8"));
    expect(document.querySelector("svg")!.textContent).toContain("g1<img");
  });
});

describe("text for the terminal", () => {
  it("loses every character that steers, keeps lines, tabs and letters", () => {
    expect(terminalText(`a\tb\n${STEERING}ü😀`)).not.toMatch(RAW);
    expect(terminalText("a\tb\nü😀")).toBe("a\tb\nü😀");
  });

  it("as JSON loses nothing", () => {
    const value = { [STEERING]: [STEERING, "\u{e0001}", "\ud800", "ü😀\n"] };
    const text = terminalJson(value, 2);
    expect(text).not.toMatch(RAW);
    expect(JSON.parse(text)).toEqual(value);
  });
});
