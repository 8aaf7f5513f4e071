/** Every unit of every command passes its schema; what an enemy makes of one ends in a result or in a sentence. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { GraphdosError } from "../../src/base/errors.js";
import { createContext, type Executor, inlineExecutor } from "../../src/compute/executor.js";
import { decodePlain, encodePlain } from "../../src/compute/plain-data.js";
import { syntheticDataset } from "../../src/data/synthetic/index.js";
import { evaluate } from "../../src/experiment/evaluation.js";
import { protocolByName } from "../../src/experiment/protocols.js";
import { barabasiAlbert } from "../../src/graph/generators/index.js";
import { Graph } from "../../src/graph/graph.js";
import { KERNELS } from "../../src/kernel/registry.js";
import { fitModel } from "../../src/model/model.js";
import { checkUnit, NOT_ELSEWHERE } from "../../src/node/cluster/unit-schemas.js";
import { computeProfiles } from "../../src/spectrum/profiles.js";
import { blocksElsewhere } from "../../src/spectrum/remote-blocks.js";
import { tasks } from "../../src/tasks.js";

/** Units as workers get them, by task: decoded from the bytes that travel. */
const captured = new Map<string, unknown[]>();
const inline = inlineExecutor();
const travelled = (input: unknown) => decodePlain(encodePlain(input));

const recording: Executor = {
  workers: 2,
  remote: { unitSeconds: 1 },
  async map(task, inputs, options) {
    const units = captured.get(task.name) ?? [];
    captured.set(task.name, units);
    units.push(...inputs.map(travelled));
    return inline.map(task, inputs.map(travelled) as typeof inputs, options);
  },
  close: async () => undefined,
};

/** The graph with labels 0, 1, 2, 0, … */
function labelled(graph: Graph): Graph {
  const copy = Graph.allocate({ ...graph.shape, labelled: true });
  copy.offsets.set(graph.offsets);
  copy.targets.set(graph.targets);
  copy.labels!.set(Array.from(copy.labels!, (_, i) => i % 3));
  return copy;
}

beforeAll(async () => {
  const set = syntheticDataset("ego", { graphs: 16, seed: 1 });
  const protocol = protocolByName("quick", { folds: 2, inner: 2, Cs: [0.1, 1] });
  const requests = [...KERNELS.map(({ name }) => ({ name })), { name: "ldos", options: { mmd: "exact" } }];
  await evaluate(set, { kernels: requests, protocol, profile: { moments: 12 }, executor: recording });
  const marked = { ...set, graphs: set.graphs.map(labelled) };
  await evaluate(marked, { kernels: [{ name: "rw" }, { name: "sp" }], protocol, executor: recording });
  await fitModel(set, { kernel: { name: "dos" }, profile: { moments: 12 }, folds: 2, executor: recording });
  const graph = barabasiAlbert(200, 2, 1);
  await computeProfiles([graph], { estimator: "probes", probes: 4, moments: 8 }, recording);
  const elsewhere = await blocksElsewhere(recording, graph, undefined);
  await elsewhere.probes({ seed: 3, nodes: false, moments: 8 })([{ first: 0, count: 8 }]);
  await elsewhere.sample({ moments: 8, selfLoops: true })([[0, 3, 7]]);
});

describe("units of real commands", () => {
  it("are there of every task but those that share memory", () => {
    const missing = tasks.map(({ name }) => name).filter((name) => !captured.has(name));
    expect(missing).toEqual(Object.keys(NOT_ELSEWHERE));
  });

  it("pass", async () => {
    for (const [task, units] of captured) for (const unit of units) await checkUnit(task, unit);
  });
});

