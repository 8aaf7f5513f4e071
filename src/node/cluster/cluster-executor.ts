/**
 * Opens a run on a cluster: `clusterExecutor({ address, title })` gives an executor like any other. The run's name is a hash of its
 * title, code and place, and of the address of Redis, so that the same command started again goes on with the same run. The lock of a
 * run is in its Redis: the same command on another one has a name, a folder and a journal of its own.
 */
import { hostname } from "node:os";
import { join } from "node:path";
import { GraphdosError, throwIfAborted } from "../../base/errors.js";
import type { Executor } from "../../compute/executor.js";
import { version as ownVersion } from "../../version.js";
import { codeHash } from "../code-hash.js";
import { removeFolder } from "../remove-folder.js";
import type { ClusterAddress } from "./address.js";
import { answers, connect } from "./connection.js";
import { ClusterExecutor } from "./coordinator.js";
import { RunData, sha256 } from "./data.js";
import { Journal } from "./journal.js";
import {
  CHANGED,
  farKey,
  type ProgressRecord,
  readRecord,
  runPrefix,
  runSchema,
  TUNING,
  type Tuning,
} from "./protocol.js";
import { UnitQueue } from "./queue.js";
import {
  leaveRunFolder,
  makeFolderToken,
  removeForgotten,
  runFolder,
  takeRunFolder,
  touchRunFolder,
} from "./run-folder.js";
import { claimRun, endRun, keepRun, runRecord } from "./runs.js";
import { readWorkers, type WorkerStatus } from "./status.js";

export interface ClusterOptions {
  address: ClusterAddress;
  /** What is computed: shown by `cluster status`; the same title in the same folder on the same machine, at the same address, is the same run. */
  title: string;
  /** A folder that all workers see: large data goes through it instead of through Redis. */
  store?: string;
  signal?: AbortSignal;
  tell?: (sentence: string) => void;
  /** Says that the run stands still until somebody does something; default `tell`. */
  warn?: (sentence: string) => void;
  /** For tests. */
  tuning?: Partial<Tuning>;
  version?: string;
  code?: string;
}

/** How long to wait for a worker before saying that there is none, in ticks. */
const PATIENCE_TICKS = 3;
const RATE_MS = 60_000;

export async function clusterExecutor(options: ClusterOptions): Promise<Executor> {
  const { address, title, store, signal, tell = () => undefined, warn = tell } = options;
  const tuning = { ...TUNING, ...options.tuning };
  const { version = ownVersion, code = codeHash() } = options;
  const name = JSON.stringify([code, title, hostname(), process.cwd(), address.shown]);
  const run = sha256(Buffer.from(name)).slice(0, 16);
  const prefix = runPrefix(run);
  const folder = runFolder(store, run);
  const client = await connect(address, { tell, pipelining: true, signal });
  const others = await Promise.all([connect(address, { signal }), connect(address, { signal })]);
  const disconnect = () => {
    for (const each of [client, ...others]) each.disconnect();
  };
  signal?.addEventListener("abort", disconnect);
  try {
    const claim = await claimRun(client, run, tuning, signal, tell);
    await takeRunFolder(folder);
    await removeForgotten(folder);
    const workers = await readWorkers(client, tuning);
    const required = store !== undefined;
    const near = !required && allHere(workers) && (await client.exists(farKey(prefix))) === 0;
    const record = runRecord({
      ...{ version, code, title, folder: await makeFolderToken(folder), required, near },
    });
    const queue = await UnitQueue.open(others[0], others[1], prefix, tuning);
    // the inputs of units that an earlier process sent may lie in the folder alone: workers that do not see it must not meet them
    const before = readRecord(runSchema, await client.get(`${prefix}:record`));
    if (before?.near === true && !near) await queue.clear();
    await keepRun(client, run, claim, record, tuning);
    const journal = await Journal.open(join(folder, "journal"));
    if (journal.size > 0) tell(`going on with an earlier run: ${journal.size} units are there`);
    const announce = async () => {
      await client.publish(CHANGED, run).catch(() => undefined);
    };
    await announce();
    const watcher = new Watcher(workers.length > 0);
    let closing: Promise<void> | null = null;

    const keep = async () => {
      if (!(await keepRun(client, run, claim, record, tuning)))
        throw new GraphdosError("io", "cluster: another process has taken over this run");
    };
    // also between maps, while this process computes for itself
    const stopRenewing = renewing(tuning, warn, address.shown, () =>
      Promise.all([keep(), touchRunFolder(folder)]),
    );
    const watch = async () => {
      await keep();
      const refused = await client.hgetall(`${prefix}:refused`);
      const alive = await readWorkers(client, tuning);
      watcher.see(
        alive.map(({ id }) => id),
        refused,
        warn,
        address.shown,
      );
    };
    const progress = progressWriter(tuning, (value) => {
      if (closing === null) client.set(`${prefix}:progress`, JSON.stringify(value)).catch(() => undefined);
    });
    const close = async (finished: boolean) => {
      stopRenewing();
      const reachable = await answers(client);
      await journal.close();
      await queue.close();
      // while this process still holds the run: another may wait for it
      await (finished ? removeFolder(folder) : leaveRunFolder(folder));
      if (reachable) {
        await endRun(client, run, tuning, claim);
        await announce();
      } else tell(`the Redis server at ${address.shown} does not answer: the run ends without it`);
      disconnect();
    };
    signal?.removeEventListener("abort", disconnect);
    const threads = workers.reduce((sum, { record: { threads: own } }) => sum + own, 0);
    return new ClusterExecutor({
      ...{ client, queue, journal, prefix, record, tuning, progress, watch, announce },
      data: new RunData(client, prefix, folder, required),
      workers: Math.max(1, threads),
      close: (finished) => (closing ??= close(finished)),
    });
  } catch (error) {
    signal?.removeEventListener("abort", disconnect);
    disconnect();
    throwIfAborted(signal);
    throw error;
  }
}

