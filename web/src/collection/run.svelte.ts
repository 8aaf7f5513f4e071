/** A call that is started by hand, takes a while and can be cancelled. A new start ends the one before; what was found stays until then. */
import type { ProgressUpdate } from "graphdos";
import { type Caller, isInterruption } from "../engine/engine.js";
import type { CallName, Input, Output } from "../engine/protocol.js";

export class Run<K extends CallName> {
  output = $state.raw<Output<K> | null>(null);
  error = $state.raw<Error | null>(null);
  progress = $state.raw<ProgressUpdate | null>(null);
  busy = $state(false);
  private controller: AbortController | null = null;

  constructor(
    private readonly set: Caller,
    private readonly call: K,
  ) {}

  /** The output, or null when it was cancelled or went wrong. */
  async start(input: Input<K>): Promise<Output<K> | null> {
    this.clear();
    const controller = new AbortController();
    this.controller = controller;
    this.busy = true;
    try {
      const output = await this.set.call(this.call, input, {
        signal: controller.signal,
        onProgress: (update) => {
          if (this.controller === controller) this.progress = update;
        },
      });
      if (this.controller === controller) this.output = output;
      return output;
    } catch (error) {
      if (this.controller === controller && !isInterruption(error)) this.error = error as Error;
      return null;
    } finally {
      if (this.controller === controller) {
        this.busy = false;
        this.progress = null;
      }
    }
  }

  stop(): void {
    this.controller?.abort();
  }

  /** Stops what runs and forgets what was found. */
  clear(): void {
    this.stop();
    this.controller = null;
    this.output = this.error = this.progress = null;
    this.busy = false;
  }
}
