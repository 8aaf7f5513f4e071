/**
 * The binary C-SVM by sequential minimal optimisation on a dense core.
 *
 *   minimise  ½ αᵀ Q α − eᵀ α   subject to  0 ≤ α_k ≤ C_k,  yᵀ α = 0,   with Q_kl = y_k y_l K_kl
 *
 *   given     K   the Gram matrix, one for all folds: row-major, read through the index lists, copied once into the workspace
 *             y   +1 for the first list (the points 0..p−1), −1 for the second (p..n−1)
 *             C   the bound of each class
 *   kept      β_k = y_k α_k, in [0, C₊] or [−C₋, 0]: with it no sign is multiplied anywhere
 *             F_k = y_k − Σ_l K_kl β_l  =  −y_k times the gradient of LIBSVM's G
 *   gap       max F over the points that may grow − min F over those that may shrink; optimal when it is ≤ tolerance
 *   result    β, ρ with decision(x) = Σ β_k K(x, k) − ρ, and the objective  ½ αᵀQα − eᵀα = −½ Σ β_k (y_k + F_k)
 *
 * Instead of LIBSVM's shrinking, the problem is decomposed (Joachims 1999): all free points and the worst offenders form a
 * core of at most 1024 points whose kernel rows are gathered once; the core is solved by second-order pair steps (core.ts)
 * and, when these take longer than a factorisation would, by a Newton step on the free points (face.ts); then F of all n
 * points hears of the changes. A pair step costs O(core) instead of O(n), an outer turn O(n · changed) + O(core²).
 * Stationarity, ρ and the tolerance are LIBSVM's (Chang & Lin, LIBSVM, ACM TIST 2, 2011), so the results are too.
 */
import { badCall, badData } from "../base/errors.js";
import { PROBLEM } from "../compute/twin-smo.js";
import { type GramValues, type PointArrays, SvmWorkspace } from "./workspace.js";

export type { GramValues };

/** One bound for both classes, or one for each. */
export type Bound = number | { positive: number; negative: number };

export interface BinaryProblem {
  /** Kernel values, row-major; may lie on a SharedArrayBuffer. */
  gram: GramValues;
  /** Distance between the starts of two rows. */
  stride: number;
  /** Gram indices of the points with y = +1, and with y = −1. */
  positives: ArrayLike<number>;
  negatives: ArrayLike<number>;
  C: Bound;
  /** Largest gap at the end, as LIBSVM's -e. Default 1e-3. */
  tolerance?: number;
  /** Pair steps before giving up. Default 10 million. */
  maxIterations?: number;
  /** Coefficients y_k α_k to start from, positives first; made feasible by clipping and scaling. Default all zero. */
  warmStart?: ArrayLike<number>;
}

export interface BinarySolution {
  /** y_k α_k, positives first. Overwritten by the next solve: copy it before. */
  coefficients: Float64Array;
  /** The decision value of x is Σ coefficients · K(x, ·) − rho. */
  rho: number;
  /** ½ αᵀ Q α − eᵀ α. */
  objective: number;
  /** Pair steps made. */
  iterations: number;
  /** Newton steps made. */
  newtonSteps: number;
  /** The violation of the optimality conditions that is left. */
  gap: number;
  /** False when maxIterations ended it: gap is then above the tolerance. */
  converged: boolean;
}

/** Offenders taken into a core besides the free points. */
const OFFENDERS = 128;
/**
 * A Newton step is tried after s³ / (100 m) pair steps, with s free among m points: factorising costs ~ s³, a pair step ~ m.
 * Of 50, 100, 200 and 400 none was clearly better on Grams of 1000 and 2000 points.
 */
const NEWTON_RATIO = 100;

/** One machine after another, in the memory of a workspace. */
export class BinarySmo {
  private n = 0;
  private p = 0;
  private tolerance = 1e-3;
  private maxIterations = 0;
  private positiveC = 0;
  private negativeC = 0;
  /** Where each point's row, column and numbers lie in the workspace, positives first. */
  private places: Uint32Array = new Uint32Array(0);
  /** +1, −1, or 0 for a place of the workspace that does not take part. */
  private side = new Int8Array(0);
  /** begin and end of two stretches of places that hold all points; multiples of four. */
  private readonly ranges = new Uint32Array(4);
  private coefficients = new Float64Array(0);
  private turn = 0;

  /** A workspace serves one machine at a time: resume needs that no other used it since. */
  constructor(readonly workspace: SvmWorkspace = new SvmWorkspace()) {}

  solve(problem: BinaryProblem): BinarySolution {
    const arrays = this.load(problem);
    this.setBound(problem.C);
    const { places, p } = this;
    const { F, beta, grow, shrink } = arrays;
    F.fill(0);
    beta.fill(0);
    grow.fill(-Infinity);
    shrink.fill(Infinity);
    for (let k = 0; k < places.length; k++) F[places[k]] = k < p ? 1 : -1;
    for (const k of places) this.place(arrays, k, 0);
    if (problem.warmStart) this.startFrom(arrays, problem.warmStart);
    return this.run(arrays);
  }

