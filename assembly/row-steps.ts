/**
 * Chebyshev steps of one large graph, for a range of rows: several threads over one memory each take ranges of their own.
 *
 * Vectors are kept scaled, s = r∘v with r = √(c/d), so that an unweighted matrix Q_pq = r_p·A_pq·r_q (+ loops on the diagonal)
 * needs no value for an entry: 4 bytes of memory traffic each instead of 12.
 *
 *   previous_i ← factor·(scale_i·Σ_j current_j + loop_i·current_i − previous_i),   scale = 2r², loop = 2·Q_ii
 *
 * With `values` (2·Q_ij, diagonal included) the sum is Σ_j values_ij·current_j, scale and loop are not read and r = 1. factor is 1,
 * but 1/2 in the first step, where T_1 = Q is wanted from previous = 0. In the same pass over memory, for columns c:
 *
 *   dots[c] = Σ_i mass_i·new²,   dots[k + c] = Σ_i mass_i·new·current,   mass = 1/r² (1 with values).
 *
 * A block of k = 2, 4 or 8 vectors is stored row by row: at k = 8 a gathered row is one cache line. Cost: k·entries additions.
 */
export function rowsStep(
  k: u32, begin: u32, end: u32, offsets: usize, targets: usize, values: usize, scale: usize, loop: usize, mass: usize,
  factor: f64, current: usize, previous: usize, dots: usize,
): void {
  if (k == 8) step8(begin, end, offsets, targets, values, scale, loop, mass, factor, current, previous, dots);
  else if (k == 4) step4(begin, end, offsets, targets, values, scale, loop, mass, factor, current, previous, dots);
  else step2(begin, end, offsets, targets, values, scale, loop, mass, factor, current, previous, dots);
}

function step8(
  begin: u32, end: u32, offsets: usize, targets: usize, values: usize, scale: usize, loop: usize, mass: usize,
  factor: f64, current: usize, previous: usize, dots: usize,
): void {
  const f = f64x2.splat(factor);
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), a2 = f64x2.splat(0), a3 = f64x2.splat(0);
  let b0 = f64x2.splat(0), b1 = f64x2.splat(0), b2 = f64x2.splat(0), b3 = f64x2.splat(0);
  for (let i: u32 = begin; i < end; i++) {
    const first = <usize>load<u32>(offsets + (<usize>i << 2));
    const last = <usize>load<u32>(offsets + (<usize>i << 2), 4);
    const own = current + (<usize>i << 6);
    const row = previous + (<usize>i << 6);
    let entry = targets + (first << 2);
    const stop = targets + (last << 2);
    let y0 = f64x2.splat(0), y1 = f64x2.splat(0), y2 = f64x2.splat(0), y3 = f64x2.splat(0);
    let m = f64x2.splat(1);
    if (values == 0) {
      while (entry < stop) {
        const x = current + (<usize>load<u32>(entry) << 6);
        y0 = f64x2.add(y0, v128.load(x));
        y1 = f64x2.add(y1, v128.load(x, 16));
        y2 = f64x2.add(y2, v128.load(x, 32));
        y3 = f64x2.add(y3, v128.load(x, 48));
        entry += 4;
      }
      const s = v128.load64_splat(scale + (<usize>i << 3));
      const l = v128.load64_splat(loop + (<usize>i << 3));
      m = v128.load64_splat(mass + (<usize>i << 3));
      y0 = f64x2.add(f64x2.mul(s, y0), f64x2.mul(l, v128.load(own)));
      y1 = f64x2.add(f64x2.mul(s, y1), f64x2.mul(l, v128.load(own, 16)));
      y2 = f64x2.add(f64x2.mul(s, y2), f64x2.mul(l, v128.load(own, 32)));
      y3 = f64x2.add(f64x2.mul(s, y3), f64x2.mul(l, v128.load(own, 48)));
    } else {
      let value = values + (first << 3);
      while (entry < stop) {
        const x = current + (<usize>load<u32>(entry) << 6);
        const q = v128.load64_splat(value);
        y0 = f64x2.add(y0, f64x2.mul(q, v128.load(x)));
        y1 = f64x2.add(y1, f64x2.mul(q, v128.load(x, 16)));
        y2 = f64x2.add(y2, f64x2.mul(q, v128.load(x, 32)));
        y3 = f64x2.add(y3, f64x2.mul(q, v128.load(x, 48)));
        entry += 4;
        value += 8;
      }
    }
    y0 = f64x2.mul(f, f64x2.sub(y0, v128.load(row)));
    y1 = f64x2.mul(f, f64x2.sub(y1, v128.load(row, 16)));
    y2 = f64x2.mul(f, f64x2.sub(y2, v128.load(row, 32)));
    y3 = f64x2.mul(f, f64x2.sub(y3, v128.load(row, 48)));
    v128.store(row, y0);
    v128.store(row, y1, 16);
    v128.store(row, y2, 32);
    v128.store(row, y3, 48);
    const z0 = f64x2.mul(m, y0), z1 = f64x2.mul(m, y1), z2 = f64x2.mul(m, y2), z3 = f64x2.mul(m, y3);
    a0 = f64x2.add(a0, f64x2.mul(z0, y0));
    a1 = f64x2.add(a1, f64x2.mul(z1, y1));
    a2 = f64x2.add(a2, f64x2.mul(z2, y2));
    a3 = f64x2.add(a3, f64x2.mul(z3, y3));
    b0 = f64x2.add(b0, f64x2.mul(z0, v128.load(own)));
    b1 = f64x2.add(b1, f64x2.mul(z1, v128.load(own, 16)));
    b2 = f64x2.add(b2, f64x2.mul(z2, v128.load(own, 32)));
    b3 = f64x2.add(b3, f64x2.mul(z3, v128.load(own, 48)));
  }
  v128.store(dots, a0);
  v128.store(dots, a1, 16);
  v128.store(dots, a2, 32);
  v128.store(dots, a3, 48);
  v128.store(dots, b0, 64);
  v128.store(dots, b1, 80);
  v128.store(dots, b2, 96);
  v128.store(dots, b3, 112);
}

