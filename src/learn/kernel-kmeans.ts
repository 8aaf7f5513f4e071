/**
 * Kernel k-means (Dhillon, Guan, Kulis 2004): clusters that minimise Σ_i ‖φ(x_i) − mean of its cluster‖², with
 * ‖φ(x) − m_c‖² = K(x, x) − 2/|c| Σ_{j∈c} K(x, x_j) + 1/|c|² Σ_{i,j∈c} K(x_i, x_j). Centres are chosen by k-means++ from a seed; the best
 * of `starts` runs is kept. O(n²) a round.
 *
 * Distances that differ by less than 1e-12 of the largest |K| are equal, to which the lower number goes: scaling K, which scales all
 * distances alike, changes no cluster.
 */
import { badCall } from "../base/errors.js";
import { Random } from "../base/random.js";
import type { GramValues } from "./smo.js";

export interface Clusters {
  /** Cluster of each graph, numbered by first appearance. */
  cluster: Int32Array;
  /** Sum of squared distances to the cluster means. */
  cost: number;
  rounds: number;
}

interface Problem {
  gram: GramValues;
  n: number;
  clusters: number;
  /** Squared distances that differ by less are equal. */
  tie: number;
}

export function kernelKMeans(
  gram: GramValues,
  n: number,
  clusters: number,
  { seed = 0, starts = 8, maxRounds = 100 }: { seed?: number; starts?: number; maxRounds?: number } = {},
): Clusters {
  if (!(Number.isInteger(clusters) && clusters >= 1 && clusters <= n))
    throw badCall(`clusters: got ${clusters}, expected a whole number from 1 to ${n}`);
  let largest = 0;
  for (const value of gram) largest = Math.max(largest, Math.abs(value));
  const problem: Problem = { gram, n, clusters, tie: 1e-12 * largest };
  let best: Clusters | null = null;
  for (let start = 0; start < starts; start++) {
    const run = lloyd(problem, seeds(problem, new Random(seed, start, 4)), maxRounds);
    if (best === null || run.cost < best.cost - n * problem.tie) best = run;
  }
  return { ...best!, cluster: renumbered(best!.cluster) };
}

/** k-means++: each new centre with probability proportional to its squared distance to the nearest one so far. */
function seeds({ gram, n, clusters, tie }: Problem, random: Random): Int32Array {
  const chosen = [random.integer(n)];
  const distance = (i: number, j: number) => {
    const square = gram[i * n + i] + gram[j * n + j] - 2 * gram[i * n + j];
    return square > tie ? square : 0;
  };
  const nearest = Float64Array.from({ length: n }, (_, i) => distance(i, chosen[0]));
  while (chosen.length < clusters) {
    const total = nearest.reduce((sum, d) => sum + d, 0);
    let at = random.uniform() * total;
    let pick = 0;
    while (pick < n - 1 && (at -= nearest[pick]) > 0) pick++;
    if (total === 0) pick = chosen.length % n;
    chosen.push(pick);
    for (let i = 0; i < n; i++) nearest[i] = Math.min(nearest[i], distance(i, pick));
  }
  return Int32Array.from({ length: n }, (_, i) => {
    let best = 0;
    for (let c = 1; c < clusters; c++) if (distance(i, chosen[c]) < distance(i, chosen[best]) - tie) best = c;
    return best;
  });
}

function lloyd({ gram, n, clusters, tie }: Problem, cluster: Int32Array, maxRounds: number): Clusters {
  let cost = Number.POSITIVE_INFINITY;
  let rounds = 0;
  const toCluster = new Float64Array(n * clusters);
  for (; rounds < maxRounds; rounds++) {
    toCluster.fill(0);
    const sizes = new Int32Array(clusters);
    for (let j = 0; j < n; j++) {
      sizes[cluster[j]]++;
      for (let i = 0; i < n; i++) toCluster[i * clusters + cluster[j]] += gram[j * n + i];
    }
    const within = new Float64Array(clusters);
    for (let i = 0; i < n; i++) within[cluster[i]] += toCluster[i * clusters + cluster[i]];
    let changed = 0;
    cost = 0;
    for (let i = 0; i < n; i++) {
      let best = cluster[i];
      let least = Number.POSITIVE_INFINITY;
      for (let c = 0; c < clusters; c++) {
        if (sizes[c] === 0) continue;
        const d = gram[i * n + i] - (2 * toCluster[i * clusters + c]) / sizes[c] + within[c] / sizes[c] ** 2;
        if (d < least - tie) [best, least] = [c, d];
      }
      cost += Math.max(0, least);
      if (best !== cluster[i]) {
        cluster[i] = best;
        changed++;
      }
    }
    if (changed === 0) break;
  }
  return { cluster, cost, rounds };
}

function renumbered(cluster: Int32Array): Int32Array {
  const names = new Map<number, number>();
  return cluster.map((c) => {
    if (!names.has(c)) names.set(c, names.size);
    return names.get(c)!;
  });
}
