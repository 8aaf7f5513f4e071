/**
 * ByteSource: where bytes come from. A file on disk, a File dropped on a page, a buffer in memory: all look the same to
 * the readers, which therefore run in Node and in the browser.
 */
import { joined } from "../base/joined.js";

export interface ByteSource {
  /** Name with its extension, for messages and for finding the format. */
  readonly name: string;
  readonly size: number;
  /** The bytes [start, end), in chunks, each the reader's to keep until it asks for the next. */
  stream(start?: number, end?: number): AsyncIterable<Uint8Array>;
}

export function bytesSource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    async *stream(start = 0, end = bytes.length) {
      const chunk = 1 << 20;
      for (let at = start; at < end; at += chunk) yield bytes.subarray(at, Math.min(end, at + chunk));
    },
  };
}

export const textSource = (name: string, text: string): ByteSource =>
  bytesSource(name, new TextEncoder().encode(text));

/** A Blob or File of the browser (also Node's). */
export function blobSource(name: string, blob: Blob): ByteSource {
  return {
    name,
    size: blob.size,
    async *stream(start = 0, end = blob.size) {
      const reader = blob.slice(start, end).stream().getReader();
      try {
        for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
      } finally {
        await reader.cancel();
      }
    },
  };
}

/** All bytes of a stream in one array. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return joined(parts);
}

/** The first bytes of a source, for finding out what it is. */
export async function peek(source: ByteSource, count: number): Promise<Uint8Array> {
  return collect(source.stream(0, Math.min(count, source.size)));
}
