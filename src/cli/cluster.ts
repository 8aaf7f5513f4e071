/** `graphdos cluster status redis://…`: workers, units waiting, running, done and failed, rate, remaining time. */
import type { Command } from "commander";
import pc from "picocolors";
import { badCall } from "../base/errors.js";
import { clusterAddress } from "../node/cluster/address.js";
import type { ClusterStatus, RunStatus } from "../node/cluster/status.js";
import { emit, emitData, emitJson, type GlobalOptions } from "./common.js";
import { formatDuration } from "./format.js";
import { interruptSignal } from "./interrupt.js";
import { terminalJson } from "./terminal.js";

interface StatusOptions extends GlobalOptions {
  watch?: boolean;
  json?: boolean;
  clusterPasswordFile?: string;
}

const WATCH_MS = 2000;

export function addClusterCommand(program: Command): void {
  program
    .command("cluster")
    .description("what a cluster is doing")
    .command("status")
    .description("workers and runs: units waiting, running, done and failed, rate, time left")
    .argument("[address]", "redis://HOST[:PORT] or rediss://… (default: GRAPHDOS_CLUSTER)")
    .option(
      "--cluster-password-file <file>",
      "file with the password of Redis (or GRAPHDOS_CLUSTER_PASSWORD)",
    )
    .option("--watch", "look again every two seconds, until stopped")
    .option("--json", "print one JSON document, with --watch one a line")
    .action(async (address: string | undefined, _, called: Command) =>
      status(address, called.optsWithGlobals<StatusOptions>()),
    );
}

async function status(given: string | undefined, options: StatusOptions): Promise<void> {
  const text = given ?? process.env.GRAPHDOS_CLUSTER;
  if (text === undefined || text === "")
    throw badCall("cluster status: of which cluster? give redis://HOST or set GRAPHDOS_CLUSTER");
  const address = clusterAddress(text, {
    written: given !== undefined,
    passwordFile: options.clusterPasswordFile,
  });
  const { connect } = await import("../node/cluster/connection.js");
  const { readStatus } = await import("../node/cluster/status.js");
  const client = await connect(address, { pipelining: true });
  const signal = interruptSignal();
  try {
    do {
      const found = await readStatus(client);
      if (!options.json) {
        if (options.watch && process.stdout.isTTY) emitData("\u001b[H\u001b[2J");
        emit(statusText(found));
      } else if (options.watch) emitData(terminalJson(found));
      else emitJson(found);
      if (options.watch) await pause(signal);
    } while (options.watch && !signal.aborted);
  } finally {
    client.disconnect();
  }
}

export function statusText({ runs, workers }: ClusterStatus): string {
  const threads = workers.reduce((sum, { record }) => sum + record.threads, 0);
  const busy = workers.reduce((sum, { record }) => sum + record.busy, 0);
  const lines = [
    workers.length === 0
      ? "no workers"
      : `${workers.length} worker${workers.length === 1 ? "" : "s"}, ${busy} of ${threads} threads busy`,
  ];
  for (const { record } of workers)
    lines.push(
      `  ${record.host} (process ${record.pid}, graphdos ${record.version}): ${record.busy} of ${record.threads} threads busy, ${record.done} units done`,
    );
  if (runs.length === 0) lines.push("no runs");
  for (const run of runs) lines.push(...runLines(run));
  return lines.join("\n");
}

function runLines({ record, coordinated, units, progress, secondsLeft }: RunStatus): string[] {
  const state = coordinated ? "" : pc.yellow(" (its coordinator gives no sign of life)");
  const lines = [`${record.title}, from ${record.host}, graphdos ${record.version}${state}`];
  const failed = Math.max(units.failed, progress?.failed ?? 0);
  const done =
    progress === null ? "" : `${progress.task}: ${progress.done} of ${progress.total} units done, `;
  const retrying = units.retrying > 0 ? `, ${units.retrying} to be tried again` : "";
  lines.push(`  ${done}${units.waiting} waiting, ${units.running} running${retrying}, ${failed} failed`);
  if (secondsLeft !== null)
    lines.push(
      `  ${progress!.rate.toFixed(1)} units/s, ${formatDuration(secondsLeft)} left of ${progress!.task}`,
    );
  return lines;
}

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, WATCH_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
