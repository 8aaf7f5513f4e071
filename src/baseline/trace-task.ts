/**
 * Heat and wave traces of many graphs on all workers, for NetLSD (all eigenvalues) and SLaQ (Lanczos rules). A trace before normalisation
 * serves every normalisation, and the eigenvalues serve both traces: the work is done once for all settings of a search.
 */
import type { RunControl } from "../base/progress.js";
import type { Executor, Task } from "../compute/executor.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs, unpackGraphs } from "../graph/pack.js";
import { addTrace, laplacianSpectrum, logarithmicTimes, NETLSD_TRACES, type NetlsdTrace } from "./netlsd.js";
import { probedSpectrum, probedTrace } from "./slaq.js";

/** Null: all eigenvalues. */
export type ProbePlan = { probes: number; steps: number; seed: number } | null;

interface TraceUnit {
  graphs: ArrayBuffer;
  plan: ProbePlan;
}

/** graphs × times numbers for each trace, and the largest standard error of the traces a node. */
export interface Traces extends Record<NetlsdTrace, Float64Array> {
  largestError: number;
}

export const traceTask: Task<TraceUnit, Traces> = {
  name: "laplacian-traces",
  run({ kernels }, { graphs: packed, plan }) {
    const graphs = unpackGraphs(packed);
    const times = logarithmicTimes();
    const width = times.length;
    const out: Traces = {
      heat: new Float64Array(graphs.length * width),
      wave: new Float64Array(graphs.length * width),
      largestError: 0,
    };
    graphs.forEach((graph, g) => {
      const exact = plan === null ? laplacianSpectrum(kernels, graph) : null;
      const probed = plan === null ? null : probedSpectrum(graph, plan);
      for (const trace of NETLSD_TRACES) {
        const row = out[trace].subarray(g * width, (g + 1) * width);
        const options = { trace, normalisation: "none" as const, times };
        if (exact !== null) addTrace(row, exact.values, exact.multiplicities, options);
        if (probed === null) continue;
        const error = probed.probes > 1 ? new Float64Array(width) : null;
        probedTrace(probed, options, row, error);
        for (const e of error ?? [])
          out.largestError = Math.max(out.largestError, e / Math.max(1, graph.nodeCount));
      }
    });
    return out;
  },
  give: ({ graphs }) => [graphs],
  transfer: ({ heat, wave }) => [heat.buffer as ArrayBuffer, wave.buffer as ArrayBuffer],
};

const GRAPHS_A_UNIT = 16;

export async function laplacianTraces(
  graphs: readonly Graph[],
  plan: ProbePlan,
  executor: Executor,
  { signal, onProgress }: RunControl,
): Promise<Traces> {
  const width = logarithmicTimes().length;
  const heat = new Float64Array(graphs.length * width);
  const wave = new Float64Array(graphs.length * width);
  // the largest first, so that the last units even out
  const order = graphs.map((_, g) => g).sort((a, b) => graphs[b].nodeCount - graphs[a].nodeCount || a - b);
  const units: number[][] = [];
  for (let from = 0; from < order.length; from += GRAPHS_A_UNIT)
    units.push(order.slice(from, from + GRAPHS_A_UNIT));
  let [done, largestError] = [0, 0];
  const inputs = units.map((unit) => ({ graphs: packGraphs(unit.map((g) => graphs[g])), plan }));
  await executor.map(traceTask, inputs, {
    signal,
    onResult(u, traces) {
      units[u].forEach((g, k) => {
        heat.set(traces.heat.subarray(k * width, (k + 1) * width), g * width);
        wave.set(traces.wave.subarray(k * width, (k + 1) * width), g * width);
      });
      largestError = Math.max(largestError, traces.largestError);
      done += units[u].length;
      onProgress?.({
        task: plan === null ? "eigenvalues" : "Lanczos",
        done,
        total: graphs.length,
        unit: "graphs",
      });
    },
  });
  return { heat, wave, largestError };
}
