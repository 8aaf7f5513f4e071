/**
 * The fit of a deep graph kernel on a worker: one piece of work, since the embedding is of all graphs together, but one that leaves this
 * thread free to show progress and to be interrupted.
 */
import type { RunControl } from "../base/progress.js";
import type { Executor, Task } from "../compute/executor.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs, unpackGraphs } from "../graph/pack.js";
import type { Vectors } from "../signature/dos.js";
import { DeepGraphKernel, type DeepKernelOptions } from "./dgk.js";
import type { Vocabulary } from "./sparse-counts.js";

export interface DeepUnit {
  options: DeepKernelOptions;
  graphs: ArrayBuffer;
}

interface DeepFit {
  /** Of the graphs of the fit. */
  vectors: Vectors;
  vocabulary: Vocabulary;
}

export const deepTask: Task<DeepUnit, DeepFit> = {
  name: "deep-kernel",
  run(_, { options, graphs }) {
    const kernel = new DeepGraphKernel(options);
    const vectors = kernel.fit(unpackGraphs(graphs));
    return { vectors, vocabulary: kernel.vocabulary() };
  },
  give: ({ graphs }) => [graphs],
};

export async function fitDeepKernel(
  graphs: readonly Graph[],
  options: DeepKernelOptions,
  executor: Executor,
  { signal, onProgress }: RunControl,
): Promise<{ kernel: DeepGraphKernel; vectors: Vectors }> {
  const kernel = new DeepGraphKernel(options);
  const task = `dgk: ${kernel.options.substructure} of ${graphs.length} graphs`;
  onProgress?.({ task, done: 0, total: 1, unit: "embeddings" });
  const [{ vectors, vocabulary }] = await executor.map(deepTask, [{ options, graphs: packGraphs(graphs) }], {
    signal,
  });
  kernel.restore(vocabulary);
  onProgress?.({ task, done: 1, total: 1, unit: "embeddings" });
  return { kernel, vectors };
}
