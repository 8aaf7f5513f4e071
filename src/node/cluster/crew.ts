/**
 * The threads of a worker, one unit each at a time, so that the main thread is free to renew the locks of the units. A unit that takes
 * longer than its limit is ended with its thread, and a new thread takes the place.
 */
import { GraphdosError } from "../../base/errors.js";
import type { Executor, Task } from "../../compute/executor.js";

export class Crew {
  private readonly all: Executor[];
  private readonly free: Executor[];
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
  async run(
    task: Task<never, unknown>,
    input: unknown,
    signal: AbortSignal,
    begin: () => Promise<void>,
  ): Promise<unknown> {
    const executor = this.free.pop() ?? (await new Promise<Executor>((take) => this.waiting.push(take)));
    const limit = AbortSignal.timeout(1000 * this.limitSeconds);
    try {
      await begin();
      const [output] = await executor.map(task, [input as never], {
        signal: AbortSignal.any([signal, limit]),
      });
      return output;
    } catch (error) {
      if (!limit.aborted) throw error;
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
