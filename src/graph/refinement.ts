/**
 * Colour refinement (one-dimensional Weisfeiler-Leman) on the quotient of a graph by its twins.
 *
 * A node starts with the colour of its class (size, self-weight, mutual weight, label when respected) and takes, round after
 * round, a hash of its own colour and of the multiset {(colour of k, weight to k)} over its neighbours, until the number of
 * colours stops growing. Colours are hashes that depend on structure alone, never on node numbers: different colours prove that no
 * isomorphism takes one node to the other, also between graphs. Equal colours prove nothing. The quotient loses nothing (sizes
 * and weights rebuild the graph) and takes away cliques and bunches of leaves, on which searches waste their time.
 *
 * A round costs O(classes + entries of the quotient).
 */
import type { Graph } from "./graph.js";
import { mix32, mixNumber } from "./mixing.js";
import type { TwinFinder } from "./twins.js";

/** The quotient: one node a twin class, in compressed sparse rows; weights within a class stand apart. */
export interface TwinQuotient {
  count: number;
  offsets: Uint32Array;
  targets: Uint32Array;
  /** Parallel to targets; null when every weight is 1. */
  weights: Float64Array | null;
  /** Hashes of the weights, parallel to targets. */
  weightHash: Int32Array | null;
  size: Uint32Array;
  selfWeight: Float64Array;
  mutualWeight: Float64Array;
  /** Label of the members, null when labels are ignored. */
  labels: Int32Array | null;
}

/** Quotient by the classes that `twins` finds. O(nodes + edges). */
export function twinQuotient(graph: Graph, twins: TwinFinder, respectLabels: boolean): TwinQuotient {
  const { count, classOf, representative } = twins.find(graph);
  const { offsets: rows, targets: columns, weights } = graph;
  const offsets = new Uint32Array(count + 1);
  // a class appears in a row through its representative, once; class numbers ascend with representatives
  const appears = (p: number, k: number) => classOf[k] !== p && representative[classOf[k]] === k;
  for (let p = 0; p < count; p++) {
    const r = representative[p];
    let entries = 0;
    for (let k = rows[r]; k < rows[r + 1]; k++) if (appears(p, columns[k])) entries++;
    offsets[p + 1] = offsets[p] + entries;
  }
  const targets = new Uint32Array(offsets[count]);
  const kept = weights === null ? null : new Float64Array(offsets[count]);
  for (let p = 0, at = 0; p < count; p++) {
    const r = representative[p];
    for (let k = rows[r]; k < rows[r + 1]; k++) {
      if (!appears(p, columns[k])) continue;
      targets[at] = classOf[columns[k]];
      if (kept !== null) kept[at] = weights![k];
      at++;
    }
  }
  const labels = respectLabels ? graph.labels : null;
  const different = kept?.every((w) => w === 1) ? null : kept;
  return {
    count,
    offsets,
    targets,
    weights: different,
    weightHash: different && Int32Array.from(different, mixNumber),
    size: twins.size.slice(0, count),
    selfWeight: twins.selfWeight.slice(0, count),
    mutualWeight: twins.mutualWeight.slice(0, count),
    labels: labels && Int32Array.from(representative.subarray(0, count), (r) => labels[r]),
  };
}

/** Two 32-bit hashes a class: colours[2p], colours[2p + 1]. */
export type Colours = Int32Array;

/** The colours before any round. */
export function initialColours(quotient: TwinQuotient): Colours {
  const { count, size, selfWeight, mutualWeight, labels } = quotient;
  const colours = new Int32Array(2 * count);
  for (let p = 0; p < count; p++) {
    const own = mixNumber(selfWeight[p]) + Math.imul(mixNumber(mutualWeight[p]), 3);
    const label = labels === null ? 0 : mix32(labels[p] + 0x2545f491);
    colours[2 * p] = mix32(own + mix32(size[p] ^ label));
    colours[2 * p + 1] = mix32(mix32(own ^ 0x6a09e667) + size[p] + Math.imul(label, 5));
  }
  return colours;
}

