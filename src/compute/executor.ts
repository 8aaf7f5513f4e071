/**
 * Executor: how work is spread. A task is a named function from plain data to plain data; an executor applies it to many inputs,
 * in this thread (inlineExecutor), in worker threads or web workers (WorkerExecutor), on other machines (node/cluster/).
 *
 * A task's output depends on its input alone, so that a result never depends, to the bit, on which executor ran it or with
 * how many workers. Outputs come back in the order of the inputs.
 */
import { GraphdosError, throwIfAborted } from "../base/errors.js";
import type { Kernels } from "./kernels.js";
import { loadKernels } from "./wasm.js";

/** What a worker keeps between units: its kernels, and whatever tasks choose to remember under a key. */
export interface TaskContext {
  readonly kernels: Kernels;
  readonly memory: Map<string, unknown>;
  /** The output is used up before the next unit runs, so that it may lie in the kernels' own memory. Default false: it must not. */
  readonly lends?: boolean;
}

export interface Task<I, O> {
  readonly name: string;
  run(context: TaskContext, input: I): O | Promise<O>;
  /** Buffers of the input that may be moved: those that nobody else uses. */
  give?(input: I): Transferable[];
  /** Buffers of the output that may be moved instead of copied. */
  transfer?(output: O): Transferable[];
  /** What the input is of, for a sentence about its failure: "graphs 3, 8 and 12". */
  describe?(input: I): string;
}

export interface MapOptions<O> {
  signal?: AbortSignal;
  /** Called as soon as a result is there, in the order of completion. It must stay as it is until all are there: a cluster may still keep it. */
  onResult?: (index: number, output: O) => void;
}

export interface Executor {
  readonly workers: number;
  /**
   * The workers are on other machines: nothing is shared with them, and their number changes while they work. Units are then cut by
   * what they cost, about `unitSeconds` each, so that the same work has the same units whoever does it.
   */
  readonly remote?: { readonly unitSeconds: number };
  /**
   * Workers of this machine, for maps of milliseconds that wait for one another: what would be sent elsewhere takes longer on its way.
   * Default: the executor itself.
   */
  readonly near?: Executor;
  /** Starts the workers and waits until all of them are ready; without it they start with the first work. */
  start?(): Promise<void>;
  map<I, O>(task: Task<I, O>, inputs: readonly I[], options?: MapOptions<O>): Promise<O[]>;
  close(): Promise<void>;
}

/** Asks nothing of a worker but that it is there, with its kernels. */
const startTask: Task<null, null> = { name: "start", run: () => null };

export async function createContext(): Promise<TaskContext> {
  return { kernels: await loadKernels(), memory: new Map() };
}

/**
 * Runs everything in this thread, one input after another, giving way to other events between them. One map at a time: tasks wait in
 * their midst, and two of them in one memory would overwrite each other's numbers.
 */
