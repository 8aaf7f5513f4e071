/**
 * Eigenvalues of a symmetric tridiagonal matrix by the implicit QL method with Wilkinson's shift, rotating along whatever rows are
 * handed in: none (eigenvalues only, O(n²)), one number a row (the first components of the eigenvectors, for Gauss quadrature, O(n²)) or
 * full rows (eigenvectors, about 3n³ operations). Sources: EISPACK tql2; Golub and Welsch, Math. Comp. 23 (1969); Golub and Van Loan, section 8.3.
 */
import { badData } from "../base/errors.js";

const EPSILON = 2 ** -52;
const MAX_SWEEPS = 60;
/** Squares below this have lost bits; their roots, below 2^-450 in a matrix of norm 1 to 2, count as zero. */
const TINY = 2 ** -900;

/**
 * d[0..n) the diagonal, e[0..n−1) the off-diagonal (e needs n places; the last is used). On return d holds the eigenvalues, not
 * sorted, e is destroyed, and row k of z (n rows of `width` numbers) is the sum of its former rows weighted by eigenvector k: with the
 * identity it is eigenvector k, with its first column the first component of it. Works in a scale of its own, a power of two.
 */
export function implicitQL(
  d: Float64Array,
  e: Float64Array,
  n: number,
  z: Float64Array,
  width: number,
): void {
  if (n > 0) e[n - 1] = 0;
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(d[i]), Math.abs(e[i]));
  // the largest number becomes 1 to 2, whose square neither overflows nor vanishes; 2^±1022 at most, which is a number itself
  const scale = largest === 0 ? 1 : 2 ** Math.max(-1022, Math.min(1022, -Math.floor(Math.log2(largest))));
  let norm = 0;
  for (let i = 0; i < n; i++) {
    d[i] *= scale;
    e[i] *= scale;
    norm = Math.max(norm, Math.abs(d[i]) + Math.abs(e[i]));
  }
  const negligible = EPSILON * norm;
  // cosine and sine of the rotation of rows i and i + 1 in places 2i and 2i + 1
  const rotations = new Float64Array(2 * n);
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]) > negligible) m++;
      if (m === l) break;
      if (sweep === MAX_SWEEPS)
        throw badData(
          `eigenvalues: no convergence in ${MAX_SWEEPS} sweeps: got an off-diagonal of ${e[l]}, expected below ${negligible}`,
        );
      qlSweep(d, e, l, m, z, width, rotations);
    }
  }
  for (let i = 0; i < n; i++) d[i] /= scale;
}

/** One QL sweep over the unreduced block l..m; its rotations are applied to z at the end. */
function qlSweep(
  d: Float64Array,
  e: Float64Array,
  l: number,
  m: number,
  z: Float64Array,
  width: number,
  rotations: Float64Array,
): void {
  let g = (d[l + 1] - d[l]) / (2 * e[l]);
  let r = Math.abs(g) < 1e150 ? Math.sqrt(g * g + 1) : Math.abs(g);
  g = d[m] - d[l] + e[l] / (g + (g >= 0 ? r : -r));
  let s = 1;
  let c = 1;
  let p = 0;
  let i = m - 1;
  for (; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    const square = f * f + g * g;
    r = square < TINY ? 0 : Math.sqrt(square);
    e[i + 1] = r;
    // the block splits here
    if (r === 0) break;
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    rotations[2 * i] = c;
    rotations[2 * i + 1] = s;
  }
  d[i < l ? l : i + 1] -= p;
  if (i < l) e[l] = g;
  e[m] = 0;
  if (width > 0) rotate(z, width, rotations, i + 1, m);
}

/** Rotates row i with row i + 1 for i = m − 1 down to l, three at a time: each element is then loaded and stored 4/3 times, not twice. */
function rotate(z: Float64Array, width: number, rotations: Float64Array, l: number, m: number): void {
  let i = m - 1;
  for (; i >= l + 2; i -= 3) {
    const [c0, s0] = [rotations[2 * i], rotations[2 * i + 1]];
    const [c1, s1] = [rotations[2 * i - 2], rotations[2 * i - 1]];
    const [c2, s2] = [rotations[2 * i - 4], rotations[2 * i - 3]];
    for (let k = (i - 2) * width, end = k + width; k < end; k++) {
      const y = z[k + 3 * width];
      const x0 = z[k + 2 * width];
      const x1 = z[k + width];
      const x2 = z[k];
      const y1 = c0 * x0 - s0 * y;
      const y2 = c1 * x1 - s1 * y1;
      z[k + 3 * width] = s0 * x0 + c0 * y;
      z[k + 2 * width] = s1 * x1 + c1 * y1;
      z[k + width] = s2 * x2 + c2 * y2;
      z[k] = c2 * x2 - s2 * y2;
    }
  }
  for (; i >= l; i--) {
    const c = rotations[2 * i];
    const s = rotations[2 * i + 1];
    for (let k = i * width, end = k + width; k < end; k++) {
      const y = z[k + width];
      const x = z[k];
      z[k + width] = s * x + c * y;
      z[k] = c * x - s * y;
    }
  }
}

/** Puts the eigenvalues in ascending order, and the rows of z with them. */
export function sortAscending(d: Float64Array, n: number, z: Float64Array, width: number): void {
  if (width === 0) {
    d.subarray(0, n).sort();
    return;
  }
  for (let i = 0; i < n - 1; i++) {
    let least = i;
    for (let j = i + 1; j < n; j++) if (d[j] < d[least]) least = j;
    if (least === i) continue;
    const value = d[i];
    d[i] = d[least];
    d[least] = value;
    for (let k = 0; k < width; k++) {
      const h = z[i * width + k];
      z[i * width + k] = z[least * width + k];
      z[least * width + k] = h;
    }
  }
}

/** Nodes (ascending) and weights of the Gauss rule of a Jacobi matrix: weight = mass × squared first component. */
export function gaussRule(
  diagonal: Float64Array,
  offDiagonal: Float64Array,
  mass: number,
): { nodes: Float64Array; weights: Float64Array } {
  const n = diagonal.length;
  const nodes = Float64Array.from(diagonal);
  const e = new Float64Array(n);
  e.set(offDiagonal.subarray(0, Math.max(0, n - 1)));
  const first = new Float64Array(n);
  if (n > 0) first[0] = 1;
  implicitQL(nodes, e, n, first, 1);
  sortAscending(nodes, n, first, 1);
  for (let k = 0; k < n; k++) first[k] = mass * first[k] * first[k];
  return { nodes, weights: first };
}
