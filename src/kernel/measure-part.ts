/**
 * The LDOS and RetGK parts: graphs as distributions of node features, compared by MMD, three ways with one interface.
 *
 *   exact     sums over all pairs of rows: the oracle, and RetGK_I
 *   low-rank  landmarks, their number growing until the error of every MMD is within `tolerance` (signature/landmark-fit.ts)
 *   fourier   random Fourier features: RetGK_II
 *
 * LDOS on A + I with exact sums is RetGK_I.
 */
import { CheckedState } from "../base/checked-state.js";
import { badData } from "../base/errors.js";
import { fourierFrequencies, fourierVectors } from "../signature/fourier.js";
import { markedRows } from "../signature/labelled-rows.js";
import { fitLandmarks } from "../signature/landmark-fit.js";
import { embedByLandmarks, type LandmarkEmbedding, type LandmarkModel } from "../signature/landmarks.js";
import { type NodeBasis, nodeFeatures } from "../signature/node-features.js";
import type { NodeKernel, NodeKernelShape } from "../signature/node-kernel.js";
import type { NodeMarks } from "../signature/node-marks.js";
import { graphCount, type NodeRows } from "../signature/node-rows.js";
import { TriangularFactor } from "../signature/pivoted-cholesky.js";
import { type SpectralRotation, spectralRotation } from "../signature/spectral-rotation.js";
import { walkRows } from "../signature/walks.js";
import type { DampingName } from "../spectrum/damping.js";
import {
  fittedMarks,
  learnMarks,
  MARKS,
  marksFromState,
  marksNote,
  marksState,
  usedMarks,
  usesMarks,
} from "./mark-options.js";
import { type OptionTable, type OptionValues, without } from "./options.js";
import {
  checkSignatures,
  type FittedPart,
  graphsFor,
  type InputProfile,
  type KernelContext,
  type KernelInput,
  type KernelPart,
  profilesFor,
  radialOptions,
  SELF_LOOPS,
} from "./part.js";
import { measureSignatures, type VectorSignatures } from "./signatures.js";
import { rowsFromState, rowsState, type State } from "./state.js";

const TABLE: OptionTable = {
  ...SELF_LOOPS,
  basis: {
    default: "return-probabilities",
    allowed: ["return-probabilities", "chebyshev"],
    about: "what a node is described by",
  },
  damping: {
    default: "none",
    allowed: ["none", "jackson", "lorentz"],
    about: "damping of the Chebyshev moments",
  },
  node: { default: "gaussian", allowed: ["gaussian", "laplacian"], about: "kernel between two nodes" },
  width: {
    default: 0.1,
    allowed: { from: 0, to: 1e6, above: true },
    grid: [0.03, 0.1, 0.3],
    about: "width of the kernel between two nodes",
  },
  mmd: { default: "low-rank", allowed: ["low-rank", "exact", "fourier"], about: "how MMD is computed" },
  tolerance: {
    default: 1e-3,
    allowed: { from: 0, to: 1, above: true },
    about: "low-rank: error of an MMD that is aimed at",
  },
  maximumRank: {
    default: 4096,
    allowed: { from: 1, to: 16384, integer: true },
    about: "low-rank: the most landmarks",
  },
  features: {
    default: 400,
    allowed: { from: 2, to: 65536, integer: true },
    about: "fourier: numbers of a graph's vector, even",
  },
  ...MARKS,
  attributeWidth: {
    default: 0,
    allowed: { from: 0, to: 1e6 },
    about: "width of the kernel on standardised attributes; 0: the root of their number",
  },
  seed: { default: 0, allowed: { from: 0, to: 2 ** 53 - 1, integer: true }, about: "seed of what is drawn" },
  ...radialOptions("euclidean"),
};

const MARK_NAMES = [...Object.keys(MARKS), "attributeWidth"];

const WALKS: OptionTable = {
  walks: { default: 200, allowed: { from: 1, to: 1e6, integer: true }, about: "random walks from each node" },
  steps: { default: 50, allowed: { from: 1, to: 4096, integer: true }, about: "steps of a walk" },
};

export const ldosPart = measurePart("ldos", "local densities of states", TABLE, {});
export const retgk1Part = measurePart("retgk1", "RetGK I: return probabilities, exact MMD", TABLE, {
  selfLoops: true,
  basis: "return-probabilities",
  damping: "none",
  mmd: "exact",
});
export const retgk2Part = measurePart("retgk2", "RetGK II: return probabilities, Fourier features", TABLE, {
  selfLoops: true,
  basis: "return-probabilities",
  damping: "none",
  mmd: "fourier",
});
export const retgkWalksPart = measurePart(
  "retgk-mc",
  "RetGK MC: simulated walks",
  { ...without(TABLE, MARK_NAMES), mmd: { ...TABLE.mmd, default: "fourier" }, ...WALKS },
  { selfLoops: true, basis: "return-probabilities", damping: "none" },
  true,
);

