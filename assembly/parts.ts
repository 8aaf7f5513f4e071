/**
 * One graph on its way to a profile: sizes, and the addresses of its arrays in working memory. Filled by the stages in turn:
 *
 *   graph ─▶ twin classes (twin-classes.ts) ─▶ quotient (quotient.ts) ─▶ trees and cores (decompose.ts) ─▶ plan (exact-plan.ts)
 *
 * The same steps in plain TypeScript, in which they are explained: src/graph/twins.ts, src/spectrum/quotient.ts, decompose.ts
 * and exact-plan.ts.
 */
@unmanaged
export class Parts {
  // the graph, as src/graph/graph.ts lays it out; no weights: address 0, all are 1
  nodes: u32;
  entries: u32;
  selfLoops: u32;
  offsets: usize;
  targets: usize;
  weights: usize;
  /** A + I: every A_ii is 1. */
  loopsAreOne: u32;

  // twin classes
  classes: u32;
  classOf: usize;
  size: usize;
  representative: usize;
  selfWeight: usize;
  mutualWeight: usize;
  nodeHash: usize;
  sums: usize;
  twinOf: usize;
  paired: usize;
  table: usize;

  // the quotient
  rowOffsets: usize;
  columns: usize;
  values: usize;
  loops: usize;
  spikes: usize;
  roots: usize;

  // trees and cores
  treeCount: u32;
  trees: usize;
  parent: usize;
  coupling: usize;
  leaf: usize;
  componentCount: u32;
  start: usize;
  coreSize: usize;
  order: usize;
  position: usize;
  left: usize;
  taken: usize;
  component: usize;

  // the plan; `dense`: 1 for components that are reduced as dense matrices
  moments: u32;
  dense: usize;
  probes: u32;
  denseOrder: u32;
  nanoseconds: f64;
}

/** Bytes of a Parts record. */
export const PARTS_BYTES: usize = 256;

/** For tree nodes without a parent. */
export const NONE: u32 = 0xffffffff;

@inline
export function word(array: usize, i: u32): u32 {
  return load<u32>(array + (<usize>i << 2));
}

@inline
export function setWord(array: usize, i: u32, value: u32): void {
  store<u32>(array + (<usize>i << 2), value);
}

@inline
export function number(array: usize, i: u32): f64 {
  return load<f64>(array + (<usize>i << 3));
}

@inline
export function setNumber(array: usize, i: u32, value: f64): void {
  store<f64>(array + (<usize>i << 3), value);
}

/** Bytes of `count` items of `each` bytes, up to a multiple of 16. */
@inline
export function room(count: usize, each: usize): usize {
  return (count * each + 15) & ~15;
}
