/**
 * Twin classes: nodes i, j with A_ii = A_jj and A_ik = A_jk for all other k. Hash sums h(i) = Σ_{k ≠ i} f(k, A_ik) find them, a
 * comparison of rows confirms them: O(nodes + entries) expected. The same steps as src/graph/twins.ts, labels ignored.
 */
import { number, Parts, room, setNumber, setWord, word } from "./parts";

/** Addresses of the arrays, from `at` on; returns the first byte behind them. */
export function placeTwins(g: Parts, at: usize): usize {
  const n = <usize>g.nodes;
  g.classOf = at;
  g.size = at += room(n, 4);
  g.representative = at += room(n, 4);
  g.twinOf = at += room(n, 4);
  g.selfWeight = at += room(n, 8);
  g.mutualWeight = at += room(n, 8);
  g.nodeHash = at += room(n, 8);
  g.sums = at += room(n, 8);
  g.paired = at += room(n, 8);
  g.table = at += room(n, 1);
  return at + room(tablePlaces(g.nodes), 4);
}

/** Open addressing: at least twice as many places as nodes. */
function tablePlaces(n: u32): u32 {
  let places: u32 = 64;
  while (places < 2 * n) places *= 2;
  return places;
}

export function findTwins(g: Parts): void {
  const n = g.nodes;
  const nodeHash = g.nodeHash;
  for (let k: u32 = 0; k < 2 * n; k++) setWord(nodeHash, k, mix32(k + 0x1b873593));
  memory.fill(g.paired, 0, n);
  memory.fill(g.mutualWeight, 0, <usize>n << 3);
  if (g.weights == 0) hashRows(g);
  else hashWeightedRows(g);
  findOpen(g);
  findClosed(g);
  numberClasses(g);
}

/** A bijection of the 32-bit integers (src/graph/mixing.ts). */
function mix32(x: u32): u32 {
  x = (x ^ (x >> 16)) * 0x7feb352d;
  x = (x ^ (x >> 15)) * 0x846ca68b;
  return x ^ (x >> 16);
}

function mixNumber(x: f64): u32 {
  const bits = reinterpret<u64>(x);
  return mix32((<u32>bits * 0x9e3779b1) ^ mix32(<u32>(bits >> 32)));
}

function hashRows(g: Parts): void {
  const n = g.nodes, offsets = g.offsets, targets = g.targets, nodeHash = g.nodeHash, sums = g.sums;
  for (let i: u32 = 0; i < n; i++) {
    let h0: u32 = 0, h1: u32 = 0;
    let own: f64 = 0;
    let entry = targets + (<usize>word(offsets, i) << 2);
    const end = targets + (<usize>word(offsets, i + 1) << 2);
    for (; entry < end; entry += 4) {
      const j = load<u32>(entry);
      if (j == i) own = 1;
      else {
        const hash = nodeHash + (<usize>j << 3);
        h0 += load<u32>(hash);
        h1 += load<u32>(hash, 4);
      }
    }
    finishHash(g, i, h0, h1, own);
  }
}

function hashWeightedRows(g: Parts): void {
  const n = g.nodes, offsets = g.offsets, targets = g.targets, weights = g.weights, nodeHash = g.nodeHash;
  for (let i: u32 = 0; i < n; i++) {
    let h0: u32 = 0, h1: u32 = 0;
    let own: f64 = 0;
    const end = word(offsets, i + 1);
    for (let k = word(offsets, i); k < end; k++) {
      const j = word(targets, k);
      const weight = number(weights, k);
      if (j == i) own = weight;
      else {
        const w = mixNumber(weight);
        h0 += mix32(word(nodeHash, 2 * j) ^ w);
        h1 += mix32(word(nodeHash, 2 * j + 1) + w);
      }
    }
    finishHash(g, i, h0, h1, own);
  }
}

@inline
function finishHash(g: Parts, i: u32, h0: u32, h1: u32, own: f64): void {
  if (g.loopsAreOne) own = 1;
  else if (own != 0) h0 += mixNumber(own);
  setNumber(g.selfWeight, i, own);
  setWord(g.sums, 2 * i, h0);
  setWord(g.sums, 2 * i + 1, h1);
}

