/**
 * Squared distances between vectors, and triangular solves for many right-hand sides, on packs of quads: number k of vectors
 * 4q..4q+3 at quad q, place 4k..4k+3.
 */

/**
 * out[i·stride + c] = ‖x_i − y_c‖² for `count` vectors of a pack from `first` on and the columns c of whole quads. A distance is summed
 * over the numbers in ascending order on its own: it does not depend on its neighbours, and is the same from either side.
 * 3·dimension operations a pair, two pairs an instruction.
 */
export function squaredDistances(
  dimension: u32, vectors: usize, first: u32, count: u32, columns: usize, quads: u32, out: usize, stride: u32,
): void {
  const quadBytes = <usize>dimension << 5;
  const strideBytes = <usize>stride << 3;
  for (let q: u32 = 0; q < quads; q++) {
    let i: u32 = 0;
    let place = out;
    for (; i + 2 <= count; i += 2) {
      let x = vectorAt(vectors, first + i, quadBytes);
      let z = vectorAt(vectors, first + i + 1, quadBytes);
      let y = columns;
      const end = y + quadBytes;
      let a0 = f64x2.splat(0), a1 = f64x2.splat(0), b0 = f64x2.splat(0), b1 = f64x2.splat(0);
      while (y < end) {
        const y0 = v128.load(y), y1 = v128.load(y, 16);
        const xk = v128.load64_splat(x), zk = v128.load64_splat(z);
        const dx0 = f64x2.sub(xk, y0), dx1 = f64x2.sub(xk, y1);
        const dz0 = f64x2.sub(zk, y0), dz1 = f64x2.sub(zk, y1);
        a0 = f64x2.add(a0, f64x2.mul(dx0, dx0));
        a1 = f64x2.add(a1, f64x2.mul(dx1, dx1));
        b0 = f64x2.add(b0, f64x2.mul(dz0, dz0));
        b1 = f64x2.add(b1, f64x2.mul(dz1, dz1));
        x += 32;
        z += 32;
        y += 32;
      }
      v128.store(place, a0);
      v128.store(place, a1, 16);
      v128.store(place + strideBytes, b0);
      v128.store(place + strideBytes, b1, 16);
      place += strideBytes << 1;
    }
    if (i < count) {
      let x = vectorAt(vectors, first + i, quadBytes);
      let y = columns;
      const end = y + quadBytes;
      let a0 = f64x2.splat(0), a1 = f64x2.splat(0);
      while (y < end) {
        const xk = v128.load64_splat(x);
        const dx0 = f64x2.sub(xk, v128.load(y)), dx1 = f64x2.sub(xk, v128.load(y, 16));
        a0 = f64x2.add(a0, f64x2.mul(dx0, dx0));
        a1 = f64x2.add(a1, f64x2.mul(dx1, dx1));
        x += 32;
        y += 32;
      }
      v128.store(place, a0);
      v128.store(place, a1, 16);
    }
    columns += quadBytes;
    out += 32;
  }
}

/**
 * v ← L⁻¹v for every vector of the quads, from coordinate `from` on (those before are solved): v_s ← (v_s − Σ_t<s L_st v_t) / L_ss, the sum
 * subtracted in ascending order. L is packed by rows, row s at s(s+1)/2. (rank² − from²)/2 multiplications a vector; eight
 * vectors share each entry of L.
 */
export function solveLower(
  factor: usize, from: u32, rank: u32, vectors: usize, quadBytes: usize, quads: u32,
): void {
  let q: u32 = 0;
  for (; q + 2 <= quads; q += 2) {
    const other = vectors + quadBytes;
    let entry = factor + ((<usize>from * (from + 1)) >> 1 << 3);
    for (let s = from; s < rank; s++) {
      let v = vectors, w = other;
      const end = v + (<usize>s << 5);
      let a0 = v128.load(end), a1 = v128.load(end, 16);
      const last = other + (<usize>s << 5);
      let b0 = v128.load(last), b1 = v128.load(last, 16);
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
      entry += 8;
      v128.store(end, f64x2.div(a0, pivot));
      v128.store(end, f64x2.div(a1, pivot), 16);
      v128.store(last, f64x2.div(b0, pivot));
      v128.store(last, f64x2.div(b1, pivot), 16);
    }
    vectors += quadBytes << 1;
  }
  if (q < quads) {
    let entry = factor + ((<usize>from * (from + 1)) >> 1 << 3);
    for (let s = from; s < rank; s++) {
      let v = vectors;
      const end = v + (<usize>s << 5);
      let a0 = v128.load(end), a1 = v128.load(end, 16);
      while (v < end) {
        const l = v128.load64_splat(entry);
        a0 = f64x2.sub(a0, f64x2.mul(l, v128.load(v)));
        a1 = f64x2.sub(a1, f64x2.mul(l, v128.load(v, 16)));
        entry += 8;
        v += 32;
      }
      const pivot = v128.load64_splat(entry);
      entry += 8;
      v128.store(end, f64x2.div(a0, pivot));
      v128.store(end, f64x2.div(a1, pivot), 16);
    }
  }
}

// @ts-ignore: decorator
@inline
function vectorAt(vectors: usize, i: u32, quadBytes: usize): usize {
  return vectors + <usize>(i >> 2) * quadBytes + (<usize>(i & 3) << 3);
}
