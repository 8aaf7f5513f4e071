/**
 * Chebyshev vectors of a sparse symmetric matrix Q on a block of right-hand sides.
 *
 * The matrix: CSR with `offsets` (u32, rows + 1), `targets` (u32) and `doubled` (f64), which holds 2·q_ij. A block of k
 * vectors is stored row by row (rows × k), so that one gathered row is one or two cache lines and is used whole.
 *
 * One step, in place over the older block, with the dot products that doubling needs (T_2j = 2T_j² − 1,
 * T_2j+1 = 2T_j+1 T_j − T_1) in the same pass over memory:
 *
 *   previous ← 2Q·current − previous,   dots[c] = ⟨new_c, new_c⟩,   dots[k + c] = ⟨new_c, current_c⟩.
 *
 * Cost: 2·k·entries + 6·k·rows operations. A column's sums run over its row's entries and over the rows in ascending
 * order, whatever k is: a result does not depend on how probes were packed into blocks.
 */

/** k = 4, 8 or 16. */
export function chebyshevStep(
  k: u32, rows: u32, offsets: usize, targets: usize, doubled: usize, current: usize, previous: usize, dots: usize,
): void {
  if (k == 4) step4(rows, offsets, targets, doubled, current, previous, dots);
  else if (k == 8) step8(rows, offsets, targets, doubled, current, previous, dots);
  else step16(rows, offsets, targets, doubled, current, previous, dots);
}

function step4(
  rows: u32, offsets: usize, targets: usize, doubled: usize, current: usize, previous: usize, dots: usize,
): void {
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0);
  let b0 = f64x2.splat(0), b1 = f64x2.splat(0);
  let row = previous, own = current;
  let entry = targets + (<usize>load<u32>(offsets) << 2);
  let value = doubled + (<usize>load<u32>(offsets) << 3);
  for (let i: u32 = 0; i < rows; i++) {
    const end = targets + (<usize>load<u32>(offsets + (<usize>i << 2), 4) << 2);
    let y0 = f64x2.splat(0), y1 = f64x2.splat(0);
    while (entry < end) {
      const q = v128.load64_splat(value);
      const x = current + (<usize>load<u32>(entry) << 5);
      y0 = f64x2.add(y0, f64x2.mul(q, v128.load(x)));
      y1 = f64x2.add(y1, f64x2.mul(q, v128.load(x, 16)));
      entry += 4;
      value += 8;
    }
    y0 = f64x2.sub(y0, v128.load(row));
    y1 = f64x2.sub(y1, v128.load(row, 16));
    v128.store(row, y0);
    v128.store(row, y1, 16);
    a0 = f64x2.add(a0, f64x2.mul(y0, y0));
    a1 = f64x2.add(a1, f64x2.mul(y1, y1));
    b0 = f64x2.add(b0, f64x2.mul(y0, v128.load(own)));
    b1 = f64x2.add(b1, f64x2.mul(y1, v128.load(own, 16)));
    row += 32;
    own += 32;
  }
  v128.store(dots, a0);
  v128.store(dots, a1, 16);
  v128.store(dots, b0, 32);
  v128.store(dots, b1, 48);
}

