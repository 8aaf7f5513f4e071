/**
 * The dense kernels in plain TypeScript: the twin of assembly/tridiagonalise.ts, tridiagonal-moments.ts and implicit-ql.ts,
 * with the same bits. A SIMD sum runs over even and odd places apart and joins them at the end; so do the sums here.
 */
import type { Arena } from "./arena.js";
import type { KernelFunctions } from "./kernels.js";

type DenseFunctions = Pick<
  KernelFunctions,
  "tridiagonalise" | "accumulateBasis" | "tridiagonalMoments" | "implicitQl" | "applyRotations"
>;

const MAX_TRIES = 60;
const FAILED = 0xffffffff;
const TINY = 2 ** -900;

export function denseTwin(arena: Arena): DenseFunctions {
  return {
    tridiagonalise: (n, stride, a, diagonal, side, tau, work) =>
      tridiagonalise(arena.f64, n, stride, a >>> 3, diagonal >>> 3, side >>> 3, tau >>> 3, work >>> 3),
    accumulateBasis: (n, stride, a, tau, basis) =>
      accumulateBasis(arena.f64, n, stride, a >>> 3, tau >>> 3, basis >>> 3),
    tridiagonalMoments: (n, stride, diagonal, side, basis, columns, places, moments, out, work) => {
      const { f64, u32 } = arena;
      const t = { n, diagonal: diagonal >>> 3, side: side >>> 3 };
      for (let i = 0; i < columns; i++) {
        const row = (out >>> 3) + u32[(places >>> 2) + i] * (moments + 1);
        columnMoments(f64, t, stride, (basis >>> 3) + i, moments, row, work >>> 3);
      }
    },
    implicitQl: (n, diagonal, side, tolerance, state, log, capacity) =>
      implicitQl(arena, n, diagonal >>> 3, side >>> 3, tolerance, state >>> 2, log, capacity),
    applyRotations: (columns, stride, basis, log, bytes) =>
      applyRotations(arena.f64, columns, stride, basis >>> 3, log >>> 3, (log + bytes) >>> 3),
  };
}

function dot(f: Float64Array, x: number, y: number, length: number): number {
  let even = 0;
  let odd = 0;
  const pairs = length & ~1;
  for (let k = 0; k < pairs; k += 2) {
    even += f[x + k] * f[y + k];
    odd += f[x + k + 1] * f[y + k + 1];
  }
  return length & 1 ? even + odd + f[x + pairs] * f[y + pairs] : even + odd;
}

function tridiagonalise(
  f: Float64Array,
  n: number,
  stride: number,
  a: number,
  diagonal: number,
  side: number,
  tau: number,
  work: number,
): void {
  let v = work;
  let x = work + stride;
  const w = work + 2 * stride;
  const y = work + 3 * stride;
  f.fill(0, work, work + 4 * stride);
  f[side] = f[tau] = 0;
  for (let l = n - 1; l >= 0; l--) {
    const row = a + l * stride;
    for (let j = 0; j <= l; j++) f[row + j] = f[row + j] - f[v + l] * f[w + j] - f[w + l] * f[v + j];
    f[diagonal + l] = f[row + l];
    if (l === 0) break;
    const t = (f[tau + l] = reflect(f, row, l, side + l));
    f.fill(0, row + l, row + stride);
    if (t === 0) f.fill(0, x, x + stride);
    else f.copyWithin(x, row, row + stride);
    sweep(f, l, a, stride, v, w, x, y);
    const shift = 0.5 * t * dot(f, x, y, l);
    for (let i = 0; i < l; i++) f[w + i] = t * (f[y + i] - shift * f[x + i]);
    f.fill(0, w + l, w + stride);
    [v, x] = [x, v];
  }
}

function reflect(f: Float64Array, row: number, l: number, alphaAt: number): number {
  const last = f[row + l - 1];
  const rest = dot(f, row, row, l - 1);
  const square = rest + last * last;
  if (rest === 0 || square < TINY) {
    f[alphaAt] = last;
    return 0;
  }
  const norm = Math.sqrt(square);
  const alpha = last >= 0 ? -norm : norm;
  f[alphaAt] = alpha;
  f[row + l - 1] = last - alpha;
  return 1 / (norm * (norm + Math.abs(last)));
}

/** A ← A − v wᵀ − w vᵀ on the first l rows, y = A·x. Rows go in pairs, which decides the order in which y grows. */
function sweep(
  f: Float64Array,
  l: number,
  a: number,
  stride: number,
  v: number,
  w: number,
  x: number,
  y: number,
): void {
  const update = (i: number, j: number) => {
    const at = a + i * stride + j;
    f[at] = f[at] - f[v + i] * f[w + j] - f[w + i] * f[v + j];
    return f[at];
  };
  for (let i = 0; i < l; i += 2) {
    const paired = i + 1 < l;
    const sums = [0, 0, 0, 0];
    for (let j = 0; j < i; j++) {
      const a0 = update(i, j);
      sums[j & 1] += a0 * f[x + j];
      let sum = f[y + j] + f[x + i] * a0;
      if (paired) {
        const a1 = update(i + 1, j);
        sums[2 + (j & 1)] += a1 * f[x + j];
        sum += f[x + i + 1] * a1;
      }
      f[y + j] = sum;
    }
    const a00 = update(i, i);
    if (!paired) {
      f[y + i] = sums[0] + sums[1] + a00 * f[x + i];
      break;
    }
    const a10 = update(i + 1, i);
    const a11 = update(i + 1, i + 1);
    f[y + i] = sums[0] + sums[1] + a00 * f[x + i] + a10 * f[x + i + 1];
    f[y + i + 1] = sums[2] + sums[3] + a10 * f[x + i] + a11 * f[x + i + 1];
  }
}

