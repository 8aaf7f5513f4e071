/** A folder goes though another process puts files into it meanwhile. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { removeFolder } from "../../src/node/remove-folder.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-remove-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("removing a folder", () => {
  it("ends well while another process is about to write into it", async () => {
    const busy = join(folder, "busy");
    mkdirSync(busy);
    // eight files under way at any time, as a cache writes them
    const script = `const { mkdir, rename, writeFile } = await import("node:fs/promises");
      process.stdout.write("ready");
      const put = async (name) => {
        await mkdir(${JSON.stringify(busy)}, { recursive: true });
        await writeFile(${JSON.stringify(`${busy}/`)} + name + ".part", "x");
        await rename(${JSON.stringify(`${busy}/`)} + name + ".part", ${JSON.stringify(`${busy}/`)} + name);
      };
      for (let k = 0; ; k += 8) await Promise.allSettled(Array.from({ length: 8 }, (_, j) => put(String(k + j))));`;
    const writer = spawn(process.execPath, ["--input-type=module", "-e", script]);
    try {
      await new Promise((done) => writer.stdout.once("data", done));
      for (let k = 0; k < 300; k++) {
        while (!existsSync(busy)) await new Promise((resolve) => setTimeout(resolve, 1));
        const aside = join(folder, String(k));
        renameSync(busy, aside);
        await removeFolder(aside);
        expect(existsSync(aside)).toBe(false);
      }
    } finally {
      writer.kill("SIGKILL");
    }
  });

  it("has nothing to do where there is none", async () => {
    await removeFolder(join(folder, "none"));
  });
});
