/**
 * SAGE and labelled RetGK: return probabilities combined with node labels and attributes. Two nodes are compared by
 *
 *   k(u, v) = exp(−‖p_u − p_v‖² / (2 width²)) · [label_u = label_v] · exp(−‖a_u − a_v‖² / (2 attributeWidth²)),
 *
 * p the return probabilities of steps 1..M, a the attributes, each divided by its standard deviation over the nodes of the fit. The signature of a
 * graph is its mean embedding, one vector z_G, so that ⟨z_G, z_H⟩ ≈ (1/(n m)) Σ_uv k(u, v) and ‖z_G − z_H‖² ≈ MMD²:
 *
 *   z_G = (for each label) (1/n) Σ_{u with the label} √(2/features) · (cos ω_j·x_u, sin ω_j·x_u)_j,   x = (p / width, a / attributeWidth).
 *
 * The delta is exact: sums of different labels stand in different blocks. The product of two Gaussians is the Gaussian of x, and ω
 * standard normal draws its spectral density: the element-wise product of the two families of random Fourier features, exact in
 * expectation, with error O(1/√features). Labels that the fit has not seen share one last block. Graphs without labels or attributes
 * leave that factor out; then the signature is RetGK_II's.
 *
 * Cost: nodes · features · (M + attributes); twins with one label are taken once where there are no attributes. Labels × features numbers a
 * graph. When to use it: molecules, proteins and other attributed graphs. Sources: Zhang, Wang, Xiang, Huang, Nehorai, "RetGK", NeurIPS 2018;
 * Wu, Zhang, Nehorai, Zhao, Xu, "SAGE: scalable attributed graph embeddings for graph classification", ICLR 2019 workshop.
 */
import { CheckedState } from "../base/checked-state.js";
import { addCirclePoint } from "../base/circular.js";
import { badCall, badData, GraphdosError } from "../base/errors.js";
import { Random } from "../base/random.js";
import type { Graph } from "../graph/graph.js";
import type { Vectors } from "../signature/dos.js";
import { commonMoments } from "../signature/node-features.js";
import { attributeSpread, commonAttributes, distinctLabels } from "../signature/node-marks.js";
import { toReturnProbabilities } from "../spectrum/basis.js";
import { NO_ROW, requireRows, type SpectralProfile } from "../spectrum/profile.js";
import { checkOptions, haveLabels, type Vocabulary } from "./sparse-counts.js";

export interface LabelledOptions {
  /** Of the kernel on return probabilities. Default 0.1, RetGK's. */
  width?: number;
  /** Of the kernel on standardised attributes. Default: the square root of their number. */
  attributeWidth?: number | null;
  /** Numbers a label, two a frequency: even. Default 200. */
  features?: number;
  /** Whether to use labels and attributes where all graphs have them. Default true. */
  labels?: boolean;
  attributes?: boolean;
  /** Default 0. */
  seed?: number;
}

export type ProfileOfNodes = Pick<SpectralProfile, "nodeCount" | "moments" | "rowCount" | "rows" | "rowOf">;

/** A signature takes at most this many numbers for all graphs together: 4 GiB. */
const MAX_NUMBERS = 2 ** 29;

export class LabelledReturnKernel {
  readonly options: Required<LabelledOptions>;
  /** Ascending; empty when labels are not used. */
  labels: Int32Array = new Int32Array(0);
  private fitted = false;
  private useLabels = false;
  /** 1 / (standard deviation · attributeWidth) of each attribute; 0 for constant ones. */
  private attributeScale = new Float64Array(0);

  constructor(options: LabelledOptions = {}) {
    const names = ["width", "attributeWidth", "features", "labels", "attributes", "seed"];
    checkOptions("labelled return probabilities", options, names);
    const { width = 0.1, attributeWidth = null, features = 200, seed = 0 } = options;
    const { labels = true, attributes = true } = options;
    for (const [name, value] of Object.entries({ width, attributeWidth: attributeWidth ?? 1 }))
      if (!(value > 0 && value < Number.POSITIVE_INFINITY))
        throw badCall(
          `labelled return probabilities: ${name}: got ${value}, expected a finite number above 0`,
        );
    if (!(Number.isInteger(features) && features >= 2 && features % 2 === 0))
      throw badCall(
        `labelled return probabilities: features: got ${features}, expected an even number of at least 2`,
      );
    if (!(Number.isSafeInteger(seed) && seed >= 0))
      throw badCall(`labelled return probabilities: seed: got ${seed}, expected an integer of at least 0`);
    this.options = { width, attributeWidth, features, labels, attributes, seed };
  }

  /** Learns from these graphs and gives their vectors. */
  fit(graphs: readonly Graph[], profiles: readonly ProfileOfNodes[]): Vectors {
    this.learn(graphs);
    return this.transform(graphs, profiles);
  }

  /** Takes the labels from these graphs, and the scales of the attributes unless their deviations are given. */
  learn(graphs: readonly Graph[], deviations?: Float64Array): void {
    const { labels, attributes, attributeWidth } = this.options;
    this.useLabels = labels && haveLabels("labelled return probabilities", graphs);
    this.labels = this.useLabels ? distinctLabels(graphs) : new Int32Array(0);
    const dimension = attributes ? commonAttributes(graphs) : 0;
    const width = attributeWidth ?? Math.sqrt(Math.max(1, dimension));
    const spread = deviations ?? attributeSpread(graphs, dimension).deviations;
    this.attributeScale = spread.map((s) => (s > 0 ? 1 / (s * width) : 0));
    this.fitted = true;
  }

  /** One for each label, one for those that the fit has not seen. */
  private get blocks(): number {
    return this.useLabels ? this.labels.length + 1 : 1;
  }

