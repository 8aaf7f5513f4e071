/**
 * The random walk part. Without labels a graph is the vector of its scaled walk counts and the kernel their inner product; with labels
 * pairs of graphs are compared by conjugate gradients (baseline/labelled-walks.ts). λ = share / ρ², ρ the largest spectral radius among the
 * graphs it is learnt from (the training part of an evaluation): the series converges on all of them. A graph with a larger radius ρ_G
 * walks with weights smaller by ρ / ρ_G, so that it converges on it as on the largest of them; the kernel stays positive definite, for its
 * features are a function of the one graph.
 */
import { CheckedState } from "../base/checked-state.js";
import type { RunControl } from "../base/progress.js";
import { spectralRadiusBound, walkSquareTask } from "../baseline/labelled-walks.js";
import { termsFor, walkCounts } from "../baseline/random-walk.js";
import { haveLabels } from "../baseline/sparse-counts.js";
import type { Executor } from "../compute/executor.js";
import { Graph } from "../graph/graph.js";
import { packGraphs } from "../graph/pack.js";
import { type Form, formOptions } from "./form.js";
import { linearSignatures } from "./linear-vectors.js";
import type { OptionValues } from "./options.js";
import { checkSignatures, type FittedPart, graphsFor, type KernelPart } from "./part.js";
import type { Signatures } from "./signatures.js";

/** The power in ‖A^p‖^(1/p) that bounds the spectral radius. */
const POWER = 64;
/** Bounds of radii are computed once a graph, not once a training part. */
const bounds = new WeakMap<Graph, number>();
function radius(graph: Graph): number {
  let found = bounds.get(graph);
  if (found === undefined) {
    found = spectralRadiusBound(graph, POWER);
    bounds.set(graph, found);
  }
  return found;
}

interface Settled {
  /** √λ. */
  root: number;
  terms: number;
  labelled: boolean;
}

export const randomWalkPart: KernelPart = {
  name: "rw",
  title: "geometric random walks",
  options: {
    share: {
      default: 0.5,
      allowed: { from: 0, to: 0.99, above: true },
      grid: [0.1, 0.5, 0.9],
      about: "decay of a step in units of 1/rho^2, rho the largest spectral radius",
    },
    labels: {
      default: "auto",
      allowed: ["auto", "nodes", "none"],
      about: "walks through equal labels only; auto: where all nodes have one",
    },
    ...formOptions(),
  },
  grid: {},
  stochastic: () => false,
  uses: ({ labels }) => (labels === "none" ? ["weights"] : ["labels", "weights"]),
  needs: () => ({ selfLoops: null, nodes: false, graphs: true }),
  learn: (graphs) => Float64Array.of(graphs.reduce((most, graph) => Math.max(most, radius(graph)), 0)),
  async fit(input, options, context, learnt) {
    const graphs = graphsFor(input, "rw");
    const { share, labels } = options;
    const labelled = labels === "nodes" || (labels === "auto" && haveLabels("rw", graphs));
    const [largest] = learnt ?? randomWalkPart.learn!(graphs, options);
    const root = largest === 0 ? 1 : Math.sqrt(share as number) / largest;
    const settled = { root, terms: termsFor(share as number), labelled };
    const bound = bind(settled, options);
    const note = `rw: lambda = ${(root * root).toPrecision(3)}, ${String(share)} of 1/ρ² for the largest spectral radius ρ among the training graphs`;
    return { signatures: await bound.embed(input, context), ...bound, notes: [note] };
  },
  restore: (state, options) => {
    const checked = new CheckedState(state);
    return bind(
      {
        root: checked.number("root", 0),
        terms: checked.whole("terms", 1, termsFor(options.share as number)),
        labelled: checked.flag("labelled"),
      },
      options,
    );
  },
};

function bind(settled: Settled, options: OptionValues): Pick<FittedPart, "embed" | "state"> {
  const { root, terms, labelled } = settled;
  const form = options.form as Form;
  return {
    state: () => ({ values: { root, terms, labelled }, arrays: {} }),
    async embed(input, context) {
      const largest = Math.sqrt(options.share as number) / root;
      const graphs = graphsFor(input, "rw").map((graph) => withinRadius(graph, largest));
      const count = graphs.length;
      const set: Signatures = labelled
        ? {
            kind: "walks",
            count,
            form,
            graphs,
            root,
            squares: await squaresOf(graphs, root, context.executor, context),
          }
        : linearSignatures({ count, dimension: terms, values: walkCounts(graphs, root, terms) }, form);
      checkSignatures(set, "rw", input.nameOf);
      return set;
    },
  };
}

/** The graph, its weights scaled down where its radius is larger. */
function withinRadius(graph: Graph, largest: number): Graph {
  const own = radius(graph);
  if (own <= largest * (1 + 1e-12)) return graph;
  const { nodeCount, selfLoopCount, offsets, targets, weights, labels } = graph;
  const scaled = Graph.allocate({
    ...{ nodeCount, entryCount: targets.length, selfLoopCount, attributeDimension: 0 },
    ...{ weighted: true, labelled: labels !== null },
  });
  scaled.offsets.set(offsets);
  scaled.targets.set(targets);
  for (let e = 0; e < targets.length; e++) scaled.weights![e] = (weights?.[e] ?? 1) * (largest / own);
  scaled.labels?.set(labels!);
  return scaled;
}

/** K(G, G) of each graph. */
async function squaresOf(
  graphs: readonly Graph[],
  root: number,
  executor: Executor,
  { signal }: RunControl,
): Promise<Float64Array> {
  const EACH = 64;
  const inputs = Array.from({ length: Math.ceil(graphs.length / EACH) }, (_, u) => ({
    root,
    graphs: packGraphs(graphs.slice(u * EACH, (u + 1) * EACH)),
  }));
  const parts = await executor.map(walkSquareTask, inputs, { signal });
  const squares = new Float64Array(graphs.length);
  parts.forEach((part, u) => {
    squares.set(part, u * EACH);
  });
  return squares;
}
