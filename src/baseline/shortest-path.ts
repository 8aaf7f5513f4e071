/**
 * Shortest-path kernel: with c_(a, b, d)(G) the number of unordered pairs of different nodes of G with labels a ≤ b at distance d,
 *
 *   K(G, H) = Σ_(a, b, d) c_(a, b, d)(G) c_(a, b, d)(H);   without labels only d tells pairs apart.
 *
 * Pairs without a path are left out, and so are pairs (i, i): a graph without edges has no features. Weights are lengths.
 *
 * Cost: a breadth-first search from each node that is not a leaf (leaves share that of their neighbour), O(nE); with weights
 * Dijkstra's algorithm from each node, O(nE log n). Above `maximumSources` nodes that many random ones are taken as sources, and
 * the counts are scaled by n / sources: their expectation is the exact count. The random numbers depend on the seed and the
 * number of nodes alone, so that a graph's features do not depend on the others.
 *
 * Distances by Dijkstra are compared to 28 binary digits, since a sum of lengths depends on the order of its terms in the last of
 * the 53; with `bucket` they are compared by floor(d / bucket).
 *
 * Reference: Borgwardt, Kriegel: Shortest-path kernels on graphs, ICDM (2005), with Kronecker deltas on labels and lengths.
 * When: graphs of up to some thousand nodes in which distances mean something: molecules, proteins, road and brain networks.
 */
import { CheckedState } from "../base/checked-state.js";
import { badCall, badData, unknownName } from "../base/errors.js";
import { Random } from "../base/random.js";
import type { Graph } from "../graph/graph.js";
import { PatternTable } from "./pattern-table.js";
import {
  type CountFeatures,
  CountRows,
  checkOptions,
  haveLabels,
  type MergingVectoriser,
  type Vocabulary,
} from "./sparse-counts.js";

export interface ShortestPathOptions {
  /** "auto": node labels where all graphs have them; "none": distances alone. Default "auto". */
  labels?: "auto" | "nodes" | "none";
  /** Width of the intervals that distances are sorted into; null compares the distances themselves. Default null. */
  bucket?: number | null;
  /** Graphs with more nodes than this are sampled. Default 4000. */
  maximumSources?: number;
  /** Seed of the sampling. Default 0. */
  seed?: number;
}

const LABELS = ["auto", "nodes", "none"];
/** Smaller label, larger label, and the two halves of the distance. */
const PATTERN_WORDS = 4;

export class ShortestPath implements MergingVectoriser {
  private readonly options: Required<ShortestPathOptions>;
  private table: PatternTable | null = null;
  private useLabels = false;

  constructor(options: ShortestPathOptions = {}) {
    checkOptions("shortest-path", options, ["labels", "bucket", "maximumSources", "seed"]);
    const { labels = "auto", bucket = null, maximumSources = 4000, seed = 0 } = options;
    if (!LABELS.includes(labels)) throw unknownName("labels of shortest-path", String(labels), LABELS);
    if (bucket !== null && !(bucket > 0 && bucket < Number.POSITIVE_INFINITY))
      throw badCall(`shortest-path: bucket: got ${bucket}, expected a positive width or null`);
    if (!(Number.isInteger(maximumSources) && maximumSources >= 1))
      throw badCall(
        `shortest-path: maximumSources: got ${maximumSources}, expected an integer of at least 1`,
      );
    if (!(Number.isSafeInteger(seed) && seed >= 0))
      throw badCall(`shortest-path: seed: got ${seed}, expected an integer not below 0`);
    this.options = { labels, bucket, maximumSources, seed };
  }

  fit(graphs: readonly Graph[]): CountFeatures {
    const { labels } = this.options;
    this.useLabels = labels === "auto" ? haveLabels("shortest-path", graphs) : labels === "nodes";
    const table = new PatternTable();
    const rows = this.count(graphs, table);
    this.table = table;
    return rows.finish(table.size, this.notes(graphs));
  }

  transform(graphs: readonly Graph[]): CountFeatures {
    if (this.table === null)
      throw badCall("shortest-path: transform before fit: fit on the training graphs first");
    return this.count(graphs, new PatternTable(this.table)).finish(this.table.size, this.notes(graphs));
  }

  vocabulary(): Vocabulary {
    if (this.table === null)
      throw badCall("shortest-path: vocabulary before fit: fit on the training graphs first");
    return { values: { useLabels: this.useLabels }, arrays: { ...this.table.patterns() } };
  }

  restore(vocabulary: Vocabulary): void {
    this.useLabels = new CheckedState(vocabulary).flag("useLabels");
    this.table = PatternTable.from(vocabulary);
  }

  merge({ values, arrays }: Vocabulary): Uint32Array {
    this.table ??= new PatternTable();
    this.useLabels = values.useLabels === true;
    const table = this.table;
    const words = new Int32Array(arrays.words);
    return Uint32Array.from({ length: words.length / PATTERN_WORDS }, (_, k) =>
      table.intern(words, PATTERN_WORDS * k, PATTERN_WORDS),
    );
  }

