/**
 * The parts that count patterns: Weisfeiler-Lehman labels (wl, wl-oa, wwl), shortest paths (sp), graphlets, bins of propagated labels, and spectral distances (fgsd). Their
 * signature is a sparse row of counts, compared by normalised inner products, by histogram intersection, or by a radial kernel of the
 * distance that these give (form.ts). Patterns that the fit has not seen still count in K(G, G): numbering them looks at no label.
 */
import { type CountPlan, countPatterns, vectoriserOf } from "../baseline/count-task.js";
import {
  type CountFeatures,
  type CountVectoriser,
  haveLabels,
  intersectionDiagonal,
  sparseDiagonal,
  type Vocabulary,
} from "../baseline/sparse-counts.js";
import { WeisfeilerLehman } from "../baseline/wl.js";
import { WeisfeilerLehmanAssignment } from "../baseline/wl-oa.js";
import { WassersteinWeisfeilerLehman } from "../baseline/wwl.js";
import type { Graph } from "../graph/graph.js";
import { FORM_CHOICES, type Form, formOptions } from "./form.js";
import type { OptionTable, OptionValues } from "./options.js";
import {
  checkSignatures,
  type FittedPart,
  graphsFor,
  type KernelContext,
  type KernelInput,
  type KernelPart,
  remembered,
} from "./part.js";
import type { Comparison, CountSignatures } from "./signatures.js";

export const SEED: OptionTable = {
  seed: { default: 0, allowed: { from: 0, to: 2 ** 53 - 1, integer: true }, about: "seed of what is drawn" },
};

const SUBTREES: OptionTable = {
  iterations: {
    default: 5,
    allowed: { from: 0, to: 1000, integer: true },
    grid: [1, 2, 3, 5],
    about: "rounds of relabelling, h",
  },
  labels: {
    default: "auto",
    allowed: ["auto", "nodes", "degrees"],
    about: "first labels: of the nodes, or degrees; auto: of the nodes where all have one",
  },
};

/** Counts graphs, with a fit or with what a fit has learnt. */
interface Counter {
  fit(
    graphs: readonly Graph[],
    context: KernelContext,
  ): Promise<{ features: CountFeatures; learnt: () => Vocabulary }>;
  count(graphs: readonly Graph[], learnt: Vocabulary, context: KernelContext): Promise<CountFeatures>;
}

/** In this thread: each label depends on those before it. */
function sequential(make: () => CountVectoriser): Counter {
  return {
    async fit(graphs) {
      const vectoriser = make();
      const features = vectoriser.fit(graphs);
      return { features, learnt: () => vectoriser.vocabulary() };
    },
    async count(graphs, learnt) {
      const vectoriser = make();
      vectoriser.restore(learnt);
      return vectoriser.transform(graphs);
    },
  };
}

/** On all workers: patterns mean the same wherever they are counted. */
function spread(planFor: (graphs: readonly Graph[], learnt: Vocabulary | null) => CountPlan): Counter {
  return {
    async fit(graphs, context) {
      const plan = planFor(graphs, null);
      const vectoriser = vectoriserOf(plan);
      const features = await countPatterns(plan, vectoriser, graphs, context.executor, context);
      return { features, learnt: () => vectoriser.vocabulary() };
    },
    async count(graphs, learnt, context) {
      const plan = planFor(graphs, learnt);
      const vectoriser = vectoriserOf(plan);
      vectoriser.restore(learnt);
      const known = vectoriser.size;
      return { ...(await countPatterns(plan, vectoriser, graphs, context.executor, context)), known };
    },
  };
}

interface CountPartSpec {
  name: string;
  title: string;
  table: OptionTable;
  compare?: Comparison;
  /** Default linear. */
  form?: Form;
  grid?: KernelPart["grid"];
  stochastic?: (options: OptionValues) => boolean;
  /** Whether weights of edges make a difference. Default false. */
  weights?: boolean;
  counter(options: OptionValues): Counter;
}

