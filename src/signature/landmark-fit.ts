/**
 * Landmarks for a collection of graphs, their number growing until the error of every MMD is within a tolerance.
 *
 * 1. A coarse cover: pivoted Cholesky over a random sample of rows, spread over the graphs.
 * 2. In rounds: the graphs that are missed too much name the rows where their witness is largest (landmark-tasks.ts); these become
 *    landmarks unless the span has them already; every graph's coordinates are extended.
 *
 * When is a graph missed too much? By the bound of landmarks.ts the error of MMD(G, H) is at most √(d² + (ρ_G + ρ_H)²) − d, d = ‖z_G − z_H‖,
 * and that is within the tolerance τ when 4ρ² <= τ² + 2τ·d for the larger ρ of the two. So it suffices for every graph that
 * 4ρ_G² <= τ² + 2τ·d_G with d_G its distance to the nearest other graph, or less (nearest-vectors.ts): distances only grow with the span.
 *
 * The rank depends on the data: 2,789 for the 338,769 distinct rows of REDDIT-BINARY at τ = 0.001, since nearly every large graph
 * has nodes of its own kind.
 */
import { badCall } from "../base/errors.js";
import { Random } from "../base/random.js";
import { createContext, type Executor } from "../compute/executor.js";
import { landmarkTask, witnessTask } from "./landmark-tasks.js";
import { GrowingEmbedding, type LandmarkEmbedding, type LandmarkModel, ROUNDING } from "./landmarks.js";
import { NearestVectors } from "./nearest-vectors.js";
import { checkNodeKernel, type NodeKernel, NodeKernelSums } from "./node-kernel.js";
import {
  allocateNodeRows,
  graphCount,
  graphRange,
  isShared,
  type NodeRows,
  numbers,
  part,
  selectGraphs,
  selectRows,
} from "./node-rows.js";
import { pivotedCholesky, TriangularFactor } from "./pivoted-cholesky.js";
import { compactRows } from "./row-order.js";
import { vectorTask } from "./vector-distances.js";

export interface LandmarkOptions {
  /** The error of an MMD that is aimed at. Default 0.001. */
  tolerance?: number;
  /** The most landmarks; when they are used up the bound stays above the tolerance, and is reported. Default 4096. */
  maximumRank?: number;
  /** Rows from which the coarse cover is chosen. Default 2500. */
  candidates?: number;
  /** The most by which squared distances of the rows' embeddings are already too small. Default 0. */
  slack?: number;
  /** Default 0. */
  seed?: number;
  executor: Executor;
  signal?: AbortSignal;
  /** Called after each round. */
  onRound?(rank: number, graphsLeft: number): void;
}

export interface LandmarkFit {
  model: LandmarkModel;
  embedding: LandmarkEmbedding;
  /** Graphs whose error may exceed the tolerance: 0 unless the landmarks were used up. */
  graphsLeft: number;
}

/** The coarse cover stops when no candidate's squared distance to the span is larger. */
const COARSE = 0.05;
/** A row whose squared distance to the span is smaller adds nothing but rounding errors. */
const INDEPENDENT = 1e-8;
/** Landmarks added in a round, as a share of those that are there. */
const GROWTH = 0.15;
/** Rows that a graph names in a round. */
const PICKS = 3;
const GRAPHS_A_UNIT = 16;
/** Rows whose coordinates are one unit of work when landmarks are appended. */
const ROWS_A_UNIT = 64;

/** Rows, or what makes them. */
type GivenRows = NodeRows | (() => NodeRows | Promise<NodeRows>);

/** In a function of its own: the one that goes on would keep what it was given until it ends. */
async function compacted(given: GivenRows, width: number): Promise<NodeRows> {
  return compactRows(typeof given === "function" ? await given() : given, width);
}

