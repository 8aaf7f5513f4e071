import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sha256 } from "../../src/node/cluster/data.js";
import { MOST_FILE_BYTES, readWholeFile } from "../../src/node/read-whole-file.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-whole-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

describe("readWholeFile", () => {
  it.each([0, 1, 6, 7, 8, 700, 1000])("reads %d bytes in pieces of 7 as in one", async (length) => {
    const bytes = randomBytes(length);
    writeFileSync(at("pieces"), bytes);
    expect((await readWholeFile(at("pieces"), 7)).equals(bytes)).toBe(true);
    expect((await readWholeFile(at("pieces"))).equals(bytes)).toBe(true);
  });

  it.runIf(existsSync("/proc/self/cmdline"))("reads what does not say how long it is", async () => {
    const expected = readFileSync("/proc/self/cmdline");
    expect(expected.length).toBeGreaterThan(0);
    expect((await readWholeFile("/proc/self/cmdline")).equals(expected)).toBe(true);
  });

  it("says in a sentence what cannot be read, and what is too long", async () => {
    await expect(readWholeFile(at("none"))).rejects.toThrow(`cannot read ${at("none")}: no such file`);
    await expect(readWholeFile(folder)).rejects.toThrow(`cannot read ${folder}: it is a folder`);
    writeFileSync(at("long"), "");
    // a hole: it takes no place on the disk
    truncateSync(at("long"), MOST_FILE_BYTES + 1);
    await expect(readWholeFile(at("long"))).rejects.toThrow(/long: it has .* are the most/);
  });
});

describe("names of data between machines", () => {
  it.each([0, 1, 6, 7, 8, 700, 1000])("are the SHA-256 of %d bytes, hashed in pieces of 7", (length) => {
    const bytes = randomBytes(length);
    expect(sha256(bytes, 7)).toBe(createHash("sha256").update(bytes).digest("hex"));
  });
});
