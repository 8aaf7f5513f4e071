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
 * Chebyshev, for large graphs: f is replaced by its interpolation polynomial of a given degree on [λ_2 (by Lanczos), max_ij d_i + d_j], applied to
 * the unit vectors of a random sample of nodes; the counts among the sample are scaled to all pairs. sample · degree · entries operations. A
 * note tells the bound 2·max |p − f| of the distances' error.
 *
 * When to use it: unlabelled graphs of moderate size, where cycles and bottlenecks tell the classes apart. Wide bins forgive more. Source: Verma,
 * Zhang, "Hunt for the unique, stable, sparse and fast feature learning on graphs", NIPS 2017; their widths are 1e-3, 1e-4 and 1e-5.
 */
import { CheckedState } from "../base/checked-state.js";
import { cosineOfPi, cosineTable } from "../base/circular.js";
import { badCall, badData, unknownName } from "../base/errors.js";
import { Random } from "../base/random.js";
import { connectedComponents } from "../graph/components.js";
import type { Graph } from "../graph/graph.js";
import { twinClasses } from "../graph/twins.js";
import { lanczosQuadrature } from "../spectrum/lanczos.js";
import { multiply, type SparseOperator } from "../spectrum/operator.js";
import { laplacianInverse, laplacianOperator } from "./laplacian.js";
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
export const FGSD_METHODS = ["auto", "exact", "chebyshev"] as const;
export type FgsdMethod = (typeof FGSD_METHODS)[number];

export interface FgsdOptions {
  /** Default harmonic. */
  distance?: FgsdDistance;
  /** Default 1e-3. */
  binWidth?: number;
  /** auto: exact up to 4,096 twin classes. Default auto. */
  method?: FgsdMethod;
  /** Of the Chebyshev polynomial. Default 200. */
  degree?: number;
  /** Nodes whose distances to each other are computed by Chebyshev polynomials; all when there are fewer. Default 200. */
  sample?: number;
  /** Of the sample. Default 0. */
  seed?: number;
}

const EXACT_CLASSES = 4096;
const DENSE_BINS = 2 ** 22;
const EDGE = 1e-4;
const LANCZOS_STEPS = 60;

/** Adds `count` pairs of nodes at a distance. */
type AddPairs = (distance: number, count: number) => void;

export class Fgsd implements MergingVectoriser {
  readonly options: Required<FgsdOptions>;
  private numbers: NumberTable | null = null;

