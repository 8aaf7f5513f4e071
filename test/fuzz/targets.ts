/** The readers under fuzz: how a mutant of each is made and how what was read is checked. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { strFromU8, strToU8, unzipSync } from "fflate";
import { crc32 } from "../../src/base/crc32.js";
import type { Random } from "../../src/base/random.js";
import { decodePlain, encodePlain } from "../../src/compute/plain-data.js";
import { bytesSource } from "../../src/data/bytes.js";
import { readNpy } from "../../src/data/npy.js";
import { readNpz } from "../../src/data/npz.js";
import { readDataset } from "../../src/data/read.js";
import type { ReadOptions } from "../../src/data/reading.js";
import { StageCache } from "../../src/experiment/stage-cache.js";
import { packGraphs, unpackGraphs } from "../../src/graph/pack.js";
import { packState, unpackState } from "../../src/kernel/state.js";
import { predictGraphs } from "../../src/model/model.js";
import { loadModel } from "../../src/model/model-file.js";
import { DiskStore } from "../../src/node/disk-store.js";
import { nodeInflate } from "../../src/node/file-source.js";
import { computeProfiles } from "../../src/spectrum/profiles.js";
import * as check from "./check.js";
import { attackZipField, flipBits, mutate, mutateNumbers, mutateTree } from "./mutate.js";
import * as valid from "./valid-files.js";

export interface Target {
  name: string;
  mutant(random: Random): Uint8Array;
  /** Reads and checks; `random` decides on options of the reader. Throws GraphdosError, or anything else where something is wrong. */
  read(bytes: Uint8Array, random: Random): Promise<void>;
}

const pick = <T>(random: Random, from: readonly T[]): T => from[random.integer(from.length)];

/** What unpacks to more is refused: the guard against bombs, set low. */
const MOST_UNPACKED = 64 * 2 ** 20;

function readAs(name: string) {
  return async (bytes: Uint8Array, random: Random) => {
    const options: ReadOptions = { maxUnpackedBytes: MOST_UNPACKED };
    if (random.integer(4) !== 0) options.inflate = nodeInflate;
    if (random.integer(4) === 0) options.edgeWeights = true;
    if (random.integer(8) === 0) options.ids = "words";
    check.checkDataset(await readDataset(bytesSource(name, bytes), options));
  };
}

function textTarget(name: string, file: string, files: readonly Uint8Array[]): Target {
  return {
    name,
    mutant(random) {
      const made = mutate(pick(random, files), random, files);
      return random.integer(16) === 0 ? mutate(valid.gzipped(made), random, [made]).slice() : made;
    },
    read: readAs(file),
  };
}

function jsonTarget(): Target {
  const files = [...valid.jsons, valid.bigJson()];
  const plain = textTarget("json", "x.json", files);
  return {
    ...plain,
    mutant(random) {
      if (random.integer(2) === 0) return plain.mutant(random);
      let tree: unknown = JSON.parse(strFromU8(pick(random, files)));
      for (let k = 1 + random.integer(3); k > 0; k--) tree = mutateTree(tree, random);
      return strToU8(JSON.stringify(tree) ?? "");
    },
  };
}

/** Archives of text files: the files inside are changed and packed again, or the archive itself is. */
function zipTarget(name: string, sets: readonly Record<string, string>[]): Target {
  const packed = sets.map(valid.zipOf);
  return {
    name,
    mutant(random) {
      const files: Record<string, Uint8Array> = unzipSync(pick(random, packed));
      const paths = Object.keys(files);
      if (random.integer(4) !== 0) {
        const others = Object.values(files);
        for (let k = 1 + random.integer(2); k > 0; k--) {
          const path = pick(random, paths);
          files[path] = new Uint8Array(mutate(files[path], random, others));
        }
        if (random.integer(10) === 0) delete files[pick(random, paths)];
        if (random.integer(10) === 0)
          files[pick(random, ["A_A.txt", "x/labels.csv", "empty.txt"])] = pick(random, others);
        return valid.packed(files, random.integer(2) === 0 ? 0 : 6);
      }
      return mutate(pick(random, packed), random, packed, [attackZipField, attackZipField, attackZipField]);
    },
    read: readAs(`${name}.zip`),
  };
}

const npyTarget: Target = {
  name: "npy",
  mutant: (random) => mutate(pick(random, valid.arrays), random, valid.arrays),
  async read(bytes) {
    check.checkArray(readNpy(bytes));
  },
};