function step4(
  begin: u32, end: u32, offsets: usize, targets: usize, values: usize, scale: usize, loop: usize, mass: usize,
  factor: f64, current: usize, previous: usize, dots: usize,
): void {
  const f = f64x2.splat(factor);
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0);
  for (let i: u32 = begin; i < end; i++) {
    const first = <usize>load<u32>(offsets + (<usize>i << 2));
    const last = <usize>load<u32>(offsets + (<usize>i << 2), 4);
    const own = current + (<usize>i << 5);
    const row = previous + (<usize>i << 5);
    let entry = targets + (first << 2);
    const stop = targets + (last << 2);
    let y0 = f64x2.splat(0), y1 = f64x2.splat(0);
    let m = f64x2.splat(1);
    if (values == 0) {
      while (entry < stop) {
        const x = current + (<usize>load<u32>(entry) << 5);
        y0 = f64x2.add(y0, v128.load(x));
        y1 = f64x2.add(y1, v128.load(x, 16));
        entry += 4;
      }
      const s = v128.load64_splat(scale + (<usize>i << 3));
      const l = v128.load64_splat(loop + (<usize>i << 3));
      m = v128.load64_splat(mass + (<usize>i << 3));
      y0 = f64x2.add(f64x2.mul(s, y0), f64x2.mul(l, v128.load(own)));
      y1 = f64x2.add(f64x2.mul(s, y1), f64x2.mul(l, v128.load(own, 16)));
    } else {
      let value = values + (first << 3);
      while (entry < stop) {
        const x = current + (<usize>load<u32>(entry) << 5);
        const q = v128.load64_splat(value);
        y0 = f64x2.add(y0, f64x2.mul(q, v128.load(x)));
        y1 = f64x2.add(y1, f64x2.mul(q, v128.load(x, 16)));
        entry += 4;
        value += 8;
      }
    }
    y0 = f64x2.mul(f, f64x2.sub(y0, v128.load(row)));
    y1 = f64x2.mul(f, f64x2.sub(y1, v128.load(row, 16)));
    v128.store(row, y0);
    v128.store(row, y1, 16);
    const z0 = f64x2.mul(m, y0), z1 = f64x2.mul(m, y1);
    a0 = f64x2.add(a0, f64x2.mul(z0, y0));
    a1 = f64x2.add(a1, f64x2.mul(z1, y1));
    b0 = f64x2.add(b0, f64x2.mul(z0, v128.load(own)));
    b1 = f64x2.add(b1, f64x2.mul(z1, v128.load(own, 16)));
  }
  v128.store(dots, a0);
  v128.store(dots, a1, 16);
  v128.store(dots, b0, 32);
  v128.store(dots, b1, 48);
}

