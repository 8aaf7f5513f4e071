/** The hash of the code in copies of dist/: equal for equal code, another for every byte that can change a number. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeHash } from "../../src/node/code-hash.js";
import { built } from "../built.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-code-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const copy = join(folder, "dist");

/** Runs a script in a process of its own: modules are read once in each. `$` in it is the address of a folder like dist/. */
function run(dist: string, script: string): string {
  const text = script.replaceAll("$", pathToFileURL(dist).href);
  return execFileSync(process.execPath, ["--input-type=module", "-e", text], { encoding: "utf8" });
}
const hashIn = (dist: string) =>
  run(dist, 'import { codeHash } from "$/node/code-hash.js"; process.stdout.write(codeHash());');

/** A store of the code in a copy puts an entry or looks for it. */
const store = (dist: string, use: string) =>
  run(
    dist,
    `import { DiskStore } from "$/node/disk-store.js";
    const store = new DiskStore(${JSON.stringify(join(folder, "results"))});
    ${use}`,
  );
const put = (dist: string) => store(dist, 'await store.put("key", new Uint8Array(5));');
const has = (dist: string) =>
  store(dist, 'process.stdout.write(String((await store.get("key")) !== null));') === "true";

describe("the hash of the code", () => {
  let original: string;
  beforeAll(() => {
    cpSync("dist", copy, {
      recursive: true,
      filter: (path) => !path.endsWith(".d.ts") && path !== join("dist", "web"),
    });
    cpSync("package.json", join(folder, "package.json"));
    cpSync("node_modules/env-paths", join(folder, "node_modules/env-paths"), { recursive: true });
    cpSync("node_modules/is-safe-filename", join(folder, "node_modules/is-safe-filename"), {
      recursive: true,
    });
    original = hashIn(copy);
  });

  it("is the same for the same code in two folders, and 64 digits", async () => {
    const here = (await built<{ codeHash: typeof codeHash }>("node/code-hash")).codeHash();
    expect(here).toMatch(/^[0-9a-f]{64}$/);
    expect(original).toBe(here);
    expect(hashIn(resolve("dist"))).toBe(here);
  });

  it("is there for src/ too, and the same at every call", () => {
    expect(codeHash()).toMatch(/^[0-9a-f]{64}$/);
    expect(codeHash()).toBe(codeHash());
  });

  it.each(["compute/wasm-module.js", "compute/twin.js", "spectrum/exact.js", "learn/smo.js", "tasks.js"])(
    "is another with one byte of %s changed, and entries of other code are not used",
    (name) => {
      rmSync(join(folder, "results"), { recursive: true, force: true });
      put(copy);
      expect(has(copy)).toBe(true);
      const path = join(copy, name);
      const bytes = readFileSync(path);
      appendFileSync(path, " ");
      expect(hashIn(copy)).not.toBe(original);
      expect(has(copy)).toBe(false);
      writeFileSync(path, bytes);
      expect(hashIn(copy)).toBe(original);
      expect(has(copy)).toBe(true);
    },
  );

  it("is another with a module more, or with two that have changed places", () => {
    const more = join(copy, "kernel", "more.js");
    writeFileSync(more, "");
    expect(hashIn(copy)).not.toBe(original);
    rmSync(more);
    const pair = ["wl.js", "wl-oa.js"].map((name) => join(copy, "baseline", name));
    const texts = pair.map((path) => readFileSync(path));
    pair.forEach((path, k) => {
      writeFileSync(path, texts[1 - k]);
    });
    expect(hashIn(copy)).not.toBe(original);
    pair.forEach((path, k) => {
      writeFileSync(path, texts[k]);
    });
  });

  it("does not count what only takes orders or shows results, nor declarations", () => {
    for (const name of ["cli/evaluate.js", "report/charts.js"]) {
      const path = join(copy, name);
      const bytes = readFileSync(path);
      appendFileSync(path, " ");
      expect(hashIn(copy), name).toBe(original);
      writeFileSync(path, bytes);
    }
    writeFileSync(join(copy, "index.d.ts"), "export {};");
    expect(hashIn(copy)).toBe(original);
  });

  it("is the same with line ends of Windows", () => {
    const windows = join(folder, "windows");
    cpSync(copy, windows, { recursive: true });
    const modules = readdirSync(windows, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".js"),
    );
    for (const name of modules) {
      const path = join(windows, name);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll("\n", "\r\n"));
    }
    expect(hashIn(windows)).toBe(original);
  });

  it("of a bundle is that of its file", () => {
    const bundle = join(folder, "bundle");
    cpSync(join(copy, "node"), join(bundle, "inner"), { recursive: true });
    cpSync(join(copy, "base"), join(bundle, "base"), { recursive: true });
    const hash = () =>
      run(bundle, 'import { codeHash } from "$/inner/code-hash.js"; process.stdout.write(codeHash());');
    const before = hash();
    writeFileSync(join(bundle, "beside.js"), "");
    expect(hash()).toBe(before);
    appendFileSync(join(bundle, "inner", "code-hash.js"), " ");
    expect(hash()).not.toBe(before);
  });
});
