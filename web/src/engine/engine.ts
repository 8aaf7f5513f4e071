/** The page's side of the engine: calls by name that can be cancelled and tell how far they are. */
import { GraphdosError, type OnProgress } from "graphdos";
import type { CallName, FromEngine, Input, Output, ToEngine } from "./protocol.js";

export interface CallOptions {
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

interface Waiting {
  resolve(output: unknown): void;
  reject(error: Error): void;
  onProgress?: OnProgress;
}

export class Engine {
  private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor() {
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromEngine>) => this.hear(data));
    this.worker.addEventListener("error", ({ message }) => {
      const error = new GraphdosError("io", `the engine broke down: ${message || "it could not be loaded"}`);
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    });
  }

  call<K extends CallName>(call: K, input: Input<K>, options: CallOptions = {}): Promise<Output<K>> {
    const { signal, onProgress } = options;
    const id = ++this.last;
    return new Promise<Output<K>>((resolve, reject) => {
      const interrupted = () => new GraphdosError("interrupted", "interrupted", { cause: signal?.reason });
      if (signal?.aborted) return reject(interrupted());
      const onAbort = () => {
        this.post({ id, cancel: true });
        this.waiting.delete(id);
        reject(interrupted());
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.waiting.set(id, {
        resolve: (output) => {
          signal?.removeEventListener("abort", onAbort);
          resolve(output as Output<K>);
        },
        reject: (error) => {
          signal?.removeEventListener("abort", onAbort);
          reject(error);
        },
        onProgress,
      });
      this.post({ id, call, input });
    });
  }

  private post(message: ToEngine): void {
    this.worker.postMessage(message);
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
