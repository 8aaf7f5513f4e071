/**
 * Text as blocks of whole lines, still bytes: parsers walk over them without making a string of every line.
 */
import { badData, throwIfAborted } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";

const NEWLINE = 10;

/** The longest line that is accepted; a longer one is not text. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/**
 * Calls visit(bytes, start, end) for consecutive ranges that together are the whole source, each of whole lines: it ends behind
 * a newline, except possibly the last. The bytes are valid only during the call. O(size), copies only lines cut by a chunk border.
 */
export async function forEachBlock(
  source: ByteSource,
  visit: (bytes: Uint8Array, start: number, end: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  // a line that is cut by chunk borders waits here in pieces, joined once
  let pieces: Uint8Array[] = [];
  let waiting = 0;
  const wait = (piece: Uint8Array) => {
    waiting += piece.length;
    if (waiting > MAX_LINE_BYTES) throw tooLong(source.name);
    // a copy, also of a Node Buffer, whose slice is none
    pieces.push(new Uint8Array(piece));
  };
  const visitWaiting = () => {
    const line = new Uint8Array(waiting);
    let at = 0;
    for (const piece of pieces) {
      line.set(piece, at);
      at += piece.length;
    }
    pieces = [];
    waiting = 0;
    visit(line, 0, line.length);
  };
  for await (const chunk of source.stream()) {
    throwIfAborted(signal);
    let start = 0;
    if (waiting > 0) {
      const newline = chunk.indexOf(NEWLINE);
      start = newline < 0 ? chunk.length : newline + 1;
      wait(chunk.subarray(0, start));
      if (newline < 0) continue;
      visitWaiting();
    }
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > start) visit(chunk, start, end);
    if (chunk.length > Math.max(start, end)) wait(chunk.subarray(Math.max(start, end)));
  }
  if (waiting > 0) visitWaiting();
}

const tooLong = (name: string) =>
  badData(`${name}: a line is longer than ${MAX_LINE_BYTES} bytes: this is not a text file`);

/** Lines as strings, without their ends (also Windows ones), numbered from 1: for small files and headers. */
export async function* textLines(source: ByteSource): AsyncGenerator<{ text: string; number: number }> {
  const decoder = new TextDecoder();
  let rest = "";
  let number = 0;
  for await (const chunk of source.stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    if (rest.length > MAX_LINE_BYTES) throw tooLong(source.name);
    for (const line of lines)
      yield { text: line.endsWith("\r") ? line.slice(0, -1) : line, number: ++number };
  }
  rest += decoder.decode();
  if (rest !== "") yield { text: rest.endsWith("\r") ? rest.slice(0, -1) : rest, number: ++number };
}
