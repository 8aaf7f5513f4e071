/**
 * Landmarks for a collection of graphs, their number growing until the error of every MMD is within a tolerance.
 *
 * 1. A coarse cover: pivoted Cholesky over a random sample of rows, spread over the graphs.
 * 2. In rounds: the graphs that are missed too much name the rows where their witness is largest (landmark-tasks.ts); these become
 *    landmarks unless the span has them already; every graph's coordinates are extended.
 *
 * When is a graph missed too much? By the bound of landmarks.ts the error of MMD(G, H) is at most √(d² + (ρ_G + ρ_H)²) − d, d = ‖z_G − z_H‖,
 * and that is within the tolerance τ when 4ρ² <= τ² + 2τ·d for the larger ρ of the two. So it suffices for every graph that
 * 4ρ_G² <= τ² + 2τ·d_G with d_G its distance to the nearest other graph. Distances only grow with the span, so that a d_G found early
 * stays a valid lower bound; it is renewed, for the graphs that still need it, when the rank has grown 2.5 times.
 *
 * The rank depends on the data: 2,600 for the 384,643 distinct rows of REDDIT-BINARY at τ = 0.001, since nearly every large graph
 * has nodes of its own kind.
 */
import { badCall } from "../base/errors.js";
import { Random } from "../base/random.js";
import { createContext, type Executor } from "../compute/executor.js";
import { landmarkCoordinates, witnessTask } from "./landmark-tasks.js";
import { GrowingEmbedding, type LandmarkEmbedding, type LandmarkModel, ROUNDING } from "./landmarks.js";
import { nearestDistances } from "./nearest-vectors.js";
import { checkNodeKernel, type NodeKernel, NodeKernelSums } from "./node-kernel.js";
import {
  allocateNodeRows,
  graphCount,
  graphRange,
  isShared,
  type NodeRows,
  selectGraphs,
  selectRows,
} from "./node-rows.js";
import { pivotedCholesky } from "./pivoted-cholesky.js";
import { vectorDistances } from "./vector-distances.js";

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
const GRAPHS_A_UNIT = 8;
/** Growth of the rank after which nearest distances are worth computing again. */
const RENEWAL = 2.5;

export async function fitLandmarks(
  rows: NodeRows,
  node: NodeKernel,
  options: LandmarkOptions,
): Promise<LandmarkFit> {
  const { tolerance = 1e-3, maximumRank = 4096, candidates = 2500, slack = 0, seed = 0 } = options;
  const { executor, signal } = options;
  checkNodeKernel(node);
  if (!(tolerance > 0 && tolerance < 2))
    throw badCall(`landmarks: tolerance: got ${tolerance}, expected a number above 0 and below 2`);
  if (!(slack >= 0 && slack < tolerance * tolerance))
    throw badCall(`landmarks: slack: got ${slack}, expected less than the square of the tolerance`);
  if (!(Number.isInteger(maximumRank) && maximumRank >= 1))
    throw badCall(`landmarks: maximum rank: got ${maximumRank}, expected an integer of at least 1`);
  const { kernels } = await createContext();
  const embedding = new GrowingEmbedding(node, rows, executor, signal);
  await embedding.start();

  const sample = sampleRows(rows, candidates, new Random(seed));
  const cover = coarseCover(selectRows(rows, sample), maximumRank);
  const chosen = cover.chosen.map((c) => sample[c]);
  const { factor } = cover;
  await embedding.extend(unitRows(rows, chosen), factor);

  const nearest = new Float64Array(graphCount(rows));
  let nearestAtRank = 0;
  let over = Array.from(nearest.keys());
  for (;;) {
    if (factor.rank >= RENEWAL * nearestAtRank) {
      await nearestDistances(embedding.vectors(), factor.rank, nearest, over, executor, signal);
      nearestAtRank = Math.max(1, factor.rank);
    }
    const excess = embedding.squares.map(
      (square, g) => (4 * (square + ROUNDING) + slack) / (tolerance * (tolerance + 2 * nearest[g])),
    );
    over = Array.from(excess.keys()).filter((g) => excess[g] > 1);
    over.sort((g, h) => excess[h] - excess[g] || g - h);
    options.onRound?.(factor.rank, over.length);
    if (over.length === 0 || factor.rank >= maximumRank) break;
    const wanted = Math.min(maximumRank - factor.rank, Math.max(32, Math.ceil(GROWTH * factor.rank)));
    const named = await nameRows(wanted);
    const added = append(named, maximumRank - factor.rank);
    if (added.length === 0) break;
    chosen.push(...added);
    await embedding.extend(unitRows(rows, added), factor);
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
    const result = pivotedCholesky(new Float64Array(total).fill(1), COARSE, most, (p, out) => {
      const place = sums.sum(loaded, p, p + 1, loaded, 0, total, room);
      out.set(sums.numbers.subarray(place, place + total));
    });
    sums.release(mark);
    return result;
  }

  /** The rows that the worst graphs name, about `wanted` of them. */
  async function nameRows(wanted: number): Promise<number[]> {
    const picks = Math.min(PICKS, wanted);
    const worst = over.slice(0, Math.ceil(wanted / picks));
    const landmarks = unitRows(rows, chosen);
    const packed = factor.packed(isShared(rows));
    const inputs = [];
    for (let k = 0; k < worst.length; k += GRAPHS_A_UNIT) {
      const graphs = worst.slice(k, k + GRAPHS_A_UNIT);
      inputs.push({
        node,
        range: graphRange(selectGraphs(rows, graphs), 0, graphs.length),
        landmarks,
        factor: packed,
        coordinates: embedding.vectorsOf(graphs),
        picks,
      });
    }
    const parts = await executor.map(witnessTask, inputs, { signal });
    const named = new Set<number>();
    for (let k = 0; k < worst.length; k++)
      for (let pick = 0; pick < picks; pick++) {
        const local = parts[Math.floor(k / GRAPHS_A_UNIT)][(k % GRAPHS_A_UNIT) * picks + pick];
        if (local >= 0) named.add(rows.offsets[worst[k]] + local);
      }
    return [...named];
  }

  /** Appends those of the named rows that are independent of the span to the factor; gives them in order. */
  function append(named: number[], most: number): number[] {
    const fresh = oneRowGraphs(rows, named);
    const count = named.length;
    const rank = factor.rank;
    const solved = landmarkCoordinates(kernels, {
      node,
      range: graphRange(fresh, 0, count),
      landmarks: unitRows(rows, chosen),
      from: 0,
      rank,
      factor: factor.packed(),
      solved: new Float64Array(0),
    });
    const coordinates = new Float64Array(count * rank);
    for (let c = 0, k = 0; c < count; c++)
      for (let l = 0; l < rank; l++) coordinates[k++] = solved[4 * (rank * (c >>> 2) + l) + (c & 3)];
    const row = (c: number) => coordinates.subarray(c * rank, (c + 1) * rank);
    const norms = Float64Array.from(named, (_, c) => dot(row(c), row(c)));
    const tile = { metric: "euclidean" as const, dimension: rank, a: coordinates, b: null };
    const distances = vectorDistances(kernels, tile);
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