function findOpen(g: Parts): void {
  const n = g.nodes, sums = g.sums, table = g.table, twinOf = g.twinOf, paired = g.paired;
  const places = tablePlaces(n), mask = places - 1;
  memory.fill(table, 0, <usize>places << 2);
  for (let i: u32 = 0; i < n; i++) {
    const own = load<u64>(sums + (<usize>i << 3));
    let place = (<u32>own ^ (<u32>(own >> 32) * 0x9e3779b1)) & mask;
    let twin = i;
    for (;;) {
      const found = word(table, place);
      if (found == 0) break;
      const j = found - 1;
      if (load<u64>(sums + (<usize>j << 3)) == own) {
        const b = compare(g, i, j);
        if (b >= 0) {
          twin = j;
          setNumber(g.mutualWeight, j, b);
          store<u8>(paired + i, 1);
          store<u8>(paired + j, 1);
          break;
        }
      }
      place = (place + 1) & mask;
    }
    setWord(twinOf, i, twin);
    if (twin == i) setWord(table, place, i + 1);
  }
}

function findClosed(g: Parts): void {
  const n = g.nodes, offsets = g.offsets, targets = g.targets, weights = g.weights;
  const sums = g.sums, nodeHash = g.nodeHash, paired = g.paired;
  for (let i: u32 = 0; i < n; i++) {
    if (load<u8>(paired + i)) continue;
    const end = word(offsets, i + 1);
    for (let k = word(offsets, i); k < end; k++) {
      const j = word(targets, k);
      if (j <= i || load<u8>(paired + j)) continue;
      let fi = word(nodeHash, 2 * i), fj = word(nodeHash, 2 * j);
      if (weights != 0) {
        const w = mixNumber(number(weights, k));
        fi = mix32(fi ^ w);
        fj = mix32(fj ^ w);
      }
      if (word(sums, 2 * i) + fi != word(sums, 2 * j) + fj) continue;
      const b = compare(g, i, j);
      if (b < 0) continue;
      setWord(g.twinOf, j, i);
      setNumber(g.mutualWeight, i, b);
      store<u8>(paired + j, 1);
    }
  }
}

/** A_ij when i and j are twins, else −1. One walk along both rows. */
function compare(g: Parts, i: u32, j: u32): f64 {
  const offsets = g.offsets, targets = g.targets, weights = g.weights;
  if (number(g.selfWeight, i) != number(g.selfWeight, j)) return -1;
  let p = word(offsets, i), q = word(offsets, j);
  const pEnd = word(offsets, i + 1), qEnd = word(offsets, j + 1);
  let b: f64 = 0;
  do {
    for (; p < pEnd; p++) {
      const k = word(targets, p);
      if (k == j) b = weights == 0 ? 1 : number(weights, p);
      else if (k != i) break;
    }
    for (; q < qEnd; q++) {
      const k = word(targets, q);
      if (k != i && k != j) break;
    }
    if (p == pEnd || q == qEnd) break;
    if (word(targets, p) != word(targets, q)) return -1;
    if (weights != 0 && number(weights, p) != number(weights, q)) return -1;
    p++;
    q++;
  } while (true);
  return p == pEnd && q == qEnd ? b : -1;
}

/** Numbers the classes by their first nodes; a class's number never exceeds it, so arrays close up in place. */
function numberClasses(g: Parts): void {
  const n = g.nodes, classOf = g.classOf, size = g.size, twinOf = g.twinOf;
  const selfWeight = g.selfWeight, mutualWeight = g.mutualWeight;
  let count: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const first = word(twinOf, i);
    if (first != i) {
      const p = word(classOf, first);
      setWord(classOf, i, p);
      setWord(size, p, word(size, p) + 1);
    } else {
      setWord(classOf, i, count);
      setWord(size, count, 1);
      setWord(g.representative, count, i);
      setNumber(selfWeight, count, number(selfWeight, i));
      setNumber(mutualWeight, count, number(mutualWeight, i));
      count++;
    }
  }
  g.classes = count;
}
