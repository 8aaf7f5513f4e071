/**
 * Twins, quotient, trees and cores of one graph, and for each core the cheaper way: unit probes on the sparse component or
 * reduction as a dense matrix. The cost model, nanoseconds on one core, is that of src/spectrum/exact-plan.ts, number by number.
 */
import { decompose } from "./decompose";
import { Parts, word } from "./parts";

const ENTRY: f64 = 1.1;
const ROW: f64 = 4.5;
const FOUR: f64 = 0.68;
const CUBE: f64 = 0.28;
const SQUARE: f64 = 3;
const COLUMN: f64 = 0.7;
const TREE: f64 = 0.5;
const LEAF: f64 = 5;
const ENTRIES: f64 = 12;

/** Two dense matrices of this order take 2 GiB. */
const MAX_DENSE: u32 = 11584;
/** Up to so many moments a tree node is always cheaper than a probe, or cheap enough. */
const ALWAYS_TREES: u32 = 100;

export function plan(g: Parts): void {
  decompose(g, false);
  choose(g);
  if (g.moments <= ALWAYS_TREES || g.treeCount == 0) return;
  // with very many moments, inner tree nodes may cost more than probes
  const seconds = g.nanoseconds * 1e-9;
  decompose(g, true);
  choose(g);
  if (g.nanoseconds * 1e-9 < seconds) return;
  decompose(g, false);
  choose(g);
}

/** Entries of the rows of component k. */
export function componentEntries(g: Parts, k: u32): u32 {
  const offsets = g.rowOffsets, order = g.order;
  let entries: u32 = 0;
  const end = word(g.start, k + 1);
  for (let at = word(g.start, k); at < end; at++) {
    const p = word(order, at);
    entries += word(offsets, p + 1) - word(offsets, p);
  }
  return entries;
}

function choose(g: Parts): void {
  const moments = <f64>g.moments;
  let leaves: u32 = 0;
  for (let k: u32 = 0; k < g.treeCount; k++) leaves += load<u8>(g.leaf + word(g.trees, k));
  let nanoseconds =
    ENTRIES * (<f64>g.nodes + <f64>g.entries) +
    LEAF * <f64>leaves * moments +
    TREE * <f64>(g.treeCount - leaves) * moments * moments;
  g.probes = 0;
  g.denseOrder = 0;
  for (let k: u32 = 0; k < g.componentCount; k++) {
    const n = word(g.start, k + 1) - word(g.start, k);
    const core = word(g.coreSize, k);
    const bySparse = sparseCost(n, componentEntries(g, k), core, moments);
    const byDense = n <= MAX_DENSE ? denseCost(<f64>n, <f64>core, moments) : Infinity;
    const dense = byDense < bySparse;
    store<u8>(g.dense + k, dense ? 1 : 0);
    nanoseconds += dense ? byDense : bySparse;
    if (!dense) g.probes += core;
    else if (n > g.denseOrder) g.denseOrder = n;
  }
  g.nanoseconds = nanoseconds;
}

function sparseCost(n: u32, entries: u32, columns: u32, moments: f64): f64 {
  const rest = columns & 7;
  const blocks = <f64>(columns >> 3) + (rest == 0 ? 0 : rest > 4 ? 1 : FOUR);
  return blocks * (moments / 2) * (ENTRY * <f64>entries + ROW * <f64>n);
}

function denseCost(n: f64, columns: f64, moments: f64): f64 {
  return (CUBE * n + SQUARE) * n * n + COLUMN * n * columns * (moments / 2);
}
