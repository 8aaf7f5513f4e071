/**
 * The threads of a worker, one unit each at a time, so that the main thread is free to renew the locks of the units. A unit that takes
 * longer than its limit is ended with its thread, and a new thread takes the place.
 */
import { GraphdosError } from "../../base/errors.js";
import type { Executor, Task } from "../../compute/executor.js";

export class Crew {
  private readonly all: Executor[];
  private readonly free: Executor[];
  private readonly started = new Set<Executor>();
  private readonly waiting: ((executor: Executor) => void)[] = [];

  constructor(
    readonly threads: number,
    makeThread: () => Executor,
    private readonly limitSeconds: number,
  ) {
    this.all = Array.from({ length: threads }, makeThread);
    this.free = [...this.all];
  }

  get busy(): number {
    return this.threads - this.free.length;
  }

  /** `begin` is called when a thread is free for the unit. */
  async run<I, O>(task: Task<I, O>, input: I, signal: AbortSignal, begin: () => Promise<void>): Promise<O> {
    const executor = this.free.pop() ?? (await new Promise<Executor>((take) => this.waiting.push(take)));
    let limit: AbortSignal | null = null;
    try {
      // to start a thread may take long on a busy machine: that is not the unit's time
      if (!this.started.has(executor)) await executor.start?.();
      this.started.add(executor);
      await begin();
      limit = AbortSignal.timeout(1000 * this.limitSeconds);
      const [output] = await executor.map(task, [input], {
        signal: AbortSignal.any([signal, limit]),
      });
      return output;
    } catch (error) {
      // a failure ends the thread
      this.started.delete(executor);
      if (!limit?.aborted) throw error;
      throw new GraphdosError(
        "limit",
        `took longer than ${this.limitSeconds} s (--unit-limit of the worker)`,
      );
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free.push(executor);
      else next(executor);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((executor) => executor.close()));
  }
}
