/**
 * The symmetric quotient by twin classes: Q_pq = w·√(c_p c_q)/√(d_p d_q), Q_pp = (a + (c − 1)·b)/d, spike_p = (a − b)/d, in
 * compressed rows. O(entries of the classes' first nodes). The same numbers in the same order as src/spectrum/quotient.ts.
 */
import { number, Parts, room, setNumber, setWord, word } from "./parts";

/** Addresses of the arrays, from `at` on; returns the first byte behind them. */
export function placeQuotient(g: Parts, at: usize): usize {
  const count = <usize>g.classes;
  const offsets = g.offsets, representative = g.representative;
  let entries = count;
  for (let p: u32 = 0; p < g.classes; p++) {
    const i = word(representative, p);
    entries += word(offsets, i + 1) - word(offsets, i);
  }
  g.rowOffsets = at;
  g.columns = at += room(count + 1, 4);
  g.values = at += room(entries, 4);
  g.loops = at += room(entries, 8);
  g.spikes = at += room(count, 8);
  g.roots = at += room(count, 8);
  return at + room(count, 8);
}

export function buildQuotient(g: Parts): void {
  scaleClasses(g);
  const count = g.classes, offsets = g.offsets, targets = g.targets, weights = g.weights;
  const classOf = g.classOf, representative = g.representative;
  const rowOffsets = g.rowOffsets, columns = g.columns, values = g.values, roots = g.roots;
  // a neighbouring class is entered once, at its first node; the class itself by its loop
  let filled: u32 = 0;
  setWord(rowOffsets, 0, 0);
  for (let p: u32 = 0; p < count; p++) {
    const i = word(representative, p);
    const root = number(roots, p);
    let loop = number(g.loops, p);
    const end = word(offsets, i + 1);
    for (let k = word(offsets, i); k < end; k++) {
      const j = word(targets, k);
      const q = word(classOf, j);
      if (q == p || word(representative, q) != j) continue;
      if (loop != 0 && q > p) {
        setWord(columns, filled, p);
        setNumber(values, filled++, loop);
        loop = 0;
      }
      const w: f64 = weights == 0 ? 1 : number(weights, k);
      const other = number(roots, q);
      setWord(columns, filled, q);
      setNumber(values, filled++, p < q ? w * root * other : w * other * root);
    }
    if (loop != 0) {
      setWord(columns, filled, p);
      setNumber(values, filled++, loop);
    }
    setWord(rowOffsets, p + 1, filled);
  }
}

/** Loops, spikes and √(c/d) of the classes. */
function scaleClasses(g: Parts): void {
  const counted = g.weights == 0 && !(g.loopsAreOne && g.selfLoops > 0);
  const extra: u32 = g.loopsAreOne ? 1 : 0;
  for (let p: u32 = 0; p < g.classes; p++) {
    const i = word(g.representative, p);
    const neighbours = word(g.offsets, i + 1) - word(g.offsets, i);
    const rootDegree = counted ? Math.sqrt(<f64>(neighbours + extra)) : rootOfDegree(g, i);
    const inverse = rootDegree > 0 ? 1 / rootDegree : 0;
    const c = <f64>word(g.size, p);
    const a = number(g.selfWeight, p) * inverse * inverse;
    const b = number(g.mutualWeight, p) * inverse * inverse;
    setNumber(g.loops, p, a + (c - 1) * b);
    setNumber(g.spikes, p, c > 1 ? a - b : 0);
    setNumber(g.roots, p, Math.sqrt(c) * inverse);
  }
}

/** A sum beyond the largest number is taken in a scale of its own: 2^50·√(Σ 2^−100·w). */
function rootOfDegree(g: Parts, i: u32): f64 {
  const plain = scaledDegree(g, i, 1);
  return plain == Infinity ? 1125899906842624 * Math.sqrt(scaledDegree(g, i, 7.888609052210118e-31)) : Math.sqrt(plain);
}

function scaledDegree(g: Parts, i: u32, scale: f64): f64 {
  let total = g.loopsAreOne ? scale : 0;
  const end = word(g.offsets, i + 1);
  for (let k = word(g.offsets, i); k < end; k++)
    if (!g.loopsAreOne || word(g.targets, k) != i) total += scale * (g.weights == 0 ? 1 : number(g.weights, k));
  return total;
}
