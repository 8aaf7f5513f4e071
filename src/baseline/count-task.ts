/**
 * Counts of patterns, spread over workers: each counts some graphs with a fit of its own, and the numbers of its patterns are then
 * translated, part after part. The patterns are numbered in the order in which they first appear, as if one had counted all.
 */
import { cutByCost } from "../base/cuts.js";
import type { RunControl } from "../base/progress.js";
import type { Executor, Task } from "../compute/executor.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs, unpackGraphs } from "../graph/pack.js";
import { Fgsd, type FgsdOptions } from "./fgsd.js";
import { Graphlet, type GraphletOptions } from "./graphlet.js";
import { Propagation, type PropagationOptions } from "./propagation.js";
import { ShortestPath, type ShortestPathOptions } from "./shortest-path.js";
import type { CountFeatures, MergingVectoriser, Vocabulary } from "./sparse-counts.js";

/** What is counted, and how. */
export type CountPlan =
  | { pattern: "shortest-path"; options: ShortestPathOptions }
  | { pattern: "graphlet"; options: GraphletOptions }
  | { pattern: "propagation"; options: PropagationOptions }
  | { pattern: "fgsd"; options: FgsdOptions };

export function vectoriserOf({ pattern, options }: CountPlan): MergingVectoriser {
  if (pattern === "graphlet") return new Graphlet(options);
  if (pattern === "propagation") return new Propagation(options);
  return pattern === "fgsd" ? new Fgsd(options) : new ShortestPath(options);
}

interface CountUnit {
  plan: CountPlan;
  graphs: ArrayBuffer;
}

interface CountUnitResult {
  features: CountFeatures;
  vocabulary: Vocabulary;
}

export const countTask: Task<CountUnit, CountUnitResult> = {
  name: "count-patterns",
  run(_, { plan, graphs }) {
    const vectoriser = vectoriserOf(plan);
    const features = vectoriser.fit(unpackGraphs(graphs));
    return { features, vocabulary: vectoriser.vocabulary() };
  },
  give: ({ graphs }) => [graphs],
  transfer: ({ features }) => [
    features.offsets.buffer as ArrayBuffer,
    features.ids.buffer as ArrayBuffer,
    features.counts.buffer as ArrayBuffer,
  ],
};

/** Parts for each worker: enough that none waits long for the last. */
const PARTS_A_WORKER = 8;

/** Counts of the graphs by the numbers that `into` has, which learns the new patterns. */
export async function countPatterns(
  plan: CountPlan,
  into: MergingVectoriser,
  graphs: readonly Graph[],
  executor: Executor,
  { signal, onProgress }: RunControl,
): Promise<CountFeatures> {
  if (graphs.length === 0) return into.size > 0 ? into.transform([]) : into.fit([]);
  const cuts = cutEvenly(graphs, executor.workers * PARTS_A_WORKER);
  const units = cuts.slice(1).map((to, u) => ({ plan, graphs: packGraphs(graphs.slice(cuts[u], to)) }));
  let done = 0;
  const parts = await executor.map(countTask, units, {
    signal,
    onResult(u) {
      done += cuts[u + 1] - cuts[u];
      onProgress?.({ task: plan.pattern, done, total: graphs.length, unit: "graphs" });
    },
  });
  return joined(parts, into, into.notes(graphs));
}

function joined(parts: CountUnitResult[], into: MergingVectoriser, notes: string[]): CountFeatures {
  const total = parts.reduce((sum, { features }) => sum + features.ids.length, 0);
  const graphs = parts.reduce((sum, { features }) => sum + features.graphs, 0);
  const offsets = new Uint32Array(graphs + 1);
  const ids = new Uint32Array(total);
  const counts = new Float64Array(total);
  let [g, at] = [0, 0];
  for (const { features, vocabulary } of parts) {
    const own = into.merge(vocabulary);
    for (let k = 0; k < features.graphs; k++, g++) {
      const [from, to] = [features.offsets[k], features.offsets[k + 1]];
      // (place, number) as two 32-bit words, the number in the upper: sorted as 64-bit integers
      const pairs = new Uint32Array(2 * (to - from));
      for (let e = from; e < to; e++) {
        pairs[2 * (e - from)] = e;
        pairs[2 * (e - from) + 1] = own[features.ids[e]];
      }
      new BigUint64Array(pairs.buffer).sort();
      for (let e = 0; e < pairs.length; e += 2, at++) {
        ids[at] = pairs[e + 1];
        counts[at] = features.counts[pairs[e]];
      }
      offsets[g + 1] = at;
    }
  }
  return { graphs, offsets, ids, counts, known: into.size, notes };
}

/** Runs of graphs of about equal cost, nodes × entries taken as the measure. */
function cutEvenly(graphs: readonly Graph[], parts: number): number[] {
  const costs = graphs.map(({ nodeCount, targets }) => 1e4 + nodeCount * (targets.length + nodeCount));
  const share = costs.reduce((sum, cost) => sum + cost, 0) / parts;
  return cutByCost(graphs.length, (g) => costs[g], share);
}
