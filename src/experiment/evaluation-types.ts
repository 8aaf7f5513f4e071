/**
 * What an evaluation gives: plain data, the same in `evaluate --json`, in reports and in the browser. Shares are fractions in 0..1.
 */
import type { GridPoint } from "../learn/nested.js";

export const CLASSIFIERS = ["svm", "1nn"] as const;
export type Classifier = (typeof CLASSIFIERS)[number];

export interface Protocol {
  name: string;
  repeats: number;
  /** Outer folds. */
  folds: number;
  /** Inner folds. */
  inner: number;
  Cs: number[];
  seed: number;
  /** Isomorphic copies kept in one fold. */
  grouped: boolean;
  /** The C-SVM, or the nearest training graph, which has no C. Default svm. */
  classifier?: Classifier;
}

export interface Accuracy {
  /** Mean over repeats of the accuracy of a repeat (all its folds together). */
  mean: number;
  /** Standard deviation over repeats; 0 with one repeat. */
  std: number;
  perRepeat: number[];
  /** Standard deviation over all folds of all repeats. */
  foldStd: number;
  /** Accuracy of each fold, repeat by repeat. */
  perFold: number[];
}

/** How often each choice was made in the inner cross-validation, most frequent first. */
export interface Choice {
  point: GridPoint;
  /** 0 for the nearest neighbour, which has none. */
  C: number;
  times: number;
}

export interface KernelResult {
  kernel: string;
  title: string;
  accuracy: Accuracy;
  balancedAccuracy: number;
  /** confusion[t][p]: graphs of class t that were taken for p, over all repeats. */
  confusion: number[][];
  chosen: Choice[];
  /** The choice of each fold, repeat by repeat. */
  perFold: {
    repeat: number;
    fold: number;
    point: GridPoint;
    C: number;
    innerAccuracy: number | null;
    accuracy: number;
  }[];
  /** Predicted class of every graph in every repeat. */
  predictions: number[][];
  /** Wall clock for profile and signature, summed over workers for gram and svm. Kept folds count with what they took when computed. */
  seconds: { profile: number; signature: number; gram: number; svm: number };
  fits: number;
  /** Fits that ended at the cap on iterations, and the largest gap among them. */
  capped: number;
  largestGap: number;
  notes: string[];
}

/** Corrected resampled t test of the best kernel, `first`, against another. */
export interface Comparison {
  first: string;
  second: string;
  difference: number;
  t: number;
  /** Of this pair alone. */
  p: number;
  /** With Holm's correction for all pairs of kernels, since the best was picked by the same accuracies. */
  pHolm: number;
}

/**
 * The most that anything can reach that gives identical graphs the same class: the share of graphs whose class is the most frequent one
 * among their isomorphic copies. Weights and self-loops count.
 */
export interface Ceiling {
  /** Copies by structure. */
  structure: number;
  /** Copies by structure and node labels; null without labels. */
  labels: number | null;
}

/** A kernel that was left out because it would take too long, and why. */
export interface SkippedKernel {
  kernel: string;
  reason: string;
}

/** The kernel to take, with the reason in a sentence. */
export interface Recommendation {
  kernel: string;
  reason: string;
  /** Kernels that are not significantly worse than the most accurate one. */
  notDistinguishable: string[];
  /** What to keep in mind of the highest accuracy. */
  caution: string;
}

export interface EvaluationResult {
  dataset: string;
  graphs: number;
  classNames: string[];
  classCounts: number[];
  protocol: Protocol;
  results: KernelResult[];
  comparisons: Comparison[];
  /** Null where fewer than two kernels were compared. */
  recommendation?: Recommendation | null;
  skipped?: SkippedKernel[];
  /** Sentences: classes smaller than the number of folds, capped fits, what was left out. */
  warnings: string[];
  /** What the numbers of nodes and edges alone reach on the same folds; null where it was not asked for. */
  sizeAlone?: KernelResult | null;
  ceiling?: Ceiling | null;
  /** Share of the largest class: what guessing gives. */
  baseline: number;
  version: string;
}

/** What a report draws besides the numbers, for the best kernel: made only when asked for. */
export interface EvaluationPictures {
  /** Graphs in the order of their classes, thinned out to at most a few hundred: the Gram among them, row by row. */
  heatMap: { order: number[]; values: Float32Array };
  /** Kernel PCA: two coordinates a graph, and the share of variance of each axis. */
  map: { coordinates: Float64Array; share: number[]; classes: number[] };
  /** Mean density of states of each class on a common grid, with the 10 % and 90 % quantiles. */
  densities: {
    grid: number[];
    classes: { name: string; mean: number[]; low: number[]; high: number[] }[];
  } | null;
}