function accumulateBasis(
  f: Float64Array,
  n: number,
  stride: number,
  a: number,
  tau: number,
  basis: number,
): void {
  f.fill(0, basis, basis + n * stride);
  for (let i = 0; i < n; i++) f[basis + i * (stride + 1)] = 1;
  for (let l = 2; l < n; l += 2) {
    const both = l + 1 < n;
    const first = a + l * stride;
    const second = both ? first + stride : first;
    const t1 = f[tau + l];
    const t2 = both ? f[tau + l + 1] : 0;
    if (t1 === 0 && t2 === 0) continue;
    const overlap = dot(f, first, second, l);
    const last = both ? l : l - 1;
    const end = (last + 2) & ~1;
    for (let row = basis; row <= basis + last * stride; row += stride) {
      const c1 = t1 * dot(f, row, first, end);
      const c2 = t2 * (dot(f, row, second, end) - c1 * overlap);
      for (let j = 0; j < end; j++) f[row + j] = f[row + j] - c1 * f[first + j] - c2 * f[second + j];
    }
  }
}

/** Moments of one column of the basis, whose entries are `stride` apart. */
function columnMoments(
  f: Float64Array,
  t: { n: number; diagonal: number; side: number },
  stride: number,
  column: number,
  moments: number,
  out: number,
  work: number,
): void {
  const { n, diagonal, side } = t;
  let older = work;
  let newer = work + n;
  f.fill(0, older, older + n);
  for (let i = 0; i < n; i++) f[newer + i] = f[column + i * stride];
  f[out] = 1;
  for (let j = 1; 2 * j <= moments + 1; j++) {
    let square = 0;
    let mixed = 0;
    for (let i = 0; i < n; i++) {
      const above = i > 0 ? 2 * f[side + i] * f[newer + i - 1] : 0;
      const below = i + 1 < n ? 2 * f[side + i + 1] * f[newer + i + 1] : 0;
      const y = above + 2 * f[diagonal + i] * f[newer + i] + below - f[older + i];
      f[older + i] = y;
      square += y * y;
      mixed += y * f[newer + i];
    }
    if (j === 1) {
      for (let i = 0; i < n; i++) f[older + i] *= 0.5;
      square *= 0.25;
      mixed *= 0.5;
    }
    [older, newer] = [newer, older];
    f[out + 2 * j - 1] = j === 1 ? mixed : 2 * mixed - f[out + 1];
    if (2 * j <= moments) f[out + 2 * j] = 2 * square - 1;
  }
}

function implicitQl(
  arena: Arena,
  n: number,
  diagonal: number,
  side: number,
  tolerance: number,
  state: number,
  log: number,
  capacity: number,
): number {
  const { f64, u32 } = arena;
  const keep = capacity !== 0;
  let at = log;
  let l = u32[state];
  let tries = u32[state + 1];
  while (l < n) {
    let m = l;
    while (m + 1 < n && !(Math.abs(f64[side + m]) <= tolerance)) m++;
    if (m === l) {
      l++;
      tries = 0;
      continue;
    }
    if (tries++ === MAX_TRIES) {
      u32[state] = FAILED;
      return at - log;
    }
    if (keep) {
      if (at + 16 * (m - l + 1) > log + capacity) {
        u32[state] = l;
        u32[state + 1] = tries - 1;
        return at - log;
      }
      f64[at >>> 3] = m;
      f64[(at >>> 3) + 1] = l;
      at += 16;
    }
    qlSweep(f64, l, m, diagonal, side, keep ? at >>> 3 : -1);
    if (keep) at += 16 * (m - l);
  }
  u32[state] = n;
  return at - log;
}

function qlSweep(f: Float64Array, l: number, m: number, diagonal: number, side: number, log: number): void {
  const e = f[side + l];
  let g = (f[diagonal + l + 1] - f[diagonal + l]) / (2 * e);
  const root = Math.sqrt(g * g + 1);
  g = f[diagonal + m] - f[diagonal + l] + e / (g >= 0 ? g + root : g - root);
  let s = 1;
  let c = 1;
  let p = 0;
  for (let i = m - 1; i >= l; i--) {
    const x = s * f[side + i];
    const b = c * f[side + i];
    const square = x * x + g * g;
    let r = square < TINY ? 0 : Math.sqrt(square);
    f[side + i + 1] = r;
    s = r === 0 ? 0 : x / r;
    c = r === 0 ? 1 : g / r;
    g = f[diagonal + i + 1] - p;
    r = (f[diagonal + i] - g) * s + 2 * c * b;
    p = s * r;
    f[diagonal + i + 1] = g + p;
    g = c * r - b;
    if (log >= 0) {
      f[log++] = c;
      f[log++] = s;
    }
  }
  f[diagonal + l] -= p;
  f[side + l] = g;
  f[side + m] = 0;
}

function applyRotations(
  f: Float64Array,
  columns: number,
  stride: number,
  basis: number,
  at: number,
  end: number,
): void {
  while (at < end) {
    const high = f[at];
    const low = f[at + 1];
    at += 2;
    for (let i = high; i > low; i--, at += 2) {
      const c = f[at];
      const s = f[at + 1];
      const upper = basis + i * stride;
      const lower = upper - stride;
      for (let j = 0; j < columns; j++) {
        const x = f[upper + j];
        const y = f[lower + j];
        f[upper + j] = s * y + c * x;
        f[lower + j] = c * y - s * x;
      }
    }
  }
}