function measurePart(
  name: string,
  title: string,
  table: OptionTable,
  fixed: OptionValues,
  byWalks = false,
): KernelPart {
  const full = (options: OptionValues) => ({ ...options, ...fixed });
  return {
    name,
    title,
    options: without(table, Object.keys(fixed)),
    stochastic: (options) => byWalks || full(options).mmd === "fourier",
    uses: usedMarks,
    needs: (options) => ({
      selfLoops: byWalks ? null : (full(options).selfLoops as boolean),
      nodes: true,
      graphs: byWalks || usesMarks(options),
    }),
    learn: learnMarks,
    async fit(input, options, context, learnt) {
      const marks = usesMarks(options) ? fittedMarks(name, graphsFor(input, name), options, learnt) : null;
      const fitted = await fitMeasures({ name, options: full(options), byWalks, marks }, input, context);
      checkSignatures(fitted.signatures, name, input.nameOf);
      return fitted;
    },
    restore: (state, options) => embedder(name, full(options), byWalks, state),
  };
}

interface Measures {
  name: string;
  options: OptionValues;
  byWalks: boolean;
  marks: NodeMarks | null;
}

async function fitMeasures(
  { name, options, byWalks, marks }: Measures,
  input: KernelInput,
  context: KernelContext,
): Promise<FittedPart> {
  const node: NodeKernel = { shape: options.node as NodeKernelShape, width: options.width as number };
  const { executor, signal } = context;
  const seed = options.seed as number;
  const marked = marksState(marks);
  const notes = marks === null ? [] : [marksNote(name, marks)];
  if (options.mmd === "exact") {
    const bound = embedder(name, options, byWalks, marked);
    return { ...bound, signatures: await bound.embed(input, context), notes };
  }
  if (options.mmd === "fourier") {
    const rows = await rowsOf(name, options, byWalks, input, context, null, marks);
    const features = options.features as number;
    const frequencies = fourierFrequencies(node, rows.dimension, { features, seed });
    const state = { values: marked.values, arrays: { ...marked.arrays, frequencies } };
    const bound = embedder(name, options, byWalks, state);
    const signatures = vectors(await fourierVectors(rows, frequencies, executor, context));
    const note = `${name}: ${features} random Fourier features, seed ${seed}; kernel values have a standard error of about ${(1 / Math.sqrt(features)).toFixed(3)}`;
    return { ...bound, signatures, notes: [...notes, note] };
  }
  const tolerance = options.tolerance as number;
  const rotation = byWalks ? null : rotationFor(options, node, tolerance, input);
  const slack = slackOf(rotation, node);
  let count = 0;
  const rows = async () => {
    const made = await rowsOf(name, options, byWalks, input, context, rotation, marks);
    count = graphCount(made);
    return made;
  };
  const { model, embedding, graphsLeft } = await fitLandmarks(rows, node, {
    tolerance,
    maximumRank: options.maximumRank as number,
    slack,
    seed,
    executor,
    signal,
    onRound: (rank, left) =>
      context.onProgress?.({
        task: `landmarks (${rank})`,
        done: count - left,
        total: count,
        unit: "graphs",
      }),
  });
  const learnt = landmarkState(model, rotation);
  const bound = embedder(name, options, byWalks, {
    values: { ...learnt.values, ...marked.values },
    arrays: { ...learnt.arrays, ...marked.arrays },
  });
  const reached =
    graphsLeft === 0
      ? `every MMD between fitted graphs within ${tolerance}`
      : `${graphsLeft} graphs may exceed the tolerance of ${tolerance}: raise maximumRank or the tolerance`;
  return {
    ...bound,
    signatures: projections(embedding, model, slack, count),
    notes: [...notes, `${name}: ${model.factor.rank} landmarks; ${reached}`],
  };
}

/** What turns graphs into signatures once everything is fitted. */
function embedder(
  name: string,
  options: OptionValues,
  byWalks: boolean,
  state: State,
): Pick<FittedPart, "embed" | "state"> {
  const node: NodeKernel = { shape: options.node as NodeKernelShape, width: options.width as number };
  const model = options.mmd === "low-rank" ? landmarkModel(state, node) : null;
  const frequencies = options.mmd === "fourier" ? new CheckedState(state).floats("frequencies") : null;
  const marks = marksFromState(state);
  return {
    state: () => state,
    async embed(input, context) {
      const rows = await rowsOf(name, options, byWalks, input, context, model?.rotation ?? null, marks);
      checkDimension(name, rows.dimension, model?.landmarks.landmarks.dimension);
      if (options.mmd === "exact") return measureSignatures(rows, node, context.executor, context.signal);
      if (model === null) return vectors(await fourierVectors(rows, frequencies!, context.executor, context));
      const embedding = await embedByLandmarks(model.landmarks, rows, context.executor, context.signal);
      const covered = model.rotation === null || rowsAreExact(given(input, options));
      const slack = covered ? slackOf(model.rotation, node) : Number.NaN;
      return projections(embedding, model.landmarks, slack, graphCount(rows));
    },
  };
}