function step2(
  begin: u32, end: u32, offsets: usize, targets: usize, values: usize, scale: usize, loop: usize, mass: usize,
  factor: f64, current: usize, previous: usize, dots: usize,
): void {
  const f = f64x2.splat(factor);
  let a0 = f64x2.splat(0), b0 = f64x2.splat(0);
  for (let i: u32 = begin; i < end; i++) {
    const first = <usize>load<u32>(offsets + (<usize>i << 2));
    const last = <usize>load<u32>(offsets + (<usize>i << 2), 4);
    const own = current + (<usize>i << 4);
    const row = previous + (<usize>i << 4);
    let entry = targets + (first << 2);
    const stop = targets + (last << 2);
    let y0 = f64x2.splat(0);
    let m = f64x2.splat(1);
    if (values == 0) {
      while (entry < stop) {
        y0 = f64x2.add(y0, v128.load(current + (<usize>load<u32>(entry) << 4)));
        entry += 4;
      }
      m = v128.load64_splat(mass + (<usize>i << 3));
      y0 = f64x2.add(
        f64x2.mul(v128.load64_splat(scale + (<usize>i << 3)), y0),
        f64x2.mul(v128.load64_splat(loop + (<usize>i << 3)), v128.load(own)),
      );
    } else {
      let value = values + (first << 3);
      while (entry < stop) {
        y0 = f64x2.add(y0, f64x2.mul(v128.load64_splat(value), v128.load(current + (<usize>load<u32>(entry) << 4))));
        entry += 4;
        value += 8;
      }
    }
    y0 = f64x2.mul(f, f64x2.sub(y0, v128.load(row)));
    v128.store(row, y0);
    const z0 = f64x2.mul(m, y0);
    a0 = f64x2.add(a0, f64x2.mul(z0, y0));
    b0 = f64x2.add(b0, f64x2.mul(z0, v128.load(own)));
  }
  v128.store(dots, a0);
  v128.store(dots, b0, 16);
}

/**
 * The diagonal estimate of Bekas, Kokiopoulou and Saad for the rows begin to end: x_ic = mass_i·start_ic·vector_ic is an unbiased
 * estimate of T_m(Q)_ii for each of the k columns. sums_i += Σ_c x_ic, squares_i += Σ_c x_ic², columns_c = Σ_i x_ic.
 */
export function addProducts(
  k: u32, begin: u32, end: u32, mass: usize, start: usize, vector: usize, sums: usize, squares: usize, columns: usize,
): void {
  for (let c: u32 = 0; c < k; c++) store<f64>(columns + (<usize>c << 3), 0);
  for (let i: u32 = begin; i < end; i++) {
    const m = mass == 0 ? 1.0 : load<f64>(mass + (<usize>i << 3));
    let sum = 0.0, square = 0.0;
    const row = <usize>i * <usize>k << 3;
    for (let c: u32 = 0; c < k; c++) {
      const at = row + (<usize>c << 3);
      const x = m * load<f64>(start + at) * load<f64>(vector + at);
      const column = columns + (<usize>c << 3);
      sum += x;
      square += x * x;
      store<f64>(column, load<f64>(column) + x);
    }
    const place = <usize>i << 3;
    store<f64>(sums + place, load<f64>(sums + place) + sum);
    store<f64>(squares + place, load<f64>(squares + place) + square);
  }
}

/**
 * rowsStep on 16 columns in single precision: a gathered row is still one cache line, so that twice as many probes pass for the same
 * memory traffic. Vectors, scale, loop and values are f32; products and sums of a row are single, the dot products double.
 * dots: 16 times ⟨new, new⟩, then 16 times ⟨new, current⟩ (f64), weighted by mass (f64).
 */
