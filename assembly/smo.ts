/**
 * The hot loops of the C-SVM (src/learn/smo.ts, core.ts, face.ts, where the algorithm and its letters are explained).
 *
 * A core is described by 22 words in memory, the addresses of its arrays among them (CORE in src/compute/twin-smo.ts):
 *
 *   gram       the Gram matrix, row by row, `rowBytes` apart, f64 or f32 (`single`)
 *   members    the row and column of the Gram that sits on each of `count` seats (u32)
 *   block      kernel values between seats (f64), a row a seat, made when a step first wants it: the Gram is read along a row
 *   log        every seat in the order in which seats were taken (u32); stamps[s] is the length of the log when row s was
 *              last brought up to date, so that only columns with new members are read again
 *   grow       0 where b may grow, else −∞; shrink: 0 where b may shrink, else +∞: adding them rules a seat out
 *   most, least   what the last step found: max f over those that may grow, min f over those that may shrink
 *
 * f, grow, shrink, diagonal and the rows of the block go on to a multiple of 8 seats; those beyond `count` are ruled out.
 * The selections are sequential searches, first of equals wins; SIMD only tells which blocks of 8 cannot hold a better one.
 */

const MIN_CURVATURE: f64 = 1e-12;
const NEVER: u32 = 0xffffffff;

@inline
function word(core: usize, index: usize): usize {
  return load<u32>(core + (index << 2));
}

@inline
function kernelAt(row: usize, column: u32, single: bool): f64 {
  return single ? <f64>load<f32>(row + (<usize>column << 2)) : load<f64>(row + (<usize>column << 3));
}

/** Address of the block's row of a seat, brought up to date. O(seats taken since), O(count) for a newcomer. */
function rowOf(core: usize, seat: u32): usize {
  const members = word(core, 4);
  const row = word(core, 5) + <usize>seat * word(core, 6);
  const stamp = word(core, 7) + (<usize>seat << 2);
  const length = <u32>word(core, 9);
  const seen = load<u32>(stamp);
  if (seen == length) return row;
  const single = word(core, 2) != 0;
  const source = word(core, 0) + <usize>load<u32>(members + (<usize>seat << 2)) * word(core, 1);
  const count = <u32>word(core, 3);
  if (seen == NEVER || length - seen >= count) {
    for (let s: u32 = 0; s < count; s++)
      store<f64>(row + (<usize>s << 3), kernelAt(source, load<u32>(members + (<usize>s << 2)), single));
  } else {
    let entry = word(core, 8) + (<usize>seen << 2);
    const end = word(core, 8) + (<usize>length << 2);
    for (; entry < end; entry += 4) {
      const s = load<u32>(entry);
      store<f64>(row + (<usize>s << 3), kernelAt(source, load<u32>(members + (<usize>s << 2)), single));
    }
  }
  store<u32>(stamp, length);
  return row;
}

/** Brings the block's rows of some seats up to date. */
export function smoRows(core: usize, seats: usize, number: u32): void {
  for (let i: u32 = 0; i < number; i++) rowOf(core, load<u32>(seats + (<usize>i << 2)));
}

