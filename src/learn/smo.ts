/**
 * The binary C-SVM by sequential minimal optimisation on a dense core.
 *
 *   minimise  ½ αᵀ Q α − eᵀ α   subject to  0 ≤ α_k ≤ C_k,  yᵀ α = 0,   with Q_kl = y_k y_l K_kl
 *
 *   given     K   the Gram matrix, one for all folds: row-major, read through the index lists, never copied a fold
 *             y   +1 for the first list (the points 0..p−1), −1 for the second (p..n−1)
 *             C   the bound of each class
 *   kept      β_k = y_k α_k, in [0, C₊] or [−C₋, 0]: with it no sign is multiplied anywhere
 *             F_k = y_k − Σ_l K_kl β_l  =  −y_k times the gradient of LIBSVM's G
 *   gap       max F over the points that may grow − min F over those that may shrink; optimal when it is ≤ tolerance
 *   result    β, ρ with decision(x) = Σ β_k K(x, k) − ρ, and the objective  ½ αᵀQα − eᵀα = −½ Σ β_k (y_k + F_k)
 *
 * Instead of LIBSVM's shrinking, the problem is decomposed (Joachims 1999): all free points and the worst offenders form a
 * core of at most 1024 points whose kernel block is gathered once; the core is solved by second-order pair steps (core.ts)
 * and, when these take longer than a factorisation would, by a Newton step on the free points (face.ts); then F of all n
 * points hears of the changes. A pair step costs O(core) instead of O(n), an outer turn O(n · changed) + O(core²).
 * Stationarity, ρ and the tolerance are LIBSVM's (Chang & Lin, LIBSVM, ACM TIST 2, 2011), so the results are too.
 */
import { badCall, badData } from "../base/errors.js";
import { Core, type GramValues } from "./core.js";
import { Face } from "./face.js";

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
  /** y_k α_k, positives first. A view of the workspace: copy it before the next solve. */
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

const CORE_SIZE = 1024;
/** Offenders taken into a core besides the free points. */
const OFFENDERS = 128;
/**
 * A Newton step is tried after s³ / (100 m) pair steps, with s free among m points: factorising costs ~ s³, a pair step ~ m.
 * Of 50, 100, 200 and 400 none was clearly better on Grams of 1000 and 2000 points.
 */
const NEWTON_RATIO = 100;

/** Working memory for problems of up to `maxSize` points, kept between solves. */
export class BinarySmo {
  private n = 0;
  private p = 0;
  private gram: GramValues = new Float64Array(0);
  private tolerance = 1e-3;
  private maxIterations = 0;
  private positiveC = 0;
  private negativeC = 0;
  /** Start of each point's Gram row, and its column. */
  private readonly rows: Int32Array;
  private readonly columns: Int32Array;
  private readonly beta: Float64Array;
  private readonly F: Float64Array;
  private readonly scratch: Float64Array;
  private readonly chosen: Uint8Array;
  private readonly core: Core;
  private readonly face: Face;
  private turn = 0;

  constructor(readonly maxSize: number) {
    this.rows = new Int32Array(maxSize);
    this.columns = new Int32Array(maxSize);
    this.beta = new Float64Array(maxSize);
    this.F = new Float64Array(maxSize);
    this.scratch = new Float64Array(maxSize);
    this.chosen = new Uint8Array(maxSize);
    this.core = new Core(Math.min(maxSize, CORE_SIZE));
    this.face = new Face(this.core.capacity);
  }

  solve(problem: BinaryProblem): BinarySolution {
    this.load(problem);
    this.setBound(problem.C);
    const { n, p, F, beta } = this;
    beta.fill(0, 0, n);
    for (let k = 0; k < n; k++) F[k] = k < p ? 1 : -1;
    if (problem.warmStart) this.startFrom(problem.warmStart);
    return this.run();
  }

  /**
   * The same problem under another C, from the last solution β scaled by C'/C, which keeps it feasible and its bounded
   * points bounded; or from β itself where C grew and hardly a point was bounded, so that little will change. O(n) to start.
   */
  resume(C: Bound): BinarySolution {
    const { n, p, F, beta, positiveC, negativeC } = this;
    if (n === 0) throw badCall("BinarySmo.resume: nothing to resume: call solve first");
    this.setBound(C);
    const ratio = Math.min(this.positiveC / positiveC, this.negativeC / negativeC);
    let support = 0;
    let bounded = 0;
    for (let k = 0; k < n; k++) {
      if (beta[k] !== 0) support++;
      if (beta[k] === (k < p ? positiveC : -negativeC)) bounded++;
    }
    const scale = ratio >= 1 && bounded <= 0.1 * support ? 1 : ratio;
    for (let k = 0; k < n; k++) {
      const y = k < p ? 1 : -1;
      const bound = k < p ? this.positiveC : -this.negativeC;
      const scaled = scale * beta[k];
      F[k] = y - scale * (y - F[k]);
      // a bounded point lands on its new bound, not one rounding beside it
      beta[k] = Math.abs(scaled - bound) <= 1e-14 * Math.abs(bound) ? bound : scaled;
    }
    return this.run();
  }