export function rowsStep32(
  begin: u32, end: u32, offsets: usize, targets: usize, values: usize, scale: usize, loop: usize, mass: usize,
  factor: f32, current: usize, previous: usize, dots: usize,
): void {
  const f = f32x4.splat(factor);
  for (let c: usize = 0; c < 256; c += 16) v128.store(dots + c, f64x2.splat(0));
  for (let i: u32 = begin; i < end; i++) {
    const first = <usize>load<u32>(offsets + (<usize>i << 2));
    const last = <usize>load<u32>(offsets + (<usize>i << 2), 4);
    const own = current + (<usize>i << 6);
    const row = previous + (<usize>i << 6);
    let entry = targets + (first << 2);
    const stop = targets + (last << 2);
    let y0 = f32x4.splat(0), y1 = f32x4.splat(0), y2 = f32x4.splat(0), y3 = f32x4.splat(0);
    let m = f64x2.splat(1);
    if (values == 0) {
      while (entry < stop) {
        const x = current + (<usize>load<u32>(entry) << 6);
        y0 = f32x4.add(y0, v128.load(x));
        y1 = f32x4.add(y1, v128.load(x, 16));
        y2 = f32x4.add(y2, v128.load(x, 32));
        y3 = f32x4.add(y3, v128.load(x, 48));
        entry += 4;
      }
      const s = v128.load32_splat(scale + (<usize>i << 2));
      const l = v128.load32_splat(loop + (<usize>i << 2));
      m = v128.load64_splat(mass + (<usize>i << 3));
      y0 = f32x4.add(f32x4.mul(s, y0), f32x4.mul(l, v128.load(own)));
      y1 = f32x4.add(f32x4.mul(s, y1), f32x4.mul(l, v128.load(own, 16)));
      y2 = f32x4.add(f32x4.mul(s, y2), f32x4.mul(l, v128.load(own, 32)));
      y3 = f32x4.add(f32x4.mul(s, y3), f32x4.mul(l, v128.load(own, 48)));
    } else {
      let value = values + (first << 2);
      while (entry < stop) {
        const x = current + (<usize>load<u32>(entry) << 6);
        const q = v128.load32_splat(value);
        y0 = f32x4.add(y0, f32x4.mul(q, v128.load(x)));
        y1 = f32x4.add(y1, f32x4.mul(q, v128.load(x, 16)));
        y2 = f32x4.add(y2, f32x4.mul(q, v128.load(x, 32)));
        y3 = f32x4.add(y3, f32x4.mul(q, v128.load(x, 48)));
        entry += 4;
        value += 4;
      }
    }
    y0 = f32x4.mul(f, f32x4.sub(y0, v128.load(row)));
    y1 = f32x4.mul(f, f32x4.sub(y1, v128.load(row, 16)));
    y2 = f32x4.mul(f, f32x4.sub(y2, v128.load(row, 32)));
    y3 = f32x4.mul(f, f32x4.sub(y3, v128.load(row, 48)));
    v128.store(row, y0);
    v128.store(row, y1, 16);
    v128.store(row, y2, 32);
    v128.store(row, y3, 48);
    addDots(dots, m, y0, v128.load(own));
    addDots(dots + 32, m, y1, v128.load(own, 16));
    addDots(dots + 64, m, y2, v128.load(own, 32));
    addDots(dots + 96, m, y3, v128.load(own, 48));
  }
}

/** Four columns: dots += m·y·y, and 128 bytes on dots += m·y·x, in double precision. */
@inline
function addDots(dots: usize, m: v128, y: v128, x: v128): void {
  const low = f64x2.promote_low_f32x4(y);
  const high = f64x2.promote_low_f32x4(v128.shuffle<f32>(y, y, 2, 3, 2, 3));
  const xLow = f64x2.promote_low_f32x4(x);
  const xHigh = f64x2.promote_low_f32x4(v128.shuffle<f32>(x, x, 2, 3, 2, 3));
  const mLow = f64x2.mul(m, low);
  const mHigh = f64x2.mul(m, high);
  v128.store(dots, f64x2.add(v128.load(dots), f64x2.mul(mLow, low)));
  v128.store(dots, f64x2.add(v128.load(dots, 16), f64x2.mul(mHigh, high)), 16);
  v128.store(dots, f64x2.add(v128.load(dots, 128), f64x2.mul(mLow, xLow)), 128);
  v128.store(dots, f64x2.add(v128.load(dots, 144), f64x2.mul(mHigh, xHigh)), 144);
}
