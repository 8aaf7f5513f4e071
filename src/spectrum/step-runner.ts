/**
 * Where Chebyshev steps of one graph run: in this thread, or in all workers of an executor over one shared memory.
 */
import type { Executor, Task, TaskContext } from "../compute/executor.js";
import type { Kernels } from "../compute/kernels.js";
import { hasWasmSimd, loadKernels, MAX_PAGES } from "../compute/wasm.js";
import { type StepPlan, takeSteps } from "./row-steps.js";

export interface StepRunner {
  /** Kernels whose arena is the memory that the steps run in. */
  readonly kernels: Kernels;
  /** Address of two 32-bit words for the barrier of several threads; 0 with one thread. */
  readonly barrier: number;
  run(plan: StepPlan, signal?: AbortSignal): Promise<void>;
}

export function inlineRunner(kernels: Kernels): StepRunner {
  kernels.arena.reset();
  return {
    kernels,
    barrier: 0,
    async run(plan) {
      takeSteps(kernels, plan, 0, 1, null);
    },
  };
}

interface StepUnit {
  memory: WebAssembly.Memory;
  plan: StepPlan;
  worker: number;
  workers: number;
}

/** One thread's share of the steps. The instance over the shared memory is kept for the next call. */
export const stepTask: Task<StepUnit, null> = {
  name: "chebyshev-steps",
  async run(context: TaskContext, { memory, plan, worker, workers }) {
    const key = "chebyshev-steps";
    const kept = context.memory.get(key) as { buffer: ArrayBufferLike; kernels: Kernels } | undefined;
    const same = kept !== undefined && kept.buffer === memory.buffer;
    const kernels = same ? kept.kernels : await loadKernels({ shared: true, memory });
    if (!same) context.memory.set(key, { buffer: memory.buffer, kernels });
    takeSteps(kernels, plan, worker, workers, new Int32Array(memory.buffer));
    return null;
  },
};

/** Runs the steps in all workers where shared memory is to be had, else in this thread. */
export async function sharedRunner(executor: Executor): Promise<StepRunner> {
  const { workers } = executor;
  if (
    workers < 2 ||
    executor.remote !== undefined ||
    typeof SharedArrayBuffer === "undefined" ||
    !hasWasmSimd()
  )
    return inlineRunner(await loadKernels());
  const memory = new WebAssembly.Memory({ initial: 16, maximum: MAX_PAGES, shared: true });
  const kernels = await loadKernels({ shared: true, memory });
  const barrier = kernels.arena.allocate(8);
  kernels.arena.u32.fill(0, barrier / 4, barrier / 4 + 2);
  return {
    kernels,
    barrier,
    async run(plan, signal) {
      const units = Array.from({ length: workers }, (_, worker) => ({ memory, plan, worker, workers }));
      await executor.map(stepTask, units, { signal });
    },
  };
}
