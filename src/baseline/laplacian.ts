/**
 * The pseudo-inverse L⁺ of the combinatorial Laplacian L = D − A, or its square, entry by entry, without an eigenvector.
 * Self-loops cancel in D − A. A graph of several components has a block for each; entries between components are 0.
 *
 * Three reductions, all exact:
 *
 * 1. Twins. A class of c twins with weights d to all other nodes, mutual weight b among them, has c − 1 eigenvectors of its own with
 *    eigenvalue s = d + b. With F the class means of f(L):  f(L)_ij = F_pq,  f(L)_ii = F_pp + (1 − 1/c)·f(s),  and two twins
 *    differ by f(L)_ii − f(L)_ij = f(s). The class means B of L⁺ solve K·B = I − c·1ᵀ/N, cᵀB = 0 in each component, where K is the
 *    Laplacian of the graph of classes with weights W_pq = w·c_p·c_q and N = Σ c.
 * 2. Trees. Class x hangs by the edge W on its parent p, the mass m of its subtree behind it: current flows through that edge alone, so
 *      B_xy = B_py + ([y hangs on x] − m/N) / W.
 *    For the square M = B·C·B:  M_xy = M_py + (Σ_{z hangs on x} c_z B_zy) / W.
 * 3. The core that remains (every class has two neighbours or more) is a Laplacian again, with masses that include what hangs on
 *    them. One class is grounded, the rest inverted densely by symmetric sweeps.
 *
 * Cost: classes² + core³ / 2 operations, 8·classes² bytes (twice that for the square). On the threads of REDDIT-BINARY, 430 nodes on
 * average, there are 192 classes and far smaller cores.
 */
import { badData, GraphdosError } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { TwinFinder } from "../graph/twins.js";
import { Decomposition, NONE } from "../spectrum/decompose.js";
import type { SparseOperator } from "../spectrum/operator.js";
import type { Quotient } from "../spectrum/quotient.js";

export interface ClassMatrix {
  /** Number of twin classes. */
  count: number;
  /** Nodes of each class, and the class of each node. */
  sizes: Uint32Array;
  classOf: Uint32Array;
  /** count × count, symmetric: the mean of f(L)_ij over the members of two classes. */
  means: Float64Array;
  /** f(s): f(L)_ii − f(L)_ij between two twins; 0 for single nodes. */
  spikes: Float64Array;
}

/** Beyond this the matrix of a graph takes more than 2 GiB. */
export const MAX_CLASSES = 16384;

/** f(λ) = 1/λ (power 1) or 1/λ² (power 2), f(0) = 0. */
export function laplacianInverse(graph: Graph, power: 1 | 2): ClassMatrix {
  const { classes, classOf, eigenvalues } = classGraph(graph);
  const { count, sizes } = classes;
  if (count > MAX_CLASSES)
    throw new GraphdosError(
      "limit",
      `Laplacian: too many twin classes for a dense inverse: got ${count}, expected at most ${MAX_CLASSES}; take method=sampled`,
    );
  const parts = new Decomposition().run(classes);
  let means = new Float64Array(count * count);
  const squares = power === 2 ? new Float64Array(count * count) : null;
  for (const component of componentsOf(classes, parts)) {
    invert(component, classes, parts, means);
    if (squares !== null) square(component, classes, parts, means, squares);
  }
  means = squares ?? means;
  for (let k = 0; k < means.length; k++)
    if (!Number.isFinite(means[k]))
      throw badData("Laplacian: the weights are too far apart for its inverse; scale or remove the smallest");
  const spikes = eigenvalues.map((s, p) => (sizes[p] > 1 && s > 0 ? 1 / (power === 1 ? s : s * s) : 0));
  return { count, sizes, classOf, means, spikes };
}

/** W_pq in compressed rows without a diagonal, and the eigenvalue s of each class. */
function classGraph(graph: Graph) {
  const { offsets, targets, weights } = graph;
  const { count, classOf, size, representative, mutualWeight } = new TwinFinder().find(graph);
  const eigenvalues = new Float64Array(count);
  const rowOffsets = new Uint32Array(count + 1);
  const rowTargets: number[] = [];
  const values: number[] = [];
  for (let p = 0; p < count; p++) {
    const i = representative[p];
    for (let k = offsets[i]; k < offsets[i + 1]; k++) {
      const j = targets[k];
      const q = classOf[j];
      const w = weights === null ? 1 : weights[k];
      if (j !== i) eigenvalues[p] += w;
      if (q === p || representative[q] !== j) continue;
      rowTargets.push(q);
      values.push(w * (size[p] * size[q]));
    }
    eigenvalues[p] += mutualWeight[p];
    rowOffsets[p + 1] = rowTargets.length;
  }
  const classes: Quotient = {
    count,
    offsets: rowOffsets,
    targets: Uint32Array.from(rowTargets),
    values: Float64Array.from(values),
    loops: new Float64Array(count),
    spikes: new Float64Array(count),
    sizes: size.slice(0, count),
  };
  return { classes, classOf: classOf.slice(0, graph.nodeCount), eigenvalues };
}

