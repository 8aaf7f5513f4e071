/**
 * Chebyshev steps over the row chunks of an operator, by one thread or by several over one shared memory.
 *
 * All threads run the same loop: each takes the chunks c ≡ worker (mod workers) of a step, then all meet at a barrier, since the next
 * step reads what the others wrote. After `steps` steps the partial sums of every chunk and step lie at `dots` (2k numbers each:
 * ⟨v_j, v_j⟩ and ⟨v_j, v_j−1⟩ a column) and, where the diagonal is estimated, column sums at `columns`.
 */
import type { KernelFunctions } from "../compute/kernels.js";

/** Plain numbers, so that it can be posted to a worker. All addresses are bytes in the shared memory. */
export interface StepPlan {
  k: number;
  /** Single precision: k is 16, the vectors, values, scale and loop are f32. */
  single: boolean;
  /** Steps to take, and how many were taken before: the first ever halves (T_1 = Q, not 2Q). */
  steps: number;
  done: number;
  offsets: number;
  targets: number;
  values: number;
  scale: number;
  loop: number;
  mass: number;
  chunks: Uint32Array;
  current: number;
  previous: number;
  /** steps × chunks × 2k numbers. */
  dots: number;
  /** For the diagonal: the start vectors, and the sums, squares (steps × rows) and column sums (steps × chunks × k); 0 for none. */
  start: number;
  sums: number;
  squares: number;
  columns: number;
  rows: number;
  /** Two 32-bit words: threads that arrived, and the number of the round. 0 when there is one thread. */
  barrier: number;
}

export function takeSteps(
  kernels: Pick<KernelFunctions, "rowsStep" | "rowsStep32" | "addProducts">,
  plan: StepPlan,
  worker: number,
  workers: number,
  words: Int32Array | null,
): void {
  const { k, chunks, offsets, targets, values, scale, loop, mass, rows } = plan;
  const count = chunks.length - 1;
  let [current, previous] = [plan.current, plan.previous];
  for (let step = 0; step < plan.steps; step++) {
    const factor = plan.done + step === 0 ? 0.5 : 1;
    for (let c = worker; c < count; c += workers) {
      const [begin, end] = [chunks[c], chunks[c + 1]];
      const place = step * count + c;
      const dots = plan.dots + place * 16 * k;
      const row = [begin, end, offsets, targets, values, scale, loop, mass, factor] as const;
      if (plan.single) kernels.rowsStep32(...row, current, previous, dots);
      else kernels.rowsStep(k, ...row, current, previous, dots);
      if (plan.start !== 0) {
        const sums = plan.sums + step * rows * 8;
        const squares = plan.squares + step * rows * 8;
        const columns = plan.columns + place * 8 * k;
        kernels.addProducts(k, begin, end, mass, plan.start, previous, sums, squares, columns);
      }
    }
    if (workers > 1) meet(words!, plan.barrier >>> 2, workers);
    [current, previous] = [previous, current];
  }
}

/** Waits until all threads have come here. The last one opens the next round. */
function meet(words: Int32Array, at: number, workers: number): void {
  const round = Atomics.load(words, at + 1);
  if (Atomics.add(words, at, 1) === workers - 1) {
    Atomics.store(words, at, 0);
    Atomics.add(words, at + 1, 1);
    Atomics.notify(words, at + 1);
  } else Atomics.wait(words, at + 1, round);
}
