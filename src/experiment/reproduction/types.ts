/**
 * What `graphdos reproduce` gives: plain data, the same in reproduction.json, in the tables and in the reports. Accuracies are
 * fractions in 0..1, as everywhere; the reports write per cent.
 */
import type { Accuracy, Choice } from "../evaluation-types.js";

/** The experiments, in the order of their value for a reader with little time. */
export const EXPERIMENTS = [
  "table",
  "ours",
  "moments",
  "ablation",
  "errors",
  "scaling",
  "baselines",
] as const;
export type Experiment = (typeof EXPERIMENTS)[number];

export interface SetSummary {
  name: string;
  graphs: number;
  classes: number;
  meanNodes: number;
  meanEdges: number;
  /** The share that can be right at most: identical graphs of different classes get the same answer. */
  ceiling: number;
  /** Where it differs from the paper's, a sentence; else null. */
  note: string | null;
}

/** A number of the paper: mean and standard deviation over repeats, null where it gives none. */
export interface PaperAccuracy {
  mean: number;
  std: number | null;
}

/** One accuracy of a table. */
export interface Cell {
  set: string;
  /** Name of the row. */
  row: string;
  accuracy: Accuracy;
  /** Most frequent choices of the inner folds, the first few. */
  chosen: Choice[];
  seconds: number;
  paper: PaperAccuracy | null;
  /** (ours − paper) in the paper's standard deviations; null where the paper gives none. */
  deviations: number | null;
  /** Of the best row of the block on the same folds being no better, corrected for the number of rows (Holm); null for the best row itself. */
  pOfDifference: number | null;
  /** What is done differently from the paper, where the two differ by more than two standard deviations; not shown to be the cause. */
  knownDifferences: string | null;
}

/** A table: rows are kernels, columns are sets. */
export interface Table {
  experiment: Experiment;
  title: string;
  /** What the rows have in common, a sentence or two. */
  about: string;
  /** Names of the rows in their order, also of those without any cell yet. */
  rows: string[];
  sets: string[];
  cells: Cell[];
}

/** Figures 1 and 2: accuracy against the number of moments. */
export interface MomentsCurve {
  figure: 1 | 2;
  kernel: string;
  /** `std` is over repeats, over folds with a single repeat. */
  points: { set: string; moments: number; mean: number; std: number }[];
}

/** Figure 3: time of features against edges. */
export interface ScalingPoint {
  graph: string;
  kind: "real" | "generated";
  nodes: number;
  edges: number;
  /** Of the moments of the whole graph by probes, and of every node by the same probes (LDOS). */
  dosSeconds: number;
  ldosSeconds: number;
  moments: number;
  probes: number;
}

/** Error of return probabilities against probes. */
export interface ErrorPoint {
  set: string;
  probes: number;
  filter: boolean;
  damping: "none" | "jackson";
  /** Root mean square and largest error over nodes, steps and graphs, against exact return probabilities. */
  rms: number;
  largest: number;
}

export interface ConditionPoint {
  moments: number;
  /** Condition numbers of the change to return probabilities by forward substitution. */
  twoNorm: number;
  skeel: number;
}

export interface AblationRow {
  /** What is changed: "estimator", "scale", "self-loops", "damping", "damping of nodes", "width", "composite". */
  factor: string;
  level: string;
  set: string;
  kernel: string;
  accuracy: { mean: number; std: number };
  /** Against the standard level of the same factor, set and kernel; null for that level itself. */
  difference: number | null;
}

/** Graphs of one size: a quarter of a set by the number of nodes, and how well LDOS does there without and with DOS. */
export interface SizeRow {
  set: string;
  /** 1 for the smallest graphs, 4 for the largest. */
  quarter: number;
  fewestNodes: number;
  mostNodes: number;
  graphs: number;
  ldos: number;
  composite: number;
}

/** A stated aim, and whether it was reached. */
export interface Aim {
  what: string;
  wanted: string;
  got: string;
  held: boolean;
}

export interface Stage {
  name: string;
  seconds: number;
  /** Whether all of it came from the cache. */
  cached: boolean;
}

export interface Reproduction {
  version: string;
  date: string;
  command: string;
  machine: { node: string; platform: string; cpu: string; cores: number; workers: number; memoryGiB: number };
  seed: number;
  protocol: {
    repeats: number;
    folds: number;
    inner: number;
    Cs: number[];
    /** Repeats of figures 1 and 2 and of the ablation, where these are fewer. */
    figureRepeats?: number;
  };
  sets: SetSummary[];
  tables: Table[];
  moments: MomentsCurve[];
  scaling: ScalingPoint[];
  errors: { points: ErrorPoint[]; conditions: ConditionPoint[] } | null;
  ablation: AblationRow[];
  /** What DOS adds to LDOS, by the size of the graphs. */
  tottering: SizeRow[];
  aims: Aim[];
  /** Sentences: what was not done, and why. */
  leftOut: string[];
  stages: Stage[];
  cache: { folder: string; bytes: number; entries: number } | null;
}