interface Component {
  core: Uint32Array;
  /** Parents before children. */
  trees: Uint32Array;
  /** N. */
  total: number;
  /** Mass of what hangs on a class, itself included; by class. */
  mass: Float64Array;
  /** By how much B falls from a core class to what hangs on it: Σ m/(N·W) along the way; by class. */
  drop: Float64Array;
}

function componentsOf({ count, sizes }: Quotient, parts: Decomposition): Component[] {
  const { trees, treeCount, parent, coupling } = parts;
  const mass = Float64Array.from(sizes);
  const drop = new Float64Array(count);
  for (let k = 0; k < treeCount; k++) if (parent[trees[k]] !== NONE) mass[parent[trees[k]]] += mass[trees[k]];
  const found: { core: Uint32Array; trees: number[] }[] = [];
  const componentOf = new Uint32Array(count);
  for (let k = 0; k < parts.componentCount; k++) {
    const core = parts.order.slice(parts.start[k], parts.start[k] + parts.coreSize[k]);
    for (const p of core) componentOf[p] = found.length;
    found.push({ core, trees: [] });
  }
  for (let k = treeCount - 1; k >= 0; k--) {
    const x = trees[k];
    if (parent[x] === NONE) {
      componentOf[x] = found.length;
      found.push({ core: Uint32Array.of(x), trees: [] });
      continue;
    }
    componentOf[x] = componentOf[parent[x]];
    found[componentOf[x]].trees.push(x);
  }
  return found.map(({ core, trees: hanging }) => {
    const total = core.reduce((sum, p) => sum + mass[p], 0);
    for (const x of hanging) drop[x] = drop[parent[x]] + mass[x] / total / coupling[x];
    return { core, trees: Uint32Array.from(hanging), total, mass, drop };
  });
}

/** B of one component, into the rows and columns of its classes. */
function invert(
  { core, trees, total, mass, drop }: Component,
  classes: Quotient,
  { parent, coupling }: Decomposition,
  B: Float64Array,
): void {
  const { count, sizes } = classes;
  const k = core.length;
  const dense = coreInverse(core, classes);
  // means weighted by mass: P·Z·Pᵀ with P = I − 1·massᵀ/N, then the constant that makes cᵀB zero over the trees too
  const rowMeans = new Float64Array(k);
  let mean = 0;
  for (let a = 0; a < k; a++) {
    for (let b = 0; b < k; b++) rowMeans[a] += (dense[a * k + b] * mass[core[b]]) / total;
    mean += (rowMeans[a] * mass[core[a]]) / total;
  }
  for (const x of trees) mean += (sizes[x] * drop[x]) / total;
  for (let a = 0; a < k; a++)
    for (let b = 0; b <= a; b++) {
      const value = dense[a * k + b] - rowMeans[a] - rowMeans[b] + mean;
      B[core[a] * count + core[b]] = B[core[b] * count + core[a]] = value;
    }
  const known = new Uint32Array(k + trees.length);
  known.set(core);
  for (let filled = k; filled < known.length; filled++) {
    const x = trees[filled - k];
    const row = x * count;
    const above = parent[x] * count;
    const fall = mass[x] / total / coupling[x];
    for (let at = 0; at < filled; at++) {
      const y = known[at];
      B[row + y] = B[y * count + x] = B[above + y] - fall;
    }
    B[row + x] = B[row + parent[x]] + 1 / coupling[x] - fall;
    known[filled] = x;
  }
}

/** The inverse of the core's Laplacian with its last class grounded (a zero row and column). */
function coreInverse(core: Uint32Array, { offsets, targets, values }: Quotient): Float64Array {
  const k = core.length;
  const a = new Float64Array(k * k);
  const n = k - 1;
  const place = new Map<number, number>();
  // the class with most neighbours is grounded; few neighbours first, so that zeros last
  const order = Array.from(core, (_, at) => at).sort(
    (s, t) => offsets[core[s] + 1] - offsets[core[s]] - (offsets[core[t] + 1] - offsets[core[t]]) || s - t,
  );
  order.forEach((at, row) => {
    place.set(core[at], row);
  });
  const swept = new Float64Array(n * n);
  order.forEach((at, row) => {
    for (let e = offsets[core[at]]; e < offsets[core[at] + 1] && row < n; e++) {
      const column = place.get(targets[e]);
      if (column === undefined) continue;
      swept[row * n + row] += values[e];
      if (column < row) swept[row * n + column] -= values[e];
    }
  });
  sweepAll(swept, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      const value = -swept[i * n + j];
      a[order[i] * k + order[j]] = a[order[j] * k + order[i]] = value;
    }
  return a;
}

