/**
 * Signatures: what a kernel keeps of each graph, and the distances between them. Four kinds:
 *
 *   vectors   one dense vector a graph; the distance is Euclidean or L1, or the similarity is the cosine. Where the vectors are
 *             projections, `missed` says by how much, and the distances carry a bound on their error (signature/landmarks.ts).
 *   measures  the graph's weighted rows themselves; the distance is the exact MMD (exact-mmd.ts).
 *   counts    one sparse row of counts a graph, compared by inner products or intersections (baseline/sparse-counts.ts)
 *   walks     the graphs themselves, compared by their common labelled walks (baseline/labelled-walks.ts)
 *
 * Counts, walks and cosines give kernel values in place of distances where their form is linear (form.ts); such a matrix needs no
 * bandwidth. A pair's value is a function of the two graphs alone: no tile, order or number of workers changes a bit of it.
 */
import { cutByCost } from "../base/cuts.js";
import { badCall, badData } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import { walkProductTask } from "../baseline/labelled-walks.js";
import type { CountFeatures } from "../baseline/sparse-counts.js";
import type { Executor } from "../compute/executor.js";
import type { Graph } from "../graph/graph.js";
import { packGraphs } from "../graph/pack.js";
import type { NodeKernel } from "../signature/node-kernel.js";
import { cutByRows, graphCount, graphRange, type NodeRows, orderKeys, part } from "../signature/node-rows.js";
import { selfProductTask } from "../signature/self-products.js";
import { type Metric, vectorTask } from "../signature/vector-distances.js";
import { compareCounts } from "./count-products.js";
import { exactTask } from "./exact-mmd.js";
import { type Form, fromProduct } from "./form.js";
import { selectSignatures } from "./select.js";

export interface VectorSignatures {
  kind: "vectors";
  metric: Metric;
  count: number;
  dimension: number;
  /** count × dimension, row by row. */
  values: Float64Array;
  /** For projections: what they miss of each graph, a norm; else null. */
  missed: Float64Array | null;
  /** The most by which squared distances may be too small besides. */
  slack: number;
}

export interface MeasureSignatures {
  kind: "measures";
  count: number;
  node: NodeKernel;
  rows: NodeRows;
  /** orderKeys of the rows. */
  keys: Float64Array;
  /** ‖μ_G‖² of each graph. */
  squares: Float64Array;
}

