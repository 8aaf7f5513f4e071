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
  /** Called once, before the first post: who hears the answers, and who hears that the worker broke down or could not be loaded. */
  listen(onMessage: (message: WorkerAnswer) => void, onBreak: (reason: string) => void): void;
  terminate(): Promise<unknown>;
}

/** Every answer carries the id of its request. */
export interface WorkerRequest {
  id: number;
  task: string;
  input: unknown;
}

export type WorkerAnswer = { id: number } & (
  | { output: unknown }
  | { error: { code?: string; message: string; stack?: string } }
);

/** A request that waits for its answer. */
interface Waiting {
  id: number;
  onAnswer(answer: WorkerAnswer): void;
  onBreak(reason: string): void;
  onClose(): void;
}

/** A worker, and the request that it works on. */
interface Seat {
  port: WorkerPort;
  waiting: Waiting | null;
  broken: boolean;
}

/** A fixed number of workers, started when first needed; each takes the next input as soon as it is free. */
export class WorkerExecutor implements Executor {
  private seats: Seat[] = [];
  /** One map at a time: the tail of the queue of maps. */
  private last: Promise<unknown> = Promise.resolve();
  private lastId = 0;

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
    // a worker that broke down between two maps answers nothing: another takes its place
    this.seats = this.seats.filter(({ broken }) => !broken);
    while (this.seats.length < count) this.seats.push(this.hire());
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
      const feed = (seat: Seat) => {
        if (stopped || next >= inputs.length) return;
        const index = next++;
        const id = ++this.lastId;
        seat.waiting = {
          id,
          onAnswer(answer) {
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
            } else feed(seat);
          },
          onBreak: (reason) =>
            stop(new GraphdosError("io", `a worker broke down in ${task.name} (unit ${index}): ${reason}`)),
          onClose: () => stop(new GraphdosError("interrupted", `interrupted: closed during ${task.name}`)),
        };
        const request: WorkerRequest = { id, task: task.name, input: inputs[index] };
        try {
          seat.port.post(request, task.give?.(inputs[index]) ?? []);
        } catch (error) {
          stop(error);
        }
      };
      if (inputs.length === 0) {
        stopped = true;
        signal?.removeEventListener("abort", onAbort);
        resolve(outputs);
      }
      for (const seat of this.seats) feed(seat);
    });
  }

  private hire(): Seat {
    const seat: Seat = { port: this.spawn(), waiting: null, broken: false };
    seat.port.listen(
      (answer) => {
        const { waiting } = seat;
        // what nobody waits for any more is no answer to what came after it
        if (waiting === null || waiting.id !== answer.id) return;
        seat.waiting = null;
        waiting.onAnswer(answer);
      },
      (reason) => {
        seat.broken = true;
        seat.waiting?.onBreak(reason);
      },
    );
    return seat;
  }

  /** Ends the workers; a map under way fails. */
  async close(): Promise<void> {
    const seats = this.seats;
    this.seats = [];
    for (const { waiting } of seats) waiting?.onClose();
    await Promise.all(seats.map(({ port }) => port.terminate()));
  }
}

function revive({ code, message, stack }: { code?: string; message: string; stack?: string }): Error {
  if (code !== undefined) return new GraphdosError(code as GraphdosError["code"], message, { cause: stack });
  const error = new Error(message);
  error.stack = stack;
  return error;
}

/** The worker's side: runs the named task and answers with the request's id. `reply` posts with a transfer list. */
export function serveTasks(
  tasks: readonly Task<never, unknown>[],
  reply: (answer: WorkerAnswer, transfer: Transferable[]) => void,
): (request: WorkerRequest) => Promise<void> {
  const byName = new Map([startTask, ...tasks].map((task) => [task.name, task]));
  const context = createContext();
  return async ({ id, task: name, input }) => {
    try {
      const task = byName.get(name);
      if (!task) throw new Error(`unknown task: ${name}`);
      const output = await task.run(await context, input as never);
      reply({ id, output }, task.transfer?.(output) ?? []);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const { message, stack } = error;
      const code = error instanceof GraphdosError ? error.code : undefined;
      reply({ id, error: { code, message, stack } }, []);
    }
  };
}
