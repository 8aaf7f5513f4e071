import { describe, expect, it } from "vitest";
import { Fgsd } from "../../src/baseline/fgsd.js";
import { inlineExecutor } from "../../src/compute/executor.js";
import {
  evaluationMemory,
  featuresMemory,
  gramMemory,
  type MemorySize,
  memorySize,
  predictMemory,
  profileBytes,
  signatureBytes,
  similarMemory,
  spectrumMemory,
} from "../../src/experiment/memory.js";
import { buildGraph } from "../../src/graph/build.js";
import { complete, path, rmat, star } from "../../src/graph/generators/index.js";
import { KERNELS, kernelByName, kernelOptions } from "../../src/kernel/registry.js";
import { walkRows } from "../../src/signature/walks.js";
import { computeProfiles } from "../../src/spectrum/profiles.js";

const size: MemorySize = {
  graphs: 1000,
  nodes: 2e5,
  entries: 6e5,
  rows: 1e5,
  pairs: 1e7,
  large: 0,
  bytes: 4e6,
};
const none: MemorySize = { graphs: 0, nodes: 0, entries: 0, rows: 0, pairs: 0, large: 0, bytes: 0 };
const task = { size, moments: 50, workers: 2 };
const dos = kernelByName("dos");
const options = kernelOptions(dos);
const MIB = 2 ** 20;

describe("the memory of profiles", () => {
  it("is that of the profiles that are computed, header and all", async () => {
    const graphs = [star(100), path(40), complete(30)];
    const counted = memorySize({ graphs }, { twins: true });
    const profiles = await computeProfiles(graphs, { moments: 20 }, inlineExecutor());
    const real = profiles.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const estimated = profileBytes(counted, 20);
    expect(real / estimated).toBeGreaterThan(0.9);
    expect(real / estimated).toBeLessThan(1.2);
    expect(counted.rows).toBeLessThan(memorySize({ graphs }).rows);
  });

  it("doubles where probes give standard errors, and ends at the sample", () => {
    const rows = { ...size, graphs: 0, nodes: 0 };
    expect(profileBytes(rows, 50, "probes")).toBe(2 * profileBytes(rows, 50));
    expect(profileBytes({ ...rows, graphs: 1 }, 50, "sample")).toBe(8 * 256 * 52 + 88 + 8 * 51);
  });
});

describe("the memory of walks", () => {
  it("is that of the rows of every node and of their counts, twins or not, whatever the moments", async () => {
    const graphs = [star(300), path(100)];
    const counted = memorySize({ graphs }, { twins: true });
    const walks = { ...kernelOptions(kernelByName("retgk-mc")), steps: 30 };
    const rows = await walkRows(graphs, inlineExecutor(), { walks: 3, steps: 30 });
    const real = rows.values.byteLength + rows.masses.length * 30 * 4;
    const estimated = signatureBytes("retgk-mc", { ...walks, mmd: "exact" }, counted, 50);
    expect(real / estimated).toBeGreaterThan(0.95);
    expect(real / estimated).toBeLessThan(1.05);
    for (const mmd of ["low-rank", "fourier"])
      expect(signatureBytes("retgk-mc", { ...walks, mmd }, counted, 5)).toBeGreaterThan(estimated);
  });
});

describe("the memory of labels", () => {
  it("counts twins once: they have one label between them in every iteration", () => {
    const iterations = { iterations: 4 };
    const alike = signatureBytes("wl", iterations, { ...size, rows: 1 }, 50);
    expect(signatureBytes("wl", iterations, size, 50) - alike).toBe(40 * 5 * (size.rows - 1));
    expect(signatureBytes("wl", iterations, { ...size, nodes: 2 * size.nodes }, 50)).toBe(
      signatureBytes("wl", iterations, size, 50),
    );
  });
});

