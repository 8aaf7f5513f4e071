import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { bytesOf, cacheLimit, type Entry, removeBeyond, storeEntries } from "../../src/node/cache-limit.js";
import { codeFolder, DiskStore } from "../../src/node/disk-store.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-limit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());
let folders = 0;
const fresh = () => join(folder, String(folders++));
const [mine, theirs] = ["a".repeat(64), "b".repeat(64)];
/** An entry takes 56 bytes of header and these. */
const bytes = new Uint8Array(944);

/** Puts entries of 1,000 bytes, the first used longest ago. */
async function fill(at: string, code: string, keys: readonly string[], since = 0) {
  const store = new DiskStore(at, { code });
  for (const [k, key] of keys.entries()) {
    await store.put(key, bytes);
    utimesSync(store.pathOf(key), since + k, since + k);
  }
  return store;
}
const kept = (store: DiskStore, keys: readonly string[]) =>
  keys.filter((key) => existsSync(store.pathOf(key)));

describe("a limit", () => {
  it("is that of GRAPHDOS_CACHE_LIMIT, else 10 GiB or a tenth of what the disk can give", async () => {
    vi.stubEnv("GRAPHDOS_CACHE_LIMIT", "2GiB");
    expect(await cacheLimit(folder, 0)).toBe(2 ** 31);
    vi.stubEnv("GRAPHDOS_CACHE_LIMIT", "plenty");
    await expect(cacheLimit(folder, 0)).rejects.toThrow("GRAPHDOS_CACHE_LIMIT: got plenty, expected a size");
    vi.stubEnv("GRAPHDOS_CACHE_LIMIT", "");
    // a cache that holds nearly all that the disk can give, and one that is on no disk yet
    expect(await cacheLimit(folder, 2 ** 50)).toBe(10 * 2 ** 30);
    const free = await cacheLimit(join(folder, "not", "there"), 0);
    expect(free).toBeGreaterThanOrEqual(100 * 2 ** 20);
    expect(free).toBeLessThanOrEqual(10 * 2 ** 30);
  });

  it("is given in units", () => {
    expect(["1B", "1.5 kb", "3MiB"].map(bytesOf)).toEqual([1, 1500, 3 * 2 ** 20]);
    expect(["", "5", "-1MB", "1XB", "0B", "9e9GB"].map(bytesOf)).toEqual(Array(6).fill(null));
  });
});

describe("a store with a limit", () => {
  it("loses what other code made first, then what was not used for longest", async () => {
    const at = fresh();
    const keys = ["1", "2", "3", "4", "5"];
    // used later than all of mine
    const other = await fill(at, theirs, ["x", "y"], 1000);
    await fill(at, mine, keys);
    const limited = (limit: number) => new DiskStore(at, { code: mine, limit: () => limit });
    const one = limited(8000);
    await one.put("6", bytes);
    expect(one.removed).toEqual({ entries: 0, bytes: 0 });
    // 8,000 bytes: the two of other code make room enough
    const two = limited(6700);
    await two.put("6", bytes);
    expect(two.removed).toEqual({ entries: 2, bytes: 2000 });
    expect(kept(other, ["x", "y"])).toEqual([]);
    expect(existsSync(dirname(dirname(other.pathOf("x"))))).toBe(false);
    expect(kept(two, keys)).toEqual(keys);
    // reading is use
    const three = limited(4000);
    expect(await three.get("1")).not.toBeNull();
    await three.put("7", bytes);
    expect(kept(three, [...keys, "6", "7"])).toEqual(["1", "5", "6", "7"]);
    expect(three.trouble).toBeNull();
  });

  it("never holds more than the limit and the entry that came last, and keeps the latest", async () => {
    const at = fresh();
    const store = new DiskStore(at, { code: mine, limit: () => 5000 });
    for (let k = 0; k < 30; k++) {
      await store.put(`key ${k}`, bytes);
      const entries = await storeEntries(at, codeFolder(mine));
      expect(entries.length).toBeLessThanOrEqual(6);
      expect(existsSync(store.pathOf(`key ${k}`))).toBe(true);
    }
    expect(store.removed.entries).toBeGreaterThanOrEqual(24);
  });

  it("does not keep an entry beyond the limit, and says so", async () => {
    const at = fresh();
    const store = new DiskStore(at, { code: mine, limit: () => 999 });
    await store.put("a", bytes);
    expect(existsSync(store.pathOf("a"))).toBe(false);
    expect(store.trouble).toContain("beyond the limit of the cache");
  });

  it("leaves runs, half-written entries and files of others alone", async () => {
    const at = fresh();
    await fill(at, mine, ["1", "2", "3"]);
    const run = join(at, "runs", "0123456789abcdef");
    mkdirSync(run, { recursive: true });
    const others = [join(run, "journal"), join(at, "notes.txt"), join(at, codeFolder(mine), "own.partial")];
    for (const path of others) writeFileSync(path, "x".repeat(9000));
    const store = new DiskStore(at, { code: mine, limit: () => 1000 });
    await store.put("4", bytes);
    expect(store.removed.entries).toBe(3);
    for (const path of others) expect(statSync(path).size).toBe(9000);
  });

  it("is shared with others that fill it: every answer is right or missing", async () => {
    const at = fresh();
    const stores = Array.from({ length: 4 }, () => new DiskStore(at, { code: mine, limit: () => 3000 }));
    await Promise.all(
      stores.map(async (store, s) => {
        for (let k = 0; k < 40; k++) {
          const value = new Uint8Array(400).fill(k);
          await store.put(`key ${k % 7} ${k}`, value);
          for (const other of [k, k - s - 1]) {
            const found = await store.get(`key ${other % 7} ${other}`);
            if (found !== null) expect(new Uint8Array(found)).toEqual(new Uint8Array(400).fill(other));
          }
        }
      }),
    );
    expect(stores.map(({ trouble }) => trouble)).toEqual([null, null, null, null]);
  });
});

