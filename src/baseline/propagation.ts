/**
 * Propagation kernel: labels spread along the edges, and nodes are compared by where the labels about them are. P_0 has a row for each node, 1 at
 * its label (its degree when there are none), and P_t+1 = T P_t with the random walk T = D⁻¹A; a node without edges keeps its label. In
 * each step t = 0..h nodes with near rows fall into one bin, by hashing that respects the total variation distance,
 *
 *   bin_t(u) = ⌊(⟨P_t(u), v_t⟩ + b_t) / w⌋,   v_t Cauchy (a quotient of normals), one number a label, b_t uniform in [0, w),
 *   K(G, H) = Σ_t Σ_bins c(G) c(H),   c the nodes in a bin.
 *
 * Two rows with Σ|p − q| = s share a bin with probability 2/π · atan(w/s) − s/(πw) · ln(1 + w²/s²): nearly always for s ≪ w.
 *
 * The rows are never written down: P_t v_t = Tᵗ (P_0 v_t) is one number a node, taken t steps. v_t of a label is drawn from the stream numbered
 * (label, t), so that bins mean the same for all graphs, whichever labels these have.
 *
 * Cost: h²/2 · E a graph, whatever the number of labels. Weights are used, self-loops stay at their node, attributes are ignored.
 *
 * Reference: Neumann, Garnett, Bauckhage, Kersting: Propagation kernels, Machine Learning 102 (2016); hashing: Datar, Immorlica, Indyk,
 * Mirrokni: Locality-sensitive hashing scheme based on p-stable distributions, SoCG (2004).
 * When: labels of which some are wrong or much alike in their surroundings, where WL tells apart too much.
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

export interface PropagationOptions {
  /** Steps of the walk, h. Default 5. */
  iterations?: number;
  /** Width w of the bins. Default 0.01. */
  width?: number;
  /** First labels: the nodes' own, their degrees (entries in the row), or "auto": their own where all graphs have them. Default "auto". */
  labels?: "auto" | "nodes" | "degrees";
  /** Default 0. */
  seed?: number;
}

const LABELS = ["auto", "nodes", "degrees"];

/** A pattern is (step, bin), the bin in two words. */
const PATTERN_WORDS = 3;
const WORD = 2 ** 32;

export class Propagation implements MergingVectoriser {
  private readonly options: Required<PropagationOptions>;
  private table: PatternTable | null = null;
  private useLabels = false;

  constructor(options: PropagationOptions = {}) {
    checkOptions("propagation", options, ["iterations", "width", "labels", "seed"]);
    const { iterations = 5, width = 0.01, labels = "auto", seed = 0 } = options;
    if (!(Number.isInteger(iterations) && iterations >= 0 && iterations <= 1000))
      throw badCall(`propagation: iterations: got ${iterations}, expected an integer from 0 to 1000`);
    if (!(width > 0 && width < Number.POSITIVE_INFINITY))
      throw badCall(`propagation: width: got ${width}, expected a number above 0`);
    if (!LABELS.includes(labels)) throw unknownName("labels of propagation", String(labels), LABELS);
    if (!(Number.isSafeInteger(seed) && seed >= 0))
      throw badCall(`propagation: seed: got ${seed}, expected an integer not below 0`);
    this.options = { iterations, width, labels, seed };
  }

  fit(graphs: readonly Graph[]): CountFeatures {
    const { labels } = this.options;
    this.useLabels = labels === "auto" ? haveLabels("propagation", graphs) : labels === "nodes";
    const table = new PatternTable();
    const rows = this.count(graphs, table);
    this.table = table;
    return rows.finish(table.size);
  }

  transform(graphs: readonly Graph[]): CountFeatures {
    if (this.table === null)
      throw badCall("propagation: transform before fit: fit on the training graphs first");
    return this.count(graphs, new PatternTable(this.table)).finish(this.table.size);
  }

  vocabulary(): Vocabulary {
    if (this.table === null)
      throw badCall("propagation: vocabulary before fit: fit on the training graphs first");
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

  notes(): string[] {
    return [];
  }

  private count(graphs: readonly Graph[], table: PatternTable): CountRows {
    const { iterations, width, seed } = this.options;
    const rows = new CountRows();
    const pattern = new Int32Array(PATTERN_WORDS);
    // labels have the streams (label, t), t not below 0
    const shifts = Array.from(
      { length: iterations + 1 },
      (_, t) => width * new Random(seed, 0, -1 - t).uniform(),
    );
    const directions = shifts.map(() => new Map<number, number>());
    const direction = (t: number, label: number) => {
      let value = directions[t].get(label);
      if (value === undefined) {
        const random = new Random(seed, label, t);
        value = random.normal() / random.normal();
        directions[t].set(label, value);
      }
      return value;
    };
    graphs.forEach((graph, g) => {
      if (this.useLabels && graph.labels === null && graph.nodeCount > 0)
        throw badData(`propagation: graph ${g} has no node labels: expected them, as labels are propagated`);
      const first = this.useLabels ? graph.labels! : null;
      const degrees = weightedDegrees(graph);
      let x = new Float64Array(graph.nodeCount);
      let next = new Float64Array(graph.nodeCount);
      for (let t = 0; t <= iterations; t++) {
        for (let i = 0; i < graph.nodeCount; i++)
          x[i] = direction(t, first === null ? graph.neighbourCount(i) : first[i]);
        for (let step = 0; step < t; step++) {
          walk(graph, degrees, x, next);
          [x, next] = [next, x];
        }
        for (let i = 0; i < graph.nodeCount; i++) {
          const bin = Math.floor((x[i] + shifts[t]) / width);
          pattern[0] = t;
          pattern[1] = (bin % WORD) | 0;
          pattern[2] = Math.floor(bin / WORD) | 0;
          rows.add(table.intern(pattern, 0, PATTERN_WORDS), 1);
        }
      }
      rows.endGraph();
    });
    return rows;
  }
}

function weightedDegrees({ nodeCount, offsets, weights }: Graph): Float64Array {
  const degrees = new Float64Array(nodeCount);
  for (let i = 0; i < nodeCount; i++)
    for (let k = offsets[i]; k < offsets[i + 1]; k++) degrees[i] += weights === null ? 1 : weights[k];
  return degrees;
}

/** out = T x. */
function walk(graph: Graph, degrees: Float64Array, x: Float64Array, out: Float64Array): void {
  const { nodeCount, offsets, targets, weights } = graph;
  for (let i = 0; i < nodeCount; i++) {
    let sum = 0;
    for (let k = offsets[i]; k < offsets[i + 1]; k++)
      sum += (weights === null ? 1 : weights[k]) * x[targets[k]];
    out[i] = degrees[i] > 0 ? sum / degrees[i] : x[i];
  }
}
