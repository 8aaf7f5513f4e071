import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "../../src/version.js";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));

const STATIC = /^(?:import|export)\b[^;"']*?\bfrom\s+"([^"]+)"/gm;
const BARE_OR_DYNAMIC = /^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;
const importsOf = (file: string) => {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(STATIC), ...text.matchAll(BARE_OR_DYNAMIC)].map((match) => match[1] ?? match[2]);
};

/** Every source file that `entry` reaches, with the packages it imports. */
function reach(entry: string): Map<string, string[]> {
  const seen = new Map<string, string[]>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    const imports = importsOf(file);
    seen.set(
      file,
      imports.filter((name) => !name.startsWith(".")),
    );
    for (const name of imports)
      if (name.startsWith(".")) visit(normalize(join(dirname(file), name)).replace(/\.js$/, ".ts"));
  };
  visit(entry);
  return seen;
}

const isBuiltin = (name: string) => name.startsWith("node:") || builtinModules.includes(name);

describe("the borders of the package", () => {
  it("`graphdos` reaches no Node built-in, so that it runs in browsers", () => {
    for (const [file, packages] of reach("src/index.ts"))
      expect(packages.filter(isBuiltin), file).toEqual([]);
  });

  it("only src/node, src/cli and src/node.ts use Node built-ins", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const users = files.filter((file) => importsOf(join("src", file)).some(isBuiltin));
    expect(users.filter((file) => !/^(node|cli)[/\\]|^node\.ts$/.test(file))).toEqual([]);
  });

  it("modules that compute import none that only show or take orders, so that these need not be in the hash of the code", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && /^(?!cli|report)\w+[/\\]|^tasks\.ts$/.test(file),
    );
    expect(files.length).toBeGreaterThan(150);
    for (const file of files)
      expect(
        importsOf(join("src", file)).filter((name) => /\/(cli|report)\//.test(name)),
        file,
      ).toEqual([]);
  });

  it("imports only packages that the manifest lists; optional ones for clusters alone", () => {
    const required = Object.keys(manifest.dependencies);
    const optional = Object.keys(manifest.peerDependenciesMeta);
    for (const entry of ["src/index.ts", "src/node.ts", "src/cli/main.ts"])
      for (const [file, packages] of reach(entry)) {
        const listed = /[/\\]cluster[/\\]/.test(file) ? [...required, ...optional] : required;
        for (const name of packages.filter((p) => !isBuiltin(p))) {
          const base = name
            .split("/")
            .slice(0, name.startsWith("@") ? 2 : 1)
            .join("/");
          expect(listed, `${file} imports ${name}`).toContain(base);
        }
      }
  });

  it("states the version of its manifest", () => {
    expect(version).toBe(manifest.version);
  });
});