/** f −= step (K_i − K_j); the next first, argmax f over those that may grow, −1 if there is none; leaves most and least. */
function updateAndSelectFirst(core: usize, rowI: usize, rowJ: usize, step: f64): i32 {
  const f = word(core, 11), grow = word(core, 15), shrink = word(core, 16);
  const bytes = ((<usize>word(core, 3) + 7) & ~7) << 3;
  const t = f64x2.splat(step);
  let first: i32 = -1;
  let most: f64 = -Infinity;
  let best = f64x2.splat(-Infinity), least = f64x2.splat(Infinity);
  for (let at: usize = 0; at < bytes; at += 64) {
    const x = f + at, i = rowI + at, j = rowJ + at, up = grow + at, down = shrink + at;
    const x0 = f64x2.sub(v128.load(x), f64x2.mul(t, f64x2.sub(v128.load(i), v128.load(j))));
    const x1 = f64x2.sub(v128.load(x, 16), f64x2.mul(t, f64x2.sub(v128.load(i, 16), v128.load(j, 16))));
    const x2 = f64x2.sub(v128.load(x, 32), f64x2.mul(t, f64x2.sub(v128.load(i, 32), v128.load(j, 32))));
    const x3 = f64x2.sub(v128.load(x, 48), f64x2.mul(t, f64x2.sub(v128.load(i, 48), v128.load(j, 48))));
    v128.store(x, x0);
    v128.store(x, x1, 16);
    v128.store(x, x2, 32);
    v128.store(x, x3, 48);
    const low = f64x2.pmin(
      f64x2.pmin(f64x2.add(x0, v128.load(down)), f64x2.add(x1, v128.load(down, 16))),
      f64x2.pmin(f64x2.add(x2, v128.load(down, 32)), f64x2.add(x3, v128.load(down, 48))),
    );
    least = f64x2.pmin(least, low);
    const high = f64x2.pmax(
      f64x2.pmax(f64x2.add(x0, v128.load(up)), f64x2.add(x1, v128.load(up, 16))),
      f64x2.pmax(f64x2.add(x2, v128.load(up, 32)), f64x2.add(x3, v128.load(up, 48))),
    );
    if (v128.any_true(f64x2.gt(high, best))) {
      for (let o: usize = 0; o < 64; o += 8) {
        const value = load<f64>(x + o) + load<f64>(up + o);
        if (value > most) {
          most = value;
          first = <i32>((at + o) >> 3);
        }
      }
      best = f64x2.splat(most);
    }
  }
  const a = f64x2.extract_lane(least, 0), b = f64x2.extract_lane(least, 1);
  store<f64>(core, most, 72);
  store<f64>(core, b < a ? b : a, 80);
  return first;
}

/** argmax (f_i − f_j)² / (K_ii + K_jj − 2 K_ij) over j that may shrink and have f_j < f_i; −1 if there is none. */
function selectSecond(core: usize, rowI: usize, i: u32): i32 {
  const f = word(core, 11), diagonal = word(core, 10), shrink = word(core, 16);
  const bytes = ((<usize>word(core, 3) + 7) & ~7) << 3;
  const fi = load<f64>(f + (<usize>i << 3)), di = load<f64>(diagonal + (<usize>i << 3));
  const fi2 = f64x2.splat(fi), di2 = f64x2.splat(di);
  const zero = f64x2.splat(0), two = f64x2.splat(2), floor = f64x2.splat(MIN_CURVATURE);
  let second: i32 = -1;
  let bestGain: f64 = 0, bestCurvature: f64 = 1;
  let gain = f64x2.splat(0), curvature = f64x2.splat(1);
  for (let at: usize = 0; at < bytes; at += 64) {
    const x = f + at, r = rowI + at, d = diagonal + at, down = shrink + at;
    const d0 = f64x2.pmax(zero, f64x2.sub(fi2, f64x2.add(v128.load(x), v128.load(down))));
    const d1 = f64x2.pmax(zero, f64x2.sub(fi2, f64x2.add(v128.load(x, 16), v128.load(down, 16))));
    const d2 = f64x2.pmax(zero, f64x2.sub(fi2, f64x2.add(v128.load(x, 32), v128.load(down, 32))));
    const d3 = f64x2.pmax(zero, f64x2.sub(fi2, f64x2.add(v128.load(x, 48), v128.load(down, 48))));
    const c0 = f64x2.pmax(floor, f64x2.sub(f64x2.add(di2, v128.load(d)), f64x2.mul(two, v128.load(r))));
    const c1 = f64x2.pmax(floor, f64x2.sub(f64x2.add(di2, v128.load(d, 16)), f64x2.mul(two, v128.load(r, 16))));
    const c2 = f64x2.pmax(floor, f64x2.sub(f64x2.add(di2, v128.load(d, 32)), f64x2.mul(two, v128.load(r, 32))));
    const c3 = f64x2.pmax(floor, f64x2.sub(f64x2.add(di2, v128.load(d, 48)), f64x2.mul(two, v128.load(r, 48))));
    // gain / curvature > best, without the division
    const better = v128.or(
      v128.or(
        f64x2.gt(f64x2.mul(f64x2.mul(d0, d0), curvature), f64x2.mul(gain, c0)),
        f64x2.gt(f64x2.mul(f64x2.mul(d1, d1), curvature), f64x2.mul(gain, c1)),
      ),
      v128.or(
        f64x2.gt(f64x2.mul(f64x2.mul(d2, d2), curvature), f64x2.mul(gain, c2)),
        f64x2.gt(f64x2.mul(f64x2.mul(d3, d3), curvature), f64x2.mul(gain, c3)),
      ),
    );
    if (!v128.any_true(better)) continue;
    for (let o: usize = 0; o < 64; o += 8) {
      const difference = fi - (load<f64>(x + o) + load<f64>(down + o));
      if (!(difference > 0)) continue;
      let c = di + load<f64>(d + o) - 2 * load<f64>(r + o);
      if (!(MIN_CURVATURE < c)) c = MIN_CURVATURE;
      const g = difference * difference;
      if (g * bestCurvature > bestGain * c) {
        second = <i32>((at + o) >> 3);
        bestGain = g;
        bestCurvature = c;
      }
    }
    gain = f64x2.splat(bestGain);
    curvature = f64x2.splat(bestCurvature);
  }
  return second;
}

