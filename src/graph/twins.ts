/**
 * Twin classes: nodes that can change places without changing the graph.
 *
 * i and j are twins when A_ii = A_jj and A_ik = A_jk for every k other than i and j; their mutual weight b = A_ij may be
 * anything. b = 0 are open twins (leaves of one parent), b > 0 closed twins (members of one clique). The relation is an
 * equivalence and b is the same for all pairs of a class: if i, j are twins and j, k are twins then A_ij = A_ik = A_jk.
 *
 * With f(k, w) two independent 32-bit hashes, h(i) = Σ_{k ≠ i} f(k, A_ik). Open twins have h(i) = h(j): found in a hash table.
 * Closed twins are neighbours with h(i) + f(i, b) = h(j) + f(j, b): found by looking along the edges. Either is confirmed by
 * comparing the rows, once a member, so the result is exact. O(nodes + edges) expected time.
 */
import { badCall } from "../base/errors.js";
import type { Graph } from "./graph.js";
import { mix32, mixNumber } from "./mixing.js";

export interface TwinOptions {
  /** "one" takes every A_ii as 1 (the operator A + I) instead of the self-loops of the graph. Default "keep". */
  selfLoops?: "keep" | "one";
  /** "respect": twins must also carry the same node label. Default "ignore": labels do not enter the spectrum. */
  labels?: "ignore" | "respect";
}

export interface TwinClasses {
  /** Number of classes; they are numbered by their smallest node. */
  count: number;
  /** Class of each node. */
  classOf: Uint32Array;
  /** Number of nodes in each class. */
  size: Uint32Array;
  /** Smallest node of each class. */
  representative: Uint32Array;
  /** A_ii of the members of each class. */
  selfWeight: Float64Array;
  /** A_ij between the members of each class: 0 for open twins and for single nodes. */
  mutualWeight: Float64Array;
}

/** Twin classes of one graph. For many graphs, keep a TwinFinder. */
export function twinClasses(graph: Graph, options: TwinOptions = {}): TwinClasses {
  const { count, classOf, size, representative, selfWeight, mutualWeight } = new TwinFinder(options).find(
    graph,
  );
  return {
    count,
    classOf: classOf.slice(0, graph.nodeCount),
    size: size.slice(0, count),
    representative: representative.slice(0, count),
    selfWeight: selfWeight.slice(0, count),
    mutualWeight: mutualWeight.slice(0, count),
  };
}

/**
 * Finds twins in one graph after another in the same working memory. The arrays of the result are that memory: longer than
 * needed (nodeCount entries of classOf count, `count` entries of the others) and valid until the next call of find.
 */
export class TwinFinder implements TwinClasses {
  count = 0;
  classOf = new Uint32Array(0);
  size = new Uint32Array(0);
  representative = new Uint32Array(0);
  selfWeight = new Float64Array(0);
  mutualWeight = new Float64Array(0);
  private readonly loopsAreOne: boolean;
  private readonly respectLabels: boolean;
  /** f(k, 1) for every node k: two hashes side by side. */
  private nodeHash = new Int32Array(0);
  /** h(i), side by side. */
  private sums = new Int32Array(0);
  /** Smallest known twin of each node, itself for a class's first. */
  private twinOf = new Uint32Array(0);
  private paired = new Uint8Array(0);
  /** Open addressing; holds node + 1, 0 is free. At least twice as many places as nodes. */
  private table = new Int32Array(0);

  constructor(options: TwinOptions = {}) {
    checkOption("selfLoops", options.selfLoops, ["keep", "one"]);
    checkOption("labels", options.labels, ["ignore", "respect"]);
    for (const name of Object.keys(options))
      if (name !== "selfLoops" && name !== "labels") throw badCall(`twins: unknown option: ${name}`);
    this.loopsAreOne = options.selfLoops === "one";
    this.respectLabels = options.labels === "respect";
  }

  find(graph: Graph): this {
    const n = graph.nodeCount;
    this.reserve(n);
    this.hashRows(graph);
    this.twinOf.fill(0, 0, n);
    this.paired.fill(0, 0, n);
    this.mutualWeight.fill(0, 0, n);
    this.findOpen(graph);
    this.findClosed(graph);
    this.number(n);
    return this;
  }

  private reserve(n: number): void {
    if (this.classOf.length >= n) return;
    const size = Math.max(64, n, Math.min(2 * this.classOf.length, 1 << 20));
    this.classOf = new Uint32Array(size);
    this.size = new Uint32Array(size);
    this.representative = new Uint32Array(size);
    this.selfWeight = new Float64Array(size);
    this.mutualWeight = new Float64Array(size);
    this.twinOf = new Uint32Array(size);
    this.paired = new Uint8Array(size);
    this.sums = new Int32Array(2 * size);
    this.nodeHash = new Int32Array(2 * size);
    for (let k = 0; k < 2 * size; k++) this.nodeHash[k] = mix32(k + 0x1b873593);
    this.table = new Int32Array(2 ** Math.ceil(Math.log2(2 * size)));
  }

