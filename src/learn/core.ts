/**
 * The core: a C-SVM dual over a few points, whose kernel values lie side by side in one dense block.
 *
 *   minimise  ½ bᵀ K b − yᵀ b   subject to  Σ b constant,  lower ≤ b ≤ upper          (b_k = y_k α_k, see smo.ts)
 *
 *   f         what is left to descend: y − K b over all points, also those outside of the core
 *   status    bit GROW: b_k < upper_k (k may be the first of a pair); bit SHRINK: b_k > lower_k (the second)
 *   gap       max f over GROW − min f over SHRINK; zero or less at the minimum
 *
 * One step moves t from b_j to b_i along the pair that gains most, where i has the largest f and j the largest
 * (f_i − f_j)² / (K_ii + K_jj − 2 K_ij): second-order selection of Fan, Chen, Lin, "Working set selection using second
 * order information for training SVM", JMLR 6 (2005). A step costs O(count): the two loops below are the hot ones.
 */
export type GramValues = Float64Array | Float32Array;

export const GROW = 1;
export const SHRINK = 2;
export const FREE = GROW | SHRINK;

/** Curvature of a pair of equal points, and of any pair of an indefinite kernel that curves the wrong way. */
const MIN_CURVATURE = 1e-12;

/** The second of the pair, argmax (f_i − f_j)² / curvature over j that may shrink and have f_j < f_i; −1 if there is none. */
export function selectSecond(
  rowI: Float64Array,
  diagonal: Float64Array,
  f: Float64Array,
  status: Uint8Array,
  count: number,
  i: number,
): number {
  const fi = f[i];
  const di = diagonal[i];
  let second = -1;
  let bestGain = 0;
  let bestCurvature = 1;
  for (let k = 0; k < count; k++) {
    const difference = fi - f[k];
    if (difference > 0 && (status[k] & SHRINK) !== 0) {
      const curvature = Math.max(di + diagonal[k] - 2 * rowI[k], MIN_CURVATURE);
      const gain = difference * difference;
      // gain / curvature > best, without the division
      if (gain * bestCurvature > bestGain * curvature) {
        second = k;
        bestGain = gain;
        bestCurvature = curvature;
      }
    }
  }
  return second;
}

/**
 * f −= step (K_i − K_j), and in the same pass the next first, argmax f over GROW; extremes = (max over GROW, min over
 * SHRINK). Goes on to a multiple of four: the places beyond `count` exist and have status 0.
 */
export function updateAndSelectFirst(
  rowI: Float64Array,
  rowJ: Float64Array,
  step: number,
  f: Float64Array,
  status: Uint8Array,
  count: number,
  extremes: Float64Array,
): number {
  let first = -1;
  let most = -Infinity;
  let least = Infinity;
  for (let k = 0; k < count; k += 4) {
    const f0 = f[k] - step * (rowI[k] - rowJ[k]);
    const f1 = f[k + 1] - step * (rowI[k + 1] - rowJ[k + 1]);
    const f2 = f[k + 2] - step * (rowI[k + 2] - rowJ[k + 2]);
    const f3 = f[k + 3] - step * (rowI[k + 3] - rowJ[k + 3]);
    f[k] = f0;
    f[k + 1] = f1;
    f[k + 2] = f2;
    f[k + 3] = f3;
    const s0 = status[k];
    const s1 = status[k + 1];
    const s2 = status[k + 2];
    const s3 = status[k + 3];
    if ((s0 & GROW) !== 0 && f0 > most) [most, first] = [f0, k];
    if ((s1 & GROW) !== 0 && f1 > most) [most, first] = [f1, k + 1];
    if ((s2 & GROW) !== 0 && f2 > most) [most, first] = [f2, k + 2];
    if ((s3 & GROW) !== 0 && f3 > most) [most, first] = [f3, k + 3];
    if ((s0 & SHRINK) !== 0 && f0 < least) least = f0;
    if ((s1 & SHRINK) !== 0 && f1 < least) least = f1;
    if ((s2 & SHRINK) !== 0 && f2 < least) least = f2;
    if ((s3 & SHRINK) !== 0 && f3 < least) least = f3;
  }
  extremes[0] = most;
  extremes[1] = least;
  return first;
}

export class Core {
  count = 0;
  /** Distance between rows of the kernel block: not a power of two, which would crowd a few cache sets. */
  readonly stride: number;
  /** Which point of the problem sits on each seat. A point keeps its seat, and its kernel row, while it stays. */
  readonly members: Int32Array;
  readonly kernel: Float64Array;
  /** A view of each row of the kernel block: V8 reads it faster than the block with an offset. */
  private readonly kernelRows: Float64Array[];
  readonly diagonal: Float64Array;
  readonly f: Float64Array;
  readonly b: Float64Array;
  /** b when the core was filled: b − start is what the points outside still have to hear of. */
  readonly start: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly status: Uint8Array;
  private readonly extremes = new Float64Array(2);
  private readonly newSeats: Int32Array;
  private readonly seatColumns: Int32Array;

