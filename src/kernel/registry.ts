/**
 * Kernels between graphs, by name. A kernel is one part, or several whose Gram matrices are combined (composite.ts).
 *
 * The way of a kernel: options ─▶ fit on graphs ─▶ signatures ─▶ distances ─▶ bandwidth from the training graphs ─▶ Gram. Unseen graphs go
 * through `embed` and cross distances, with the bandwidths that were fitted.
 */
import { badCall, unknownName } from "../base/errors.js";
import type { Bandwidth, BandwidthRule } from "./bandwidth.js";
import { COMBINATIONS, type Combination, combineGrams } from "./composite.js";
import {
  fgsdPart,
  graphletPart,
  propagationPart,
  shortestPathPart,
  wlOaPart,
  wlPart,
  wwlPart,
} from "./count-part.js";
import { dosCumulativePart, dosPart } from "./dos-part.js";
import { type Gram, type GramStorage, gramFromDistances, radialGram, storedGram } from "./gram.js";
import { deepPart, sagePart } from "./learnt-part.js";
import { ldosPart, retgk1Part, retgk2Part, retgkWalksPart } from "./measure-part.js";
import {
  type OptionTable,
  type OptionValue,
  type OptionValues,
  prefixed,
  resolveOptions,
  unprefixed,
} from "./options.js";
import type { FittedPart, KernelContext, KernelInput, KernelNeeds, KernelPart } from "./part.js";
import {
  crossDistances,
  type DistanceOptions,
  type Distances,
  pairwiseDistances,
  type Signatures,
} from "./signatures.js";
import { netlsdPart, slaqPart } from "./trace-part.js";
import { randomWalkPart } from "./walk-part.js";

export interface KernelSpec {
  name: string;
  title: string;
  parts: readonly KernelPart[];
  /** All options with defaults and grids. With several parts theirs are called `part.option`. */
  options: OptionTable;
}

const COMBINATION: OptionTable = {
  combine: {
    default: "composite",
    allowed: COMBINATIONS,
    about: "composite: w times the product + (1 - w) times the mean",
  },
  productWeight: {
    default: 0.5,
    allowed: { from: 0, to: 1 },
    about: "w of the composite",
  },
};

function kernel(name: string, title: string, ...parts: KernelPart[]): KernelSpec {
  const options =
    parts.length === 1
      ? parts[0].options
      : Object.assign({}, ...parts.map((part) => prefixed(part.options, part.name)), COMBINATION);
  return { name, title, parts, options };
}

const single = (part: KernelPart) => kernel(part.name, part.title, part);

export const KERNELS: readonly KernelSpec[] = [
  kernel("dos", dosPart.title, dosPart),
  kernel("dos-cdf", dosCumulativePart.title, dosCumulativePart),
  kernel("ldos", ldosPart.title, ldosPart),
  kernel("dos+ldos", "densities of states, global and local", dosPart, ldosPart),
  kernel("retgk1", retgk1Part.title, retgk1Part),
  kernel("retgk2", retgk2Part.title, retgk2Part),
  kernel("retgk-mc", retgkWalksPart.title, retgkWalksPart),
  kernel("retgk1+dos", "RetGK I and density of states", retgk1Part, dosPart),
  ...[
    wlPart,
    wlOaPart,
    wwlPart,
    propagationPart,
    shortestPathPart,
    graphletPart,
    randomWalkPart,
    fgsdPart,
  ].map(single),
  ...[netlsdPart, slaqPart, deepPart, sagePart].map(single),
];

export function kernelByName(name: string): KernelSpec {
  const found = KERNELS.find((spec) => spec.name === name);
  if (!found)
    throw unknownName(
      "kernel",
      name,
      KERNELS.map((spec) => spec.name),
    );
  return found;
}

/** Every option with its value; unknown names and values are errors. */
export function kernelOptions(
  spec: KernelSpec,
  given: Readonly<Record<string, OptionValue | undefined>> = {},
): OptionValues {
  return resolveOptions(spec.options, given, `kernel ${spec.name}`);
}

