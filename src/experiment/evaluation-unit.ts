/** The unit of an evaluation: one outer fold of one repeat, as a task for any worker. */
import type { Task } from "../compute/executor.js";
import type { Kernels } from "../compute/kernels.js";
import { FoldGrams } from "../kernel/fold-grams.js";
import type { OptionValues } from "../kernel/options.js";
import { kernelByName, kernelGram } from "../kernel/registry.js";
import type { Distances } from "../kernel/signatures.js";
import {
  chooseByFolds,
  type GridPoint,
  type GridSearch,
  type InnerChoice,
  type NestedFold,
  nestedFold,
} from "../learn/nested.js";
import { nestedNearestFold } from "../learn/nested-nearest.js";
import { SvmWorkspace } from "../learn/workspace.js";
import { type Blend, distancesAmong, meanGram, stratifiedSample } from "./blend.js";
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
  blend?: Blend;
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
  /** The points whose Grams were averaged, best first; left out where one point was chosen. */
  blended?: number[];
}

export const foldTask: Task<FoldUnit, FoldOutcome> = {
  name: "nested-fold",
  run({ kernels }, unit) {
    const { classes, train, test, inner, seed, points, distances } = unit;
    kernels.arena.reset();
    const grid = gridOf(unit, new FoldGrams(kernels, classes.length, (part) => distances[part], train));
    const groups = unit.groups ?? undefined;
    if (unit.classifier === "1nn")
      return plainOutcome(
        nestedNearestFold(nearestGrid(unit), classes, train, test, { inner, seed, groups }),
      );
    const { blend, search } = unit;
    if (blend === undefined || points.length === 1)
      return plainOutcome(nestedFold(grid, classes, train, test, { ...fits(unit, kernels), groups, search }));
    const searched = searchSample(unit, blend, kernels);
    kernels.arena.reset();
    const mean = meanGram(searched.finalists.length, (k) => grid.gram(searched.finalists[k]));
    const single = { points: [grid.points[searched.point]], gram: () => mean };
    const found = nestedFold(single, classes, train, test, { ...fits(unit, kernels), groups });
    return {
      ...plainOutcome({
        ...found,
        point: searched.point,
        fits: found.fits + searched.fits,
        capped: found.capped + searched.capped,
        largestGap: Math.max(found.largestGap, searched.largestGap),
        seconds: {
          gram: found.seconds.gram + searched.seconds.gram,
          svm: found.seconds.svm + searched.seconds.svm,
        },
      }),
      blended: searched.finalists,
    };
  },
};

const gridOf = ({ kernel, points }: FoldUnit, grams: FoldGrams) => ({
  points: points.map((point) => point.label),
  gram: (k: number) => grams.gram(kernelByName(kernel), points[k].options, points[k].parts),
});

/**
 * For the nearest neighbour: −d of a kernel that is radial in one distance d, whose order is that of the distances to the last bit (values near 1 or
 * 0 of the kernel itself are the same number for many d); else the kernel in double precision. Its diagonal, one number for all but a
 * geometric mean, is left out: 1 − 2K is the same number for all K below 10⁻¹⁶.
 */
const nearestGrid = ({ kernel, points, distances, train }: FoldUnit) => ({
  points: points.map((point) => point.label),
  gram(k: number) {
    const chosen = points[k].parts.map((part) => distances[part]);
    if (chosen.length === 1 && chosen[0].kind !== "similarities")
      return Float64Array.from(chosen[0].values, (d) => -d);
    const { options } = points[k];
    const { values } = kernelGram({ spec: kernelByName(kernel), options }, chosen, train).gram;
    if (options.combine === "geometric") return values;
    const n = chosen[0].rows;
    // the values may be those that other points use
    const own = values.slice();
    for (let g = 0; g < n; g++) own[g * n + g] = 0;
    return own;
  },
});

const fits = ({ Cs, inner, seed, maxIterations }: FoldUnit, kernels: Kernels) => ({
  ...{ Cs, inner, seed },
  svm: { maxIterations, workspace: new SvmWorkspace(kernels) },
});

/** The search of the grid on a sample of the training part, or on all of it where it is small. */
function searchSample(unit: FoldUnit, blend: Blend, kernels: Kernels): InnerChoice {
  const { classes, groups, train, seed, search } = unit;
  const sample = train.length > blend.sample ? stratifiedSample(train, classes, blend.sample, seed) : train;
  const all = sample.map((_, i) => i);
  const grams = new FoldGrams(kernels, sample.length, distancesAmong(unit.distances, sample), all);
  return chooseByFolds(
    gridOf(unit, grams),
    sample.map((g) => classes[g]),
    all,
    {
      ...fits(unit, kernels),
      ...{ search, finalists: blend.best },
      groups: groups === null ? undefined : Array.from(sample, (g) => groups[g]),
    },
  );
}

export const plainOutcome = (found: NestedFold): FoldOutcome => ({
  ...found,
  innerAccuracy: Number.isNaN(found.innerAccuracy) ? null : found.innerAccuracy,
  predicted: Array.from(found.predicted),
});
