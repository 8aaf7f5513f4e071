/**
 * The local density of states of single nodes for people to look at: its known part as atoms, the rest as a smooth density, both of them
 * together of mass 1; and one number a node, for colouring a drawing.
 *
 * The known part of node i is (1 − 1/c) at the eigenvalue of its c twins and its share of the eigenvectors at ±1 (known-eigenvalues.ts).
 * O(bins × M) a node, O(rows × M) for a number at every node.
 */
import { badCall } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { toReturnProbabilities } from "../spectrum/basis.js";
import { addChebyshev } from "../spectrum/chebyshev.js";
import type { DampingName } from "../spectrum/damping.js";
import { type Atom, densityAt, evenEdges, histogram } from "../spectrum/density.js";
import type { MotifFilter } from "../spectrum/motif-filter.js";
import type { SpectralProfile } from "../spectrum/profile.js";
import { binCentres } from "./binning.js";
import { knownSpectrum } from "./known-eigenvalues.js";

export interface NodeSpectrumOptions {
  /** Default jackson. */
  damping?: DampingName;
  /** Which eigenvalues become atoms. Default all. */
  filter?: MotifFilter;
  /** Default 200. */
  bins?: number;
}

export interface NodeSpectrum {
  atoms: Atom[];
  /** Middles of the bins, even over [-1, 1]. */
  grid: Float64Array;
  /** Mean density of each bin, without the atoms. */
  density: Float64Array;
  /** Return probabilities after 0..M steps. */
  returns: Float64Array;
}

/** Eigenvalues nearer than this are one. */
const SAME = 1e-9;
/** The densities of a continuous expansion are infinite at ±1: they are looked at this far inside. */
const INSIDE = 1 - 1e-6;

/** Null where the node was not in the sample that the profile was computed from. */
export function nodeSpectrum(
  graph: Graph,
  profile: SpectralProfile,
  node: number,
  { damping = "jackson", filter = "all", bins = 200 }: NodeSpectrumOptions = {},
): NodeSpectrum | null {
  if (!(Number.isInteger(node) && node >= 0 && node < graph.nodeCount))
    throw badCall(`node spectrum: node: got ${node}, expected 0 to ${graph.nodeCount - 1}`);
  if (!(profile.rowOf[node] < profile.rowCount)) return null;
  const moments = profile.nodeMoments(node).slice();
  const returns = toReturnProbabilities(moments, 1, profile.moments, new Float64Array(moments.length));
  const { eigenvalues, localAtoms } = knownSpectrum(graph, filter, profile.estimator.detail.selfLoops === 1);
  const atoms: Atom[] = [];
  for (const { at, mass } of localAtoms(node)) {
    // the places as the whole spectrum has them, so that both show the same eigenvalue
    const known = eigenvalues.find(({ eigenvalue }) => Math.abs(eigenvalue - at) < SAME);
    const place = Math.max(-1, Math.min(1, known?.eigenvalue ?? at));
    addChebyshev(moments, place, -mass);
    const same = atoms.find((atom) => atom.at === place);
    if (same !== undefined) same.mass += mass;
    else if (mass > 0) atoms.push({ at: place, mass });
  }
  if (Math.abs(moments[0]) < SAME) moments.fill(0);
  const edges = evenEdges(bins);
  const density = histogram(moments, damping, edges);
  for (let b = 0; b < bins; b++) density[b] *= bins / 2;
  return { atoms: atoms.sort((a, b) => a.at - b.at), grid: binCentres(edges), density, returns };
}

/** Probability that a walk is back at its node after k steps, for every node; NaN for nodes without moments. */
export function returnsAfter(profile: SpectralProfile, k: number): Float64Array {
  if (!(Number.isInteger(k) && k >= 0 && k <= profile.moments))
    throw badCall(`return probability: steps: got ${k}, expected 0 to ${profile.moments}`);
  const rows = toReturnProbabilities(
    profile.rows,
    profile.rowCount,
    profile.moments,
    new Float64Array(profile.rows.length),
  );
  return spread(profile, (r) => rows[r * (profile.moments + 1) + k]);
}

export interface EigenvalueWeights {
  /** Whether the eigenvalue is one of the known ones: then values are masses, else densities. */
  known: boolean;
  /** Of each node; NaN for nodes without moments. */
  values: Float64Array;
}

/** How much of an eigenvalue each node carries: its known mass there, or, away from known eigenvalues, its local density. */
export function eigenvalueWeights(
  graph: Graph,
  profile: SpectralProfile,
  eigenvalue: number,
  { damping = "jackson", filter = "all" }: NodeSpectrumOptions = {},
): EigenvalueWeights {
  if (!(eigenvalue >= -1 && eigenvalue <= 1))
    throw badCall(`eigenvalue: got ${eigenvalue}, expected -1 to 1`);
  const spectrum = knownSpectrum(graph, filter, profile.estimator.detail.selfLoops === 1);
  if (spectrum.eigenvalues.some((known) => Math.abs(known.eigenvalue - eigenvalue) < SAME)) {
    const values = Float64Array.from({ length: graph.nodeCount }, (_, i) =>
      spectrum
        .localAtoms(i)
        .reduce((sum, { at, mass }) => sum + (Math.abs(at - eigenvalue) < SAME ? mass : 0), 0),
    );
    return { known: true, values };
  }
  const point = [Math.max(-INSIDE, Math.min(INSIDE, eigenvalue))];
  const width = profile.moments + 1;
  const value = (r: number) =>
    densityAt(profile.rows.subarray(r * width, (r + 1) * width), damping, point)[0];
  return { known: false, values: spread(profile, value) };
}

/** A number of each row for every node that the row stands for. */
function spread(
  { rowOf, rowCount, nodeCount }: SpectralProfile,
  value: (row: number) => number,
): Float64Array {
  const values = Float64Array.from({ length: rowCount }, (_, r) => value(r));
  return Float64Array.from({ length: nodeCount }, (_, i) =>
    rowOf[i] < rowCount ? values[rowOf[i]] : Number.NaN,
  );
}
