/**
 * Householder reduction of a dense symmetric matrix to tridiagonal form: A = Wᵀ·T·W with W orthogonal.
 *
 * A is n rows of `stride` numbers (a multiple of 4, at least n + 1); only the lower triangle is read. Rows are reduced from the
 * last to the first (as in EISPACK's tred2): step l maps row l to a multiple of its last entry by I − τ v vᵀ, v on 0..l-1, and
 * leaves v in row l with zeros behind it, and τ in tau[l]. Then diagonal[i] = T_ii and side[i] = T_i,i−1.
 *
 * A is of norm about 1. A row whose entries are all below 2^-450 counts as reduced: that changes A by less than the rounding of
 * its other entries does, and the squares of such numbers have lost their bits (or τ overflows), so that no reflection comes of them.
 *
 * The update A ← A − v wᵀ − w vᵀ of one step and the product A·v of the next are one pass over the triangle, two rows at
 * a time: 4/3·n³ operations at two loads and one store for every eight.
 */

/** Squares below this come of numbers below 2^-450. */
const TINY: f64 = 2 ** -900;

/** `work`: 4·stride numbers. */
export function tridiagonalise(
  n: u32, stride: u32, a: usize, diagonal: usize, side: usize, tau: usize, work: usize,
): void {
  const pitch = <usize>stride << 3;
  let v = work, x = work + pitch;
  const w = work + 2 * pitch, y = work + 3 * pitch;
  memory.fill(work, 0, 4 * pitch);
  store<f64>(side, 0);
  store<f64>(tau, 0);
  for (let l = n; l-- > 0; ) {
    // bring row l up to date and take its reflection as x
    const row = a + <usize>l * pitch;
    updateRow(row, v, w, l);
    store<f64>(diagonal + (<usize>l << 3), load<f64>(row + (<usize>l << 3)));
    if (l == 0) break;
    const t = reflect(row, l, side + (<usize>l << 3));
    store<f64>(tau + (<usize>l << 3), t);
    memory.fill(row + (<usize>l << 3), 0, pitch - (<usize>l << 3));
    if (t == 0) memory.fill(x, 0, pitch);
    else memory.copy(x, row, pitch);

    // one pass: A ← A − v wᵀ − w vᵀ on the rows below l, y = A·x
    sweep(l, a, pitch, v, w, x, y);

    // w = τ(y − (τ/2)⟨y, x⟩x)
    const shift = 0.5 * t * dot(x, y, l);
    for (let i: usize = 0; i < <usize>l << 3; i += 8)
      store<f64>(w + i, t * (load<f64>(y + i) - shift * load<f64>(x + i)));
    for (let i: usize = <usize>l << 3; i < pitch; i += 8) store<f64>(w + i, 0);
    const swap = v;
    v = x;
    x = swap;
  }
}

/** row l: A_lj −= v_l w_j + w_l v_j for j = 0..l. */
function updateRow(row: usize, v: usize, w: usize, l: u32): void {
  const vl = load<f64>(v + (<usize>l << 3)), wl = load<f64>(w + (<usize>l << 3));
  for (let j: usize = 0; j <= <usize>l << 3; j += 8)
    store<f64>(row + j, load<f64>(row + j) - vl * load<f64>(w + j) - wl * load<f64>(v + j));
}

/** Turns row[0..l) into v of the reflection that maps it to (0, .., 0, α); stores α, returns τ (0: nothing to do). */
function reflect(row: usize, l: u32, alphaAt: usize): f64 {
  const last = load<f64>(row + (<usize>l << 3) - 8);
  const rest = dot(row, row, l - 1);
  const square = rest + last * last;
  if (rest == 0 || square < TINY) {
    store<f64>(alphaAt, last);
    return 0;
  }
  const norm = Math.sqrt(square);
  const alpha = last >= 0 ? -norm : norm;
  store<f64>(alphaAt, alpha);
  store<f64>(row + (<usize>l << 3) - 8, last - alpha);
  return 1 / (norm * (norm + Math.abs(last)));
}

