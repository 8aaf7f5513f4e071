/**
 * The page's side of the engine: sets that are opened under numbers, and calls about them by name, which can be cancelled and tell how
 * far they are. An answer for a set that was closed meanwhile goes nowhere. An engine that broke down holds nothing any more: its calls
 * fail, `onBreak` is told, and the next set that is opened starts another.
 */
import { GraphdosError, type OnProgress } from "graphdos";
import type { CallName, FromEngine, Input, OpenedSet, OpenInput, Output, ToEngine } from "./protocol.js";

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

/** Whatever takes calls about one set. */
export interface Caller {
  call<K extends CallName>(call: K, input: Input<K>, options?: CallOptions): Promise<Output<K>>;
}

interface Waiting {
  set: number;
  resolve(output: unknown): void;
  reject(error: Error): void;
  onProgress?: OnProgress;
}

export const isInterruption = (error: unknown) =>
  error instanceof GraphdosError && error.code === "interrupted";

const interrupted = (cause?: unknown) => new GraphdosError("interrupted", "interrupted", { cause });

export class Engine {
  private worker: Worker | null;
  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;
  private sets = 0;

  constructor(private readonly onBreak: (error: GraphdosError) => void) {
    this.worker = this.start();
  }

  async open(input: OpenInput, options: CallOptions): Promise<{ id: number; opened: OpenedSet }> {
    this.worker ??= this.start();
    const id = ++this.sets;
    try {
      return { id, opened: (await this.send(id, "open", input, options)) as OpenedSet };
    } catch (error) {
      // cancelled too late, it may be open there
      this.close(id);
      throw error;
    }
  }

  call<K extends CallName>(
    set: number,
    call: K,
    input: Input<K>,
    options: CallOptions = {},
  ): Promise<Output<K>> {
    return this.send(set, call, input, options) as Promise<Output<K>>;
  }

  /** Ends the calls about a set, as interrupted, and forgets it. */
  close(set: number): void {
    this.post({ close: set });
    for (const [id, waiting] of this.waiting)
      if (waiting.set === set) {
        this.waiting.delete(id);
        waiting.reject(interrupted());
      }
  }

  private send(set: number, call: CallName | "open", input: unknown, options: CallOptions): Promise<unknown> {
    const { signal, onProgress } = options;
    const id = ++this.calls;
    return new Promise((resolve, reject) => {
      if (signal?.aborted || this.worker === null) return reject(interrupted(signal?.reason));
      const onAbort = () => {
        this.post({ cancel: id });
        this.waiting.delete(id);
        reject(interrupted(signal?.reason));
      };
      const ended = () => signal?.removeEventListener("abort", onAbort);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.waiting.set(id, {
        set,
        resolve: (output) => {
          ended();
          resolve(output);
        },
        reject: (error) => {
          ended();
          reject(error);
        },
        onProgress,
      });
      this.post({ id, set, call, input });
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<FromEngine>) => this.hear(data));
    // a script that cannot be had says nothing but that
    worker.addEventListener("error", ({ message }) => this.breakDown(worker, message));
    worker.addEventListener("messageerror", () => this.breakDown(worker, "an answer could not be read"));
    return worker;
  }

  private breakDown(worker: Worker, reason: string | undefined): void {
    if (this.worker !== worker) return;
    worker.terminate();
    this.worker = null;
    const what = reason
      ? `broke down (${reason})`
      : "could not be loaded (is the server of this page still there?)";
    const error = new GraphdosError(
      "io",
      `The worker that computes for this page ${what}. Nothing is open any more; open a set to start it again.`,
    );
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(error);
    this.onBreak(error);
  }

  private post(message: ToEngine): void {
    this.worker?.postMessage(message);
  }

  private hear(message: FromEngine): void {
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) return;
    if ("progress" in message) {
      waiting.onProgress?.(message.progress);
      return;
    }
    this.waiting.delete(message.id);
    if ("output" in message) waiting.resolve(message.output);
    else if (message.error.code === null) waiting.reject(new Error(message.error.message));
    else waiting.reject(new GraphdosError(message.error.code, message.error.message));
  }
}
