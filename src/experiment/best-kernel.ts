/** The Gram of the best kernel of an evaluation, with its most frequent choice, over all graphs: for pictures, not for numbers. */
import type { RunControl } from "../base/progress.js";
import type { Executor } from "../compute/executor.js";
import type { Dataset } from "../data/dataset.js";
import { fitKernel, kernelByName, kernelDistances, kernelGram, kernelNeeds } from "../kernel/registry.js";
import { computeProfiles, type ProfileOptions } from "../spectrum/profiles.js";
import { evaluationPictures } from "./evaluation-pictures.js";
import type { EvaluationPictures, EvaluationResult } from "./evaluation-types.js";
import { commonMoments, type KernelRequest, kernelGrid } from "./grid.js";
import { kernelInput } from "./kernel-run.js";
import { lowerMoments } from "./lower-moments.js";

export async function bestKernelPictures(
  dataset: Dataset,
  result: EvaluationResult,
  requests: readonly KernelRequest[],
  profile: ProfileOptions,
  executor: Executor,
  control: RunControl,
): Promise<EvaluationPictures> {
  const best = result.results.reduce((a, b) => (b.accuracy.mean > a.accuracy.mean ? b : a));
  const spec = kernelByName(best.kernel);
  const request = requests.find((one) => one.name === best.kernel)!;
  const label = JSON.stringify(best.chosen[0].point);
  const point = kernelGrid(spec, request).find((one) => JSON.stringify(one.label) === label)!;
  const input = await kernelInput(dataset, kernelNeeds(spec, point.options), profile, executor, control);
  const context = { executor, ...control, shared: typeof SharedArrayBuffer !== "undefined" };
  const fitted = await fitKernel(spec, lowerMoments(input, commonMoments(point)), point.options, context);
  const distances = await kernelDistances(fitted, context);
  const { gram } = kernelGram(fitted, distances);
  const profiles = await computeProfiles(dataset.graphs, { ...profile, nodes: false }, executor, control);
  return evaluationPictures(dataset, gram.values, dataset.graphs.length, profiles);
}