/** The lower triangle of a positive definite matrix becomes that of −A⁻¹. Symmetric Gauss-Jordan; rows with a zero factor are skipped. */
function sweepAll(a: Float64Array, n: number): void {
  const column = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const pivot = a[k * n + k];
    for (let j = 0; j < k; j++) column[j] = a[k * n + j];
    for (let i = k + 1; i < n; i++) column[i] = a[i * n + k];
    column[k] = 0;
    for (let i = 0; i < n; i++) {
      if (column[i] === 0) continue;
      const factor = column[i] / pivot;
      const row = i * n;
      for (let j = 0; j <= i; j++) a[row + j] -= factor * column[j];
      if (i > k) a[row + k] = factor;
      else a[k * n + i] = factor;
    }
    a[k * n + k] = -1 / pivot;
  }
}

/** M = B·C·B of one component. The tree rows of B are used up: they become Σ c_z B_z over what hangs on them. */
function square(
  { core, trees, mass, drop }: Component,
  { count, sizes }: Quotient,
  { parent, coupling }: Decomposition,
  B: Float64Array,
  M: Float64Array,
): void {
  const k = core.length;
  // along a tree B falls by `drop` whatever the other class: the sums over trees fold into sums over the core
  const attached = Uint32Array.from({ length: count }, (_, p) => p);
  const first = new Float64Array(count);
  let second = 0;
  for (const x of trees) {
    attached[x] = attached[parent[x]];
    first[attached[x]] += sizes[x] * drop[x];
    second += sizes[x] * drop[x] * drop[x];
  }
  const rows = new Float64Array(k * k);
  const scaled = new Float64Array(k);
  const linear = new Float64Array(k);
  for (let a = 0; a < k; a++)
    for (let b = 0; b < k; b++) {
      rows[a * k + b] = B[core[a] * count + core[b]];
      linear[a] += first[core[b]] * rows[a * k + b];
    }
  for (let a = 0; a < k; a++) {
    for (let e = 0; e < k; e++) scaled[e] = mass[core[e]] * rows[a * k + e];
    for (let b = 0; b <= a; b++) {
      let sum = second - linear[a] - linear[b];
      for (let e = 0; e < k; e++) sum += scaled[e] * rows[b * k + e];
      M[core[a] * count + core[b]] = M[core[b] * count + core[a]] = sum;
    }
  }

  const known = new Uint32Array(k + trees.length);
  known.set(core);
  known.set(trees, k);
  const all = known.length;
  for (let t = 0; t < trees.length; t++) {
    const [row, c] = [trees[t] * count, sizes[trees[t]]];
    for (let at = 0; at < all; at++) B[row + known[at]] *= c;
  }
  const inCore = new Uint8Array(count);
  for (const p of core) inCore[p] = 1;
  for (let t = trees.length - 1; t >= 0; t--) {
    const [row, above] = [trees[t] * count, parent[trees[t]] * count];
    if (inCore[parent[trees[t]]] === 0)
      for (let at = 0; at < all; at++) B[above + known[at]] += B[row + known[at]];
  }
  for (let filled = k; filled < known.length; filled++) {
    const x = known[filled];
    const row = x * count;
    const above = parent[x] * count;
    for (let at = 0; at < filled; at++) {
      const y = known[at];
      M[row + y] = M[y * count + x] = M[above + y] + B[row + y] / coupling[x];
    }
    M[row + x] = M[row + parent[x]] + B[row + x] / coupling[x];
  }
}

/** L = D − A in compressed rows, the diagonal among the entries. O(nodes + edges). */
export function laplacianOperator(graph: Graph): SparseOperator {
  const n = graph.nodeCount;
  const offsets = new Uint32Array(n + 1);
  const targets = new Uint32Array(graph.targets.length + n);
  const values = new Float64Array(targets.length);
  let filled = 0;
  for (let i = 0; i < n; i++) {
    const begin = filled;
    let degree = 0;
    let diagonal = -1;
    for (let k = graph.offsets[i]; k < graph.offsets[i + 1]; k++) {
      const j = graph.targets[k];
      if (diagonal < 0 && j >= i) diagonal = filled++;
      if (j === i) continue;
      const w = graph.weights === null ? 1 : graph.weights[k];
      targets[filled] = j;
      values[filled++] = -w;
      degree += w;
    }
    if (diagonal < 0) diagonal = filled++;
    targets[diagonal] = i;
    values[diagonal] = degree;
    offsets[i] = begin;
  }
  offsets[n] = filled;
  return { n, offsets, targets: targets.slice(0, filled), values: values.slice(0, filled) };
}
