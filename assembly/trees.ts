/**
 * Moments in the trees that hang on a graph, without probes: O(moments²) a tree node, O(moments) a leaf.
 *
 * Chebyshev polynomials of a matrix Q have the generating function H(t) = (1 − t²)(1 + t² − 2tQ)^(-1) = 1 + 2 Σ T_m(Q) t^m.
 * For a node c whose subtree hangs on the rest only by its parent p (weight q), let g_c be the diagonal entry at c of
 * (1 + t² − 2tQ)^(-1) taken for the subtree alone. Gaussian elimination with power series in t for numbers gives
 *
 *   fold, children first:    g_c = 1 / s_c,   s_c = 1 − 2t q_cc + t² − 4t² Σ_children q² g_child
 *   unfold, parents first:   H_cc = g_c · (1 − t² + 4t² q² · g_c · H_pp),   and H_cc = (1 − t²)·g_c where c is a root.
 *
 * For a leaf, g is one over a quadratic and each product is a three-term recurrence. Coefficients stay small (|g_m| <= m + 1,
 * as those of U_m); a perturbation δ of s_c changes g at the root r by (R_rc)² δ, and Σ_c (R_rc)² = (R²)_rr, so errors grow
 * like moments³ at worst and not with the depth or size of the tree.
 *
 * A tree node is a record of 32 bytes: u32 row, u32 row of the parent, u32 kind, u32 unused, f64 q, f64 q_cc. Children come
 * before parents. Rows are moments + 1 wide; the row of a tree node holds s, then g, in the end T_0..T_moments.
 */
const LEAF: u32 = 1; // no children
const INNER: u32 = 2; // its parent is a tree node too
const ROOT: u32 = 4; // no parent: the whole component is a tree

const RECORD: usize = 32;

/** s → g for every tree node. `work`: moments + 1 numbers. */
export function foldTrees(count: u32, records: usize, moments: u32, rows: usize, work: usize): void {
  const width = <usize>(moments + 1) << 3;
  const end = records + <usize>count * RECORD;
  for (let c = records; c < end; c += RECORD) {
    const s = rows + <usize>load<u32>(c) * width;
    memory.fill(s, 0, width);
    store<f64>(s, 1);
    if (load<u32>(c, 8) & LEAF) continue;
    if (moments >= 1) store<f64>(s, -2 * load<f64>(c, 24), 8);
    if (moments >= 2) store<f64>(s, 1, 16);
  }
  for (let c = records; c < end; c += RECORD) {
    const g = rows + <usize>load<u32>(c) * width;
    const kind = load<u32>(c, 8);
    if (kind & LEAF) divideQuadratic(g, 2 * load<f64>(c, 24), moments);
    else invert(g, moments, work);
    if ((kind & INNER) == 0 || moments < 2) continue;
    const q = 2 * load<f64>(c, 16);
    addScaled(rows + <usize>load<u32>(c, 4) * width + 16, g, -q * q, moments - 1);
  }
}

/** g → T_0..T_moments for every tree node, from the finished rows of the nodes they hang on. `work`: 2·(moments + 1) numbers. */
export function unfoldTrees(count: u32, records: usize, moments: u32, rows: usize, work: usize): void {
  const width = <usize>(moments + 1) << 3;
  const above = work;
  const inner = work + width;
  for (let c = records + <usize>count * RECORD; c > records; ) {
    c -= RECORD;
    const row = rows + <usize>load<u32>(c) * width;
    const kind = load<u32>(c, 8);
    if (kind & ROOT) {
      // (1 − t²)·g, from the far end so that g_m−2 is still there
      for (let at = row + width - 8; at >= row + 16; at -= 8) store<f64>(at, load<f64>(at) - load<f64>(at - 16));
    } else {
      const q = 2 * load<f64>(c, 16);
      const loop = 2 * load<f64>(c, 24);
      doubleTail(above, rows + <usize>load<u32>(c, 4) * width, moments);
      if (kind & LEAF) {
        divideQuadratic(above, loop, moments);
        lift(row, above, q * q, moments);
        divideQuadratic(row, loop, moments);
      } else {
        multiply(inner, row, above, moments);
        lift(above, inner, q * q, moments);
        multiply(inner, row, above, moments);
        memory.copy(row, inner, width);
      }
    }
    for (let at = row + 8; at < row + width; at += 8) store<f64>(at, 0.5 * load<f64>(at));
  }
}

/** H from T: out = 1 + 2 Σ T_m t^m. */
function doubleTail(out: usize, from: usize, degree: u32): void {
  store<f64>(out, 1);
  const end = out + (<usize>(degree + 1) << 3);
  for (out += 8, from += 8; out < end; out += 8, from += 8) store<f64>(out, 2 * load<f64>(from));
}

/** out = 1 − t² + a t²·x. */
function lift(out: usize, x: usize, a: f64, degree: u32): void {
  memory.fill(out, 0, <usize>(degree + 1) << 3);
  store<f64>(out, 1);
  if (degree < 2) return;
  store<f64>(out, -1, 16);
  addScaled(out + 16, x, a, degree - 1);
}

/** y[0..length) += a·x[0..length). */
function addScaled(y: usize, x: usize, a: f64, length: u32): void {
  const scale = f64x2.splat(a);
  const pairs = y + ((<usize>length >> 1) << 4);
  for (; y < pairs; y += 16, x += 16) v128.store(y, f64x2.add(v128.load(y), f64x2.mul(scale, v128.load(x))));
  if (length & 1) store<f64>(y, load<f64>(y) + a * load<f64>(x));
}

/** x ← x / (1 − l·t + t²). */
function divideQuadratic(x: usize, l: f64, degree: u32): void {
  let before: f64 = 0, last = load<f64>(x);
  const end = x + (<usize>(degree + 1) << 3);
  for (x += 8; x < end; x += 8) {
    const now = load<f64>(x) + (l * last - before);
    store<f64>(x, now);
    before = last;
    last = now;
  }
}

/** out = a·b up to t^degree. Zero coefficients of a, every second one in a tree without loops, cost nothing. */
function multiply(out: usize, a: usize, b: usize, degree: u32): void {
  memory.fill(out, 0, <usize>(degree + 1) << 3);
  for (let m: u32 = 0; m <= degree; m++) {
    const x = load<f64>(a + (<usize>m << 3));
    if (x != 0) addScaled(out + (<usize>m << 3), b, x, degree + 1 - m);
  }
}

/** s ← 1/s where s_0 = 1: long division, in which the remainder of step m has become g_m. */
function invert(s: usize, degree: u32, work: usize): void {
  const width = <usize>(degree + 1) << 3;
  memory.copy(work, s, width);
  memory.fill(s, 0, width);
  store<f64>(s, 1);
  for (let m: u32 = 0; m < degree; m++) {
    const g = load<f64>(s + (<usize>m << 3));
    if (g != 0) addScaled(s + (<usize>m << 3) + 8, work + 8, -g, degree - m);
  }
}
