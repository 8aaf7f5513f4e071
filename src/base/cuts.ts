/** Cuts 0 … count − 1 into runs whose costs reach `each`, the last run whatever is left: [0, …, count]. */
export function cutByCost(count: number, costOf: (k: number) => number, each: number): number[] {
  const cuts = [0];
  let cost = 0;
  for (let k = 0; k < count; k++) {
    cost += costOf(k);
    if (cost < each && k + 1 < count) continue;
    cuts.push(k + 1);
    cost = 0;
  }
  return cuts;
}