/** Unseen graphs must have rows of the length that was fitted. */
function checkDimension(name: string, got: number, fitted = got): void {
  if (got !== fitted)
    throw badData(`${name}: rows of node features: got ${got} numbers, expected ${fitted} as in the fit`);
}

async function rowsOf(
  name: string,
  options: OptionValues,
  byWalks: boolean,
  input: KernelInput,
  { executor, shared, signal, onProgress }: KernelContext,
  rotation: SpectralRotation | null,
  marks: NodeMarks | null,
): Promise<NodeRows> {
  if (byWalks) {
    const { walks, steps, seed } = options as Record<string, number>;
    return walkRows(graphsFor(input, name), executor, { walks, steps, seed, shared, signal, onProgress });
  }
  const profiles = profilesFor(input, options.selfLoops as boolean, name);
  const rows = nodeFeatures(profiles, {
    basis: options.basis as NodeBasis,
    damping: options.damping as DampingName,
    rotation,
    shared,
  });
  if (marks === null || (marks.labels === null && marks.scales === null)) return rows;
  const node: NodeKernel = { shape: options.node as NodeKernelShape, width: options.width as number };
  const rowOf = profiles.map((profile) => profile.rowOf);
  return markedRows(rows, graphsFor(input, name), rowOf, marks, node, input.nameOf);
}

const vectors = (made: { count: number; dimension: number; values: Float64Array }): VectorSignatures => ({
  kind: "vectors",
  metric: "euclidean",
  ...made,
  missed: null,
  slack: 0,
});

/** At least one number a graph, so that graphs without nodes have vectors too. */
function projections(
  { vectors: values, missed }: LandmarkEmbedding,
  { factor }: LandmarkModel,
  slack: number,
  count: number,
): VectorSignatures {
  const dimension = Math.max(1, factor.rank);
  const filled = factor.rank === 0 ? new Float64Array(count) : values;
  return { kind: "vectors", metric: "euclidean", count, dimension, values: filled, missed, slack };
}

const given = (input: KernelInput, options: OptionValues) =>
  (options.selfLoops ? input.selfLoopProfiles : input.profiles) ?? [];

const rowsAreExact = (profiles: readonly InputProfile[]) =>
  profiles.every((profile) => (profile.standardError?.rows ?? null) === null);

/** Fewer numbers a row where that is exact enough: a Gaussian kernel on exact return probabilities. */
function rotationFor(
  options: OptionValues,
  node: NodeKernel,
  tolerance: number,
  input: KernelInput,
): SpectralRotation | null {
  const profiles = given(input, options);
  if (options.basis !== "return-probabilities" || node.shape !== "gaussian" || profiles.length === 0)
    return null;
  if (!rowsAreExact(profiles)) return null;
  return spectralRotation(profiles[0].moments, (0.32 * tolerance * node.width) / Math.sqrt(8));
}

/**
 * The rotation lowers ‖x − y‖² by at most (2·missed)², so that it raises a kernel value by at most (2·missed)²/(2 width²); an MMD² has
 * masses of 4 in all.
 */
function slackOf(rotation: SpectralRotation | null, node: NodeKernel): number {
  return rotation === null ? 0 : (8 * rotation.missed ** 2) / node.width ** 2;
}

function landmarkState({ landmarks, factor }: LandmarkModel, rotation: SpectralRotation | null): State {
  const rows = rowsState(landmarks, "landmarks.");
  const arrays = { ...rows.arrays, factor: factor.packed().slice() };
  const values = { ...rows.values, rank: factor.rank };
  if (rotation === null) return { values, arrays };
  const { moments, dimension, missed, matrix } = rotation;
  return {
    values: {
      ...values,
      "rotation.moments": moments,
      "rotation.dimension": dimension,
      "rotation.missed": missed,
    },
    arrays: { ...arrays, "rotation.matrix": matrix },
  };
}

function landmarkModel(state: State, node: NodeKernel) {
  const checked = new CheckedState(state);
  const landmarks = rowsFromState(state, 1, "landmarks.");
  const rank = checked.whole("rank", landmarks.masses.length, landmarks.masses.length);
  const factor = TriangularFactor.from(rank, checked.floats("factor", (rank * (rank + 1)) / 2));
  if (!checked.has("rotation.matrix")) return { landmarks: { node, landmarks, factor }, rotation: null };
  const moments = checked.whole("rotation.moments");
  const dimension = checked.whole("rotation.dimension", 0, landmarks.dimension);
  const missed = checked.number("rotation.missed", 0);
  const matrix = checked.floats("rotation.matrix", dimension * moments);
  const rotation: SpectralRotation = { moments, dimension, missed, matrix };
  return { landmarks: { node, landmarks, factor }, rotation };
}
