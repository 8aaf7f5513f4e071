/**
 * A Newton step on the face: the free points of a core (lower < b < upper), all others held.
 *
 * Pair steps are coordinate descent: for large C, where hundreds of points are free and a smooth kernel makes K nearly
 * singular, they need 10⁵ steps to settle what one linear system says at once. On the face S the minimum solves
 *
 *   H d + A μ = r,   Aᵀ d = 0,   H = K_SS + ridge·I = L Lᵀ,   r = f_S
 *
 * with A = [1, e_h, …]: the sum of b stays, and a point h that meets its bound on the way stays there (primal active-set
 * method; Nocedal & Wright, Numerical Optimization, 16.5). L is made once; each bound met adds the column Z_h = H⁻¹ A_h and
 * a row to the Cholesky factor G of the Schur complement AᵀZ (range-space method). With v = H⁻¹ r:
 *
 *   G Gᵀ μ = Aᵀ v,   d = v − Z μ,   and after a step t:  b += t d,  v −= t d.
 *
 * Cost: s³/6 multiplications for L, s² for each bound met; the memory is s²/2 + 65 s numbers.
 * The ridge lets equal points in (a singular K_SS); what it blurs, the next pair steps repair.
 */
import { type Core, FREE } from "./core.js";

const MAX_BOUNDS = 64;
const WIDTH = MAX_BOUNDS + 1;
const RIDGE = 1e-10;

/** Where row i of the packed lower triangle begins. */
const rowStart = (i: number) => (i * (i + 1)) >> 1;

export class Face {
  private L = new Float64Array(0);
  private readonly members: Int32Array;
  private readonly before: Float64Array;
  private readonly v: Float64Array;
  private readonly d: Float64Array;
  private Z: Float64Array[] = [];
  private readonly G = new Float64Array(WIDTH * WIDTH);
  private readonly mu = new Float64Array(WIDTH);
  /** The point of the face that column a of A holds at its bound; column 0 is the sum. */
  private readonly held = new Int32Array(WIDTH);
  private size = 0;

  constructor(private readonly capacity: number) {
    this.members = new Int32Array(capacity);
    this.before = new Float64Array(capacity);
    this.v = new Float64Array(capacity);
    this.d = new Float64Array(capacity);
  }

  /** Moves the core to the minimum on its face, or as far as 64 bounds allow. False: nothing moved (K_SS is indefinite). */
  newton(core: Core): boolean {
    const { members, before, v } = this;
    let size = 0;
    let mean = 0;
    for (let k = 0; k < core.count; k++) {
      if (core.status[k] !== FREE) continue;
      members[size] = k;
      before[size++] = core.b[k];
      mean += core.f[k];
    }
    this.size = size;
    if (size < 2) return false;
    if (this.L.length === 0) this.allocate();
    if (!this.factorise(core.kernel, core.stride, core.diagonal)) return false;

    mean /= size;
    for (let i = 0; i < size; i++) v[i] = core.f[members[i]] - mean;
    this.solve(v, 0);
    this.Z[0].fill(1, 0, size);
    this.solve(this.Z[0], 0);
    if (!this.hold(0, -1)) return false;
    let bounds = 1;
    for (;;) {
      this.direction(bounds);
      const met = this.advance(core);
      if (met < 0 || bounds > MAX_BOUNDS) break;
      const z = this.Z[bounds];
      z.fill(0, 0, size);
      z[met] = 1;
      this.solve(z, met);
      if (!this.hold(bounds, met)) break;
      bounds++;
    }
    this.updateCore(core);
    return true;
  }

  private allocate(): void {
    const n = this.capacity;
    this.L = new Float64Array((n * (n + 1)) / 2);
    this.Z = Array.from({ length: WIDTH }, () => new Float64Array(n));
  }

