/**
 * What a unit of each task may be. A worker looks at every unit before it runs: one that does not fit ends with a sentence, never with
 * reads outside of an array, an endless loop or an allocation that its own size does not explain.
 *
 * A task without a schema is refused, as is one that needs the memory of the coordinator (chebyshev-steps).
 */
import { z } from "zod";
import { badData } from "../../base/errors.js";
import type { DeepUnit } from "../../baseline/deep-task.js";
import { DEEP_SUBSTRUCTURES, type DeepKernelOptions } from "../../baseline/dgk.js";
import type { FgsdOptions } from "../../baseline/fgsd.js";
import type { GraphletOptions } from "../../baseline/graphlet.js";
import type { LabelledOptions, ProfileOfNodes } from "../../baseline/labelled.js";
import type { LabelledUnit } from "../../baseline/labelled-task.js";
import { spectralRadiusBound } from "../../baseline/labelled-walks.js";
import type { PropagationOptions } from "../../baseline/propagation.js";
import type { ShortestPathOptions } from "../../baseline/shortest-path.js";
import type { Vocabulary } from "../../baseline/sparse-counts.js";
import { hashOf } from "../../compute/store.js";
import type { Blend } from "../../experiment/blend.js";
import { CLASSIFIERS } from "../../experiment/evaluation-types.js";
import type { FoldUnit } from "../../experiment/evaluation-unit.js";
import type { SizeUnit } from "../../experiment/size-alone.js";
import { unpackGraphs } from "../../graph/pack.js";
import { kernelByName, kernelOptions } from "../../kernel/registry.js";
import { GRID_SEARCHES } from "../../learn/nested.js";
import type { FitUnit } from "../../model/fit-unit.js";
import type { FourierUnit } from "../../signature/fourier.js";
import { METRICS } from "../../signature/vector-distances.js";
import type { WalkUnit } from "../../signature/walks.js";
import { MOTIF_FILTERS } from "../../spectrum/motif-filter.js";
import type { ProbeOptions } from "../../spectrum/probe-options.js";
import { NO_ROW } from "../../spectrum/profile.js";
import { ESTIMATORS, type ProfileOptions } from "../../spectrum/profiles.js";
import {
  anyNumber,
  areSquare,
  countGraphs,
  float64,
  graphRange,
  int32,
  MOST_NUMBERS,
  moments,
  nodeKernel,
  nodeRows,
  optionValues,
  packedGraphs,
  positive,
  seed,
  squares,
  uint32,
  whole,
  wholes,
} from "./unit-parts.js";

/** Every field of a unit: one that a schema lacks is an error of the compiler. */
type Fields<Unit> = Record<keyof Unit, z.ZodType>;

const MOST_PROBES = 10 ** 7;
/** Columns of the widest strip, in single precision. */
const STRIP = 16;
/** Labelled walks whose series converges more slowly are refused before they get here. */
const LARGEST_RATIO = 1 - 1e-6;

const distribution = z.enum(["rademacher", "gaussian"]).optional();
const filter = z.enum(MOTIF_FILTERS).optional();

const profiles = z
  .strictObject({
    graphs: packedGraphs,
    indices: wholes(0, 2 ** 32),
    exact: z.boolean(),
    options: z.strictObject({
      ...{ moments: moments.optional(), estimator: z.enum(ESTIMATORS).optional() },
      ...{ probes: whole(1, MOST_PROBES).optional(), tolerance: positive.optional() },
      ...{ selfLoops: z.boolean().optional(), seed: seed.optional(), filter, distribution },
      ...{ float32: z.boolean().optional(), nodes: z.boolean().optional() },
    } satisfies Fields<ProfileOptions>),
  })
  .refine(({ graphs, indices }) => countGraphs(graphs) === indices.length, "expected one number a graph");

