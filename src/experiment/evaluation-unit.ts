/** The unit of an evaluation: one outer fold of one repeat, as a task for any worker. */
import type { Task } from "../compute/executor.js";
import { FoldGrams } from "../kernel/fold-grams.js";
import type { OptionValues } from "../kernel/options.js";
import { kernelByName } from "../kernel/registry.js";
import type { Distances } from "../kernel/signatures.js";
import { type GridPoint, type GridSearch, type NestedFold, nestedFold } from "../learn/nested.js";
import { nestedNearestFold } from "../learn/nested-nearest.js";
import { SvmWorkspace } from "../learn/workspace.js";
import type { Classifier } from "./evaluation-types.js";

export interface FoldUnit {
  kernel: string;
  /** `parts`: for each part of the kernel, which of the distances. */
  points: { label: GridPoint; options: OptionValues; parts: number[] }[];
  distances: Distances[];
  classes: Int32Array;
  groups: Uint32Array | null;
  train: Int32Array;
  test: Int32Array;
  Cs: number[];
  inner: number;
  seed: number;
  maxIterations?: number;
  search?: GridSearch;
  classifier?: Classifier;
}

/** Plain numbers, so that it can be kept as JSON. */
export interface FoldOutcome {
  point: number;
  C: number;
  /** Null when there was nothing to choose. */
  innerAccuracy: number | null;
  predicted: number[];
  fits: number;
  capped: number;
  largestGap: number;
  seconds: { gram: number; svm: number };
}

export const foldTask: Task<FoldUnit, FoldOutcome> = {
  name: "nested-fold",
  run({ kernels }, unit) {
    const { classes, train, test, Cs, inner, seed, points, distances } = unit;
    const spec = kernelByName(unit.kernel);
    kernels.arena.reset();
    const grams = new FoldGrams(kernels, distances, train);
    const grid = {
      points: points.map((point) => point.label),
      gram: (k: number) => grams.gram(spec, points[k].options, points[k].parts),
    };
    const groups = unit.groups ?? undefined;
    if (unit.classifier === "1nn")
      return plainOutcome(nestedNearestFold(grid, classes, train, test, { inner, seed, groups }));
    const svm = { maxIterations: unit.maxIterations, workspace: new SvmWorkspace(kernels) };
    const { search } = unit;
    return plainOutcome(nestedFold(grid, classes, train, test, { Cs, inner, seed, groups, svm, search }));
  },
};

const plainOutcome = (found: NestedFold): FoldOutcome => ({
  ...found,
  innerAccuracy: Number.isNaN(found.innerAccuracy) ? null : found.innerAccuracy,
  predicted: Array.from(found.predicted),
});
