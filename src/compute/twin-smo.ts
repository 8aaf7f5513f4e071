/** The C-SVM's hot loops in plain TypeScript: the twin of assembly/smo.ts and assembly/smo-choose.ts, same bits. */
import type { Arena } from "./arena.js";
import type { KernelFunctions } from "./kernels.js";

/** Words of the record that describes a core: assembly/smo.ts says what they mean. MOST and LEAST are f64, counted in f64. */
export const CORE = {
  gram: 0,
  rowBytes: 1,
  single: 2,
  count: 3,
  members: 4,
  block: 5,
  blockBytes: 6,
  stamps: 7,
  log: 8,
  logLength: 9,
  diagonal: 10,
  f: 11,
  b: 12,
  lower: 13,
  upper: 14,
  grow: 15,
  shrink: 16,
} as const;
const MOST = 9;
const LEAST = 10;
export const CORE_BYTES = 88;

/** Words of the record that describes a problem (assembly/smo-choose.ts), then most and least. */
export const PROBLEM = {
  F: 0,
  grow: 1,
  shrink: 2,
  chosen: 3,
  scratch: 4,
  /** begin, end, begin, end. */
  ranges: 5,
} as const;
const PROBLEM_MOST = 5;
const PROBLEM_LEAST = 6;
export const PROBLEM_BYTES = 56;

/** Stamp of a row that was never made. */
export const NEVER = 0xffffffff;

const MIN_CURVATURE = 1e-12;

type SmoFunctions = "smoRows" | "smoDescend" | "smoSubtractRows" | "smoGap" | "smoChoose";