/** Gives class p a colour of its own, the same for the same `mark` in any graph. */
export function individualise(colours: Colours, p: number, mark: number): void {
  colours[2 * p] = mix32(colours[2 * p] ^ mix32(mark + 1));
  colours[2 * p + 1] = mix32(colours[2 * p + 1] + mix32(~mark));
}

/** Counts the row entries that searches visit, so that hard cases end. */
export interface WorkMeter {
  left: number;
}

/** Refines colours in place in working memory that is kept between calls. */
export class Refiner {
  private next = new Int32Array(0);
  private mixed = new Int32Array(0);
  private table = new Int32Array(0);

  /**
   * Rounds until the number of colours stays the same (or `maxRounds`, or the work meter runs out). Gives the number of colours and
   * two hashes of the multiset of colours: what they say is the same for isomorphic graphs.
   */
  refine(quotient: TwinQuotient, colours: Colours, meter: WorkMeter, maxRounds = quotient.count): Summary {
    const { count } = quotient;
    if (this.next.length < 2 * count) {
      this.next = new Int32Array(2 * count);
      this.mixed = new Int32Array(2 * count);
      this.table = new Int32Array(2 ** Math.ceil(Math.log2(4 * count)));
    }
    let distinct = this.countColours(colours, count);
    for (let round = 0; round < maxRounds && distinct < count && meter.left > 0; round++) {
      this.round(quotient, colours);
      meter.left -= quotient.targets.length + count;
      const before = distinct;
      distinct = this.countColours(colours, count);
      if (distinct === before) break;
    }
    // one more round when every node has its own colour, so that the summary speaks of the edges between them
    this.round(quotient, colours);
    meter.left -= quotient.targets.length + count;
    let first = 0;
    let second = 0;
    for (let p = 0; p < count; p++) {
      first = (first + mix32(colours[2 * p])) | 0;
      second = (second + mix32(colours[2 * p + 1] ^ colours[2 * p])) | 0;
    }
    return { distinct, first, second };
  }

  private round(quotient: TwinQuotient, colours: Colours): void {
    const { count, offsets, targets, weightHash } = quotient;
    const { next, mixed } = this;
    for (let k = 0; k < 2 * count; k++) mixed[k] = mix32(colours[k] + 0x3c6ef372);
    for (let p = 0; p < count; p++) {
      let h0 = 0;
      let h1 = 0;
      for (let k = offsets[p]; k < offsets[p + 1]; k++) {
        const q = targets[k];
        if (weightHash === null) {
          h0 = (h0 + mixed[2 * q]) | 0;
          h1 = (h1 + mixed[2 * q + 1]) | 0;
        } else {
          h0 = (h0 + mix32(mixed[2 * q] ^ weightHash[k])) | 0;
          h1 = (h1 + mix32(mixed[2 * q + 1] + weightHash[k])) | 0;
        }
      }
      next[2 * p] = mix32(Math.imul(colours[2 * p], 0x9e3779b1) + h0);
      next[2 * p + 1] = mix32(Math.imul(colours[2 * p + 1], 0x85ebca6b) ^ h1);
    }
    colours.set(next.subarray(0, 2 * count));
  }

  private countColours(colours: Colours, count: number): number {
    const { table } = this;
    let places = 4;
    while (places < 2 * count) places *= 2;
    table.fill(0, 0, places);
    let distinct = 0;
    for (let p = 0; p < count; p++) {
      let place = (colours[2 * p] ^ colours[2 * p + 1]) & (places - 1);
      for (; table[place] !== 0; place = (place + 1) & (places - 1)) {
        const q = table[place] - 1;
        if (colours[2 * p] === colours[2 * q] && colours[2 * p + 1] === colours[2 * q + 1]) break;
      }
      if (table[place] !== 0) continue;
      table[place] = p + 1;
      distinct++;
    }
    return distinct;
  }
}

export interface Summary {
  /** Number of different colours. */
  distinct: number;
  first: number;
  second: number;
}
