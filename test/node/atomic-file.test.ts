import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import {
  claimWorkFolder,
  type FileContent,
  releaseWorkFolder,
  removePartialFiles,
  writeFileAtomically,
} from "../../src/node/atomic-file.js";
import { partialName } from "../../src/node/partial-files.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "graphdos-atomic-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function refused(path: string, content: FileContent, signal?: AbortSignal): Promise<GraphdosError> {
  const error = await writeFileAtomically(path, content, { signal }).then(
    () => null,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(GraphdosError);
  return error;
}

describe("writing a file in full or not at all", () => {
  it("writes nothing, text, bytes, and chunks of both", async () => {
    const path = join(folder, "x");
    await writeFileAtomically(path, "");
    expect(readFileSync(path, "utf8")).toBe("");
    await writeFileAtomically(path, "Grüße");
    expect(readFileSync(path, "utf8")).toBe("Grüße");
    await writeFileAtomically(path, new Uint8Array([0, 255]));
    expect([...readFileSync(path)]).toEqual([0, 255]);
    await writeFileAtomically(path, ["a", new Uint8Array([98]), "c"]);
    expect(readFileSync(path, "utf8")).toBe("abc");
    expect(readdirSync(folder)).toEqual(["x"]);
  });

  it("writes any chunks, one after the other, even when their memory is used again for the next", async () => {
    const path = join(folder, "x");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 65_530, max: 140_000 })), {
          maxLength: 6,
        }),
        async (sizes) => {
          const memory = new Uint8Array(140_000);
          async function* chunks() {
            for (const [k, size] of sizes.entries()) yield memory.fill(k + 1).subarray(0, size);
          }
          await writeFileAtomically(path, chunks());
          expect(
            readFileSync(path).equals(Buffer.concat(sizes.map((size, k) => Buffer.alloc(size, k + 1)))),
          ).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("leaves the old file and no temporary one when the source fails in the middle, and passes its error on", async () => {
    const path = join(folder, "x");
    await writeFile(path, "old");
    async function* failing() {
      yield "new".repeat(100_000);
      throw new RangeError("source broke");
    }
    await expect(writeFileAtomically(path, failing())).rejects.toThrow(new RangeError("source broke"));
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["x"]);
  });

  it("leaves the old file and no temporary one when it is interrupted", async () => {
    const path = join(folder, "x");
    await writeFile(path, "old");
    const stop = new AbortController();
    async function* chunks() {
      yield "a".repeat(100_000);
      stop.abort();
      yield "b";
    }
    expect((await refused(path, chunks(), stop.signal)).code).toBe("interrupted");
    expect((await refused(path, "c", stop.signal)).code).toBe("interrupted");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["x"]);
  });

  it("shows the old file until the new one is complete", async () => {
    const path = join(folder, "x");
    await writeFile(path, "old");
    async function* chunks() {
      yield "n".repeat(200_000);
      expect(readFileSync(path, "utf8")).toBe("old");
      expect(
        readdirSync(folder).filter((name) => /^\.x\.\d+\.[0-9a-f]+\.[0-9a-f]+\.partial$/.test(name)),
      ).toHaveLength(1);
      yield "w";
    }
    await writeFileAtomically(path, chunks());
    expect(readFileSync(path, "utf8")).toBe(`${"n".repeat(200_000)}w`);
  });

  it("removes the temporary files of unfinished writes at once when asked", async () => {
    const path = join(folder, "x");
    async function* chunks() {
      yield "n".repeat(200_000);
      expect(readdirSync(folder)).toHaveLength(1);
      removePartialFiles();
      expect(readdirSync(folder)).toEqual([]);
    }
    expect((await refused(path, chunks())).code).toBe("io");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("refuses a folder, a missing folder and a file as folder, each in one sentence", async () => {
    await mkdir(join(folder, "sub"));
    await writeFile(join(folder, "file"), "");
    const into = async (path: string) => {
      const error = await refused(join(folder, path), "x");
      expect(error.code).toBe("io");
      return error.message.replaceAll(folder, "out");
    };
    expect(await into("sub")).toBe("cannot write out/sub: it is a folder");
    expect(await into("none/x.npz")).toBe("cannot write out/none/x.npz: the folder out/none does not exist");
    expect(await into("file/x.npz")).toBe("cannot write out/file/x.npz: out/file is not a folder");
    expect(await into("n".repeat(300))).toContain("the name is too long");
  });

  it("writes a file whose name is as long as a name may be", async () => {
    const path = join(folder, "n".repeat(255));
    await writeFileAtomically(path, "x");
    expect(readFileSync(path, "utf8")).toBe("x");
  });

  it("keeps the permissions of the old file and goes through a symbolic link", async () => {
    const path = join(folder, "x");
    await writeFile(path, "old");
    await chmod(path, 0o640);
    await symlink(path, join(folder, "link"));
    await writeFileAtomically(join(folder, "link"), "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  it("writes to a device without replacing it", async () => {
    await writeFileAtomically("/dev/null", "x");
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
    if (existsSync("/dev/full"))
      expect((await refused("/dev/full", "x")).message).toBe("cannot write /dev/full: the disk is full");
  });

  it("says when it may not write", async () => {
    // root may write into any ordinary folder, but not into /sys
    const locked = process.getuid?.() === 0 ? "/sys" : folder;
    await chmod(folder, 0o555);
    expect((await refused(join(locked, "x"), "x")).message).toContain("permission denied");
    await chmod(folder, 0o755);
  });

  const canMount =
    process.platform === "linux" &&
    spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", tmpdir()]).status === 0;
  it.skipIf(!canMount)("leaves the old file and no temporary one when the disk is full", async () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]);
    try {
      const path = join(folder, "x");
      await writeFile(path, "old");
      const error = await refused(path, ["a".repeat(40_000), "b".repeat(40_000)]);
      expect(error.message).toBe(`cannot write ${path}: the disk is full`);
      expect(readFileSync(path, "utf8")).toBe("old");
      expect(readdirSync(folder)).toEqual(["x"]);
    } finally {
      execFileSync("umount", [folder]);
    }
  });
});

