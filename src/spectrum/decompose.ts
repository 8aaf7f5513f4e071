/**
 * What hangs and what holds: a quotient taken apart into pendant trees and the cores that remain.
 *
 * Nodes with at most one neighbour are taken off again and again (loops do not count as neighbours). What was taken off
 * forms trees, each hanging by its top on a core or being a component of its own; what remains has two neighbours or more
 * everywhere (the 2-core), one core a component. Moments of tree nodes need no probe (assembly/trees.ts); those of core nodes need the
 * whole component: the core and the trees on it. O(nodes + entries), without recursion.
 */
import type { Quotient } from "./quotient.js";

export const NONE = 0xffffffff;

/** Working memory for one quotient after another; arrays may be longer than needed. */
export class Decomposition {
  /** Tree nodes in the order in which they were taken off: children before parents. */
  treeCount = 0;
  trees = new Uint32Array(0);
  /** For tree nodes: the neighbour that remained, or NONE for the last node of a component; and the entry Q between them. */
  parent = new Uint32Array(0);
  coupling = new Float64Array(0);
  /** 1 for tree nodes on which nothing hangs. */
  leaf = new Uint8Array(0);
  /** Components with a core. Component k is order[start[k] .. start[k+1]), the first coreSize[k] of them its core. */
  componentCount = 0;
  start = new Uint32Array(1);
  coreSize = new Uint32Array(0);
  order = new Uint32Array(0);
  /** Place of a node within its component. */
  position = new Uint32Array(0);
  /** While taking off: neighbours left, NONE when done. While collecting: where a component's next tree node goes. */
  private left = new Uint32Array(0);
  /** 1: tree node, 2: core node that was reached. */
  private taken = new Uint8Array(0);
  private component = new Uint32Array(0);

  /** Whether a node was taken off. */
  isTree(p: number): boolean {
    return this.taken[p] === 1;
  }

  /** With `leavesOnly`, nodes are taken off once, not again and again: what remains need not be a 2-core. */
  run(quotient: Quotient, leavesOnly = false): this {
    this.reserve(quotient.count);
    this.takeOff(quotient, leavesOnly);
    this.componentCount = 0;
    if (this.treeCount < quotient.count) this.collect(quotient);
    return this;
  }

  private takeOff({ count, offsets, targets, values, loops }: Quotient, leavesOnly: boolean): void {
    const { trees, parent, coupling, leaf, left, taken } = this;
    let filled = 0;
    for (let p = 0; p < count; p++) {
      const neighbours = offsets[p + 1] - offsets[p] - (loops[p] !== 0 ? 1 : 0);
      left[p] = neighbours;
      taken[p] = 0;
      leaf[p] = 1;
      if (neighbours <= 1) {
        taken[p] = 1;
        trees[filled++] = p;
      }
    }
    // a queue: `taken` marks who is in it, `left` tells who is done
    for (let head = 0; head < filled; head++) {
      const c = trees[head];
      parent[c] = NONE;
      left[c] = NONE;
      for (let k = offsets[c]; k < offsets[c + 1]; k++) {
        const p = targets[k];
        if (p === c || left[p] === NONE) continue;
        parent[c] = p;
        coupling[c] = values[k];
        leaf[p] = 0;
        if (--left[p] <= 1 && taken[p] === 0 && !leavesOnly) {
          taken[p] = 1;
          trees[filled++] = p;
        }
        break;
      }
    }
    this.treeCount = filled;
  }

  private collect({ count, offsets, targets }: Quotient): void {
    const { trees, treeCount, parent, taken, component, order, position } = this;
    // cores by breadth-first search; sizes of the components in start[k + 1]
    const { start, coreSize } = this;
    let components = 0;
    let filled = 0;
    for (let root = 0; root < count; root++) {
      if (taken[root] !== 0) continue;
      const first = filled;
      taken[root] = 2;
      order[filled++] = root;
      for (let head = first; head < filled; head++) {
        const i = order[head];
        component[i] = components;
        for (let k = offsets[i]; k < offsets[i + 1]; k++) {
          const j = targets[k];
          if (taken[j] !== 0) continue;
          taken[j] = 2;
          order[filled++] = j;
        }
      }
      coreSize[components] = filled - first;
      start[components + 1] = filled - first;
      components++;
    }
    this.componentCount = components;

    // trees join the component of their parents
    for (let k = treeCount - 1; k >= 0; k--) {
      const c = trees[k];
      component[c] = parent[c] === NONE ? NONE : component[parent[c]];
      if (component[c] !== NONE) start[component[c] + 1]++;
    }
    start[0] = 0;
    for (let k = 0; k < components; k++) start[k + 1] += start[k];

    // move the cores apart, last first, and fill in the trees behind them, parents first
    let from = filled;
    for (let k = components - 1; k >= 0; k--) {
      from -= coreSize[k];
      order.copyWithin(start[k], from, from + coreSize[k]);
      this.left[k] = start[k] + coreSize[k];
    }
    for (let k = treeCount - 1; k >= 0; k--) {
      const c = trees[k];
      if (component[c] !== NONE) order[this.left[component[c]]++] = c;
    }
    for (let k = 0; k < components; k++)
      for (let at = start[k]; at < start[k + 1]; at++) position[order[at]] = at - start[k];
  }

  private reserve(count: number): void {
    if (this.trees.length >= count) return;
    const size = Math.max(64, count, Math.min(2 * this.trees.length, 1 << 20));
    this.trees = new Uint32Array(size);
    this.parent = new Uint32Array(size);
    this.coupling = new Float64Array(size);
    this.leaf = new Uint8Array(size);
    this.start = new Uint32Array(size + 1);
    this.coreSize = new Uint32Array(size);
    this.order = new Uint32Array(size);
    this.position = new Uint32Array(size);
    this.left = new Uint32Array(size);
    this.taken = new Uint8Array(size);
    this.component = new Uint32Array(size);
  }
}
