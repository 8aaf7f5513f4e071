/** NetLSD and SLaQ: heat and wave traces of the normalised Laplacian, one dense vector a graph, radial kernels of their distance. */
import {
  logarithmicTimes,
  NETLSD_NORMALISATIONS,
  NETLSD_TRACES,
  type NetlsdNormalisation,
  type NetlsdTrace,
  normalise,
} from "../baseline/netlsd.js";
import { laplacianTraces, type ProbePlan } from "../baseline/trace-task.js";
import { SEED } from "./count-part.js";
import type { OptionTable, OptionValues } from "./options.js";
import {
  checkSignatures,
  graphsFor,
  type KernelContext,
  type KernelInput,
  type KernelPart,
  radialOptions,
  remembered,
} from "./part.js";
import type { VectorSignatures } from "./signatures.js";

const TABLE: OptionTable = {
  trace: {
    default: "heat",
    allowed: NETLSD_TRACES,
    grid: NETLSD_TRACES,
    about: "heat: exp(-t lambda); wave: cos(t lambda)",
  },
  normalisation: {
    default: "empty",
    allowed: NETLSD_NORMALISATIONS,
    grid: ["none", "empty"],
    about: "divide by the trace of the empty or the complete graph of that size",
  },
};

const PROBES: OptionTable = {
  probes: { default: 100, allowed: { from: 1, to: 1e6, integer: true }, about: "random vectors" },
  steps: { default: 10, allowed: { from: 1, to: 1e4, integer: true }, about: "Lanczos steps of each" },
  ...SEED,
};

function tracePart(
  name: string,
  title: string,
  table: OptionTable,
  planOf: (options: OptionValues) => ProbePlan,
): KernelPart {
  const embed = async (input: KernelInput, options: OptionValues, context: KernelContext) => {
    const graphs = graphsFor(input, name);
    const plan = planOf(options);
    const traces = await remembered(input, `${name} ${JSON.stringify(plan)}`, () =>
      laplacianTraces(graphs, plan, context.executor, context),
    );
    const times = logarithmicTimes();
    const [trace, normalisation] = [
      options.trace as NetlsdTrace,
      options.normalisation as NetlsdNormalisation,
    ];
    const values = traces[trace].slice();
    graphs.forEach(({ nodeCount }, g) => {
      normalise(values.subarray(g * times.length, (g + 1) * times.length), nodeCount, {
        trace,
        normalisation,
        times,
      });
    });
    const signatures: VectorSignatures = {
      ...{ kind: "vectors", metric: "euclidean", count: graphs.length, dimension: times.length, values },
      ...{ missed: null, slack: 0 },
    };
    checkSignatures(signatures, name, input.nameOf);
    const notes =
      plan === null
        ? []
        : [
            `${name}: ${plan.probes} probes of ${plan.steps} steps, seed ${plan.seed}; standard error of a trace, a node, at most ${traces.largestError.toPrecision(2)}`,
          ];
    return { signatures, notes };
  };
  const restore: KernelPart["restore"] = (_state, options) => ({
    embed: async (input, context) => (await embed(input, options, context)).signatures,
    state: () => ({ values: {}, arrays: {} }),
  });
  return {
    name,
    title,
    options: { ...table, ...radialOptions("euclidean") },
    grid: { trace: [...NETLSD_TRACES], normalisation: ["none", "empty"] },
    stochastic: (options) => planOf(options) !== null,
    uses: () => ["weights"],
    needs: () => ({ selfLoops: null, nodes: false, graphs: true }),
    fit: async (input, options, context) => ({
      ...(await embed(input, options, context)),
      ...restore({ values: {}, arrays: {} }, options),
    }),
    restore,
  };
}

export const netlsdPart = tracePart("netlsd", "NetLSD: heat or wave trace", TABLE, () => null);

export const slaqPart = tracePart(
  "slaq",
  "SLaQ: NetLSD by Lanczos quadrature",
  { ...TABLE, ...PROBES },
  (options) => ({
    probes: options.probes as number,
    steps: options.steps as number,
    seed: options.seed as number,
  }),
);