function countPart({
  name,
  title,
  table,
  compare = "product",
  form,
  grid = {},
  stochastic,
  weights = false,
  counter,
}: CountPartSpec): KernelPart {
  const signatures = (features: CountFeatures, options: OptionValues): CountSignatures => ({
    kind: "counts",
    count: features.graphs,
    compare,
    form: (options.form ?? form) as Form,
    features,
    squares: compare === "product" ? sparseDiagonal(features) : intersectionDiagonal(features),
  });
  const bind = (learnt: () => Vocabulary, options: OptionValues): Pick<FittedPart, "embed" | "state"> => ({
    state: learnt,
    async embed(input, context) {
      const set = signatures(
        await counter(options).count(graphsFor(input, name), learnt(), context),
        options,
      );
      checkSignatures(set, name, input.nameOf);
      return set;
    },
  });
  return {
    name,
    title,
    options: { ...table, ...formOptions(form) },
    grid,
    stochastic: stochastic ?? (() => false),
    // "auto" takes node labels where there are any
    uses: ({ labels }) => [
      ...(labels === "auto" || labels === "nodes" ? (["labels"] as const) : []),
      ...(weights ? (["weights"] as const) : []),
    ],
    needs: () => ({ selfLoops: null, nodes: false, graphs: true }),
    async fit(input: KernelInput, options, context) {
      const { features, learnt } = await counted(input, name, options, () =>
        counter(options).fit(graphsFor(input, name), context),
      );
      const set = signatures(features, options);
      checkSignatures(set, name, input.nameOf);
      return { signatures: set, ...bind(learnt, options), notes: features.notes };
    },
    restore: (state, options) => bind(() => state, options),
  };
}

/** Options that act on counts that are already there. */
const OF_COUNTS = ["form", "exponent", "bandwidth", "multiple"];

/** The counts of the last setting are kept for the next, which may differ from it in the form alone. */
function counted<T>(
  input: KernelInput,
  name: string,
  options: OptionValues,
  count: () => Promise<T>,
): Promise<T> {
  const own = Object.entries(options).filter(([option]) => !OF_COUNTS.includes(option));
  const [prefix, key] = [`counts of ${name} `, JSON.stringify(own)];
  for (const kept of input.memo?.keys() ?? [])
    if (kept.startsWith(prefix) && kept !== prefix + key) input.memo?.delete(kept);
  return remembered(input, prefix + key, count);
}

const subtrees = (options: OptionValues) => ({
  iterations: options.iterations as number,
  labels: options.labels as "auto" | "nodes" | "degrees",
});

export const wlPart = countPart({
  name: "wl",
  title: "Weisfeiler-Lehman subtrees",
  table: SUBTREES,
  grid: { iterations: [1, 2, 3, 5] },
  counter: (options) => sequential(() => new WeisfeilerLehman(subtrees(options))),
});

export const wlOaPart = countPart({
  name: "wl-oa",
  title: "Weisfeiler-Lehman optimal assignment",
  table: SUBTREES,
  compare: "intersection",
  grid: { iterations: [1, 2, 3, 5] },
  counter: (options) => sequential(() => new WeisfeilerLehmanAssignment(subtrees(options))),
});

export const wwlPart = countPart({
  name: "wwl",
  title: "Wasserstein Weisfeiler-Lehman",
  table: SUBTREES,
  compare: "intersection",
  form: "transport",
  grid: { iterations: [1, 2, 3, 5], multiple: [0.1, 0.3, 1, 3] },
  counter: (options) => sequential(() => new WassersteinWeisfeilerLehman(subtrees(options))),
});

/** Settled for all graphs together, since a worker sees some of them only; unseen graphs go as the fitted ones went. */
function settledLabels<T extends string>(
  where: string,
  asked: T,
  bare: T,
  graphs: readonly Graph[],
  learnt: Vocabulary | null,
): T | "nodes" {
  if (asked !== "auto") return asked;
  const use = learnt === null ? haveLabels(where, graphs) : learnt.values.useLabels === true;
  return use ? "nodes" : bare;
}

