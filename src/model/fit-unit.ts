/**
 * The fit of a model as a task for any worker: the choice among the points of a grid by cross-validation over all graphs, then the
 * machine of that choice on all of them. A worker does it, so that the caller can be asked and stopped meanwhile.
 */
import type { Task } from "../compute/executor.js";
import type { OptionValues } from "../kernel/options.js";
import { kernelByName, kernelGram } from "../kernel/registry.js";
import type { Distances } from "../kernel/signatures.js";
import { chooseByFolds, type GridPoint } from "../learn/nested.js";
import { type SvcModel, trainSvc } from "../learn/svc.js";
import { SvmWorkspace } from "../learn/workspace.js";

export interface FitUnit {
  kernel: string;
  /** `parts`: for each part of the kernel, which of the distances. */
  points: { label: GridPoint; options: OptionValues; parts: number[] }[];
  distances: Distances[];
  classes: Int32Array;
  Cs: readonly number[];
  folds: number;
  seed: number;
  probability: boolean;
  /** Of class indices. */
  classWeights?: Record<number, number> | "balanced";
}

export interface FitOutcome {
  point: number;
  C: number;
  /** NaN when there was nothing to choose. */
  innerAccuracy: number;
  svc: SvcModel;
}

export const fitTask: Task<FitUnit, FitOutcome> = {
  name: "model-fit",
  run({ kernels }, unit) {
    const { kernel, points, distances, classes, Cs, folds, seed, probability, classWeights } = unit;
    const spec = kernelByName(kernel);
    const n = classes.length;
    const gramOf = (k: number) =>
      kernelGram(
        { spec, options: points[k].options },
        points[k].parts.map((part) => distances[part]),
      ).gram.values;
    const grid = { points: points.map(({ label }) => label), gram: gramOf };
    const all = Int32Array.from({ length: n }, (_, i) => i);
    kernels.arena.reset();
    const svm = { workspace: new SvmWorkspace(kernels), classWeights };
    const { point, C, innerAccuracy } = chooseByFolds(grid, classes, all, { Cs, inner: folds, seed, svm });
    const svc = trainSvc(gramOf(point), n, all, classes, C, { probability, seed, ...svm });
    return { point, C, innerAccuracy, svc };
  },
};
