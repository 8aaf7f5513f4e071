/**
 * Where a command's work runs: the threads of this machine, or with --cluster (or GRAPHDOS_CLUSTER) the workers of a cluster. The one place
 * that decides.
 */
import type { Command } from "commander";
import { badCall } from "../base/errors.js";
import type { RunControl } from "../base/progress.js";
import type { Executor } from "../compute/executor.js";
import { type ClusterAddress, clusterAddress } from "../node/cluster/address.js";
import { threadExecutor } from "../node/worker-threads.js";
import { type GlobalOptions, withProgress } from "./common.js";
import { interruptSignal } from "./interrupt.js";
import { say } from "./terminal.js";

export interface ClusterOptions {
  cluster?: string;
  clusterPasswordFile?: string;
}

export interface ExecutorOptions extends GlobalOptions, ClusterOptions {
  /** Worker threads; undefined is one a core, 0 none. */
  workers?: number;
  /** The shared folder of a cluster; evaluate uses `false` for --no-store. */
  store?: string | boolean;
}

/** Where the cluster is and how to get in. */
export function addAddressOptions(command: Command): Command {
  return command
    .option(
      "--cluster <address>",
      "redis://HOST[:PORT] or rediss://…: compute on the workers there (GRAPHDOS_CLUSTER)",
    )
    .option(
      "--cluster-password-file <file>",
      "file with the password of Redis (or GRAPHDOS_CLUSTER_PASSWORD)",
    );
}

/** All that a command needs to compute on a cluster. */
export function addClusterOptions(command: Command): Command {
  return addAddressOptions(command).option(
    "--store <folder>",
    "a folder that all workers of the cluster see: large data goes through it",
  );
}

/** The address that the options or the environment name; null without one. */
export function chosenAddress({ cluster, clusterPasswordFile }: ClusterOptions): ClusterAddress | null {
  const text = cluster ?? process.env.GRAPHDOS_CLUSTER;
  if (text === undefined || text === "") return null;
  return clusterAddress(text, { written: cluster !== undefined, passwordFile: clusterPasswordFile });
}

/** Throws where the options make no sense together: commands call it before they read any data. Gives the address of the cluster, if any. */
export function checkExecutor(options: ExecutorOptions): ClusterAddress | null {
  if (options.workers !== undefined && options.cluster !== undefined)
    throw badCall("--workers is of this machine, --cluster of others: leave one of them out");
  // --workers is said now, GRAPHDOS_CLUSTER was said once
  const address = options.workers === undefined ? chosenAddress(options) : null;
  if (address === null && options.clusterPasswordFile !== undefined)
    throw badCall("--cluster-password-file does nothing without --cluster");
  return address;
}

export async function openExecutor(options: ExecutorOptions): Promise<Executor> {
  const address = checkExecutor(options);
  if (address === null) return threadExecutor(options.workers);
  const { clusterExecutor } = await import("../node/cluster/cluster-executor.js");
  return clusterExecutor({
    address,
    title: commandTitle(process.argv.slice(2)),
    store: typeof options.store === "string" ? options.store : undefined,
    signal: interruptSignal(),
    tell: (sentence) => {
      if (!options.quiet) say(sentence);
    },
    warn: say,
  });
}

/** The command without where it runs: the same title, started again, goes on with the same run. */
function commandTitle(words: readonly string[]): string {
  const kept: string[] = [];
  for (let k = 0; k < words.length; k++) {
    if (/^--(cluster|cluster-password-file|store)$/.test(words[k])) k++;
    else if (!/^(--(cluster|cluster-password-file|store)=|-q$|--quiet$|--json$)/.test(words[k]))
      kept.push(words[k]);
  }
  return kept.join(" ").slice(0, 900);
}

/** The same for commands whose only use of the folder is the cluster. */
export function checkExecutorAndStore(options: ExecutorOptions): void {
  if (checkExecutor(options) === null && options.store !== undefined)
    throw badCall("--store is the shared folder of a cluster: it does nothing without --cluster");
}

/** Runs with an executor, progress and the signal of Ctrl-C. */
export function withExecutor<T>(
  options: ExecutorOptions,
  work: (executor: Executor, control: RunControl) => Promise<T>,
): Promise<T> {
  return withProgress(options, async (control) => {
    const executor = await openExecutor(options);
    try {
      return await work(executor, control);
    } finally {
      await executor.close();
    }
  });
}