describe("the memory of a command", () => {
  it("is the program's own where there is nothing to compute", () => {
    for (const spec of KERNELS) {
      const own = kernelOptions(spec);
      const empty = { size: none, moments: 50, workers: 0 };
      for (const { bytes } of [
        featuresMemory(spec, own, { ...empty, nodes: true }),
        gramMemory(spec, own, { ...empty, float32: false }),
        evaluationMemory({ name: spec.name }, empty),
        predictMemory(spec, own, { ...empty, supports: 5 }),
        similarMemory(spec, own, empty),
      ])
        expect(bytes, spec.name).toBe(115 * MIB);
    }
  });

  it("grows with the graphs, not their square, for one graph against all; the geometric mean makes the whole matrix", () => {
    const of = (k: number): MemorySize => ({
      ...{ graphs: k * 20_000, nodes: k * 2e5, entries: k * 6e5, rows: k * 1e5 },
      ...{ pairs: k * 1e6, large: 0, bytes: k * 4e6 },
    });
    for (const spec of KERNELS) {
      const bytes = (k: number, own = kernelOptions(spec)) =>
        similarMemory(spec, own, { ...task, size: of(k) }).bytes;
      expect(bytes(4) - bytes(2), spec.name).toBe(2 * (bytes(2) - bytes(1)));
      // 100,000 graphs: the matrix alone would have 75 GiB
      expect(bytes(5), spec.name).toBeLessThan(16 * 2 ** 30);
      if (!("combine" in spec.options)) continue;
      const geometric = kernelOptions(spec, { combine: "geometric" });
      expect(bytes(4, geometric)).toBe(
        gramMemory(spec, geometric, { ...task, size: of(4), float32: false }).bytes,
      );
    }
  });

  it("grows with the square of the graphs for a Gram matrix, half as fast in single precision", () => {
    const matrices = (graphs: number, float32: boolean) => {
      const many = { ...none, graphs };
      const { parts } = gramMemory(dos, options, { size: many, moments: 50, workers: 0, float32 });
      return parts
        .filter(({ what }) => /distances|Gram/.test(what))
        .reduce((sum, { bytes }) => sum + bytes, 0);
    };
    const tiles = 4 * 5000 ** 2;
    expect(matrices(5000, false)).toBe(tiles + 2 * 8 * 5000 ** 2);
    expect(matrices(5000, true)).toBe(tiles + 2 * 4 * 5000 ** 2);
  });

  it("holds every matrix of the grid in an evaluation, and a Gram in every worker", () => {
    const bytesOf = (grid: Record<string, (string | number)[]>, workers: number) =>
      evaluationMemory({ name: "dos", grid }, { ...task, size: { ...none, graphs: 4000 }, workers }).bytes;
    const square = 4 * 4000 ** 2;
    const program = (workers: number) => (115 + 50 * workers) * MIB;
    expect(bytesOf({ exponent: [1, 2] }, 1)).toBe(program(1) + square + square + 2 * square);
    expect(bytesOf({ scale: ["trace", "mean"] }, 3)).toBe(program(3) + 2 * square + square + 3 * 2 * square);
  });

  it("counts double precision where the nearest neighbour or the geometric mean needs it", () => {
    const many = { ...task, size: { ...none, graphs: 4000 }, workers: 1 };
    const square = 4 * 4000 ** 2;
    const svm = evaluationMemory({ name: "dos" }, many).bytes;
    expect(evaluationMemory({ name: "dos" }, { ...many, classifier: "1nn" }).bytes).toBe(svm + 3 * square);
    const both = (combine: string) =>
      evaluationMemory({ name: "dos+ldos", options: { combine } }, many).bytes;
    expect(both("geometric")).toBeGreaterThan(both("composite") + 4 * square);
  });

  it("is never less with more graphs, moments or workers", () => {
    const larger = {
      ...size,
      graphs: 2000,
      nodes: 4e5,
      entries: 12e5,
      rows: 2e5,
      pairs: 2e7,
      large: 1,
      bytes: 8e6,
    };
    for (const spec of KERNELS) {
      const own = kernelOptions(spec);
      const bytes = (change: Partial<typeof task>) => [
        featuresMemory(spec, own, { ...task, ...change, nodes: false }).bytes,
        gramMemory(spec, own, { ...task, ...change, float32: true }).bytes,
        evaluationMemory({ name: spec.name }, { ...task, ...change }).bytes,
        spectrumMemory({ ...task, ...change }, true).bytes,
      ];
      const base = bytes({});
      for (const change of [{ size: larger }, { moments: 100 }, { workers: 4 }])
        bytes(change).forEach((more, k) => {
          expect(more, `${spec.name} ${JSON.stringify(change)}`).toBeGreaterThanOrEqual(base[k]);
        });
      for (const one of base) expect(Number.isSafeInteger(Math.round(one))).toBe(true);
    }
  });

  it("names its parts, the largest first, and they sum to all", () => {
    const { bytes, parts } = gramMemory(dos, options, { ...task, float32: false });
    expect(parts.reduce((sum, part) => sum + part.bytes, 0)).toBe(bytes);
    expect(parts.map((part) => part.bytes)).toEqual(parts.map((part) => part.bytes).sort((a, b) => b - a));
  });

  it("counts the profiles of the signature beside those of the nodes, where these are computed apart", () => {
    const profiles = (change: { nodes: boolean; ownRows?: boolean }) =>
      featuresMemory(dos, options, { ...task, ...change }).parts.find(({ what }) => what === "profiles")!
        .bytes;
    expect(profiles({ nodes: false })).toBeGreaterThan(0);
    expect(profiles({ nodes: true, ownRows: true })).toBe(
      profiles({ nodes: true }) + profiles({ nodes: false }),
    );
  });
});

