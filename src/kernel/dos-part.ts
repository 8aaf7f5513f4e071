/** The DOS parts: damped moments of the whole graph with Euclidean distance, and cumulative densities with L1 distance. */
import {
  type DosCumulativeOptions,
  type DosOptions,
  dosCumulative,
  dosVectors,
  type Vectors,
} from "../signature/dos.js";
import type { Metric } from "../signature/vector-distances.js";
import type { OptionTable, OptionValues } from "./options.js";
import {
  checkSignatures,
  type InputProfile,
  type KernelInput,
  type KernelPart,
  profilesFor,
  radialOptions,
  SELF_LOOPS,
} from "./part.js";
import type { VectorSignatures } from "./signatures.js";

const DAMPING: OptionTable = {
  damping: {
    default: "jackson",
    allowed: ["jackson", "lorentz", "none"],
    about: "damping of the Chebyshev moments",
  },
};

export const dosPart = vectorPart({
  name: "dos",
  title: "density of states",
  metric: "euclidean",
  exponent: 2,
  table: {
    scale: {
      default: "trace",
      allowed: ["trace", "mean"],
      grid: ["trace", "mean"],
      about: "sum or mean over the nodes",
    },
    basis: { default: "chebyshev", allowed: ["chebyshev", "monomial"], about: "basis of the moments" },
    ...DAMPING,
    transform: {
      default: "none",
      allowed: ["none", "log"],
      grid: ["none", "log"],
      about: "log: sign(x) log(1 + |x|)",
    },
    zeroth: {
      default: false,
      allowed: [false, true],
      about: "put the moment of degree 0 (the number of nodes) in front",
    },
  },
  vectors: (profiles, options) => dosVectors(profiles, options as DosOptions),
});

export const dosCumulativePart = vectorPart({
  name: "dos-cdf",
  title: "cumulative density of states, Wasserstein-1",
  metric: "l1",
  exponent: 1,
  table: {
    scale: {
      default: "mean",
      allowed: ["trace", "mean"],
      about: "mean: Wasserstein-1 between spectra of mass 1",
    },
    points: {
      default: 256,
      allowed: { from: 2, to: 65536, integer: true },
      about: "points of the grid on [-1, 1]",
    },
    ...DAMPING,
  },
  vectors: (profiles, options) => dosCumulative(profiles, options as DosCumulativeOptions),
});

interface VectorPartSpec {
  name: string;
  title: string;
  metric: Metric;
  exponent: 1 | 2;
  table: OptionTable;
  vectors(profiles: readonly InputProfile[], options: OptionValues): Vectors;
}

/** A part without anything to fit: the vector of a graph depends on its profile alone. */
function vectorPart({ name, title, metric, exponent, table, vectors }: VectorPartSpec): KernelPart {
  const embed = (input: KernelInput, options: OptionValues): VectorSignatures => {
    const own = Object.fromEntries(Object.keys(table).map((key) => [key, options[key]]));
    const made = vectors(profilesFor(input, options.selfLoops as boolean, name), own);
    const set: VectorSignatures = { kind: "vectors", metric, ...made, missed: null, slack: 0 };
    checkSignatures(set, name, input.nameOf);
    return set;
  };
  const restore: KernelPart["restore"] = (_state, options) => ({
    embed: async (input) => embed(input, options),
    state: () => ({ values: {}, arrays: {} }),
  });
  return {
    name,
    title,
    options: { ...SELF_LOOPS, ...table, ...radialOptions(exponent) },
    stochastic: () => false,
    needs: (options) => ({ selfLoops: options.selfLoops as boolean, nodes: false, graphs: false }),
    fit: async (input, options) => ({
      signatures: embed(input, options),
      ...restore({ values: {}, arrays: {} }, options),
      notes: [],
    }),
    restore,
  };
}
