/**
 * Weighted sums of a radial kernel where many pairs are far apart, for the mean embeddings (src/signature/near-sums.ts):
 *
 *   out_c = Σ_i w_i k(x_i, y_c),   k = 2^(−scale·a), a = ‖x − y‖² (Gaussian), or 2^(−scale·√a) (Laplacian).
 *
 * The numbers of a row are its head (the first `head`) and its tail. Per pair
 *
 *   a = Σ_head (x − y)² + (‖x‖²_tail + ‖y‖²_tail) + Σ_tail x·(−2y),
 *
 * two operations a number of the tail instead of three; the tails of the columns come multiplied by −2, and with their norms;
 * those of the rows are written to `rowNorms`. Sixteen pairs, four rows with four columns, whose heads alone are farther apart than `limit` are taken as 0.
 *
 * Packs of quads as in gaussian-sums.ts, whole quads on both sides; a column is summed over i in ascending order on its own. Cost of
 * a pair: 3·head + 2·tail operations and one power of two; 3·head when it is far.
 *
 * 2^y = 2^n·(2^(f/4))^4, n the nearest integer: 2^(f/4) by a polynomial of degree 8 with constant term 1, relative error 1e-17, twice squared
 * 3.5e-17, with rounding 1e-15. Less than the polynomial of degree 11 of gaussian-sums.ts costs, for a digit less.
 */
@lazy const POWER: usize = memory.data<f64>([
  -1020,
  6755399441056767, // 1.5·2^52 + 1023: adding it leaves n + 1023 in the low bits
  1,
  0.17328679513998632,
  0.015014156684943795,
  0.000867251697889354,
  3.757081682670002e-05,
  1.3021052574003661e-06,
  3.760627484878113e-08,
  9.311471407728417e-10,
  2.016859683599216e-11,
]);

export function nearSums(
  laplacian: u32, dimension: u32, head: u32, rows: usize, rowQuads: u32, rowNorms: usize, weights: usize,
  columns: usize, columnQuads: u32, columnNorms: usize, scale: f64, limit: f64, out: usize,
): void {
  const quadBytes = <usize>dimension << 5;
  const headBytes = <usize>head << 5;
  const rowsBytes = <usize>rowQuads << 5;
  for (let at: usize = 0, x = rows; at < rowsBytes; at += 32) {
    let n0 = f64x2.splat(0), n1 = f64x2.splat(0);
    const end = x + quadBytes;
    for (x += headBytes; x < end; x += 32) {
      const x0 = v128.load(x), x1 = v128.load(x, 16);
      n0 = f64x2.add(n0, f64x2.mul(x0, x0));
      n1 = f64x2.add(n1, f64x2.mul(x1, x1));
    }
    v128.store(rowNorms + at, n0);
    v128.store(rowNorms + at, n1, 16);
  }
  for (let q: u32 = 0; q < columnQuads; q++) {
    v128.store(out, f64x2.splat(0));
    v128.store(out, f64x2.splat(0), 16);
    let x = rows;
    for (let at: usize = 0; at < rowsBytes; at += 32, x += quadBytes)
      addNear(laplacian, x, rowNorms + at, weights + at, columns, headBytes, quadBytes, columnNorms, scale, limit, out);
    out += 32;
    columns += quadBytes;
    columnNorms += 32;
  }
}