/** Sets b of a seat, and what it may do. */
function place(core: usize, at: usize, value: f64): void {
  store<f64>(word(core, 12) + at, value);
  store<f64>(word(core, 15) + at, value < load<f64>(word(core, 14) + at) ? 0 : -Infinity);
  store<f64>(word(core, 16) + at, value > load<f64>(word(core, 13) + at) ? 0 : Infinity);
}

/** Pair steps until the gap is at most the tolerance, `limit` were made or a step is lost in rounding; how many. */
export function smoDescend(core: usize, tolerance: f64, limit: u32): u32 {
  const block = word(core, 5), diagonal = word(core, 10), f = word(core, 11);
  const b = word(core, 12), lower = word(core, 13), upper = word(core, 14);
  let i = updateAndSelectFirst(core, block, block, 0);
  let steps: u32 = 0;
  while (steps < limit && load<f64>(core, 72) - load<f64>(core, 80) > tolerance) {
    const rowI = rowOf(core, i);
    const j = selectSecond(core, rowI, i);
    if (j < 0) break;
    const rowJ = rowOf(core, j);
    const atI = <usize>i << 3, atJ = <usize>j << 3;
    let curvature = load<f64>(diagonal + atI) + load<f64>(diagonal + atJ) - 2 * load<f64>(rowI + atJ);
    if (!(MIN_CURVATURE < curvature)) curvature = MIN_CURVATURE;
    const roomI = load<f64>(upper + atI) - load<f64>(b + atI);
    const roomJ = load<f64>(b + atJ) - load<f64>(lower + atJ);
    let step = (load<f64>(f + atI) - load<f64>(f + atJ)) / curvature;
    if (roomI < step) step = roomI;
    if (roomJ < step) step = roomJ;
    const bi = step == roomI ? load<f64>(upper + atI) : load<f64>(b + atI) + step;
    const bj = step == roomJ ? load<f64>(lower + atJ) : load<f64>(b + atJ) - step;
    if (bi == load<f64>(b + atI) && bj == load<f64>(b + atJ)) break;
    place(core, atI, bi);
    place(core, atJ, bj);
    i = updateAndSelectFirst(core, rowI, rowJ, step);
    steps++;
  }
  return steps;
}

@inline
function pairAt(row: usize, k: usize, single: bool): v128 {
  return single ? f64x2.promote_low_f32x4(v128.load64_zero(row + (k << 2))) : v128.load(row + (k << 3));
}

