/**
 * A quotient taken apart into pendant trees and the cores that remain: O(classes + entries). The same steps, in the same order, as
 * src/spectrum/decompose.ts, in which the arrays are described.
 */
import { NONE, number, Parts, room, setNumber, setWord, word } from "./parts";

/** Addresses of the arrays, from `at` on; returns the first byte behind them. */
export function placeDecomposition(g: Parts, at: usize): usize {
  const count = <usize>g.classes;
  g.trees = at;
  g.parent = at += room(count, 4);
  g.start = at += room(count, 4);
  g.coreSize = at += room(count + 1, 4);
  g.order = at += room(count, 4);
  g.position = at += room(count, 4);
  g.left = at += room(count, 4);
  g.component = at += room(count, 4);
  g.coupling = at += room(count, 4);
  g.leaf = at += room(count, 8);
  g.taken = at += room(count, 1);
  g.dense = at += room(count, 1);
  return at + room(count, 1);
}

/** With `leavesOnly`, nodes are taken off once, not again and again. */
export function decompose(g: Parts, leavesOnly: bool): void {
  takeOff(g, leavesOnly);
  g.componentCount = 0;
  if (g.treeCount == g.classes) return;
  collectCores(g);
  placeTrees(g);
}

function takeOff(g: Parts, leavesOnly: bool): void {
  const count = g.classes, offsets = g.rowOffsets, targets = g.columns;
  const trees = g.trees, left = g.left, taken = g.taken, leaf = g.leaf;
  let filled: u32 = 0;
  for (let p: u32 = 0; p < count; p++) {
    const loop: u32 = number(g.loops, p) != 0 ? 1 : 0;
    const neighbours = word(offsets, p + 1) - word(offsets, p) - loop;
    setWord(left, p, neighbours);
    store<u8>(taken + p, neighbours <= 1 ? 1 : 0);
    store<u8>(leaf + p, 1);
    if (neighbours <= 1) setWord(trees, filled++, p);
  }
  // a queue: `taken` marks who is in it, `left` tells who is done
  for (let head: u32 = 0; head < filled; head++) {
    const c = word(trees, head);
    setWord(g.parent, c, NONE);
    setWord(left, c, NONE);
    const end = word(offsets, c + 1);
    for (let k = word(offsets, c); k < end; k++) {
      const p = word(targets, k);
      if (p == c || word(left, p) == NONE) continue;
      setWord(g.parent, c, p);
      setNumber(g.coupling, c, number(g.values, k));
      store<u8>(leaf + p, 0);
      const rest = word(left, p) - 1;
      setWord(left, p, rest);
      if (rest <= 1 && load<u8>(taken + p) == 0 && !leavesOnly) {
        store<u8>(taken + p, 1);
        setWord(trees, filled++, p);
      }
      break;
    }
  }
  g.treeCount = filled;
}

/** Cores by breadth-first search, one behind the other in `order`; sizes of the components in start[k + 1]. */
function collectCores(g: Parts): void {
  const count = g.classes, offsets = g.rowOffsets, targets = g.columns, taken = g.taken, order = g.order;
  let components: u32 = 0, filled: u32 = 0;
  for (let root: u32 = 0; root < count; root++) {
    if (load<u8>(taken + root) != 0) continue;
    const first = filled;
    store<u8>(taken + root, 2);
    setWord(order, filled++, root);
    for (let head = first; head < filled; head++) {
      const i = word(order, head);
      setWord(g.component, i, components);
      const end = word(offsets, i + 1);
      for (let k = word(offsets, i); k < end; k++) {
        const j = word(targets, k);
        if (load<u8>(taken + j) != 0) continue;
        store<u8>(taken + j, 2);
        setWord(order, filled++, j);
      }
    }
    setWord(g.coreSize, components, filled - first);
    setWord(g.start, components + 1, filled - first);
    components++;
  }
  g.componentCount = components;
}

function placeTrees(g: Parts): void {
  const components = g.componentCount, treeCount = g.treeCount;
  const trees = g.trees, parent = g.parent, component = g.component, start = g.start, left = g.left, order = g.order;
  // trees join the component of their parents
  for (let k = treeCount; k-- > 0; ) {
    const c = word(trees, k);
    const p = word(parent, c);
    const own = p == NONE ? NONE : word(component, p);
    setWord(component, c, own);
    if (own != NONE) setWord(start, own + 1, word(start, own + 1) + 1);
  }
  setWord(start, 0, 0);
  for (let k: u32 = 0; k < components; k++) setWord(start, k + 1, word(start, k + 1) + word(start, k));

  // move the cores apart, last first, and fill in the trees behind them, parents first
  let from = g.classes - treeCount;
  for (let k = components; k-- > 0; ) {
    const size = word(g.coreSize, k), to = word(start, k);
    from -= size;
    memory.copy(order + (<usize>to << 2), order + (<usize>from << 2), <usize>size << 2);
    setWord(left, k, to + size);
  }
  for (let k = treeCount; k-- > 0; ) {
    const c = word(trees, k);
    const own = word(component, c);
    if (own == NONE) continue;
    const at = word(left, own);
    setWord(order, at, c);
    setWord(left, own, at + 1);
  }
  for (let k: u32 = 0; k < components; k++) {
    const first = word(start, k), end = word(start, k + 1);
    for (let at = first; at < end; at++) setWord(g.position, word(order, at), at - first);
  }
}
