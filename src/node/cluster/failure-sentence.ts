/** What a map says whose units have failed for good. */
import { GraphdosError } from "../../base/errors.js";
import type { Task } from "../../compute/executor.js";

export interface Failure {
  /** Which input. */
  index: number;
  reason: string;
}

/** One sentence for all units that failed for good, naming what they are of. */
export function failureError<I, O>(
  task: Task<I, O>,
  inputs: readonly I[],
  failures: readonly Failure[],
): GraphdosError {
  const [first] = failures;
  const what = task.describe?.(inputs[first.index]) ?? `unit ${first.index}`;
  const others = failures.length === 1 ? "" : ` (and ${failures.length - 1} more units)`;
  const rest = inputs.length - failures.length;
  return new GraphdosError(
    "bad-data",
    `${task.name}: ${what}${others} failed for good: ${first.reason}; the other ${rest} units are finished and kept: the same command does only what is missing`,
  );
}
