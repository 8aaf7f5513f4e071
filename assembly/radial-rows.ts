/**
 * Rows of a Gram matrix from rows of distances, the work of every fold of a cross-validation:
 *
 *   k_j = 2^(−scale·d_j) or 2^(−scale·d_j²);   products_j ← products_j · k_j, sums_j ← sums_j + k_j;
 *   out_j = weight·products_j + share·sums_j in single precision.
 *
 * Distances are single, sums and products double; all arrays have room for a multiple of four. About 3 ns a value and part.
 */
import { powerOfTwo } from "./gaussian-sums";

/** `first` is 1 where products and sums are still to be begun. */
export function radialRow(
  count: u32, distances: usize, squared: u32, scale: f64, first: u32, products: usize, sums: usize,
): void {
  const factor = f64x2.splat(-scale);
  const end = distances + ((<usize>count + 1) >> 1 << 3);
  while (distances < end) {
    let d = f64x2.promote_low_f32x4(v128.load64_zero(distances));
    if (squared) d = f64x2.mul(d, d);
    const k = powerOfTwo(f64x2.mul(factor, d));
    if (first) {
      v128.store(products, k);
      v128.store(sums, k);
    } else {
      v128.store(products, f64x2.mul(v128.load(products), k));
      v128.store(sums, f64x2.add(v128.load(sums), k));
    }
    distances += 8;
    products += 16;
    sums += 16;
  }
}

export function blendRow(count: u32, products: usize, sums: usize, weight: f64, share: f64, out: usize): void {
  const w = f64x2.splat(weight), s = f64x2.splat(share);
  const end = out + ((<usize>count + 1) >> 1 << 3);
  while (out < end) {
    const blended = f64x2.add(f64x2.mul(w, v128.load(products)), f64x2.mul(s, v128.load(sums)));
    v128.store64_lane(out, f32x4.demote_f64x2_zero(blended), 0);
    out += 8;
    products += 16;
    sums += 16;
  }
}
