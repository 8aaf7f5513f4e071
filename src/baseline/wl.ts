/**
 * Weisfeiler-Lehman subtree kernel. Each node starts with its label, or its degree when there are none, and takes in each of h
 * iterations a new label for the pair (own label, sorted multiset of the neighbours' labels). With c_f(G) the number of nodes of
 * G that carry the label f, iteration 0 included,
 *
 *   K(G, H) = Σ_{i=0..h} Σ_{f of iteration i} c_f(G) c_f(H):   the number of pairs of nodes with equal subtree patterns.
 *
 * Cost: O(h (n log n + E)) a graph. The neighbours' labels come out sorted without sorting each list: the nodes are put in
 * order of their labels once, and each in that order hands its label to its neighbours. Labels are never strings: a signature is
 * a run of integers in a hash table, and equality is confirmed word by word.
 *
 * A self-loop makes a node its own neighbour. Weights and attributes are ignored.
 *
 * Reference: Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt: Weisfeiler-Lehman graph kernels, JMLR 12 (2011).
 * When: the first kernel to try on graphs with node labels, molecules above all; fast on large sparse graphs. It sees no
 * more than colour refinement does: regular graphs without labels are all alike to it.
 */
import { CheckedState } from "../base/checked-state.js";
import { badCall, badData, unknownName } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { PatternTable } from "./pattern-table.js";
import {
  type CountFeatures,
  CountRows,
  type CountVectoriser,
  checkOptions,
  haveLabels,
  type Vocabulary,
} from "./sparse-counts.js";

export interface WeisfeilerLehmanOptions {
  /** Rounds of relabelling, h. 0 compares histograms of the first labels. Default 5. */
  iterations?: number;
  /** First labels: the nodes' own, their degrees (entries in the row), or "auto": their own where all graphs have them. Default "auto". */
  labels?: "auto" | "nodes" | "degrees";
}

const LABELS = ["auto", "nodes", "degrees"];

/** Begins the signature of a first label, where the signatures of later ones have the own label, which is not negative. */
const FIRST = -1;

export class WeisfeilerLehman implements CountVectoriser {
  readonly iterations: number;
  private readonly labels: "auto" | "nodes" | "degrees";
  private table: PatternTable | null = null;
  private useLabels = false;

  constructor(options: WeisfeilerLehmanOptions = {}) {
    checkOptions("WL", options, ["iterations", "labels"]);
    this.iterations = options.iterations ?? 5;
    this.labels = options.labels ?? "auto";
    if (!(Number.isInteger(this.iterations) && this.iterations >= 0 && this.iterations <= 1000))
      throw badCall(`WL: iterations: got ${this.iterations}, expected an integer from 0 to 1000`);
    if (!LABELS.includes(this.labels)) throw unknownName("labels of WL", String(this.labels), LABELS);
  }

  fit(graphs: readonly Graph[]): CountFeatures {
    this.useLabels = this.labels === "auto" ? haveLabels("WL", graphs) : this.labels === "nodes";
    const table = new PatternTable();
    const rows = this.count(graphs, table);
    this.table = table;
    return rows.finish(table.size);
  }

  transform(graphs: readonly Graph[]): CountFeatures {
    if (this.table === null) throw badCall("WL: transform before fit: fit on the training graphs first");
    return this.count(graphs, new PatternTable(this.table)).finish(this.table.size);
  }

  vocabulary(): Vocabulary {
    if (this.table === null) throw badCall("WL: vocabulary before fit: fit on the training graphs first");
    return { values: { useLabels: this.useLabels }, arrays: { ...this.table.patterns() } };
  }

  restore(vocabulary: Vocabulary): void {
    this.useLabels = new CheckedState(vocabulary).flag("useLabels");
    this.table = PatternTable.from(vocabulary);
  }

  private count(graphs: readonly Graph[], table: PatternTable): CountRows {
    const rows = new CountRows();
    const work = new Relabelling(graphs);
    for (let g = 0; g < graphs.length; g++) {
      const graph = graphs[g];
      if (this.useLabels && graph.labels === null && graph.nodeCount > 0)
        throw badData(`WL: graph ${g} has no node labels: expected them, as labels start the iterations`);
      work.start(graph, this.useLabels, table);
      work.add(graph, rows);
      for (let round = 0; round < this.iterations; round++) {
        work.round(graph, table);
        work.add(graph, rows);
      }
      rows.endGraph();
    }
    return rows;
  }
}

/** Present labels of one graph, in working memory for the largest. */
class Relabelling {
  private readonly label: Int32Array;
  private readonly cursor: Uint32Array;
  /** (node, label) as two 32-bit words, the label in the upper: sorted as 64-bit integers. */
  private readonly pairs: Uint32Array;
  /** The signature of node i from offsets[i] + i on: own label, then the neighbours', ascending. */
  private readonly signatures: Int32Array;

  constructor(graphs: readonly Graph[]) {
    let nodes = 0;
    let entries = 0;
    for (const graph of graphs) {
      nodes = Math.max(nodes, graph.nodeCount);
      entries = Math.max(entries, graph.targets.length);
    }
    this.label = new Int32Array(nodes);
    this.cursor = new Uint32Array(nodes);
    this.pairs = new Uint32Array(2 * nodes);
    this.signatures = new Int32Array(Math.max(2, nodes + entries));
  }

  start(graph: Graph, useLabels: boolean, table: PatternTable): void {
    const { label, signatures } = this;
    const { offsets, labels } = graph;
    signatures[0] = FIRST;
    for (let i = 0; i < graph.nodeCount; i++) {
      signatures[1] = useLabels ? labels![i] : offsets[i + 1] - offsets[i];
      label[i] = table.intern(signatures, 0, 2);
    }
  }

  add(graph: Graph, rows: CountRows): void {
    for (let i = 0; i < graph.nodeCount; i++) rows.add(this.label[i], 1);
  }

  round({ nodeCount, offsets, targets }: Graph, table: PatternTable): void {
    const { label, cursor, pairs, signatures } = this;
    for (let i = 0; i < nodeCount; i++) {
      pairs[2 * i] = i;
      pairs[2 * i + 1] = label[i];
      const start = offsets[i] + i;
      signatures[start] = label[i];
      cursor[i] = start + 1;
    }
    new BigUint64Array(pairs.buffer, 0, nodeCount).sort();
    for (let p = 0; p < nodeCount; p++) {
      const i = pairs[2 * p];
      const own = pairs[2 * p + 1];
      for (let k = offsets[i]; k < offsets[i + 1]; k++) signatures[cursor[targets[k]]++] = own;
    }
    for (let i = 0; i < nodeCount; i++)
      label[i] = table.intern(signatures, offsets[i] + i, offsets[i + 1] - offsets[i] + 1);
  }
}
