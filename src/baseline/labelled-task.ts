/** The vectors of labelled return probabilities on all workers, some graphs each: a graph's vector depends on the graph and the fit alone. */
import { cutByCost } from "../base/cuts.js";
import type { RunControl } from "../base/progress.js";
import type { Executor, Task } from "../compute/executor.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs, unpackGraphs } from "../graph/pack.js";
import type { Vectors } from "../signature/dos.js";
import { type LabelledOptions, LabelledReturnKernel, type ProfileOfNodes } from "./labelled.js";
import type { Vocabulary } from "./sparse-counts.js";

export interface LabelledUnit {
  options: LabelledOptions;
  /** What the kernel has learnt. */
  learnt: Vocabulary;
  graphs: ArrayBuffer;
  profiles: ProfileOfNodes[];
}

export const labelledTask: Task<LabelledUnit, Float64Array> = {
  name: "labelled-vectors",
  run(_, { options, learnt, graphs, profiles }) {
    const kernel = new LabelledReturnKernel(options);
    kernel.restore(learnt);
    return kernel.transform(unpackGraphs(graphs), profiles).values;
  },
  give: ({ graphs }) => [graphs],
  transfer: (vectors) => [vectors.buffer as ArrayBuffer],
};

/** Rows (nodes, where they have attributes) × features of a unit: a fraction of a second. */
const PRODUCTS_A_UNIT = 2e6;

/** As kernel.transform(graphs, profiles). */
export async function labelledVectors(
  kernel: LabelledReturnKernel,
  graphs: readonly Graph[],
  profiles: readonly ProfileOfNodes[],
  executor: Executor,
  { signal, onProgress }: RunControl,
): Promise<Vectors> {
  kernel.check(graphs, profiles);
  const { options, dimension, attributeCount } = kernel;
  const learnt = kernel.vocabulary();
  const rowsOf = (g: number) => (attributeCount > 0 ? graphs[g].nodeCount : profiles[g].rowCount);
  const cuts = cutByCost(graphs.length, (g) => rowsOf(g) * options.features, PRODUCTS_A_UNIT);
  const units = cuts.slice(1).map((to, u) => ({
    ...{ options, learnt, graphs: packGraphs(graphs.slice(cuts[u], to)) },
    profiles: profiles.slice(cuts[u], to).map(plainProfile),
  }));
  const values = new Float64Array(graphs.length * dimension);
  let done = 0;
  await executor.map(labelledTask, units, {
    signal,
    onResult(u, vectors) {
      values.set(vectors, cuts[u] * dimension);
      done += cuts[u + 1] - cuts[u];
      onProgress?.({ task: "sage", done, total: graphs.length, unit: "graphs" });
    },
  });
  return { count: graphs.length, dimension, values };
}

/** Without the bytes that profiles side by side share. */
const plainProfile = ({ nodeCount, moments, rowCount, rows, rowOf }: ProfileOfNodes): ProfileOfNodes => ({
  ...{ nodeCount, moments, rowCount },
  ...{ rows: rows.slice(), rowOf: rowOf.slice() },
});
