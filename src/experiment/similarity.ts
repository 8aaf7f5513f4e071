/**
 * What tells two graphs apart: their densities of states, and the nodes whose local density has no like in the other graph.
 *
 * The gap of a node of A is the least Wasserstein-1 distance of its local density to that of any node of B,
 *
 *   gap_i = min_j ∫ |F_i − F_j| dλ,
 *
 * how far, on average, its eigenvalue weight has to move: 0 for a node with a like in B, at most 2. Local densities are damped and
 * averaged over even bins (binning.ts). The search goes outward from the node of B with the nearest mean |λ| and ends where the
 * difference of these means, a lower bound of the distance (|λ| is 1-Lipschitz), exceeds the best so far: exact, and far below its
 * worst case of O(rows of A × rows of B × bins).
 */
import { badCall } from "../base/errors.js";
import type { NodeIds } from "../data/dataset.js";
import type { Graph } from "../graph/graph.js";
import type { Damping } from "../spectrum/damping.js";
import { evenEdges } from "../spectrum/density.js";
import { requireRows, type SpectralProfile } from "../spectrum/profile.js";
import { binCentres, binCoefficients, multiplyRows } from "./binning.js";

/** One of two graphs, with what is known of it. */
export interface ComparedGraph {
  name: string;
  graph: Graph;
  profile: SpectralProfile;
  nodeIds: NodeIds | null;
}

export interface NodePlace {
  /** What the file calls the node. */
  node: string;
  /** Its number in the graph. */
  index: number;
  /** Neighbours, itself not counted. */
  degree: number;
}

export interface NodeGap extends NodePlace {
  /** Nodes of the graph with this same local density, this one included. */
  alike: number;
  gap: number;
  /** The node of the other graph that comes nearest. */
  nearest: NodePlace;
  /** Densities of both on `grid`. */
  density: Float64Array;
  nearestDensity: Float64Array;
}

export interface GapOptions {
  damping?: Damping;
  /** At most so many, the largest gaps first. Default 8. */
  count?: number;
}

export interface NodeGaps {
  /** Middles of the bins. */
  grid: Float64Array;
  /**
   * Nodes of the first graph without a like in the second, and the other way round. Both are empty where a graph has no nodes; a profile
   * from a sample of the nodes knows those alone.
   */
  first: NodeGap[];
  second: NodeGap[];
}

const LEAST_BINS = 240;
const MOST_BINS = 512;
/** Below this a gap, or a difference of gaps, is rounding. */
const LEAST_GAP = 1e-9;
/** Distances that differ by less are equal: the smaller row is then the nearest. */
const TIE = 1e-12;

export function nodeGaps(a: ComparedGraph, b: ComparedGraph, options: GapOptions = {}): NodeGaps {
  const { damping = "jackson", count = 8 } = options;
  const M = a.profile.moments;
  if (b.profile.moments !== M)
    throw badCall(`node gaps: got profiles of ${M} and ${b.profile.moments} moments, expected the same`);
  for (const { name, profile } of [a, b]) requireRows(profile, name);
  const edges = evenEdges(Math.max(LEAST_BINS, Math.min(MOST_BINS, 2 * M)));
  const grid = binCentres(edges);
  const alpha = binCoefficients(M, damping, edges);
  const sides = [a, b].map(({ profile }) => localDensities(profile, alpha, grid));
  return {
    grid,
    first: largestGaps(a, b, sides[0], sides[1], count),
    second: largestGaps(b, a, sides[1], sides[0], count),
  };
}

interface LocalDensities {
  bins: number;
  rows: number;
  /** rows × bins mean densities, and cumulative masses times the width of a bin: their L1 distance is Wasserstein-1. */
  density: Float64Array;
  cumulative: Float64Array;
  /** Mean |λ| of each row. */
  spread: Float64Array;
}

function localDensities(profile: SpectralProfile, alpha: Float64Array, grid: Float64Array): LocalDensities {
  const bins = grid.length;
  const { rowCount: rows, moments } = profile;
  const width = 2 / bins;
  const density = new Float64Array(rows * bins);
  const cumulative = new Float64Array(rows * bins);
  const spread = new Float64Array(rows);
  for (let r = 0; r < rows; r++) {
    const own = density.subarray(r * bins, (r + 1) * bins);
    multiplyRows(alpha, profile.rows.subarray(r * (moments + 1), (r + 1) * (moments + 1)), own);
    let sum = 0;
    for (let k = 0; k < bins; k++) {
      sum += own[k] * width;
      cumulative[r * bins + k] = sum * width;
      spread[r] += Math.abs(grid[k]) * own[k] * width;
    }
  }
  return { bins, rows, density, cumulative, spread };
}

