/** Folders of runs: who has one, and that nobody removes one that somebody has. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  leaveRunFolder,
  removeForgotten,
  runFolderIsInUse,
  takeRunFolder,
  touchRunFolder,
} from "../../src/node/cluster/run-folder.js";
import { stillLives, thisProcess } from "../../src/node/process-identity.js";
import { ended, start } from "./support.js";

const root = mkdtempSync(join(tmpdir(), "graphdos-runs-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const results = join(root, "results");
const folderOf = (digit: string) => join(results, "runs", digit.repeat(16));
const [own, living, elsewhere, left, dead] = ["0", "1", "2", "3", "4"].map(folderOf);

/** The clock of a file, so many days back. */
function age(path: string, days: number): void {
  const time = new Date(Date.now() - days * 24 * 3_600_000);
  utimesSync(path, time, time);
}

beforeEach(async () => {
  rmSync(results, { recursive: true, force: true });
  for (const folder of [own, living, elsewhere, left, dead]) {
    await takeRunFolder(folder);
    writeFileSync(join(folder, "journal"), "units");
  }
  writeFileSync(join(elsewhere, "owner"), JSON.stringify({ ...thisProcess(), place: "00000000" }));
  writeFileSync(join(dead, "owner"), JSON.stringify({ ...thisProcess(), born: "1" }));
  await leaveRunFolder(left);
});

describe("a process", () => {
  it("is known by place, number and birth", () => {
    expect(stillLives(thisProcess())).toBe(true);
    expect(stillLives({ ...thisProcess(), born: "1" })).toBe(false);
    expect(stillLives({ ...thisProcess(), place: "00000000" })).toBeNull();
  });
});

describe("the folder of a run", () => {
  it("is in use while its owner lives, or one elsewhere has touched it of late", async () => {
    const inUse = () => Promise.all([own, living, elsewhere, left, dead].map(runFolderIsInUse));
    expect(await inUse()).toEqual([true, true, true, false, false]);
    for (const folder of [living, elsewhere]) age(join(folder, "owner"), 1);
    expect(await inUse()).toEqual([true, true, false, false, false]);
    await touchRunFolder(elsewhere);
    expect(await inUse()).toEqual([true, true, true, false, false]);
    writeFileSync(join(living, "owner"), "{");
    expect(await runFolderIsInUse(living)).toBe(false);
  });

  it("is left by its owner alone: another process that has taken it keeps it", async () => {
    for (const folder of [own, elsewhere, dead, left]) await leaveRunFolder(folder);
    expect([own, elsewhere, dead, left].map((folder) => existsSync(join(folder, "owner")))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("is forgotten when nobody had it for a week, by all that is in it", async () => {
    for (const folder of [living, elsewhere, left, dead])
      for (const name of ["journal", "owner", ""])
        if (existsSync(join(folder, name))) age(join(folder, name), 8);
    // a journal that grows does not change its folder
    age(join(left, "journal"), 1);
    await removeForgotten(own);
    expect([own, living, elsewhere, left, dead].map(existsSync)).toEqual([true, true, false, true, false]);
  });

  it("stays when the cache is cleared while its owner lives; all else goes", async () => {
    mkdirSync(join(results, "ab"));
    writeFileSync(join(results, "ab", "entry"), "bytes");
    const clear = async () => {
      const env = { ...process.env, GRAPHDOS_CACHE: root };
      const command = start(process.execPath, ["dist/cli/main.js", "cache", "clear"], { env });
      expect(await ended(command.child)).toBe(0);
      return command.err();
    };
    expect(await clear()).toMatch(/^removed \S+ \S+ in 4 files from .*\nkept 3 runs of a cluster/);
    expect([own, living, elsewhere, left, dead].map((folder) => existsSync(join(folder, "journal")))).toEqual(
      [true, true, true, false, false],
    );
    expect(existsSync(join(results, "ab"))).toBe(false);
    for (const folder of [own, living]) await leaveRunFolder(folder);
    rmSync(join(elsewhere, "owner"));
    expect(await clear()).toMatch(/^removed \S+ \S+ in 3 files from [^\n]*\n$/);
    expect(existsSync(results)).toBe(false);
  });
});
