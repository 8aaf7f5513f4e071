import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hashOf, memoryStore, remember } from "../../src/compute/store.js";
import { DiskStore } from "../../src/node/disk-store.js";
import { partialName } from "../../src/node/partial-files.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);

describe("a DiskStore", () => {
  it("gives back what was put, and nothing for another key", async () => {
    const store = new DiskStore(folder);
    await store.put("a", bytes);
    expect(new Uint8Array((await store.get("a"))!)).toEqual(bytes);
    expect(await store.get("b")).toBeNull();
  });

  it("passes over an entry with any byte changed or cut off", async () => {
    const store = new DiskStore(folder);
    await store.put("c", bytes);
    const path = store.pathOf("c");
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 1;
      writeFileSync(path, damaged);
      expect(await store.get("c"), `byte ${at}`).toBeNull();
    }
    for (const length of [0, 10, 56, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      expect(await store.get("c")).toBeNull();
    }
  });

  it("works on without keeping anything where it may not write, and says why", async () => {
    const store = new DiskStore("/sys/graphdos");
    await store.put("a", bytes);
    expect(await store.get("a")).toBeNull();
    expect(store.trouble).toMatch(/^cannot write/);
  });

  it("says in a sentence that a file is in the place of its folder", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const store = new DiskStore(join(file, "results"));
    await store.put("a", bytes);
    expect(store.trouble).toMatch(/^cannot write .*file\/results: .*file is not a folder$/);
  });

  it("removes what killed processes began to write, of any entry, and nothing of the living", async () => {
    const own = join(folder, "swept");
    await new DiskStore(own).put("a", bytes);
    const inside = join(dirname(dirname(new DiskStore(own).pathOf("a"))), "00");
    mkdirSync(inside, { recursive: true });
    const living = partialName("b");
    const dead = living.replace(`.${process.pid}.`, `.${spawnSync(process.execPath, ["-e", ""]).pid}.`);
    for (const name of [living, dead]) writeFileSync(join(inside, name), "half");
    await new DiskStore(own).put("a", bytes);
    expect(readdirSync(inside)).toEqual([living]);
    rmSync(own, { recursive: true });
  });

  it("writes an entry again whose folder someone else removed while it was written", async () => {
    const own = join(folder, "removed");
    const store = new DiskStore(own);
    for (let k = 0; k < 60; k++) {
      const written = store.put(`key ${k}`, bytes);
      for (let turn = 0; turn < k % 30; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (existsSync(own)) renameSync(own, join(folder, `removed ${k}`));
      await written;
      expect(store.trouble).toBeNull();
    }
  });

  it("leaves no temporary files", async () => {
    const own = join(folder, "own");
    await new DiskStore(own).put("d", bytes);
    const names = readdirSync(own, { recursive: true }).map(String);
    expect(names).toHaveLength(3);
    expect(names.filter((name) => name.includes("partial"))).toEqual([]);
  });
});

describe("hashOf", () => {
  it("is SHA-256, and tells apart how text is cut into parts", async () => {
    expect(await hashOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(await hashOf("ab", "c")).not.toBe(await hashOf("a", "bc"));
  });
});

describe("remember", () => {
  it("computes once", async () => {
    const store = memoryStore();
    let calls = 0;
    const value = () => remember(store, "x", async () => ({ calls: ++calls }));
    expect([await value(), await value()]).toEqual([{ calls: 1 }, { calls: 1 }]);
  });
});
