/**
 * Evaluates kernels on a data set by nested, stratified, repeated cross-validation (section 4.2 of the paper).
 *
 *   dataset ─▶ profiles ─▶ signatures ─▶ distances (once) ─▶ one unit for each repeat and outer fold: learn/nested.ts ─▶ table
 *
 * Distances are functions of pairs of graphs alone and are shared by all folds, except where a part learns scales or a decay from a set of
 * graphs: these are of the training part, and folds share distances where they are equal. Bandwidths, choices and fits see training graphs
 * only.
 * Units run on all workers; a finished unit is kept in the store under a hash of all that went into it, so that an interrupted
 * run goes on where it was. The same seed gives the same folds and the same numbers for any number of workers.
 */
import { badData, throwIfAborted } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Executor } from "../compute/executor.js";
import { hashOf, type ResultStore } from "../compute/store.js";
import { type Dataset, graphTitle } from "../data/dataset.js";
import { isomorphismGroups } from "../graph/isomorphism.js";
import { packedRuns } from "../graph/pack.js";
import { type KernelSpec, kernelByName, kernelNeeds, partOptions } from "../kernel/registry.js";
import { type Distances, pairwiseDistances } from "../kernel/signatures.js";
import type { FoldSet } from "../learn/folds.js";
import type { ProfileOptions } from "../spectrum/profiles.js";
import { version } from "../version.js";
import type { EvaluationResult, KernelResult, Protocol, SkippedKernel } from "./evaluation-types.js";
import { type FoldUnit, foldTask } from "./evaluation-unit.js";
import { percent } from "./evaluation-words.js";
import { innerSeed, type Preparation, runFolds } from "./fold-run.js";
import { type KernelPoint, type KernelRequest, kernelGrid } from "./grid.js";
import { type ComputedInput, kernelInput } from "./kernel-run.js";
import { lowerMoments } from "./lower-moments.js";
import { compareWithBest, recommendKernel } from "./recommendation.js";
import { identicalCeiling, protocolFolds, sizeAlone } from "./size-alone.js";
import { StageCache } from "./stage-cache.js";
import { summarise } from "./summary.js";
import { requestedUse, setNotes } from "./unused-marks.js";

export interface EvaluateOptions extends RunControl {
  kernels: readonly KernelRequest[];
  protocol: Protocol;
  profile?: ProfileOptions;
  executor: Executor;
  /** Keeps finished folds. Default: nothing is kept. */
  store?: ResultStore;
  /** Keeps profiles, signatures and distances, which are large. Default: nothing is kept. */
  stages?: ResultStore;
  /** Nothing is computed: throws NotKept where the store does not have every fold. Default false. */
  keptOnly?: boolean;
  /** Cap on the pair steps of one SVM machine. */
  maxIterations?: number;
  /** Kernels that the caller left out, for the record. */
  skipped?: readonly SkippedKernel[];
  /** A number for each graph: those with the same one are not parted by folds. Default: none, or copies where the protocol says so. */
  groups?: Uint32Array;
  /** Also measure what node and edge counts alone reach, and the ceiling that identical graphs set. Default true. */
  sizeRow?: boolean;
  /** Called when a kernel is done. */
  onKernel?: (result: KernelResult) => void;
}

