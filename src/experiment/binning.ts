/**
 * The damped expansion, averaged over bins. The mean density in a bin is linear in the moments,
 *
 *   density_b = Σ_m α_bm μ_m,   α_bm = g_m · 2 (sin mθ_b − sin mθ_(b+1)) / (m π width),   α_b0 = g_0 (θ_b − θ_(b+1)) / (π width),
 *
 * with θ = arccos of the edges. Averages stay finite at ±1, where the density itself may not, and hold the mass exactly.
 * Read as a polynomial, α_b is the test function F_b(λ) = Σ α_bm T_m(λ) whose mean over the spectrum is the density of the bin.
 */
import { arcCosine, sine } from "../base/circular.js";
import { type Damping, dampingFactors } from "../spectrum/damping.js";

/** bins × (M + 1) numbers α_bm. */
export function binCoefficients(M: number, damping: Damping, edges: Float64Array): Float64Array {
  const factors = dampingFactors(damping, M);
  const bins = edges.length - 1;
  const alpha = new Float64Array(bins * (M + 1));
  for (let b = 0; b < bins; b++) {
    const low = arcCosine(edges[b]);
    const high = arcCosine(edges[b + 1]);
    const scale = 1 / (Math.PI * (edges[b + 1] - edges[b]));
    alpha[b * (M + 1)] = factors[0] * (low - high) * scale;
    for (let m = 1; m <= M; m++)
      alpha[b * (M + 1) + m] = (2 * factors[m] * (sine(m * low) - sine(m * high)) * scale) / m;
  }
  return alpha;
}

/** out_b = Σ_m matrix_bm · vector_m: with the coefficients above, the densities of the bins from moments. */
export function multiplyRows(matrix: Float64Array, vector: Float64Array, out: Float64Array): void {
  const width = vector.length;
  for (let b = 0, k = 0; b < out.length; b++) {
    let sum = 0;
    for (let m = 0; m < width; m++, k++) sum += matrix[k] * vector[m];
    out[b] = sum;
  }
}

/** The middles of the bins. */
export const binCentres = (edges: Float64Array): Float64Array =>
  Float64Array.from({ length: edges.length - 1 }, (_, b) => (edges[b] + edges[b + 1]) / 2);