/** Renews the claim on a run every tick until it is stopped, and says when Redis leaves that unanswered for long. */
function renewing(
  { tick, dead }: Tuning,
  warn: (sentence: string) => void,
  at: string,
  renew: () => Promise<unknown>,
): () => void {
  let since: number | null = null;
  let told = false;
  const clock = setInterval(() => {
    if (since === null) {
      since = performance.now();
      // who has lost the run hears of it at its next look
      void renew()
        .catch(() => undefined)
        .finally(() => {
          if (told) warn(`the Redis server at ${at} answers again`);
          told = false;
          since = null;
        });
    } else if (!told && performance.now() - since > dead) {
      told = true;
      warn(`the Redis server at ${at} does not answer: waiting for it`);
    }
  }, tick);
  clock.unref();
  return () => clearInterval(clock);
}

const allHere = (workers: readonly WorkerStatus[]) =>
  workers.length > 0 && workers.every(({ record: { host } }) => host === hostname());

/** Says once that nobody works, and stops a run that every worker refuses. */
class Watcher {
  private alone = 0;
  private readonly told = new Set<string>();

  constructor(private met: boolean) {}

  see(
    alive: readonly string[],
    refused: Record<string, string>,
    tell: (text: string) => void,
    at: string,
  ): void {
    const reasons = alive.flatMap((id) => (refused[id] === undefined ? [] : [refused[id]]));
    const serving = alive.length - reasons.length;
    if (alive.length > 0 && serving === 0) throw new GraphdosError("io", `cluster: ${reasons[0]}`);
    for (const reason of reasons) {
      if (!this.told.has(reason)) tell(reason);
      this.told.add(reason);
    }
    this.alone = serving > 0 ? 0 : this.alone + 1;
    if (this.alone === PATIENCE_TICKS)
      tell(
        `${this.met ? "all workers are gone" : "no workers yet"}: start some with graphdos worker --cluster ${at} (this run waits for them), or stop it and compute on this machine with --workers`,
      );
    if (serving > 0) this.met = true;
  }
}

/** Writes progress at most once a tick, the last one too, with the rate of the last minute. */
function progressWriter(tuning: Tuning, write: (record: ProgressRecord) => void) {
  let current = "";
  let written = 0;
  let samples: [number, number][] = [];
  let later: NodeJS.Timeout | undefined;
  return (task: string, total: number, done: number, failed: number) => {
    const now = performance.now();
    if (task !== current || done === 0) samples = [];
    samples.push([now, done]);
    while (samples.length > 2 && now - samples[0][0] > RATE_MS) samples.shift();
    const [since, before] = samples[0];
    const rate = now > since ? (1000 * (done - before)) / (now - since) : 0;
    const over = done + failed === total;
    clearTimeout(later);
    const writeNow = () => {
      [current, written] = [task, performance.now()];
      write({ task, total, done, failed, rate });
    };
    const wait = tuning.tick - (now - written);
    if (task !== current || wait <= 0 || over) writeNow();
    else later = setTimeout(writeNow, wait).unref();
  };
}