  get size(): number {
    return this.table?.size ?? 0;
  }

  notes(graphs: readonly Graph[]): string[] {
    const { maximumSources, seed } = this.options;
    const large = graphs.filter((graph) => graph.nodeCount > maximumSources).length;
    if (large === 0) return [];
    return [
      `shortest-path: ${large} of ${graphs.length} graphs have more than ${maximumSources} nodes: their counts are estimated from ${maximumSources} random sources each (seed ${seed})`,
    ];
  }

  private count(graphs: readonly Graph[], table: PatternTable): CountRows {
    const rows = new CountRows();
    const search = new Search(graphs.reduce((most, graph) => Math.max(most, graph.nodeCount), 0));
    for (let g = 0; g < graphs.length; g++) {
      const graph = graphs[g];
      if (this.useLabels && graph.labels === null && graph.nodeCount > 0)
        throw badData(
          `shortest-path: graph ${g} has no node labels: expected them, as in the graphs of the fit`,
        );
      const sources = this.sources(graph.nodeCount);
      const tally = new LayerTally(
        this.useLabels ? graph.labels : null,
        graph.nodeCount,
        this.options.bucket,
      );
      const chosen = new Uint8Array(graph.nodeCount);
      for (const source of sources) chosen[source] = 1;
      for (let root = 0; root < graph.nodeCount; root++) {
        if (!tally.begin(graph, root, chosen)) continue;
        const reached =
          graph.weights === null ? search.breadthFirst(graph, root) : search.dijkstra(graph, root);
        tally.add(search, reached, table, rows);
      }
      // each pair is met from both its ends
      rows.endGraph(sources.length === graph.nodeCount ? 0.5 : (0.5 * graph.nodeCount) / sources.length);
    }
    return rows;
  }

  private sources(nodes: number): Uint32Array {
    const { maximumSources, seed } = this.options;
    const all = Uint32Array.from({ length: nodes }, (_, i) => i);
    return nodes <= maximumSources ? all : new Random(seed, nodes).shuffle(all).subarray(0, maximumSources);
  }
}

/** Searches from one node: order[0 .. reached) are the nodes by rising distance, the source first. */
class Search {
  readonly order: Uint32Array;
  readonly distance: Float64Array;
  private readonly heap: Uint32Array;
  /** Where a node is in the heap. */
  private readonly place: Uint32Array;

  constructor(nodes: number) {
    this.order = new Uint32Array(nodes);
    this.distance = new Float64Array(nodes);
    this.heap = new Uint32Array(nodes);
    this.place = new Uint32Array(nodes);
  }

  breadthFirst({ offsets, targets, nodeCount }: Graph, source: number): number {
    const { order, distance } = this;
    distance.fill(-1, 0, nodeCount);
    distance[source] = 0;
    order[0] = source;
    let reached = 1;
    for (let head = 0; head < reached; head++) {
      const i = order[head];
      const next = distance[i] + 1;
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = targets[k];
        if (distance[j] >= 0) continue;
        distance[j] = next;
        order[reached++] = j;
      }
    }
    return reached;
  }

  dijkstra({ offsets, targets, weights, nodeCount }: Graph, source: number): number {
    const { order, distance, heap, place } = this;
    distance.fill(Number.POSITIVE_INFINITY, 0, nodeCount);
    distance[source] = 0;
    heap[0] = source;
    place[source] = 0;
    let size = 1;
    let reached = 0;
    while (size > 0) {
      const i = heap[0];
      order[reached++] = i;
      const last = heap[--size];
      if (size > 0) this.sink(last, size);
      for (let k = offsets[i]; k < offsets[i + 1]; k++) {
        const j = targets[k];
        const through = distance[i] + weights![k];
        if (!(through < distance[j])) continue;
        if (distance[j] === Number.POSITIVE_INFINITY) place[j] = size++;
        distance[j] = through;
        this.rise(j);
      }
    }
    return reached;
  }

  private rise(node: number): void {
    const { distance, heap, place } = this;
    let at = place[node];
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (distance[heap[parent]] <= distance[node]) break;
      heap[at] = heap[parent];
      place[heap[at]] = at;
      at = parent;
    }
    heap[at] = node;
    place[node] = at;
  }

  /** Puts `node` in at the root. */
  private sink(node: number, size: number): void {
    const { distance, heap, place } = this;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && distance[heap[child + 1]] < distance[heap[child]]) child++;
      if (distance[heap[child]] >= distance[node]) break;
      heap[at] = heap[child];
      place[heap[at]] = at;
      at = child;
    }
    heap[at] = node;
    place[node] = at;
  }
}

