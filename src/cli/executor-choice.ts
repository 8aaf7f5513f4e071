/** Where a command's work runs: the threads of this machine, or the workers of a cluster. The one place that decides. */
import type { Command } from "commander";
import type { Executor } from "../compute/executor.js";
import { threadExecutor } from "../node/worker-threads.js";
import { wholeNumberIn } from "./spectral-options.js";

export interface ExecutorOptions {
  /** Worker threads; undefined is one a core, 0 none. */
  workers?: number;
}

const MAX_WORKERS = 1024;

export function addExecutorOptions(command: Command): Command {
  return command.option(
    "--workers <number>",
    "worker threads (default: one a core)",
    wholeNumberIn(0, MAX_WORKERS),
  );
}

export async function openExecutor(options: ExecutorOptions): Promise<Executor> {
  return threadExecutor(options.workers);
}
