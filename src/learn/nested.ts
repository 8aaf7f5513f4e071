/**
 * One outer fold of nested cross-validation (section 4.2 of the paper).
 *
 *   for every point of the grid: kernel values with bandwidths from the outer training part
 *     for every inner fold of the training part: fit all C along a warm-started path, count what is right in the inner test part
 *   the point and C with the most right answers (the earliest on a tie) is refitted on the training part and tested once
 *
 * With the search "one-at-a-time" only some points are tried: from the first on, each option in turn takes the value that does best with
 * the others as they are: 1 + Σ (values − 1) points instead of Π values.
 *
 * A training part of one class answers that class. Test graphs enter nowhere but in that last step. A choice (point, C) that cannot become one of the `finalists` best any more, even if it
 * were right on everything still to come, is dropped: that is provable, so it changes no result. Cost: points × inner folds × |C| fits.
 */
import { badCall } from "../base/errors.js";
import { innerFolds, onlyClass } from "./folds.js";
import type { GramValues } from "./smo.js";
import { checkGram, predictSvc, type SvcModel, type SvcOptions, svcPath, trainSvc } from "./svc.js";
import { SvmWorkspace } from "./workspace.js";

/** Kernel values over all graphs for each point of a grid. */
export interface GramGrid {
  /** What each point stands for: {p: 1, selfLoops: true, ...}. */
  readonly points: readonly GridPoint[];
  /** The Gram of point `k`, n × n, with bandwidths taken from the `train` graphs alone. May reuse its memory between calls. */
  gram(k: number, train: Int32Array): GramValues;
}

export type GridPoint = Readonly<Record<string, number | string | boolean>>;

export const GRID_SEARCHES = ["all", "one-at-a-time"] as const;
export type GridSearch = (typeof GRID_SEARCHES)[number];

export interface NestedOptions {
  /** Ascending. Default 10^-3 .. 10^3. */
  Cs?: readonly number[];
  /** Inner folds. Default 10. */
  inner?: number;
  seed?: number;
  groups?: ArrayLike<number>;
  svm?: Pick<SvcOptions, "tolerance" | "maxIterations" | "classWeights" | "workspace">;
  /** Which points of the grid to try. Default all. */
  search?: GridSearch;
  /** How many of the best points are wanted. Default 1. */
  finalists?: number;
  /** For the clock; performance.now by default. */
  now?: () => number;
}

export const PAPER_CS: readonly number[] = [1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3];

/** Fits, those that ended at the cap on iterations, and the largest gap among them. */
export interface FitCounts {
  fits: number;
  capped: number;
  largestGap: number;
}

export interface NestedFold extends Omit<InnerChoice, "finalists"> {
  /** Parallel to the test indices. */
  predicted: Int32Array;
}

/** The choice of the inner cross-validation, and what it cost. */
export interface InnerChoice extends FitCounts {
  point: number;
  C: number;
  /** The best points, best first, the earlier tried on a tie. */
  finalists: number[];
  /** NaN when there was nothing to choose. */
  innerAccuracy: number;
  seconds: { gram: number; svm: number };
}

/** Chooses a point of the grid and C by cross-validation among the `train` graphs. */
export function chooseByFolds(
  grid: GramGrid,
  classes: Int32Array,
  train: Int32Array,
  options: NestedOptions = {},
): InnerChoice {
  const { Cs = PAPER_CS, search = "all", finalists = 1, now = () => performance.now() } = options;
  if (Cs.length === 0 || Cs.some((C) => !(C > 0 && C < Number.POSITIVE_INFINITY)))
    throw badCall(`C: got ${Cs.join(", ")}, expected numbers above 0`);
  if (grid.points.length === 0) throw badCall("nested cross-validation: the grid has no points");
  const n = classes.length;
  const workspace = options.svm?.workspace ?? new SvmWorkspace();
  const svm: SvcOptions = { ...options.svm, workspace, check: false };
  const tally = new Tally();
  const seconds = { gram: 0, svm: 0 };
  const folds = grid.points.length === 1 && Cs.length === 1 ? [] : innerFolds(classes, train, options);
  if (folds.length === 0)
    return { point: 0, C: Cs[0], finalists: [0], innerAccuracy: Number.NaN, ...tally.counts, seconds };
  const leaders = new Leaders(finalists);
  const score = (point: number) => {
    let start = now();
    const gram = gramAt(grid, point, train, n);
    checkGram(gram, n);
    seconds.gram += (now() - start) / 1000;
    start = now();
    // one copy into the solver's memory serves all inner folds and all C
    workspace.loadGram(gram, n, train, classes);
    const right = new Int32Array(Cs.length);
    let alive = Cs.map((_, c) => c);
    let left = train.length;
    for (const fold of folds) {
      const only = onlyClass(classes, fold.train);
      const among = alive.map((c) => Cs[c]);
      const models = only === null ? svcPath(gram, n, fold.train, classes, among, svm) : [];
      left -= fold.test.length;
      models.forEach((model, k) => {
        tally.note(model);
        const { classes: predicted } = predictSvc(model, gram, n, fold.test);
        for (let t = 0; t < predicted.length; t++)
          if (predicted[t] === classes[fold.test[t]]) right[alive[k]]++;
      });
      // who has seen one class answers it, whatever the choice
      if (only !== null)
        for (const t of fold.test) if (classes[t] === only) for (const c of alive) right[c]++;
      // ties go to what came first: the leaders so far, or a smaller C at this point
      const reached = Math.max(...alive.map((c) => right[c]));
      alive = alive.filter((c) => right[c] + left > leaders.toBeat && right[c] + left >= reached);
      if (alive.length === 0) break;
    }
    const c = alive.reduce((a, b) => (right[b] > right[a] ? b : a), alive[0]);
    if (c !== undefined) leaders.enter({ point, C: Cs[c], right: right[c] });
    seconds.svm += (now() - start) / 1000;
  };
  if (search === "all") for (let point = 0; point < grid.points.length; point++) score(point);
  else oneAtATime(grid.points, score, () => leaders.list[0].point);
  const [{ point, C, right }] = leaders.list;
  return {
    point,
    C,
    finalists: leaders.list.map((leader) => leader.point),
    innerAccuracy: right / train.length,
    ...tally.counts,
    seconds,
  };
}