  /** Numbers of a graph's vector. */
  get dimension(): number {
    return this.blocks * this.options.features;
  }

  /** Throws a sentence where these graphs cannot have vectors. */
  check(graphs: readonly Graph[], profiles: readonly ProfileOfNodes[]): void {
    if (!this.fitted) throw badCall("labelled return probabilities: transform before fit");
    commonMoments(profiles, "labelled return probabilities");
    checkPairs(graphs, profiles);
    if (this.dimension * graphs.length > MAX_NUMBERS)
      throw new GraphdosError(
        "limit",
        `labelled return probabilities: ${graphs.length} graphs × ${this.blocks} labels × ${this.options.features} features: expected at most ${MAX_NUMBERS} numbers; take fewer features`,
      );
    for (const [g, { labels, attributeDimension, nodeCount }] of graphs.entries()) {
      if (this.useLabels && labels === null && nodeCount > 0)
        throw badData(`labelled return probabilities: graph ${g} has no node labels`);
      if (this.attributeCount > 0 && attributeDimension !== this.attributeCount && nodeCount > 0)
        throw badData(
          `labelled return probabilities: graph ${g}: got ${attributeDimension} attributes, expected ${this.attributeCount}`,
        );
    }
  }

  transform(graphs: readonly Graph[], profiles: readonly ProfileOfNodes[]): Vectors {
    this.check(graphs, profiles);
    const M = commonMoments(profiles, "labelled return probabilities");
    const { features, width } = this.options;
    const { blocks, dimension, attributeScale: scale } = this;
    const blockOf = new Map(Array.from(this.labels, (label, k) => [label, k]));
    const frequencies = this.frequencies(M + scale.length);
    const out = new Float64Array(graphs.length * dimension);
    const x = new Float64Array(M + scale.length);
    for (let g = 0; g < graphs.length; g++) {
      const { labels, attributes, nodeCount } = graphs[g];
      const { rowOf, rows, rowCount } = profiles[g];
      requireRows(profiles[g], `graph ${g}`);
      const probabilities = toReturnProbabilities(rows.slice(), rowCount, M);
      const known = nodeCount - rowOf.reduce((sum, row) => sum + (row === NO_ROW ? 1 : 0), 0);
      // without attributes, nodes with one row and one label are alike: counted first, computed once
      const weights = new Map<number, number>();
      for (let i = 0; i < nodeCount; i++) {
        if (rowOf[i] === NO_ROW) continue;
        const block = this.useLabels ? (blockOf.get(labels![i]) ?? this.labels.length) : 0;
        const key = scale.length > 0 ? i * blocks + block : rowOf[i] * blocks + block;
        weights.set(key, (weights.get(key) ?? 0) + 1 / known);
      }
      for (const [key, weight] of weights) {
        const item = Math.floor(key / blocks);
        const row = scale.length > 0 ? rowOf[item] : item;
        for (let m = 0; m < M; m++) x[m] = probabilities[row * (M + 1) + m + 1] / width;
        for (let a = 0; a < scale.length; a++) x[M + a] = attributes![item * scale.length + a] * scale[a];
        addFourier(out, g * dimension + (key % blocks) * features, x, frequencies, weight, features);
      }
    }
    return { count: graphs.length, dimension, values: out };
  }

  /** Attributes a node that are used. */
  get attributeCount(): number {
    return this.attributeScale.length;
  }

  /** What the fit has learnt, in plain values and arrays. */
  vocabulary(): Vocabulary {
    if (!this.fitted) throw badCall("labelled return probabilities: vocabulary before fit");
    return {
      values: { useLabels: this.useLabels },
      arrays: { labels: Float64Array.from(this.labels), attributeScale: this.attributeScale },
    };
  }

  restore(vocabulary: Vocabulary): void {
    const checked = new CheckedState(vocabulary);
    this.useLabels = checked.flag("useLabels");
    this.labels = Int32Array.from(checked.floats("labels"));
    this.attributeScale = checked.floats("attributeScale").slice();
    this.fitted = true;
  }

  /** features/2 standard normal vectors; number j draws from stream j of the seed. */
  private frequencies(dimension: number): Float64Array {
    const { features, seed } = this.options;
    const out = new Float64Array((features / 2) * dimension);
    for (let j = 0; j < features / 2; j++) {
      const random = new Random(seed, j, dimension);
      for (let k = 0; k < dimension; k++) out[j * dimension + k] = random.normal();
    }
    return out;
  }
}

/** out[at..] += weight · √(2/features) · (cos ω_j·x, sin ω_j·x)_j. */
function addFourier(
  out: Float64Array,
  at: number,
  x: Float64Array,
  frequencies: Float64Array,
  weight: number,
  features: number,
): void {
  const size = weight * Math.sqrt(2 / features);
  for (let j = 0; 2 * j < features; j++) {
    let angle = 0;
    for (let k = 0; k < x.length; k++) angle += frequencies[j * x.length + k] * x[k];
    addCirclePoint(angle, size, out, at + 2 * j);
  }
}

function checkPairs(graphs: readonly Graph[], profiles: readonly ProfileOfNodes[]): void {
  if (graphs.length !== profiles.length)
    throw badCall(`labelled kernel: got ${profiles.length} profiles for ${graphs.length} graphs`);
  for (let g = 0; g < graphs.length; g++)
    if (graphs[g].nodeCount !== profiles[g].nodeCount)
      throw badCall(
        `labelled kernel: profile ${g}: got ${profiles[g].nodeCount} nodes, expected ${graphs[g].nodeCount} as in its graph`,
      );
}
