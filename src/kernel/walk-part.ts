/**
 * The random walk part. Without labels a graph is the vector of its scaled walk counts and the kernel their inner product; with labels
 * pairs of graphs are compared by conjugate gradients (baseline/labelled-walks.ts). λ = share / ρ², ρ the largest spectral radius among the
 * graphs of the fit: the series converges on all of them, and an unseen graph on which it does not is refused.
 */
import { CheckedState } from "../base/checked-state.js";
import { badData } from "../base/errors.js";
import { power } from "../base/logarithm.js";
import type { RunControl } from "../base/progress.js";
import { spectralRadiusBound, walkSquareTask } from "../baseline/labelled-walks.js";
import { termsFor, walkCounts } from "../baseline/random-walk.js";
import { haveLabels } from "../baseline/sparse-counts.js";
import type { Executor } from "../compute/executor.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs } from "../graph/pack.js";
import { type Form, formOptions } from "./form.js";
import { linearSignatures } from "./linear-vectors.js";
import type { OptionValues } from "./options.js";
import { checkSignatures, type FittedPart, graphsFor, type KernelPart } from "./part.js";
import type { Signatures } from "./signatures.js";

/** The power in ‖A^p‖^(1/p) that bounds the spectral radius. */
const POWER = 64;
/** Unseen graphs may be as far from converging as this many terms make good. */
const MOST_LEFT_OUT = 1e-9;

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
  needs: () => ({ selfLoops: null, nodes: false, graphs: true }),
  async fit(input, options, context) {
    const graphs = graphsFor(input, "rw");
    const { share, labels } = options;
    const labelled = labels === "nodes" || (labels === "auto" && haveLabels("rw", graphs));
    const largest = graphs.reduce((most, graph) => Math.max(most, spectralRadiusBound(graph, POWER)), 0);
    const root = largest === 0 ? 1 : Math.sqrt(share as number) / largest;
    // twice the terms that the fitted graphs need: an unseen one may have a larger radius
    const settled = { root, terms: 2 * termsFor(share as number), labelled };
    const bound = bind(settled, options);
    const note = `rw: lambda = ${(root * root).toPrecision(3)}, ${String(share)} of 1/ρ² for the largest spectral radius ρ among all graphs given (no class is looked at)`;
    return { signatures: await bound.embed(input, context), ...bound, notes: [note] };
  },
  restore: (state, options) => {
    const checked = new CheckedState(state);
    return bind(
      {
        root: checked.number("root", 0),
        terms: checked.whole("terms", 1, 2 * termsFor(options.share as number)),
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
      const graphs = graphsFor(input, "rw");
      checkConvergence(graphs, settled, input.nameOf);
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

function checkConvergence(
  graphs: readonly Graph[],
  { root, terms }: Settled,
  nameOf = (g: number) => `graph ${g}`,
): void {
  graphs.forEach((graph, g) => {
    const q = (root * spectralRadiusBound(graph, POWER)) ** 2;
    if (q < 1 && power(q, terms) / (1 - q) <= MOST_LEFT_OUT) return;
    throw badData(
      `random walk: the series does not converge, or too slowly, on ${nameOf(g)}: got λρ² = ${q.toPrecision(3)}, expected well below 1: fit with a smaller share`,
    );
  });
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