/** out_c += w_i k(x_i, y_c) for the four rows of a quad, one after another, and the four columns of another. */
function addNear(
  laplacian: u32, x: usize, rowNorms: usize, weights: usize, y: usize, headBytes: usize, quadBytes: usize, columnNorms: usize,
  scale: f64, limit: f64, out: usize,
): void {
  const middle = y + headBytes, end = y + quadBytes;
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0);
  let c0 = f64x2.splat(0), c1 = f64x2.splat(0), d0 = f64x2.splat(0), d1 = f64x2.splat(0);
  while (y < middle) {
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
  const far = f64x2.splat(limit);
  let all = v128.and(f64x2.gt(a0, far), f64x2.gt(a1, far));
  all = v128.and(all, v128.and(f64x2.gt(b0, far), f64x2.gt(b1, far)));
  all = v128.and(all, v128.and(f64x2.gt(c0, far), f64x2.gt(c1, far)));
  all = v128.and(all, v128.and(f64x2.gt(d0, far), f64x2.gt(d1, far)));
  if (i64x2.all_true(all)) return;
  if (y < end) {
    const n0 = v128.load(columnNorms), n1 = v128.load(columnNorms, 16);
    let n = v128.load64_splat(rowNorms);
    a0 = f64x2.add(a0, f64x2.add(n, n0));
    a1 = f64x2.add(a1, f64x2.add(n, n1));
    n = v128.load64_splat(rowNorms, 8);
    b0 = f64x2.add(b0, f64x2.add(n, n0));
    b1 = f64x2.add(b1, f64x2.add(n, n1));
    n = v128.load64_splat(rowNorms, 16);
    c0 = f64x2.add(c0, f64x2.add(n, n0));
    c1 = f64x2.add(c1, f64x2.add(n, n1));
    n = v128.load64_splat(rowNorms, 24);
    d0 = f64x2.add(d0, f64x2.add(n, n0));
    d1 = f64x2.add(d1, f64x2.add(n, n1));
    while (y < end) {
      const y0 = v128.load(y), y1 = v128.load(y, 16);
      let e = v128.load64_splat(x);
      a0 = f64x2.add(a0, f64x2.mul(e, y0));
      a1 = f64x2.add(a1, f64x2.mul(e, y1));
      e = v128.load64_splat(x, 8);
      b0 = f64x2.add(b0, f64x2.mul(e, y0));
      b1 = f64x2.add(b1, f64x2.mul(e, y1));
      e = v128.load64_splat(x, 16);
      c0 = f64x2.add(c0, f64x2.mul(e, y0));
      c1 = f64x2.add(c1, f64x2.mul(e, y1));
      e = v128.load64_splat(x, 24);
      d0 = f64x2.add(d0, f64x2.mul(e, y0));
      d1 = f64x2.add(d1, f64x2.mul(e, y1));
      x += 32;
      y += 32;
    }
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
  addPowers(a0, a1, b0, b1, scale, weights, out);
  addPowers(c0, c1, d0, d1, scale, weights + 16, out);
}

/** out += w_0·2^(−scale·(a0, a1)), then w_1·2^(−scale·(b0, b1)): four powers side by side. */
@inline
function addPowers(a0: v128, a1: v128, b0: v128, b1: v128, scale: f64, weights: usize, out: usize): void {
  const factor = f64x2.splat(-scale);
  const least = v128.load64_splat(POWER);
  const magic = v128.load64_splat(POWER, 8);
  a0 = f64x2.pmax(f64x2.mul(factor, a0), least);
  a1 = f64x2.pmax(f64x2.mul(factor, a1), least);
  b0 = f64x2.pmax(f64x2.mul(factor, b0), least);
  b1 = f64x2.pmax(f64x2.mul(factor, b1), least);
  const r0 = f64x2.add(a0, magic), r1 = f64x2.add(a1, magic), s0 = f64x2.add(b0, magic), s1 = f64x2.add(b1, magic);
  a0 = f64x2.sub(a0, f64x2.sub(r0, magic));
  a1 = f64x2.sub(a1, f64x2.sub(r1, magic));
  b0 = f64x2.sub(b0, f64x2.sub(s0, magic));
  b1 = f64x2.sub(b1, f64x2.sub(s1, magic));
  let c = v128.load64_splat(POWER, 80);
  let next = v128.load64_splat(POWER, 72);
  let p0 = f64x2.add(f64x2.mul(c, a0), next), p1 = f64x2.add(f64x2.mul(c, a1), next);
  let q0 = f64x2.add(f64x2.mul(c, b0), next), q1 = f64x2.add(f64x2.mul(c, b1), next);
  c = v128.load64_splat(POWER, 64);
  p0 = f64x2.add(f64x2.mul(p0, a0), c);
  p1 = f64x2.add(f64x2.mul(p1, a1), c);
  q0 = f64x2.add(f64x2.mul(q0, b0), c);
  q1 = f64x2.add(f64x2.mul(q1, b1), c);
  c = v128.load64_splat(POWER, 56);
  p0 = f64x2.add(f64x2.mul(p0, a0), c);
  p1 = f64x2.add(f64x2.mul(p1, a1), c);
  q0 = f64x2.add(f64x2.mul(q0, b0), c);
  q1 = f64x2.add(f64x2.mul(q1, b1), c);
  c = v128.load64_splat(POWER, 48);
  p0 = f64x2.add(f64x2.mul(p0, a0), c);
  p1 = f64x2.add(f64x2.mul(p1, a1), c);
  q0 = f64x2.add(f64x2.mul(q0, b0), c);
  q1 = f64x2.add(f64x2.mul(q1, b1), c);
  c = v128.load64_splat(POWER, 40);
  p0 = f64x2.add(f64x2.mul(p0, a0), c);
  p1 = f64x2.add(f64x2.mul(p1, a1), c);
  q0 = f64x2.add(f64x2.mul(q0, b0), c);
  q1 = f64x2.add(f64x2.mul(q1, b1), c);
  c = v128.load64_splat(POWER, 32);
  p0 = f64x2.add(f64x2.mul(p0, a0), c);
  p1 = f64x2.add(f64x2.mul(p1, a1), c);
  q0 = f64x2.add(f64x2.mul(q0, b0), c);
  q1 = f64x2.add(f64x2.mul(q1, b1), c);
  c = v128.load64_splat(POWER, 24);
  p0 = f64x2.add(f64x2.mul(p0, a0), c);
  p1 = f64x2.add(f64x2.mul(p1, a1), c);
  q0 = f64x2.add(f64x2.mul(q0, b0), c);
  q1 = f64x2.add(f64x2.mul(q1, b1), c);
  c = v128.load64_splat(POWER, 16);
  p0 = f64x2.add(f64x2.mul(p0, a0), c);
  p1 = f64x2.add(f64x2.mul(p1, a1), c);
  q0 = f64x2.add(f64x2.mul(q0, b0), c);
  q1 = f64x2.add(f64x2.mul(q1, b1), c);
  p0 = f64x2.mul(p0, p0);
  p1 = f64x2.mul(p1, p1);
  q0 = f64x2.mul(q0, q0);
  q1 = f64x2.mul(q1, q1);
  p0 = f64x2.mul(f64x2.mul(p0, p0), i64x2.shl(r0, 52));
  p1 = f64x2.mul(f64x2.mul(p1, p1), i64x2.shl(r1, 52));
  q0 = f64x2.mul(f64x2.mul(q0, q0), i64x2.shl(s0, 52));
  q1 = f64x2.mul(f64x2.mul(q1, q1), i64x2.shl(s1, 52));
  const w = v128.load64_splat(weights), v = v128.load64_splat(weights, 8);
  v128.store(out, f64x2.add(f64x2.add(v128.load(out), f64x2.mul(w, p0)), f64x2.mul(v, q0)));
  v128.store(out, f64x2.add(f64x2.add(v128.load(out, 16), f64x2.mul(w, p1)), f64x2.mul(v, q1)), 16);
}
