import { numbers, part } from "./node-rows.js";

/**
 * A lower triangular factor that grows: K_ZZ = L Lᵀ for landmarks Z, one row at a time.
 *
 * For a vector k of kernel values to the landmarks, L⁻¹k are the coordinates of its projection on their span; for the kernel values of
 * a single point x, 1 − ‖L⁻¹k‖² is what the span misses of it, the squared distance of φ(x) to the span.
 */
export class TriangularFactor {
  rank = 0;
  /** Row s begins at s(s+1)/2. */
  private entries: Float64Array;

  /** With `shared`, on SharedArrayBuffers. */
  constructor(private readonly shared = false) {
    this.entries = new Float64Array(numbers(8 * 2080, shared));
  }

  /** Row s, its diagonal included. */
  row(s: number): Float64Array {
    return this.entries.subarray((s * (s + 1)) / 2, ((s + 1) * (s + 2)) / 2);
  }

  static from(rank: number, packed: Float64Array): TriangularFactor {
    const factor = new TriangularFactor();
    factor.rank = rank;
    factor.entries = packed;
    return factor;
  }

  /** The rows from `first` on, one after another, each up to its diagonal: a view of shared memory, else a copy. */
  packed(first = 0): Float64Array {
    return part(this.entries, (first * (first + 1)) / 2, (this.rank * (this.rank + 1)) / 2);
  }

  /** Appends the row (L⁻¹k, pivot), where k are the kernel values of the new landmark to the old ones. */
  append(coordinates: ArrayLike<number>, pivot: number): void {
    const at = (this.rank * (this.rank + 1)) / 2;
    const end = at + this.rank + 1;
    if (end > this.entries.length) {
      const larger = new Float64Array(numbers(8 * Math.max(end, 2 * this.entries.length), this.shared));
      larger.set(this.entries);
      this.entries = larger;
    }
    for (let s = 0; s < this.rank; s++) this.entries[at + s] = coordinates[s];
    this.entries[at + this.rank] = pivot;
    this.rank++;
  }
}

/**
 * Pivoted (incomplete) Cholesky factor of a positive semi-definite matrix K over candidates: always the candidate that the span of the
 * chosen ones misses most, until none is missed by more than `enough` (a squared distance) or `most` are taken. `diagonal` is that of
 * K; `valuesOf(p, out)` writes its column p. The factor is that of the chosen rows and columns, in the order of choice, appended to `factor`.
 *
 * A candidate that is missed by no more than `enough` is looked at no more. O(candidates · r²) time at most, O(candidates · r) memory.
 * Ties go to the first candidate.
 */
export function pivotedCholesky(
  diagonal: Float64Array,
  enough: number,
  most: number,
  valuesOf: (candidate: number, out: Float64Array) => void,
  factor = new TriangularFactor(),
): { chosen: number[]; factor: TriangularFactor } {
  const missed = Float64Array.from(diagonal);
  const column = new Float64Array(diagonal.length);
  const chosen: number[] = [];
  let active = Uint32Array.from(diagonal.keys());
  let width = 64;
  // candidate c's coordinates in the span, from c·width on
  let rows = new Float64Array(diagonal.length * width);
  while (chosen.length < most && active.length > 0) {
    let best = active[0];
    for (const c of active) if (missed[c] > missed[best]) best = c;
    if (!(missed[best] > enough)) break;
    const s = chosen.length;
    if (s === width) {
      const wider = new Float64Array(2 * rows.length);
      for (const c of active) wider.set(rows.subarray(c * width, (c + 1) * width), 2 * c * width);
      rows = wider;
      width *= 2;
    }
    const pivot = Math.sqrt(missed[best]);
    const own = rows.slice(best * width, best * width + s);
    valuesOf(best, column);
    missed[best] = 0;
    for (const c of active) {
      const x = (column[c] - dot(own, rows, c * width)) / pivot;
      rows[c * width + s] = x;
      missed[c] -= x * x;
    }
    active = active.filter((c) => missed[c] > enough);
    factor.append(own, pivot);
    chosen.push(best);
  }
  return { chosen, factor };
}

/** ⟨x, rows[at ..]⟩ in four sums. */
function dot(x: Float64Array, rows: Float64Array, at: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let k = 0;
  for (; k + 3 < x.length; k += 4) {
    a += x[k] * rows[at + k];
    b += x[k + 1] * rows[at + k + 1];
    c += x[k + 2] * rows[at + k + 2];
    d += x[k + 3] * rows[at + k + 3];
  }
  for (; k < x.length; k++) a += x[k] * rows[at + k];
  return a + b + (c + d);
}
