/**
 * Motif filtering. A class of c twins has c − 1 eigenvectors supported on the class alone, with one known eigenvalue, its spike
 * (a − b)/d: the paper's motif spikes. Merging the class into one row of the quotient takes those eigenvectors out of the
 * matrix exactly: the quotient is the matrix on their orthogonal complement, in an orthonormal basis. Probes drawn there are
 * probes projected off the motif eigenvectors; the filtered mass comes back exactly as (c − 1)·T_m(spike).
 */
import { unknownName } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { type TwinClasses, twinClasses } from "../graph/twins.js";

/** all: every twin class; paper: the classes with the eigenvalues 0, −1/2, −1/3, −1/4; none: no filtering. */
export type MotifFilter = "all" | "paper" | "none";
export const MOTIF_FILTERS: readonly MotifFilter[] = ["all", "paper", "none"];

const PAPER_EIGENVALUES = [0, -1 / 2, -1 / 3, -1 / 4];

/** The twin classes that the filter merges; nodes of the others are classes of their own. O(nodes + edges). */
export function filteredClasses(graph: Graph, filter: MotifFilter, selfLoops: boolean): TwinClasses {
  if (!MOTIF_FILTERS.includes(filter)) throw unknownName("motif filter", filter, MOTIF_FILTERS);
  if (filter === "none") return splitClasses(graph, null, selfLoops, () => false);
  const twins = twinClasses(graph, { selfLoops: selfLoops ? "one" : "keep" });
  if (filter === "all") return twins;
  return splitClasses(graph, twins, selfLoops, (p) => {
    const degree = degreeOf(graph, twins.representative[p], selfLoops);
    const spike = degree > 0 ? (twins.selfWeight[p] - twins.mutualWeight[p]) / degree : 0;
    return PAPER_EIGENVALUES.some((value) => Math.abs(spike - value) < 1e-12);
  });
}

/** Degree in D; with self-loops, A_ii = 1 instead of what the graph has. */
export function degreeOf(graph: Graph, i: number, selfLoops: boolean): number {
  return selfLoops ? graph.degree(i) - graph.weight(i, i) + 1 : graph.degree(i);
}

/** Keeps the classes for which keep(p), takes the others apart. Classes stay numbered by their smallest node. */
function splitClasses(
  graph: Graph,
  twins: TwinClasses | null,
  selfLoops: boolean,
  keep: (p: number) => boolean,
): TwinClasses {
  const n = graph.nodeCount;
  const kept = Uint8Array.from({ length: twins?.count ?? 0 }, (_, p) =>
    twins!.size[p] > 1 && keep(p) ? 1 : 0,
  );
  const newClass = new Int32Array(twins?.count ?? 0).fill(-1);
  const classOf = new Uint32Array(n);
  const size = new Uint32Array(n);
  const representative = new Uint32Array(n);
  const selfWeight = new Float64Array(n);
  const mutualWeight = new Float64Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const p = twins?.classOf[i] ?? 0;
    const merged = twins !== null && kept[p] === 1;
    if (!merged || newClass[p] < 0) {
      if (merged) newClass[p] = count;
      representative[count] = i;
      selfWeight[count] = selfLoops ? 1 : graph.selfLoopCount > 0 ? graph.weight(i, i) : 0;
      mutualWeight[count] = merged ? twins.mutualWeight[p] : 0;
      classOf[i] = count++;
    } else classOf[i] = newClass[p];
    size[classOf[i]]++;
  }
  const trimmed = <T extends Uint32Array | Float64Array>(array: T) => array.subarray(0, count) as T;
  return {
    count,
    classOf,
    size: trimmed(size),
    representative: trimmed(representative),
    selfWeight: trimmed(selfWeight),
    mutualWeight: trimmed(mutualWeight),
  };
}