describe("work folders that outlive their process", () => {
  /** The number of a process that has ended. */
  const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;

  it("are new when there is none, and one for each who asks", async () => {
    const path = join(folder, "x.zip");
    const [a, b] = [await claimWorkFolder(path), await claimWorkFolder(path)];
    expect(a).not.toBe(b);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("are taken over when released, and the largest of several that dead processes left", async () => {
    const path = join(folder, "x.zip");
    const first = await claimWorkFolder(path);
    await writeFile(join(first, "bytes"), "12");
    await releaseWorkFolder(first, path);
    const left = join(folder, partialName("x.zip").replace(`.${process.pid}.`, `.${deadPid()}.`));
    await mkdir(left);
    await writeFile(join(left, "bytes"), "12345");
    const claimed = await claimWorkFolder(path);
    expect(readFileSync(join(claimed, "bytes"), "utf8")).toBe("12345");
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it("stay with a living process, unless untouched for more than an hour", async () => {
    const path = join(folder, "x.zip");
    const mine = await claimWorkFolder(path);
    await writeFile(join(mine, "bytes"), "12345");
    expect(readdirSync(await claimWorkFolder(path))).toEqual([]);
    const old = new Date(Date.now() - 2 * 3_600_000);
    await utimes(join(mine, "bytes"), old, old);
    await utimes(mine, old, old);
    expect(readFileSync(join(await claimWorkFolder(path), "bytes"), "utf8")).toBe("12345");
  });

  it("are never those of another file", async () => {
    const other = await claimWorkFolder(join(folder, "x.zip.zip"));
    await releaseWorkFolder(other, join(folder, "x.zip.zip"));
    expect(readdirSync(await claimWorkFolder(join(folder, "x.zip")))).toEqual([]);
    expect(readdirSync(folder)).toContain(".x.zip.zip.partial");
  });
});
