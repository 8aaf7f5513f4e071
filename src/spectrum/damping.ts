/**
 * Damping factors g_0..g_M for the Chebyshev moments m = 0..M, against the Gibbs oscillation of a truncated expansion. O(M).
 *
 * Convention: M is the highest degree, so there are N = M + 1 moments. With α = π / (M + 2):
 *
 *   jackson  g_m = ((M + 2 − m) cos(mα) + sin(mα) cot(α)) / (M + 2)     a positive kernel: densities stay ≥ 0
 *   lorentz  g_m = sinh(λ (1 − m/N)) / sinh(λ)                          λ = 4 unless told
 *   none     g_m = 1
 *
 * Three sources write Jackson's factors differently, and all mean this one. Weisse, Wellein, Alvermann, Fehske (Rev. Mod. Phys.
 * 78, 2006) and NetworkDOS count N = M + 1 moments: ((N − m + 1) cos(πm/(N+1)) + sin(πm/(N+1)) cot(π/(N+1))) / (N+1).
 * The paper (section 2.5) writes (M + 1 − k) cos(kα) + sin((k+1)α) / sin(α), over M + 2: the same, since
 * sin((k+1)α) = sin(kα) cos(α) + cos(kα) sin(α). Its formula is right, its words are not: its "number of moments" M is the highest
 * degree (there are M + 1 moments with the one of degree 0), and its g_M should read g_k.
 */
import { cosineOfPi, sineOfPi } from "../base/circular.js";
import { badCall, unknownName } from "../base/errors.js";
import { exponential, exponentialMinusOne } from "../base/exponential.js";

export type DampingName = "jackson" | "lorentz" | "none";
/** A name, or any factor as a function of the degree m and the highest degree M. */
export type Damping = DampingName | ((m: number, M: number) => number);

export const DAMPING_NAMES: readonly DampingName[] = ["jackson", "lorentz", "none"];

export interface DampingOptions {
  /** Lorentz only: λ > 0, the larger the stronger. Default 4. */
  lambda?: number;
}

export function dampingFactors(kind: Damping, M: number, options: DampingOptions = {}): Float64Array {
  for (const key of Object.keys(options))
    if (key !== "lambda") throw unknownName("option of damping", key, ["lambda"]);
  if (!(Number.isInteger(M) && M >= 0))
    throw badCall(`damping: highest degree: got ${M}, expected an integer of at least 0`);
  if (options.lambda !== undefined && kind !== "lorentz")
    throw badCall(`damping: lambda belongs to lorentz: got ${options.lambda} with ${String(kind)}`);
  const factor = typeof kind === "function" ? kind : named(kind, M, options.lambda ?? 4);
  const factors = new Float64Array(M + 1);
  for (let m = 0; m <= M; m++) {
    factors[m] = factor(m, M);
    if (!Number.isFinite(factors[m]))
      throw badCall(`damping: factor ${m} of ${M}: got ${factors[m]}, expected a finite number`);
  }
  return factors;
}

function named(kind: DampingName, M: number, lambda: number): (m: number) => number {
  switch (kind) {
    case "none":
      return () => 1;
    case "jackson": {
      const n = M + 2;
      const cotangent = cosineOfPi(1, n) / sineOfPi(1, n);
      return (m) => ((n - m) * cosineOfPi(m, n) + sineOfPi(m, n) * cotangent) / n;
    }
    case "lorentz": {
      if (!(lambda > 0 && lambda < Number.POSITIVE_INFINITY))
        throw badCall(`damping: lambda of lorentz: got ${lambda}, expected a finite number above 0`);
      // sinh(a) / sinh(λ) by exponentials of negative numbers, which cannot overflow
      return (m) => {
        const a = lambda * (1 - m / (M + 1));
        return (exponential(a - lambda) * exponentialMinusOne(-2 * a)) / exponentialMinusOne(-2 * lambda);
      };
    }
    default:
      throw unknownName("damping", String(kind), DAMPING_NAMES);
  }
}
