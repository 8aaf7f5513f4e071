/**
 * FGSD: the histogram of a family of graph spectral distances. With λ_k, φ_k the eigenpairs of L = D − A,
 *
 *   S_f(x, y) = Σ_{λ_k > 0} f(λ_k) (φ_k(x) − φ_k(y))² = f(L)_xx + f(L)_yy − 2 f(L)_xy,
 *
 *   harmonic f = 1/λ, the effective resistance (on a tree: the length of the way);  biharmonic f = 1/λ².
 *
 * The signature counts, over all n² ordered pairs, x = y included (as the authors' program does with the whole matrix), the distances in
 * [b·width, (b + 1)·width): a sparse row of counts, compared by inner products. The range is open: bins exist where distances are. A
 * distance within 1e-4 of a bin below an edge counts as on the edge: distances such as 1 or 2/5 lie on edges, and rounding must not choose
 * the bin.
 *
 * Nodes of different components: f(L) is 0 between them, so that S = f(L)_xx + f(L)_yy, finite, as in the authors' program. Self-loops
 * cancel in D − A. Weights are conductances. Labels and attributes are ignored.
 *
 * Exact (laplacian.ts): classes² + core³/2 operations; twins share their distances, so that pairs of classes are counted, not of nodes.
 * Sampled, for large graphs: f(L) of a random sample of nodes by conjugate gradients (laplacian-solver.ts); the counts among the sample are scaled to
 * all pairs. sample · steps · entries operations. The error of every distance is bounded by what is left of the residuals; where it may
 * be wider than a bin the graph is computed exactly (`auto`, up to 16,384 classes) or refused.
 *
 * When to use it: unlabelled graphs of moderate size, where cycles and bottlenecks tell the classes apart. Wide bins forgive more. Source: Verma,
 * Zhang, "Hunt for the unique, stable, sparse and fast feature learning on graphs", NIPS 2017; their widths are 1e-3, 1e-4 and 1e-5.
 */
import { CheckedState } from "../base/checked-state.js";
import { badCall, badData, unknownName } from "../base/errors.js";
import { Random } from "../base/random.js";
import type { Graph } from "../graph/graph.js";
import { twinClasses } from "../graph/twins.js";
import { laplacianInverse, MAX_CLASSES } from "./laplacian.js";
import { dot, LaplacianSolver } from "./laplacian-solver.js";
import { NumberTable } from "./number-table.js";
import { copiedTo } from "./pattern-table.js";
import {
  type CountFeatures,
  CountRows,
  checkOptions,
  type MergingVectoriser,
  type Vocabulary,
} from "./sparse-counts.js";

export const FGSD_DISTANCES = ["harmonic", "biharmonic"] as const;
export type FgsdDistance = (typeof FGSD_DISTANCES)[number];
export const FGSD_METHODS = ["auto", "exact", "sampled"] as const;
export type FgsdMethod = (typeof FGSD_METHODS)[number];

export interface FgsdOptions {
  /** Default harmonic. */
  distance?: FgsdDistance;
  /** Default 1e-3. */
  binWidth?: number;
  /** auto: exact up to 4,096 twin classes. Default auto. */
  method?: FgsdMethod;
  /** The most steps of conjugate gradients. Default 2,000. */
  steps?: number;
  /** Nodes whose distances to each other are computed in a large graph; all when there are fewer. Default 200. */
  sample?: number;
  /** Of the sample. Default 0. */
  seed?: number;
}

/** More twin classes in a graph are sampled. */
export const EXACT_CLASSES = 4096;
/** Counts of bins below this one lie in a table of a worker. */
export const DENSE_BINS = 2 ** 22;
const EDGE = 1e-4;

/** Adds `count` pairs of nodes at a distance. */
type AddPairs = (distance: number, count: number) => void;

export class Fgsd implements MergingVectoriser {
  readonly options: Required<FgsdOptions>;
  private numbers: NumberTable | null = null;

  constructor(options: FgsdOptions = {}) {
    checkOptions("FGSD", options, ["distance", "binWidth", "method", "steps", "sample", "seed"]);
    const { distance = "harmonic", binWidth = 1e-3, method = "auto" } = options;
    const { steps = 2000, sample = 200, seed = 0 } = options;
    if (!FGSD_DISTANCES.includes(distance)) throw unknownName("distance", String(distance), FGSD_DISTANCES);
    if (!FGSD_METHODS.includes(method)) throw unknownName("method of FGSD", String(method), FGSD_METHODS);
    if (!(binWidth > 0 && binWidth < Number.POSITIVE_INFINITY))
      throw badCall(`FGSD: binWidth: got ${binWidth}, expected a finite number above 0`);
    for (const [name, value, least] of [
      ["steps", steps, 1],
      ["sample", sample, 2],
      ["seed", seed, 0],
    ] as const)
      if (!(Number.isSafeInteger(value) && value >= least))
        throw badCall(`FGSD: ${name}: got ${value}, expected an integer of at least ${least}`);
    this.options = { distance, binWidth, method, steps, sample, seed };
  }

