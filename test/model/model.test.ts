import { beforeAll, describe, expect, it } from "vitest";
import { crc32 } from "../../src/base/crc32.js";
import { GraphdosError } from "../../src/base/errors.js";
import { Random } from "../../src/base/random.js";
import { inlineExecutor } from "../../src/compute/executor.js";
import { type Dataset, subset } from "../../src/data/dataset.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import type { KernelRequest } from "../../src/experiment/grid.js";
import { fitModel, type GraphModel, predictGraphs } from "../../src/model/model.js";
import { loadModel, saveModel } from "../../src/model/model-file.js";

const executor = inlineExecutor();
const some = (set: Dataset, from: number, to: number) =>
  subset(
    set,
    Array.from({ length: to - from }, (_, k) => from + k),
  );
const threads = syntheticDataset("threads");
const train = some(threads, 0, 80);
const unseen = some(threads, 80, 140);
const trained = (kernel: KernelRequest, set = train) =>
  fitModel(set, { kernel, profile: { moments: 20 }, Cs: [1, 10], folds: 3, executor, date: "2026-01-01" });

describe.each<KernelRequest>([
  { name: "dos" },
  { name: "ldos", options: { mmd: "exact" } },
  { name: "ldos", options: { mmd: "low-rank", tolerance: 0.05 } },
  { name: "dos+ldos", options: { "ldos.mmd": "fourier", "ldos.features": 50 } },
  { name: "wl", grid: { iterations: [1, 3] } },
  { name: "wl-oa", options: { form: "radial", iterations: 2 }, grid: {} },
  { name: "fgsd", options: { binWidth: 0.1 } },
  { name: "rw" },
  { name: "dgk", options: { dimension: 8 }, grid: {} },
  { name: "sage" },
  { name: "netlsd", options: { normalisation: "none" } },
])("a model of %j", (kernel) => {
  let model: GraphModel;
  beforeAll(async () => {
    model = await trained(kernel);
  });

  it("tells unseen graphs apart, and gives the same answers after saving and loading", async () => {
    const direct = await predictGraphs(model, unseen, { executor });
    const right = direct.classes.reduce((sum, c, g) => sum + (c === unseen.classes![g] ? 1 : 0), 0);
    expect(right / direct.classes.length).toBeGreaterThan(0.7);
    const bytes = saveModel(model);
    const loaded = loadModel(bytes);
    expect(await predictGraphs(loaded, unseen, { executor })).toEqual(direct);
    expect(loaded.provenance).toEqual(model.provenance);
    expect(Buffer.compare(saveModel(loaded), bytes)).toBe(0);
  });

  it("decides on a graph alike whether it comes alone or among others", async () => {
    const all = await predictGraphs(model, unseen, { executor });
    const one = await predictGraphs(model, some(unseen, 7, 8), { executor });
    expect(one.decisions[0]).toBe(all.decisions[7]);
  });
});

describe("weights of classes", () => {
  const [first, second] = threads.classNames;
  const set = some(threads, 0, 60);
  const weighted = (classWeights?: Record<string, number> | "balanced") =>
    fitModel(set, { kernel: { name: "dos" }, profile: { moments: 20 }, Cs: [1], executor, classWeights });

  it("are given by their names, and move the border", async () => {
    const even = await weighted();
    expect((await weighted({ [first]: 1, [second]: 1 })).svc).toEqual(even.svc);
    const counts = [0, 1].map((c) => set.classes!.filter((k) => k === c).length);
    const balanced = { [first]: 30 / counts[0], [second]: 30 / counts[1] };
    expect((await weighted("balanced")).svc).toEqual((await weighted(balanced)).svc);
    // graphs taken for the second class: the heavier it weighs, the more
    const taken = async (weight: number) => {
      const model = await weighted({ [second]: weight });
      return (await predictGraphs(model, set, { executor })).classes.filter((c) => c === 1).length;
    };
    expect(await taken(1e-3)).toBe(0);
    expect(await taken(1e3)).toBeGreaterThan(counts[1]);
  });

  it("are refused for what is no class, and where they are no weights", async () => {
    await expect(weighted({ nobody: 2 })).rejects.toThrow("unknown class with a weight: nobody");
    await expect(weighted({ [first]: -1 })).rejects.toThrow(`weight of class ${first}: got -1`);
  });
});

