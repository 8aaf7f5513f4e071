/**
 * A call whose input keeps changing, as a slider's does: one runs at a time, and while it runs only the newest input waits. Every
 * answer is shown, so that a picture follows the slider, and the last one is that of the last input. `output` stays until the next is
 * there, or that it went wrong: no flicker.
 */
import type { ProgressUpdate } from "graphdos";
import { type Caller, isInterruption } from "./engine.js";
import type { CallName, Input, Output } from "./protocol.js";

export class Latest<K extends CallName> {
  output = $state.raw<Output<K> | null>(null);
  /** The input that `output` or `error` is of. */
  input = $state.raw<Input<K> | null>(null);
  error = $state.raw<Error | null>(null);
  progress = $state.raw<ProgressUpdate | null>(null);
  busy = $state(false);
  private next: { input: Input<K> } | null = null;
  private controller: AbortController | null = null;
  /** `busy` again, not watched: asking in an effect must not make the effect depend on the answer. */
  private running = false;

  constructor(
    private readonly set: Caller,
    private readonly call: K,
  ) {}

  ask(input: Input<K>): void {
    this.next = { input };
    if (!this.running) void this.run();
  }

  /** Stops what runs and forgets what was found. */
  clear(): void {
    this.stop();
    this.output = null;
    this.input = null;
    this.error = null;
  }

  stop(): void {
    this.next = null;
    this.controller?.abort();
  }

  private async run(): Promise<void> {
    this.running = true;
    this.busy = true;
    while (this.next !== null) {
      const { input } = this.next;
      this.next = null;
      const controller = new AbortController();
      this.controller = controller;
      const { signal } = controller;
      try {
        const onProgress = (update: ProgressUpdate) => {
          this.progress = update;
        };
        const output = await this.set.call(this.call, input, { signal, onProgress });
        this.output = output;
        this.input = input;
        this.error = null;
      } catch (error) {
        if (isInterruption(error)) continue;
        // what an older input gave would pass for this one's
        this.output = null;
        this.input = input;
        this.error = error as Error;
      }
    }
    this.running = false;
    this.busy = false;
    this.progress = null;
  }
}