  fit(graphs: readonly Graph[]): CountFeatures {
    const numbers = new NumberTable();
    const rows = this.count(graphs, numbers);
    this.numbers = numbers;
    return rows.rows.finish(numbers.size, rows.notes);
  }

  transform(graphs: readonly Graph[]): CountFeatures {
    if (this.numbers === null) throw badCall("FGSD: transform before fit: fit on the training graphs first");
    const known = this.numbers.size;
    const { rows, notes } = this.count(graphs, this.numbers.copy());
    return rows.finish(known, notes);
  }

  /** The bins that the fit has numbered: distances of pattern k start at bins()[k]·binWidth. */
  bins(): Float64Array {
    return this.numbers?.list() ?? new Float64Array(0);
  }

  vocabulary(): Vocabulary {
    return { values: {}, arrays: { bins: this.bins() } };
  }

  restore(vocabulary: Vocabulary): void {
    const checked = new CheckedState(vocabulary);
    const bins = checked.floats("bins");
    this.numbers = NumberTable.from(bins);
    if (this.numbers.size !== bins.length) throw checked.fail("bins", "one of them twice", "different ones");
  }

  merge({ arrays }: Vocabulary): Uint32Array {
    this.numbers ??= new NumberTable();
    const numbers = this.numbers;
    return Uint32Array.from(arrays.bins, (bin) => numbers.intern(bin));
  }

  get size(): number {
    return this.numbers?.size ?? 0;
  }

  notes(graphs: readonly Graph[]): string[] {
    const { method, sample, binWidth } = this.options;
    const large = graphs.filter((graph) => !isExact(graph, method)).length;
    if (large === 0) return [];
    return [
      `FGSD: ${large} of ${graphs.length} graphs of more than ${EXACT_CLASSES} classes by a sample of ${sample} nodes each, distances within a bin of ${binWidth}`,
    ];
  }

  private count(graphs: readonly Graph[], numbers: NumberTable) {
    const rows = new CountRows();
    const notes: string[] = [];
    const counter = new BinCounter(this.options.binWidth);
    for (let g = 0; g < graphs.length; g++) {
      const note = fgsdPairs(graphs[g], this.options, counter.add);
      if (note !== null) notes.push(`graph ${g}: ${note}`);
      counter.drain((bin, count) => {
        rows.add(numbers.intern(bin), count);
      });
      rows.endGraph();
    }
    return { rows, notes };
  }
}

/** S_f(x, y) for all nodes, exact, row by row: 8n² bytes. */
export function spectralDistances(graph: Graph, distance: FgsdDistance = "harmonic"): Float64Array {
  if (!FGSD_DISTANCES.includes(distance)) throw unknownName("distance", String(distance), FGSD_DISTANCES);
  const { nodeCount: n } = graph;
  const { count, sizes, classOf, means, spikes } = laplacianInverse(graph, distance === "harmonic" ? 1 : 2);
  const diagonal = spikes.map((f, p) => means[p * count + p] + (1 - 1 / sizes[p]) * f);
  const out = new Float64Array(n * n);
  for (let x = 0; x < n; x++)
    for (let y = 0; y < n; y++) {
      const [p, q] = [classOf[x], classOf[y]];
      if (p !== q) out[x * n + y] = Math.max(0, diagonal[p] + diagonal[q] - 2 * means[p * count + q]);
      else if (x !== y) out[x * n + y] = 2 * spikes[p];
    }
  return out;
}

function isExact(graph: Graph, method: FgsdMethod): boolean {
  if (method !== "auto") return method === "exact";
  return graph.nodeCount <= EXACT_CLASSES || twinClasses(graph).count <= EXACT_CLASSES;
}

/** All ordered pairs of nodes by their distance; a sentence on how, when the distances are not exact. */
function fgsdPairs(graph: Graph, options: Required<FgsdOptions>, add: AddPairs): string | null {
  const { method } = options;
  const n = graph.nodeCount;
  if (n === 0) return null;
  if (!isExact(graph, method)) {
    const sampled = sampledDistances(graph, options);
    if (sampled.error <= options.binWidth) return addSampled(n, sampled, add);
    if (method === "sampled" || twinClasses(graph).count > MAX_CLASSES)
      throw badData(
        `FGSD: the distances of a graph of ${n} nodes may be wrong by ${sampled.error.toExponential(1)} after ${options.steps} steps, expected at most the bin width of ${options.binWidth}: take wider bins or more steps`,
      );
  }
  const { count, sizes, means, spikes } = laplacianInverse(graph, options.distance === "harmonic" ? 1 : 2);
  const diagonal = spikes.map((f, p) => means[p * count + p] + (1 - 1 / sizes[p]) * f);
  add(0, n);
  for (let p = 0; p < count; p++) {
    const c = sizes[p];
    if (c > 1) add(2 * spikes[p], c * (c - 1));
    for (let q = 0; q < p; q++) add(diagonal[p] + diagonal[q] - 2 * means[p * count + q], 2 * c * sizes[q]);
  }
  return null;
}

