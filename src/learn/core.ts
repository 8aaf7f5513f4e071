/**
 * The core: a C-SVM dual over a few points, the seats, whose kernel values lie side by side in one dense block.
 *
 *   minimise  ½ bᵀ K b − yᵀ b   subject to  Σ b constant,  lower ≤ b ≤ upper          (b_k = y_k α_k, see smo.ts)
 *
 *   f         what is left to descend: y − K b over all points, also those outside of the core
 *   grow      0 where b_k < upper_k (k may be the first of a pair), else −∞; shrink: 0 where b_k > lower_k, else +∞
 *   gap       max f over those that may grow − min f over those that may shrink; zero or less at the minimum
 *
 * One step moves t from b_j to b_i along the pair that gains most, where i has the largest f and j the largest
 * (f_i − f_j)² / (K_ii + K_jj − 2 K_ij): second-order selection of Fan, Chen, Lin, "Working set selection using second
 * order information for training SVM", JMLR 6 (2005). A step costs O(count): assembly/smo.ts.
 *
 * A row of the block is made when a step first wants it and then kept as long as its point keeps its seat; a seat that
 * changes hands makes one column of it stale, which the log of taken seats tells.
 */
import type { Kernels } from "../compute/kernels.js";
import { CORE, CORE_BYTES, NEVER } from "../compute/twin-smo.js";

/** A Gram matrix in the arena. */
export interface GramHandle {
  address: number;
  rowBytes: number;
  /** 1 for f32 values, 0 for f64. */
  single: 0 | 1;
}

/** Seats that the log has room for, as a multiple of the capacity. */
const LOG_FACTOR = 8;

const pad8 = (count: number) => (count + 7) & ~7;

export class Core {
  count = 0;
  readonly block: number;
  readonly blockBytes: number;
  readonly fAddress: number;
  /** Which point of the problem sits on each seat. A point keeps its seat while it stays. */
  members: Uint32Array;
  diagonal: Float64Array;
  f: Float64Array;
  b: Float64Array;
  lower: Float64Array;
  upper: Float64Array;
  grow: Float64Array;
  shrink: Float64Array;
  /** b when the core was filled: b − start is what the points outside still have to hear of. */
  readonly start: Float64Array;
  private readonly record: number;
  private readonly addresses: Record<keyof typeof CORE, number>;
  private stamps: Uint32Array;
  private log: Uint32Array;
  private logLength = 0;
  private readonly newSeats: Int32Array;

  constructor(
    private readonly kernels: Kernels,
    gram: GramHandle,
    readonly capacity: number,
  ) {
    const { arena } = kernels;
    const numbers = () => arena.allocate(8 * pad8(capacity));
    // not a power of two, which would crowd a few cache sets
    this.blockBytes = 8 * (pad8(capacity) + 8);
    this.record = arena.allocate(CORE_BYTES);
    this.addresses = {
      gram: gram.address,
      rowBytes: gram.rowBytes,
      single: gram.single,
      count: 0,
      members: numbers(),
      block: arena.allocate(capacity * this.blockBytes),
      blockBytes: this.blockBytes,
      stamps: numbers(),
      log: arena.allocate(4 * LOG_FACTOR * capacity),
      logLength: 0,
      diagonal: numbers(),
      f: numbers(),
      b: numbers(),
      lower: numbers(),
      upper: numbers(),
      grow: numbers(),
      shrink: numbers(),
    };
    this.block = this.addresses.block;
    this.fAddress = this.addresses.f;
    this.start = new Float64Array(capacity);
    this.newSeats = new Int32Array(capacity);
    const { f64, u32 } = arena;
    for (const name of Object.keys(CORE) as (keyof typeof CORE)[])
      u32[this.record / 4 + CORE[name]] = this.addresses[name];
    // the places beyond `count` are read, too: no NaN may stand there
    f64.fill(0, this.block / 8, this.block / 8 + (capacity * this.blockBytes) / 8);
    f64.fill(0, this.addresses.diagonal / 8, this.addresses.diagonal / 8 + pad8(capacity));
    this.members = this.stamps = this.log = u32;
    this.diagonal = this.f = this.b = this.lower = this.upper = this.grow = this.shrink = f64;
    this.attach();
  }

