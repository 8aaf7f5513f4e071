/**
 * Squared distances between vectors, and triangular solves for many right-hand sides, on packs of quads: number k of vectors
 * 4q..4q+3 at quad q, place 4k..4k+3.
 */

/**
 * out[i·stride + c] = ‖x_i − y_c‖² for the vectors i and the columns c of whole quads. A distance is summed over the numbers in ascending
 * order on its own: it does not depend on its neighbours, and is the same from either side. 3·dimension operations a pair, two
 * pairs an instruction; 4 × 4 pairs share their loads.
 */
export function squaredDistances(
  dimension: u32, vectors: usize, vectorQuads: u32, columns: usize, columnQuads: u32, out: usize, stride: u32,
): void {
  const quadBytes = <usize>dimension << 5;
  const strideBytes = <usize>stride << 3;
  for (let i: u32 = 0; i < vectorQuads; i++) {
    let y = columns;
    let place = out;
    for (let j: u32 = 0; j < columnQuads; j++) {
      let x = vectors;
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
      store2(place, a0, a1);
      store2(place + strideBytes, b0, b1);
      store2(place + (strideBytes << 1), c0, c1);
      store2(place + strideBytes * 3, d0, d1);
      place += 32;
    }
    vectors += quadBytes;
    out += strideBytes << 2;
  }
}

@inline
function store2(place: usize, first: v128, second: v128): void {
  v128.store(place, first);
  v128.store(place, second, 16);
}

/** Coordinates whose share is subtracted together, and rows of L for which that is done for all vectors: 128 KiB of L. */
const PANEL: u32 = 256;
const TILE: u32 = 64;

/**
 * v ← L⁻¹v for every vector of the quads, from coordinate `from` on (those before are solved): v_s ← (v_s − Σ_t<s L_st v_t) / L_ss, the sum
 * subtracted in ascending order. L is packed by rows, of which `factor` has those from `from` on. (rank² − from²)/2 multiplications
 * a vector; in tiles of L that stay in the cache for all vectors, two rows by eight vectors at a time.
 */
export function solveLower(
  factor: usize, from: u32, rank: u32, vectors: usize, quadBytes: usize, quads: u32,
): void {
  for (let t: u32 = 0; t < rank; t += PANEL) {
    const end = min(t + PANEL, rank);
    for (let q: u32 = 0; q < quads; q += 2) {
      const v = vectors + <usize>q * quadBytes, w = q + 1 < quads ? v + quadBytes : v;
      for (let s = max(from, t); s < end; s++) solveRow(rowAt(factor, from, s), s, t, v, w);
    }
    for (let s = max(from, end); s < rank; s += TILE) {
      const last = min(s + TILE, rank);
      for (let q: u32 = 0; q < quads; q += 2) {
        const v = vectors + <usize>q * quadBytes, w = q + 1 < quads ? v + quadBytes : v;
        for (let r = s; r < last; r += 2) subtractRows(factor, from, r, min(r + 1, last - 1), t, end, v, w);
      }
    }
  }
}

@inline
function rowAt(factor: usize, from: u32, s: u32): usize {
  return factor + ((<usize>s * (s + 1) - <usize>from * (from + 1)) >> 1 << 3);
}

/** v_s ← (v_s − Σ_first<=t<s L_st v_t) / L_ss in two quads. */
function solveRow(row: usize, s: u32, first: u32, v: usize, w: usize): void {
  const end = v + (<usize>s << 5), last = w + (<usize>s << 5);
  let a0 = v128.load(end), a1 = v128.load(end, 16), b0 = v128.load(last), b1 = v128.load(last, 16);
  let entry = row + (<usize>first << 3);
  v += <usize>first << 5;
  w += <usize>first << 5;
  while (v < end) {
    const l = v128.load64_splat(entry);
    a0 = f64x2.sub(a0, f64x2.mul(l, v128.load(v)));
    a1 = f64x2.sub(a1, f64x2.mul(l, v128.load(v, 16)));
    b0 = f64x2.sub(b0, f64x2.mul(l, v128.load(w)));
    b1 = f64x2.sub(b1, f64x2.mul(l, v128.load(w, 16)));
    entry += 8;
    v += 32;
    w += 32;
  }
  const pivot = v128.load64_splat(entry);
  store2(end, f64x2.div(a0, pivot), f64x2.div(a1, pivot));
  store2(last, f64x2.div(b0, pivot), f64x2.div(b1, pivot));
}