/** `given`: the rows, or what makes them, which are then not kept beside their compact form. */
export async function fitLandmarks(
  given: GivenRows,
  node: NodeKernel,
  options: LandmarkOptions,
): Promise<LandmarkFit> {
  const { tolerance = 1e-3, maximumRank = 4096, candidates = 2500, slack = 0, seed = 0 } = options;
  const { executor, signal } = options;
  // the maps of a round but one are short, and each waits for the one before
  const { near = executor } = executor;
  checkNodeKernel(node);
  if (!(tolerance > 0 && tolerance < 2))
    throw badCall(`landmarks: tolerance: got ${tolerance}, expected a number above 0 and below 2`);
  if (!(slack >= 0 && slack < tolerance * tolerance))
    throw badCall(`landmarks: slack: got ${slack}, expected less than the square of the tolerance`);
  if (!(Number.isInteger(maximumRank) && maximumRank >= 1))
    throw badCall(`landmarks: maximum rank: got ${maximumRank}, expected an integer of at least 1`);
  const { kernels } = await createContext();
  const rows = await compacted(given, node.width);
  const factor = new TriangularFactor(isShared(rows));
  const embedding = new GrowingEmbedding(node, rows, executor, signal);
  const started = embedding.start();
  const sample = sampleRows(rows, candidates, new Random(seed));
  const chosen = coarseCover(selectRows(rows, sample), maximumRank).map((c) => sample[c]);
  await started;
  await embedding.extend(unitRows(rows, chosen), factor);

  const count = graphCount(rows);
  const nearest = await NearestVectors.among(embedding.vectors(), count, near, signal);
  let over = Array.from({ length: count }, (_, g) => g);
  for (;;) {
    const excess = embedding.squares.map(
      (square, g) => (4 * (square + ROUNDING) + slack) / (tolerance * (tolerance + 2 * nearest.atLeast(g))),
    );
    over = over.filter((g) => excess[g] > 1);
    over.sort((g, h) => excess[h] - excess[g] || g - h);
    options.onRound?.(factor.rank, over.length);
    if (over.length === 0 || factor.rank >= maximumRank) break;
    const wanted = Math.min(maximumRank - factor.rank, Math.max(32, Math.ceil(GROWTH * factor.rank)));
    const named = await nameRows(wanted);
    const added = await append(named, maximumRank - factor.rank);
    if (added.length === 0) break;
    chosen.push(...added);
    await embedding.extend(unitRows(rows, added), factor);
    nearest.grow(over, (g, h) => embedding.lastSquare(g, h));
  }
  return {
    model: { node, landmarks: unitRows(rows, chosen), factor },
    embedding: { vectors: embedding.vectors(), missed: embedding.missed() },
    graphsLeft: over.length,
  };

  function coarseCover(from: NodeRows, most: number) {
    const sums = new NodeKernelSums(kernels, node, rows.dimension);
    const mark = sums.mark();
    const total = from.masses.length;
    from.masses.fill(1);
    const loaded = sums.load(from);
    const room = sums.allocateSums(total);
    const valuesOf = (p: number, out: Float64Array) => {
      const place = sums.sum(loaded, p, p + 1, loaded, 0, total, room);
      out.set(sums.numbers.subarray(place, place + total));
    };
    const result = pivotedCholesky(new Float64Array(total).fill(1), COARSE, most, valuesOf, factor);
    sums.release(mark);
    return result.chosen;
  }

  /** The rows that the worst graphs name, about `wanted` of them. */
  async function nameRows(wanted: number): Promise<number[]> {
    const picks = Math.min(PICKS, wanted);
    const worst = over.slice(0, Math.ceil(wanted / picks));
    const landmarks = unitRows(rows, chosen);
    const packed = factor.packed();
    const inputs = [];
    for (let k = 0; k < worst.length; k += GRAPHS_A_UNIT) {
      const graphs = worst.slice(k, k + GRAPHS_A_UNIT);
      inputs.push({
        node,
        range: graphRange(selectGraphs(rows, graphs), 0, graphs.length),
        landmarks,
        factor: packed,
        coordinates: embedding.vectors(graphs),
        picks,
      });
    }
    const parts = await near.map(witnessTask, inputs, { signal });
    const named = new Set<number>();
    for (let k = 0; k < worst.length; k++)
      for (let pick = 0; pick < picks; pick++) {
        const local = parts[Math.floor(k / GRAPHS_A_UNIT)][(k % GRAPHS_A_UNIT) * picks + pick];
        if (local >= 0) named.add(rows.offsets[worst[k]] + local);
      }
    return [...named];
  }

  /** Appends those of the named rows that are independent of the span to the factor; gives them in order. */
  async function append(named: number[], most: number): Promise<number[]> {
    const fresh = oneRowGraphs(rows, named);
    const count = named.length;
    const rank = factor.rank;
    const coordinates = await coordinatesOf(named);
    const row = (c: number) => coordinates.subarray(c * rank, (c + 1) * rank);
    const norms = Float64Array.from(named, (_, c) => dot(row(c), row(c)));
    const distances = await distancesBetween(coordinates, count);
    const sums = new NodeKernelSums(kernels, node, rows.dimension);
    const mark = sums.mark();
    const loaded = sums.load(fresh);
    const room = sums.allocateSums(count);
    // k(x_p, x_c) − ⟨z_p, z_c⟩
    const residual = (p: number, out: Float64Array) => {
      const place = sums.sum(loaded, p, p + 1, loaded, 0, count, room);
      for (let c = 0; c < count; c++)
        out[c] = sums.numbers[place + c] - (norms[p] + norms[c] - distances[p * count + c] ** 2) / 2;
    };
    const diagonal = norms.map((norm) => 1 - norm);
    const { chosen: kept, factor: corner } = pivotedCholesky(diagonal, INDEPENDENT, most, residual);
    sums.release(mark);
    kept.forEach((c, k) => {
      const last = corner.row(k);
      const whole = new Float64Array(rank + k);
      whole.set(row(c));
      whole.set(last.subarray(0, k), rank);
      factor.append(whole, last[k]);
    });
    return kept.map((c) => named[c]);
  }

  /** L⁻¹k of each of the named rows, row by row. */
  async function coordinatesOf(named: number[]): Promise<Float64Array> {
    const rank = factor.rank;
    const shared = isShared(rows);
    const landmarks = unitRows(rows, chosen);
    const packed = factor.packed();
    const inputs = [];
    for (let first = 0; first < named.length; first += ROWS_A_UNIT) {
      const part = oneRowGraphs(rows, named.slice(first, first + ROWS_A_UNIT));
      const range = graphRange(part, 0, graphCount(part));
      inputs.push({ node, range, landmarks, from: 0, rank, factor: packed, solved: [] });
    }
    const packs = await near.map(landmarkTask, inputs, { signal });
    const out = new Float64Array(numbers(8 * named.length * rank, shared));
    for (let c = 0, k = 0; c < named.length; c++) {
      const pack = packs[Math.floor(c / ROWS_A_UNIT)];
      const lane = c % ROWS_A_UNIT;
      for (let l = 0; l < rank; l++) out[k++] = pack[4 * (rank * (lane >>> 2) + l) + (lane & 3)];
    }
    return out;
  }

  /** Between the rows of `coordinates`, row-major. */
  async function distancesBetween(coordinates: Float64Array, count: number): Promise<Float64Array> {
    const rank = factor.rank;
    const inputs = [];
    for (let first = 0; first < count; first += ROWS_A_UNIT) {
      const a = part(coordinates, first * rank, Math.min(count, first + ROWS_A_UNIT) * rank);
      inputs.push({ metric: "euclidean" as const, dimension: rank, a, b: coordinates });
    }
    const out = new Float64Array(count * count);
    await near.map(vectorTask, inputs, {
      signal,
      onResult: (u, strip) => out.set(strip, u * ROWS_A_UNIT * count),
    });
    return out;
  }
}

/** Row numbers spread over the graphs: each graph gives its share, a random row at a time; all rows when they are few. */
function sampleRows(rows: NodeRows, most: number, random: Random): number[] {
  const total = rows.masses.length;
  if (total <= most) return Array.from({ length: total }, (_, i) => i);
  const graphs = graphCount(rows);
  const sample = new Set<number>();
  for (let k = 0; k < most; k++) {
    const g = Math.floor((k * graphs) / most);
    const size = rows.offsets[g + 1] - rows.offsets[g];
    if (size > 0) sample.add(rows.offsets[g] + random.integer(size));
  }
  return [...sample];
}

/** The rows as one graph, with mass 1 each. */
function unitRows(rows: NodeRows, indices: readonly number[]): NodeRows {
  const selected = selectRows(rows, indices);
  selected.masses.fill(1);
  return selected;
}

/** Each row a graph of its own with mass 1. */
function oneRowGraphs(rows: NodeRows, indices: readonly number[]): NodeRows {
  const { masses, values, dimension } = unitRows(rows, indices);
  const { offsets } = allocateNodeRows(
    indices.map(() => 1),
    0,
  );
  return { dimension, offsets, masses, values };
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += x[k] * y[k];
  return sum;
}
