/**
 * From the moments of a quotient to those of the graph. For a class of c twins with spike μ, in place over its row:
 *
 *   T_m(Ã)_ii = T_m(Q)_pp / c + (1 − 1/c)·T_m(μ),   and   trace_m = Σ_p c_p·T_m(Ã)_ii, class by class.
 *
 * `sizes` (f64): c, `spikes` (f64): μ. O(classes·moments). Returns the largest |T_m(Ã)_ii|, which is 1 to rounding, or NaN where there is one.
 */
export function expandTwins(count: u32, sizes: usize, spikes: usize, moments: u32, rows: usize, trace: usize): f64 {
  const width = <usize>(moments + 1) << 3;
  const pairs = width & ~15;
  let largest = f64x2.splat(0);
  memory.fill(trace, 0, width);
  for (let p: u32 = 0; p < count; p++, sizes += 8, spikes += 8, rows += width) {
    const c = load<f64>(sizes);
    if (c != 1) {
      const spike = load<f64>(spikes);
      const share = 1 / c, rest = 1 - share;
      let before = spike, now: f64 = 1;
      for (let at: usize = 8; at < width; at += 8) {
        const next = at == 8 ? spike : 2 * spike * now - before;
        before = now;
        now = next;
        store<f64>(rows + at, share * load<f64>(rows + at) + rest * now);
      }
    }
    const weight = f64x2.splat(c);
    for (let at: usize = 0; at < pairs; at += 16) {
      const x = v128.load(rows + at);
      largest = f64x2.max(largest, f64x2.abs(x));
      v128.store(trace + at, f64x2.add(v128.load(trace + at), f64x2.mul(weight, x)));
    }
    if (pairs < width) {
      const x = load<f64>(rows + pairs);
      largest = f64x2.max(largest, f64x2.splat(Math.abs(x)));
      store<f64>(trace + pairs, load<f64>(trace + pairs) + c * x);
    }
  }
  return Math.max(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1));
}
