/**
 * Weisfeiler-Lehman subtree kernel. Each node starts with its label, or its degree when there are none, and takes in each of h
 * iterations a new label for the pair (own label, sorted multiset of the neighbours' labels). With c_f(G) the number of nodes of
 * G that carry the label f, iteration 0 included,
 *
 *   K(G, H) = Σ_{i=0..h} Σ_{f of iteration i} c_f(G) c_f(H):   the number of pairs of nodes with equal subtree patterns.
 *
 * Cost: O(h (n log n + E)) a graph (wl-rounds.ts). Labels are never strings: a signature is a run of integers, and equality is
 * confirmed word by word.
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
  type CountVectoriser,
  checkOptions,
  haveLabels,
  type Vocabulary,
} from "./sparse-counts.js";
import { SubtreeRounds } from "./wl-rounds.js";

export interface WeisfeilerLehmanOptions {
  /** Rounds of relabelling, h. 0 compares histograms of the first labels. Default 5. */
  iterations?: number;
  /** First labels: the nodes' own, their degrees (entries in the row), or "auto": their own where all graphs have them. Default "auto". */
  labels?: "auto" | "nodes" | "degrees";
}

const LABELS = ["auto", "nodes", "degrees"];

export class WeisfeilerLehman implements CountVectoriser {
  readonly iterations: number;
  private readonly labels: "auto" | "nodes" | "degrees";
  private table: PatternTable | null = null;
  /** The same sequences, all of which can be found: made when unseen graphs come. */
  private index: PatternTable | null = null;
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
    this.index = null;
    return { ...rows, known: table.size, notes: [] };
  }

  transform(graphs: readonly Graph[]): CountFeatures {
    if (this.table === null) throw badCall("WL: transform before fit: fit on the training graphs first");
    this.index ??= PatternTable.from({ values: {}, arrays: { ...this.table.patterns() } });
    return { ...this.count(graphs, new PatternTable(this.index)), known: this.index.size, notes: [] };
  }

  vocabulary(): Vocabulary {
    if (this.table === null) throw badCall("WL: vocabulary before fit: fit on the training graphs first");
    return { values: { useLabels: this.useLabels }, arrays: { ...this.table.patterns() } };
  }

  restore(vocabulary: Vocabulary): void {
    this.useLabels = new CheckedState(vocabulary).flag("useLabels");
    this.table = this.index = PatternTable.from(vocabulary);
  }

  private count(graphs: readonly Graph[], table: PatternTable) {
    const rounds = new SubtreeRounds(graphs, table);
    rounds.first((graph, g) => {
      if (!this.useLabels) return degrees(graph);
      if (graph.labels === null && graph.nodeCount > 0)
        throw badData(`WL: graph ${g} has no node labels: expected them, as labels start the iterations`);
      return graph.labels ?? new Int32Array(0);
    });
    for (let round = 0; round < this.iterations; round++) rounds.next();
    return rounds.rows();
  }
}

function degrees({ nodeCount, offsets }: Graph): Int32Array {
  const counts = new Int32Array(nodeCount);
  for (let i = 0; i < nodeCount; i++) counts[i] = offsets[i + 1] - offsets[i];
  return counts;
}