/**
 * target_k −= Σ_i changes_i source[rows_i][k] for begin <= k < end, which are even; eight rows a pass, then four, then one.
 * Cost: number · (end − begin) products.
 */
export function smoSubtractRows(
  target: usize, begin: u32, end: u32, source: usize, rowBytes: u32, single: u32, rows: usize, changes: usize, number: u32,
): void {
  if (single) subtractRows(target, begin, end, source, rowBytes, true, rows, changes, number);
  else subtractRows(target, begin, end, source, rowBytes, false, rows, changes, number);
}

@inline
function subtractRows(
  target: usize, begin: usize, end: usize, source: usize, rowBytes: usize, single: bool, rows: usize, changes: usize, number: u32,
): void {
  let left = number;
  for (; left >= 8; left -= 8, rows += 32, changes += 64) {
    const r0 = source + load<u32>(rows) * rowBytes, r1 = source + load<u32>(rows, 4) * rowBytes;
    const r2 = source + load<u32>(rows, 8) * rowBytes, r3 = source + load<u32>(rows, 12) * rowBytes;
    const r4 = source + load<u32>(rows, 16) * rowBytes, r5 = source + load<u32>(rows, 20) * rowBytes;
    const r6 = source + load<u32>(rows, 24) * rowBytes, r7 = source + load<u32>(rows, 28) * rowBytes;
    const c0 = v128.load64_splat(changes), c1 = v128.load64_splat(changes, 8);
    const c2 = v128.load64_splat(changes, 16), c3 = v128.load64_splat(changes, 24);
    const c4 = v128.load64_splat(changes, 32), c5 = v128.load64_splat(changes, 40);
    const c6 = v128.load64_splat(changes, 48), c7 = v128.load64_splat(changes, 56);
    for (let k = begin; k < end; k += 2) {
      const at = target + (k << 3);
      let x = f64x2.add(f64x2.mul(c0, pairAt(r0, k, single)), f64x2.mul(c1, pairAt(r1, k, single)));
      x = f64x2.add(x, f64x2.mul(c2, pairAt(r2, k, single)));
      x = f64x2.add(x, f64x2.mul(c3, pairAt(r3, k, single)));
      x = f64x2.add(x, f64x2.mul(c4, pairAt(r4, k, single)));
      x = f64x2.add(x, f64x2.mul(c5, pairAt(r5, k, single)));
      x = f64x2.add(x, f64x2.mul(c6, pairAt(r6, k, single)));
      x = f64x2.add(x, f64x2.mul(c7, pairAt(r7, k, single)));
      v128.store(at, f64x2.sub(v128.load(at), x));
    }
  }
  for (; left >= 4; left -= 4, rows += 16, changes += 32) {
    const r0 = source + load<u32>(rows) * rowBytes, r1 = source + load<u32>(rows, 4) * rowBytes;
    const r2 = source + load<u32>(rows, 8) * rowBytes, r3 = source + load<u32>(rows, 12) * rowBytes;
    const c0 = v128.load64_splat(changes), c1 = v128.load64_splat(changes, 8);
    const c2 = v128.load64_splat(changes, 16), c3 = v128.load64_splat(changes, 24);
    for (let k = begin; k < end; k += 2) {
      const at = target + (k << 3);
      let x = f64x2.add(f64x2.mul(c0, pairAt(r0, k, single)), f64x2.mul(c1, pairAt(r1, k, single)));
      x = f64x2.add(x, f64x2.mul(c2, pairAt(r2, k, single)));
      x = f64x2.add(x, f64x2.mul(c3, pairAt(r3, k, single)));
      v128.store(at, f64x2.sub(v128.load(at), x));
    }
  }
  for (; left > 0; left--, rows += 4, changes += 8) {
    const r0 = source + load<u32>(rows) * rowBytes;
    const c0 = v128.load64_splat(changes);
    for (let k = begin; k < end; k += 2) {
      const at = target + (k << 3);
      v128.store(at, f64x2.sub(v128.load(at), f64x2.mul(c0, pairAt(r0, k, single))));
    }
  }
}
