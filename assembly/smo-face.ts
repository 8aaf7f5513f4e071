/**
 * Cholesky factor of the kernel values among the free points, and its solves (src/learn/face.ts).
 *
 *   H = K_SS + ridge·I = L Lᵀ,   L packed by rows: row i begins at number i(i + 1)/2.
 *
 * Cost: s³/6 products for L, s² for a solve. A sum over k of products runs over even and odd k apart, up to the last
 * multiple of 4, and the rest in order.
 */

@inline
function rowStart(factor: usize, i: usize): usize {
  return factor + (((i * (i + 1)) >> 1) << 3);
}

@inline
function both(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1);
}

@inline
function entry(gram: usize, rowBytes: usize, single: bool, rows: usize, i: usize, j: usize): f64 {
  const row = gram + load<u32>(rows + (i << 2)) * rowBytes;
  const column = <usize>load<u32>(rows + (j << 2));
  return single ? <f64>load<f32>(row + (column << 2)) : load<f64>(row + (column << 3));
}

/**
 * L for the rows and columns rows[0..size) of a Gram, four rows by two columns at a time, so that six loads serve
 * eight products. Returns 0 if a pivot is not positive.
 */
export function smoFactorise(
  factor: usize, size: u32, gram: usize, rowBytes: u32, single: u32, rows: usize, ridge: f64,
): u32 {
  const is32 = single != 0;
  const n = <usize>size;
  for (let i: usize = 0; i < n; i += 4) {
    const last = min(i + 4, n) - 1;
    const i1 = min(i + 1, last), i2 = min(i + 2, last);
    const row0 = rowStart(factor, i), row1 = rowStart(factor, i1);
    const row2 = rowStart(factor, i2), row3 = rowStart(factor, last);
    for (let j: usize = 0; j < i; j += 2) {
      const rowJ = rowStart(factor, j), next = rowStart(factor, j + 1);
      let a0 = f64x2.splat(0), a1 = f64x2.splat(0), a2 = f64x2.splat(0), a3 = f64x2.splat(0);
      let b0 = f64x2.splat(0), b1 = f64x2.splat(0), b2 = f64x2.splat(0), b3 = f64x2.splat(0);
      const bytes = j << 3;
      for (let k: usize = 0; k < bytes; k += 16) {
        const x = v128.load(rowJ + k), y = v128.load(next + k);
        const l0 = v128.load(row0 + k), l1 = v128.load(row1 + k);
        a0 = f64x2.add(a0, f64x2.mul(x, l0));
        b0 = f64x2.add(b0, f64x2.mul(y, l0));
        a1 = f64x2.add(a1, f64x2.mul(x, l1));
        b1 = f64x2.add(b1, f64x2.mul(y, l1));
        const l2 = v128.load(row2 + k), l3 = v128.load(row3 + k);
        a2 = f64x2.add(a2, f64x2.mul(x, l2));
        b2 = f64x2.add(b2, f64x2.mul(y, l2));
        a3 = f64x2.add(a3, f64x2.mul(x, l3));
        b3 = f64x2.add(b3, f64x2.mul(y, l3));
      }
      const pivot = load<f64>(rowJ + bytes), below = load<f64>(next + bytes), nextPivot = load<f64>(next + bytes, 8);
      const x0 = (entry(gram, rowBytes, is32, rows, i, j) - both(a0)) / pivot;
      const x1 = (entry(gram, rowBytes, is32, rows, i1, j) - both(a1)) / pivot;
      const x2 = (entry(gram, rowBytes, is32, rows, i2, j) - both(a2)) / pivot;
      const x3 = (entry(gram, rowBytes, is32, rows, last, j) - both(a3)) / pivot;
      const y0 = (entry(gram, rowBytes, is32, rows, i, j + 1) - both(b0) - below * x0) / nextPivot;
      const y1 = (entry(gram, rowBytes, is32, rows, i1, j + 1) - both(b1) - below * x1) / nextPivot;
      const y2 = (entry(gram, rowBytes, is32, rows, i2, j + 1) - both(b2) - below * x2) / nextPivot;
      const y3 = (entry(gram, rowBytes, is32, rows, last, j + 1) - both(b3) - below * x3) / nextPivot;
      store<f64>(row0 + bytes, x0);
      store<f64>(row1 + bytes, x1);
      store<f64>(row2 + bytes, x2);
      store<f64>(row3 + bytes, x3);
      store<f64>(row0 + bytes, y0, 8);
      store<f64>(row1 + bytes, y1, 8);
      store<f64>(row2 + bytes, y2, 8);
      store<f64>(row3 + bytes, y3, 8);
    }
    // the triangle where the four rows meet their own columns
    for (let u = i; u <= last; u++) {
      const rowU = rowStart(factor, u);
      for (let j = i; j <= u; j++) {
        const rowJ = rowStart(factor, j);
        let sum = f64x2.splat(0);
        for (let k: usize = 0; k < i << 3; k += 16)
          sum = f64x2.add(sum, f64x2.mul(v128.load(rowU + k), v128.load(rowJ + k)));
        let a = entry(gram, rowBytes, is32, rows, u, j) - both(sum);
        for (let k = i << 3; k < j << 3; k += 8) a -= load<f64>(rowU + k) * load<f64>(rowJ + k);
        if (j < u) store<f64>(rowU + (j << 3), a / load<f64>(rowJ + (j << 3)));
        else if (a + ridge > 0) store<f64>(rowU + (u << 3), sqrt(a + ridge));
        else return 0;
      }
    }
  }
  return 1;
}

