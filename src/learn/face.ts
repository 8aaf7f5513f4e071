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
 * Cost: s³/6 multiplications for L, s² for each bound met (assembly/smo-face.ts); the memory is s²/2 + 65 s numbers.
 * The ridge lets equal points in (a singular K_SS); what it blurs, the next pair steps repair.
 */
import type { Kernels } from "../compute/kernels.js";
import type { Core, GramHandle } from "./core.js";

const MAX_BOUNDS = 64;
const WIDTH = MAX_BOUNDS + 1;
const RIDGE = 1e-10;

export class Face {
  /** Seats of the free points, and their places in the Gram. */
  private members: Uint32Array;
  private places: Uint32Array;
  private v: Float64Array;
  private d: Float64Array;
  /** Seats that moved, and by how much. */
  private moved: Uint32Array;
  private changes: Float64Array;
  private mu: Float64Array;
  private Z: Float64Array[] = [];
  private readonly before: Float64Array;
  private readonly G = new Float64Array(WIDTH * WIDTH);
  /** The point of the face that column a of A holds at its bound; column 0 is the sum. */
  private readonly held = new Int32Array(WIDTH);
  private size = 0;
  private readonly zBytes: number;
  private readonly at;

  constructor(
    private readonly kernels: Kernels,
    private readonly gram: GramHandle,
    private readonly capacity: number,
  ) {
    const { arena } = kernels;
    const numbers = () => arena.allocate(8 * capacity + 8);
    this.zBytes = 8 * (((capacity + 1) & ~1) + 8);
    this.at = {
      factor: arena.allocate(4 * capacity * (capacity + 1)),
      Z: arena.allocate(WIDTH * this.zBytes),
      columns: arena.allocate(4 * WIDTH),
      mu: arena.allocate(8 * WIDTH),
      members: numbers(),
      places: numbers(),
      v: numbers(),
      d: numbers(),
      moved: numbers(),
      changes: numbers(),
    };
    const { f64, u32 } = arena;
    for (let a = 0; a < WIDTH; a++) u32[this.at.columns / 4 + a] = a;
    this.before = new Float64Array(capacity);
    this.members = this.places = this.moved = u32;
    this.v = this.d = this.changes = this.mu = f64;
    this.attach();
  }

  /** Makes the views again; needed when the arena's memory has moved. */
  attach(): void {
    const { f64, u32 } = this.kernels.arena;
    const { at, capacity } = this;
    const numbers = (address: number, length = capacity) => f64.subarray(address / 8, address / 8 + length);
    const words = (address: number) => u32.subarray(address / 4, address / 4 + capacity);
    this.members = words(at.members);
    this.places = words(at.places);
    this.moved = words(at.moved);
    this.v = numbers(at.v);
    this.d = numbers(at.d);
    this.changes = numbers(at.changes);
    this.mu = numbers(at.mu, WIDTH);
    this.Z = Array.from({ length: WIDTH }, (_, a) => numbers(at.Z + a * this.zBytes));
  }

  /** Moves the core to the minimum on its face, or as far as 64 bounds allow. False: nothing moved (K_SS is indefinite). */
  newton(core: Core): boolean {
    const { kernels, gram, at, members, places, before, v, Z } = this;
    let size = 0;
    let mean = 0;
    let largest = 0;
    for (let k = 0; k < core.count; k++) {
      if (!core.isFree(k)) continue;
      members[size] = k;
      places[size] = core.members[k];
      before[size++] = core.b[k];
      mean += core.f[k];
      largest = Math.max(largest, core.diagonal[k]);
    }
    this.size = size;
    if (size < 2) return false;
    const ridge = RIDGE * largest;
    if (!kernels.smoFactorise(at.factor, size, gram.address, gram.rowBytes, gram.single, at.places, ridge))
      return false;

    mean /= size;
    for (let i = 0; i < size; i++) v[i] = core.f[members[i]] - mean;
    kernels.smoSolve(at.factor, size, at.v, 0);
    Z[0].fill(1, 0, size);
    kernels.smoSolve(at.factor, size, at.Z, 0);
    if (!this.hold(0, -1)) return false;
    let bounds = 1;
    for (;;) {
      this.direction(bounds);
      const met = this.advance(core);
      if (met < 0 || bounds > MAX_BOUNDS) break;
      Z[bounds].fill(0, 0, size);
      Z[bounds][met] = 1;
      kernels.smoSolve(at.factor, size, at.Z + bounds * this.zBytes, met);
      if (!this.hold(bounds, met)) break;
      bounds++;
    }
    this.updateCore(core);
    return true;
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
    const { kernels, at, G, mu, v, d, held, size } = this;
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
    const end = (size + 1) & ~1;
    kernels.smoSubtractRows(at.d, 0, end, at.Z, this.zBytes, 0, at.columns, at.mu, bounds);
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
    const { at, members, before, moved, changes, size } = this;
    this.restoreSum(core);
    let number = 0;
    for (let i = 0; i < size; i++) {
      const change = core.b[members[i]] - before[i];
      if (change === 0) continue;
      moved[number] = members[i];
      changes[number++] = change;
    }
    core.subtract(at.moved, at.changes, number);
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
