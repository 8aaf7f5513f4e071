/**
 * Some of the units here, the others elsewhere, without a word between the places: `shareUnits` runs every n-th unit that it is given
 * and keeps the outputs; `replayUnits` answers from the outputs of all places together. Both number the units in the order in which they are
 * asked for, over all maps, so that the same program runs through both with the same units.
 *
 * Only for stages that take their results by onResult: what is not run here is not there.
 */
import { badData } from "../base/errors.js";
import type { Executor } from "./executor.js";

export interface SharedUnits extends Executor {
  /** Output of each unit that was run here. */
  readonly outputs: Map<number, unknown>;
  /** Units seen so far, here and elsewhere. */
  readonly seen: number;
}

/** Runs the units u ≡ index − 1 (mod count). */
export function shareUnits(executor: Executor, index: number, count: number): SharedUnits {
  const outputs = new Map<number, unknown>();
  let seen = 0;
  return {
    workers: executor.workers,
    outputs,
    get seen() {
      return seen;
    },
    async map(task, inputs, { signal, onResult } = {}) {
      const first = seen;
      seen += inputs.length;
      const own = inputs.map((_, k) => k).filter((k) => (first + k) % count === index - 1);
      const made = await executor.map(
        task,
        own.map((k) => inputs[k]),
        {
          signal,
          onResult(k, output) {
            outputs.set(first + own[k], output);
            onResult?.(own[k], output);
          },
        },
      );
      const all = new Array<(typeof made)[number]>(inputs.length);
      own.forEach((k, place) => {
        all[k] = made[place];
      });
      return all;
    },
    close: () => executor.close(),
  };
}

/** Answers every unit with its output; computes nothing. */
export function replayUnits(outputs: ReadonlyMap<number, unknown>): Executor {
  let seen = 0;
  return {
    workers: 1,
    async map<I, O>(
      _: unknown,
      inputs: readonly I[],
      { onResult }: { onResult?: (k: number, output: O) => void } = {},
    ) {
      return inputs.map((_, k) => {
        const output = outputs.get(seen++);
        if (output === undefined)
          throw badData(`the parts have no unit ${seen - 1}: they do not belong together`);
        onResult?.(k, output as O);
        return output as O;
      });
    },
    async close() {
      seen = 0;
    },
  };
}
