/**
 * The kernels in plain TypeScript: the twin of assembly/, in which formulas, costs and layouts are described.
 *
 * Same numbers in the same order, so the results equal those of the WASM module to the bit. Where SIMD sums even and odd
 * places apart, so does the twin. Used where WASM SIMD is missing, and as the oracle of the tests.
 */
import { Arena, PlainMemory } from "./arena.js";
import type { KernelFunctions, Kernels } from "./kernels.js";
import { TREE_INNER, TREE_LEAF, TREE_RECORD_BYTES, TREE_ROOT } from "./kernels.js";
import { denseTwin } from "./twin-dense.js";
import { faceTwin } from "./twin-face.js";
import { gaussianTwin } from "./twin-gaussian.js";
import { nearTwin } from "./twin-near.js";
import { radialTwin } from "./twin-radial.js";
import { rowsTwin } from "./twin-rows.js";
import { smoTwin } from "./twin-smo.js";
import { walksTwin } from "./twin-walks.js";

/** Plain-TypeScript kernels with an arena of their own. */
export function typescriptKernels(): Kernels {
  const arena = new Arena(new PlainMemory());
  return {
    kind: "typescript",
    arena,
    exactProfiles: null,
    ...sparseTwin(arena),
    ...treeTwin(arena),
    ...denseTwin(arena),
    ...rowsTwin(arena),
    ...gaussianTwin(arena),
    ...radialTwin(arena),
    ...nearTwin(arena),
    ...walksTwin(arena),
    ...smoTwin(arena),
    ...faceTwin(arena),
  };
}

function sparseTwin(arena: Arena): Pick<KernelFunctions, "chebyshevStep" | "unitMoments"> {
  function chebyshevStep(
    k: number,
    rows: number,
    offsets: number,
    targets: number,
    doubled: number,
    current: number,
    previous: number,
    dots: number,
  ): void {
    const { f64, u32 } = arena;
    const [offset0, target0, value0] = [offsets >>> 2, targets >>> 2, doubled >>> 3];
    const [current0, previous0, dots0] = [current >>> 3, previous >>> 3, dots >>> 3];
    const sum = new Float64Array(k);
    f64.fill(0, dots0, dots0 + 2 * k);
    for (let i = 0; i < rows; i++) {
      sum.fill(0);
      for (let e = u32[offset0 + i]; e < u32[offset0 + i + 1]; e++) {
        const q = f64[value0 + e];
        const x = current0 + u32[target0 + e] * k;
        for (let c = 0; c < k; c++) sum[c] += q * f64[x + c];
      }
      for (let c = 0; c < k; c++) {
        const y = sum[c] - f64[previous0 + i * k + c];
        f64[previous0 + i * k + c] = y;
        f64[dots0 + c] += y * y;
        f64[dots0 + k + c] += y * f64[current0 + i * k + c];
      }
    }
  }

  function unitMoments(
    rows: number,
    offsets: number,
    targets: number,
    doubled: number,
    begin: number,
    end: number,
    places: number,
    moments: number,
    out: number,
    work: number,
  ): void {
    const { f64, u32 } = arena;
    const dots = work + 128 * rows;
    const width = moments + 1;
    const rowOf = (i: number) => (out >>> 3) + u32[(places >>> 2) + i] * width;
    while (begin < end) {
      const k = end - begin > 4 ? 8 : 4;
      const used = Math.min(k, end - begin);
      let older = work;
      let newer = work + 8 * k * rows;
      f64.fill(0, work >>> 3, (work >>> 3) + 2 * k * rows);
      for (let c = 0; c < used; c++) {
        const i = begin + c;
        const row = rowOf(i);
        f64[(older >>> 3) + i * k + c] = 1;
        let own = 0;
        let square = 0;
        for (let e = u32[(offsets >>> 2) + i]; e < u32[(offsets >>> 2) + i + 1]; e++) {
          const j = u32[(targets >>> 2) + e];
          const q = 0.5 * f64[(doubled >>> 3) + e];
          f64[(newer >>> 3) + j * k + c] = q;
          square += q * q;
          if (j === i) own = q;
        }
        f64[row] = 1;
        if (moments >= 1) f64[row + 1] = own;
        if (moments >= 2) f64[row + 2] = 2 * square - 1;
      }
      for (let j = 1; 2 * j + 1 <= moments; j++) {
        chebyshevStep(k, rows, offsets, targets, doubled, newer, older, dots);
        [older, newer] = [newer, older];
        for (let c = 0; c < used; c++) {
          const row = rowOf(begin + c);
          f64[row + 2 * j + 1] = 2 * f64[(dots >>> 3) + k + c] - f64[row + 1];
          if (2 * j + 2 <= moments) f64[row + 2 * j + 2] = 2 * f64[(dots >>> 3) + c] - 1;
        }
      }
      begin += used;
    }
  }

  return { chebyshevStep, unitMoments };
}

