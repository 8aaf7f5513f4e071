/** Text files of lines, decoded block by block: what the readers of line formats share. O(size), one block in memory. */
import { badData, type GraphdosError } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";
import { checkWeight } from "./graph-draft.js";
import { forEachBlock } from "./lines.js";
import type { ReadOptions } from "./reading.js";
import { xmlNumber } from "./xml.js";

/** The line that a reader has reached; its text, "karate.gml line 12", is made only when it is needed. */
export class LinePlace {
  line = 0;

  constructor(readonly file: string) {}

  toString(): string {
    return `${this.file} line ${this.line}`;
  }

  fail(what: string): GraphdosError {
    return badData(`${this}: ${what}`);
  }

  /** The weight that `text` writes. */
  weight(text: string): number {
    return checkWeight(xmlNumber(text) ?? text, this);
  }

  /** The whole number from `least` to `most` that `text` writes. */
  whole(text: string | undefined, what: string, least: number, most: number): number {
    if (text === undefined || !/^\+?\d+$/.test(text))
      throw this.fail(
        `${what}: got ${text === undefined ? "nothing" : inSentence(text)}, expected a whole number`,
      );
    const value = Number(text);
    if (!(value >= least && value <= most))
      throw this.fail(`${what}: got ${inSentence(text)}, expected ${least} to ${most}`);
    return value;
  }
}

/** A piece of a file in a sentence, cut when it is long. */
export const inSentence = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Calls visit for every line, without its end (also Windows ones), with place.line counted from 1. */
export async function forEachLine(
  source: ByteSource,
  options: ReadOptions,
  place: LinePlace,
  visit: (line: string) => void,
): Promise<void> {
  // blocks end with lines, so that no character is cut
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let done = 0;
  await forEachBlock(
    source,
    (bytes, start, end) => {
      const text = decoder.decode(bytes.subarray(start, end));
      const lines = text.split("\n");
      if (text.endsWith("\n")) lines.pop();
      for (const line of lines) {
        place.line++;
        visit(line.endsWith("\r") ? line.slice(0, -1) : line);
      }
      done += end - start;
      options.onProgress?.({ task: `reading ${source.name}`, done, total: source.size, unit: "B" });
    },
    options.signal,
  );
}