  constructor(options: FgsdOptions = {}) {
    checkOptions("FGSD", options, ["distance", "binWidth", "method", "degree", "sample", "seed"]);
    const { distance = "harmonic", binWidth = 1e-3, method = "auto" } = options;
    const { degree = 200, sample = 200, seed = 0 } = options;
    if (!FGSD_DISTANCES.includes(distance)) throw unknownName("distance", String(distance), FGSD_DISTANCES);
    if (!FGSD_METHODS.includes(method)) throw unknownName("method of FGSD", String(method), FGSD_METHODS);
    if (!(binWidth > 0 && binWidth < Number.POSITIVE_INFINITY))
      throw badCall(`FGSD: binWidth: got ${binWidth}, expected a finite number above 0`);
    for (const [name, value, least] of [
      ["degree", degree, 1],
      ["sample", sample, 2],
      ["seed", seed, 0],
    ] as const)
      if (!(Number.isSafeInteger(value) && value >= least))
        throw badCall(`FGSD: ${name}: got ${value}, expected an integer of at least ${least}`);
    this.options = { distance, binWidth, method, degree, sample, seed };
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
    const { method, sample, degree } = this.options;
    const large = graphs.filter((graph) => !isExact(graph, method)).length;
    if (large === 0) return [];
    return [
      `FGSD: ${large} of ${graphs.length} graphs by polynomials of degree ${degree} and a sample of ${sample} nodes each`,
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
  if (!isExact(graph, method)) return chebyshevPairs(graph, options, add);
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

function chebyshevPairs(
  graph: Graph,
  { distance, degree, sample, seed }: Required<FgsdOptions>,
  add: AddPairs,
): string {
  const n = graph.nodeCount;
  const operator = laplacianOperator(graph);
  const project = componentProjection(graph);
  const power = distance === "harmonic" ? 1 : 2;
  const random = new Random(seed, n);
  const [low, high] = spectralInterval(graph, operator, project, random);
  const f = (x: number) => 1 / (power === 1 ? x : x * x);
  const coefficients = interpolate(f, low, high, degree);
  const error = largestError(f, coefficients, low, high);
  const nodes = random.shuffle(Uint32Array.from({ length: n }, (_, i) => i)).slice(0, sample);
  const k = nodes.length;
  const entries = new Float64Array(k * k);
  const start = new Float64Array(n);
  const result = new Float64Array(n);
  for (let a = 0; a < k; a++) {
    start.fill(0);
    start[nodes[a]] = 1;
    project(start);
    applyPolynomial(operator, project, coefficients, low, high, start, result);
    for (let b = 0; b < k; b++) entries[a * k + b] = result[nodes[b]];
  }
  add(0, n);
  const scale = k > 1 ? (n * (n - 1)) / (k * (k - 1)) : 0;
  for (let a = 0; a < k; a++)
    for (let b = 0; b < a; b++) {
      const both = entries[a * k + b] + entries[b * k + a];
      add(Math.max(0, entries[a * k + a] + entries[b * k + b] - both), 2 * scale);
    }
  return `distances among ${k} of ${n} nodes by polynomials of degree ${degree}: error at most ${(2 * error).toExponential(1)}`;
}

/** Subtracts from a vector its mean over each component. */
function componentProjection(graph: Graph): (x: Float64Array) => void {
  const { component, sizes, count } = connectedComponents(graph);
  const means = new Float64Array(count);
  return (x) => {
    means.fill(0);
    for (let i = 0; i < x.length; i++) means[component[i]] += x[i];
    for (let i = 0; i < x.length; i++) x[i] -= means[component[i]] / sizes[component[i]];
  };
}

/** Half the smallest Ritz value above 0, since Ritz values lie above λ_2; and max_ij d_i + d_j over the edges, which is at least λ_n. */
function spectralInterval(
  graph: Graph,
  operator: SparseOperator,
  project: (x: Float64Array) => void,
  random: Random,
): [number, number] {
  const { n, offsets, targets, values } = operator;
  const diagonal = new Float64Array(n);
  for (let i = 0; i < n; i++)
    for (let k = offsets[i]; k < offsets[i + 1]; k++) if (targets[k] === i) diagonal[i] = values[k];
  let high = 0;
  graph.forEachEdge((i, j) => {
    if (i !== j) high = Math.max(high, diagonal[i] + diagonal[j]);
  });
  if (high === 0) return [1, 1];
  const start = Float64Array.from({ length: n }, () => random.normal());
  project(start);
  const { nodes } = lanczosQuadrature(operator, start, LANCZOS_STEPS);
  const smallest = nodes.find((x) => x > 1e-12 * high) ?? high;
  return [Math.min(smallest / 2, high / 2), high];
}

/** Chebyshev coefficients of the polynomial that equals f at the degree + 1 Chebyshev points of [low, high]. O(degree²). */
function interpolate(f: (x: number) => number, low: number, high: number, degree: number): Float64Array {
  const N = degree + 1;
  const coefficients = new Float64Array(N);
  // the angles are π (2j + 1) / 2N
  const cosines = cosineTable(2 * N);
  for (let j = 0; j < N; j++) {
    const value = f((low + high) / 2 + ((high - low) / 2) * cosines[2 * j + 1]);
    for (let m = 0; m < N; m++)
      coefficients[m] += ((m === 0 ? 1 : 2) / N) * value * cosines[(m * (2 * j + 1)) % (4 * N)];
  }
  // the rest is rounding
  let used = N;
  while (used > 1 && Math.abs(coefficients[used - 1]) < 1e-17 * Math.abs(coefficients[0])) used--;
  return coefficients.slice(0, used);
}

/** max |p − f| over [low, high] on a fine grid of angles. */
function largestError(f: (x: number) => number, c: Float64Array, low: number, high: number): number {
  const points = 4 * c.length;
  let largest = 0;
  for (let j = 0; j <= points; j++) {
    const y = cosineOfPi(j, points);
    // Clenshaw's recurrence
    let [b1, b2] = [0, 0];
    for (let m = c.length - 1; m > 0; m--) [b1, b2] = [c[m] + 2 * y * b1 - b2, b1];
    const p = c[0] + y * b1 - b2;
    largest = Math.max(largest, Math.abs(p - f((low + high) / 2 + ((high - low) / 2) * y)));
  }
  return largest;
}

/**
 * out = Σ c_m T_m(X) v, X = (2L − low − high) / (high − low). The eigenvalue 0 lies outside of [low, high], where T_m grows without bound: what
 * rounding leaves of its eigenvectors is projected out at every step.
 */
function applyPolynomial(
  operator: SparseOperator,
  project: (x: Float64Array) => void,
  c: Float64Array,
  low: number,
  high: number,
  v: Float64Array,
  out: Float64Array,
): void {
  const n = operator.n;
  const [slope, shift] = high > low ? [2 / (high - low), (high + low) / (high - low)] : [0, 0];
  let before = new Float64Array(n);
  let now = Float64Array.from(v);
  let next = new Float64Array(n);
  for (let i = 0; i < n; i++) out[i] = c[0] * v[i];
  for (let m = 1; m < c.length; m++) {
    multiply(operator, now, next);
    const twice = m === 1 ? 1 : 2;
    for (let i = 0; i < n; i++) next[i] = twice * (slope * next[i] - shift * now[i]) - before[i];
    project(next);
    for (let i = 0; i < n; i++) out[i] += c[m] * next[i];
    [before, now, next] = [now, next, before];
  }
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