/** Inner products Σ c_f(G) c_f(H), or intersections Σ min(c_f(G), c_f(H)). */
export const COMPARISONS = ["product", "intersection"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export interface CountSignatures {
  kind: "counts";
  count: number;
  compare: Comparison;
  form: Form;
  features: CountFeatures;
  /** K(G, G) of each graph. */
  squares: Float64Array;
}

export interface WalkSignatures {
  kind: "walks";
  count: number;
  form: Form;
  graphs: readonly Graph[];
  /** √λ of the geometric series. */
  root: number;
  /** K(G, G) of each graph. */
  squares: Float64Array;
}

export type Signatures = VectorSignatures | MeasureSignatures | CountSignatures | WalkSignatures;

/** Whether what is computed between two graphs is a kernel value already. */
export function givesSimilarities(set: Signatures): boolean {
  if (set.kind === "vectors") return set.metric === "cosine";
  return set.kind !== "measures" && set.form === "linear";
}

export interface Distances {
  /** Distances unless told; similarities are the values of a kernel with a unit diagonal. */
  kind?: "distances" | "similarities";
  /** Graphs down and graphs across; the same number for the distances within one set. */
  rows: number;
  columns: number;
  /** rows × columns, row by row. */
  values: Float64Array | Float32Array;
  /** The most negative squared distance before it was set to 0; 0 when none was negative. */
  mostNegative: number;
  /** No distance of projections is wrong by more; 0 where nothing was projected. Rounding and random features are not in it. */
  errorBound: number;
}

export interface DistanceOptions extends RunControl {
  executor: Executor;
  /** Store single precision. Default false. */
  float32?: boolean;
  /** On a SharedArrayBuffer. Default false. */
  shared?: boolean;
  /** False: the tiles are computed and not kept, for who has taken them from the executor. Default true. */
  keep?: boolean;
  /** Whether to keep, with the signatures, what other settings of a search can use. Default false. */
  reuse?: boolean;
  /** What to call graph g in an error. Default "graph g". */
  nameOf?: (g: number) => string;
}

/** Graphs along the side of a tile of vectors, rows of node features along that of a tile of measures, nodes along that of walks. */
const TILE_GRAPHS = 256;
const TILE_ROWS = 8192;
const TILE_NODES = 1024;

export async function measureSignatures(
  rows: NodeRows,
  node: NodeKernel,
  executor: Executor,
  signal?: AbortSignal,
): Promise<MeasureSignatures> {
  const cuts = cutByRows(rows, TILE_ROWS);
  const inputs = cuts.slice(1).map((to, u) => ({
    node,
    range: graphRange(rows, cuts[u], to),
    order: "whole" as const,
  }));
  const parts = await executor.map(selfProductTask, inputs, { signal });
  const squares = new Float64Array(graphCount(rows));
  for (let u = 0; u < parts.length; u++) squares.set(parts[u], cuts[u]);
  return { kind: "measures", count: graphCount(rows), node, rows, keys: orderKeys(rows), squares };
}

/** Distances between all graphs of one set: symmetric, 0 on the diagonal; each pair is computed once. */
export function pairwiseDistances(set: Signatures, options: DistanceOptions): Promise<Distances> {
  return distances(set, set, options);
}

/** Distances of the graphs of one set (down) to those of another (across), made by the same fitted kernel. */
export function crossDistances(a: Signatures, b: Signatures, options: DistanceOptions): Promise<Distances> {
  const alike =
    a.kind === "vectors"
      ? b.kind === "vectors" && a.dimension === b.dimension && a.metric === b.metric
      : a.kind === "measures"
        ? b.kind === "measures" && a.rows.dimension === b.rows.dimension && a.node.width === b.node.width
        : b.kind === a.kind && a.form === b.form;
  if (!alike) throw badCall("distances: the two sets have signatures of different kinds or dimensions");
  return distances(a, b, options);
}

/** Distances of graph `of` of a set to some of the set (default: all): 1 × (others), as they stand in the matrix of all pairs. */
export function rowDistances(
  set: Signatures,
  of: number,
  options: DistanceOptions,
  others?: ArrayLike<number>,
): Promise<Distances> {
  const nameOf = () => (options.nameOf ?? ((g: number) => `graph ${g}`))(of);
  const across = others === undefined ? set : selectSignatures(set, others);
  const itself = others === undefined ? of : Array.prototype.indexOf.call(others, of);
  return distances(selectSignatures(set, [of]), across, { ...options, nameOf }, itself);
}

interface Tile {
  from: number;
  to: number;
  first: number;
  last: number;
}

/** `itself`: the column of b that is the one graph of a; −1 for none. */
async function distances(
  a: Signatures,
  b: Signatures,
  options: DistanceOptions,
  itself = -1,
): Promise<Distances> {
  const { float32 = false, shared = false, keep = true, nameOf = (g) => `graph ${g}` } = options;
  const same = a === b;
  // writes behind the end of an array do nothing
  const length = keep ? a.count * b.count : 0;
  const bytes = length * (float32 ? 4 : 8);
  const buffer = shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  const values = float32 ? new Float32Array(buffer) : new Float64Array(buffer);
  const similar = givesSimilarities(a);
  const result: Distances = {
    kind: similar ? "similarities" : "distances",
    ...{ rows: a.count, columns: b.count, values, mostNegative: 0, errorBound: 0 },
  };
  const isItself = (g: number, h: number) => (same ? g === h : h === itself);
  const down = cutsOf(a);
  const across = cutsOf(b);
  const bounded = a.kind === "vectors" && b.kind === "vectors" && a.missed !== null && b.missed !== null;
  const notFinite = (distance: number, g: number, h: number) =>
    badData(
      `distances: ${nameOf(g)} to ${same ? nameOf(h) : `graph ${h} of the other set`}: got ${distance}, expected a finite number; look at the weights of these graphs`,
    );
  if (a.kind === "counts" && b.kind === "counts") {
    await compareCounts(a, b, { ...options, keep: options.reuse }, (g, row, end) => {
      for (let h = 0; h < end; h++) {
        const own = similar ? 1 : 0;
        const value = isItself(g, h) ? own : fromProduct(a.form, row[h], a.squares[g], b.squares[h]);
        if (!(value < Number.POSITIVE_INFINITY)) throw notFinite(value, g, h);
        values[g * b.count + h] = value;
      }
      if (same) values[g * b.count + g] = similar ? 1 : 0;
    });
    if (same && keep) mirrorLower(values, a.count);
    return result;
  }
  const distanceOf =
    a.kind === "measures" && b.kind === "measures"
      ? (product: number, g: number, h: number) => {
          const square = a.squares[g] + b.squares[h] - 2 * product;
          if (square < result.mostNegative) result.mostNegative = square;
          return square < 0 ? 0 : Math.sqrt(square);
        }
      : a.kind === "walks" && b.kind === "walks"
        ? (product: number, g: number, h: number) => fromProduct(a.form, product, a.squares[g], b.squares[h])
        : (distance: number) => distance;

  // strip by strip, so that no more than one strip's tiles are in flight
  for (let u = 0; u + 1 < down.length; u++) {
    const strip: Tile[] = [];
    for (let v = same ? u : 0; v + 1 < across.length; v++)
      strip.push({ from: down[u], to: down[u + 1], first: across[v], last: across[v + 1] });
    await computeTiles(a, b, strip, options, (tile, computed) => {
      const { from, to, first, last } = tile;
      for (let g = from, k = 0; g < to; g++)
        for (let h = first; h < last; h++, k++) {
          const distance = isItself(g, h) ? (similar ? 1 : 0) : distanceOf(computed[k], g, h);
          if (!(distance < Number.POSITIVE_INFINITY)) throw notFinite(distance, g, h);
          if (bounded && !isItself(g, h)) {
            const extra = (a.missed![g] + b.missed![h]) ** 2 + a.slack;
            result.errorBound = Math.max(result.errorBound, Math.sqrt(distance ** 2 + extra) - distance);
          }
          values[g * b.count + h] = distance;
          if (same) values[h * b.count + g] = distance;
        }
    });
    options.onProgress?.({ task: "distances", done: down[u + 1], total: a.count, unit: "graphs" });
  }
  return result;
}

/** Distances of vectors, or inner products of measures, for some tiles. */
async function computeTiles(
  a: Signatures,
  b: Signatures,
  tiles: readonly Tile[],
  { executor, signal }: DistanceOptions,
  visit: (tile: Tile, computed: Float64Array) => void,
): Promise<void> {
  const own = ({ from, first }: Tile) => a === b && from === first;
  const onResult = (t: number, computed: Float64Array) => visit(tiles[t], computed);
  if (a.kind === "vectors" && b.kind === "vectors") {
    const { metric, dimension } = a;
    const graphs = (set: VectorSignatures, from: number, to: number) =>
      part(set.values, from * dimension, to * dimension);
    const inputs = tiles.map((tile) => ({
      metric,
      dimension,
      a: graphs(a, tile.from, tile.to),
      b: own(tile) ? null : graphs(b, tile.first, tile.last),
    }));
    await executor.map(vectorTask, inputs, { signal, onResult });
  } else if (a.kind === "measures" && b.kind === "measures") {
    const inputs = tiles.map((tile) => ({
      node: a.node,
      a: graphRange(a.rows, tile.from, tile.to),
      aKeys: a.keys.slice(tile.from, tile.to),
      b: own(tile) ? null : graphRange(b.rows, tile.first, tile.last),
      bKeys: own(tile) ? null : b.keys.slice(tile.first, tile.last),
    }));
    await executor.map(exactTask, inputs, { signal, onResult });
  } else if (a.kind === "walks" && b.kind === "walks") {
    const inputs = tiles.map((tile) => ({
      root: a.root,
      a: packGraphs(a.graphs.slice(tile.from, tile.to)),
      b: own(tile) ? null : packGraphs(b.graphs.slice(tile.first, tile.last)),
    }));
    await executor.map(walkProductTask, inputs, { signal, onResult });
  }
}

/** Copies the lower triangle to the upper, in squares that stay in the cache. */
function mirrorLower(values: Float64Array | Float32Array, n: number): void {
  const side = 32;
  for (let top = 0; top < n; top += side)
    for (let left = 0; left <= top; left += side)
      for (let g = top; g < Math.min(n, top + side); g++)
        for (let h = left; h < Math.min(g, left + side); h++) values[h * n + g] = values[g * n + h];
}

function cutsOf(set: Signatures): number[] {
  if (set.kind === "measures") return cutByRows(set.rows, TILE_ROWS);
  if (set.kind === "walks") return cutByCost(set.count, (g) => set.graphs[g].nodeCount, TILE_NODES);
  const cuts = [];
  for (let from = 0; from < set.count; from += TILE_GRAPHS) cuts.push(from);
  return [...cuts, set.count];
}