  /**
   * The same problem under another C, from the last solution β scaled by C'/C, which keeps it feasible and its bounded
   * points bounded; or from β itself where C grew and hardly a point was bounded, so that little will change. O(n) to start.
   */
  resume(C: Bound): BinarySolution {
    const { places, side, positiveC, negativeC } = this;
    const arrays = this.workspace.arraysOf(this);
    if (arrays === null)
      throw badCall(
        "BinarySmo.resume: nothing to resume: call solve first, with no other use of the workspace since",
      );
    const { F, beta } = arrays;
    this.setBound(C);
    const ratio = Math.min(this.positiveC / positiveC, this.negativeC / negativeC);
    let support = 0;
    let bounded = 0;
    for (const k of places) {
      if (beta[k] !== 0) support++;
      if (beta[k] === (side[k] > 0 ? positiveC : -negativeC)) bounded++;
    }
    const scale = ratio >= 1 && bounded <= 0.1 * support ? 1 : ratio;
    for (const k of places) {
      const y = side[k];
      const bound = y > 0 ? this.positiveC : -this.negativeC;
      const scaled = scale * beta[k];
      F[k] = y - scale * (y - F[k]);
      // a bounded point lands on its new bound, not one rounding beside it
      this.place(arrays, k, Math.abs(scaled - bound) <= 1e-14 * Math.abs(bound) ? bound : scaled);
    }
    return this.run(arrays);
  }

  private load(problem: BinaryProblem): PointArrays {
    const { gram, stride, positives, negatives } = problem;
    const where = "BinarySmo.solve";
    this.p = positives.length;
    this.n = this.p + negatives.length;
    if (this.p === 0 || negatives.length === 0)
      throw badData(
        `${where}: points of a class: got ${this.p} positive and ${negatives.length} negative, expected at least one of each`,
      );
    this.tolerance = problem.tolerance ?? 1e-3;
    if (!(this.tolerance > 0))
      throw badCall(`${where}: tolerance: got ${problem.tolerance}, expected a positive number`);
    this.maxIterations = problem.maxIterations ?? 10_000_000;
    if (!(this.maxIterations >= 0))
      throw badCall(`${where}: maxIterations: got ${problem.maxIterations}, expected 0 or more`);
    const { arrays, places } = this.workspace.locate(gram, stride, positives, negatives, this);
    if (this.side.length !== arrays.width) this.side = new Int8Array(arrays.width);
    this.side.fill(0);
    for (let k = 0; k < this.n; k++) this.side[places[k]] = k < this.p ? 1 : -1;
    if (this.coefficients.length !== this.n) this.coefficients = new Float64Array(this.n);
    this.places = places;
    this.setRanges(arrays);
    arrays.core.clear();
    this.turn = 0;
    return arrays;
  }

  /** One stretch for each class, or one for both where they overlap. */
  private setRanges(arrays: PointArrays): void {
    const { places, p, ranges } = this;
    const stretch = (list: Uint32Array) => [
      list.reduce((a, b) => Math.min(a, b)) & ~3,
      (list.reduce((a, b) => Math.max(a, b)) + 4) & ~3,
    ];
    const [first, second] = [places.subarray(0, p), places.subarray(p)].map(stretch);
    if (first[1] < second[0] || second[1] < first[0])
      ranges.set(first[0] < second[0] ? [...first, ...second] : [...second, ...first]);
    else ranges.set([Math.min(first[0], second[0]), Math.max(first[1], second[1]), 0, 0]);
    this.workspace.kernels.arena.u32.set(ranges, arrays.problem / 4 + PROBLEM.ranges);
  }

  private setBound(C: Bound): void {
    const { positive, negative } = typeof C === "number" ? { positive: C, negative: C } : C;
    if (!(positive > 0 && negative > 0 && positive < Infinity && negative < Infinity))
      throw badCall(`BinarySmo: C: got ${positive} and ${negative}, expected positive numbers`);
    this.positiveC = positive;
    this.negativeC = negative;
  }

  /** Sets β of a place, and what it may do. */
  private place(arrays: PointArrays, k: number, value: number): void {
    const positive = this.side[k] > 0;
    arrays.beta[k] = value;
    arrays.grow[k] = value < (positive ? this.positiveC : 0) ? 0 : -Infinity;
    arrays.shrink[k] = value > (positive ? 0 : -this.negativeC) ? 0 : Infinity;
  }

  private startFrom(arrays: PointArrays, start: ArrayLike<number>): void {
    const { n, p, places } = this;
    if (start.length !== n)
      throw badCall(`BinarySmo.solve: length of warmStart: got ${start.length}, expected ${n}`);
    const clipped = new Float64Array(n);
    let positive = 0;
    let negative = 0;
    for (let k = 0; k < n; k++) {
      if (k < p) positive += clipped[k] = Math.min(Math.max(start[k], 0), this.positiveC);
      else negative -= clipped[k] = Math.max(Math.min(start[k], 0), -this.negativeC);
    }
    const sum = Math.min(positive, negative);
    let number = 0;
    for (let k = 0; k < n; k++) {
      const side = k < p ? positive : negative;
      const value = side > sum ? clipped[k] * (sum / side) : clipped[k];
      this.place(arrays, places[k], value);
      if (value === 0) continue;
      arrays.rows[number] = places[k];
      arrays.changes[number++] = value;
    }
    this.subtractRows(arrays, number);
  }

