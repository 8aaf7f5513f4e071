/**
 * The largest eigenvalues of a large symmetric matrix, with eigenvectors, by Lanczos with full reorthogonalisation, started from a
 * seeded random vector. O(steps·n² + steps²·n); `steps` grows until the residuals are below 1e-8 of the largest eigenvalue.
 *
 * A start vector sees an eigenvalue of several dimensions once; when Lanczos closes in an invariant subspace it goes on with a fresh
 * vector orthogonal to it, so that the others of its kind are found too.
 */
import { Random } from "../base/random.js";
import { implicitQL } from "../spectrum/tridiagonal.js";

export interface LeadingEigen {
  /** Descending. */
  values: Float64Array;
  /** One row an eigenvector, of length 1; its largest entry is positive, so that maps do not flip between runs. */
  vectors: Float64Array[];
}

const RESIDUAL = 1e-8;

export function leadingEigen(
  multiply: (x: Float64Array, y: Float64Array) => void,
  n: number,
  count: number,
  seed = 0,
): LeadingEigen {
  const wanted = Math.min(count, n);
  const random = new Random(seed, 0, 3);
  const basis: Float64Array[] = [];
  const diagonal: number[] = [];
  const side: number[] = [];
  let closed = 0;
  let next = orthogonalised(
    Float64Array.from({ length: n }, () => random.normal()),
    basis,
  );
  let found: (LeadingEigen & { residual: number }) | null = null;
  while (basis.length < n && wanted > 0) {
    basis.push(next);
    const y = new Float64Array(n);
    multiply(next, y);
    diagonal.push(dot(next, y));
    const rest = orthogonalised(y, basis, false);
    const length = Math.sqrt(dot(rest, rest));
    const broken = length <= 1e-12 * Math.max(1e-300, ...diagonal.map(Math.abs));
    side.push(broken ? 0 : length);
    const steps = basis.length;
    if (broken) closed++;
    // each closed subspace holds every eigenvalue once more: after as many as are wanted nothing new can come
    const done = steps === n || closed > wanted;
    if (done || (!broken && steps >= wanted + 2 && steps % 8 === 0)) {
      found = ritz(basis, diagonal, side, wanted);
      if (done || found.residual <= RESIDUAL * Math.max(Math.abs(found.values[0]), 1e-300)) break;
    }
    next = broken
      ? orthogonalised(
          Float64Array.from({ length: n }, () => random.normal()),
          basis,
        )
      : rest.map((value) => value / length);
  }
  return found ?? ritz(basis, diagonal, side, wanted);
}

/** Eigenpairs of the tridiagonal matrix, lifted; `residual` is the largest |side·last component| among those wanted. */
function ritz(
  basis: Float64Array[],
  diagonal: number[],
  side: number[],
  wanted: number,
): LeadingEigen & { residual: number } {
  const steps = basis.length;
  const d = Float64Array.from(diagonal);
  const e = Float64Array.from(side);
  const last = steps > 0 ? e[steps - 1] : 0;
  const z = new Float64Array(steps * steps);
  for (let i = 0; i < steps; i++) z[i * steps + i] = 1;
  implicitQL(d, e, steps, z, steps);
  const order = Array.from(d, (_, k) => k)
    .sort((a, b) => d[b] - d[a])
    .slice(0, wanted);
  let residual = 0;
  const vectors = order.map((k) => {
    const row = z.subarray(k * steps, (k + 1) * steps);
    residual = Math.max(residual, Math.abs(last * row[steps - 1]));
    const vector = new Float64Array(basis[0].length);
    for (let s = 0; s < steps; s++) for (let i = 0; i < vector.length; i++) vector[i] += row[s] * basis[s][i];
    return withPositivePeak(vector);
  });
  return { values: Float64Array.from(order, (k) => d[k]), vectors, residual };
}

/** Takes the parts along the basis out, twice (once is not enough in floating point); normalised unless told otherwise. */
function orthogonalised(vector: Float64Array, basis: Float64Array[], normalise = true): Float64Array {
  for (let pass = 0; pass < 2; pass++)
    for (const other of basis) {
      const along = dot(vector, other);
      for (let i = 0; i < vector.length; i++) vector[i] -= along * other[i];
    }
  if (!normalise) return vector;
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

function withPositivePeak(vector: Float64Array): Float64Array {
  let peak = 0;
  for (let i = 1; i < vector.length; i++)
    if (Math.abs(vector[i]) > Math.abs(vector[peak]) * (1 + 1e-9)) peak = i;
  return vector[peak] < 0 ? vector.map((value) => -value) : vector;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