/** v_s ← v_s − Σ_first<=t<end L_st v_t in two quads for two rows s, which may be the same. */
function subtractRows(
  factor: usize, from: u32, s: u32, other: u32, first: u32, end: u32, v: usize, w: usize,
): void {
  const a = v + (<usize>s << 5), b = w + (<usize>s << 5), c = v + (<usize>other << 5), d = w + (<usize>other << 5);
  let a0 = v128.load(a), a1 = v128.load(a, 16), b0 = v128.load(b), b1 = v128.load(b, 16);
  let c0 = v128.load(c), c1 = v128.load(c, 16), d0 = v128.load(d), d1 = v128.load(d, 16);
  let entry = rowAt(factor, from, s) + (<usize>first << 3), below = rowAt(factor, from, other) + (<usize>first << 3);
  const stop = v + (<usize>end << 5);
  v += <usize>first << 5;
  w += <usize>first << 5;
  while (v < stop) {
    const l = v128.load64_splat(entry), m = v128.load64_splat(below);
    let x = v128.load(v);
    a0 = f64x2.sub(a0, f64x2.mul(l, x));
    c0 = f64x2.sub(c0, f64x2.mul(m, x));
    x = v128.load(v, 16);
    a1 = f64x2.sub(a1, f64x2.mul(l, x));
    c1 = f64x2.sub(c1, f64x2.mul(m, x));
    x = v128.load(w);
    b0 = f64x2.sub(b0, f64x2.mul(l, x));
    d0 = f64x2.sub(d0, f64x2.mul(m, x));
    x = v128.load(w, 16);
    b1 = f64x2.sub(b1, f64x2.mul(l, x));
    d1 = f64x2.sub(d1, f64x2.mul(m, x));
    entry += 8;
    below += 8;
    v += 32;
    w += 32;
  }
  store2(a, a0, a1);
  store2(b, b0, b1);
  store2(c, c0, c1);
  store2(d, d0, d1);
}

/**
 * v ← L⁻ᵀv for the vectors of whole quads: v_s ← v_s / L_ss, then v_t ← v_t − L_st v_s for t < s, from the last s down; eight vectors
 * share each entry of L.
 */
export function solveUpper(factor: usize, rank: u32, vectors: usize, quads: u32): void {
  const quadBytes = <usize>rank << 5;
  for (let q: u32 = 0; q < quads; q += 2) {
    const other = q + 1 < quads ? vectors + quadBytes : 0;
    for (let s = rank; s > 0; ) {
      s--;
      const row = factor + ((<usize>s * (s + 1)) >> 1 << 3);
      const own = <usize>s << 5;
      eliminate(row, vectors, own);
      if (other != 0) eliminate(row, other, own);
    }
    vectors += quadBytes << 1;
  }
}

/** One row of L, for the four vectors of a quad. */
@inline
function eliminate(row: usize, v: usize, own: usize): void {
  const end = v + own;
  const pivot = v128.load64_splat(row + (own >> 2));
  const a0 = f64x2.div(v128.load(end), pivot), a1 = f64x2.div(v128.load(end, 16), pivot);
  store2(end, a0, a1);
  for (; v < end; v += 32, row += 8) {
    const l = v128.load64_splat(row);
    v128.store(v, f64x2.sub(v128.load(v), f64x2.mul(l, a0)));
    v128.store(v, f64x2.sub(v128.load(v, 16), f64x2.mul(l, a1)), 16);
  }
}
