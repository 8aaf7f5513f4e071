/**
 * The tasks of a worker's threads: a thread writes a large result into the file that it is given, and answers with its length and
 * CRC-32. The bytes do not pass the main thread, whose garbage collector would look through its whole heap after every few of them.
 */
import type { Task } from "../../compute/executor.js";
import { encodeParts } from "../../compute/plain-data.js";
import { checksum, lengthOf } from "./data.js";
import { LIMITS } from "./protocol.js";
import { writeWhole } from "./whole-file.js";

export interface StoringUnit<I> {
  input: I;
  /** For a result of LIMITS.folderBytes or more; null: every result is answered as it is. */
  file: string | null;
}

export type Stored<O> = { output: O } | { length: number; crc: number };

export function storing<I, O>(task: Task<I, O>): Task<StoringUnit<I>, Stored<O>> {
  return {
    name: task.name,
    async run(context, { input, file }) {
      const output = await task.run(context, input);
      if (file === null) return { output };
      const parts = encodeParts(output);
      const length = lengthOf(parts);
      if (length < LIMITS.folderBytes) return { output };
      const written = writeWhole(file, parts);
      const crc = checksum(parts);
      await written;
      return { length, crc };
    },
    // decoded for this unit alone
    give: ({ input }) => task.give?.(input) ?? [],
    transfer: (stored) => ("output" in stored ? (task.transfer?.(stored.output) ?? []) : []),
  };
}
