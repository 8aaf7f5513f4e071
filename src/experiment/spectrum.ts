/**
 * The spectrum of one graph for people to look at: known eigenvalues as atoms, the rest as a smooth density, with its error.
 *
 * Everything is per node: the density and the atoms together have mass 1. The density is that of the moments with the atoms' moments
 * taken out, damped, and averaged over even bins of [-1, 1] (binning.ts). Where nodes were sampled, the known part of each drawn node
 * is taken out node by node instead, and the smooth part is scaled to the mass that is known to be left (a ratio estimator): the chance
 * of drawing many or few twins then does not show as a false spike.
 *
 * O(nodes + edges) for the atoms, O(bins × M × 1024) for the error of probes, O(bins × M × rows) for that of a sample.
 */
import { badCall } from "../base/errors.js";
import type { Graph } from "../graph/graph.js";
import { addChebyshev } from "../spectrum/chebyshev.js";
import type { DampingName } from "../spectrum/damping.js";
import { type Atom, cumulativeAt, evenEdges, histogram } from "../spectrum/density.js";
import type { EstimatorDetail } from "../spectrum/estimator.js";
import type { MotifFilter } from "../spectrum/motif-filter.js";
import type { SpectralProfile } from "../spectrum/profile.js";
import { binCentres, binCoefficients } from "./binning.js";
import { type AtomKind, type KnownSpectrum, knownSpectrum } from "./known-eigenvalues.js";
import { probeError, type SmoothRows, sampleError } from "./spectrum-error.js";

export interface SpectrumAtom {
  eigenvalue: number;
  /** How often the eigenvalue is known to occur. */
  count: number;
  /** count / nodes. */
  mass: number;
  /** The count by where it comes from. */
  kinds: Partial<Record<AtomKind, number>>;
}

export interface SpectrumOptions {
  /** What to call the graph. */
  name: string;
  /** Default jackson. */
  damping?: DampingName;
  /** Which eigenvalues become atoms. Default all. */
  filter?: MotifFilter;
  /** Bins of the density. Default 400. */
  bins?: number;
}

export interface GraphSpectrum {
  name: string;
  nodes: number;
  edges: number;
  moments: number;
  damping: DampingName;
  filter: MotifFilter;
  selfLoops: boolean;
  estimator: EstimatorDetail;
  /** Trace moments, undamped, as the estimator gave them; m = 0..M. */
  trace: Float64Array;
  /** Standard error of each trace moment; null where they are exact. */
  standardError: Float64Array | null;
  /** Ascending by eigenvalue. */
  atoms: SpectrumAtom[];
  /** Middles of the bins, even over [-1, 1]. */
  grid: Float64Array;
  /** Mean density of each bin, without the atoms. Its sum times the bin width is 1 − Σ mass. */
  density: Float64Array;
  /** Standard error of each density; null where it is exact. */
  densityError: Float64Array | null;
  /** What densityError is, in words; null where there is none. */
  errorMethod: string | null;
  /** Share of the eigenvalues at or below each grid point, atoms included. */
  cdf: Float64Array;
  /** Share of the eigenvalues in 40 even bins, atoms included. */
  histogram: { edges: Float64Array; share: Float64Array };
}

const BINS = 400;
const HISTOGRAM_BINS = 40;

export function graphSpectrum(
  graph: Graph,
  profile: SpectralProfile,
  { name, damping = "jackson", filter = "all", bins = BINS }: SpectrumOptions,
): GraphSpectrum {
  if (profile.nodeCount !== graph.nodeCount)
    throw badCall(
      `spectrum: a profile of ${profile.nodeCount} nodes, expected the ${graph.nodeCount} of ${name}`,
    );
  const { nodeCount: nodes, edgeCount: edges } = graph;
  const { estimator, moments } = profile;
  const selfLoops = estimator.detail.selfLoops === 1;
  const binEdges = evenEdges(bins);
  const grid = binCentres(binEdges);
  const scale = nodes > 0 ? 1 / nodes : 0;

  const known = knownSpectrum(graph, filter, selfLoops);
  const atoms = known.eigenvalues.map((found) => ({ ...found, mass: found.count * scale }));
  const places: Atom[] = atoms.map(({ eigenvalue, mass }) => ({ at: clampToUnit(eigenvalue), mass }));
  const left = Math.max(0, 1 - places.reduce((sum, atom) => sum + atom.mass, 0));
  const smooth =
    estimator.name === "sample" ? sampledSmooth(profile, known, left) : traceSmooth(profile, places, scale);

  const density = histogram(smooth.moments, damping, binEdges);
  for (let b = 0; b < bins; b++) density[b] *= bins / 2;
  const cdf = cumulativeAt(smooth.moments, damping, grid);
  const histogramEdges = evenEdges(HISTOGRAM_BINS);
  // the atoms' own moments are in neither: they are added as masses
  const share = histogram(withAtoms(smooth.moments, places), damping, histogramEdges, places);
  for (const { at, mass } of places) for (let b = 0; b < bins; b++) if (at <= grid[b]) cdf[b] += mass;

  let densityError: Float64Array | null = null;
  let errorMethod: string | null = null;
  if (estimator.name !== "exact" && nodes > 0) {
    const alpha = binCoefficients(moments, damping, binEdges);
    if (estimator.name === "sample") {
      densityError = sampleError(alpha, bins, smooth.rows!, estimator.detail.nodes, nodes, left);
      errorMethod = "standard error over the sampled nodes";
    } else {
      const probed = known.probed.map(({ eigenvalue, count }) => ({ at: eigenvalue, mass: count * scale }));
      densityError = probeError(alpha, bins, smooth.moments, probed, estimator.detail.probes, nodes);
      errorMethod = "upper bound of the standard error of the probes, √(2 tr F² / probes)";
    }
  }
  return {
    ...{ name, nodes, edges, moments, damping, filter, selfLoops, estimator },
    trace: profile.trace.slice(),
    standardError: profile.standardError?.trace?.slice() ?? null,
    ...{ atoms, grid, density, densityError, errorMethod, cdf },
    histogram: { edges: histogramEdges, share },
  };
}

