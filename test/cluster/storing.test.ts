/** What a worker's thread does with its result: bytes in the answer, or in a file that was written before and given back. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createContext, type Task, type TaskContext } from "../../src/compute/executor.js";
import { decodePlain, encodePlain } from "../../src/compute/plain-data.js";
import { path, star } from "../../src/graph/generators/index.js";
import type { Graph } from "../../src/graph/graph.js";
import { packGraphs } from "../../src/graph/pack.js";
import { LIMITS } from "../../src/node/cluster/protocol.js";
import { storing } from "../../src/node/cluster/storing.js";
import { giveBack } from "../../src/node/cluster/whole-file.js";
import { profileTask } from "../../src/spectrum/profiles.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-storing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let context: TaskContext;
beforeEach(async () => {
  context = await createContext();
});

const filled: Task<number, Uint8Array> = { name: "filled", run: (_, bytes) => new Uint8Array(bytes).fill(7) };
const write = (bytes: number, file: string | null) =>
  storing(filled).run(context, { input: bytes, file: file === null ? null : join(folder, file) });
const inode = (file: string) => statSync(join(folder, file)).ino;
const bytesOf = (file: string) => new Uint8Array(readFileSync(join(folder, file)));

describe("a result of a worker's thread", () => {
  it("is the answer when it is small, or when there is no file for it", async () => {
    for (const file of ["small", null]) {
      const stored = await write(10, file);
      expect(stored).toEqual(encodePlain(new Uint8Array(10).fill(7)));
    }
    expect(await write(LIMITS.folderBytes, null)).toBeInstanceOf(Uint8Array);
    expect(existsSync(join(folder, "small"))).toBe(false);
  });

  it("is in the file when it is large, with its length as the answer", async () => {
    const stored = await write(LIMITS.folderBytes, "large");
    const bytes = encodePlain(new Uint8Array(LIMITS.folderBytes).fill(7));
    expect(stored).toEqual({ length: bytes.length });
    expect(bytesOf("large")).toEqual(bytes);
  });

  it("goes into a file that was given back, also a longer one, and never into one that was not", async () => {
    await write(300_000, "first");
    await write(200_000, "second");
    const [first, second] = [inode("first"), inode("second")];
    expect(first).not.toBe(second);
    giveBack(join(folder, "first"));
    await write(100_000, "third");
    expect(inode("third")).toBe(first);
    expect(bytesOf("third")).toEqual(encodePlain(new Uint8Array(100_000).fill(7)));
    await write(100_000, "fourth");
    expect(inode("fourth")).not.toBe(second);
    expect(bytesOf("second")).toEqual(encodePlain(new Uint8Array(200_000).fill(7)));
    expect(readdirSync(folder).filter((name) => /\.[0-9a-f]{12}$/.test(name))).toEqual([]);
  });

  it("ends in a sentence where the file cannot be written, and leaves none", async () => {
    await expect(write(100_000, "large/below a file")).rejects.toThrow(/cannot write .*below a file/);
  });

  it("of profiles is the same from the kernels' own memory, for one run of bytes and for several", async () => {
    // 4,100 rows of 408 bytes a path: twelve of them are more than the 16 MiB of a run that is copied, 42 more than the 64 MiB of one that is lent
    const paths = Array.from({ length: 42 }, (_, k) => path(4100 + k));
    const cases: [Graph[], number, number][] = [
      [[star(4), paths[0]], 1, 1],
      [paths.slice(0, 12), 2, 1],
      [paths, 5, 2],
    ];
    for (const [graphs, copied, lent] of cases) {
      const indices = graphs.map((_, g) => g);
      const unit = () => ({ graphs: packGraphs(graphs), indices, exact: true, options: { moments: 50 } });
      const plain = await profileTask.run(context, unit());
      expect(plain.length).toBe(copied);
      const file = join(folder, "profiles");
      const stored = await storing(profileTask).run(context, { input: unit(), file });
      expect(stored).toEqual({ length: statSync(file).size });
      const runs = decodePlain(readFileSync(file)) as Uint8Array[];
      expect(runs.length).toBe(lent);
      expect(Buffer.concat(runs).equals(Buffer.concat(plain))).toBe(true);
    }
  });
});
