/**
 * Standard errors of a sampled density, bin by bin. The density of bin b is the mean over the spectrum of the polynomial
 * F_b = Σ α_bm T_m (binning.ts); its moments are correlated, so their errors cannot simply be added up.
 *
 * Probes: an estimate z'F(Q)z of tr F(Q) has variance 2 (tr F² − Σ F_ii²) with signs, 2 tr F² with normals. 2 tr F² is taken for
 * both: an upper bound, tight where the eigenvectors are spread over many nodes. tr F² = ∫ F² dμ is taken against the density.
 * Sample: the spread of F_b over the drawn nodes, of the ratio estimator, with the factor √(1 − S/n) of a finite population.
 */
import { cosineTable } from "../base/circular.js";
import { addChebyshev } from "../spectrum/chebyshev.js";
import { dampingFactors } from "../spectrum/damping.js";
import type { Atom } from "../spectrum/density.js";
import { multiplyRows } from "./binning.js";

const QUADRATURE = 1024;

/** The drawn nodes: moments of each row without its known part, and how many nodes were drawn from the row. */
export interface SmoothRows {
  moments: Float64Array[];
  drawn: number[];
}

/** √(2 ∫ F_b² dμ · n / P) / n, with μ the smooth part and the known eigenvalues whose vectors were not taken out of the probes. */
export function probeError(
  alpha: Float64Array,
  bins: number,
  smooth: Float64Array,
  atoms: readonly Atom[],
  probes: number,
  nodes: number,
): Float64Array {
  const width = smooth.length;
  const jackson = dampingFactors("jackson", width - 1);
  const places: Atom[] = [...atoms];
  const cosines = cosineTable(2 * QUADRATURE);
  for (let k = 0; k < QUADRATURE; k++) {
    // mass at the middle of equal steps of θ, π (2k + 1) / 2K: (c_0 + 2 Σ c_m cos mθ) / K
    let sum = smooth[0];
    for (let m = 1; m < width; m++)
      sum += 2 * jackson[m] * smooth[m] * cosines[(m * (2 * k + 1)) % cosines.length];
    places.push({ at: cosines[2 * k + 1], mass: Math.max(0, sum) / QUADRATURE });
  }
  const squares = new Float64Array(bins);
  const test = new Float64Array(bins);
  for (const { at, mass } of places) {
    if (mass === 0) continue;
    const chebyshev = new Float64Array(width);
    addChebyshev(chebyshev, at, 1);
    multiplyRows(alpha, chebyshev, test);
    for (let b = 0; b < bins; b++) squares[b] += mass * test[b] * test[b];
  }
  return squares.map((square) => Math.sqrt((2 * square) / (probes * nodes)));
}

/** The standard error of left · Σ f / Σ m over the S drawn nodes, f the value of a bin and m the mass of a node. */
export function sampleError(
  alpha: Float64Array,
  bins: number,
  { moments, drawn }: SmoothRows,
  sample: number,
  nodes: number,
  left: number,
): Float64Array {
  const values = moments.map((row) => {
    const value = new Float64Array(bins);
    multiplyRows(alpha, row, value);
    return value;
  });
  const meanMass = moments.reduce((sum, row, r) => sum + (drawn[r] * row[0]) / sample, 0);
  const errors = new Float64Array(bins);
  if (!(meanMass > 1e-9)) return errors;
  const factor = (left / meanMass) * Math.sqrt(Math.max(0, 1 - sample / nodes) / sample);
  for (let b = 0; b < bins; b++) {
    const mean = values.reduce((sum, value, r) => sum + (drawn[r] * value[b]) / sample, 0);
    let squares = 0;
    for (let r = 0; r < values.length; r++)
      squares += drawn[r] * (values[r][b] - (mean / meanMass) * moments[r][0]) ** 2;
    errors[b] = factor * Math.sqrt(squares / Math.max(1, sample - 1));
  }
  return errors;
}