  private load(problem: BinaryProblem): void {
    const { gram, stride, positives, negatives } = problem;
    const where = "BinarySmo.solve";
    this.p = positives.length;
    this.n = this.p + negatives.length;
    if (this.p === 0 || negatives.length === 0)
      throw badData(
        `${where}: points of a class: got ${this.p} positive and ${negatives.length} negative, expected at least one of each`,
      );
    if (this.n > this.maxSize)
      throw badCall(`${where}: number of points: got ${this.n}, expected at most maxSize = ${this.maxSize}`);
    this.tolerance = problem.tolerance ?? 1e-3;
    if (!(this.tolerance > 0))
      throw badCall(`${where}: tolerance: got ${problem.tolerance}, expected a positive number`);
    this.maxIterations = problem.maxIterations ?? 10_000_000;
    if (!(this.maxIterations >= 0))
      throw badCall(`${where}: maxIterations: got ${problem.maxIterations}, expected 0 or more`);
    if (gram.length > 0x7fffffff)
      throw badCall(`${where}: Gram values: got ${gram.length}, expected fewer than 2^31`);
    this.gram = gram;
    this.core.count = 0;
    for (let k = 0; k < this.n; k++) {
      const index = k < this.p ? positives[k] : negatives[k - this.p];
      if (!(Number.isInteger(index) && index >= 0 && index < stride && (index + 1) * stride <= gram.length))
        throw badCall(`${where}: index of a point: got ${index}, expected an integer inside the Gram matrix`);
      this.rows[k] = index * stride;
      this.columns[k] = index;
    }
  }

  private setBound(C: Bound): void {
    const { positive, negative } = typeof C === "number" ? { positive: C, negative: C } : C;
    if (!(positive > 0 && negative > 0 && positive < Infinity && negative < Infinity))
      throw badCall(`BinarySmo: C: got ${positive} and ${negative}, expected positive numbers`);
    this.positiveC = positive;
    this.negativeC = negative;
  }

  private startFrom(start: ArrayLike<number>): void {
    const { n, p, beta } = this;
    if (start.length !== n)
      throw badCall(`BinarySmo.solve: length of warmStart: got ${start.length}, expected ${n}`);
    let positive = 0;
    let negative = 0;
    for (let k = 0; k < n; k++) {
      if (k < p) positive += beta[k] = Math.min(Math.max(start[k], 0), this.positiveC);
      else negative -= beta[k] = Math.max(Math.min(start[k], 0), -this.negativeC);
    }
    const sum = Math.min(positive, negative);
    for (let k = 0; k < n; k++) {
      const side = k < p ? positive : negative;
      if (side > sum) beta[k] *= sum / side;
      this.scratch[k] = beta[k];
    }
    this.subtractRows(n, null);
  }

  /** Decomposition: worst offenders and free points into the core, solve it, tell the others. */
  private run(): BinarySolution {
    const { core, face, tolerance } = this;
    let iterations = 0;
    let newtonSteps = 0;
    let gap = this.prepare();
    while (gap > tolerance && iterations < this.maxIterations) {
      this.fillCore();
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
      const changed = this.emptyCore();
      gap = this.prepare();
      if (!changed) break;
    }
    return this.solution(gap, iterations, newtonSteps);
  }

  private mayGrow(k: number): boolean {
    return this.beta[k] < (k < this.p ? this.positiveC : 0);
  }

  private mayShrink(k: number): boolean {
    return this.beta[k] > (k < this.p ? 0 : -this.negativeC);
  }

  /** The gap; and marks who enters the next core. */
  private prepare(): number {
    const { n, F, chosen, core } = this;
    let most = -Infinity;
    let least = Infinity;
    for (let k = 0; k < n; k++) {
      chosen[k] = 0;
      if (this.mayGrow(k) && F[k] > most) most = F[k];
      if (this.mayShrink(k) && F[k] < least) least = F[k];
    }
    const gap = most - least;
    if (!(gap > this.tolerance)) return gap;
    const offenders = Math.min(OFFENDERS, core.capacity);
    let room = core.capacity - this.markOffenders(true, least, Math.max(1, offenders >> 1));
    room -= this.markOffenders(false, most, Math.max(1, offenders >> 1));
    // a rotating start, so that every free point has its turn where the core cannot hold them all
    const start = (this.turn++ * (core.capacity >> 1)) % n;
    for (let i = 0; i < n && room > 0; i++) {
      const k = start + i < n ? start + i : start + i - n;
      if (chosen[k] === 0 && this.mayGrow(k) && this.mayShrink(k)) {
        chosen[k] = 1;
        room--;
      }
    }
    return gap;
  }

