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
  if (occurrences === 0) return { nodeCount: 0, nodeIds: null };
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

/** A whole number as programs write it, 2, 2.0 or 2.00, is the same: here 2. Any other text is as it stands, 02 and 2.5 too. */
export const wholeText = (text: string): string =>
  text.charCodeAt(text.length - 1) === ZERO && /^-?(0|[1-9]\d*)\.0+$/.test(text)
    ? text.slice(0, text.indexOf("."))
    : text;

const ZERO = 48;

export const sameNumberNote = (one: string, other: string, what: string): string =>
  `${one} and ${other} are one whole number in two spellings: ${what}`;

/** The names by wholeText; where that changed one, a note says so. `what`: "classes". */
export function wholeNames(names: ArrayLike<string | number>, what: string, notes: string[]): string[] {
  const plain = Array.from(names, (name) => wholeText(String(name)));
  const k = plain.findIndex((name, i) => name !== String(names[i]));
  if (k >= 0)
    notes.push(
      `${what} that are whole numbers with a decimal point are called without it: ${names[k]} is ${plain[k]}`,
    );
  return plain;
}

/** Numbers of names; names that are the same by wholeText have the same number, and the first two such spellings are kept. */
export class NameIndex {
  private readonly spellings = new Map<string, number>();
  /** Numbers of names that were first written as 2.0, by the name 2; and that spelling. */
  private readonly decimals = new Map<string, [number, string]>();
  joined: [string, string] | null = null;

  get(name: string): number | undefined {
    const known = this.spellings.get(name);
    if (known !== undefined) return known;
    const plain = wholeText(name);
    if (plain === name && this.decimals.size === 0) return undefined;
    const [i, spelling] = this.decimals.get(plain) ?? [this.spellings.get(plain), plain];
    if (i !== undefined) {
      this.spellings.set(name, i);
      this.joined ??= [spelling, name];
    }
    return i;
  }

  set(name: string, i: number): void {
    this.spellings.set(name, i);
    const plain = wholeText(name);
    if (plain !== name) this.decimals.set(plain, [i, name]);
  }
}
