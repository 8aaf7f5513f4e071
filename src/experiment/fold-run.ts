/**
 * The folds of an evaluation through a store and an executor: what an earlier run has finished is read, the rest is computed and kept under
 * a hash of everything that went into it.
 */

import type { RunControl } from "../base/progress.js";
import { unitSeed } from "../base/random.js";
import type { Executor, Task } from "../compute/executor.js";
import { hashOf, NotKept, type ResultStore } from "../compute/store.js";
import type { FoldSet } from "../learn/folds.js";
import type { Protocol } from "./evaluation-types.js";
import type { FoldOutcome } from "./evaluation-unit.js";

/** One outer fold of one repeat. */
export interface FoldPlace {
  repeat: number;
  fold: number;
  train: Int32Array;
  test: Int32Array;
}

export interface FoldRun<Unit> extends RunControl {
  /** What progress calls it. */
  name: string;
  task: Task<Unit, FoldOutcome>;
  /** Everything that the outcome of a fold depends on, besides its place. */
  identity: string;
  /** Folds of equal text share a call of `units`, one text after another. Default: all folds do. */
  together?: (place: FoldPlace) => string;
  /** The units of folds that are not kept, what there is to say of them, and how long it took to prepare them. */
  units: (missing: readonly FoldPlace[]) => Promise<{ units: Unit[]; notes: string[]; seconds: Preparation }>;
  splits: readonly FoldSet[];
  classes: Int32Array;
  protocol: Protocol;
  store: ResultStore | null;
  /** Nothing is computed: throws NotKept where the store does not have every fold. Default false. */
  keptOnly?: boolean;
  executor: Executor;
}

/** Seconds of the clock for what folds share. */
export interface Preparation {
  profile: number;
  signature: number;
}

/** `seconds`: its own, and its even share of the preparation. */
export interface TimedOutcome extends FoldOutcome {
  seconds: FoldOutcome["seconds"] & Preparation;
}

/**
 * A fold as it is kept: with its times, and with the notes of its kernel, which are made with the distances that a run from the store does
 * without.
 */
interface KeptFold extends TimedOutcome {
  notes?: string[];
}

export async function runFolds<Unit>(
  run: FoldRun<Unit>,
): Promise<{ places: FoldPlace[]; outcomes: Map<number, TimedOutcome>; notes: string[] }> {
  const { name, identity, protocol, store, classes, executor, signal, onProgress } = run;
  const places = run.splits.flatMap((split, repeat) =>
    split.folds.map(({ train, test }, fold) => ({ repeat, fold, train, test })),
  );
  const keyOf = ({ repeat, fold }: FoldPlace) =>
    hashOf(identity, `${protocol.seed} ${protocol.folds} ${repeat} ${fold}`);

  // what an earlier run has finished
  const outcomes = new Map<number, TimedOutcome>();
  const keptNotes = new Set<string>();
  for (let u = 0; u < places.length && store !== null; u++) {
    const kept = await store.get(await keyOf(places[u]));
    if (kept === null) continue;
    const { notes: said = [], ...outcome } = JSON.parse(new TextDecoder().decode(kept)) as KeptFold;
    outcomes.set(u, outcome);
    for (const note of said) keptNotes.add(note);
  }
  const missing = places.map((_, u) => u).filter((u) => !outcomes.has(u));
  if (missing.length === 0) return { places, outcomes, notes: [...keptNotes] };
  if (run.keptOnly) throw new NotKept(`${missing.length} folds`);

  const batches = new Map<string, number[]>();
  for (const u of missing) {
    const key = run.together?.(places[u]) ?? "";
    batches.set(key, [...(batches.get(key) ?? []), u]);
  }
  const allNotes = new Set<string>();
  let right = 0;
  let seen = 0;
  const puts: Promise<void>[] = [];
  const runBatch = async (batch: readonly number[]) => {
    const { units, notes, seconds } = await run.units(batch.map((u) => places[u]));
    const share = { profile: seconds.profile / batch.length, signature: seconds.signature / batch.length };
    for (const note of notes) allNotes.add(note);
    await executor.map(run.task, units, {
      signal,
      onResult(k, computed) {
        const place = places[batch[k]];
        const outcome = { ...computed, seconds: { ...share, ...computed.seconds } };
        outcomes.set(batch[k], outcome);
        if (store !== null)
          puts.push(
            keyOf(place).then((key) =>
              store.put(key, new TextEncoder().encode(JSON.stringify({ ...outcome, notes }))),
            ),
          );
        outcome.predicted.forEach((c, t) => {
          if (c === classes[place.test[t]]) right++;
        });
        seen += place.test.length;
        const detail = `accuracy so far ${((100 * right) / seen).toFixed(1)} %`;
        onProgress?.({ task: name, detail, done: outcomes.size, total: places.length, unit: "folds" });
      },
    });
  };
  try {
    for (const batch of batches.values()) await runBatch(batch);
  } finally {
    await Promise.all(puts);
  }
  return { places, outcomes, notes: [...allNotes] };
}

/** The seed of the inner folds of an outer fold. */
export const innerSeed = ({ seed }: Protocol, { repeat, fold }: FoldPlace) =>
  unitSeed(seed, repeat * 1009 + fold + 1, { factor: 1_000_003 });
