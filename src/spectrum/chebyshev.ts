/** T_0..T_M at one point of [−1, 1], by the recurrence T_m+1 = 2xT_m − T_m−1; added to `out` times `weight`. O(M). */
export function addChebyshev(out: Float64Array, x: number, weight: number): void {
  let before = 1;
  let now = x;
  out[0] += weight;
  for (let m = 1; m < out.length; m++) {
    out[m] += weight * now;
    [before, now] = [now, 2 * x * now - before];
  }
}