describe("the memory of FGSD", () => {
  it("grows as the bins narrow, until every pair of nodes has its own", () => {
    const fgsd = kernelOptions(kernelByName("fgsd"));
    const bytes = (binWidth: number) => signatureBytes("fgsd", { ...fgsd, binWidth }, size, 50);
    expect(bytes(1e-3)).toBeGreaterThan(bytes(1e-2));
    const table = 16 * 2 ** 22;
    expect(bytes(1e-12)).toBe(40 * (size.rows + size.pairs) + table);
    // distances without a usual range
    expect(signatureBytes("fgsd", { ...fgsd, distance: "biharmonic" }, size, 50)).toBe(bytes(1e-12));
  });

  it("counts at least the bins that there are; twins share theirs", () => {
    const random = rmat({ scale: 7, edges: 500, seed: 1 });
    for (const graphs of [[path(100), path(101)], [star(300), complete(40)], [random]]) {
      const options = { ...kernelOptions(kernelByName("fgsd")), distance: "biharmonic", binWidth: 1e-9 };
      const { ids } = new Fgsd({ distance: "biharmonic", binWidth: 1e-9 }).fit(graphs);
      const most = signatureBytes("fgsd", options, memorySize({ graphs }, { twins: true }), 50) / 40;
      expect(most).toBeGreaterThanOrEqual(ids.length);
    }
    const { pairs, rows } = memorySize({ graphs: [star(300), complete(40), path(5)] }, { twins: true });
    // a star has two classes, a complete graph one, a path on five nodes five but for its ends
    expect([pairs, rows]).toEqual([3 + 1 + 15, 2 + 1 + 5]);
  });

  it("is that of the sample in graphs that are too large to be exact", () => {
    const fgsd = { ...kernelOptions(kernelByName("fgsd")), distance: "biharmonic" };
    const large = memorySize({ graphs: [path(20_000)] });
    expect(large).toMatchObject({ large: 1, pairs: 0 });
    expect(signatureBytes("fgsd", fgsd, large, 50)).toBe(40 * (20_000 + 200 ** 2) + 16 * 2 ** 22);
  });
});

describe("the memory of sage", () => {
  it("grows with the node labels: a block of features for each, and one for labels not seen", () => {
    const sage = kernelOptions(kernelByName("sage"));
    const unlabelled = signatureBytes("sage", sage, size, 50);
    expect(signatureBytes("sage", sage, { ...size, labels: 89 }, 50)).toBe(90 * unlabelled);
    expect(signatureBytes("sage", { ...sage, labels: "none" }, { ...size, labels: 89 }, 50)).toBe(unlabelled);
  });

  it("counts the different labels of all graphs", () => {
    const labelled = (labels: number[]) =>
      buildGraph({ nodeCount: labels.length, sources: [], targets: [], labels }).graph;
    expect(memorySize({ graphs: [labelled([3, 3, -1]), labelled([7, 3]), labelled([])] }).labels).toBe(3);
    expect(memorySize({ graphs: [path(3)] }).labels).toBeUndefined();
  });
});