  /** sums = h(i), with A_ii and the label (when respected) mixed in; selfWeight[i] = A_ii. */
  private hashRows(graph: Graph): void {
    const { nodeCount: n, offsets, targets, weights, labels } = graph;
    const { nodeHash, sums, selfWeight, loopsAreOne } = this;
    const respectLabels = this.respectLabels && labels !== null;
    for (let i = 0; i < n; i++) {
      let h0 = 0;
      let h1 = 0;
      let own = 0;
      const end = offsets[i + 1];
      for (let k = offsets[i]; k < end; k++) {
        const j = targets[k];
        if (j === i) own = weights === null ? 1 : weights[k];
        else if (weights === null) {
          h0 = (h0 + nodeHash[2 * j]) | 0;
          h1 = (h1 + nodeHash[2 * j + 1]) | 0;
        } else {
          const w = mixNumber(weights[k]);
          h0 = (h0 + mix32(nodeHash[2 * j] ^ w)) | 0;
          h1 = (h1 + mix32(nodeHash[2 * j + 1] + w)) | 0;
        }
      }
      if (loopsAreOne) own = 1;
      else if (own !== 0) h0 = (h0 + mixNumber(own)) | 0;
      if (respectLabels) h1 = (h1 + mix32(labels[i] ^ 0x5bd1e995)) | 0;
      selfWeight[i] = own;
      sums[2 * i] = h0;
      sums[2 * i + 1] = h1;
    }
  }

  private findOpen(graph: Graph): void {
    const { sums, table, twinOf, paired, mutualWeight } = this;
    const n = graph.nodeCount;
    let places = 64;
    while (places < 2 * n) places *= 2;
    table.fill(0, 0, places);
    for (let i = 0; i < n; i++) {
      let place = (sums[2 * i] ^ Math.imul(sums[2 * i + 1], 0x9e3779b1)) & (places - 1);
      twinOf[i] = i;
      for (; table[place] !== 0; place = (place + 1) & (places - 1)) {
        const j = table[place] - 1;
        if (sums[2 * i] !== sums[2 * j] || sums[2 * i + 1] !== sums[2 * j + 1]) continue;
        const b = this.compare(graph, i, j);
        if (b < 0) continue;
        twinOf[i] = j;
        mutualWeight[j] = b;
        paired[i] = paired[j] = 1;
        break;
      }
      if (twinOf[i] === i) table[place] = i + 1;
    }
  }

  private findClosed(graph: Graph): void {
    const { nodeCount: n, offsets, targets, weights } = graph;
    const { sums, nodeHash, twinOf, paired, mutualWeight } = this;
    for (let i = 0; i < n; i++) {
      if (paired[i] === 1) continue;
      const end = offsets[i + 1];
      for (let k = offsets[i]; k < end; k++) {
        const j = targets[k];
        if (j <= i || paired[j] === 1) continue;
        if (weights === null) {
          if (((sums[2 * i] + nodeHash[2 * i] - sums[2 * j] - nodeHash[2 * j]) | 0) !== 0) continue;
        } else {
          const w = mixNumber(weights[k]);
          const fi = mix32(nodeHash[2 * i] ^ w);
          const fj = mix32(nodeHash[2 * j] ^ w);
          if (((sums[2 * i] + fi - sums[2 * j] - fj) | 0) !== 0) continue;
        }
        const b = this.compare(graph, i, j);
        if (b < 0) continue;
        twinOf[j] = i;
        mutualWeight[i] = b;
        paired[j] = 1;
      }
    }
  }

  /** A_ij when i and j are twins, else −1. One walk along both rows. */
  private compare(graph: Graph, i: number, j: number): number {
    const { offsets, targets, weights, labels } = graph;
    if (this.selfWeight[i] !== this.selfWeight[j]) return -1;
    if (this.respectLabels && labels !== null && labels[i] !== labels[j]) return -1;
    let p = offsets[i];
    let q = offsets[j];
    const pEnd = offsets[i + 1];
    const qEnd = offsets[j + 1];
    let b = 0;
    for (;;) {
      while (p < pEnd && (targets[p] === i || targets[p] === j)) {
        if (targets[p] === j) b = weights === null ? 1 : weights[p];
        p++;
      }
      while (q < qEnd && (targets[q] === i || targets[q] === j)) q++;
      if (p === pEnd || q === qEnd) return p === pEnd && q === qEnd ? b : -1;
      if (targets[p] !== targets[q]) return -1;
      if (weights !== null && weights[p] !== weights[q]) return -1;
      p++;
      q++;
    }
  }

  /** Numbers the classes in the order of their first nodes; a class's number never exceeds it, so arrays close up in place. */
  private number(n: number): void {
    const { classOf, size, representative, selfWeight, mutualWeight, twinOf } = this;
    let count = 0;
    for (let i = 0; i < n; i++) {
      if (twinOf[i] !== i) {
        classOf[i] = classOf[twinOf[i]];
        size[classOf[i]]++;
        continue;
      }
      classOf[i] = count;
      size[count] = 1;
      representative[count] = i;
      selfWeight[count] = selfWeight[i];
      mutualWeight[count] = mutualWeight[i];
      count++;
    }
    this.count = count;
  }
}

function checkOption(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value))
    throw badCall(`twins: ${name}: got ${value}, expected ${allowed.join(" or ")}`);
}