  /** Decomposition: worst offenders and free points into the core, solve it, tell the others. */
  private run(arrays: PointArrays): BinarySolution {
    const { tolerance } = this;
    const { core, face } = arrays;
    let iterations = 0;
    let newtonSteps = 0;
    let gap = this.prepare(arrays);
    while (gap > tolerance && iterations < this.maxIterations) {
      this.fillCore(arrays);
      const inner = Math.max(0.9 * tolerance, 0.1 * gap);
      for (;;) {
        const free = core.freeCount();
        const burst = Math.max(core.count, (free * free * free) / (NEWTON_RATIO * core.count));
        const limit = Math.min(Math.ceil(burst), this.maxIterations - iterations);
        const steps = core.descend(inner, limit);
        iterations += steps;
        if (steps === 0 || iterations >= this.maxIterations || core.gap() <= inner) break;
        if (face.newton(core)) newtonSteps++;
      }
      const changed = this.emptyCore(arrays);
      gap = this.prepare(arrays);
      if (!changed) break;
    }
    return this.solution(arrays, gap, iterations, newtonSteps);
  }

  /** The gap; and marks who enters the next core. */
  private prepare(arrays: PointArrays): number {
    const { kernels } = this.workspace;
    const gap = kernels.smoGap(arrays.problem);
    if (!(gap > this.tolerance)) return gap;
    // by the points of the problem, not by those of the workspace, which must not matter
    const capacity = Math.min(this.n, arrays.core.capacity);
    const quota = Math.max(1, Math.min(OFFENDERS, capacity) >> 1);
    // a rotating start, so that every free point has its turn where the core cannot hold them all
    const turn = (this.turn++ * (capacity >> 1)) % arrays.width;
    kernels.smoChoose(arrays.problem, quota, capacity, turn);
    return gap;
  }

  private fillCore(arrays: PointArrays): void {
    const { side, places, positiveC, negativeC } = this;
    const { core, F, beta } = arrays;
    core.seat(arrays.chosen, places, arrays.diagonal);
    for (let i = 0; i < core.count; i++) {
      const k = core.members[i];
      core.f[i] = F[k];
      core.start[i] = beta[k];
      core.lower[i] = side[k] > 0 ? 0 : -negativeC;
      core.upper[i] = side[k] > 0 ? positiveC : 0;
      core.place(i, beta[k]);
    }
  }

  /** True if anything in the core had changed. */
  private emptyCore(arrays: PointArrays): boolean {
    const { core, rows, changes } = arrays;
    let number = 0;
    for (let i = 0; i < core.count; i++) {
      const change = core.b[i] - core.start[i];
      if (change === 0) continue;
      rows[number] = core.members[i];
      changes[number++] = change;
      this.place(arrays, core.members[i], core.b[i]);
    }
    this.subtractRows(arrays, number);
    return number > 0;
  }

  /** F −= Σ changes_i K_i over the first `number` rows and changes. */
  private subtractRows(arrays: PointArrays, number: number): void {
    const { gram, at } = arrays;
    for (let r = 0; r < 4; r += 2)
      this.workspace.kernels.smoSubtractRows(
        at.F,
        this.ranges[r],
        this.ranges[r + 1],
        gram.address,
        gram.rowBytes,
        gram.single,
        at.rows,
        at.changes,
        number,
      );
  }

  private solution(
    arrays: PointArrays,
    gap: number,
    iterations: number,
    newtonSteps: number,
  ): BinarySolution {
    const { n, places, side, coefficients } = this;
    const { F, beta } = arrays;
    let objective = 0;
    let sum = 0;
    let free = 0;
    let most = -Infinity;
    let least = Infinity;
    for (let i = 0; i < n; i++) {
      const k = places[i];
      coefficients[i] = beta[k];
      objective -= 0.5 * beta[k] * (side[k] + F[k]);
      const grows = arrays.grow[k] === 0;
      const shrinks = arrays.shrink[k] === 0;
      if (grows && shrinks) {
        sum += F[k];
        free++;
      } else if (grows) most = Math.max(most, F[k]);
      else least = Math.min(least, F[k]);
    }
    if (Number.isNaN(objective))
      throw badData("BinarySmo: kernel values: got NaN, expected finite numbers; checkGram says where");
    return {
      coefficients,
      rho: free > 0 ? -sum / free : -(most + least) / 2,
      objective,
      iterations,
      newtonSteps,
      gap: Math.max(gap, 0),
      converged: gap <= this.tolerance,
    };
  }
}