export function smoTwin(arena: Arena): Pick<KernelFunctions, SmoFunctions> {
  /** Index of the block's row of a seat, brought up to date. */
  function rowOf(core: number, seat: number): number {
    const { f64, u32 } = arena;
    const word = u32.subarray(core >>> 2, (core + CORE_BYTES) >>> 2);
    const row = (word[CORE.block] + seat * word[CORE.blockBytes]) >>> 3;
    const stamp = (word[CORE.stamps] >>> 2) + seat;
    const members = word[CORE.members] >>> 2;
    const [log, length, count] = [word[CORE.log] >>> 2, word[CORE.logLength], word[CORE.count]];
    const seen = u32[stamp];
    if (seen === length) return row;
    const gram = gramValues(arena, word[CORE.single]);
    const source = (word[CORE.gram] + u32[members + seat] * word[CORE.rowBytes]) / gram.BYTES_PER_ELEMENT;
    if (seen === NEVER || length - seen >= count)
      for (let s = 0; s < count; s++) f64[row + s] = gram[source + u32[members + s]];
    else
      for (let e = seen; e < length; e++) {
        const s = u32[log + e];
        f64[row + s] = gram[source + u32[members + s]];
      }
    u32[stamp] = length;
    return row;
  }

  function smoRows(core: number, seats: number, number: number): void {
    for (let i = 0; i < number; i++) rowOf(core, arena.u32[(seats >>> 2) + i]);
  }

  function updateAndSelectFirst(core: number, rowI: number, rowJ: number, step: number): number {
    const { f64, u32 } = arena;
    const word = core >>> 2;
    const f = u32[word + CORE.f] >>> 3;
    const grow = u32[word + CORE.grow] >>> 3;
    const shrink = u32[word + CORE.shrink] >>> 3;
    const count = u32[word + CORE.count];
    let first = -1;
    let most = -Infinity;
    let least = Infinity;
    for (let k = 0; k < count; k++) {
      const x = f64[f + k] - step * (f64[rowI + k] - f64[rowJ + k]);
      f64[f + k] = x;
      const high = x + f64[grow + k];
      if (high > most) {
        most = high;
        first = k;
      }
      least = Math.min(least, x + f64[shrink + k]);
    }
    f64[(core >>> 3) + MOST] = most;
    f64[(core >>> 3) + LEAST] = least;
    return first;
  }

  function selectSecond(core: number, rowI: number, i: number): number {
    const { f64, u32 } = arena;
    const word = core >>> 2;
    const f = u32[word + CORE.f] >>> 3;
    const diagonal = u32[word + CORE.diagonal] >>> 3;
    const shrink = u32[word + CORE.shrink] >>> 3;
    const count = u32[word + CORE.count];
    const [fi, di] = [f64[f + i], f64[diagonal + i]];
    let second = -1;
    let bestGain = 0;
    let bestCurvature = 1;
    for (let k = 0; k < count; k++) {
      const difference = fi - (f64[f + k] + f64[shrink + k]);
      if (!(difference > 0)) continue;
      const curvature = Math.max(di + f64[diagonal + k] - 2 * f64[rowI + k], MIN_CURVATURE);
      const gain = difference * difference;
      if (gain * bestCurvature > bestGain * curvature) {
        second = k;
        bestGain = gain;
        bestCurvature = curvature;
      }
    }
    return second;
  }

  function smoDescend(core: number, tolerance: number, limit: number): number {
    const { f64, u32 } = arena;
    const word = u32.subarray(core >>> 2, (core + CORE_BYTES) >>> 2);
    const [diagonal, f, b] = [word[CORE.diagonal] >>> 3, word[CORE.f] >>> 3, word[CORE.b] >>> 3];
    const [lower, upper] = [word[CORE.lower] >>> 3, word[CORE.upper] >>> 3];
    const [grow, shrink] = [word[CORE.grow] >>> 3, word[CORE.shrink] >>> 3];
    const block = word[CORE.block] >>> 3;
    const place = (k: number, value: number) => {
      f64[b + k] = value;
      f64[grow + k] = value < f64[upper + k] ? 0 : -Infinity;
      f64[shrink + k] = value > f64[lower + k] ? 0 : Infinity;
    };
    let i = updateAndSelectFirst(core, block, block, 0);
    let steps = 0;
    while (steps < limit && f64[(core >>> 3) + MOST] - f64[(core >>> 3) + LEAST] > tolerance) {
      const rowI = rowOf(core, i);
      const j = selectSecond(core, rowI, i);
      if (j < 0) break;
      const rowJ = rowOf(core, j);
      const curvature = Math.max(f64[diagonal + i] + f64[diagonal + j] - 2 * f64[rowI + j], MIN_CURVATURE);
      const roomI = f64[upper + i] - f64[b + i];
      const roomJ = f64[b + j] - f64[lower + j];
      const step = Math.min((f64[f + i] - f64[f + j]) / curvature, roomI, roomJ);
      const bi = step === roomI ? f64[upper + i] : f64[b + i] + step;
      const bj = step === roomJ ? f64[lower + j] : f64[b + j] - step;
      if (bi === f64[b + i] && bj === f64[b + j]) break;
      place(i, bi);
      place(j, bj);
      i = updateAndSelectFirst(core, rowI, rowJ, step);
      steps++;
    }
    return steps;
  }

  function smoSubtractRows(
    target: number,
    begin: number,
    end: number,
    source: number,
    rowBytes: number,
    single: number,
    rows: number,
    changes: number,
    number: number,
  ): void {
    const { f64, u32 } = arena;
    const values = gramValues(arena, single);
    const target0 = target >>> 3;
    const row = (i: number) => (source + u32[(rows >>> 2) + i] * rowBytes) / values.BYTES_PER_ELEMENT;
    const change = (i: number) => f64[(changes >>> 3) + i];
    let done = 0;
    for (; number - done >= 4; ) {
      const wide = number - done >= 8;
      const [r0, r1, r2, r3] = [row(done), row(done + 1), row(done + 2), row(done + 3)];
      const [c0, c1, c2, c3] = [change(done), change(done + 1), change(done + 2), change(done + 3)];
      const rest = wide ? done + 4 : done;
      const [r4, r5, r6, r7] = [row(rest), row(rest + 1), row(rest + 2), row(rest + 3)];
      const [c4, c5, c6, c7] = [change(rest), change(rest + 1), change(rest + 2), change(rest + 3)];
      for (let k = begin; k < end; k++) {
        let x = c0 * values[r0 + k] + c1 * values[r1 + k] + c2 * values[r2 + k] + c3 * values[r3 + k];
        if (wide)
          x = x + c4 * values[r4 + k] + c5 * values[r5 + k] + c6 * values[r6 + k] + c7 * values[r7 + k];
        f64[target0 + k] -= x;
      }
      done += wide ? 8 : 4;
    }
    for (; done < number; done++) {
      const [r, c] = [row(done), change(done)];
      for (let k = begin; k < end; k++) f64[target0 + k] -= c * values[r + k];
    }
  }

  function smoGap(problem: number): number {
    const { f64, u32 } = arena;
    const word = u32.subarray(problem >>> 2, (problem + PROBLEM_BYTES) >>> 2);
    const [F, grow, shrink] = [word[PROBLEM.F] >>> 3, word[PROBLEM.grow] >>> 3, word[PROBLEM.shrink] >>> 3];
    let most = -Infinity;
    let least = Infinity;
    eachPlace(word, (k) => {
      most = Math.max(most, f64[F + k] + f64[grow + k]);
      least = Math.min(least, f64[F + k] + f64[shrink + k]);
    });
    f64[(problem >>> 3) + PROBLEM_MOST] = most;
    f64[(problem >>> 3) + PROBLEM_LEAST] = least;
    return most - least;
  }

  function smoChoose(problem: number, quota: number, capacity: number, turn: number): void {
    const { f64, u32 } = arena;
    const word = u32.subarray(problem >>> 2, (problem + PROBLEM_BYTES) >>> 2);
    const [grow, shrink] = [word[PROBLEM.grow] >>> 3, word[PROBLEM.shrink] >>> 3];
    const chosen = word[PROBLEM.chosen] >>> 2;
    eachPlace(word, (k) => {
      u32[chosen + k] = 0;
    });
    let room = capacity;
    room -= mark(word, grow, 1, f64[(problem >>> 3) + PROBLEM_LEAST], quota);
    room -= mark(word, shrink, -1, f64[(problem >>> 3) + PROBLEM_MOST], quota);
    for (let round = 0; round < 2; round++)
      eachPlace(word, (k) => {
        if (room === 0 || k < turn !== (round === 1) || u32[chosen + k] !== 0) return;
        if (f64[grow + k] !== 0 || f64[shrink + k] !== 0) return;
        u32[chosen + k] = 1;
        room--;
      });
  }

  function mark(word: Uint32Array, penalty: number, sign: number, limit: number, quota: number): number {
    const { f64, u32 } = arena;
    const F = word[PROBLEM.F] >>> 3;
    const chosen = word[PROBLEM.chosen] >>> 2;
    const scratch = word[PROBLEM.scratch] >>> 3;
    const offends = (k: number) => f64[penalty + k] === 0 && sign * (f64[F + k] - limit) > 0;
    let candidates = 0;
    eachPlace(word, (k) => {
      if (offends(k)) f64[scratch + candidates++] = sign * f64[F + k];
    });
    const values = f64.subarray(scratch, scratch + candidates);
    const threshold = candidates > quota ? values.sort()[candidates - quota] : -Infinity;
    let marked = 0;
    for (const tied of [false, true])
      eachPlace(word, (k) => {
        const value = sign * f64[F + k];
        if (marked === quota || u32[chosen + k] !== 0 || !offends(k)) return;
        if (tied ? value !== threshold : value <= threshold) return;
        u32[chosen + k] = 1;
        marked++;
      });
    return marked;
  }

  return { smoRows, smoDescend, smoSubtractRows, smoGap, smoChoose };
}

/** The whole memory as kernel values. */
export function gramValues(arena: Arena, single: number): Float64Array | Float32Array {
  const { buffer } = arena.f64;
  return single === 0 ? arena.f64 : new Float32Array(buffer, 0, buffer.byteLength >>> 2);
}

function eachPlace(word: Uint32Array, visit: (k: number) => void): void {
  const { ranges } = PROBLEM;
  for (let k = word[ranges]; k < word[ranges + 1]; k++) visit(k);
  for (let k = word[ranges + 2]; k < word[ranges + 3]; k++) visit(k);
}