describe("a model of three classes with probabilities", () => {
  it("has a probability for each class that sum to one", async () => {
    const ego = syntheticDataset("ego");
    const model = await fitModel(some(ego, 0, 90), {
      ...{
        kernel: { name: "dos" },
        profile: { moments: 20 },
        Cs: [10],
        folds: 3,
        executor,
        probability: true,
      },
    });
    const loaded = loadModel(saveModel(model));
    const { probabilities, decisions } = await predictGraphs(loaded, some(ego, 90, 100), { executor });
    expect(decisions).toHaveLength(30);
    for (let g = 0; g < 10; g++) {
      const [a, b, c] = probabilities!.subarray(3 * g, 3 * g + 3);
      expect(a + b + c).toBeCloseTo(1, 9);
    }
  });
});

describe("a model file", () => {
  it("is refused when damaged, cut off, newer or something else", async () => {
    const bytes = saveModel(await trained({ name: "dos" }, some(threads, 0, 30)));
    for (let length = 0; length < bytes.length; length += 101)
      expect(() => loadModel(bytes.slice(0, length), "m")).toThrow(
        /^m: (not a graphdos model file|the model file is damaged or cut off)/,
      );
    for (let at = 0; at < bytes.length; at += 53) {
      const changed = bytes.slice();
      changed[at] ^= 4;
      expect(() => loadModel(changed, "m"), `byte ${at}`).toThrow(GraphdosError);
    }
    const newer = bytes.slice();
    newer[8] = 9;
    expect(() => loadModel(newer, "m")).toThrow(
      "m: made by a newer graphdos: model version 9, this one reads up to 1",
    );
  });

  it("is refused when its header lies, even with a right checksum", async () => {
    const bytes = saveModel(await trained({ name: "dos" }, some(threads, 0, 30)));
    const forge = (from: string, to: string) => {
      const changed = bytes.slice();
      const text = new TextDecoder("latin1").decode(changed);
      const at = text.indexOf(from);
      expect(at).toBeGreaterThan(0);
      expect(from.length).toBe(to.length);
      changed.set(new TextEncoder().encode(to), at);
      new DataView(changed.buffer).setUint32(12, crc32(changed.subarray(24)), true);
      return changed;
    };
    expect(() => loadModel(forge('"kernel":"dos"', '"kernel":"dox"'), "m")).toThrow("unknown kernel: dox");
    expect(() => loadModel(forge('"moments":20', '"moments":-2'), "m")).toThrow(
      "its header is wrong at profile.moments",
    );
    expect(() => loadModel(forge('"supportCount":', '"supportCounX":'), "m")).toThrow(
      "its header is wrong at svc.supportCount",
    );
  });

  /** The file with another header, and a right checksum and length. */
  function withHeader(bytes: Uint8Array, change: (header: Record<string, unknown>) => void): Uint8Array {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const length = view.getUint32(24, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(28, 28 + length)));
    change(header);
    const text = new TextEncoder().encode(JSON.stringify(header));
    const rest = bytes.subarray(24 + 8 * Math.ceil((4 + length) / 8));
    const headerBytes = 8 * Math.ceil((4 + text.length) / 8);
    const changed = new Uint8Array(24 + headerBytes + rest.length);
    changed.set(bytes.subarray(0, 24));
    changed.set(text, 28);
    changed.set(rest, 24 + headerBytes);
    const out = new DataView(changed.buffer);
    out.setUint32(24, text.length, true);
    out.setFloat64(16, changed.length, true);
    out.setUint32(12, crc32(changed.subarray(24)), true);
    return changed;
  }

  it("allocates nothing beyond what it holds, whatever its header says", async () => {
    const bytes = saveModel(await trained({ name: "dos" }, some(threads, 0, 30)));
    expect(loadModel(withHeader(bytes, () => undefined)).classNames).toEqual(threads.classNames);
    const sizes: [string, (header: never) => void][] = [
      ["supports", (header: { svc: { supportCount: number } }) => (header.svc.supportCount = 2 ** 31)],
      [
        "coefficients",
        (header: { svc: { pairs: { count: number }[] } }) => (header.svc.pairs[0].count = 2 ** 40),
      ],
      ["a part", (header: { states: number[] }) => (header.states[1] = 2 ** 45)],
      ["a part beyond all numbers", (header: { states: number[] }) => (header.states[1] = 1e300)],
      ["classes", (header: { svc: { classes: number[] } }) => header.svc.classes.push(2 ** 33)],
    ];
    for (const [what, change] of sizes) {
      const lying = withHeader(bytes, change as (header: Record<string, unknown>) => void);
      const before = process.memoryUsage().arrayBuffers;
      expect(() => loadModel(lying, "m"), what).toThrow(GraphdosError);
      expect(process.memoryUsage().arrayBuffers - before, what).toBeLessThan(2 ** 24);
    }
  });

  it("is refused or works when any number in it is changed under a right checksum", async () => {
    const dgk = { name: "dgk", options: { dimension: 4 } };
    for (const kernel of [...["dos", "ldos", "wl", "retgk1", "rw"].map((name) => ({ name })), dgk]) {
      const bytes = saveModel(await trained(kernel, some(threads, 0, 12)));
      const random = new Random(3);
      let refused = 0;
      for (let k = 0; k < 60; k++) {
        const changed = bytes.slice();
        const at = 24 + random.integer(bytes.length - 24);
        changed[at] = random.integer(256);
        if (k % 3 === 0) changed.fill(255, at, at + 4);
        new DataView(changed.buffer).setUint32(12, crc32(changed.subarray(24)), true);
        try {
          loadModel(changed, "m");
        } catch (error) {
          expect(error, `${kernel.name}, byte ${at}`).toBeInstanceOf(GraphdosError);
          refused++;
        }
      }
      expect(refused, kernel.name).toBeGreaterThan(0);
    }
  });

  it("leaves objects alone, whatever its fields are called", async () => {
    const bytes = saveModel(await trained({ name: "dos" }, some(threads, 0, 30)));
    const evil = withHeader(bytes, (header) => {
      Object.defineProperty(header, "__proto__", { value: { polluted: 1 }, enumerable: true });
      Object.defineProperty(header.options as object, "__proto__", { value: "x", enumerable: true });
    });
    const { options } = loadModel(evil, "m");
    expect(Object.getPrototypeOf(options)).toBe(Object.prototype);
    expect(options).toEqual(loadModel(bytes).options);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("is not made of one class, nor with the geometric mean", async () => {
    await expect(trained({ name: "dos" }, { ...train, classes: null })).rejects.toThrow("labels are missing");
    await expect(trained({ name: "dos+ldos", options: { combine: "geometric" } })).rejects.toThrow(
      "cannot use the matrix geometric mean",
    );
  });
});

describe("a grid of more moments than the profiles have", () => {
  const of = (moments: number, degrees?: number[]) =>
    fitModel(train, {
      kernel: { name: "dos+ldos", grid: { exponent: [1], ...(degrees && { moments: degrees }) } },
      ...{ profile: { moments }, Cs: [1], folds: 3, executor },
    });

  it("makes the model that profiles of so many moments make, also from its file", async () => {
    const [direct, more] = [await of(35), await of(20, [35])];
    const expected = await predictGraphs(direct, unseen, { executor });
    expect(await predictGraphs(more, unseen, { executor })).toEqual(expected);
    expect(await predictGraphs(loadModel(saveModel(more)), unseen, { executor })).toEqual(expected);
  });

  it("chooses the same point as where the profiles had them all", async () => {
    const [few, all] = [await of(20, [5, 20, 35]), await of(35, [5, 20, 35])];
    expect(few.provenance.chosen).toEqual(all.provenance.chosen);
    expect(few.svc).toEqual(all.svc);
  });
});

describe("fitting", () => {
  it("can be stopped while it chooses", async () => {
    const controller = new AbortController();
    const fit = fitModel(train, {
      ...{ kernel: { name: "dos" }, profile: { moments: 20 }, Cs: [1, 10], folds: 3, executor },
      signal: controller.signal,
      onProgress: ({ task }) => task === "choosing by cross-validation" && controller.abort(),
    });
    await expect(fit).rejects.toMatchObject({ code: "interrupted" });
  });
});
