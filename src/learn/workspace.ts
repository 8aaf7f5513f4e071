/**
 * Working memory of the C-SVM: a Gram matrix in the arena of the kernels, and the solver's arrays beside it.
 *
 * The points are laid out class by class in ascending order, each class from a multiple of four places on, so that what a pair of classes needs of a
 * Gram row are two stretches without gaps. Copying costs O(points²), once for all folds and all C that use these points; a
 * caller with many fits calls loadGram for the whole training part, another never needs to.
 */
import { badCall, badData } from "../base/errors.js";
import type { Kernels } from "../compute/kernels.js";
import { typescriptKernels } from "../compute/twin.js";
import { PROBLEM, PROBLEM_BYTES } from "../compute/twin-smo.js";
import { Core, type GramHandle } from "./core.js";
import { Face } from "./face.js";

/** Kernel values, row-major; may lie on a SharedArrayBuffer. */
export type GramValues = Float64Array | Float32Array;

const CORE_SIZE = 1024;
const NOWHERE = 0xffffffff;

const pad4 = (count: number) => (count + 3) & ~3;

/** The solver's arrays for one layout of points; the memory they lie in may move, after which attach() finds it again. */
export class PointArrays {
  F: Float64Array;
  beta: Float64Array;
  grow: Float64Array;
  shrink: Float64Array;
  diagonal: Float64Array;
  chosen: Uint32Array;
  /** Gram rows to subtract, and their factors. */
  rows: Uint32Array;
  changes: Float64Array;
  readonly problem: number;
  readonly at;
  readonly core: Core;
  readonly face: Face;
  private seen: Float64Array;

  constructor(
    private readonly kernels: Kernels,
    readonly gram: GramHandle,
    readonly width: number,
  ) {
    const { arena } = kernels;
    const numbers = () => arena.allocate(8 * width + 8);
    this.problem = arena.allocate(PROBLEM_BYTES);
    this.at = {
      F: numbers(),
      beta: numbers(),
      grow: numbers(),
      shrink: numbers(),
      diagonal: numbers(),
      chosen: numbers(),
      scratch: numbers(),
      rows: numbers(),
      changes: numbers(),
    };
    const capacity = Math.min(width, CORE_SIZE);
    this.core = new Core(kernels, gram, capacity);
    this.face = new Face(kernels, gram, capacity);
    const { f64, u32 } = arena;
    for (const name of ["F", "grow", "shrink", "chosen", "scratch"] as const)
      u32[this.problem / 4 + PROBLEM[name]] = this.at[name];
    this.F = this.beta = this.grow = this.shrink = this.diagonal = this.changes = this.seen = f64;
    this.chosen = this.rows = u32;
    this.makeViews();
  }

  attach(): void {
    if (this.seen !== this.kernels.arena.f64) this.makeViews();
  }

  private makeViews(): void {
    this.core.attach();
    this.face.attach();
    const { f64, u32 } = this.kernels.arena;
    const { at, width } = this;
    const numbers = (address: number) => f64.subarray(address / 8, address / 8 + width);
    const words = (address: number) => u32.subarray(address / 4, address / 4 + width);
    this.F = numbers(at.F);
    this.beta = numbers(at.beta);
    this.grow = numbers(at.grow);
    this.shrink = numbers(at.shrink);
    this.diagonal = numbers(at.diagonal);
    this.changes = numbers(at.changes);
    this.chosen = words(at.chosen);
    this.rows = words(at.rows);
    this.seen = f64;
  }
}

export class SvmWorkspace {
  private readonly base: number;
  private source: GramValues | null = null;
  private stride = 0;
  /** Place of each Gram index, or NOWHERE. */
  private placeOf = new Uint32Array(0);
  private current: PointArrays | null = null;
  /** Whose numbers the arrays hold. */
  private user: object | null = null;

  /** Uses the arena of the kernels from its present mark on, until it is reset. Default: plain TypeScript, of its own. */
  constructor(readonly kernels: Kernels = typescriptKernels()) {
    this.base = kernels.arena.mark();
  }

  /**
   * Copies the kernel values among `points` (Gram indices) and keeps them for every fit on this very array whose points are
   * among them; call it again after the array's values have changed. classes[i] is the class of Gram index i.
   */
  loadGram(
    gram: GramValues,
    stride: number,
    points: ArrayLike<number>,
    classes: ArrayLike<number> | null = null,
  ): void {
    const placeOf = new Uint32Array(stride).fill(NOWHERE);
    const groups = new Map<number, number[]>();
    for (let i = 0; i < points.length; i++) {
      const index = points[i];
      checkIndex(index, gram, stride);
      if (placeOf[index] !== NOWHERE)
        throw badCall(`SvmWorkspace.loadGram: Gram index ${index}: got it twice, expected each point once`);
      placeOf[index] = 0;
      const name = classes === null ? 0 : classes[index];
      const group = groups.get(name);
      if (group) group.push(index);
      else groups.set(name, [index]);
    }
    const layout: number[] = [];
    for (const [, group] of [...groups].sort((a, b) => a[0] - b[0])) {
      for (const index of group) {
        placeOf[index] = layout.length;
        layout.push(index);
      }
      while (layout.length % 4 !== 0) layout.push(-1);
    }
    this.copy(gram, stride, layout);
    this.placeOf = placeOf;
    this.source = gram;
    this.stride = stride;
  }