/** A ← A − v wᵀ − w vᵀ on the triangle of order l, y = A·x. */
export function sweep(l: u32, a: usize, pitch: usize, v: usize, w: usize, x: usize, y: usize): void {
  let i: u32 = 0;
  for (; i + 1 < l; i += 2) {
    const at = <usize>i << 3;
    const row0 = a + <usize>i * pitch, row1 = row0 + pitch;
    const v0 = v128.load64_splat(v + at), v1 = v128.load64_splat(v + at, 8);
    const w0 = v128.load64_splat(w + at), w1 = v128.load64_splat(w + at, 8);
    const x0 = v128.load64_splat(x + at), x1 = v128.load64_splat(x + at, 8);
    let s0 = f64x2.splat(0), s1 = f64x2.splat(0);
    for (let j: usize = 0; j < at; j += 16) {
      const vj = v128.load(v + j), wj = v128.load(w + j), xj = v128.load(x + j);
      const a0 = f64x2.sub(f64x2.sub(v128.load(row0 + j), f64x2.mul(v0, wj)), f64x2.mul(w0, vj));
      const a1 = f64x2.sub(f64x2.sub(v128.load(row1 + j), f64x2.mul(v1, wj)), f64x2.mul(w1, vj));
      v128.store(row0 + j, a0);
      v128.store(row1 + j, a1);
      s0 = f64x2.add(s0, f64x2.mul(a0, xj));
      s1 = f64x2.add(s1, f64x2.mul(a1, xj));
      v128.store(y + j, f64x2.add(f64x2.add(v128.load(y + j), f64x2.mul(x0, a0)), f64x2.mul(x1, a1)));
    }
    const a00 = corner(row0 + at, v, w, at, at);
    const a10 = corner(row1 + at, v, w, at + 8, at);
    const a11 = corner(row1 + at + 8, v, w, at + 8, at + 8);
    const p = load<f64>(x + at), q = load<f64>(x + at, 8);
    store<f64>(y + at, sumLanes(s0) + a00 * p + a10 * q);
    store<f64>(y + at, sumLanes(s1) + a10 * p + a11 * q, 8);
  }
  if (i < l) {
    const at = <usize>i << 3;
    const row = a + <usize>i * pitch;
    const v0 = v128.load64_splat(v + at), w0 = v128.load64_splat(w + at), x0 = v128.load64_splat(x + at);
    let s0 = f64x2.splat(0);
    for (let j: usize = 0; j < at; j += 16) {
      const a0 = f64x2.sub(
        f64x2.sub(v128.load(row + j), f64x2.mul(v0, v128.load(w + j))), f64x2.mul(w0, v128.load(v + j)),
      );
      v128.store(row + j, a0);
      s0 = f64x2.add(s0, f64x2.mul(a0, v128.load(x + j)));
      v128.store(y + j, f64x2.add(v128.load(y + j), f64x2.mul(x0, a0)));
    }
    store<f64>(y + at, sumLanes(s0) + corner(row + at, v, w, at, at) * load<f64>(x + at));
  }
}

/** A_ij −= v_i w_j + w_i v_j at one place; returns the new value. */
function corner(address: usize, v: usize, w: usize, i: usize, j: usize): f64 {
  const value = load<f64>(address) - load<f64>(v + i) * load<f64>(w + j) - load<f64>(w + i) * load<f64>(v + j);
  store<f64>(address, value);
  return value;
}

function sumLanes(s: v128): f64 {
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}

/** ⟨x, y⟩ over `length` numbers: even and odd places apart, then together, then a last odd one. */
function dot(x: usize, y: usize, length: u32): f64 {
  let s = f64x2.splat(0);
  const pairs = x + ((<usize>length >> 1) << 4);
  for (; x < pairs; x += 16, y += 16) s = f64x2.add(s, f64x2.mul(v128.load(x), v128.load(y)));
  return length & 1 ? sumLanes(s) + load<f64>(x) * load<f64>(y) : sumLanes(s);
}

/**
 * W from the reflections that tridiagonalise left in A: n rows of `stride` numbers. Row r is the r-th basis vector of the
 * tridiagonal form, so that both a Chebyshev step and a plane rotation mix whole contiguous rows.
 *
 * W ← W·(I − τ v vᵀ), two reflections (l, l + 1) in one pass over each row; they touch only rows and columns 0..l. 4/3·n³ operations.
 */
export function accumulateBasis(n: u32, stride: u32, a: usize, tau: usize, basis: usize): void {
  const pitch = <usize>stride << 3;
  memory.fill(basis, 0, <usize>n * pitch);
  for (let i: u32 = 0; i < n; i++) store<f64>(basis + <usize>i * (pitch + 8), 1);
  for (let l: u32 = 2; l < n; l += 2) {
    const first = a + <usize>l * pitch, t1 = load<f64>(tau + (<usize>l << 3));
    const second = l + 1 < n ? first + pitch : first;
    const t2 = l + 1 < n ? load<f64>(tau + (<usize>l << 3), 8) : 0;
    if (t1 == 0 && t2 == 0) continue;
    const overlap = dot(first, second, l);
    const last = l + 1 < n ? l : l - 1;
    const end = <usize>(last + 2) >> 1 << 4;
    reflectRows(last + 1, basis, pitch, end, first, second, t1, t2, overlap);
  }
}

/** Two reflections, one after the other, on the first `end` bytes of some rows of the basis. */
export function reflectRows(
  rows: u32, row: usize, pitch: usize, end: usize, first: usize, second: usize, t1: f64, t2: f64, overlap: f64,
): void {
  for (let r: u32 = 0; r < rows; r++, row += pitch) {
    let s1 = f64x2.splat(0), s2 = f64x2.splat(0);
    for (let j: usize = 0; j < end; j += 16) {
      const x = v128.load(row + j);
      s1 = f64x2.add(s1, f64x2.mul(x, v128.load(first + j)));
      s2 = f64x2.add(s2, f64x2.mul(x, v128.load(second + j)));
    }
    const c1 = t1 * sumLanes(s1);
    const c2 = t2 * (sumLanes(s2) - c1 * overlap);
    const p1 = f64x2.splat(c1), p2 = f64x2.splat(c2);
    for (let j: usize = 0; j < end; j += 16)
      v128.store(row + j, f64x2.sub(
        f64x2.sub(v128.load(row + j), f64x2.mul(p1, v128.load(first + j))), f64x2.mul(p2, v128.load(second + j)),
      ));
  }
}