it("what goes is a beginning of the order of other code and last use, and as little as is needed", async () => {
  const entry = fc.record({ bytes: fc.integer({ min: 0, max: 50 }), used: fc.nat(20), other: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 8 }),
      fc.integer({ min: 1, max: 200 }),
      async (made, limit) => {
        const at = fresh();
        mkdirSync(at);
        const entries: Entry[] = made.map((one, k) => ({ ...one, path: join(at, String(k)) }));
        for (const { path } of entries) writeFileSync(path, "");
        // a file that stays, so that the folder does
        writeFileSync(join(at, "stays"), "");
        const removed = await removeBeyond(limit, entries);
        const gone = entries.filter(({ path }) => !existsSync(path));
        const left = entries.filter(({ path }) => existsSync(path));
        const sum = (some: readonly Entry[]) => some.reduce((all, one) => all + one.bytes, 0);
        expect(removed).toEqual({ entries: gone.length, bytes: sum(gone) });
        if (sum(entries) <= limit) expect(gone).toEqual([]);
        else expect(sum(left)).toBeLessThanOrEqual(0.9 * limit);
        for (const a of gone)
          for (const b of left) expect(a.other !== b.other ? a.other : a.used <= b.used).toBe(true);
        // without the last that went there was too much
        if (gone.length > 0) {
          const last = [...gone].sort((a, b) => Number(a.other) - Number(b.other) || b.used - a.used)[0];
          const alike = gone.filter(({ used, other }) => used === last.used && other === last.other);
          expect(sum(left) + Math.max(...alike.map((one) => one.bytes))).toBeGreaterThanOrEqual(
            Math.min(0.9 * limit, sum(entries)),
          );
        }
        rmSync(at, { recursive: true });
      },
    ),
  );
});

describe("commands with a small cache", () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, ["dist/cli/main.js", ...args], {
      encoding: "utf8",
      env: { ...process.env, GRAPHDOS_CACHE: join(folder, "cache"), ...env },
    });
  const evaluate = ["evaluate", "synthetic:threads", "--kernel", "dos", "--moments", "8", "--c", "1"];
  const quick = [...evaluate, "--protocol", "quick", "--folds", "3", "--workers", "0", "--json"];
  const numbers = (stdout: string) => {
    const { results, warnings } = JSON.parse(stdout);
    return { accuracy: results[0].accuracy, predictions: results[0].predictions, warnings };
  };

  it("say once what went, give the same numbers, and list size and limit", () => {
    const whole = run(quick);
    expect(whole.stderr).not.toContain("removed");
    const results = join(folder, "cache", "results");
    const files = () =>
      readdirSync(results, { recursive: true, encoding: "utf8" }).filter((name) =>
        statSync(join(results, name)).isFile(),
      );
    const sizes = files().map((name) => statSync(join(results, name)).size);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    const few = run([...quick, "--seed", "1"], { GRAPHDOS_CACHE_LIMIT: `${all}B` });
    expect(few.stderr.match(/removed \d+ of the results in /g)).toHaveLength(1);
    expect(numbers(few.stdout)).toEqual(numbers(run([...quick, "--seed", "1", "--no-store"]).stdout));
    const listed = JSON.parse(run(["cache", "list", "--json"], { GRAPHDOS_CACHE_LIMIT: "3MB" }).stdout);
    expect(listed).toMatchObject({ limit: 3e6, ofOtherCode: 0 });
    expect(run(["cache", "list"], { GRAPHDOS_CACHE_LIMIT: "3MB" }).stdout).toContain("limit of results 3");
    const wrong = run(quick, { GRAPHDOS_CACHE_LIMIT: "much" });
    expect(wrong).toMatchObject({ status: 2, stdout: "" });
    expect(wrong.stderr).toContain("GRAPHDOS_CACHE_LIMIT: got much");
    // nothing fits: the numbers are the same all the same
    const none = run([...quick, "--cache-limit", "1B"]);
    expect(numbers(none.stdout).predictions).toEqual(numbers(whole.stdout).predictions);
    expect(numbers(none.stdout).warnings.join()).toContain("beyond the limit of the cache");
  });
});