function treeTwin(arena: Arena): Pick<KernelFunctions, "foldTrees" | "unfoldTrees" | "expandTwins"> {
  /** The record of tree node c, its numbers doubled as the formulas need them. */
  function record(records: number, c: number, rows: number, width: number) {
    const { f64, u32 } = arena;
    const word = (records + c * TREE_RECORD_BYTES) >>> 2;
    return {
      row: (rows >>> 3) + u32[word] * width,
      parentRow: (rows >>> 3) + u32[word + 1] * width,
      kind: u32[word + 2],
      q: 2 * f64[(word >>> 1) + 2],
      loop: 2 * f64[(word >>> 1) + 3],
    };
  }

  function foldTrees(count: number, records: number, moments: number, rows: number, work: number): void {
    const { f64 } = arena;
    const width = moments + 1;
    for (let c = 0; c < count; c++) {
      const { row, kind, loop } = record(records, c, rows, width);
      f64.fill(0, row, row + width);
      f64[row] = 1;
      if (kind & TREE_LEAF) continue;
      if (moments >= 1) f64[row + 1] = -loop;
      if (moments >= 2) f64[row + 2] = 1;
    }
    for (let c = 0; c < count; c++) {
      const { row, parentRow, kind, q, loop } = record(records, c, rows, width);
      if (kind & TREE_LEAF) divideQuadratic(f64, row, loop, moments);
      else invert(f64, row, moments, work >>> 3);
      if (kind & TREE_INNER && moments >= 2) addScaled(f64, parentRow + 2, row, -q * q, moments - 1);
    }
  }

  function unfoldTrees(count: number, records: number, moments: number, rows: number, work: number): void {
    const { f64 } = arena;
    const width = moments + 1;
    const above = work >>> 3;
    const inner = above + width;
    for (let c = count - 1; c >= 0; c--) {
      const { row, parentRow, kind, q, loop } = record(records, c, rows, width);
      if (kind & TREE_ROOT) for (let m = moments; m >= 2; m--) f64[row + m] -= f64[row + m - 2];
      else {
        f64[above] = 1;
        for (let m = 1; m <= moments; m++) f64[above + m] = 2 * f64[parentRow + m];
        if (kind & TREE_LEAF) {
          divideQuadratic(f64, above, loop, moments);
          lift(f64, row, above, q * q, moments);
          divideQuadratic(f64, row, loop, moments);
        } else {
          multiply(f64, inner, row, above, moments);
          lift(f64, above, inner, q * q, moments);
          multiply(f64, inner, row, above, moments);
          f64.copyWithin(row, inner, inner + width);
        }
      }
      for (let m = 1; m <= moments; m++) f64[row + m] *= 0.5;
    }
  }

  function expandTwins(
    count: number,
    sizes: number,
    spikes: number,
    moments: number,
    rows: number,
    trace: number,
  ): number {
    const { f64 } = arena;
    const width = moments + 1;
    const trace0 = trace >>> 3;
    let largest = 0;
    f64.fill(0, trace0, trace0 + width);
    for (let p = 0; p < count; p++) {
      const size = f64[(sizes >>> 3) + p];
      const spike = f64[(spikes >>> 3) + p];
      const row = (rows >>> 3) + p * width;
      const share = 1 / size;
      let before = spike;
      let now = 1;
      for (let m = 1; size !== 1 && m <= moments; m++) {
        [before, now] = [now, m === 1 ? spike : 2 * spike * now - before];
        f64[row + m] = share * f64[row + m] + (1 - share) * now;
      }
      for (let m = 0; m <= moments; m++) {
        largest = Math.max(largest, Math.abs(f64[row + m]));
        f64[trace0 + m] += size * f64[row + m];
      }
    }
    return largest;
  }

  return { foldTrees, unfoldTrees, expandTwins };
}

/** out = 1 − t² + a t²·x. */
function lift(f64: Float64Array, out: number, x: number, a: number, degree: number): void {
  f64.fill(0, out, out + degree + 1);
  f64[out] = 1;
  if (degree < 2) return;
  f64[out + 2] = -1;
  addScaled(f64, out + 2, x, a, degree - 1);
}

/** y += a·x. */
function addScaled(f64: Float64Array, y: number, x: number, a: number, length: number): void {
  for (let k = 0; k < length; k++) f64[y + k] += a * f64[x + k];
}

/** x ← x / (1 − l·t + t²). */
function divideQuadratic(f64: Float64Array, x: number, l: number, degree: number): void {
  let before = 0;
  let last = f64[x];
  for (let m = 1; m <= degree; m++) {
    const now = f64[x + m] + (l * last - before);
    f64[x + m] = now;
    before = last;
    last = now;
  }
}

/** out = a·b up to t^degree. */
function multiply(f64: Float64Array, out: number, a: number, b: number, degree: number): void {
  f64.fill(0, out, out + degree + 1);
  for (let m = 0; m <= degree; m++)
    if (f64[a + m] !== 0) addScaled(f64, out + m, b, f64[a + m], degree + 1 - m);
}

/** s ← 1/s where s_0 = 1. */
function invert(f64: Float64Array, s: number, degree: number, work: number): void {
  f64.copyWithin(work, s, s + degree + 1);
  f64.fill(0, s, s + degree + 1);
  f64[s] = 1;
  for (let m = 0; m < degree; m++)
    if (f64[s + m] !== 0) addScaled(f64, s + m + 1, work + 1, -f64[s + m], degree - m);
}