  /** Marks at most `quota` points: of those that may grow and have F > limit the largest, or the mirror image. */
  private markOffenders(grow: boolean, limit: number, quota: number): number {
    const { n, F, chosen, scratch } = this;
    const sign = grow ? 1 : -1;
    let candidates = 0;
    for (let k = 0; k < n; k++)
      if ((grow ? this.mayGrow(k) : this.mayShrink(k)) && sign * (F[k] - limit) > 0)
        scratch[candidates++] = sign * F[k];
    const threshold = candidates > quota ? kthLargest(scratch, candidates, quota) : -Infinity;
    let marked = 0;
    for (let ties = 0; ties < 2; ties++) {
      for (let k = 0; k < n && marked < quota; k++) {
        if (chosen[k] !== 0 || !(grow ? this.mayGrow(k) : this.mayShrink(k))) continue;
        const value = sign * F[k];
        if (sign * (F[k] - limit) > 0 && (ties === 0 ? value > threshold : value === threshold)) {
          chosen[k] = 1;
          marked++;
        }
      }
    }
    return marked;
  }

  private fillCore(): void {
    const { n, p, F, beta, core } = this;
    if (!core.seat(this.chosen, n, this.gram, this.rows, this.columns)) throw notFinite();
    for (let i = 0; i < core.count; i++) {
      const k = core.members[i];
      core.f[i] = F[k];
      core.start[i] = beta[k];
      core.lower[i] = k < p ? 0 : -this.negativeC;
      core.upper[i] = k < p ? this.positiveC : 0;
      core.place(i, beta[k]);
    }
  }

  /** True if anything in the core had changed. */
  private emptyCore(): boolean {
    const { core, beta, scratch } = this;
    let changed = false;
    for (let i = 0; i < core.count; i++) {
      scratch[i] = core.b[i] - core.start[i];
      beta[core.members[i]] = core.b[i];
      changed ||= scratch[i] !== 0;
    }
    this.subtractRows(core.count, core.members);
    return changed;
  }

  /** F −= Σ change_i K_i over the first `count` members (all points when null), changes in scratch, four rows a pass. */
  private subtractRows(count: number, members: Int32Array | null): void {
    const { n, F, gram, rows, columns, scratch } = this;
    let next = 0;
    for (;;) {
      // rows with change 0 are read as well: they must be of this problem, since others may hold anything
      let [row0, row1, row2, row3] = [rows[0], rows[0], rows[0], rows[0]];
      let [change0, change1, change2, change3] = [0, 0, 0, 0];
      let found = 0;
      for (; next < count && found < 4; next++) {
        if (scratch[next] === 0) continue;
        [row3, row2, row1, row0] = [row2, row1, row0, rows[members ? members[next] : next]];
        [change3, change2, change1, change0] = [change2, change1, change0, scratch[next]];
        found++;
      }
      if (found === 0) return;
      for (let k = 0; k < n; k++) {
        const c = columns[k];
        F[k] -=
          change0 * gram[row0 + c] +
          change1 * gram[row1 + c] +
          change2 * gram[row2 + c] +
          change3 * gram[row3 + c];
      }
    }
  }

  private solution(gap: number, iterations: number, newtonSteps: number): BinarySolution {
    const { n, p, F, beta } = this;
    let objective = 0;
    let sum = 0;
    let free = 0;
    let most = -Infinity;
    let least = Infinity;
    for (let k = 0; k < n; k++) {
      objective -= 0.5 * beta[k] * ((k < p ? 1 : -1) + F[k]);
      const grows = this.mayGrow(k);
      const shrinks = this.mayShrink(k);
      if (grows && shrinks) {
        sum += F[k];
        free++;
      } else if (grows) most = Math.max(most, F[k]);
      else least = Math.min(least, F[k]);
    }
    if (Number.isNaN(objective)) throw notFinite();
    return {
      coefficients: beta.subarray(0, n),
      rho: free > 0 ? -sum / free : -(most + least) / 2,
      objective,
      iterations,
      newtonSteps,
      gap: Math.max(gap, 0),
      converged: gap <= this.tolerance,
    };
  }
}

const notFinite = () =>
  badData("BinarySmo: kernel values: got NaN, expected finite numbers; checkGram says where");

/** The k-th largest of the first `count` values, which are reordered: quickselect, O(count) on average. */
function kthLargest(values: Float64Array, count: number, k: number): number {
  let from = 0;
  let to = count - 1;
  while (from < to) {
    const pivot = values[(from + to) >> 1];
    let i = from;
    let j = to;
    while (i <= j) {
      while (values[i] > pivot) i++;
      while (values[j] < pivot) j--;
      if (i <= j) {
        const value = values[i];
        values[i++] = values[j];
        values[j--] = value;
      }
    }
    if (k - 1 <= j) to = j;
    else if (k - 1 >= i) from = i;
    else break;
  }
  return values[k - 1];
}