  /** Makes the views again; needed when the arena's memory has moved. */
  attach(): void {
    const { f64, u32 } = this.kernels.arena;
    const at = this.addresses;
    const numbers = (address: number) => f64.subarray(address / 8, address / 8 + pad8(this.capacity));
    const words = (address: number, length: number) => u32.subarray(address / 4, address / 4 + length);
    this.members = words(at.members, this.capacity);
    this.stamps = words(at.stamps, this.capacity);
    this.log = words(at.log, LOG_FACTOR * this.capacity);
    this.diagonal = numbers(at.diagonal);
    this.f = numbers(at.f);
    this.b = numbers(at.b);
    this.lower = numbers(at.lower);
    this.upper = numbers(at.upper);
    this.grow = numbers(at.grow);
    this.shrink = numbers(at.shrink);
  }

  /** Forgets all members, as is needed for another problem or Gram. */
  clear(): void {
    this.count = 0;
    this.forgetRows();
  }

  /** Seats the points of `places` with chosen = 1, at most `capacity`, and marks them with 2; others leave. */
  seat(chosen: Uint32Array, places: ArrayLike<number>, diagonal: Float64Array): void {
    const { members, newSeats } = this;
    // who stays, and which seats fall free
    let free = 0;
    for (let s = 0; s < this.count; s++) {
      if (chosen[members[s]] === 1) chosen[members[s]] = 2;
      else newSeats[free++] = s;
    }
    if (this.logLength + this.capacity > this.log.length) this.forgetRows();
    let added = 0;
    for (let k = 0; k < places.length; k++) {
      const point = places[k];
      if (chosen[point] !== 1) continue;
      chosen[point] = 2;
      this.take(added < free ? newSeats[added] : this.count++, point, diagonal[point]);
      added++;
    }
    // seats still free are taken by those from the end, the last free seat first
    for (let i = free - 1; i >= added; i--) {
      const last = --this.count;
      if (newSeats[i] !== last) this.take(newSeats[i], members[last], this.diagonal[last]);
    }
    for (let s = this.count; s < pad8(this.count); s++) {
      this.f[s] = 0;
      this.grow[s] = -Infinity;
      this.shrink[s] = Infinity;
    }
    const record = this.record / 4;
    this.kernels.arena.u32[record + CORE.count] = this.count;
    this.kernels.arena.u32[record + CORE.logLength] = this.logLength;
  }

  private take(seat: number, point: number, diagonal: number): void {
    this.members[seat] = point;
    this.diagonal[seat] = diagonal;
    this.stamps[seat] = NEVER;
    this.log[this.logLength++] = seat;
  }

  private forgetRows(): void {
    this.logLength = 0;
    this.stamps.fill(NEVER);
  }

  /** Sets b_k and what it may do. */
  place(k: number, value: number): void {
    this.b[k] = value;
    this.grow[k] = value < this.upper[k] ? 0 : -Infinity;
    this.shrink[k] = value > this.lower[k] ? 0 : Infinity;
  }

  isFree(k: number): boolean {
    return this.grow[k] === 0 && this.shrink[k] === 0;
  }

  freeCount(): number {
    let free = 0;
    for (let k = 0; k < this.count; k++) if (this.isFree(k)) free++;
    return free;
  }

  /** Largest gap of the core as it stands. */
  gap(): number {
    let most = -Infinity;
    let least = Infinity;
    for (let k = 0; k < this.count; k++) {
      if (this.grow[k] === 0 && this.f[k] > most) most = this.f[k];
      if (this.shrink[k] === 0 && this.f[k] < least) least = this.f[k];
    }
    return most - least;
  }

  /** Pair steps until the gap is at most the tolerance, `limit` steps were made or a step is lost in rounding; how many. */
  descend(tolerance: number, limit: number): number {
    return this.kernels.smoDescend(this.record, tolerance, limit);
  }

  /** f −= Σ changes_i K_i over the first `number` of the seats and changes at these addresses. */
  subtract(seats: number, changes: number, number: number): void {
    const { kernels, fAddress, block, blockBytes } = this;
    kernels.smoRows(this.record, seats, number);
    kernels.smoSubtractRows(fAddress, 0, (this.count + 1) & ~1, block, blockBytes, 0, seats, changes, number);
  }
}