const probeOptions = z.strictObject({
  ...{ moments: moments.optional(), probes: whole(2, MOST_PROBES).optional(), distribution, filter },
  ...{ selfLoops: z.boolean().optional(), nodes: z.boolean().optional(), seed: seed.optional() },
  ...{ tolerance: positive.optional(), maxProbes: whole(2, MOST_PROBES).optional() },
  ...{ keepVectors: z.boolean().optional(), float32: z.boolean().optional() },
  note: z.string().max(10_000).optional(),
} satisfies Fields<Omit<ProbeOptions, "signal" | "onProgress">>);

const largeGraph = {
  key: z.string().max(20_000),
  graph: packedGraphs.refine((packed) => countGraphs(packed) === 1, "expected one graph"),
};

const probeBlock = z
  .strictObject({
    ...largeGraph,
    options: probeOptions,
    first: whole(0, MOST_PROBES),
    count: whole(1, STRIP),
  })
  .refine(({ options, count }) => options.float32 || count <= STRIP / 2, "too many probes for one block");

const sampleBlock = z.strictObject({
  ...{ ...largeGraph, moments, selfLoops: z.boolean() },
  classes: z.array(whole(0, 2 ** 32)).max(10_000),
});

const vectorDistances = z
  .strictObject({
    ...{ metric: z.enum(METRICS), dimension: whole(0, 2 ** 24) },
    ...{ a: float64, b: float64.nullable() },
  })
  .refine(({ dimension, a, b }) => {
    const rows = (vectors: Float64Array) => (dimension === 0 ? vectors.length : vectors.length / dimension);
    const [down, across] = [rows(a), rows(b ?? a)];
    if (dimension === 0) return down === 0 && across === 0;
    return Number.isInteger(down) && Number.isInteger(across) && down * across <= MOST_NUMBERS;
  }, "expected vectors of `dimension` numbers, and not too many");

const graphsOf = ({ from, to }: z.infer<typeof graphRange>) => to - from;

const exactProducts = z
  .strictObject({
    ...{ node: nodeKernel, a: graphRange, aKeys: float64 },
    ...{ b: graphRange.nullable(), bKeys: float64.nullable() },
  })
  .refine(
    ({ a, aKeys, b, bKeys }) =>
      aKeys.length === graphsOf(a) &&
      (b === null) === (bKeys === null) &&
      (b === null || (bKeys!.length === graphsOf(b) && b.rows.dimension === a.rows.dimension)) &&
      graphsOf(a) * graphsOf(b ?? a) <= MOST_NUMBERS,
    "expected a key a graph, and rows of one dimension",
  );

const randomWalks = z
  .strictObject({
    ...{ graphs: packedGraphs, from: whole(0, 2 ** 32), to: whole(0, 2 ** 32) },
    ...{ walks: whole(1, 10 ** 6), steps: whole(1, 4096), seed },
  } satisfies Fields<WalkUnit>)
  .refine(({ graphs, from, to, steps }) => {
    const nodes = unpackGraphs(graphs).reduce((sum, { nodeCount }) => sum + nodeCount, 0);
    return from <= to && to <= nodes && (to - from) * steps <= MOST_NUMBERS;
  }, "no such nodes in the graphs, or too many");

const fourierVectors = z
  .strictObject({ range: graphRange, frequencies: float64 } satisfies Fields<FourierUnit>)
  .refine(({ range, frequencies }) => {
    const { dimension } = range.rows;
    if (dimension === 0) return frequencies.length === 0;
    const count = frequencies.length / dimension;
    return Number.isInteger(count) && graphsOf(range) * 2 * count <= MOST_NUMBERS;
  }, "expected frequencies of as many numbers as a row, and not too many");

const selfProducts = z.strictObject({
  node: nodeKernel,
  range: graphRange,
  order: z.enum(["whole", "half"]),
});

/** Numbers in the rows from <= l < to of a packed triangle. */
const triangle = (from: number, to: number) => (to * (to + 1) - from * (from + 1)) / 2;
const quads = (range: z.infer<typeof graphRange>) => Math.ceil(graphsOf(range) / 4);

