/**
 * Eigenvalues of a symmetric tridiagonal matrix by the implicit QL algorithm (EISPACK's tql1/tql2; Bowdler, Martin, Reinsch, Wilkinson:
 * Numerische Mathematik 11, 1968), and its plane rotations applied to the basis, whose rows become the eigenvectors.
 *
 * The iteration itself never looks at the basis, so the rotations of many sweeps are written to a log and then applied together to
 * eight columns at a time, which stay in the first-level cache: about 3·n² rotations' worth of n columns, 6 operations each.
 *
 * State between calls: diagonal, side (side[i] couples i and i + 1 here; side[n−1] = 0) and `state`: u32 first unfinished index, u32 tries.
 * A sweep in the log: f64 high, f64 low, then for i = high−1 down to low a pair (c, s).
 */
const MAX_TRIES: u32 = 60;
/** Squares below this have lost bits; their roots, below 2^-450 in a matrix of norm about 1, count as zero. */
const TINY: f64 = 2 ** -900;

/**
 * Runs sweeps until all eigenvalues are found or the log is full. Returns the bytes of the log that were used; `state` tells the rest: its
 * first number is n when all is done, and 0xffffffff when an eigenvalue was not found in 60 sweeps (the input was not finite).
 * `tolerance`: off-diagonal entries up to it count as zero. `capacity`: bytes of the log, at least 16·(n + 1); 0 keeps no log.
 */
export function implicitQl(
  n: u32, diagonal: usize, side: usize, tolerance: f64, state: usize, log: usize, capacity: usize,
): usize {
  let at = log;
  let l = load<u32>(state), tries = load<u32>(state, 4);
  while (l < n) {
    let m = l;
    while (m + 1 < n && !(Math.abs(load<f64>(side + (<usize>m << 3))) <= tolerance)) m++;
    if (m == l) {
      l++;
      tries = 0;
      continue;
    }
    if (tries++ == MAX_TRIES) {
      store<u32>(state, 0xffffffff);
      return at - log;
    }
    if (capacity != 0 && at + (<usize>(m - l + 1) << 4) > log + capacity) {
      store<u32>(state, l);
      store<u32>(state, tries - 1, 4);
      return at - log;
    }
    if (capacity != 0) {
      store<f64>(at, <f64>m);
      store<f64>(at, <f64>l, 8);
      at += 16;
    }
    at = sweep(l, m, diagonal, side, at, capacity != 0);
  }
  store<u32>(state, n);
  return at - log;
}

/** One implicit QL sweep on l..m. */
function sweep(l: u32, m: u32, diagonal: usize, side: usize, log: usize, keep: bool): usize {
  const first = diagonal + (<usize>l << 3), firstSide = side + (<usize>l << 3);
  const e = load<f64>(firstSide);
  // Wilkinson's shift from the leading 2 × 2 block
  let g = (load<f64>(first, 8) - load<f64>(first)) / (2 * e);
  const root = Math.sqrt(g * g + 1);
  g = load<f64>(diagonal + (<usize>m << 3)) - load<f64>(first) + e / (g >= 0 ? g + root : g - root);
  let s: f64 = 1, c: f64 = 1, p: f64 = 0;
  for (let i = m; i-- > l; ) {
    const d = diagonal + (<usize>i << 3), b0 = side + (<usize>i << 3);
    const f = s * load<f64>(b0);
    const b = c * load<f64>(b0);
    const square = f * f + g * g;
    let r = square < TINY ? 0 : Math.sqrt(square);
    store<f64>(b0, r, 8);
    if (r == 0) {
      s = 0;
      c = 1;
    } else {
      s = f / r;
      c = g / r;
    }
    g = load<f64>(d, 8) - p;
    r = (load<f64>(d) - g) * s + 2 * c * b;
    p = s * r;
    store<f64>(d, g + p, 8);
    g = c * r - b;
    if (keep) {
      store<f64>(log, c);
      store<f64>(log, s, 8);
      log += 16;
    }
  }
  store<f64>(first, load<f64>(first) - p);
  store<f64>(firstSide, g);
  store<f64>(side + (<usize>m << 3), 0);
  return log;
}

/** Applies a log of `bytes` bytes to the rows of the basis (`stride` numbers a row, a multiple of 4). */
export function applyRotations(columns: u32, stride: u32, basis: usize, log: usize, bytes: usize): void {
  const pitch = <usize>stride << 3;
  let done: u32 = 0;
  for (; done + 8 <= stride && done < columns; done += 8) rotate8(basis + (<usize>done << 3), pitch, log, log + bytes);
  if (done < columns) rotate4(basis + (<usize>done << 3), pitch, log, log + bytes);
}

function rotate8(columns: usize, pitch: usize, at: usize, end: usize): void {
  while (at < end) {
    const high = <usize>load<f64>(at), low = <usize>load<f64>(at, 8);
    at += 16;
    let row = columns + high * pitch;
    const last = columns + low * pitch;
    let x0 = v128.load(row), x1 = v128.load(row, 16), x2 = v128.load(row, 32), x3 = v128.load(row, 48);
    while (row > last) {
      const c = v128.load64_splat(at), s = v128.load64_splat(at, 8);
      const next = row - pitch;
      const y0 = v128.load(next), y1 = v128.load(next, 16), y2 = v128.load(next, 32), y3 = v128.load(next, 48);
      v128.store(row, f64x2.add(f64x2.mul(s, y0), f64x2.mul(c, x0)));
      v128.store(row, f64x2.add(f64x2.mul(s, y1), f64x2.mul(c, x1)), 16);
      v128.store(row, f64x2.add(f64x2.mul(s, y2), f64x2.mul(c, x2)), 32);
      v128.store(row, f64x2.add(f64x2.mul(s, y3), f64x2.mul(c, x3)), 48);
      x0 = f64x2.sub(f64x2.mul(c, y0), f64x2.mul(s, x0));
      x1 = f64x2.sub(f64x2.mul(c, y1), f64x2.mul(s, x1));
      x2 = f64x2.sub(f64x2.mul(c, y2), f64x2.mul(s, x2));
      x3 = f64x2.sub(f64x2.mul(c, y3), f64x2.mul(s, x3));
      row = next;
      at += 16;
    }
    v128.store(row, x0);
    v128.store(row, x1, 16);
    v128.store(row, x2, 32);
    v128.store(row, x3, 48);
  }
}

function rotate4(columns: usize, pitch: usize, at: usize, end: usize): void {
  while (at < end) {
    const high = <usize>load<f64>(at), low = <usize>load<f64>(at, 8);
    at += 16;
    let row = columns + high * pitch;
    const last = columns + low * pitch;
    let x0 = v128.load(row), x1 = v128.load(row, 16);
    while (row > last) {
      const c = v128.load64_splat(at), s = v128.load64_splat(at, 8);
      const next = row - pitch;
      const y0 = v128.load(next), y1 = v128.load(next, 16);
      v128.store(row, f64x2.add(f64x2.mul(s, y0), f64x2.mul(c, x0)));
      v128.store(row, f64x2.add(f64x2.mul(s, y1), f64x2.mul(c, x1)), 16);
      x0 = f64x2.sub(f64x2.mul(c, y0), f64x2.mul(s, x0));
      x1 = f64x2.sub(f64x2.mul(c, y1), f64x2.mul(s, x1));
      row = next;
      at += 16;
    }
    v128.store(row, x0);
    v128.store(row, x1, 16);
  }
}
