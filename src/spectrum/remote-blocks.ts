/**
 * One large graph on machines that share no memory: each takes blocks of probes, or of sampled nodes, over its own copy of the graph.
 * A block is a strip as it would run here (strips.ts), so that the result is the same to the bit.
 *
 * The graph goes to a machine once; a thread lays its matrix out once and keeps it until another graph comes. Cost of a block:
 * entries × columns × M/2, or × M with the moments of nodes; memory of a thread: the matrix and the vectors of one strip.
 */
import { badData } from "../base/errors.js";
import type { Executor, Task, TaskContext } from "../compute/executor.js";
import { hashOf } from "../compute/store.js";
import { loadKernels } from "../compute/wasm.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs, unpackGraphs } from "../graph/pack.js";
import { filteredClasses } from "./motif-filter.js";
import type { ProbeOptions } from "./probe-options.js";
import { type ProbeBlock, type ProbeElsewhere, ProbeEstimation } from "./probes.js";
import { layOut } from "./row-operator.js";
import { classMoments, type SampleElsewhere } from "./sample.js";
import { inlineRunner } from "./step-runner.js";

export interface Elsewhere {
  probes(options: ProbeOptions): ProbeElsewhere;
  sample(options: { moments: number; selfLoops: boolean }): SampleElsewhere;
}

interface LargeGraph {
  /** Hash of the graph and of what is laid out of it. */
  key: string;
  /** The packed graph, on shared memory. */
  graph: ArrayBufferLike;
}

interface ProbeUnit extends LargeGraph {
  options: ProbeOptions;
  first: number;
  count: number;
}

interface SampleUnit extends LargeGraph {
  moments: number;
  selfLoops: boolean;
  classes: number[];
}

/** What this thread has made of the large graph, made anew for another one. It lies in a memory of its own. */
async function prepared<T>(
  context: TaskContext,
  { key, graph }: LargeGraph,
  make: (graph: Graph, runner: ReturnType<typeof inlineRunner>) => T,
): Promise<T> {
  const kept = context.memory.get("large graph") as { key: string; made: T } | undefined;
  if (kept?.key === key) return kept.made;
  context.memory.delete("large graph");
  const made = make(unpackGraphs(graph)[0], inlineRunner(await loadKernels()));
  context.memory.set("large graph", { key, made });
  return made;
}

export const probeBlockTask: Task<ProbeUnit, ProbeBlock> = {
  name: "probe-block",
  describe: ({ first, count }) => `probes ${first} to ${first + count - 1}`,
  async run(context, unit) {
    const make = (graph: Graph, runner: ReturnType<typeof inlineRunner>) =>
      new ProbeEstimation(graph, runner, { ...unit.options, keepVectors: false });
    return (await prepared(context, unit, make)).block(unit.first, unit.count);
  },
};

export const sampleBlockTask: Task<SampleUnit, Float64Array> = {
  name: "sample-block",
  describe: ({ classes }) => `the sampled nodes of classes ${classes.join(", ")}`,
  async run(context, unit) {
    const { classes, moments, selfLoops } = unit;
    const { runner, twins, operator } = await prepared(context, unit, (graph, runner) => {
      const twins = filteredClasses(graph, "all", selfLoops);
      return { runner, twins, operator: layOut(graph, twins, selfLoops, runner.kernels.arena) };
    });
    for (const p of classes)
      if (!(p < twins.count))
        throw badData(
          `sample-block: class: got ${p}, expected below ${twins.count}, the classes of the graph`,
        );
    const out = new Float64Array(classes.length * (moments + 1));
    await classMoments(runner, operator, twins, classes, out, { moments });
    return out;
  },
};

/** Runs the blocks of a graph in the workers of an executor. */
export async function blocksElsewhere(
  executor: Executor,
  graph: Graph,
  signal: AbortSignal | undefined,
): Promise<Elsewhere> {
  const packed = new Uint8Array(packGraphs([graph]));
  const shared = new Uint8Array(new SharedArrayBuffer(packed.length));
  shared.set(packed);
  const hash = await hashOf(packed);
  const of = (...layout: unknown[]) => ({ key: `${hash} ${JSON.stringify(layout)}`, graph: shared.buffer });
  return {
    probes: (options) => (blocks) => {
      const units = blocks.map((block) => ({ ...of("probes", options), options, ...block }));
      return executor.map(probeBlockTask, units, { signal });
    },
    sample:
      ({ moments, selfLoops }) =>
      (lists) => {
        const units = lists.map((classes) => ({ ...of("sample", selfLoops), moments, selfLoops, classes }));
        return executor.map(sampleBlockTask, units, { signal });
      },
  };
}