const npzTarget: Target = {
  name: "npz",
  mutant(random) {
    if (random.integer(2) === 0)
      return mutate(pick(random, valid.archives), random, valid.archives, [attackZipField, attackZipField]);
    const files: Record<string, Uint8Array> = unzipSync(pick(random, valid.archives));
    const path = pick(random, Object.keys(files));
    files[path] = new Uint8Array(mutate(files[path], random, valid.arrays));
    return valid.packed(files, random.integer(2) === 0 ? 0 : 6);
  },
  async read(bytes, random) {
    const inflate = random.integer(4) === 0 ? undefined : nodeInflate;
    const arrays = await readNpz(bytes, "x.npz", { inflate, maxUnpackedBytes: MOST_UNPACKED });
    for (const array of arrays.values()) check.checkArray(array);
  },
};

const align8 = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** Length and checksum of a model file made right again. */
function sealModel(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 32) return bytes;
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  view.setFloat64(16, out.length, true);
  view.setUint32(12, crc32(out.subarray(24)), true);
  return out;
}

/** The header and the states of a model file changed as JSON and as arrays, and put together again. */
function rebuiltModel(bytes: Uint8Array, random: Random): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const textBytes = view.getUint32(24, true);
  let header = JSON.parse(strFromU8(bytes.subarray(28, 28 + textBytes))) as { states: number[] };
  let at = 24 + align8(4 + textBytes);
  const states = header.states.map((length) => {
    const state = bytes.slice(at, at + length).buffer;
    at += align8(length);
    return state;
  });
  if (random.integer(3) === 0) header = mutateTree(header, random) as typeof header;
  else {
    const chosen = random.integer(states.length);
    const { values, arrays } = unpackState(states[chosen]);
    const names = Object.keys(arrays);
    const kind = random.integer(5);
    if (kind <= 1 && names.length > 0) {
      const name = pick(random, names);
      arrays[name] = mutateNumbers(arrays[name], random);
    } else if (kind === 2 && names.length > 0) delete arrays[pick(random, names)];
    else if (kind === 3 && names.length > 0)
      arrays[pick(random, names)] = pick(random, [Float64Array.of(1), new Uint32Array(3)]);
    else mutateTree(values, random);
    states[chosen] = packState({ values, arrays });
    header.states[chosen] = states[chosen].byteLength;
  }
  const text = strToU8(JSON.stringify(header));
  const head = new Uint8Array(24 + align8(4 + text.length));
  head.set(bytes.subarray(0, 24));
  new DataView(head.buffer).setUint32(24, text.length, true);
  head.set(text, 28);
  const out = new Uint8Array(states.reduce((sum, state) => sum + align8(state.byteLength), head.length));
  out.set(head);
  let end = head.length;
  for (const state of states) {
    out.set(new Uint8Array(state), end);
    end += align8(state.byteLength);
  }
  return sealModel(out);
}

async function modelTarget(): Promise<Target> {
  const files = await valid.models();
  const unseen = valid.fewGraphs(4);
  return {
    name: "model",
    mutant(random) {
      const file = pick(random, files);
      const way = random.integer(5);
      if (way === 0) return mutate(file, random, files);
      if (way === 1) return sealModel(mutate(file, random, files));
      return rebuiltModel(file, random);
    },
    async read(bytes) {
      const model = loadModel(bytes);
      const prediction = await predictGraphs(model, unseen, { executor: valid.executor });
      check.checkPrediction(prediction, unseen.graphs.length, model.classNames.length);
    },
  };
}

/** Header of a DiskStore's file made right again for what follows it. */
function sealCache(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 56) return bytes;
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  view.setUint32(8, crc32(out.subarray(56)), true);
  view.setFloat64(16, out.length - 56, true);
  return out;
}