  /** L, four rows by two columns at a time, so that six numbers read serve eight products. False if a pivot is not positive. */
  private factorise(kernel: Float64Array, stride: number, diagonal: Float64Array): boolean {
    const { L, members, size } = this;
    let largest = 0;
    for (let i = 0; i < size; i++) largest = Math.max(largest, diagonal[members[i]]);
    const ridge = RIDGE * largest;
    for (let i = 0; i < size; i += 4) {
      const last = Math.min(i + 4, size) - 1;
      const i1 = Math.min(i + 1, last);
      const i2 = Math.min(i + 2, last);
      const row0 = rowStart(i);
      const row1 = rowStart(i1);
      const row2 = rowStart(i2);
      const row3 = rowStart(last);
      const k0 = members[i] * stride;
      const k1 = members[i1] * stride;
      const k2 = members[i2] * stride;
      const k3 = members[last] * stride;
      // i is a multiple of four: the columns before it come in pairs (j, j + 1)
      for (let j = 0; j < i; j += 2) {
        const rowJ = rowStart(j);
        const next = rowJ + j + 1;
        const c0 = members[j];
        const c1 = members[j + 1];
        let a0 = kernel[k0 + c0];
        let a1 = kernel[k1 + c0];
        let a2 = kernel[k2 + c0];
        let a3 = kernel[k3 + c0];
        let b0 = kernel[k0 + c1];
        let b1 = kernel[k1 + c1];
        let b2 = kernel[k2 + c1];
        let b3 = kernel[k3 + c1];
        for (let k = 0; k < j; k++) {
          const x = L[rowJ + k];
          const y = L[next + k];
          const l0 = L[row0 + k];
          a0 -= x * l0;
          b0 -= y * l0;
          const l1 = L[row1 + k];
          a1 -= x * l1;
          b1 -= y * l1;
          const l2 = L[row2 + k];
          a2 -= x * l2;
          b2 -= y * l2;
          const l3 = L[row3 + k];
          a3 -= x * l3;
          b3 -= y * l3;
        }
        const pivot = L[rowJ + j];
        const below = L[next + j];
        const nextPivot = L[next + j + 1];
        L[row0 + j] = a0 /= pivot;
        L[row1 + j] = a1 /= pivot;
        L[row2 + j] = a2 /= pivot;
        L[row3 + j] = a3 /= pivot;
        L[row0 + j + 1] = (b0 - below * a0) / nextPivot;
        L[row1 + j + 1] = (b1 - below * a1) / nextPivot;
        L[row2 + j + 1] = (b2 - below * a2) / nextPivot;
        L[row3 + j + 1] = (b3 - below * a3) / nextPivot;
      }
      // the triangle where the four rows meet their own columns
      for (let u = i; u <= last; u++) {
        const rowU = rowStart(u);
        for (let j = i; j <= u; j++) {
          const rowJ = rowStart(j);
          let a = kernel[members[u] * stride + members[j]];
          for (let k = 0; k < j; k++) a -= L[rowU + k] * L[rowJ + k];
          if (j < u) L[rowU + j] = a / L[rowJ + j];
          else if (a + ridge > 0) L[rowU + u] = Math.sqrt(a + ridge);
          else return false;
        }
      }
    }
    return true;
  }

  /** x ← H⁻¹ x, four rows of L at a time; the entries before `from` are zero on entry. */
  private solve(x: Float64Array, from: number): void {
    const { L, size } = this;
    const whole = size & ~3;
    const begin = from & ~3;
    for (let i = begin; i < size; i += 4) {
      const end = Math.min(i + 4, size);
      if (i < whole) {
        const row0 = rowStart(i);
        const row1 = row0 + i + 1;
        const row2 = row1 + i + 2;
        const row3 = row2 + i + 3;
        let [a0, a1, a2, a3] = [x[i], x[i + 1], x[i + 2], x[i + 3]];
        for (let k = begin; k < i; k++) {
          const value = x[k];
          a0 -= L[row0 + k] * value;
          a1 -= L[row1 + k] * value;
          a2 -= L[row2 + k] * value;
          a3 -= L[row3 + k] * value;
        }
        x[i] = a0;
        x[i + 1] = a1;
        x[i + 2] = a2;
        x[i + 3] = a3;
      }
      for (let u = i; u < end; u++) {
        const row = rowStart(u);
        for (let k = i < whole ? i : begin; k < u; k++) x[u] -= L[row + k] * x[k];
        x[u] /= L[row + u];
      }
    }
    for (let i = (size - 1) & ~3; i >= 0; i -= 4) {
      const end = Math.min(i + 4, size);
      for (let u = end - 1; u >= i; u--) {
        const row = rowStart(u);
        x[u] /= L[row + u];
        for (let k = i < whole ? i : 0; k < u; k++) x[k] -= L[row + k] * x[u];
      }
      if (i >= whole) continue;
      const row0 = rowStart(i);
      const row1 = row0 + i + 1;
      const row2 = row1 + i + 2;
      const row3 = row2 + i + 3;
      const [x0, x1, x2, x3] = [x[i], x[i + 1], x[i + 2], x[i + 3]];
      for (let k = 0; k < i; k++)
        x[k] -= L[row0 + k] * x0 + L[row1 + k] * x1 + L[row2 + k] * x2 + L[row3 + k] * x3;
    }
  }

