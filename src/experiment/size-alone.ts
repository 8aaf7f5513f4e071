/**
 * What accuracies are to be measured against besides guessing.
 *
 *   size alone  the same protocol and folds with x = (log(1 + nodes), log(1 + edges)) in place of a kernel of graphs, each number
 *               standardised with mean and deviation of the training part: exp(−γ ‖x − y‖²), γ and C chosen by the inner folds
 *   ceiling     the share of graphs whose class is the most frequent one among their isomorphic copies: who gives identical
 *               graphs the same class is right no more often
 *
 * Cost: of size alone, that of a kernel with two grid points after its distances; of the ceiling, that of the isomorphism classes.
 */
import { badData } from "../base/errors.js";
import { exponential } from "../base/exponential.js";
import { logarithm } from "../base/logarithm.js";
import type { RunControl } from "../base/progress.js";
import type { Executor, Task } from "../compute/executor.js";
import { hashOf, type ResultStore } from "../compute/store.js";
import type { Dataset } from "../data/dataset.js";
import type { Graph } from "../graph/graph.js";
import { isomorphismGroups } from "../graph/isomorphism.js";
import { foldBuffer } from "../kernel/fold-grams.js";
import { type FoldSet, possibleFolds, stratifiedFolds } from "../learn/folds.js";
import { nestedFold } from "../learn/nested.js";
import { nestedNearestFold } from "../learn/nested-nearest.js";
import { SvmWorkspace } from "../learn/workspace.js";
import { version } from "../version.js";
import type { Ceiling, Classifier, KernelResult, Protocol } from "./evaluation-types.js";
import { type FoldOutcome, plainOutcome } from "./evaluation-unit.js";
import { innerSeed, runFolds } from "./fold-run.js";
import { summarise } from "./summary.js";

/** Standardised numbers lie about 1 apart: wide bells, and narrow ones for classes that are ranges of sizes. */
const GAMMAS = [1, 10] as const;
const POINTS = GAMMAS.map((gamma) => ({ label: { gamma } }));

export interface SizeUnit {
  /** log(1 + nodes), log(1 + edges) of each graph. */
  sizes: Float64Array;
  classes: Int32Array;
  groups: Uint32Array | null;
  train: Int32Array;
  test: Int32Array;
  Cs: number[];
  inner: number;
  seed: number;
  maxIterations?: number;
  classifier?: Classifier;
}

export const sizeTask: Task<SizeUnit, FoldOutcome> = {
  name: "size-fold",
  run({ kernels }, { sizes, classes, train, test, Cs, inner, seed, maxIterations, ...unit }) {
    kernels.arena.reset();
    const n = classes.length;
    const x = standardised(sizes, train);
    const values = foldBuffer(kernels, n);
    const grid = {
      points: POINTS.map(({ label }) => label),
      gram(k: number) {
        for (let g = 0; g < n; g++)
          for (let h = 0; h <= g; h++) {
            const square = (x[2 * g] - x[2 * h]) ** 2 + (x[2 * g + 1] - x[2 * h + 1]) ** 2;
            values[g * n + h] = values[h * n + g] = exponential(-GAMMAS[k] * square);
          }
        return values;
      },
    };
    const options = { inner, seed, groups: unit.groups ?? undefined };
    if (unit.classifier === "1nn")
      return plainOutcome(nestedNearestFold(grid, classes, train, test, options));
    const svm = { maxIterations, workspace: new SvmWorkspace(kernels) };
    return plainOutcome(nestedFold(grid, classes, train, test, { ...options, Cs, svm }));
  },
};

/** Both columns less their mean over the training part, over their deviation there; a column that is constant there is only centred. */
function standardised(sizes: Float64Array, train: Int32Array): Float64Array {
  const out = new Float64Array(sizes.length);
  for (const column of [0, 1]) {
    let [sum, squares] = [0, 0];
    for (const g of train) sum += sizes[2 * g + column];
    const mean = sum / train.length;
    for (const g of train) squares += (sizes[2 * g + column] - mean) ** 2;
    const deviation = Math.sqrt(squares / train.length);
    for (let k = column; k < sizes.length; k += 2)
      out[k] = (sizes[k] - mean) / (deviation > 1e-12 ? deviation : 1);
  }
  return out;
}

