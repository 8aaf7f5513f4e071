/** Figure 3: time of the features of one graph against its edges, real graphs and R-MAT graphs of 10^4 to 10^7 edges. */
import { rmat } from "../../graph/generators/index.js";
import type { Graph } from "../../graph/graph.js";
import { probeProfile } from "../../spectrum/probes.js";
import { sharedRunner } from "../../spectrum/step-runner.js";
import type { Conductor } from "./conductor.js";
import type { ScalingPoint } from "./types.js";

const MOMENTS = 50;
const PROBES = 16;
/** Edges for a node of the generated graphs. */
const EDGES_A_NODE = 6;

export async function scalingPoints(conductor: Conductor, points: ScalingPoint[]): Promise<void> {
  const { graphs = [], largest = 1e7, protocol } = conductor.options;
  const generated: { name: string; open: () => Promise<Graph> }[] = [];
  for (let edges = 1e4; edges <= largest * 1.001; edges *= Math.sqrt(10))
    generated.push({
      name: `R-MAT ${edges.toExponential(1)}`,
      open: async () =>
        rmat({
          scale: Math.round(Math.log2(edges / EDGES_A_NODE)),
          edges: Math.round(edges),
          seed: protocol.seed + 1,
        }),
    });
  if (graphs.length === 0) conductor.leaveOut("figure 3: no real graphs at hand, generated ones only");
  for (const [kind, list] of [
    ["real", graphs],
    ["generated", generated],
  ] as const)
    for (const { name, open } of list) {
      await conductor.step(
        `figure 3: ${name}`,
        20,
        () =>
          conductor.remember(["scaling", name, MOMENTS, PROBES, protocol.seed], async () => ({
            graph: name,
            kind,
            ...(await timed(conductor, await open())),
          })),
        (point) => points.push(point),
      );
    }
}

async function timed(conductor: Conductor, graph: Graph): Promise<Omit<ScalingPoint, "graph" | "kind">> {
  const { executor, signal, protocol } = conductor.options;
  const seconds = async (nodes: boolean) => {
    const start = performance.now();
    await probeProfile(graph, await sharedRunner(executor), {
      moments: MOMENTS,
      probes: PROBES,
      seed: protocol.seed,
      nodes,
      filter: "none",
      signal,
    });
    return (performance.now() - start) / 1000;
  };
  const dosSeconds = await seconds(false);
  const ldosSeconds = await seconds(true);
  return {
    nodes: graph.nodeCount,
    edges: graph.edgeCount,
    dosSeconds,
    ldosSeconds,
    moments: MOMENTS,
    probes: PROBES,
  };
}
