/**
 * Unpacking as a stream. The web's DecompressionStream works everywhere; Node's zlib is three times as fast and is handed in by
 * graphdos/node through ReadOptions.inflate.
 */
import { badData, GraphdosError } from "../base/errors.js";
import type { ByteSource } from "./bytes.js";

export type PackedFormat = "gzip" | "deflate-raw";
export type Inflate = (format: PackedFormat, packed: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

export const webInflate: Inflate = async function* (format, packed) {
  const transform = new DecompressionStream(format);
  const writer = transform.writable.getWriter();
  const feed = async () => {
    for await (const chunk of packed) await writer.write(chunk as Uint8Array<ArrayBuffer>);
    await writer.close();
  };
  // a fault in the packed bytes reaches both sides; it is reported by the reading side
  const feeding = feed().catch((error: unknown) => writer.abort(error).catch(() => undefined));
  const reader = transform.readable.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
    await feeding;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
};

/** A gzip file seen as the file inside it. Its size is not known before it is read: `size` is that of the packed file. */
export function gunzipSource(packed: ByteSource, inflate: Inflate, maxBytes: number): ByteSource {
  return {
    name: packed.name.replace(/\.gz$/i, ""),
    size: packed.size,
    async *stream(start = 0, end = Number.POSITIVE_INFINITY) {
      let at = 0;
      try {
        for await (const chunk of inflate("gzip", packed.stream())) {
          const from = Math.max(0, start - at);
          const to = Math.min(chunk.length, end - at);
          if (to > from) yield chunk.subarray(from, to);
          at += chunk.length;
          if (at >= end) return;
          if (at > maxBytes) throw tooLarge(packed.name, maxBytes);
        }
      } catch (error) {
        if (error instanceof GraphdosError) throw error;
        throw badData(
          `${packed.name}: the gzip data is damaged or cut off after ${at} unpacked bytes; get the file again`,
          error,
        );
      }
    },
  };
}

export const tooLarge = (name: string, maxBytes: number) =>
  new GraphdosError(
    "limit",
    `${name}: unpacks to more than ${maxBytes} bytes, the limit that guards against zip bombs; raise it with --max-unpacked if the file is right`,
  );