const landmarkCoordinates = z
  .strictObject({
    ...{ node: nodeKernel, range: graphRange, landmarks: nodeRows },
    ...{ from: whole(0, 2 ** 16), rank: whole(0, 2 ** 16) },
    ...{ factor: float64, solved: z.array(float64).max(2 ** 16) },
  })
  .refine(({ range, landmarks, from, rank, factor, solved }) => {
    const widths = solved.map(({ length }) => (quads(range) === 0 ? 0 : length / quads(range) / 4));
    return (
      from <= rank &&
      landmarks.masses.length === rank - from &&
      landmarks.dimension === range.rows.dimension &&
      factor.length === triangle(from, rank) &&
      widths.every(Number.isInteger) &&
      (quads(range) === 0 || widths.reduce((sum, width) => sum + width, 0) === from)
    );
  }, "the lengths of landmarks, factor and coordinates do not fit together");

const landmarkWitness = z
  .strictObject({
    ...{ node: nodeKernel, range: graphRange, landmarks: nodeRows },
    ...{ factor: float64, coordinates: float64, picks: whole(0, 10_000) },
  })
  .refine(({ range, landmarks, factor, coordinates, picks }) => {
    const rank = landmarks.masses.length;
    return (
      landmarks.dimension === range.rows.dimension &&
      factor.length === triangle(0, rank) &&
      coordinates.length === rank * graphsOf(range) &&
      picks * graphsOf(range) <= MOST_NUMBERS
    );
  }, "the lengths of landmarks, factor and coordinates do not fit together");

/** Points of a grid over distances within one set. */
const grid = {
  kernel: z.string().max(100),
  points: z
    .array(
      z.strictObject({
        label: optionValues,
        options: optionValues,
        parts: z.array(whole(0, 10_000)).max(100),
      }),
    )
    .min(1)
    .max(100_000),
  distances: squares,
  classes: int32,
  Cs: z.array(positive).max(1000),
  seed,
};

/** Throws where the kernel or one of its options is unknown. */
function isGrid({
  kernel,
  points,
  distances,
  classes,
}: Pick<z.infer<typeof nestedFoldShape>, "kernel" | "points" | "distances" | "classes">): boolean {
  const spec = kernelByName(kernel);
  for (const { options } of points) kernelOptions(spec, options);
  return (
    areSquare(distances, classes.length) &&
    points.every(
      ({ parts }) =>
        parts.length === spec.parts.length && parts.every((part) => distances[part] !== undefined),
    )
  );
}
const NO_GRID = "the points, their distances and the classes do not fit together";

const folds = whole(2, 10_000);
const nestedFoldShape = z.strictObject({
  ...grid,
  ...{ groups: uint32.nullable(), train: int32, test: int32, inner: folds },
  maxIterations: whole(1, Number.MAX_SAFE_INTEGER).optional(),
  search: z.enum(GRID_SEARCHES).optional(),
  blend: z
    .strictObject({
      ...{ sample: whole(2, 2 ** 31), best: whole(1, 1000) },
    } satisfies Fields<Blend>)
    .optional(),
  classifier: z.enum(CLASSIFIERS).optional(),
} satisfies Fields<FoldUnit>);
interface FoldParts {
  classes: Int32Array;
  groups: Uint32Array | null;
  train: Int32Array;
  test: Int32Array;
}
function isFold({ classes: { length }, groups, train, test }: FoldParts): boolean {
  const inRange = (indices: Int32Array) => indices.every((index) => index >= 0 && index < length);
  return inRange(train) && inRange(test) && (groups === null || groups.length === length);
}
const NO_FOLD = "training, test or groups are of other graphs";
const nestedFold = nestedFoldShape.refine(isGrid, NO_GRID).refine(isFold, NO_FOLD);

const { classes, groups, train, test, Cs, inner, maxIterations, classifier } = nestedFoldShape.shape;
const sizeFold = z
  .strictObject({
    ...{ sizes: float64, classes, groups, train, test, Cs, inner, seed, maxIterations, classifier },
  } satisfies Fields<SizeUnit>)
  .refine(({ sizes, classes }) => sizes.length === 2 * classes.length, "the sizes are of other graphs")
  .refine(isFold, NO_FOLD);