export const propagationPart = countPart({
  name: "propagation",
  title: "propagated labels",
  weights: true,
  table: {
    ...SUBTREES,
    iterations: { ...SUBTREES.iterations, grid: [1, 3, 5], about: "steps of the walk" },
    width: {
      default: 0.01,
      allowed: { from: 0, to: 1e9, above: true },
      grid: [0.001, 0.01, 0.1],
      about: "width of the bins of label distributions",
    },
    ...SEED,
  },
  grid: { iterations: [1, 3, 5], width: [0.001, 0.01, 0.1] },
  stochastic: () => true,
  counter: ({ iterations, labels, width, seed }) =>
    spread((graphs, learnt) => ({
      pattern: "propagation",
      options: {
        iterations: iterations as number,
        width: width as number,
        labels: settledLabels<"auto" | "nodes" | "degrees">(
          "propagation",
          labels as "auto" | "nodes" | "degrees",
          "degrees",
          graphs,
          learnt,
        ),
        seed: seed as number,
      },
    })),
});

type PathLabels = "auto" | "nodes" | "none";

export const shortestPathPart = countPart({
  name: "sp",
  title: "shortest paths",
  weights: true,
  table: {
    labels: {
      default: "auto",
      allowed: ["auto", "nodes", "none"],
      about: "labels at the ends of a path; auto: where all nodes have one",
    },
    bucket: {
      default: 0,
      allowed: { from: 0, to: 1e12 },
      about: "width of the intervals of weighted lengths; 0: lengths as they are",
    },
    maximumSources: {
      default: 4000,
      allowed: { from: 1, to: 1e9, integer: true },
      about: "larger graphs are sampled: paths from so many nodes",
    },
    ...SEED,
  },
  counter: ({ labels, bucket, maximumSources, seed }) =>
    spread((graphs, learnt) => ({
      pattern: "shortest-path",
      options: {
        labels: settledLabels<PathLabels>("shortest-path", labels as PathLabels, "none", graphs, learnt),
        bucket: bucket === 0 ? null : (bucket as number),
        maximumSources: maximumSources as number,
        seed: seed as number,
      },
    })),
});

export const graphletPart = countPart({
  name: "graphlet",
  title: "graphlets of 3, 4 or 5 nodes",
  table: {
    size: { default: 4, allowed: [3, 4, 5], grid: [3, 4, 5], about: "nodes of a graphlet; 3 is exact" },
    samples: {
      default: 0,
      allowed: { from: 0, to: 1e9, integer: true },
      about: "random subsets a graph for 4 and 5; 0: so many that shares are within 0.1",
    },
    ...SEED,
  },
  grid: { size: [3, 4, 5] },
  stochastic: ({ size }) => size !== 3,
  counter: ({ size, samples, seed }) =>
    spread(() => ({
      pattern: "graphlet",
      options: {
        size: size as 3 | 4 | 5,
        samples: samples === 0 ? undefined : (samples as number),
        seed: seed as number,
      },
    })),
});

export const fgsdPart = countPart({
  name: "fgsd",
  title: "FGSD: histogram of spectral distances",
  weights: true,
  // a form for who asks for one; a search chooses it inside the training folds
  form: "radial-counts",
  table: {
    distance: {
      default: "harmonic",
      allowed: ["harmonic", "biharmonic"],
      grid: ["harmonic", "biharmonic"],
      about: "which spectral distance",
    },
    binWidth: {
      default: 1e-3,
      allowed: { from: 0, to: 1e9, above: true },
      grid: [1e-3, 1e-4, 1e-5],
      about: "width of the bins of the histogram",
    },
    method: {
      default: "auto",
      allowed: ["auto", "exact", "sampled"],
      about: "auto: exact up to 4,096 twin classes",
    },
    steps: {
      default: 2000,
      allowed: { from: 1, to: 1e6, integer: true },
      about: "sampled: the most steps of conjugate gradients",
    },
    sample: { default: 200, allowed: { from: 2, to: 1e6, integer: true }, about: "sampled: nodes drawn" },
    ...SEED,
  },
  grid: { distance: ["harmonic", "biharmonic"], binWidth: [1e-3, 1e-4, 1e-5], form: FORM_CHOICES },
  counter: ({ form: _form, exponent: _exponent, bandwidth: _bandwidth, multiple: _multiple, ...options }) =>
    spread(() => ({ pattern: "fgsd", options })),
});