function largestGaps(
  a: ComparedGraph,
  b: ComparedGraph,
  from: LocalDensities,
  to: LocalDensities,
  count: number,
): NodeGap[] {
  if (from.rows === 0 || to.rows === 0) return [];
  const { bins } = from;
  const gap = new Float64Array(from.rows);
  const nearest = new Uint32Array(from.rows);
  const order = Uint32Array.from(to.spread.keys()).sort((i, j) => to.spread[i] - to.spread[j] || i - j);
  const sorted = Float64Array.from(order, (row) => to.spread[row]);
  for (let r = 0; r < from.rows; r++) [gap[r], nearest[r]] = nearestRow(from, r, to, order, sorted);

  const members = [firstMembers(a.profile), firstMembers(b.profile)];
  const density = (set: LocalDensities, r: number) => set.density.slice(r * bins, (r + 1) * bins);
  const found: NodeGap[] = [];
  const foundRows: number[] = [];
  const rank = gap.map((value) => Math.round(value / LEAST_GAP));
  const rows = Uint32Array.from(gap.keys()).sort(
    (i, j) => rank[j] - rank[i] || members[0][i] - members[0][j],
  );
  for (const row of rows) {
    if (gap[row] < LEAST_GAP) break;
    // nodes with the same local density have the same gap and are listed once
    const same = found.find(
      (other, k) => other.gap - gap[row] < LEAST_GAP && isSame(from.cumulative, bins, foundRows[k], row),
    );
    if (same !== undefined) same.alike += Math.round(a.profile.weights[row]);
    else if (found.length === count && found[count - 1].gap - gap[row] > LEAST_GAP) break;
    else if (found.length < count) {
      foundRows.push(row);
      found.push({
        ...place(a, members[0][row]),
        alike: Math.round(a.profile.weights[row]),
        gap: gap[row],
        nearest: place(b, members[1][nearest[row]]),
        density: density(from, row),
        nearestDensity: density(to, nearest[row]),
      });
    }
  }
  return found;
}

/** Least distance of row r to a row of the other set, and which row. `sorted` are the other rows' spreads in the order of `order`. */
function nearestRow(
  from: LocalDensities,
  r: number,
  to: LocalDensities,
  order: Uint32Array,
  sorted: Float64Array,
): [number, number] {
  const own = from.spread[r];
  let high = lowerBound(sorted, own);
  let low = high - 1;
  let best = Number.POSITIVE_INFINITY;
  let bestRow = order[0];
  for (;;) {
    const below = low >= 0 ? own - sorted[low] : Number.POSITIVE_INFINITY;
    const above = high < sorted.length ? sorted[high] - own : Number.POSITIVE_INFINITY;
    // a rounding error more than the bound, so that it never cuts off the best
    if (Math.min(below, above) > best + TIE || (low < 0 && high >= sorted.length)) return [best, bestRow];
    const row = order[below <= above ? low-- : high++];
    const distance = distanceBelow(from, r, to, row, best + TIE);
    if (distance < best - TIE || (distance <= best + TIE && row < bestRow)) [best, bestRow] = [distance, row];
  }
}

/** L1 distance of two rows of cumulative densities; anything above `limit` once it is known to exceed it. */
function distanceBelow(
  from: LocalDensities,
  r: number,
  to: LocalDensities,
  q: number,
  limit: number,
): number {
  const { bins, cumulative } = from;
  const other = to.cumulative;
  let sum = 0;
  for (let k = 0; k < bins && sum <= limit; k += 16)
    for (let end = Math.min(bins, k + 16), at = k; at < end; at++)
      sum += Math.abs(cumulative[r * bins + at] - other[q * bins + at]);
  return sum;
}

/** The first place whose number is not below x. */
function lowerBound(sorted: Float64Array, x: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = low + ((high - low) >>> 1);
    if (sorted[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isSame(cumulative: Float64Array, bins: number, r: number, q: number): boolean {
  for (let k = 0; k < bins; k++)
    if (Math.abs(cumulative[r * bins + k] - cumulative[q * bins + k]) > LEAST_GAP) return false;
  return true;
}

/** A node for each row of the profile: the first that it stands for. */
function firstMembers({ rowOf, rowCount, nodeCount }: SpectralProfile): Uint32Array {
  const member = new Uint32Array(rowCount);
  for (let i = nodeCount - 1; i >= 0; i--) if (rowOf[i] < rowCount) member[rowOf[i]] = i;
  return member;
}

function place({ graph, nodeIds }: ComparedGraph, index: number): NodePlace {
  let degree = 0;
  for (let k = graph.offsets[index]; k < graph.offsets[index + 1]; k++)
    if (graph.targets[k] !== index) degree++;
  return { node: String(nodeIds?.[index] ?? index), index, degree };
}