export function inlineExecutor(): Executor {
  let context: Promise<TaskContext> | null = null;
  /** The tail of the queue of maps. */
  let last: Promise<unknown> = Promise.resolve();
  async function mapNow<I, O>(task: Task<I, O>, inputs: readonly I[], options: MapOptions<O>): Promise<O[]> {
    const { signal, onResult } = options;
    const ready = await (context ??= createContext());
    const outputs: O[] = [];
    for (let k = 0; k < inputs.length; k++) {
      throwIfAborted(signal);
      const output = await task.run(ready, inputs[k]);
      outputs.push(output);
      onResult?.(k, output);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return outputs;
  }
  return {
    workers: 1,
    async start() {
      await (context ??= createContext());
    },
    map(task, inputs, options = {}) {
      const run = last.then(() => mapNow(task, inputs, options));
      last = run.catch(() => undefined);
      return run;
    },
    async close() {
      context = null;
    },
  };
}

/** One worker, whatever the platform calls it. */
export interface WorkerPort {
  post(message: unknown, transfer: Transferable[]): void;
  /** Sets who hears the answers, and who hears that the worker broke down. */
  listen(onMessage: (message: WorkerAnswer) => void, onBreak: (reason: string) => void): void;
  terminate(): Promise<unknown>;
}

export interface WorkerRequest {
  task: string;
  input: unknown;
}

export type WorkerAnswer =
  | { output: unknown }
  | { error: { code?: string; message: string; stack?: string } };

/** A fixed number of workers, started when first needed; each takes the next input as soon as it is free. */
export class WorkerExecutor implements Executor {
  private ports: WorkerPort[] = [];
  /** One map at a time: the tail of the queue of maps. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly workers: number,
    private readonly spawn: () => WorkerPort,
  ) {}

  async start(): Promise<void> {
    await this.map(startTask, new Array<null>(this.workers).fill(null));
  }

  map<I, O>(task: Task<I, O>, inputs: readonly I[], options: MapOptions<O> = {}): Promise<O[]> {
    const run = this.last.then(() => this.mapNow(task, inputs, options));
    this.last = run.catch(() => undefined);
    return run;
  }

  private mapNow<I, O>(
    task: Task<I, O>,
    inputs: readonly I[],
    { signal, onResult }: MapOptions<O>,
  ): Promise<O[]> {
    throwIfAborted(signal);
    const outputs = new Array<O>(inputs.length);
    const count = Math.min(this.workers, inputs.length);
    while (this.ports.length < count) this.ports.push(this.spawn());
    return new Promise<O[]>((resolve, reject) => {
      let next = 0;
      let finished = 0;
      let stopped = false;
      const stop = (error: unknown) => {
        if (stopped) return;
        stopped = true;
        signal?.removeEventListener("abort", onAbort);
        // units under way cannot be called back: new workers take the place of these
        void this.close();
        reject(error);
      };
      const onAbort = () => stop(new GraphdosError("interrupted", "interrupted", { cause: signal?.reason }));
      signal?.addEventListener("abort", onAbort);
      const feed = (port: WorkerPort) => {
        if (stopped || next >= inputs.length) return;
        const index = next++;
        port.listen(
          (answer) => {
            if (stopped) return;
            if ("error" in answer) return stop(revive(answer.error));
            outputs[index] = answer.output as O;
            try {
              onResult?.(index, outputs[index]);
            } catch (error) {
              return stop(error);
            }
            if (++finished === inputs.length) {
              stopped = true;
              signal?.removeEventListener("abort", onAbort);
              resolve(outputs);
            } else feed(port);
          },
          (reason) =>
            stop(new GraphdosError("io", `a worker broke down in ${task.name} (unit ${index}): ${reason}`)),
        );
        const request: WorkerRequest = { task: task.name, input: inputs[index] };
        port.post(request, task.give?.(inputs[index]) ?? []);
      };
      if (inputs.length === 0) {
        stopped = true;
        resolve(outputs);
      }
      for (const port of this.ports) feed(port);
    });
  }

  async close(): Promise<void> {
    const ports = this.ports;
    this.ports = [];
    await Promise.all(ports.map((port) => port.terminate()));
  }
}

function revive({ code, message, stack }: { code?: string; message: string; stack?: string }): Error {
  if (code !== undefined) return new GraphdosError(code as GraphdosError["code"], message, { cause: stack });
  const error = new Error(message);
  error.stack = stack;
  return error;
}

/** The worker's side: runs the named task and answers. `reply` posts with a transfer list. */
export function serveTasks(
  tasks: readonly Task<never, unknown>[],
  reply: (answer: WorkerAnswer, transfer: Transferable[]) => void,
): (request: WorkerRequest) => Promise<void> {
  const byName = new Map([startTask, ...tasks].map((task) => [task.name, task]));
  const context = createContext();
  return async ({ task: name, input }) => {
    try {
      const task = byName.get(name);
      if (!task) throw new Error(`unknown task: ${name}`);
      const output = await task.run(await context, input as never);
      reply({ output }, task.transfer?.(output) ?? []);
    } catch (error) {
      const { message, stack } = error as Error;
      reply({ error: { code: error instanceof GraphdosError ? error.code : undefined, message, stack } }, []);
    }
  };
}
