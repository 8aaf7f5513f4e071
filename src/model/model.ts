/**
 * A model that classifies graphs it has never seen.
 *
 *   fit       choose options and C by cross-validation over all graphs given, fit the SVM on all of them
 *   predict   profile ─▶ embed with what was fitted ─▶ distances to the support graphs ─▶ kernel values ─▶ decision
 *
 * It keeps the options, the fitted kernel (landmarks), the bandwidths and the signatures of the support graphs, nothing else of the
 * training set. Runs in Node and in the browser; model-file.ts makes bytes of it.
 */
import { badCall, badData, unknownName } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Executor } from "../compute/executor.js";
import type { Dataset } from "../data/dataset.js";
import { wholeText } from "../data/ids.js";
import { commonMoments, type KernelPoint, type KernelRequest, kernelGrid } from "../experiment/grid.js";
import { kernelInput } from "../experiment/kernel-run.js";
import { lowerMoments } from "../experiment/lower-moments.js";
import type { Bandwidth } from "../kernel/bandwidth.js";
import type { OptionValues } from "../kernel/options.js";
import type { FittedPart, KernelInput } from "../kernel/part.js";
import {
  fitKernel,
  type KernelSpec,
  kernelByName,
  kernelCrossGram,
  kernelGram,
  kernelNeeds,
  partOptions,
} from "../kernel/registry.js";
import { selectSignatures } from "../kernel/select.js";
import { crossDistances, type Distances, pairwiseDistances, type Signatures } from "../kernel/signatures.js";
import { type GridPoint, PAPER_CS } from "../learn/nested.js";
import { predictSvc, type SvcModel } from "../learn/svc.js";
import type { ProfileOptions } from "../spectrum/profiles.js";
import { version } from "../version.js";
import { fitTask } from "./fit-unit.js";

export interface GraphModel {
  spec: KernelSpec;
  options: OptionValues;
  /** Highest moment that the kernel uses, or null for all. */
  moments: number | null;
  profile: ProfileOptions;
  /** One a part; null for parts without any. */
  bandwidths: (Bandwidth | null)[];
  classNames: string[];
  svc: SvcModel;
  parts: { fitted: Pick<FittedPart, "embed" | "state">; supports: Signatures }[];
  provenance: Provenance;
}

/** Where a model comes from. */
export interface Provenance {
  version: string;
  dataset: string;
  graphs: number;
  kernel: string;
  chosen: GridPoint;
  C: number;
  /** Of the choice, over the folds of the cross-validation: what to expect, a little too high because it was the best of a grid. */
  crossValidatedAccuracy: number | null;
  seed: number;
  date: string;
}

export interface FitOptions extends RunControl {
  kernel?: KernelRequest;
  profile?: ProfileOptions;
  Cs?: readonly number[];
  /** Folds of the cross-validation that chooses. Default 10. */
  folds?: number;
  seed?: number;
  /** Also fit class probabilities. */
  probability?: boolean;
  /** C of a class is C · weight, by the name of the class; "balanced" weighs with graphs / (classes · graphs of the class). Default 1 for all. */
  classWeights?: Readonly<Record<string, number>> | "balanced";
  executor: Executor;
  /** For the provenance; today by default. */
  date?: string;
}

