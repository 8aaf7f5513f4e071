/**
 * Ctrl-C and SIGTERM: the first asks the work to stop (an AbortSignal), so that it ends between two units and leaves nothing
 * half-written; the second ends the process at once, after removing what was being written.
 */
import { removePartialFiles } from "../node/atomic-file.js";

export const INTERRUPTED = 130;

let controller: AbortController | null = null;

/** The signal of this process; asking for it takes over SIGINT and SIGTERM. */
export function interruptSignal(): AbortSignal {
  if (controller === null) {
    controller = new AbortController();
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  }
  return controller.signal;
}

function stop(): void {
  if (controller!.signal.aborted) {
    removePartialFiles();
    process.exit(INTERRUPTED);
  }
  controller!.abort();
}