/** The options of part k, from resolved options of the kernel. */
export function partOptions(spec: KernelSpec, k: number, options: OptionValues): OptionValues {
  return spec.parts.length === 1 ? options : unprefixed(options, spec.parts[k].name);
}

/** What must be computed of the graphs before the kernel can be. */
export function kernelNeeds(spec: KernelSpec, options: OptionValues): KernelNeeds[] {
  return spec.parts.map((part, k) => part.needs(partOptions(spec, k, options)));
}

export function isStochastic(spec: KernelSpec, options: OptionValues): boolean {
  return spec.parts.some((part, k) => part.stochastic(partOptions(spec, k, options)));
}

export interface FittedKernel {
  spec: KernelSpec;
  options: OptionValues;
  parts: FittedPart[];
  notes: string[];
}

/** Fits every part on the graphs: signatures of these graphs, and what is needed to embed others. */
export async function fitKernel(
  spec: KernelSpec,
  input: KernelInput,
  given: Readonly<Record<string, OptionValue | undefined>>,
  context: KernelContext,
): Promise<FittedKernel> {
  const options = kernelOptions(spec, given);
  const parts: FittedPart[] = [];
  for (let k = 0; k < spec.parts.length; k++)
    parts.push(await spec.parts[k].fit(input, partOptions(spec, k, options), context));
  return { spec, options, parts, notes: parts.flatMap((part) => part.notes) };
}

/** Distances between the fitted graphs, one matrix a part. */
export async function kernelDistances(kernel: FittedKernel, options: DistanceOptions): Promise<Distances[]> {
  const all: Distances[] = [];
  for (const part of kernel.parts) all.push(await pairwiseDistances(part.signatures, options));
  return all;
}

/** Distances of other graphs (down) to the fitted ones (across), one matrix a part. */
export async function kernelCrossDistances(
  kernel: FittedKernel,
  input: KernelInput,
  context: KernelContext,
  options: DistanceOptions,
): Promise<Distances[]> {
  const all: Distances[] = [];
  for (const part of kernel.parts) {
    const unseen: Signatures = await part.embed(input, context);
    all.push(await crossDistances(unseen, part.signatures, options));
  }
  return all;
}

/** Gram of the fitted graphs. Bandwidths come from the pairs of `training` graphs (default: all); null for parts without any. */
export function kernelGram(
  kernel: Pick<FittedKernel, "spec" | "options">,
  distances: readonly Distances[],
  training?: ArrayLike<number>,
  storage: GramStorage = {},
): { gram: Gram; bandwidths: (Bandwidth | null)[] } {
  const { spec, options } = kernel;
  if (distances.length !== spec.parts.length)
    throw badCall(
      `kernel ${spec.name}: got ${distances.length} distance matrices, expected ${spec.parts.length}`,
    );
  const made = distances.map((part, k) => {
    if (part.kind === "similarities") return { gram: storedGram(part, storage), bandwidth: null };
    const own = partOptions(spec, k, options);
    return radialGram(
      part,
      training,
      {
        exponent: own.exponent as 1 | 2,
        bandwidth: own.bandwidth as BandwidthRule,
        multiple: own.multiple as number,
      },
      storage,
    );
  });
  return {
    gram: combine(
      kernel,
      made.map(({ gram }) => gram),
    ),
    bandwidths: made.map(({ bandwidth }) => bandwidth),
  };
}

/** Kernel values of other graphs (down) to the fitted ones (across), with the bandwidths of the fitted Gram. */
export function kernelCrossGram(
  kernel: Pick<FittedKernel, "spec" | "options">,
  distances: readonly Distances[],
  bandwidths: readonly (Bandwidth | null)[],
  storage: GramStorage = {},
): Gram {
  return combine(
    kernel,
    distances.map((part, k) => {
      const bandwidth = bandwidths[k];
      return bandwidth === null ? storedGram(part, storage) : gramFromDistances(part, bandwidth, storage);
    }),
  );
}

function combine({ spec, options }: Pick<FittedKernel, "spec" | "options">, grams: Gram[]): Gram {
  if (spec.parts.length === 1) return grams[0];
  return combineGrams(grams, options.combine as Combination, options.productWeight as number);
}