  /** Forgets the Gram, not the memory. */
  forgetGram(): void {
    this.source = null;
  }

  /** Frees the memory, back to where the workspace began. */
  release(): void {
    this.source = null;
    this.current = null;
    this.user = null;
    this.kernels.arena.release(this.base);
  }

  /** Whether these points of this array are loaded. */
  holds(gram: GramValues, stride: number, points: ArrayLike<number>): boolean {
    if (this.source !== gram || this.stride !== stride) return false;
    for (let i = 0; i < points.length; i++) if (!(this.placeOf[points[i]] < NOWHERE)) return false;
    return true;
  }

  /** Places of the points, `first` before `second`, which are loaded if they are not or if one of them comes twice; the arrays are then the user's. */
  locate(
    gram: GramValues,
    stride: number,
    first: ArrayLike<number>,
    second: ArrayLike<number>,
    user: object,
  ): { arrays: PointArrays; places: Uint32Array } {
    const places = new Uint32Array(first.length + second.length);
    const indices = new Array<number>(places.length);
    const seen = new Uint8Array(stride);
    let known = this.source === gram && this.stride === stride;
    for (let k = 0; k < places.length; k++) {
      const index = k < first.length ? first[k] : second[k - first.length];
      checkIndex(index, gram, stride);
      indices[k] = index;
      known &&= seen[index]++ === 0;
      if (known) known = (places[k] = this.placeOf[index]) !== NOWHERE;
    }
    if (!known) {
      const begin = pad4(first.length);
      const layout = new Array<number>(begin + pad4(second.length)).fill(-1);
      for (let k = 0; k < places.length; k++) {
        places[k] = k < first.length ? k : begin + k - first.length;
        layout[places[k]] = indices[k];
      }
      this.copy(gram, stride, layout);
      this.source = null;
    }
    this.user = user;
    return { arrays: this.arraysOf(user) as PointArrays, places };
  }

  /** The arrays if their numbers are still those of this user, else null. */
  arraysOf(user: object): PointArrays | null {
    if (this.user !== user) return null;
    this.current?.attach();
    return this.current;
  }

  /** Rows and columns layout[0], layout[1], …; −1 is a column of zeros. */
  private copy(gram: GramValues, stride: number, layout: readonly number[]): void {
    const width = layout.length;
    const single = gram instanceof Float32Array ? 1 : 0;
    this.source = null;
    this.user = null;
    this.makeRoom(width, single);
    const { arena } = this.kernels;
    const { gram: handle, diagonal } = this.current as PointArrays;
    const bytes = single ? 4 : 8;
    const target = single ? new Float32Array(arena.f64.buffer, 0, arena.f64.length * 2) : arena.f64;
    let sum = 0;
    for (let i = 0; i < width; i++) {
      if (layout[i] < 0) continue;
      const from = layout[i] * stride;
      const to = (handle.address + i * handle.rowBytes) / bytes;
      for (let j = 0; j < width; j++) {
        const value = layout[j] < 0 ? 0 : gram[from + layout[j]];
        target[to + j] = value;
        sum += value;
      }
      diagonal[i] = gram[from + layout[i]];
    }
    if (Number.isNaN(sum))
      throw badData("SvmWorkspace: kernel values: got NaN, expected finite numbers; checkGram says where");
  }

  private makeRoom(width: number, single: 0 | 1): void {
    const { arena } = this.kernels;
    if (this.current?.width === width && this.current.gram.single === single) {
      this.current.attach();
      return;
    }
    arena.release(this.base);
    // an odd number of cache lines, so that a column does not crowd a few cache sets
    const rowBytes = (Math.ceil((width * (single ? 4 : 8)) / 64) | 1) * 64;
    const address = arena.allocate(width * rowBytes);
    this.current = new PointArrays(this.kernels, { address, rowBytes, single }, width);
  }
}

function checkIndex(index: number, gram: GramValues, stride: number): void {
  if (!(Number.isInteger(index) && index >= 0 && index < stride && (index + 1) * stride <= gram.length))
    throw badCall(`SVM: index of a point: got ${index}, expected an integer inside the Gram matrix`);
}