export async function evaluate(dataset: Dataset, asked: EvaluateOptions): Promise<EvaluationResult> {
  const { sizeRow = true } = asked;
  const classes = checkClasses(dataset);
  const { signal, onProgress, store = null } = asked;
  const alike =
    asked.protocol.grouped || sizeRow
      ? isomorphismGroups(dataset.graphs, { signal, onProgress }).group
      : undefined;
  const groups = asked.groups ?? (asked.protocol.grouped ? alike : undefined);
  const splits = protocolFolds(dataset, asked.protocol, groups);
  const protocol = { ...asked.protocol, folds: splits[0].folds.length };
  const options = { ...asked, protocol };
  // without a store nothing is hashed: browsers have no digests in pages that came over plain HTTP
  const dataHash =
    store === null && options.stages === undefined ? "" : await hashOf(packedRuns(dataset.graphs), classes);
  const results: KernelResult[] = [];
  for (const request of options.kernels) {
    const result = await evaluateKernel(dataset, { classes, request, splits, groups, dataHash }, options);
    results.push(result);
    options.onKernel?.(result);
  }
  const size = sizeRow ? await sizeAlone({ ...dataset, classes }, { ...options, splits, groups }) : null;
  const ceiling = sizeRow
    ? identicalCeiling({ ...dataset, classes }, { signal, onProgress, groups: alike })
    : null;
  const classCounts = dataset.classNames.map((_, c) =>
    classes.reduce((sum, k) => sum + (k === c ? 1 : 0), 0),
  );
  const warnings = foldWarnings(dataset.classNames, classCounts, protocol);
  if (protocol.folds < asked.protocol.folds)
    warnings.unshift(
      `${protocol.folds} graphs${groups ? " that differ" : ""} make no more than ${protocol.folds} folds: ${asked.protocol.folds} were asked for`,
    );
  warnings.push(
    ...setNotes(
      dataset,
      options.kernels.map((request) => requestedUse(kernelByName(request.name), request)),
    ),
  );
  for (const result of size === null ? results : [...results, size])
    if (result.capped > 0)
      warnings.push(
        `${result.kernel}: ${result.capped} of ${result.fits} SVM fits ended at the cap on iterations, with a gap of up to ${result.largestGap.toPrecision(2)}`,
      );
  const bestMean = Math.max(...results.map(({ accuracy }) => accuracy.mean));
  if (size !== null && size.accuracy.mean >= bestMean)
    warnings.push(
      `no kernel is right more often than size alone, ${percent(size.accuracy.mean)} %: these accuracies say nothing of structure`,
    );
  const comparisons = compareWithBest(results, protocol);
  return {
    dataset: dataset.name,
    graphs: dataset.graphs.length,
    classNames: dataset.classNames,
    classCounts,
    protocol,
    results,
    comparisons,
    recommendation: recommendKernel(results, comparisons),
    skipped: [...(options.skipped ?? [])],
    warnings,
    sizeAlone: size,
    ceiling,
    baseline: Math.max(...classCounts) / classes.length,
    version,
  };
}

function checkClasses(dataset: Dataset): Int32Array {
  if (dataset.classes === null)
    throw badData(
      `${dataset.name}: labels are missing: a set without classes cannot be evaluated; inspect and similar work without`,
    );
  if (new Set(dataset.classes).size < 2)
    throw badData(
      `${dataset.name}: all graphs are of one class (${dataset.classNames[dataset.classes[0]]}): there is nothing to tell apart`,
    );
  return dataset.classes;
}

/** What is to be said of classes that are too small for the folds. */
function foldWarnings(names: readonly string[], counts: readonly number[], { folds }: Protocol): string[] {
  return names.flatMap((name, c) => {
    if (counts[c] === 1)
      return [`class ${name} has 1 graph: when it is tested, nothing has been learnt of its class`];
    if (counts[c] === 0 || counts[c] >= folds) return [];
    return [
      `class ${name} has ${counts[c]} graphs, fewer than the ${folds} folds: some folds test none of it`,
    ];
  });
}

interface KernelTask {
  classes: Int32Array;
  request: KernelRequest;
  splits: readonly FoldSet[];
  groups: Uint32Array | undefined;
  dataHash: string;
}

async function evaluateKernel(
  dataset: Dataset,
  { classes, request, splits, groups, dataHash }: KernelTask,
  options: EvaluateOptions,
): Promise<KernelResult> {
  const { protocol, executor, signal, onProgress, store = null, maxIterations } = options;
  const spec = kernelByName(request.name);
  const points = kernelGrid(spec, request);
  const identity = JSON.stringify([
    version,
    dataHash,
    spec.name,
    points,
    options.profile ?? {},
    protocol.Cs,
    protocol.inner,
    protocol.grouped,
    ...(options.groups === undefined ? [] : [[...options.groups]]),
    maxIterations ?? 0,
    request.search ?? "all",
    ...(protocol.classifier === "1nn" ? ["1nn"] : []),
    ...(request.blend === undefined ? [] : [request.blend]),
  ]);
  const stages = new StageCache(options.stages ?? null, dataHash);
  const maker = distanceMaker({ dataset, spec, points, stages }, options);
  const { places, outcomes, notes } = await runFolds<FoldUnit>({
    ...{ name: spec.name, task: foldTask, identity, splits, classes, protocol, store },
    ...{ keptOnly: options.keptOnly, executor, signal, onProgress },
    together: (place) => JSON.stringify(maker.keys(place.train)),
    async units(missing) {
      const pointKeys = maker.keys(missing[0].train);
      const { distances, notes: made, seconds } = await maker.distances(missing[0].train);
      throwIfAborted(signal);
      const keys = [...distances.keys()];
      const shared = { distances: [...distances.values()], classes, groups: groups ?? null };
      const units = missing.map((place) => ({
        kernel: spec.name,
        points: points.map((point, p) => ({
          label: point.label,
          options: point.options,
          parts: pointKeys[p].map((key) => keys.indexOf(key)),
        })),
        ...shared,
        train: place.train,
        test: place.test,
        Cs: protocol.Cs,
        inner: protocol.inner,
        seed: innerSeed(protocol, place),
        maxIterations,
        search: request.search,
        blend: request.blend,
        classifier: protocol.classifier,
      }));
      return { units, notes: made, seconds };
    },
  });
  return summarise({
    ...{ kernel: spec.name, title: spec.title, points, places, outcomes, classes },
    ...{ classCount: dataset.classNames.length, protocol, notes },
  });
}