/** The points with the most right answers, each with its best C. */
class Leaders {
  readonly list: { point: number; C: number; right: number }[] = [];

  constructor(private readonly room: number) {
    if (!(Number.isInteger(room) && room >= 1))
      throw badCall(`finalists: got ${room}, expected a whole number of at least 1`);
  }

  /** What a newcomer must have more of. */
  get toBeat(): number {
    return this.list.length < this.room ? -1 : this.list[this.list.length - 1].right;
  }

  enter(newcomer: { point: number; C: number; right: number }): void {
    if (newcomer.right <= this.toBeat) return;
    const place = this.list.findIndex((leader) => leader.right < newcomer.right);
    this.list.splice(place < 0 ? this.list.length : place, 0, newcomer);
    this.list.length = Math.min(this.list.length, this.room);
  }
}

/** Scores the first point, then for each option the points that differ from the best so far in that option alone, of those both have. */
function oneAtATime(points: readonly GridPoint[], score: (point: number) => void, best: () => number): void {
  const scored = new Set([0]);
  score(0);
  for (const name of Object.keys(points[0])) {
    const from = points[best()];
    points.forEach((point, k) => {
      const others = Object.keys(from).filter((other) => other !== name);
      if (scored.has(k) || others.some((other) => other in point && point[other] !== from[other])) return;
      scored.add(k);
      score(k);
    });
  }
}

export function nestedFold(
  grid: GramGrid,
  classes: Int32Array,
  train: Int32Array,
  test: Int32Array,
  options: NestedOptions = {},
): NestedFold {
  const { now = () => performance.now() } = options;
  const n = classes.length;
  const { finalists: _, ...choice } = chooseByFolds(grid, classes, train, options);
  const { seconds } = choice;
  let start = now();
  const gram = gramAt(grid, choice.point, train, n);
  seconds.gram += (now() - start) / 1000;
  start = now();
  const only = onlyClass(classes, train);
  if (only !== null) return { ...choice, predicted: new Int32Array(test.length).fill(only) };
  // the array may be the one of another point, with other values in it by now
  options.svm?.workspace?.loadGram(gram, n, train, classes);
  const model = trainSvc(gram, n, train, classes, choice.C, { ...options.svm, check: true });
  const tally = new Tally(choice);
  tally.note(model);
  const { classes: predicted } = predictSvc(model, gram, n, test);
  seconds.svm += (now() - start) / 1000;
  return { ...choice, ...tally.counts, predicted };
}

function gramAt(grid: GramGrid, point: number, train: Int32Array, n: number): GramValues {
  const gram = grid.gram(point, train);
  if (gram.length !== n * n) throw badCall(`Gram: got ${gram.length} values, expected ${n} × ${n}`);
  return gram;
}

/** Counts fits, and those that ended at the cap. */
class Tally {
  readonly counts: FitCounts;

  constructor({ fits, capped, largestGap }: FitCounts = { fits: 0, capped: 0, largestGap: 0 }) {
    this.counts = { fits, capped, largestGap };
  }

  note(model: SvcModel): void {
    this.counts.fits++;
    const unfinished = model.pairs.filter((pair) => !pair.converged);
    if (unfinished.length > 0) this.counts.capped++;
    for (const pair of unfinished) this.counts.largestGap = Math.max(this.counts.largestGap, pair.gap);
  }
}
