/**
 * A part: one way from graphs to signatures, whose distances make one radial kernel. Kernels are one part or a combination of several
 * (registry.ts).
 */
import { badCall, badData } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Executor } from "../compute/executor.js";
import type { Graph } from "../graph/graph.js";
import type { ProfileRows } from "../signature/node-features.js";
import { BANDWIDTHS } from "./bandwidth.js";
import type { OptionTable, OptionValue, OptionValues } from "./options.js";
import type { Signatures } from "./signatures.js";
import type { State } from "./state.js";

/** Profiles that may say whether their rows are estimates. */
export type InputProfile = ProfileRows & {
  standardError?: { rows: Float64Array | null; trace?: Float64Array | null } | null;
  /** Row of each node: needed where nodes are told apart by labels or attributes. */
  rowOf?: Uint32Array;
};

/** Graphs as kernels see them: only what the kernel needs has to be there. */
export interface KernelInput {
  /** Profiles of Ã from A, and from A + I. */
  profiles?: readonly InputProfile[];
  selfLoopProfiles?: readonly InputProfile[];
  graphs?: readonly Graph[];
  /** What to call graph g in an error. Default "graph g". */
  nameOf?: (g: number) => string;
  /** Where parts keep what several of their settings share, under names of their own. */
  memo?: Map<string, Promise<unknown>>;
}

export interface KernelNeeds {
  /** Which profiles: of A (false), of A + I (true), none (null). */
  selfLoops: boolean | null;
  /** Whether the moments of single nodes are looked at, or only their sums. */
  nodes: boolean;
  graphs: boolean;
}

/** What graphs may hold beside nodes and edges. */
export type Mark = "labels" | "attributes" | "weights";

export interface KernelContext extends RunControl {
  executor: Executor;
  /** Put large arrays on SharedArrayBuffers, which workers read without a copy. Default false. */
  shared?: boolean;
}

/** A part bound to the graphs it was fitted on. */
export interface FittedPart {
  /** Of the graphs it was fitted on. */
  signatures: Signatures;
  /** Of any graphs, with what was fitted. */
  embed(input: KernelInput, context: KernelContext): Promise<Signatures>;
  /** All that `embed` needs, in plain values and arrays. */
  state(): State;
  /** Sentences on what was chosen. */
  notes: string[];
}

export interface KernelPart {
  name: string;
  title: string;
  options: OptionTable;
  /** Whether the result depends on a seed. */
  /** What a search tries when nothing is said: values by option. Default: both exponents, as in the paper. */
  grid?: Readonly<Record<string, readonly OptionValue[]>>;
  stochastic(options: OptionValues): boolean;
  needs(options: OptionValues): KernelNeeds;
  /** What the signatures depend on, where graphs hold it, beside nodes and edges. */
  uses(options: OptionValues): readonly Mark[];
  /**
   * The numbers that kernel values depend on beside the two graphs: scales of attributes, a decay. Classes are not looked at. In an
   * evaluation they come from the training part. Left out: there are none.
   */
  learn?(graphs: readonly Graph[], options: OptionValues): Float64Array;
  /** `learnt`: what `learn` gave. Default: of the graphs of the input. */
  fit(
    input: KernelInput,
    options: OptionValues,
    context: KernelContext,
    learnt?: Float64Array,
  ): Promise<FittedPart>;
  restore(state: State, options: OptionValues): Pick<FittedPart, "embed" | "state">;
}

/**
 * Options of every radial kernel exp(−γ d^p). Of Euclidean distances and those of a kernel both exponents are positive definite; of an L1 or
 * transport distance, which is the square of a Euclidean one, p = 1 alone (Schoenberg: Metric spaces and positive definite functions, 1938).
 */
export function radialOptions(distance: "euclidean" | "l1"): OptionTable {
  return {
    exponent:
      distance === "euclidean"
        ? { default: 2, allowed: [1, 2], grid: [1, 2], about: "p in exp(-gamma d^p): 1 Laplacian, 2 RBF" }
        : {
            default: 1,
            allowed: [1],
            why: "exp(-gamma d^2) of an L1 distance is not positive definite",
            about: "p in exp(-gamma d^p)",
          },
    bandwidth: {
      default: "median",
      allowed: BANDWIDTHS,
      about: "median of d^p over training graphs, or over all (leaks)",
    },
    multiple: {
      default: 1,
      allowed: { from: 0, to: 1e9, above: true },
      grid: [0.1, 0.3, 1, 3],
      about: "multiple of the median that is the bandwidth",
    },
  };
}

export const SELF_LOOPS: OptionTable = {
  selfLoops: {
    default: false,
    allowed: [false, true],
    grid: [false, true],
    about: "use A + I, the lazy walk, in place of A",
  },
};

/** The profiles that a part needs; an error when they were not given, or when one has a number that is not finite. */
export function profilesFor(input: KernelInput, selfLoops: boolean, where: string): readonly InputProfile[] {
  const profiles = selfLoops ? input.selfLoopProfiles : input.profiles;
  if (profiles === undefined)
    throw badCall(
      `${where}: no profiles of ${selfLoops ? "A + I" : "A"}: got none, expected one a graph; compute them with selfLoops ${selfLoops}`,
    );
  const { nameOf = (g: number) => `graph ${g}` } = input;
  profiles.forEach(({ rows, trace }, g) => {
    for (const numbers of [trace, rows])
      for (let k = 0; k < numbers.length; k++)
        if (!Number.isFinite(numbers[k]))
          throw badData(
            `${where}: the profile of ${nameOf(g)}: got ${numbers[k]}, expected finite moments; look at its weights`,
          );
  });
  return profiles;
}

/** The graphs that a part needs; an error when they were not given. */
export function graphsFor({ graphs }: KernelInput, where: string): readonly Graph[] {
  if (graphs === undefined) throw badCall(`${where}: no graphs: got none, expected those to compare`);
  return graphs;
}

/** What `make` gives, made once for an input and a name. */
export function remembered<T>({ memo }: KernelInput, name: string, make: () => Promise<T>): Promise<T> {
  const found = memo?.get(name) as Promise<T> | undefined;
  if (found !== undefined) return found;
  const made = make();
  memo?.set(name, made);
  return made;
}

/** Throws for the first graph with a number that is not finite. */
export function checkSignatures(set: Signatures, where: string, nameOf = (g: number) => `graph ${g}`): void {
  const fail = (g: number, value: number) =>
    badData(
      `${where}: the signature of ${nameOf(g)}: got ${value}, expected finite numbers; look at its weights`,
    );
  if (set.kind === "vectors") {
    for (let k = 0; k < set.values.length; k++)
      if (!Number.isFinite(set.values[k])) throw fail(Math.floor(k / set.dimension), set.values[k]);
  } else
    for (let g = 0; g < set.count; g++) if (!Number.isFinite(set.squares[g])) throw fail(g, set.squares[g]);
}