/** Whether node i hangs on one other node that has further neighbours, so that its distances are those of that node plus 1. */
function isLeaf({ offsets, targets, weights }: Graph, i: number): boolean {
  if (weights !== null || offsets[i + 1] - offsets[i] !== 1) return false;
  const parent = targets[offsets[i]];
  return offsets[parent + 1] - offsets[parent] > 1;
}

/**
 * Counts the labels in each layer of equal distance, so that a pattern is looked up once a layer and label, not once a pair. One
 * search serves several sources: its root and the leaves on it, which are counted together when they have one label.
 */
class LayerTally {
  /** Label of each node as an index into `values`. */
  private readonly index: Uint32Array;
  private readonly values: number[];
  private readonly counts: Float64Array;
  private readonly present: Uint32Array;
  private presentCount = 0;
  /** Sources on the present root: whether itself, its label, and the number of leaves of each label. */
  private rootCounts = false;
  private rootLabel = 0;
  private readonly leaves: Float64Array;
  private readonly leafLabels: number[] = [];
  private readonly pattern = new Int32Array(PATTERN_WORDS);
  private readonly key = new Float64Array(1);
  private readonly keyWords = new Int32Array(this.key.buffer);

  constructor(
    labels: Int32Array | null,
    nodes: number,
    private readonly bucket: number | null,
  ) {
    this.index = new Uint32Array(nodes);
    this.values = labels === null ? [0] : [...new Set(labels)];
    if (labels !== null) {
      const position = new Map(this.values.map((value, k) => [value, k]));
      for (let i = 0; i < nodes; i++) this.index[i] = position.get(labels[i])!;
    }
    this.counts = new Float64Array(this.values.length);
    this.leaves = new Float64Array(this.values.length);
    this.present = new Uint32Array(this.values.length);
  }

  /** Collects the chosen sources that a search from `root` serves; false when there are none. */
  begin(graph: Graph, root: number, chosen: Uint8Array): boolean {
    const { offsets, targets } = graph;
    if (isLeaf(graph, root)) return false;
    this.rootCounts = chosen[root] === 1;
    this.rootLabel = this.index[root];
    for (const label of this.leafLabels) this.leaves[label] = 0;
    this.leafLabels.length = 0;
    for (let k = offsets[root]; k < offsets[root + 1]; k++) {
      const leaf = targets[k];
      if (chosen[leaf] === 0 || !isLeaf(graph, leaf)) continue;
      if (this.leaves[this.index[leaf]]++ === 0) this.leafLabels.push(this.index[leaf]);
    }
    return this.rootCounts || this.leafLabels.length > 0;
  }

  add(search: Search, reached: number, table: PatternTable, rows: CountRows): void {
    const { order, distance } = search;
    let layer = 0;
    for (let k = 0; k < reached; k++) {
      const d = distance[order[k]];
      if (d !== layer) {
        this.flush(layer, table, rows);
        layer = d;
      }
      const label = this.index[order[k]];
      if (this.counts[label]++ === 0) this.present[this.presentCount++] = label;
    }
    this.flush(layer, table, rows);
  }

  private flush(layer: number, table: PatternTable, rows: CountRows): void {
    const { counts, present, leaves } = this;
    if (this.rootCounts && layer > 0) {
      this.setDistance(layer);
      for (let k = 0; k < this.presentCount; k++)
        rows.add(this.id(this.rootLabel, present[k], table), counts[present[k]]);
    }
    if (this.leafLabels.length > 0) {
      this.setDistance(layer + 1);
      for (const own of this.leafLabels)
        for (let k = 0; k < this.presentCount; k++) {
          // a leaf is in the first layer itself, and is no pair with itself
          const others = counts[present[k]] - (layer === 1 && present[k] === own ? 1 : 0);
          if (others > 0) rows.add(this.id(own, present[k], table), leaves[own] * others);
        }
    }
    for (let k = 0; k < this.presentCount; k++) counts[present[k]] = 0;
    this.presentCount = 0;
  }

  private id(own: number, other: number, table: PatternTable): number {
    const { pattern, values } = this;
    pattern[0] = Math.min(values[own], values[other]);
    pattern[1] = Math.max(values[own], values[other]);
    return table.intern(pattern, 0, PATTERN_WORDS);
  }

  /** The lift by 2^-33 keeps numbers of few digits, and what lies some units in the last place beside them, where they are. */
  private setDistance(d: number): void {
    const { key, keyWords, pattern } = this;
    if (this.bucket !== null) key[0] = Math.floor((d / this.bucket) * LIFT);
    else if (d < 2 ** 53 && d === Math.floor(d)) key[0] = d;
    else {
      key[0] = d * LIFT;
      keyWords[0] &= 0xff000000;
    }
    pattern[2] = keyWords[0];
    pattern[3] = keyWords[1];
  }
}

const LIFT = 1 + 2 ** -33;