function step8(
  rows: u32, offsets: usize, targets: usize, doubled: usize, current: usize, previous: usize, dots: usize,
): void {
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), a2 = f64x2.splat(0), a3 = f64x2.splat(0);
  let b0 = f64x2.splat(0), b1 = f64x2.splat(0), b2 = f64x2.splat(0), b3 = f64x2.splat(0);
  let row = previous, own = current;
  let entry = targets + (<usize>load<u32>(offsets) << 2);
  let value = doubled + (<usize>load<u32>(offsets) << 3);
  for (let i: u32 = 0; i < rows; i++) {
    const end = targets + (<usize>load<u32>(offsets + (<usize>i << 2), 4) << 2);
    let y0 = f64x2.splat(0), y1 = f64x2.splat(0), y2 = f64x2.splat(0), y3 = f64x2.splat(0);
    while (entry < end) {
      const q = v128.load64_splat(value);
      const x = current + (<usize>load<u32>(entry) << 6);
      y0 = f64x2.add(y0, f64x2.mul(q, v128.load(x)));
      y1 = f64x2.add(y1, f64x2.mul(q, v128.load(x, 16)));
      y2 = f64x2.add(y2, f64x2.mul(q, v128.load(x, 32)));
      y3 = f64x2.add(y3, f64x2.mul(q, v128.load(x, 48)));
      entry += 4;
      value += 8;
    }
    y0 = f64x2.sub(y0, v128.load(row));
    y1 = f64x2.sub(y1, v128.load(row, 16));
    y2 = f64x2.sub(y2, v128.load(row, 32));
    y3 = f64x2.sub(y3, v128.load(row, 48));
    v128.store(row, y0);
    v128.store(row, y1, 16);
    v128.store(row, y2, 32);
    v128.store(row, y3, 48);
    a0 = f64x2.add(a0, f64x2.mul(y0, y0));
    a1 = f64x2.add(a1, f64x2.mul(y1, y1));
    a2 = f64x2.add(a2, f64x2.mul(y2, y2));
    a3 = f64x2.add(a3, f64x2.mul(y3, y3));
    b0 = f64x2.add(b0, f64x2.mul(y0, v128.load(own)));
    b1 = f64x2.add(b1, f64x2.mul(y1, v128.load(own, 16)));
    b2 = f64x2.add(b2, f64x2.mul(y2, v128.load(own, 32)));
    b3 = f64x2.add(b3, f64x2.mul(y3, v128.load(own, 48)));
    row += 64;
    own += 64;
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

/** Two cache lines a row; the 32 running dot products stay in memory (`dots`), one cache line each four. */
function step16(
  rows: u32, offsets: usize, targets: usize, doubled: usize, current: usize, previous: usize, dots: usize,
): void {
  memory.fill(dots, 0, 256);
  let row = previous, own = current;
  let entry = targets + (<usize>load<u32>(offsets) << 2);
  let value = doubled + (<usize>load<u32>(offsets) << 3);
  for (let i: u32 = 0; i < rows; i++) {
    const end = targets + (<usize>load<u32>(offsets + (<usize>i << 2), 4) << 2);
    let y0 = f64x2.splat(0), y1 = f64x2.splat(0), y2 = f64x2.splat(0), y3 = f64x2.splat(0);
    let y4 = f64x2.splat(0), y5 = f64x2.splat(0), y6 = f64x2.splat(0), y7 = f64x2.splat(0);
    while (entry < end) {
      const q = v128.load64_splat(value);
      const x = current + (<usize>load<u32>(entry) << 7);
      y0 = f64x2.add(y0, f64x2.mul(q, v128.load(x)));
      y1 = f64x2.add(y1, f64x2.mul(q, v128.load(x, 16)));
      y2 = f64x2.add(y2, f64x2.mul(q, v128.load(x, 32)));
      y3 = f64x2.add(y3, f64x2.mul(q, v128.load(x, 48)));
      y4 = f64x2.add(y4, f64x2.mul(q, v128.load(x, 64)));
      y5 = f64x2.add(y5, f64x2.mul(q, v128.load(x, 80)));
      y6 = f64x2.add(y6, f64x2.mul(q, v128.load(x, 96)));
      y7 = f64x2.add(y7, f64x2.mul(q, v128.load(x, 112)));
      entry += 4;
      value += 8;
    }
    finishPair(y0, row, own, dots);
    finishPair(y1, row + 16, own + 16, dots + 16);
    finishPair(y2, row + 32, own + 32, dots + 32);
    finishPair(y3, row + 48, own + 48, dots + 48);
    finishPair(y4, row + 64, own + 64, dots + 64);
    finishPair(y5, row + 80, own + 80, dots + 80);
    finishPair(y6, row + 96, own + 96, dots + 96);
    finishPair(y7, row + 112, own + 112, dots + 112);
    row += 128;
    own += 128;
  }
}

function finishPair(sum: v128, row: usize, own: usize, dots: usize): void {
  const y = f64x2.sub(sum, v128.load(row));
  v128.store(row, y);
  v128.store(dots, f64x2.add(v128.load(dots), f64x2.mul(y, y)));
  v128.store(dots, f64x2.add(v128.load(dots, 128), f64x2.mul(y, v128.load(own))), 128);
}

/**
 * T_m(Q)_ii for m = 0..moments and the nodes i = begin..end−1, one row of moments + 1 numbers each: the row of node i is number
 * places[i] (u32) of `out`.
 *
 * Unit vectors in blocks of 8, a rest of at most 4 in a block of 4; ⌈moments/2⌉ − 1 steps a block by doubling. `work` holds
 * two blocks of 8 vectors and 16 dot products: 128·rows + 128 bytes.
 */
export function unitMoments(
  rows: u32, offsets: usize, targets: usize, doubled: usize,
  begin: u32, end: u32, places: usize, moments: u32, out: usize, work: usize,
): void {
  const dots = work + (<usize>rows << 7);
  const width = <usize>(moments + 1) << 3;
  const half = (moments + 1) >> 1;
  while (begin < end) {
    const left = end - begin;
    const shift: u32 = left > 4 ? 3 : 2;
    const k: u32 = 1 << shift;
    const used = left < k ? left : k;
    let older = work;
    let newer = work + (<usize>rows << (shift + 3));
    memory.fill(work, 0, <usize>rows << (shift + 4));

    // v_0 = e_i, v_1 = the row of i
    for (let c: u32 = 0; c < used; c++) {
      const i = begin + c;
      const row = out + <usize>load<u32>(places + (<usize>i << 2)) * width;
      store<f64>(older + (((<usize>i << shift) + c) << 3), 1);
      let own: f64 = 0, square: f64 = 0;
      const last = load<u32>(offsets + (<usize>i << 2), 4);
      for (let e = load<u32>(offsets + (<usize>i << 2)); e < last; e++) {
        const j = load<u32>(targets + (<usize>e << 2));
        const q = 0.5 * load<f64>(doubled + (<usize>e << 3));
        store<f64>(newer + (((<usize>j << shift) + c) << 3), q);
        square += q * q;
        if (j == i) own = q;
      }
      store<f64>(row, 1);
      if (moments >= 1) store<f64>(row, own, 8);
      if (moments >= 2) store<f64>(row, 2 * square - 1, 16);
    }

    // v_j+1 gives moments 2j + 1 and 2j + 2
    for (let j: u32 = 1; j < half; j++) {
      if (k == 8) step8(rows, offsets, targets, doubled, newer, older, dots);
      else step4(rows, offsets, targets, doubled, newer, older, dots);
      const swap = older;
      older = newer;
      newer = swap;
      for (let c: u32 = 0; c < used; c++) {
        const row = out + <usize>load<u32>(places + (<usize>(begin + c) << 2)) * width;
        const at = row + (<usize>j << 4);
        store<f64>(at, 2 * load<f64>(dots + (<usize>(k + c) << 3)) - load<f64>(row, 8), 8);
        if ((j << 1) + 2 <= moments) store<f64>(at, 2 * load<f64>(dots + (<usize>c << 3)) - 1, 16);
      }
    }
    begin += used;
  }
}
