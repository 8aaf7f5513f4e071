import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { licencesText, PERMISSIVE, runtimePackages } from "../../scripts/licences.js";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const packages = runtimePackages();

describe("what is installed along", () => {
  it("is ten packages and what they need; another one is a decision, not an accident", () => {
    expect(Object.keys(manifest.dependencies).sort()).toEqual([
      "@observablehq/plot",
      "@resvg/resvg-js",
      "commander",
      "env-paths",
      "fflate",
      "linkedom",
      "picocolors",
      "saxes",
      "undici",
      "zod",
    ]);
    expect(packages.filter(({ direct }) => direct)).toHaveLength(10);
  });

  it("stands in docs/licences.md as it is installed (npx tsx scripts/licences.ts)", () => {
    expect(readFileSync("docs/licences.md", "utf8")).toBe(licencesText(packages));
  });

  it("is under permissive licences, but for resvg's Mozilla Public License", () => {
    const others = packages.filter(({ licence }) => !PERMISSIVE.includes(licence));
    expect(others.map(({ name, licence }) => [name, licence])).toEqual([["@resvg/resvg-js", "MPL-2.0"]]);
  });

  it("is pinned by the lock file, by version and hash, from the registry", () => {
    const locked = Object.entries(lock.packages as Record<string, { version: string; integrity?: string }>);
    for (const { name, version } of packages) {
      const found = locked.filter(
        ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
      );
      expect(found.length, `${name}@${version}`).toBeGreaterThan(0);
      for (const [, entry] of found) expect(entry.integrity, name).toMatch(/^sha512-/);
    }
  });

  it("runs no script when it is installed", () => {
    for (const { name, version } of packages) {
      const entry = Object.entries(
        lock.packages as Record<string, { version: string; hasInstallScript?: boolean }>,
      ).find(([path, one]) => path.endsWith(`node_modules/${name}`) && one.version === version);
      expect(entry?.[1].hasInstallScript, name).toBeUndefined();
    }
    for (const script of ["preinstall", "install", "postinstall"])
      expect(manifest.scripts[script]).toBeUndefined();
  });
});
