/**
 * Who enters the next core (src/learn/smo.ts): the worst offenders on both sides and the free points.
 *
 * A problem is described by 14 words in memory (PROBLEM in src/compute/twin-smo.ts): the addresses of F, grow and shrink
 * (as in smo.ts, for every point of the Gram), of `chosen` (u32) and of scratch numbers; then two ranges of points, begin and
 * end (multiples of 4, the second may be empty), outside of which nobody takes part; then most and least (f64).
 *
 * Cost: O(points) for each.
 */

@inline
function word(problem: usize, index: usize): usize {
  return load<u32>(problem + (index << 2));
}

/** most − least, with most = max F over those that may grow, least = min F over those that may shrink. */
export function smoGap(problem: usize): f64 {
  let most = f64x2.splat(-Infinity), least = f64x2.splat(Infinity);
  for (let range: usize = 5; range <= 7; range += 2) {
    const begin = word(problem, range) << 3, end = word(problem, range + 1) << 3;
    const F = word(problem, 0), grow = word(problem, 1), shrink = word(problem, 2);
    for (let at = begin; at < end; at += 16) {
      const x = v128.load(F + at);
      most = f64x2.pmax(most, f64x2.add(x, v128.load(grow + at)));
      least = f64x2.pmin(least, f64x2.add(x, v128.load(shrink + at)));
    }
  }
  const m0 = f64x2.extract_lane(most, 0), m1 = f64x2.extract_lane(most, 1);
  const l0 = f64x2.extract_lane(least, 0), l1 = f64x2.extract_lane(least, 1);
  store<f64>(problem, m0 < m1 ? m1 : m0, 40);
  store<f64>(problem, l1 < l0 ? l1 : l0, 48);
  return load<f64>(problem, 40) - load<f64>(problem, 48);
}

/**
 * Sets chosen to 1 for at most `quota` points with the largest F > least among those that may grow, as many with the smallest
 * F < most among those that may shrink, and free points up to `capacity` in all, from the place `turn` on; else to 0.
 */
export function smoChoose(problem: usize, quota: u32, capacity: u32, turn: u32): void {
  const chosen = word(problem, 3);
  for (let range: usize = 5; range <= 7; range += 2)
    if (word(problem, range) < word(problem, range + 1))
      memory.fill(chosen + (word(problem, range) << 2), 0, (word(problem, range + 1) - word(problem, range)) << 2);
  let room = capacity;
  room -= mark(problem, word(problem, 1), 1, load<f64>(problem, 48), quota);
  room -= mark(problem, word(problem, 2), -1, load<f64>(problem, 40), quota);
  const grow = word(problem, 1), shrink = word(problem, 2);
  // from the turn's place to the end, then from the beginning to it
  for (let round = 0; round < 2; round++)
    for (let range: usize = 5; range <= 7; range += 2) {
      let k = word(problem, range), end = word(problem, range + 1);
      if (round == 0) k = max(k, <usize>turn);
      else end = min(end, <usize>turn);
      for (; k < end && room > 0; k++) {
        if (load<f64>(grow + (k << 3)) != 0 || load<f64>(shrink + (k << 3)) != 0) continue;
        if (load<u32>(chosen + (k << 2)) != 0) continue;
        store<u32>(chosen + (k << 2), 1);
        room--;
      }
    }
}

/** Marks at most `quota` points with penalty 0 and sign·F > sign·limit, the largest sign·F first; how many. */
function mark(problem: usize, penalty: usize, sign: f64, limit: f64, quota: u32): u32 {
  const F = word(problem, 0), chosen = word(problem, 3), values = word(problem, 4);
  let candidates: u32 = 0;
  for (let range: usize = 5; range <= 7; range += 2)
    for (let k = word(problem, range); k < word(problem, range + 1); k++) {
      const value = load<f64>(F + (k << 3));
      // written always, kept when it counts
      store<f64>(values + (<usize>candidates << 3), sign * value);
      candidates += u32(i32(load<f64>(penalty + (k << 3)) == 0) & i32(sign * (value - limit) > 0));
    }
  const threshold = candidates > quota ? kthLargest(values, candidates, quota) : -Infinity;
  let marked: u32 = 0;
  for (let ties = 0; ties < 2; ties++)
    for (let range: usize = 5; range <= 7; range += 2) {
      const end = word(problem, range + 1);
      for (let k = word(problem, range); k < end && marked < quota; k++) {
        const value = load<f64>(F + (k << 3));
        if (ties == 0 ? sign * value <= threshold : sign * value != threshold) continue;
        if (load<f64>(penalty + (k << 3)) != 0 || !(sign * (value - limit) > 0)) continue;
        if (load<u32>(chosen + (k << 2)) != 0) continue;
        store<u32>(chosen + (k << 2), 1);
        marked++;
      }
    }
  return marked;
}

/** The k-th largest of `count` numbers, which are reordered: quickselect, O(count) on average. */
function kthLargest(values: usize, count: u32, k: u32): f64 {
  let from: i32 = 0;
  let to = <i32>count - 1;
  const wanted = <i32>k - 1;
  while (from < to) {
    const pivot = load<f64>(values + (<usize>((from + to) >> 1) << 3));
    let i = from, j = to;
    while (i <= j) {
      while (load<f64>(values + (<usize>i << 3)) > pivot) i++;
      while (load<f64>(values + (<usize>j << 3)) < pivot) j--;
      if (i <= j) {
        const value = load<f64>(values + (<usize>i << 3));
        store<f64>(values + (<usize>i << 3), load<f64>(values + (<usize>j << 3)));
        store<f64>(values + (<usize>j << 3), value);
        i++;
        j--;
      }
    }
    if (wanted <= j) to = j;
    else if (wanted >= i) from = i;
    else break;
  }
  return load<f64>(values + (<usize>wanted << 3));
}
