/**
 * Node ids that are any numbers below 2^31 become 0..n-1 in ascending order.
 *
 * A bit for every number up to the largest id says which occur, and the count of bits before a word gives the rank of an id:
 * O(largest id / 32 + edges), no hashing. Where ids are few but large, the distinct ids are sorted instead.
 */
import type { NodeIds } from "./dataset.js";

/** Renumbers sources, targets and lonely in place. nodeIds is null when the ids already are 0..n-1. */
export function compactIds(
  sources: Uint32Array,
  targets: Uint32Array,
  lonely: number[],
): { nodeCount: number; nodeIds: NodeIds | null } {
  let largest = -1;
  for (const ids of [sources, targets, lonely])
    for (let k = 0; k < ids.length; k++) if (ids[k] > largest) largest = ids[k];
  const occurrences = sources.length + targets.length + lonely.length;
  return largest / 4 > 64 * occurrences + 1e6
    ? bySorting(sources, targets, lonely)
    : byBits(sources, targets, lonely, largest);
}

function byBits(sources: Uint32Array, targets: Uint32Array, lonely: number[], largest: number) {
  const bits = new Uint32Array((largest >>> 5) + 1);
  for (const ids of [sources, targets, lonely])
    for (let k = 0; k < ids.length; k++) bits[ids[k] >>> 5] |= 1 << (ids[k] & 31);
  const before = new Uint32Array(bits.length + 1);
  for (let w = 0; w < bits.length; w++) before[w + 1] = before[w] + popcount(bits[w]);
  const nodeCount = before[bits.length];
  if (nodeCount === largest + 1) return { nodeCount, nodeIds: null };
  const nodeIds = new Float64Array(nodeCount);
  for (let id = 0, n = 0; id <= largest; id++) if ((bits[id >>> 5] >>> (id & 31)) & 1) nodeIds[n++] = id;
  for (const ids of [sources, targets, lonely])
    for (let k = 0; k < ids.length; k++) {
      const word = ids[k] >>> 5;
      ids[k] = before[word] + popcount(bits[word] & ~(-1 << (ids[k] & 31)));
    }
  return { nodeCount, nodeIds };
}

function bySorting(sources: Uint32Array, targets: Uint32Array, lonely: number[]) {
  const nodeIds = Float64Array.from(new Set([...sources, ...targets, ...lonely])).sort();
  const index = new Map(Array.from(nodeIds, (id, k) => [id, k]));
  for (const ids of [sources, targets, lonely])
    for (let k = 0; k < ids.length; k++) ids[k] = index.get(ids[k])!;
  return { nodeCount: nodeIds.length, nodeIds };
}

/** Number of ones among 32 bits. */
function popcount(x: number): number {
  x -= (x >>> 1) & 0x55555555;
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