const classWeights = z.union([z.literal("balanced"), z.record(z.string(), positive)]).optional();
const modelFit = z
  .strictObject({ ...grid, folds, probability: z.boolean(), classWeights } satisfies Fields<FitUnit>)
  .refine(isGrid, NO_GRID);

const whatToCount = z.discriminatedUnion("pattern", [
  z.strictObject({
    pattern: z.literal("shortest-path"),
    options: z.strictObject({
      ...{ labels: z.enum(["auto", "nodes", "none"]).optional(), bucket: positive.nullable().optional() },
      ...{ maximumSources: whole(1, 2 ** 31).optional(), seed: seed.optional() },
    } satisfies Fields<ShortestPathOptions>),
  }),
  z.strictObject({
    pattern: z.literal("graphlet"),
    options: z.strictObject({
      ...{ size: whole(3, 5).optional(), samples: whole(1, 10 ** 8).optional(), seed: seed.optional() },
    } satisfies Fields<GraphletOptions>),
  }),
  z.strictObject({
    pattern: z.literal("propagation"),
    options: z.strictObject({
      ...{ iterations: whole(0, 10_000).optional(), width: positive.optional(), seed: seed.optional() },
      labels: z.enum(["auto", "nodes", "degrees"]).optional(),
    } satisfies Fields<PropagationOptions>),
  }),
  z.strictObject({
    pattern: z.literal("fgsd"),
    options: z.strictObject({
      ...{ distance: z.string().max(100).optional(), method: z.string().max(100).optional() },
      ...{ binWidth: positive.optional(), steps: whole(1, 10 ** 8).optional() },
      ...{ sample: whole(1, 10 ** 6).optional(), seed: seed.optional() },
    } satisfies Fields<FgsdOptions>),
  }),
]);

const deepKernel = z.strictObject({
  graphs: packedGraphs,
  options: z.strictObject({
    ...{ substructure: z.enum(DEEP_SUBSTRUCTURES).optional(), iterations: whole(0, 100).optional() },
    ...{ size: z.literal([3, 4, 5]).optional(), samples: whole(1, 10 ** 9).optional() },
    ...{ dimension: whole(1, 4096).optional(), negatives: whole(1, 10 ** 6).optional() },
    ...{ minimumCount: whole(1, 10 ** 9).optional(), seed: seed.optional() },
  } satisfies Fields<DeepKernelOptions>),
} satisfies Fields<DeepUnit>);

/** What a fit has learnt; its numbers are looked at by what takes them up. */
const learnt = z.strictObject({
  values: z.record(z.string().max(100), z.union([z.string().max(1000), anyNumber, z.boolean(), z.null()])),
  arrays: z.record(z.string().max(100), z.union([float64, uint32])),
} satisfies Fields<Vocabulary>);

const profileOfNodes = z
  .strictObject({
    ...{ nodeCount: whole(0, 2 ** 32), rowCount: whole(0, 2 ** 32), moments },
    ...{ rows: float64, rowOf: uint32 },
  } satisfies Fields<ProfileOfNodes>)
  .refine(
    ({ nodeCount, rowCount, moments, rows, rowOf }) =>
      rows.length === rowCount * (moments + 1) &&
      rowOf.length === nodeCount &&
      rowOf.every((row) => row < rowCount || row === NO_ROW),
    "the rows and the nodes do not fit together",
  );

const labelledVectors = z
  .strictObject({
    ...{ graphs: packedGraphs, profiles: z.array(profileOfNodes), learnt },
    options: z.strictObject({
      ...{ width: positive.optional(), attributeWidth: positive.nullable().optional() },
      ...{ features: whole(2, 65536).optional(), seed: seed.optional() },
      ...{ labels: z.boolean().optional(), attributes: z.boolean().optional() },
    } satisfies Fields<LabelledOptions>),
  } satisfies Fields<LabelledUnit>)
  .refine(({ graphs, options, learnt }) => {
    const blocks = (learnt.arrays.labels?.length ?? 0) + 1;
    return countGraphs(graphs) * (options.features ?? 200) * blocks <= MOST_NUMBERS;
  }, "too many numbers");