/** log(1 + nodes), log(1 + edges) of each graph. */
function sizesOf(graphs: readonly Graph[]): Float64Array {
  return Float64Array.from(
    graphs.flatMap(({ nodeCount, edgeCount }) => [logarithm(1 + nodeCount), logarithm(1 + edgeCount)]),
  );
}

export interface SizeOptions extends RunControl {
  protocol: Protocol;
  executor: Executor;
  /** Keeps finished folds. Default: nothing is kept. */
  store?: ResultStore | null;
  /** Nothing is computed: throws NotKept where the store does not have every fold. Default false. */
  keptOnly?: boolean;
  maxIterations?: number;
  /** The folds of the evaluation. Default: made anew. */
  splits?: readonly FoldSet[];
  /** Graphs that folds do not part. Default: none, or copies where the protocol says so. */
  groups?: Uint32Array;
}

/** The row "size alone" beside the kernels: the same folds, the same protocol. */
export async function sizeAlone(
  dataset: Dataset & { classes: Int32Array },
  options: SizeOptions,
): Promise<KernelResult> {
  const { store = null, maxIterations } = options;
  const { graphs, classes } = dataset;
  const groups = options.groups ?? (options.protocol.grouped ? isomorphismGroups(graphs).group : undefined);
  const splits = options.splits ?? protocolFolds(dataset, options.protocol, groups);
  const protocol = { ...options.protocol, folds: splits[0].folds.length };
  const sizes = sizesOf(graphs);
  const { Cs, inner, classifier } = protocol;
  const identity =
    store === null
      ? ""
      : JSON.stringify([
          ...[version, "size alone", await hashOf(sizes, classes, groups ?? ""), GAMMAS],
          ...[Cs, inner, maxIterations ?? 0, classifier ?? "svm"],
        ]);
  const { places, outcomes, notes } = await runFolds({
    ...options,
    ...{ name: "size alone", task: sizeTask, identity, splits, classes, protocol, store },
    async units(missing) {
      const units = missing.map((place) => ({
        ...{ sizes, classes, groups: groups ?? null, train: place.train, test: place.test },
        ...{ Cs, inner, seed: innerSeed(protocol, place), maxIterations, classifier },
      }));
      return { units, notes: [], seconds: { profile: 0, signature: 0 } };
    },
  });
  return summarise({
    ...{ kernel: "size alone", title: "numbers of nodes and edges", points: POINTS },
    ...{ places, outcomes, classes, classCount: dataset.classNames.length, protocol, notes },
  });
}

/** The outer folds of every repeat; fewer folds than the protocol has where there are fewer graphs (with groups: that differ). */
export function protocolFolds(
  { name, classes }: Pick<Dataset, "name" | "classes">,
  protocol: Protocol,
  groups?: Uint32Array,
): FoldSet[] {
  if (classes === null) throw badData(`${name}: labels are missing: there are no classes to split evenly`);
  const all = Int32Array.from(classes, (_, i) => i);
  const folds = possibleFolds(protocol.folds, all, groups);
  if (folds < Math.min(2, protocol.folds))
    throw badData(`${name}: all graphs are copies of one: with copies in one fold there is nothing to test`);
  const { repeats, seed } = protocol;
  return Array.from({ length: repeats }, (_, repeat) =>
    stratifiedFolds(classes, { folds, seed, repeat, groups }),
  );
}

/** The ceiling that identical graphs of different classes set. Pairs that were not decided count as different: it may be too high, never too low. */
export function identicalCeiling(
  { graphs, classes }: { graphs: readonly Graph[]; classes: Int32Array },
  control: RunControl & { groups?: Uint32Array } = {},
): Ceiling {
  const { groups = isomorphismGroups(graphs, control).group, ...run } = control;
  const labelled = graphs.some(({ labels }) => labels !== null);
  return {
    structure: majorityShare(groups, classes),
    labels: labelled
      ? majorityShare(isomorphismGroups(graphs, { ...run, labels: "respect" }).group, classes)
      : null,
  };
}

function majorityShare(groups: Uint32Array, classes: Int32Array): number {
  const counts = new Map<string, number>();
  const most = new Map<number, number>();
  groups.forEach((group, g) => {
    const key = `${group} ${classes[g]}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    most.set(group, Math.max(count, most.get(group) ?? 0));
  });
  let right = 0;
  for (const count of most.values()) right += count;
  return right / classes.length;
}