/** x ← H⁻¹ x; the entries of x before `from` are zero on entry. Four rows of L at a time. */
export function smoSolve(factor: usize, size: u32, x: usize, from: u32): void {
  const n = <usize>size;
  const whole = n & ~3;
  const begin = <usize>from & ~3;
  for (let i = begin; i < n; i += 4) {
    const end = min(i + 4, n);
    if (i < whole) {
      const row0 = rowStart(factor, i), row1 = rowStart(factor, i + 1);
      const row2 = rowStart(factor, i + 2), row3 = rowStart(factor, i + 3);
      let a0 = f64x2.splat(0), a1 = f64x2.splat(0), a2 = f64x2.splat(0), a3 = f64x2.splat(0);
      for (let k = begin << 3; k < i << 3; k += 16) {
        const value = v128.load(x + k);
        a0 = f64x2.add(a0, f64x2.mul(v128.load(row0 + k), value));
        a1 = f64x2.add(a1, f64x2.mul(v128.load(row1 + k), value));
        a2 = f64x2.add(a2, f64x2.mul(v128.load(row2 + k), value));
        a3 = f64x2.add(a3, f64x2.mul(v128.load(row3 + k), value));
      }
      const at = x + (i << 3);
      store<f64>(at, load<f64>(at) - both(a0));
      store<f64>(at, load<f64>(at, 8) - both(a1), 8);
      store<f64>(at, load<f64>(at, 16) - both(a2), 16);
      store<f64>(at, load<f64>(at, 24) - both(a3), 24);
    }
    const start = i < whole ? i : begin;
    for (let u = i; u < end; u++) {
      const row = rowStart(factor, u);
      let a = load<f64>(x + (u << 3));
      for (let k = start << 3; k < u << 3; k += 8) a -= load<f64>(row + k) * load<f64>(x + k);
      store<f64>(x + (u << 3), a / load<f64>(row + (u << 3)));
    }
  }
  for (let i = <isize>((n - 1) & ~3); i >= 0; i -= 4) {
    const end = min(i + 4, <isize>n);
    const start = i < <isize>whole ? i << 3 : 0;
    for (let u = end - 1; u >= i; u--) {
      const row = rowStart(factor, u);
      const value = load<f64>(x + (u << 3)) / load<f64>(row + (u << 3));
      store<f64>(x + (u << 3), value);
      for (let k: usize = start; k < <usize>u << 3; k += 8)
        store<f64>(x + k, load<f64>(x + k) - load<f64>(row + k) * value);
    }
    if (i >= <isize>whole) continue;
    const row0 = rowStart(factor, i), row1 = rowStart(factor, i + 1);
    const row2 = rowStart(factor, i + 2), row3 = rowStart(factor, i + 3);
    const at = x + (i << 3);
    const x0 = v128.load64_splat(at), x1 = v128.load64_splat(at, 8);
    const x2 = v128.load64_splat(at, 16), x3 = v128.load64_splat(at, 24);
    for (let k: usize = 0; k < <usize>i << 3; k += 16) {
      let sum = f64x2.add(f64x2.mul(v128.load(row0 + k), x0), f64x2.mul(v128.load(row1 + k), x1));
      sum = f64x2.add(sum, f64x2.mul(v128.load(row2 + k), x2));
      sum = f64x2.add(sum, f64x2.mul(v128.load(row3 + k), x3));
      v128.store(x + k, f64x2.sub(v128.load(x + k), sum));
    }
  }
}