/** Files of the result cache: damaged ones are computed anew, whatever is in them. */
async function cacheTarget(): Promise<Target & { close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "graphdos-fuzz-"));
  const { graphs } = valid.fewGraphs(4);
  const profiles = await computeProfiles(graphs, { moments: 4 }, valid.executor);
  const distances = {
    rows: 3,
    columns: 3,
    values: Float64Array.of(0, 1, 2, 1, 0, 3, 2, 3, 0),
    mostNegative: 0,
    errorBound: 0,
    notes: ["a"],
  };
  const vectors = {
    kind: "vectors",
    metric: "euclidean",
    count: 2,
    dimension: 2,
    slack: 0,
    values: Float64Array.of(1, 2, 3, 4),
    missed: Float64Array.of(0, 1),
  } as const;
  const stages = [
    async (cache: StageCache) => {
      for (const profile of await cache.profiles({}, async () => profiles)) check.checkProfile(profile);
    },
    async (cache: StageCache) => {
      const made = async () => ({ signatures: vectors, notes: ["rank 2"] });
      check.checkVectors((await cache.signatures({}, made)).signatures);
    },
    async (cache: StageCache) =>
      check.checkDistances(await cache.distances({}, false, async () => distances)),
    async (cache: StageCache) =>
      check.checkDistances(
        await cache.distances({ f: 1 }, true, async () => ({ ...distances, values: new Float32Array(9) })),
      ),
  ];
  const entries: { path: string; bytes: Uint8Array; run: () => Promise<void> }[] = [];
  for (const [k, stage] of stages.entries()) {
    const store = new DiskStore(join(folder, String(k)));
    const run = () => stage(new StageCache(store, "graphs"));
    await run();
    const [name] = readdirSync(store.folder, { recursive: true, encoding: "utf8" }).filter((inner) =>
      /[/\\][0-9a-f]{62}$/.test(inner),
    );
    const path = join(store.folder, name);
    entries.push({ path, bytes: new Uint8Array(readFileSync(path)), run });
  }
  const all = entries.map(({ bytes }) => bytes);
  return {
    name: "cache",
    mutant(random) {
      const stage = random.integer(entries.length);
      const { bytes } = entries[stage];
      const way = random.integer(4);
      let made: Uint8Array;
      if (way === 0) made = mutate(bytes, random, all);
      else if (way === 1) made = sealCache(flipBits(bytes, random));
      else {
        const payload = mutate(bytes.subarray(56), random, [bytes.subarray(56)]);
        const whole = new Uint8Array(56 + payload.length);
        whole.set(bytes.subarray(0, 56));
        whole.set(payload, 56);
        made = sealCache(whole);
      }
      // which stage reads it goes in front
      const out = new Uint8Array(1 + made.length);
      out[0] = stage;
      out.set(made, 1);
      return out;
    },
    async read(bytes) {
      const { path, run } = entries[bytes[0]];
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes.subarray(1));
      await run();
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What machines of a cluster and shards send one another, and packed graphs inside it. */
function plainTarget(): Target {
  const { graphs } = valid.fewGraphs(4);
  const files = [
    encodePlain({ a: [1, Number.NaN, { b: "x" }], c: Float64Array.of(1, 2), d: packGraphs(graphs), e: null }),
    encodePlain([new Uint32Array(3), new Uint8Array(5), "text", -0]),
  ];
  return {
    name: "plain data",
    mutant: (random) => mutate(pick(random, files), random, files),
    async read(bytes, random) {
      const value = decodePlain(bytes, { own: random.integer(2) === 0 });
      const packed = typeof value === "object" && value !== null && "d" in value ? value.d : null;
      if (packed instanceof ArrayBuffer) for (const graph of unpackGraphs(packed)) graph.validate();
    },
  };
}

/** All of them; `close` removes what they put on disk. */
export async function makeTargets(): Promise<{ targets: Target[]; close(): void }> {
  const cache = await cacheTarget();
  const targets = [
    zipTarget("tu", valid.tuFiles()),
    zipTarget("folder", valid.folderFiles),
    textTarget("edges", "x.txt", valid.edgeLists),
    textTarget("mtx", "x.mtx", valid.matrices),
    textTarget("graphml", "x.graphml", valid.graphmls),
    textTarget("gexf", "x.gexf", valid.gexfs),
    jsonTarget(),
    textTarget("gml", "x.gml", valid.gmls),
    textTarget("dot", "x.dot", valid.dots),
    textTarget("pajek", "x.net", valid.pajeks),
    textTarget("graph6", "x.g6", valid.graph6s),
    textTarget("gdf", "x.gdf", valid.gdfs),
    textTarget("metis", "x.metis", valid.metises),
    textTarget("adjacency lists", "x.adjlist", valid.adjacencyLists),
    textTarget("multiline adjacency lists", "x.multiline_adjlist", valid.multilineLists),
    textTarget("lgl", "x.lgl", valid.lgls),
    textTarget("text matrices", "x.csv", valid.textMatrices),
    zipTarget("karateclub", valid.karateclubFiles),
    npyTarget,
    npzTarget,
    await modelTarget(),
    cache,
    plainTarget(),
  ];
  return { targets, close: cache.close };
}
