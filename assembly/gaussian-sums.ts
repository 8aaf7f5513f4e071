/**
 * Weighted sums of a radial kernel between rows of numbers, the work of the maximum mean discrepancy:
 *
 *   out_c = Σ_i w_i k(x_i, y_c),   k(x, y) = 2^(−scale·‖x − y‖²) (Gaussian) or 2^(−scale·‖x − y‖) (Laplacian).
 *
 * Rows are packed in quads: number k of rows 4q..4q+3 at quad q, place 4k..4k+3, so that one load serves two columns. The x_i are
 * `count` rows of such a pack from row `first` on; the columns are whole quads.
 *
 * Cost: a pair takes 3·dimension operations and one power of two (about 30), two pairs an instruction; 2 × 4 pairs share their
 * loads. A column is summed over i in ascending order on its own: its value does not depend on the columns beside it.
 *
 * 2^y, −1020 <= y <= 0: y = n + f with n the nearest integer, 2^f by a polynomial of degree 11 with constant term 1 (relative error
 * 2e-17 before rounding, so 2^0 is 1 exactly), 2^n by its bits. Constants are read from memory: splats are slower.
 */

// @ts-ignore: decorator
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

// @ts-ignore: decorator
@inline
function powerOfTwo(exponent: v128): v128 {
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
  const factor = f64x2.splat(-scale);
  const quadBytes = <usize>dimension << 5;
  for (let q: u32 = 0; q < quads; q++) {
    let sum0 = f64x2.splat(0), sum1 = f64x2.splat(0);
    let i: u32 = 0;
    for (; i + 2 <= count; i += 2) {
      let x = rowAt(rows, first + i, quadBytes);
      let z = rowAt(rows, first + i + 1, quadBytes);
      let y = columns;
      const end = y + quadBytes;
      let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0);
      while (y < end) {
        const y0 = v128.load(y), y1 = v128.load(y, 16);
        const xk = v128.load64_splat(x), zk = v128.load64_splat(z);
        const dx0 = f64x2.sub(xk, y0), dx1 = f64x2.sub(xk, y1);
        const dz0 = f64x2.sub(zk, y0), dz1 = f64x2.sub(zk, y1);
        a0 = f64x2.add(a0, f64x2.mul(dx0, dx0));
        a1 = f64x2.add(a1, f64x2.mul(dx1, dx1));
        b0 = f64x2.add(b0, f64x2.mul(dz0, dz0));
        b1 = f64x2.add(b1, f64x2.mul(dz1, dz1));
        x += 32;
        z += 32;
        y += 32;
      }
      if (laplacian) {
        a0 = f64x2.sqrt(a0);
        a1 = f64x2.sqrt(a1);
        b0 = f64x2.sqrt(b0);
        b1 = f64x2.sqrt(b1);
      }
      const w = v128.load64_splat(weights + (<usize>i << 3)), v = v128.load64_splat(weights + (<usize>i << 3), 8);
      sum0 = f64x2.add(sum0, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, a0))));
      sum1 = f64x2.add(sum1, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, a1))));
      sum0 = f64x2.add(sum0, f64x2.mul(v, powerOfTwo(f64x2.mul(factor, b0))));
      sum1 = f64x2.add(sum1, f64x2.mul(v, powerOfTwo(f64x2.mul(factor, b1))));
    }
    if (i < count) {
      let x = rowAt(rows, first + i, quadBytes);
      let y = columns;
      const end = y + quadBytes;
      let a0 = f64x2.splat(0), a1 = f64x2.splat(0);
      while (y < end) {
        const xk = v128.load64_splat(x);
        const dx0 = f64x2.sub(xk, v128.load(y)), dx1 = f64x2.sub(xk, v128.load(y, 16));
        a0 = f64x2.add(a0, f64x2.mul(dx0, dx0));
        a1 = f64x2.add(a1, f64x2.mul(dx1, dx1));
        x += 32;
        y += 32;
      }
      if (laplacian) {
        a0 = f64x2.sqrt(a0);
        a1 = f64x2.sqrt(a1);
      }
      const w = v128.load64_splat(weights + (<usize>i << 3));
      sum0 = f64x2.add(sum0, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, a0))));
      sum1 = f64x2.add(sum1, f64x2.mul(w, powerOfTwo(f64x2.mul(factor, a1))));
    }
    v128.store(out, sum0);
    v128.store(out, sum1, 16);
    out += 32;
    columns += quadBytes;
  }
}

// @ts-ignore: decorator
@inline
function rowAt(rows: usize, i: u32, quadBytes: usize): usize {
  return rows + <usize>(i >> 2) * quadBytes + (<usize>(i & 3) << 3);
}