const DEFAULT_MOMENTS = 50;

interface DistanceSource {
  dataset: Dataset;
  spec: KernelSpec;
  points: readonly KernelPoint[];
  stages: StageCache;
}

/**
 * One matrix of distances for every part and every setting that changes them, on shared memory where there is any. `keys`: of each part of each
 * point, what its distances depend on with this training part.
 */
export function distanceMaker(
  source: DistanceSource,
  options: Pick<EvaluateOptions, "executor" | "profile" | "protocol" | keyof RunControl>,
) {
  const { dataset, spec, points, stages } = source;
  const { executor, signal, onProgress, profile = {} } = options;
  const control = { signal, onProgress };
  const shared = typeof SharedArrayBuffer !== "undefined";
  // single precision is enough for kernel values in an SVM, not for the square roots of whole matrices, nor to say which graph is nearest
  const float32 =
    options.protocol.classifier !== "1nn" && !points.some((point) => point.options.combine === "geometric");
  /** What each point and part learns from the training part that was asked for last. */
  let last: { train: Int32Array; learnt: (Float64Array | undefined)[][] } | null = null;
  const learntFrom = (train: Int32Array) => {
    if (last?.train === train) return last.learnt;
    const graphs = Array.from(train, (g) => dataset.graphs[g]);
    const learnt = points.map((point) =>
      spec.parts.map((part, k) => part.learn?.(graphs, partOptions(spec, k, point.options))),
    );
    last = { train, learnt };
    return learnt;
  };
  const keys = (train: Int32Array) =>
    learntFrom(train).map((parts, p) =>
      parts.map((learnt, k) =>
        learnt === undefined || learnt.length === 0
          ? points[p].distanceKeys[k]
          : JSON.stringify([points[p].distanceKeys[k], ...learnt]),
      ),
    );
  /** More moments than the profiles at hand have are computed for the parts that ask for them alone. */
  const atHand = profile.moments ?? DEFAULT_MOMENTS;
  const orderOf = (moments: number | null) => Math.max(atHand, moments ?? 0);
  const inputs = new Map<number, ComputedInput>();
  /** The profiles, when something is missing that needs them. */
  const given = async (moments: number | null, seconds: Preparation) => {
    const order = orderOf(moments);
    const known = inputs.get(order);
    if (known !== undefined) return known;
    const start = performance.now();
    const needs = points.flatMap((point) =>
      kernelNeeds(spec, point.options).filter((_, k) => orderOf(point.moments[k]) === order),
    );
    const made = await kernelInput(dataset, needs, { ...profile, moments: order }, executor, control, stages);
    inputs.set(order, made);
    seconds.profile += (performance.now() - start) / 1000;
    return made;
  };
  return { keys, distances: distancesFor };

  async function distancesFor(
    train: Int32Array,
  ): Promise<{ distances: Map<string, Distances>; notes: string[]; seconds: Preparation }> {
    const distances = new Map<string, Distances>();
    const notes: string[] = [];
    const seconds = { profile: 0, signature: 0 };
    const learnt = learntFrom(train);
    const pointKeys = keys(train);
    const start = performance.now();
    for (const [p, point] of points.entries())
      for (let k = 0; k < spec.parts.length; k++) {
        const key = pointKeys[p][k];
        if (distances.has(key)) continue;
        const part = spec.parts[k];
        const own = partOptions(spec, k, point.options);
        const identity = { key, profile };
        const found = await stages.distances({ ...identity, float32 }, shared, async () => {
          const { signatures, notes: fitNotes } = await stages.signatures(identity, async () =>
            part.fit(
              lowerMoments(await given(point.moments[k], seconds), point.moments[k]),
              own,
              { executor, ...control, shared },
              learnt[p][k],
            ),
          );
          const nameOf = (g: number) => graphTitle(dataset, g);
          const made = await pairwiseDistances(signatures, {
            ...{ executor, ...control, shared, float32, nameOf },
            reuse: true,
          });
          return { ...made, notes: fitNotes };
        });
        for (const note of found.notes) if (!notes.includes(note)) notes.push(note);
        distances.set(key, found);
      }
    seconds.signature = (performance.now() - start) / 1000 - seconds.profile;
    return { distances, notes, seconds };
  }
}
