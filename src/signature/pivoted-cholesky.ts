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

  constructor(capacity = 64) {
    this.entries = new Float64Array((capacity * (capacity + 1)) / 2);
  }

  /** Row s, its diagonal included. */
  row(s: number): Float64Array {
    return this.entries.subarray((s * (s + 1)) / 2, ((s + 1) * (s + 2)) / 2);
  }

  static from(rank: number, packed: Float64Array): TriangularFactor {
    const factor = new TriangularFactor(0);
    factor.rank = rank;
    factor.entries = packed;
    return factor;
  }

  /** A copy of the rows one after another, each up to its diagonal. With `shared`, on a SharedArrayBuffer. */
  packed(shared = false): Float64Array {
    const length = (this.rank * (this.rank + 1)) / 2;
    const copy = new Float64Array(shared ? new SharedArrayBuffer(8 * length) : new ArrayBuffer(8 * length));
    copy.set(this.entries.subarray(0, length));
    return copy;
  }

  /** Appends the row (L⁻¹k, pivot), where k are the kernel values of the new landmark to the old ones. */
  append(coordinates: ArrayLike<number>, pivot: number): void {
    const at = (this.rank * (this.rank + 1)) / 2;
    const end = at + this.rank + 1;
    if (end > this.entries.length) {
      const larger = new Float64Array(Math.max(end, 2 * this.entries.length));
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
 * K; `valuesOf(p, out)` writes its column p. The factor is that of the chosen rows and columns, in the order of choice.
 *
 * O(candidates · r²) time, O(candidates · r) memory. Ties go to the first candidate.
 */
export function pivotedCholesky(
  diagonal: Float64Array,
  enough: number,
  most: number,
  valuesOf: (candidate: number, out: Float64Array) => void,
): { chosen: number[]; factor: TriangularFactor } {
  const candidates = diagonal.length;
  const missed = Float64Array.from(diagonal);
  const columns: Float64Array[] = [];
  const chosen: number[] = [];
  const factor = new TriangularFactor();
  while (chosen.length < most) {
    let best = -1;
    for (let c = 0; c < candidates; c++) if (best < 0 || missed[c] > missed[best]) best = c;
    if (best < 0 || !(missed[best] > enough)) break;
    const pivot = Math.sqrt(missed[best]);
    const column = new Float64Array(candidates);
    valuesOf(best, column);
    // column ← (k − Σ_s L_s[best] · column_s) / pivot, two older columns a pass
    let s = 0;
    for (; s + 1 < columns.length; s += 2) subtractTwo(column, columns[s], columns[s + 1], best);
    if (s < columns.length) subtract(column, columns[s], best);
    for (let c = 0; c < candidates; c++) {
      column[c] /= pivot;
      missed[c] -= column[c] * column[c];
    }
    factor.append(
      columns.map((older) => older[best]),
      pivot,
    );
    missed[best] = 0;
    columns.push(column);
    chosen.push(best);
  }
  return { chosen, factor };
}

function subtract(column: Float64Array, older: Float64Array, pivot: number): void {
  const x = older[pivot];
  for (let c = 0; c < column.length; c++) column[c] -= x * older[c];
}

function subtractTwo(column: Float64Array, first: Float64Array, second: Float64Array, pivot: number): void {
  const [x, y] = [first[pivot], second[pivot]];
  for (let c = 0; c < column.length; c++) column[c] -= x * first[c] + y * second[c];
}
