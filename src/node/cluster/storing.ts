/**
 * The tasks of a worker's threads: a thread answers with its result as bytes, or writes a large one into the file that it is given and
 * answers with the length. These bytes go from the kernels' memory into the file as they are: new buffers for them would make V8 look
 * through its heap for garbage after every few.
 */
import { joined } from "../../base/joined.js";
import type { Task } from "../../compute/executor.js";
import { encodeParts } from "../../compute/plain-data.js";
import { LIMITS } from "./protocol.js";
import { writeWholeNow } from "./whole-file.js";

export interface StoringUnit<I> {
  input: I;
  /** For a result of LIMITS.folderBytes or more; null: every result is answered as bytes. */
  file: string | null;
}

/** The result in plain data (compute/plain-data.ts), or the length of the file that it is in. */
export type Stored = Uint8Array<ArrayBuffer> | { length: number };

/** The last files that a thread has written: the coordinator gives most of them back within a unit or two. */
const WRITTEN = "written files";
const MOST_WRITTEN = 8;

export function storing<I, O>(task: Task<I, O>): Task<StoringUnit<I>, Stored> {
  return {
    name: task.name,
    async run(context, { input, file }) {
      const parts = encodeParts(await task.run({ ...context, lends: true }, input));
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      if (file === null || length < LIMITS.folderBytes) return joined(parts);
      const before = (context.memory.get(WRITTEN) ?? []) as string[];
      writeWholeNow(file, parts, before);
      context.memory.set(WRITTEN, [...before, file].slice(-MOST_WRITTEN));
      return { length };
    },
    // decoded for this unit alone
    give: ({ input }) => task.give?.(input) ?? [],
    transfer: (stored) => (stored instanceof Uint8Array ? [stored.buffer] : []),
  };
}
