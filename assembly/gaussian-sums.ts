/**
 * Weighted sums of a radial kernel between rows of numbers, the work of the maximum mean discrepancy:
 *
 *   out_c = Σ_i w_i k(x_i, y_c),   k(x, y) = 2^(−scale·‖x − y‖²) (Gaussian) or 2^(−scale·‖x − y‖) (Laplacian).
 *
 * Rows are packed in quads: number k of rows 4q..4q+3 at quad q, place 4k..4k+3, so that one load serves two columns. The x_i are
 * `count` rows of such a pack from row `first` on; the columns are whole quads.
 *
 * Cost: a pair takes 3·dimension operations and one power of two (about 30), two pairs an instruction; 4 × 4 pairs share their
 * loads. A column is summed over i in ascending order on its own: its value does not depend on the columns beside it.
 *
 * 2^y, −1020 <= y <= 0: y = n + f with n the nearest integer, 2^f by a polynomial of degree 11 with constant term 1 (relative error
 * 2e-17 before rounding, so 2^0 is 1 exactly), 2^n by its bits. Constants are read from memory: splats are slower.
 */

@lazy const TABLE: usize = memory.data<f64>([
  -1020,
  6755399441056767, // 1.5·2^52 + 1023: adding it leaves n + 1023 in the low bits
  1,
  0.6931471805599453,
  0.24022650695910097,
  0.0555041086648216,
  0.009618129107606888,
  0.0013333558146416936,
  0.0001540353044173605,
  1.525273382983612e-05,
  1.321544258792169e-06,
  1.0178062445845774e-07,
  7.072585949269223e-09,
  4.4549605981865186e-10,
]);

@inline
export function powerOfTwo(exponent: v128): v128 {
  const y = f64x2.max(exponent, v128.load64_splat(TABLE));
  const magic = v128.load64_splat(TABLE, 8);
  const t = f64x2.add(y, magic);
  const f = f64x2.sub(y, f64x2.sub(t, magic));
  let p = v128.load64_splat(TABLE, 104);
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 96));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 88));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 80));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 72));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 64));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 56));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 48));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 40));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 32));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 24));
  p = f64x2.add(f64x2.mul(p, f), v128.load64_splat(TABLE, 16));
  return f64x2.mul(p, i64x2.shl(t, 52));
}

/** `laplacian` is 0 or 1; `weights` are those of rows first, first + 1, …; `scale` is not negative. */
export function gaussianSums(
  laplacian: u32, dimension: u32, rows: usize, first: u32, count: u32, weights: usize,
  columns: usize, quads: u32, scale: f64, out: usize,
): void {
  const quadBytes = <usize>dimension << 5;
  const end = first + count;
  for (let q: u32 = 0; q < quads; q++) {
    v128.store(out, f64x2.splat(0));
    v128.store(out, f64x2.splat(0), 16);
    let i = first;
    let weight = weights;
    for (; i < end && (i & 3) != 0; i++, weight += 8)
      addRow(laplacian, rows + <usize>(i >> 2) * quadBytes + (<usize>(i & 3) << 3), weight, columns, quadBytes, scale, out);
    for (; i + 4 <= end; i += 4, weight += 32)
      addQuad(laplacian, rows + <usize>(i >> 2) * quadBytes, weight, columns, quadBytes, scale, out);
    for (; i < end; i++, weight += 8)
      addRow(laplacian, rows + <usize>(i >> 2) * quadBytes + (<usize>(i & 3) << 3), weight, columns, quadBytes, scale, out);
    out += 32;
    columns += quadBytes;
  }
}

/** out_c += w k(x, y_c) for one row x and the four columns of a quad. */
@inline
function addRow(laplacian: u32, x: usize, weight: usize, y: usize, quadBytes: usize, scale: f64, out: usize): void {
  const end = y + quadBytes;
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0);
  while (y < end) {
    const xk = v128.load64_splat(x);
    const d0 = f64x2.sub(xk, v128.load(y)), d1 = f64x2.sub(xk, v128.load(y, 16));
    a0 = f64x2.add(a0, f64x2.mul(d0, d0));
    a1 = f64x2.add(a1, f64x2.mul(d1, d1));
    x += 32;
    y += 32;
  }
  if (laplacian) {
    a0 = f64x2.sqrt(a0);
    a1 = f64x2.sqrt(a1);
  }
  const factor = f64x2.splat(-scale);
  const w = v128.load64_splat(weight);
  v128.store(out, f64x2.add(v128.load(out), f64x2.mul(w, powerOfTwo(f64x2.mul(factor, a0)))));
  v128.store(out, f64x2.add(v128.load(out, 16), f64x2.mul(w, powerOfTwo(f64x2.mul(factor, a1)))), 16);
}

/** The same for the four rows of a quad, one after another. */
function addQuad(laplacian: u32, x: usize, weight: usize, y: usize, quadBytes: usize, scale: f64, out: usize): void {
  const end = y + quadBytes;
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0);
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0), d0 = f64x2.splat(0), d1 = f64x2.splat(0);
  while (y < end) {
    const y0 = v128.load(y), y1 = v128.load(y, 16);
    let e = f64x2.sub(v128.load64_splat(x), y0), f = f64x2.sub(v128.load64_splat(x), y1);
    a0 = f64x2.add(a0, f64x2.mul(e, e));
    a1 = f64x2.add(a1, f64x2.mul(f, f));
    e = f64x2.sub(v128.load64_splat(x, 8), y0);
    f = f64x2.sub(v128.load64_splat(x, 8), y1);
    b0 = f64x2.add(b0, f64x2.mul(e, e));
    b1 = f64x2.add(b1, f64x2.mul(f, f));
    e = f64x2.sub(v128.load64_splat(x, 16), y0);
    f = f64x2.sub(v128.load64_splat(x, 16), y1);
    c0 = f64x2.add(c0, f64x2.mul(e, e));
    c1 = f64x2.add(c1, f64x2.mul(f, f));
    e = f64x2.sub(v128.load64_splat(x, 24), y0);
    f = f64x2.sub(v128.load64_splat(x, 24), y1);
    d0 = f64x2.add(d0, f64x2.mul(e, e));
    d1 = f64x2.add(d1, f64x2.mul(f, f));
    x += 32;
    y += 32;
  }
  if (laplacian) {
    a0 = f64x2.sqrt(a0);
    a1 = f64x2.sqrt(a1);
    b0 = f64x2.sqrt(b0);
    b1 = f64x2.sqrt(b1);
    c0 = f64x2.sqrt(c0);
    c1 = f64x2.sqrt(c1);
    d0 = f64x2.sqrt(d0);
    d1 = f64x2.sqrt(d1);
  }
  const factor = f64x2.splat(-scale);
  let sum0 = v128.load(out), sum1 = v128.load(out, 16);
  let w = v128.load64_splat(weight);
  sum0 = f64x2.add(sum0, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, a0))));
  sum1 = f64x2.add(sum1, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, a1))));
  w = v128.load64_splat(weight, 8);
  sum0 = f64x2.add(sum0, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, b0))));
  sum1 = f64x2.add(sum1, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, b1))));
  w = v128.load64_splat(weight, 16);
  sum0 = f64x2.add(sum0, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, c0))));
  sum1 = f64x2.add(sum1, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, c1))));
  w = v128.load64_splat(weight, 24);
  sum0 = f64x2.add(sum0, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, d0))));
  sum1 = f64x2.add(sum1, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, d1))));
  v128.store(out, sum0);
  v128.store(out, sum1, 16);
}
