/** The Gram of the best kernel of an evaluation, with its most frequent choice, over all graphs: for pictures, not for numbers. */
import type { RunControl } from "../base/progress.js";
import type { Executor } from "../compute/executor.js";
import type { Dataset } from "../data/dataset.js";
import { kernelByName, kernelGram } from "../kernel/registry.js";
import { computeProfiles, type ProfileOptions } from "../spectrum/profiles.js";
import { distanceMaker } from "./evaluation.js";
import { evaluationPictures } from "./evaluation-pictures.js";
import type { EvaluationPictures, EvaluationResult } from "./evaluation-types.js";
import { type KernelRequest, kernelGrid } from "./grid.js";
import { StageCache } from "./stage-cache.js";

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
  const stages = new StageCache(null, "");
  const maker = distanceMaker(
    { dataset, spec, points: [point], stages },
    { executor, profile, protocol: result.protocol, ...control },
  );
  const all = Int32Array.from(dataset.graphs, (_, g) => g);
  const { distances } = await maker.distances(all);
  const { gram } = kernelGram(
    { spec, options: point.options },
    maker.keys(all)[0].map((key) => distances.get(key)!),
  );
  const profiles = await computeProfiles(dataset.graphs, { ...profile, nodes: false }, executor, control);
  return evaluationPictures(dataset, gram.values, dataset.graphs.length, profiles);
}
