/**
 * The engine: runs in a web worker, answers the calls of protocol.ts. Calls may overlap; each can be cancelled. What a handler returns is
 * given away, typed arrays and all: a handler copies what the session keeps.
 */
import { GraphdosError, type OnProgress } from "graphdos";
import { engineExecutor } from "./executor.js";
import { handlers } from "./handlers.js";
import type { CallName, FromEngine, ToEngine } from "./protocol.js";
import { type CallContext, Session } from "./session.js";
import { ownedBuffers } from "./transfer.js";

/** Progress is told at most this often. */
const PROGRESS_MILLISECONDS = 80;

const post = (message: FromEngine, transfer: Transferable[] = []) => self.postMessage(message, { transfer });

/** To be called once, when the engine's worker starts. */
export function serveEngine(): void {
  const shared = { session: new Session(), executor: engineExecutor(), background: engineExecutor() };
  const running = new Map<number, AbortController>();

  async function answer(id: number, call: CallName, input: unknown): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    const { signal } = controller;
    try {
      // cancellations that wait in the queue come first
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (signal.aborted) throw new GraphdosError("interrupted", "interrupted");
      const run = handlers[call] as (input: unknown, context: CallContext) => unknown;
      const output = await run(input, { ...shared, signal, onProgress: throttled(id) });
      post({ id, output }, ownedBuffers(output));
    } catch (error) {
      const code = error instanceof GraphdosError ? error.code : null;
      post({ id, error: { message: error instanceof Error ? error.message : String(error), code } });
    } finally {
      running.delete(id);
    }
  }

  self.addEventListener("message", ({ data }: MessageEvent<ToEngine>) => {
    if ("cancel" in data) running.get(data.id)?.abort();
    else void answer(data.id, data.call, data.input);
  });
}

function throttled(id: number): OnProgress {
  let last = 0;
  return (progress) => {
    const now = performance.now();
    if (now - last < PROGRESS_MILLISECONDS && progress.done !== progress.total) return;
    last = now;
    post({ id, progress });
  };
}