const probePlan = z.strictObject({ probes: whole(1, 10 ** 6), steps: whole(1, 10_000), seed }).nullable();

/** Conjugate gradients come to an end where √λ ρ is below 1. */
const converges = (root: number, packed: ArrayBufferLike) =>
  unpackGraphs(packed).every((graph) => (root * spectralRadiusBound(graph, 64)) ** 2 <= LARGEST_RATIO);
const DIVERGES = "the series of walks does not converge";

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  profiles,
  "probe-block": probeBlock,
  "sample-block": sampleBlock,
  "vector-distances": vectorDistances,
  "exact-products": exactProducts,
  "self-products": selfProducts,
  "random-walks": randomWalks,
  "fourier-vectors": fourierVectors,
  "landmark-coordinates": landmarkCoordinates,
  "landmark-witness": landmarkWitness,
  "nested-fold": nestedFold,
  "size-fold": sizeFold,
  "model-fit": modelFit,
  "count-patterns": z.strictObject({ plan: whatToCount, graphs: packedGraphs }),
  "deep-kernel": deepKernel,
  "labelled-vectors": labelledVectors,
  "laplacian-traces": z.strictObject({ graphs: packedGraphs, plan: probePlan }),
  "labelled-walks": z
    .strictObject({ root: positive, a: packedGraphs, b: packedGraphs.nullable() })
    .refine(({ root, a, b }) => converges(root, a) && (b === null || converges(root, b)), DIVERGES),
  "labelled-walk-squares": z
    .strictObject({ root: positive, graphs: packedGraphs })
    .refine(({ root, graphs }) => converges(root, graphs), DIVERGES),
};

/** What a thread makes of a large graph and keeps under the key of the unit. */
const LAYOUTS: Readonly<Record<string, (unit: never) => unknown[]>> = {
  "probe-block": ({ options }: z.infer<typeof probeBlock>) => ["probes", options],
  "sample-block": ({ selfLoops }: z.infer<typeof sampleBlock>) => ["sample", selfLoops],
};

/** Hashes of large graphs, which many units share. */
const hashes = new WeakMap<ArrayBufferLike, Promise<string>>();

/** The key must be that of this graph and of what is made of it (remote-blocks.ts): a unit must not pass its graph off as another. */
async function checkKey(task: string, unit: { key: string; graph: ArrayBufferLike }): Promise<void> {
  const hash = hashes.get(unit.graph) ?? hashOf(new Uint8Array(unit.graph));
  hashes.set(unit.graph, hash);
  if (unit.key !== `${await hash} ${JSON.stringify(LAYOUTS[task](unit as never))}`)
    throw badData(`unit of ${task}: the key is of another graph`);
}

/** Tasks that no cluster can do, and why. */
export const NOT_ELSEWHERE: Readonly<Record<string, string>> = {
  "chebyshev-steps": "it works in the memory of the coordinator",
};

/** Throws a sentence where the input is none of the task. */
export async function checkUnit(task: string, input: unknown): Promise<void> {
  if (Object.hasOwn(NOT_ELSEWHERE, task))
    throw badData(`unit of ${task}: not for other machines: ${NOT_ELSEWHERE[task]}`);
  if (!Object.hasOwn(SCHEMAS, task)) throw badData(`unit of ${task}: unknown task`);
  const { success, error } = SCHEMAS[task].safeParse(input);
  if (!success) {
    const [{ path, message }] = error.issues;
    throw badData(`unit of ${task}: ${path.length === 0 ? "" : `${path.join(".")}: `}${message}`);
  }
  // the input itself: a schema puts names into its own order
  if (Object.hasOwn(LAYOUTS, task)) await checkKey(task, input as { key: string; graph: ArrayBufferLike });
}