  /** Appends the row of column `a` to G. False when the column depends on the ones before it. */
  private hold(a: number, point: number): boolean {
    const { G, Z, held, size } = this;
    held[a] = point;
    const row = a * WIDTH;
    for (let c = 0; c <= a; c++) {
      let x = 0;
      if (a === 0) for (let i = 0; i < size; i++) x += Z[0][i];
      else x = Z[c][point];
      for (let e = 0; e < c; e++) x -= G[row + e] * G[c * WIDTH + e];
      if (c < a) G[row + c] = x / G[c * WIDTH + c];
      else if (x > 0) G[row + a] = Math.sqrt(x);
      else return false;
    }
    return true;
  }

  /** d = v − Z μ with G Gᵀ μ = Aᵀ v. */
  private direction(bounds: number): void {
    const { G, Z, mu, v, d, held, size } = this;
    for (let a = 0; a < bounds; a++) {
      let x = 0;
      if (a === 0) for (let i = 0; i < size; i++) x += v[i];
      else x = v[held[a]];
      for (let e = 0; e < a; e++) x -= G[a * WIDTH + e] * mu[e];
      mu[a] = x / G[a * WIDTH + a];
    }
    for (let a = bounds - 1; a >= 0; a--) {
      let x = mu[a];
      for (let e = a + 1; e < bounds; e++) x -= G[e * WIDTH + a] * mu[e];
      mu[a] = x / G[a * WIDTH + a];
    }
    for (let i = 0; i < size; i++) d[i] = v[i];
    for (let a = 0; a < bounds; a++) {
      const z = Z[a];
      const weight = mu[a];
      for (let i = 0; i < size; i++) d[i] -= weight * z[i];
    }
    for (let a = 1; a < bounds; a++) d[held[a]] = 0;
  }

  /** One step along d, at most 1 and at most to the first bound: the point that met it, or −1 after a whole step. */
  private advance(core: Core): number {
    const { members, v, d, size } = this;
    const { b, lower, upper } = core;
    let step = 1;
    let met = -1;
    for (let i = 0; i < size; i++) {
      const slope = d[i];
      if (slope === 0) continue;
      const k = members[i];
      const most = ((slope > 0 ? upper[k] : lower[k]) - b[k]) / slope;
      if (most < step) {
        step = most;
        met = i;
      }
    }
    for (let i = 0; i < size; i++) {
      const move = step * d[i];
      if (move === 0) continue;
      v[i] -= move;
      const k = members[i];
      const bound = d[i] > 0 ? upper[k] : lower[k];
      const reached = i === met || (d[i] > 0 ? b[k] + move > bound : b[k] + move < bound);
      core.place(k, reached ? bound : b[k] + move);
    }
    // a step of length zero still pins the point that stopped it
    if (met >= 0) core.place(members[met], d[met] > 0 ? upper[members[met]] : lower[members[met]]);
    return met;
  }

  /** f −= K (b − before), over the whole core. */
  private updateCore(core: Core): void {
    const { members, before, size } = this;
    const { kernel, stride, f, b, count } = core;
    this.restoreSum(core);
    for (let i = 0; i < size; i++) {
      const change = b[members[i]] - before[i];
      if (change === 0) continue;
      const row = members[i] * stride;
      for (let k = 0; k < count; k++) f[k] -= change * kernel[row + k];
    }
  }

  /** Rounding in a badly conditioned system moves Σ b a little: the point with the most room on both sides gives it back. */
  private restoreSum(core: Core): void {
    const { members, before, size } = this;
    const { b, lower, upper } = core;
    let excess = 0;
    let widest = 0;
    let room = -1;
    for (let i = 0; i < size; i++) {
      const k = members[i];
      excess += b[k] - before[i];
      const here = Math.min(upper[k] - b[k], b[k] - lower[k]);
      if (here > room) {
        room = here;
        widest = k;
      }
    }
    const moved = b[widest] - excess;
    core.place(widest, Math.min(Math.max(moved, lower[widest]), upper[widest]));
  }
}
