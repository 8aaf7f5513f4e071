/** `graphdos worker --cluster redis://…`: computes units of whatever runs there are, until it is stopped. */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import { LONGEST_TIMER_MS } from "../base/timers.js";
import type { GlobalOptions } from "./common.js";
import { positiveInteger } from "./common.js";
import { addClusterOptions, type ClusterOptions, chosenAddress } from "./executor-choice.js";
import { interruptSignal } from "./interrupt.js";
import { MAX_WORKERS, wholeNumberIn } from "./spectral-options.js";
import { say } from "./terminal.js";

interface WorkerOptions extends GlobalOptions, ClusterOptions {
  store?: string;
  workers?: number;
  unitLimit: number;
  keep?: number;
}

export function addWorkerCommand(program: Command): void {
  addClusterOptions(
    program.command("worker").description("compute for the runs of a cluster, until it is stopped (Ctrl-C)"),
  )
    .option("--workers <number>", "worker threads (default: one a core)", wholeNumberIn(1, MAX_WORKERS))
    .option(
      "--unit-limit <seconds>",
      "end a unit of work that takes longer",
      wholeNumberIn(1, Math.floor(LONGEST_TIMER_MS / 1000)),
      3600,
    )
    .option(
      "--keep <MiB>",
      "fetched data to keep (default: a quarter of the memory that is available)",
      positiveInteger,
    )
    .action(async (_, called: Command) => worker(called.optsWithGlobals<WorkerOptions>()));
}

async function worker(options: WorkerOptions): Promise<void> {
  const address = chosenAddress(options);
  if (address === null)
    throw badCall("worker: where is the cluster? give --cluster redis://HOST or set GRAPHDOS_CLUSTER");
  const { runClusterWorker } = await import("../node/cluster/worker.js");
  await runClusterWorker({
    ...{ address, store: options.store, threads: options.workers, unitSeconds: options.unitLimit },
    keepBytes: options.keep === undefined ? undefined : options.keep * 2 ** 20,
    signal: interruptSignal(),
    tell: (sentence) => {
      if (!options.quiet) say(sentence);
    },
  });
}
