import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { inlineExecutor } from "../../src/compute/executor.js";
import { evaluate } from "../../src/experiment/evaluation.js";
import { protocolByName } from "../../src/experiment/protocols.js";
import { DiskStore } from "../../src/node/disk-store.js";
import { openData } from "../../src/node/open.js";

const folder = mkdtempSync(join(tmpdir(), "graphdos-stages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = (at: string): string[] =>
  readdirSync(at, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(at, entry.name)) : [join(at, entry.name)],
  );

describe("stages kept on disk", () => {
  const run = async (stages: DiskStore | undefined, seed = 1) => {
    const dataset = await openData("synthetic:ego", { seed });
    const executor = inlineExecutor();
    const asked: string[] = [];
    const result = await evaluate(dataset, {
      kernels: [{ name: "dos+ldos", grid: { exponent: [1, 2] } }],
      protocol: protocolByName("quick", { folds: 3, Cs: [1, 10] }),
      executor: {
        ...executor,
        map: (task, inputs, options) => {
          asked.push(task.name);
          return executor.map(task, inputs, options);
        },
      },
      stages,
    });
    const { predictions, notes } = result.results[0];
    return { predictions, notes, asked };
  };

  test("give the same predictions as computing anew, and profiles, signatures and distances are then not computed", async () => {
    const plain = await run(undefined);
    const store = new DiskStore(folder);
    const first = await run(store);
    const second = await run(store);
    expect(first.predictions).toEqual(plain.predictions);
    expect(second.predictions).toEqual(plain.predictions);
    expect(first.asked).toContain("profiles");
    expect(new Set(second.asked)).toEqual(new Set(["nested-fold", "size-fold"]));
  });

  test("keep what the fit of signatures said, also where the distances are lost", async () => {
    const own = join(folder, "notes");
    const { notes } = await run(new DiskStore(own));
    expect(notes).toEqual([expect.stringContaining("landmarks")]);
    // as a process leaves it that is killed between the two
    for (const path of files(own)) if (readFileSync(path).includes('"rows":')) rmSync(path);
    const again = await run(new DiskStore(own));
    expect(again.notes).toEqual(notes);
    expect(again.asked).not.toContain("profiles");
    rmSync(own, { recursive: true });
  });

  test("belong to the graphs they were made from", async () => {
    const { asked } = await run(new DiskStore(folder), 2);
    expect(asked).toContain("profiles");
  });

  test("a damaged entry is computed anew, to the same predictions", async () => {
    const before = await run(new DiskStore(folder));
    for (const path of files(folder)) {
      const bytes = readFileSync(path);
      bytes[bytes.length - 3] ^= 1;
      writeFileSync(path, bytes);
    }
    const after = await run(new DiskStore(folder));
    expect(after.predictions).toEqual(before.predictions);
    expect(after.asked).toContain("profiles");
  });
});
