/**
 * Random walks, four at a time: how many of `walks` walks from a node stand on it again after 1, …, steps steps.
 *
 * offsets, targets: the rows of A + I, the node itself first. sums: 0 where every neighbour is as likely as another, else the running
 * sums of the weights of each row. A walk at v goes to number ⌊x·|row v| / 2^32⌋ of its row, x a random word; by weights, to the first
 * whose sum exceeds x·(sum of the row) / 2^32. Words have 32 bits, so that a neighbour's share is off by at most 2^-32.
 *
 * Step k of the walks 4g .. 4g + 3 takes the four words of Philox block g·steps + k in stream (node, nodes) under the seed
 * (src/base/random.ts). The four chains of loads overlap; blocks come four at a time. About 5 ns a step on REDDIT-BINARY.
 */
const M0: u32 = 0xd2511f53;
const M1: u32 = 0xcd9e8d57;
const W0: u32 = 0x9e3779b9;
const W1: u32 = 0xbb67ae85;

/** Counts for the nodes begin <= i < end of `nodes`: rows of `steps` u32 in out. Work: 64 bytes. */
export function walkReturns(
  begin: u32, end: u32, nodes: u32, offsets: usize, targets: usize, sums: usize,
  walks: u32, steps: u32, seedLow: u32, seedHigh: u32, work: usize, out: usize,
): void {
  for (let i = begin; i < end; i++) {
    memory.fill(out, 0, <usize>steps << 2);
    for (let first: u32 = 0; first < walks; first += 4) {
      const used = min(walks - first, 4);
      const block = (first >> 2) * steps;
      let a = i, b = i, c = i, d = i;
      for (let k: u32 = 0; k < steps; k++) {
        const word = work + ((<usize>k & 3) << 2);
        if ((k & 3) == 0) fourBlocks(block + k, i, nodes, seedLow, seedHigh, work);
        if (sums == 0) {
          a = evenStep(a, load<u32>(word), offsets, targets);
          b = evenStep(b, load<u32>(word, 16), offsets, targets);
          c = evenStep(c, load<u32>(word, 32), offsets, targets);
          d = evenStep(d, load<u32>(word, 48), offsets, targets);
        } else {
          a = weightedStep(a, load<u32>(word), offsets, targets, sums);
          b = weightedStep(b, load<u32>(word, 16), offsets, targets, sums);
          c = weightedStep(c, load<u32>(word, 32), offsets, targets, sums);
          d = weightedStep(d, load<u32>(word, 48), offsets, targets, sums);
        }
        let returned = <u32>(a == i);
        if (used > 1) returned += <u32>(b == i);
        if (used > 2) returned += <u32>(c == i);
        if (used > 3) returned += <u32>(d == i);
        const place = out + (<usize>k << 2);
        store<u32>(place, load<u32>(place) + returned);
      }
    }
    out += <usize>steps << 2;
  }
}

@inline
function evenStep(at: u32, x: u32, offsets: usize, targets: usize): u32 {
  const row = offsets + (<usize>at << 2);
  const from = load<u32>(row);
  const chosen = <u32>((<u64>x * <u64>(load<u32>(row, 4) - from)) >> 32);
  return load<u32>(targets + (<usize>(from + chosen) << 2));
}

function weightedStep(at: u32, word: u32, offsets: usize, targets: usize, sums: usize): u32 {
  const row = offsets + (<usize>at << 2);
  let low = load<u32>(row);
  let high = load<u32>(row, 4) - 1;
  const x = <f64>word * (1.0 / 4294967296.0) * load<f64>(sums + (<usize>high << 3));
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<f64>(sums + (<usize>middle << 3)) > x) high = middle;
    else low = middle + 1;
  }
  return load<u32>(targets + (<usize>low << 2));
}

/** The Philox blocks n .. n + 3 of stream (a, b): word w of block n + t at work + 16w + 4t. */
function fourBlocks(n: u32, a: u32, b: u32, k0: u32, k1: u32, work: usize): void {
  const m0 = i32x4.splat(M0), m1 = i32x4.splat(M1);
  let c0 = i32x4.add(i32x4.splat(n), i32x4(0, 1, 2, 3));
  let c1 = i32x4.splat(0), c2 = i32x4.splat(a), c3 = i32x4.splat(b);
  for (let round = 0; round < 10; round++) {
    const p0 = i64x2.extmul_low_i32x4_u(c0, m0), p1 = i64x2.extmul_high_i32x4_u(c0, m0);
    const q0 = i64x2.extmul_low_i32x4_u(c2, m1), q1 = i64x2.extmul_high_i32x4_u(c2, m1);
    c0 = v128.xor(v128.xor(v128.shuffle<i32>(q0, q1, 1, 3, 5, 7), c1), i32x4.splat(k0));
    c2 = v128.xor(v128.xor(v128.shuffle<i32>(p0, p1, 1, 3, 5, 7), c3), i32x4.splat(k1));
    c1 = v128.shuffle<i32>(q0, q1, 0, 2, 4, 6);
    c3 = v128.shuffle<i32>(p0, p1, 0, 2, 4, 6);
    k0 += W0;
    k1 += W1;
  }
  v128.store(work, c0);
  v128.store(work, c1, 16);
  v128.store(work, c2, 32);
  v128.store(work, c3, 48);
}