/** Rounding must not push a place out of the interval. */
const clampToUnit = (x: number) => Math.max(-1, Math.min(1, x));

interface Smooth {
  /** Mean over the nodes of the moments without the known part. */
  moments: Float64Array;
  rows: SmoothRows | null;
}

function traceSmooth(profile: SpectralProfile, atoms: readonly Atom[], scale: number): Smooth {
  const moments = profile.trace.map((value) => value * scale);
  for (const { at, mass } of atoms) addChebyshev(moments, at, -mass);
  // the mass left over is a whole number of eigenvalues: what is not is rounding
  if (Math.abs(moments[0]) < 1e-9) moments.fill(0);
  return { moments, rows: null };
}

function sampledSmooth(profile: SpectralProfile, known: KnownSpectrum, left: number): Smooth {
  const { nodeCount, rowCount, rows, rowOf, weights, estimator } = profile;
  const width = profile.moments + 1;
  const member = new Int32Array(rowCount).fill(-1);
  for (let i = 0; i < nodeCount; i++) if (rowOf[i] < rowCount && member[rowOf[i]] < 0) member[rowOf[i]] = i;
  const list: SmoothRows = { moments: [], drawn: [] };
  const moments = new Float64Array(width);
  for (let r = 0; r < rowCount; r++) {
    const row = rows.slice(r * width, (r + 1) * width);
    for (const { at, mass } of known.localAtoms(member[r])) addChebyshev(row, clampToUnit(at), -mass);
    list.moments.push(row);
    list.drawn.push((weights[r] * estimator.detail.nodes) / nodeCount);
    for (let m = 0; m < width; m++) moments[m] += (weights[r] / nodeCount) * row[m];
  }
  const ratio = moments[0] > 1e-9 ? left / moments[0] : 0;
  return { moments: moments.map((value) => value * ratio), rows: list };
}

function withAtoms(moments: Float64Array, atoms: readonly Atom[]): Float64Array {
  const all = moments.slice();
  for (const { at, mass } of atoms) addChebyshev(all, at, mass);
  return all;
}

/**
 * Wasserstein-1 distance of two spectra, ∫ |F − G| dλ over their cumulative densities: how far an eigenvalue has to move on
 * average, 0 to 2. Midpoint rule between the atoms, which are exact. Both densities are as they were damped.
 */
export function spectralDistance(a: GraphSpectrum, b: GraphSpectrum): number {
  const cells = new Set<number>(evenEdges(2048));
  for (const { eigenvalue } of [...a.atoms, ...b.atoms]) cells.add(clampToUnit(eigenvalue));
  const edges = Float64Array.from(cells).sort();
  const [f, g] = [a, b].map((spectrum) => cumulative(spectrum, edges));
  let sum = 0;
  for (let k = 0; k + 1 < edges.length; k++) sum += Math.abs(f[k] - g[k]) * (edges[k + 1] - edges[k]);
  return sum;
}

/** The cumulative density in the middle of each cell, the smooth part by straight lines between the bins' edges. */
function cumulative({ density, atoms }: GraphSpectrum, edges: Float64Array): Float64Array {
  const bins = density.length;
  const below = new Float64Array(bins + 1);
  for (let b = 0; b < bins; b++) below[b + 1] = below[b] + (density[b] * 2) / bins;
  return Float64Array.from({ length: edges.length - 1 }, (_, k) => {
    const x = (edges[k] + edges[k + 1]) / 2;
    const place = ((x + 1) * bins) / 2;
    const b = Math.min(bins - 1, Math.floor(place));
    let sum = below[b] + (place - b) * (below[b + 1] - below[b]);
    for (const { eigenvalue, mass } of atoms) if (eigenvalue <= x) sum += mass;
    return sum;
  });
}
