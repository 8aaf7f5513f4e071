/**
 * The density of states from its Chebyshev moments μ_m = ∫ T_m dμ, m = 0..M, by the kernel polynomial method:
 *
 *   density(x)    = (c_0 + 2 Σ c_m T_m(x)) / (π √(1 − x²)),   c_m = g_m μ_m
 *   cumulative(x) = (c_0 (π − θ) − 2 Σ c_m sin(mθ) / m) / π,   θ = arccos x
 *   ∫ f           = Σ a_m c_m,   f = Σ a_m T_m
 *
 * Sums by Clenshaw's recurrence: O(M) a point. The mass is c_0: n for a trace, 1 for one node.
 *
 * Atoms are eigenvalues known exactly with their mass (motif spikes). Their moments are taken out before the expansion and they come
 * back as atoms, so that a spike is neither smeared nor lost. Sources: Weisse et al., Rev. Mod. Phys. 78 (2006); Dong, Benson, Bindel,
 * "Network density of states", KDD 2019.
 */
import { arcCosine, cosineOfPi, cosineTable } from "../base/circular.js";
import { badCall } from "../base/errors.js";
import { type Damping, dampingFactors } from "./damping.js";

export interface Atom {
  /** The eigenvalue, in [-1, 1]. */
  at: number;
  /** Its share of the measure, in the unit of the moments. */
  mass: number;
}

/** A damping by name or function, or the M + 1 factors themselves. */
export type DampingChoice = Damping | Float64Array;

/** c_m = g_m (μ_m − Σ mass · T_m(at)): what is expanded. */
export function smoothCoefficients(
  moments: Float64Array,
  damping: DampingChoice,
  atoms: readonly Atom[] = [],
): Float64Array {
  const M = moments.length - 1;
  if (M < 0) throw badCall("density: got no moments, expected at least the one of degree 0");
  const factors = damping instanceof Float64Array ? damping : dampingFactors(damping, M);
  if (factors.length !== M + 1)
    throw badCall(`density: got ${factors.length} damping factors for ${M + 1} moments, expected one each`);
  const c = Float64Array.from(moments);
  for (const { at, mass } of atoms) {
    if (!(at >= -1 && at <= 1)) throw badCall(`density: atom at ${at}, expected a place in [-1, 1]`);
    if (!(mass >= 0 && mass < Number.POSITIVE_INFINITY))
      throw badCall(`density: the atom at ${at} has mass ${mass}, expected a finite number of at least 0`);
    let before = at; // T_(−1) = T_1
    let now = 1;
    for (let m = 0; m <= M; m++) {
      c[m] -= mass * now;
      const next = 2 * at * now - before;
      before = now;
      now = next;
    }
  }
  for (let m = 0; m <= M; m++) {
    c[m] *= factors[m];
    if (!Number.isFinite(c[m]))
      throw badCall(`density: moment ${m}: got ${moments[m]}, expected a finite number`);
  }
  return c;
}

/** `count` points inside (-1, 1), ascending, dense towards the ends as the expansion is: cos(π (k + ½) / count). */
export function chebyshevGrid(count: number): Float64Array {
  if (!(Number.isInteger(count) && count >= 0))
    throw badCall(`chebyshev grid: got ${count} points, expected an integer of at least 0`);
  return Float64Array.from({ length: count }, (_, k) => -cosineOfPi(2 * k + 1, 2 * count));
}

/** The density of the smooth part at points strictly inside (-1, 1); at the ends its weight is infinite. */
export function densityAt(
  moments: Float64Array,
  damping: DampingChoice,
  points: ArrayLike<number>,
  atoms: readonly Atom[] = [],
): Float64Array {
  const c = smoothCoefficients(moments, damping, atoms);
  const out = new Float64Array(points.length);
  for (let p = 0; p < out.length; p++) {
    const x = points[p];
    if (!(x > -1 && x < 1))
      throw badCall(`density: point ${p}: got ${x}, expected one strictly inside (-1, 1); use chebyshevGrid`);
    let b1 = 0;
    let b2 = 0;
    for (let m = c.length - 1; m > 0; m--) {
      const b = 2 * (c[m] + x * b1) - b2;
      b2 = b1;
      b1 = b;
    }
    out[p] = (c[0] + x * b1 - b2) / (Math.PI * Math.sqrt((1 - x) * (1 + x)));
  }
  return out;
}

/** The mass at or below x of the smooth part c: 0 below -1, c_0 above 1. */
function smoothMassBelow(c: Float64Array, x: number): number {
  if (x <= -1) return 0;
  if (x >= 1) return c[0];
  // Σ a_m sin(mθ) = sin θ Σ a_m U_(m−1)(x)
  let b1 = 0;
  let b2 = 0;
  for (let m = c.length - 1; m > 0; m--) {
    const b = c[m] / m + 2 * x * b1 - b2;
    b2 = b1;
    b1 = b;
  }
  return (c[0] * (Math.PI - arcCosine(x)) - 2 * Math.sqrt((1 - x) * (1 + x)) * b1) / Math.PI;
}