export async function fitModel(dataset: Dataset, options: FitOptions): Promise<GraphModel> {
  const { executor, seed = 0, profile = {}, Cs = PAPER_CS, folds = 10, probability = false } = options;
  const { signal, onProgress } = options;
  const request = options.kernel ?? { name: "dos+ldos" };
  const spec = kernelByName(request.name);
  if (dataset.classes === null)
    throw badData(`${dataset.name}: labels are missing: a model learns from classes`);
  const classes = dataset.classes;
  if (new Set(classes).size < 2)
    throw badData(
      `${dataset.name}: all graphs are of one class (${dataset.classNames[classes[0]]}): there is nothing to tell apart`,
    );
  const classWeights = weightsByIndex(options.classWeights, dataset.classNames);
  const n = classes.length;
  const points = modelGrid(request);
  /** More moments than `profile` has are computed for the points that ask for them alone. */
  const profileOf = (point: KernelPoint): ProfileOptions => {
    const moments = commonMoments(point) ?? 0;
    return moments > (profile.moments ?? 50) ? { ...profile, moments } : profile;
  };
  const inputs = new Map<number | undefined, KernelInput>();
  const inputOf = async (point: KernelPoint) => {
    const own = profileOf(point);
    let input = inputs.get(own.moments);
    if (input === undefined) {
      const alike = points.filter((other) => profileOf(other).moments === own.moments);
      const needs = alike.flatMap((other) => kernelNeeds(spec, other.options));
      input = await kernelInput(dataset, needs, own, executor, { signal, onProgress });
      inputs.set(own.moments, input);
    }
    return lowerMoments(input, commonMoments(point));
  };
  const shared = typeof SharedArrayBuffer !== "undefined";
  const context = { executor, signal, onProgress, shared };

  // distances for every point, computed once for every setting that changes them
  const cache = new Map<string, Distances>();
  const fitPoint = async (point: KernelPoint) =>
    fitKernel(spec, await inputOf(point), point.options, context);
  for (const point of points) {
    if (point.distanceKeys.every((key) => cache.has(key))) continue;
    const fitted = await fitPoint(point);
    for (let k = 0; k < fitted.parts.length; k++)
      if (!cache.has(point.distanceKeys[k]))
        cache.set(
          point.distanceKeys[k],
          await pairwiseDistances(fitted.parts[k].signatures, { ...context, reuse: true }),
        );
  }
  const keys = [...cache.keys()];
  onProgress?.({ task: "choosing by cross-validation", done: 0, total: 0, unit: "folds" });
  const [choice] = await executor.map(
    fitTask,
    [
      {
        kernel: spec.name,
        points: points.map((point) => ({
          label: point.label,
          options: point.options,
          parts: point.distanceKeys.map((key) => keys.indexOf(key)),
        })),
        distances: [...cache.values()],
        ...{ classes, Cs, folds, seed, probability, classWeights },
      },
    ],
    { signal },
  );
  const { svc } = choice;
  const point = points[choice.point];
  const { bandwidths } = kernelGram(
    { spec, options: point.options },
    point.distanceKeys.map((key) => cache.get(key)!),
  );
  const fitted = await fitPoint(point);
  return {
    spec,
    options: point.options,
    moments: commonMoments(point),
    profile: profileOf(point),
    bandwidths,
    classNames: dataset.classNames,
    svc,
    parts: fitted.parts.map((part) => ({
      fitted: part,
      supports: selectSignatures(part.signatures, svc.supports),
    })),
    provenance: {
      version,
      dataset: dataset.name,
      graphs: n,
      kernel: spec.name,
      chosen: point.label,
      C: choice.C,
      crossValidatedAccuracy: Number.isNaN(choice.innerAccuracy) ? null : choice.innerAccuracy,
      seed,
      date: options.date ?? new Date().toISOString().slice(0, 10),
    },
  };
}

/** The grid of a model; what a model cannot keep is refused, before any data is looked at. */
export function modelGrid(request: KernelRequest): KernelPoint[] {
  const points = kernelGrid(kernelByName(request.name), request);
  if (points.some((point) => point.options.combine === "geometric"))
    throw badCall(
      "a model cannot use the matrix geometric mean: it is defined for all graphs at once, not for unseen ones",
    );
  for (const point of points) commonMoments(point);
  return points;
}

/** The weights by class index, refused where a name is not that of a class. */
function weightsByIndex(given: FitOptions["classWeights"], classNames: readonly string[]) {
  if (given === undefined || given === "balanced") return given;
  const weights: Record<number, number> = {};
  for (const [name, weight] of Object.entries(given)) {
    const c = classNames.indexOf(wholeText(name));
    if (c < 0) throw unknownName("class with a weight", name, classNames);
    if (!(weight > 0 && weight < Infinity))
      throw badCall(`weight of class ${name}: got ${weight}, expected a number above 0`);
    weights[c] = weight;
  }
  return weights;
}

export interface ModelPrediction {
  /** Class of each graph, as an index into the model's classNames. */
  classes: Int32Array;
  /** graphs × pairs of classes; positive means the first of the pair. */
  decisions: Float64Array;
  /** graphs × classes, where the model has probabilities. */
  probabilities: Float64Array | null;
}

export async function predictGraphs(
  model: GraphModel,
  dataset: Dataset,
  { executor, signal, onProgress }: RunControl & { executor: Executor },
): Promise<ModelPrediction> {
  const { spec, options, parts, svc } = model;
  const input = await kernelInput(dataset, kernelNeeds(spec, options), model.profile, executor, {
    signal,
    onProgress,
  });
  const context = { executor, signal, onProgress };
  const lower = lowerMoments(input, model.moments);
  const distances: Distances[] = [];
  for (const { fitted, supports } of parts)
    distances.push(
      await crossDistances(await fitted.embed(lower, context), supports, {
        ...context,
        nameOf: input.nameOf,
      }),
    );
  const gram = kernelCrossGram({ spec, options }, distances, model.bandwidths);
  const rows = Array.from({ length: gram.rows }, (_, i) => i);
  return predictSvc(svc, gram.values, gram.columns, rows, "supports");
}

/** The parts of a kernel restored from their states. */
export function restoreParts(
  spec: KernelSpec,
  options: OptionValues,
  states: readonly Parameters<KernelSpec["parts"][0]["restore"]>[0][],
) {
  return spec.parts.map((part, k) => part.restore(states[k], partOptions(spec, k, options)));
}
