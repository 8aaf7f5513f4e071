/** What the source may not do, read from the source. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|svelte|html|js)$/.test(file))
    .map((file) => join(folder, file));

/** The text without comments and without what stands in plain strings. */
const code = (file: string) =>
  readFileSync(file, "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|[\s;{])\/\/.*$/gm, "$1");

const linesWith = (files: readonly string[], pattern: RegExp) =>
  files.flatMap((file) =>
    code(file)
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );

const all = [...filesIn("src"), ...filesIn("web/src"), "web/index.html"];

describe("no text from data becomes code or markup", () => {
  it("nothing is evaluated", () => {
    expect(
      linesWith(all, /\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(|set(Timeout|Interval)\s*\(\s*["'`]/),
    ).toEqual([]);
    expect(
      linesWith(all, /node:vm|\bimport\s*\(\s*[^")\s]/).filter((line) => !/@vite-ignore/.test(line)),
    ).toEqual([]);
  });

  it("nothing is written as HTML but by html`...` and Svelte, which escape", () => {
    expect(
      linesWith(
        all,
        /innerHTML|insertAdjacentHTML|document\.write|\{@html|srcdoc|createContextualFragment|javascript:/,
      ),
    ).toEqual([]);
    // Plot draws into a document of its own, whose text nodes are escaped when it is written out
    expect(linesWith(all, /outerHTML/)).toEqual([
      "src/report/figure.ts: return new SafeHtml(svg.outerHTML);",
    ]);
    const trusted = linesWith(all, /new SafeHtml\(/).map((line) => line.split(":")[0]);
    expect([...new Set(trusted)].filter((file) => !file.startsWith("src/report/"))).toEqual([]);
  });
});

describe("the same bits in every engine", () => {
  /** Left to the engine by the language; square roots, rounding and absolute values are not. */
  const LEFT_TO_ENGINE = /\bMath\.(exp|expm1|log|log1p|log2|log10|pow|a?(sin|cos|tan)h?|atan2|hypot|cbrt)\b/;
  /** Powers with a whole number 2 in them are exact in every engine we know: x ** 2 is x · x, 2 ** k a shift. */
  const OTHER_POWERS = /(?<!\b2 )\*\*(?! 2\b)/;
  const ROOMS = [
    "base",
    "graph",
    "data",
    "compute",
    "spectrum",
    "signature",
    "kernel",
    "baseline",
    "learn",
    "model",
    "experiment",
  ];
  const numerics = ROOMS.flatMap((room) => filesIn(join("src", room)));

  it("numerics use no function that is left to the engine, but to choose a power of two", () => {
    const found = linesWith(numerics, LEFT_TO_ENGINE).filter((line) => !/2 \*\* .*Math\.log2\(/.test(line));
    // a number of edges for a picture, rounded to whole powers
    expect(found).toEqual([
      "src/experiment/reproduction/scaling.ts: scale: Math.round(Math.log2(edges / EDGES_A_NODE)),",
    ]);
  });

  it("nor powers other than squares and powers of two", () => {
    const found = linesWith(numerics, OTHER_POWERS).filter(
      (line) => !/\*\*\*|`.*\*\*.*`|4 \*\* LEVELS/.test(line),
    );
    expect(found).toEqual([]);
  });
});