/** The mass at or below each point, atoms included. Rises from 0 to the whole mass; monotone where the damping is Jackson's. */
export function cumulativeAt(
  moments: Float64Array,
  damping: DampingChoice,
  points: ArrayLike<number>,
  atoms: readonly Atom[] = [],
): Float64Array {
  const c = smoothCoefficients(moments, damping, atoms);
  const out = new Float64Array(points.length);
  for (let p = 0; p < out.length; p++) {
    const x = points[p];
    if (Number.isNaN(x)) throw badCall(`cumulative density: point ${p}: got NaN, expected a number`);
    out[p] = smoothMassBelow(c, x);
    for (const { at, mass } of atoms) if (at <= x) out[p] += mass;
  }
  return out;
}

/**
 * The mass in each bin [edges[k], edges[k+1]), the last one closed, atoms included. Edges ascend strictly; from -1 to 1 they
 * hold the whole mass, and mass outside them is left out.
 */
export function histogram(
  moments: Float64Array,
  damping: DampingChoice,
  edges: ArrayLike<number>,
  atoms: readonly Atom[] = [],
): Float64Array {
  const bins = edges.length - 1;
  if (bins < 1) throw badCall(`histogram: got ${edges.length} edges, expected at least 2`);
  for (let k = 0; k < bins; k++)
    if (!(edges[k] < edges[k + 1]))
      throw badCall(`histogram: edges must ascend: got ${edges[k]} before ${edges[k + 1]}`);
  const c = smoothCoefficients(moments, damping, atoms);
  const masses = new Float64Array(bins);
  let below = smoothMassBelow(c, edges[0]);
  for (let k = 0; k < bins; k++) {
    const next = smoothMassBelow(c, edges[k + 1]);
    masses[k] = next - below;
    below = next;
  }
  for (const { at, mass } of atoms) {
    if (at < edges[0] || at > edges[bins]) continue;
    let k = bins - 1;
    while (at < edges[k]) k--;
    masses[k] += mass;
  }
  return masses;
}

/** `bins` + 1 edges, evenly over [-1, 1]. */
export function evenEdges(bins: number): Float64Array {
  if (!(Number.isInteger(bins) && bins > 0))
    throw badCall(`histogram: got ${bins} bins, expected an integer of at least 1`);
  return Float64Array.from({ length: bins + 1 }, (_, k) => (2 * k) / bins - 1);
}

/**
 * a_0..a_M of f ≈ Σ a_m T_m, from `nodes` Gauss–Chebyshev nodes: a_m = (2/K) Σ_k f(cos θ_k) cos(m θ_k), a_0 halved,
 * θ_k = π (k + ½) / K. Exact for polynomials of degree below 2K − M. O(K M).
 */
export function chebyshevCoefficients(f: (x: number) => number, M: number, nodes: number): Float64Array {
  // cos(m θ_k) = cosines[m (2k + 1) mod 4K]: whole angles, so that no argument grows
  const period = 4 * nodes;
  const cosines = cosineTable(2 * nodes);
  const a = new Float64Array(M + 1);
  for (let k = 0; k < nodes; k++) {
    const x = cosines[2 * k + 1];
    const value = f(x);
    if (!Number.isFinite(value)) throw badCall(`integral: f(${x}) is ${value}, expected a finite number`);
    for (let m = 0; m <= M; m++) a[m] += value * cosines[(m * (2 * k + 1)) % period];
  }
  for (let m = 0; m <= M; m++) a[m] *= (m === 0 ? 1 : 2) / nodes;
  return a;
}

/**
 * ∫ f against the density: Σ a_m g_m μ_m, atoms exactly. Undamped it is the exact ∫ f dμ for every polynomial f of degree ≤ M;
 * for other f it is as good as f's Chebyshev series is short. f is called at max(64, 4 (M + 1)) nodes inside (-1, 1), and at the atoms.
 */
export function integrate(
  moments: Float64Array,
  damping: DampingChoice,
  f: (x: number) => number,
  atoms: readonly Atom[] = [],
): number {
  const c = smoothCoefficients(moments, damping, atoms);
  const a = chebyshevCoefficients(f, c.length - 1, Math.max(64, 4 * c.length));
  let sum = 0;
  for (let m = 0; m < c.length; m++) sum += a[m] * c[m];
  for (const { at, mass } of atoms) sum += mass * f(at);
  return sum;
}
