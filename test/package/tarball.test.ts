/** What a user gets: the packed tarball, installed in an empty folder, gives a working command and working types. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "graphdos-package-"));
const run = (command: string, args: string[], cwd = folder) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

beforeAll(() => {
  const packed = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], "."),
  );
  const { filename } = Array.isArray(packed) ? packed[0] : (Object.values(packed)[0] as { filename: string });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module" }),
  );
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${filename}`]);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the packed tarball in an empty folder", () => {
  it("has a command that does its job", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(run("npx", ["graphdos", "--version"]).trim()).toBe(version);
    const inspected = JSON.parse(run("npx", ["graphdos", "inspect", "synthetic:threads", "--json"]));
    expect(inspected.graphs).toBeGreaterThan(100);
  });

  it("has both entries, and types that a strict compiler accepts and uses", () => {
    const consumer = (line: string) => `
      import { buildGraph, type Graph } from "graphdos";
      import { openData } from "graphdos/node";
      const { graph } = buildGraph({ nodeCount: 2, sources: [0], targets: [1] });
      const same: Graph = graph;
      const set = await openData("synthetic:ego");
      ${line}
      console.log(same.edgeCount, set.graphs.length > 100);`;
    const check = (name: string, line: string) => {
      writeFileSync(join(folder, name), consumer(line));
      const compilerOptions = { strict: true, noEmit: true, target: "es2022", module: "nodenext", types: [] };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [name] }));
      return spawnSync(process.execPath, [resolve("node_modules/typescript/bin/tsc")], {
        cwd: folder,
        encoding: "utf8",
      });
    };
    expect(check("good.ts", "").stdout).toBe("");
    expect(check("bad.ts", "const wrong: string = graph.nodeCount;").stdout).toContain("TS2322");
    writeFileSync(join(folder, "run.js"), consumer("").replace(", type Graph", "").replace(": Graph", ""));
    expect(run("node", ["run.js"]).trim()).toBe("1 true");
  });

  it("carries no source, test or data files", () => {
    const files = run("bash", ["-c", "cd node_modules/graphdos && find . -type f"]).split("\n");
    expect(files.filter((file) => /\/(src|test|bench|shared)\//.test(file))).toEqual([]);
    expect(files).toContain("./LICENSE");
    expect(files).toContain("./README.md");
  });
});
