/**
 * Diagonal Chebyshev moments of A = Wᵀ·T·W from its tridiagonal form: T_m(A)_ii = w_iᵀ T_m(T) w_i, w_i the i-th column of W.
 *
 * The Chebyshev vectors of a tridiagonal matrix cost three multiplications an entry, so that after the reduction all moments
 * of all nodes cost 5·moments·n² operations, and no eigenvalue is ever computed: nothing iterates, nothing can fail to
 * converge. By doubling, ⌈moments/2⌉ products. Columns go in fours.
 *
 * Nodes 0..columns−1 are wanted; `places` (u32) tells the row of `out` (width moments + 1) for each. `work`: 10·n + 8 numbers.
 */
export function tridiagonalMoments(
  n: u32, stride: u32, diagonal: usize, side: usize, basis: usize,
  columns: u32, places: usize, moments: u32, out: usize, work: usize,
): void {
  const pitch = <usize>stride << 3;
  const width = <usize>(moments + 1) << 3;
  const block = <usize>n << 5;
  const coefficients = work + 2 * block;
  const dots = coefficients + (<usize>n << 4);

  // pairs (2·T_ii, 2·T_i+1,i): doubled, as every step but the first needs them
  for (let i: u32 = 0; i < n; i++) {
    const at = coefficients + (<usize>i << 4);
    store<f64>(at, 2 * load<f64>(diagonal + (<usize>i << 3)));
    store<f64>(at, i + 1 < n ? 2 * load<f64>(side + (<usize>i << 3), 8) : 0, 8);
  }
  for (let first: u32 = 0; first < columns; first += 4) {
    const used = columns - first < 4 ? columns - first : 4;
    let older = work, newer = work + block;
    for (let i: u32 = 0; i < n; i++) {
      const from = basis + <usize>i * pitch + (<usize>first << 3), to = newer + (<usize>i << 5);
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
    }
    memory.fill(older, 0, block);
    // step j makes v_j, which gives moments 2j − 1 and 2j; v_1 is half of what the recurrence makes from (0, v_0)
    for (let j: u32 = 1; j << 1 <= moments + 1; j++) {
      stepTridiagonal(n, coefficients, newer, older, dots);
      if (j == 1) halve(older, block, dots);
      const swap = older;
      older = newer;
      newer = swap;
      for (let c: u32 = 0; c < used; c++) {
        const row = out + <usize>load<u32>(places + (<usize>(first + c) << 2)) * width;
        const at = row + (<usize>j << 4);
        const mixed = load<f64>(dots + (<usize>c << 3), 32);
        store<f64>(at - 8, j == 1 ? mixed : 2 * mixed - load<f64>(row, 8));
        if (j << 1 <= moments) store<f64>(at, 2 * load<f64>(dots + (<usize>c << 3)) - 1);
      }
    }
    for (let c: u32 = 0; c < used; c++)
      store<f64>(out + <usize>load<u32>(places + (<usize>(first + c) << 2)) * width, 1);
  }
}

/** previous ← 2T·current − previous on four columns; dots: four ⟨new, new⟩, four ⟨new, current⟩. */
export function stepTridiagonal(n: u32, coefficients: usize, current: usize, previous: usize, dots: usize): void {
  let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0);
  let above0 = f64x2.splat(0), above1 = f64x2.splat(0);
  let here0 = v128.load(current), here1 = v128.load(current, 16);
  let up = f64x2.splat(0);
  for (let i: u32 = 0; i < n; i++) {
    const own = v128.load64_splat(coefficients);
    const down = v128.load64_splat(coefficients, 8);
    let y0 = f64x2.add(f64x2.mul(up, above0), f64x2.mul(own, here0));
    let y1 = f64x2.add(f64x2.mul(up, above1), f64x2.mul(own, here1));
    above0 = here0;
    above1 = here1;
    // the row behind the last has the coefficient 0
    if (i + 1 < n) {
      here0 = v128.load(current, 32);
      here1 = v128.load(current, 48);
    }
    y0 = f64x2.sub(f64x2.add(y0, f64x2.mul(down, here0)), v128.load(previous));
    y1 = f64x2.sub(f64x2.add(y1, f64x2.mul(down, here1)), v128.load(previous, 16));
    v128.store(previous, y0);
    v128.store(previous, y1, 16);
    a0 = f64x2.add(a0, f64x2.mul(y0, y0));
    a1 = f64x2.add(a1, f64x2.mul(y1, y1));
    b0 = f64x2.add(b0, f64x2.mul(y0, above0));
    b1 = f64x2.add(b1, f64x2.mul(y1, above1));
    up = down;
    coefficients += 16;
    current += 32;
    previous += 32;
  }
  v128.store(dots, a0);
  v128.store(dots, a1, 16);
  v128.store(dots, b0, 32);
  v128.store(dots, b1, 48);
}

/** Halves a block and its dot products: exact in floating point. */
function halve(block: usize, bytes: usize, dots: usize): void {
  const half = f64x2.splat(0.5);
  for (const end = block + bytes; block < end; block += 16) v128.store(block, f64x2.mul(v128.load(block), half));
  for (let c: usize = 0; c < 32; c += 8) {
    store<f64>(dots + c, 0.25 * load<f64>(dots + c));
    store<f64>(dots + c, 0.5 * load<f64>(dots + c, 32), 32);
  }
}