  constructor(readonly capacity: number) {
    this.stride = capacity + 8;
    this.members = new Int32Array(capacity);
    this.kernel = new Float64Array(capacity * this.stride);
    this.kernelRows = Array.from({ length: capacity }, (_, s) =>
      this.kernel.subarray(s * this.stride, (s + 1) * this.stride),
    );
    this.diagonal = new Float64Array(capacity);
    this.f = new Float64Array(this.stride);
    this.b = new Float64Array(capacity);
    this.start = new Float64Array(capacity);
    this.lower = new Float64Array(capacity);
    this.upper = new Float64Array(capacity);
    this.status = new Uint8Array(this.stride);
    this.seatColumns = new Int32Array(capacity);
    this.newSeats = new Int32Array(capacity);
  }

  /**
   * Seats the points k < n with chosen[k] = 1, at most `capacity`; their Gram rows start at rows[k], their column is
   * columns[k]. Gathers the kernel rows of the newcomers only. False if one of the new values is NaN.
   */
  seat(chosen: Uint8Array, n: number, gram: GramValues, rows: Int32Array, columns: Int32Array): boolean {
    const { members, newSeats, seatColumns, kernel, kernelRows, stride, diagonal } = this;
    // who stays, and which seats fall free
    let free = 0;
    for (let s = 0; s < this.count; s++) {
      if (chosen[members[s]] === 1) chosen[members[s]] = 2;
      else newSeats[free++] = s;
    }
    let added = 0;
    for (let k = 0; k < n; k++) {
      if (chosen[k] !== 1) continue;
      if (added >= free) newSeats[added] = this.count++;
      members[newSeats[added++]] = k;
    }
    // seats still free are taken by those from the end, the last free seat first
    for (let i = free - 1; i >= added; i--) this.move(--this.count, newSeats[i]);
    const count = this.count;
    this.status.fill(0, count);
    for (let j = 0; j < count; j++) seatColumns[j] = columns[members[j]];
    // four newcomers at a time: their columns share cache lines
    let sum = 0;
    for (let i = 0; i < added; i += 4) {
      const s0 = newSeats[i];
      const s1 = newSeats[Math.min(i + 1, added - 1)];
      const s2 = newSeats[Math.min(i + 2, added - 1)];
      const s3 = newSeats[Math.min(i + 3, added - 1)];
      const row0 = rows[members[s0]];
      const row1 = rows[members[s1]];
      const row2 = rows[members[s2]];
      const row3 = rows[members[s3]];
      const to0 = kernelRows[s0];
      const to1 = kernelRows[s1];
      const to2 = kernelRows[s2];
      const to3 = kernelRows[s3];
      for (let j = 0, at = 0; j < count; j++, at += stride) {
        const column = seatColumns[j];
        const v0 = gram[row0 + column];
        const v1 = gram[row1 + column];
        const v2 = gram[row2 + column];
        const v3 = gram[row3 + column];
        to0[j] = kernel[at + s0] = v0;
        to1[j] = kernel[at + s1] = v1;
        to2[j] = kernel[at + s2] = v2;
        to3[j] = kernel[at + s3] = v3;
        sum += v0 + v1 + v2 + v3;
      }
    }
    for (let i = 0; i < added; i++) diagonal[newSeats[i]] = kernelRows[newSeats[i]][newSeats[i]];
    return !Number.isNaN(sum);
  }

  private move(from: number, to: number): void {
    const { members, kernel, stride, diagonal } = this;
    if (from === to) return;
    members[to] = members[from];
    diagonal[to] = diagonal[from];
    for (let j = 0; j <= from; j++) kernel[to * stride + j] = kernel[from * stride + j];
    for (let j = 0; j <= from; j++) kernel[j * stride + to] = kernel[j * stride + from];
  }

  /** Sets b_k and its status. */
  place(k: number, value: number): void {
    this.b[k] = value;
    this.status[k] = (value < this.upper[k] ? GROW : 0) | (value > this.lower[k] ? SHRINK : 0);
  }

  freeCount(): number {
    let free = 0;
    for (let k = 0; k < this.count; k++) if (this.status[k] === FREE) free++;
    return free;
  }

  /** Largest gap of the core as it stands. */
  gap(): number {
    const [row] = this.kernelRows;
    updateAndSelectFirst(row, row, 0, this.f, this.status, this.count, this.extremes);
    return this.extremes[0] - this.extremes[1];
  }

  /** Pair steps until the gap is at most the tolerance, `limit` steps were made or a step is lost in rounding; how many. */
  descend(tolerance: number, limit: number): number {
    const { kernelRows, diagonal, f, b, lower, upper, status, extremes, count } = this;
    let i = updateAndSelectFirst(kernelRows[0], kernelRows[0], 0, f, status, count, extremes);
    let steps = 0;
    while (steps < limit && extremes[0] - extremes[1] > tolerance) {
      const rowI = kernelRows[i];
      const j = selectSecond(rowI, diagonal, f, status, count, i);
      if (j < 0) break;
      const curvature = Math.max(diagonal[i] + diagonal[j] - 2 * rowI[j], MIN_CURVATURE);
      const roomI = upper[i] - b[i];
      const roomJ = b[j] - lower[j];
      const step = Math.min((f[i] - f[j]) / curvature, roomI, roomJ);
      const bi = step === roomI ? upper[i] : b[i] + step;
      const bj = step === roomJ ? lower[j] : b[j] - step;
      if (bi === b[i] && bj === b[j]) break;
      this.place(i, bi);
      this.place(j, bj);
      i = updateAndSelectFirst(rowI, kernelRows[j], step, f, status, count, extremes);
      steps++;
    }
    return steps;
  }
}
