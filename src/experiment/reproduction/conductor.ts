/**
 * What every experiment of a reproduction is given, and the stop-watch that stands over them: of steps that would not fit `--budget` only
 * those are taken that earlier runs have finished, and what was left out is said.
 */
import { badData } from "../../base/errors.js";
import type { RunControl } from "../../base/progress.js";
import type { Executor } from "../../compute/executor.js";
import { hashOf, NotKept, type ResultStore, remember } from "../../compute/store.js";
import type { Dataset } from "../../data/dataset.js";
import type { Graph } from "../../graph/graph.js";
import type { ProfileOptions } from "../../spectrum/profiles.js";
import { version } from "../../version.js";
import { evaluate } from "../evaluation.js";
import type { KernelResult, Protocol } from "../evaluation-types.js";
import type { KernelRequest } from "../grid.js";
import type { MemorySize } from "../memory.js";
import { sizeAlone } from "../size-alone.js";
import type { Row } from "./rows.js";
import { sourceOf, type TableSet, tableSet } from "./sets.js";
import type { Stage } from "./types.js";

export interface ReproduceOptions extends RunControl {
  sets: readonly string[];
  experiments: readonly string[];
  protocol: Protocol;
  executor: Executor;
  /** Opens a registered set. */
  open: (name: string) => Promise<Dataset>;
  /** Single graphs for Figure 3; none where there are none at hand. */
  graphs?: { name: string; open: () => Promise<Graph> }[];
  /** Largest generated graph of Figure 3, in edges. Default 10^7. */
  largest?: number;
  /** Keeps folds, and profiles, signatures and distances. */
  store: ResultStore;
  /** Seconds that the run may take; a step that is expected to end later is left out. */
  budget?: number;
  /** Seconds since some moment. Default: performance.now. */
  now?: () => number;
  /** Called with a sentence when a step begins. */
  onStep?: (text: string) => void;
  /** Why a row of a table does not fit into memory with a set of this size, in words; null when it does. Default: all fit. */
  refusal?: (what: string, row: Row, size: MemorySize) => string | null;
  /** Called with a sentence as soon as it is known that a step is left out. */
  onLeftOut?: (sentence: string) => void;
  /** Called when a step is done, with what there is by then. */
  onPart?: () => Promise<void>;
}

export class Conductor {
  readonly stages: Stage[] = [];
  readonly leftOut: string[] = [];
  private readonly opened = new Map<string, TableSet>();
  /** Steps that are left out, known before they are reached. */
  private readonly excluded = new Set<string>();
  /** The budget has no room: only finished steps are taken. */
  private keptOnly = false;
  private readonly begun: number;
  private readonly now: () => number;

  constructor(readonly options: ReproduceOptions) {
    this.now = options.now ?? (() => performance.now() / 1000);
    this.begun = this.now();
  }

  get elapsed(): number {
    return this.now() - this.begun;
  }

  /** One set at a time is kept in memory; THREADS is made from its source. */
  async dataset(set: string): Promise<TableSet> {
    const known = this.opened.get(set);
    if (known) return known;
    const made = tableSet(set, await this.options.open(sourceOf(set)));
    this.opened.clear();
    this.opened.set(set, made);
    return made;
  }

  /** A sentence on what is not done. With the name of a step, it will not be begun. */
  leaveOut(sentence: string, step?: string): void {
    this.leftOut.push(sentence);
    this.options.onLeftOut?.(sentence);
    if (step !== undefined) this.excluded.add(step);
  }

  /**
   * A step, unless it is excluded, the budget has no room for half of the `expected` seconds and the store does not have all of it. `keep` puts its value
   * where the report so far, written next, finds it.
   */
  async step<T>(
    name: string,
    expected: number,
    work: () => Promise<{ value: T; cached: boolean }>,
    keep: (value: T) => void,
  ): Promise<void> {
    if (this.excluded.has(name)) return;
    const { budget, onStep, onPart } = this.options;
    this.keptOnly = budget !== undefined && this.elapsed + expected / 2 > budget;
    onStep?.(name);
    const start = this.now();
    let done: { value: T; cached: boolean };
    try {
      done = await work();
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      this.leaveOut(
        `${name}: not begun, ${Math.round(this.elapsed)} s of the ${Math.round(budget!)} s were used and it was expected to take ${Math.round(expected)} s`,
      );
      return;
    }
    const { value, cached } = done;
    this.stages.push({ name, seconds: this.now() - start, cached });
    keep(value);
    await onPart?.();
  }

  /** A measurement that is kept as JSON under what it depends on. */
  async remember<T>(identity: unknown[], measure: () => Promise<T>): Promise<{ value: T; cached: boolean }> {
    let cached = true;
    const key = await hashOf(JSON.stringify([version, ...identity]));
    if (this.keptOnly && (await this.options.store.get(key)) === null) throw new NotKept(key);
    const value = await remember(this.options.store, key, () => {
      cached = false;
      return measure();
    });
    return { value, cached };
  }

  /** Nested cross-validation of one kernel; `cached` when no fold had to be computed. */
  async evaluate(
    set: string,
    request: KernelRequest,
    changes: Partial<Protocol> = {},
    profile: ProfileOptions = {},
  ): Promise<{ value: KernelResult; cached: boolean }> {
    const { executor, store, protocol, signal, onProgress } = this.options;
    let computed = 0;
    const dataset = await this.dataset(set);
    const result = await evaluate(dataset, {
      kernels: [request],
      groups: dataset.groups,
      protocol: { ...protocol, ...changes },
      profile,
      executor,
      store,
      stages: store,
      keptOnly: this.keptOnly,
      sizeRow: false,
      signal,
      onProgress(update) {
        computed++;
        onProgress?.({ ...update, task: `${set} ${update.task}` });
      },
    });
    return { value: result.results[0], cached: computed === 0 };
  }

  /** The row *size alone* of a set: its node and edge counts in place of a kernel, on the same folds. */
  async sizeAlone(set: string): Promise<{ value: KernelResult; cached: boolean }> {
    const { executor, store, protocol, signal, onProgress } = this.options;
    const dataset = await this.dataset(set);
    if (dataset.classes === null) throw badData(`${set}: labels are missing: there is nothing to predict`);
    let computed = 0;
    const value = await sizeAlone(
      { ...dataset, classes: dataset.classes },
      {
        ...{ protocol, executor, store, signal, keptOnly: this.keptOnly, groups: dataset.groups },
        onProgress(update) {
          computed++;
          onProgress?.({ ...update, task: `${set} ${update.task}` });
        },
      },
    );
    return { value, cached: computed === 0 };
  }

  /** Seconds that a kernel with so many grid points is expected to take: the cost of SVMs, n² a fit. */
  expected(set: string, points: number, repeats: number): number {
    const graphs = GRAPHS[set] ?? 1000;
    const fits = points * (this.options.protocol.inner + 1) * this.options.protocol.folds * repeats;
    return (2e-8 * graphs * graphs * fits) / this.options.executor.workers + 2e-3 * graphs;
  }
}

/** Graphs of the sets, for guesses of time before a set is opened. */
const GRAPHS: Readonly<Record<string, number>> = {
  "REDDIT-BINARY": 2000,
  "REDDIT-MULTI-5K": 4999,
  THREADS: 642,
  COLLAB: 5000,
  "IMDB-MULTI": 1500,
  "IMDB-BINARY": 1000,
};