interface SampledDistances {
  nodes: number;
  /** Of pairs of sampled nodes, the second before the first. */
  values: Float64Array;
  /** Bound of the error of all of them. */
  error: number;
}

/**
 * harmonic: S = f_aa + f_bb − 2 f_ab, each with an error of at most √(uᵀT⁺u) √(rᵀT⁺r);  biharmonic: S = ‖x_a − x_b‖², x_a with one of at most
 * √(trace T⁺) √(rᵀT⁺r).
 */
function sampledDistances(
  graph: Graph,
  { distance, binWidth, steps, sample, seed }: Required<FgsdOptions>,
): SampledDistances {
  const n = graph.nodeCount;
  const solver = new LaplacianSolver(graph);
  const random = new Random(seed, n);
  const nodes = random.shuffle(Uint32Array.from({ length: n }, (_, i) => i)).slice(0, sample);
  const k = nodes.length;
  const unit = (a: number) => {
    const b = new Float64Array(n);
    b[nodes[a]] = 1;
    solver.project(b);
    return b;
  };
  let widest = 0;
  for (let a = 0; a < k; a++) widest = Math.max(widest, dot(unit(a), solver.forestInverse(unit(a))));
  const reach = distance === "harmonic" ? widest : solver.inverseGap * Math.sqrt(widest);
  const target =
    reach === 0 ? 0 : ((EDGE * binWidth) / 8) ** 2 / (distance === "harmonic" ? reach : reach ** 2);
  const solved: Float64Array[] = [];
  let left = 0;
  for (let a = 0; a < k; a++) {
    const found = solver.solve(unit(a), target, steps);
    left = Math.max(left, found.left);
    solved.push(distance === "harmonic" ? Float64Array.from(nodes, (i) => found.x[i]) : found.x);
  }
  const values = new Float64Array((k * (k - 1)) / 2);
  let longest = 0;
  for (let a = 0, at = 0; a < k; a++)
    for (let b = 0; b < a; b++, at++) {
      const [x, y] = [solved[a], solved[b]];
      if (distance === "harmonic") values[at] = Math.max(0, x[a] + y[b] - x[b] - y[a]);
      else for (let i = 0; i < n; i++) values[at] += (x[i] - y[i]) ** 2;
      longest = Math.max(longest, values[at]);
    }
  const apart = 2 * Math.sqrt(solver.inverseGap * left);
  const error =
    distance === "harmonic" ? 4 * Math.sqrt(widest * left) : apart * (2 * Math.sqrt(longest) + apart);
  return { nodes: k, values, error };
}

function addSampled(n: number, { nodes: k, values, error }: SampledDistances, add: AddPairs): string {
  add(0, n);
  const scale = k > 1 ? (n * (n - 1)) / (k * (k - 1)) : 0;
  for (const value of values) add(value, 2 * scale);
  return `distances among ${k} of ${n} nodes by conjugate gradients: error at most ${error.toExponential(1)}`;
}

/** Counts by bin: in an array for the lower bins, in a map for the far ones. */
class BinCounter {
  private dense = new Float64Array(1024);
  private touched = new Uint32Array(1024);
  private touchedCount = 0;
  private readonly far = new Map<number, number>();

  constructor(private readonly width: number) {}

  readonly add: AddPairs = (distance, count) => {
    const bin = Math.floor(Math.max(0, distance) / this.width + EDGE);
    if (!(bin <= Number.MAX_SAFE_INTEGER))
      throw badData(
        `FGSD: a distance of ${distance} has no bin of width ${this.width}; scale the weights up or take wider bins`,
      );
    if (bin >= DENSE_BINS) {
      this.far.set(bin, (this.far.get(bin) ?? 0) + count);
      return;
    }
    if (bin >= this.dense.length) {
      const larger = new Float64Array(Math.min(DENSE_BINS, Math.max(bin + 1, 2 * this.dense.length)));
      larger.set(this.dense);
      this.dense = larger;
    }
    if (this.dense[bin] === 0) {
      if (this.touchedCount === this.touched.length)
        this.touched = copiedTo(new Uint32Array(2 * this.touchedCount), this.touched);
      this.touched[this.touchedCount++] = bin;
    }
    this.dense[bin] += count;
  };

  /** Hands over all counts, bins ascending, and starts anew. */
  drain(visit: (bin: number, count: number) => void): void {
    const { dense, touched, touchedCount } = this;
    touched.subarray(0, touchedCount).sort();
    for (let k = 0; k < touchedCount; k++) {
      visit(touched[k], dense[touched[k]]);
      dense[touched[k]] = 0;
    }
    this.touchedCount = 0;
    for (const bin of [...this.far.keys()].sort((a, b) => a - b)) visit(bin, this.far.get(bin)!);
    this.far.clear();
  }
}