/** Paths to every value in the data: names and places, in the order of writing. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  const here = [path];
  if (value === null || typeof value !== "object") return here;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer)
    return here;
  const entries = Array.isArray(value) ? value.map((entry, k) => [k, entry] as const) : Object.entries(value);
  return [...here, ...entries.slice(0, 50).flatMap(([key, entry]) => pathsOf(entry, [...path, key]))];
}

type Change = (value: unknown, pick: number) => unknown;
const NUMBERS = [-1, 0, 0.5, 1, 2, 3, 255, 2 ** 31, 2 ** 32, 1e300, Number.NaN, Number.POSITIVE_INFINITY];

const changes: Record<string, Change> = {
  "another number": (_, pick) => NUMBERS[pick % NUMBERS.length],
  nothing: () => null,
  missing: () => undefined,
  text: (_, pick) => ["", "auto", "__proto__", "x".repeat(5000)][pick % 4],
  "an object": () => ({}),
  "an empty list": () => [],
  "numbers of another kind": (_, pick) =>
    new [Float64Array, Float32Array, Int32Array, Uint32Array][pick % 4](3),
  "a cut": (value, pick) => {
    if (Array.isArray(value)) return value.slice(0, pick % (value.length + 1));
    if (value instanceof ArrayBuffer) return value.slice(0, pick % (value.byteLength + 1));
    return ArrayBuffer.isView(value)
      ? (value as Float64Array).slice(0, pick % (value.byteLength + 1))
      : value;
  },
  "a longer array": (value) => {
    if (Array.isArray(value)) return [...value, ...value];
    if (!ArrayBuffer.isView(value)) return value;
    const numbers = value as Float64Array;
    const longer = new (numbers.constructor as Float64ArrayConstructor)(numbers.length + 5);
    longer.set(numbers);
    return longer;
  },
  "a changed entry": (value, pick) => {
    if (value instanceof ArrayBuffer && value.byteLength > 0) {
      const bytes = new Uint8Array(value.slice(0));
      bytes[pick % bytes.length] ^= 1 + (pick % 255);
      return bytes.buffer;
    }
    if (!ArrayBuffer.isView(value)) return value;
    const numbers = (value as Float64Array).slice();
    if (numbers.length > 0) numbers[pick % numbers.length] = NUMBERS[pick % NUMBERS.length];
    return numbers;
  },
};

/** A copy in which the value at the path is changed. */
function changed(unit: unknown, path: (string | number)[], change: Change, pick: number): unknown {
  if (path.length === 0) return change(unit, pick);
  const [first, ...rest] = path;
  const copy = (Array.isArray(unit) ? [...unit] : { ...(unit as object) }) as Record<
    string | number,
    unknown
  >;
  copy[first] = changed(copy[first], rest, change, pick);
  return copy;
}

describe("hostile units", () => {
  const hostile = fc.record({
    unit: fc.nat(),
    path: fc.nat(),
    kind: fc.constantFrom(...Object.keys(changes)),
    pick: fc.nat(),
  });

  it.each(tasks.map(({ name }) => name).filter((name) => !(name in NOT_ELSEWHERE)))(
    "of %s end in a result or a sentence",
    async (name) => {
      const task = tasks.find((each) => each.name === name)!;
      const context = await createContext();
      await fc.assert(
        fc.asyncProperty(hostile, async ({ unit: which, path, kind, pick }) => {
          const units = captured.get(name)!;
          const unit = travelled(units[which % units.length]);
          const paths = pathsOf(unit);
          const bad = changed(unit, paths[path % paths.length], changes[kind], pick);
          try {
            await checkUnit(name, bad);
            context.kernels.arena.reset();
            await task.run(context, bad as never);
          } catch (error) {
            if (!(error instanceof GraphdosError)) throw error;
          }
        }),
        { numRuns: 150 },
      );
    },
  );

  it("that are known are refused with a sentence", async () => {
    const of = (name: string, more: object) => ({
      ...(travelled(captured.get(name)![0]) as object),
      ...more,
    });
    const refused = async (name: string, more: object, sentence: string) =>
      expect(checkUnit(name, of(name, more))).rejects.toThrow(sentence);
    await refused("nested-fold", { train: new Int32Array([0, 1, 10_000]) }, "are of other graphs");
    await refused("nested-fold", { test: new Int32Array([-1]) }, "are of other graphs");
    await refused("nested-fold", { inner: 1e9 }, "unit of nested-fold: inner");
    await refused("nested-fold", { kernel: "../../x" }, "unknown kernel");
    await refused("nested-fold", { code: "process.exit()" }, "Unrecognized key");
    await refused("profiles", { graphs: new ArrayBuffer(64) }, "unit of profiles");
    await refused("profiles", { options: { moments: 1e9 } }, "options.moments");
    await refused("vector-distances", { dimension: 1, a: new Float64Array(20_000), b: null }, "not too many");
    await refused("labelled-walks", { root: 1 }, "does not converge");
    await refused("probe-block", { key: "of another graph" }, "the key is of another graph");
    await refused("landmark-coordinates", { rank: 60_000 }, "do not fit together");
    await expect(checkUnit("chebyshev-steps", {})).rejects.toThrow("not for other machines");
    await expect(checkUnit("constructor", {})).rejects.toThrow("unknown task");
    await expect(checkUnit("start", null)).rejects.toThrow("unknown task");
  });

  it("graphs with an edge in one direction alone, or with neighbours that do not exist, are refused", async () => {
    const { graphs } = travelled(captured.get("laplacian-traces")![0]) as { graphs: ArrayBuffer };
    // the first target of the first graph: header and offsets are before it
    const count = new Float64Array(graphs, 0, 1)[0];
    const start = 8 * (count + 1);
    const nodes = new Uint32Array(graphs, start + 12, 1)[0];
    const target = new Uint32Array(graphs, start + 32 + 8 * Math.ceil((nodes + 1) / 2), 1);
    for (const neighbour of [nodes, 2 ** 32 - 1, (target[0] + 1) % nodes]) {
      target[0] = neighbour;
      await expect(checkUnit("laplacian-traces", { graphs: graphs.slice(0), plan: null })).rejects.toThrow(
        /packed graph 0: .*(out of range|both directions|not ascending)/,
      );
    }
  });
});
