/**
 * The engine: runs in a web worker, opens data sets and answers the calls of protocol.ts about them. Every call names its set; calls may
 * overlap, each can be cancelled, and closing a set ends its calls. What a handler returns is given away, typed arrays and all: a handler
 * copies what the session keeps.
 */
import { GraphdosError, type OnProgress } from "graphdos";
import { engineExecutor } from "./executor.js";
import { handlers } from "./handlers.js";
import type { FromEngine, OpenInput, ToEngine } from "./protocol.js";
import { type CallContext, Session } from "./session.js";
import { describeSet, read } from "./set-handlers.js";
import { ownedBuffers } from "./transfer.js";

/** Progress is told at most this often. */
const PROGRESS_MILLISECONDS = 80;

const post = (message: FromEngine, transfer: Transferable[] = []) => self.postMessage(message, { transfer });

/** To be called once, when the engine's worker starts. */
export function serveEngine(): void {
  const shared = { executor: engineExecutor(), background: engineExecutor() };
  const sessions = new Map<number, Session>();
  const running = new Map<number, { set: number; controller: AbortController }>();

  async function answer({ id, set, call, input }: Extract<ToEngine, { call: unknown }>): Promise<void> {
    const controller = new AbortController();
    running.set(id, { set, controller });
    const { signal } = controller;
    const control = { signal, onProgress: throttled(id) };
    try {
      // cancellations that wait in the queue come first
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (signal.aborted) throw new GraphdosError("interrupted", "interrupted");
      let output: unknown;
      if (call === "open") {
        const dataset = await read(input as OpenInput, control);
        if (signal.aborted) throw new GraphdosError("interrupted", "interrupted");
        sessions.set(set, new Session(dataset));
        output = describeSet(dataset);
      } else {
        const session = sessions.get(set);
        if (session === undefined) throw new GraphdosError("bad-call", "the set of this call is not open");
        const run = handlers[call] as (input: unknown, context: CallContext) => unknown;
        output = await run(input, { ...shared, ...control, session });
      }
      post({ id, output }, ownedBuffers(output));
    } catch (error) {
      const code = error instanceof GraphdosError ? error.code : null;
      post({ id, error: { message: error instanceof Error ? error.message : String(error), code } });
    } finally {
      running.delete(id);
    }
  }

  self.addEventListener("message", ({ data }: MessageEvent<ToEngine>) => {
    if ("call" in data) void answer(data);
    else if ("cancel" in data) running.get(data.cancel)?.controller.abort();
    else {
      sessions.delete(data.close);
      for (const { set, controller } of running.values()) if (set === data.close) controller.abort();
    }
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
