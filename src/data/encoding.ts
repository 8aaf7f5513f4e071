/**
 * Text files in any of the usual encodings as UTF-8 without a byte order mark, which is what every reader takes.
 *
 *   byte order mark of UTF-8       taken off
 *   byte order mark of UTF-16      decoded, little and big endian
 *   bytes that are no UTF-8        the whole file is Latin-1: byte b is the character b, so that two names never become one
 *   <?xml encoding="...">          left to the reader of XML, unless it says UTF-8
 *
 * Where the first line ends with a carriage return alone, as lines did on old Macs, every carriage return is a new line.
 *
 * That a file is no UTF-8 shows where its first such byte is, maybe gigabytes behind the start; it is then read again. O(size);
 * chunks of ASCII are looked at four bytes at a time and handed on as they are.
 */
import { badData } from "../base/errors.js";
import { joined } from "../base/joined.js";
import type { ByteSource } from "./bytes.js";
import type { Dataset } from "./dataset.js";
import type { FileTree } from "./reading.js";

class NotUtf8 extends Error {
  constructor(readonly source: ByteSource) {
    super(`${source.name}: not in UTF-8`);
  }
}

/** What `read` makes of the source as UTF-8; when it is none, of the source as Latin-1, and `notes` say so. */
export async function readAsUtf8<T>(
  source: ByteSource,
  notes: string[],
  read: (text: ByteSource) => Promise<T>,
): Promise<T> {
  try {
    return await read(utf8Source(source, false));
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    const result = await read(utf8Source(source, true));
    notes.push("the text is not in UTF-8: it was read as Latin-1");
    return result;
  }
}

/** The same for a folder that is one data set: each file of it by itself. */
export async function readTreeAsUtf8(
  tree: FileTree,
  read: (tree: FileTree) => Promise<Dataset>,
): Promise<Dataset> {
  const latin1 = new Set<ByteSource>();
  for (;;) {
    const files = new Map(
      [...tree.files].map(([path, source]) => [path, utf8Source(source, latin1.has(source))]),
    );
    try {
      const set = await read({ name: tree.name, files });
      const said = Array.from(latin1, ({ name }) => `${name} is not in UTF-8: it was read as Latin-1`);
      return { ...set, notes: [...set.notes, ...said] };
    } catch (error) {
      if (!(error instanceof NotUtf8)) throw error;
      latin1.add(error.source);
    }
  }
}

function utf8Source(source: ByteSource, latin1: boolean): ByteSource {
  return {
    name: source.name,
    size: source.size,
    async *stream(start = 0, end = Number.POSITIVE_INFINITY) {
      let at = 0;
      for await (const chunk of utf8Chunks(source, latin1)) {
        const next = at + chunk.length;
        if (next > start) yield chunk.subarray(Math.max(0, start - at), Math.min(chunk.length, end - at));
        if (next >= end) return;
        at = next;
      }
    },
  };
}

/** Enough bytes for a byte order mark and an XML declaration. */
const HEAD_BYTES = 200;

async function* utf8Chunks(source: ByteSource, latin1: boolean): AsyncGenerator<Uint8Array> {
  let first: Uint8Array[] | null = [];
  let waiting = 0;
  let recode: Recode = asItIs;
  for await (const chunk of source.stream()) {
    if (first === null) {
      yield recode(chunk);
      continue;
    }
    // a copy, also of a Node Buffer, whose slice is none
    first.push(new Uint8Array(chunk));
    waiting += chunk.length;
    if (waiting < HEAD_BYTES) continue;
    const head = joined(first);
    first = null;
    recode = recodeOf(head, source, latin1);
    yield recode(head);
  }
  if (first !== null) {
    const head = joined(first);
    recode = recodeOf(head, source, latin1);
    yield recode(head);
  }
  yield recode(null);
}

/** The next chunk in UTF-8; null asks for what is left at the end. */
type Recode = (chunk: Uint8Array | null) => Uint8Array;

const NOTHING = new Uint8Array(0);
const asItIs: Recode = (chunk) => chunk ?? NOTHING;

/** `head` is the beginning of the file: its byte order mark is not part of the result. */
function recodeOf(head: Uint8Array, source: ByteSource, latin1: boolean): Recode {
  if (head[0] === 0xff && head[1] === 0xfe) return withNewlines(fromUtf16("utf-16le", source.name));
  if (head[0] === 0xfe && head[1] === 0xff) return withNewlines(fromUtf16("utf-16be", source.name));
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/.exec(latin1Text(head))?.[1];
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) return asItIs;
  const mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const recode = withNewlines(latin1 ? fromLatin1 : checkedUtf8(source));
  let isFirst = true;
  return (chunk) => {
    const skip = isFirst ? mark : 0;
    isFirst = false;
    return recode(skip > 0 ? chunk!.subarray(skip) : chunk);
  };
}

const RETURN = 13;
const NEWLINE = 10;

/** The same with a new line for every carriage return, where the first line ends with one that no new line follows. */
function withNewlines(recode: Recode): Recode {
  /** Null until the first line has ended. */
  let isReturn: boolean | null = null;
  /** What ends with the first carriage return: the next chunk says what follows it. */
  let held = NOTHING;
  return (raw) => {
    let chunk = recode(raw);
    if (isReturn === null) {
      if (held.length > 0) chunk = joined([held, chunk]);
      held = NOTHING;
      const at = chunk.indexOf(RETURN);
      const newline = chunk.indexOf(NEWLINE);
      if (at >= 0 && at === chunk.length - 1 && newline < 0 && raw !== null) {
        held = new Uint8Array(chunk);
        return NOTHING;
      }
      if (at >= 0 || newline >= 0) isReturn = at >= 0 && (newline < 0 || newline > at + 1);
    }
    return isReturn === true ? chunk.map((byte) => (byte === RETURN ? NEWLINE : byte)) : chunk;
  };
}

const latin1Text = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));

function fromUtf16(encoding: string, name: string): Recode {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new TextEncoder();
  return (chunk) => {
    try {
      return encoder.encode(chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true }));
    } catch (cause) {
      throw badData(`${name}: begins as UTF-16 does and is not: the text is damaged or cut off`, cause);
    }
  };
}

const fromLatin1: Recode = (chunk) => {
  if (chunk === null || isAscii(chunk)) return chunk ?? NOTHING;
  const out = new Uint8Array(2 * chunk.length);
  let at = 0;
  for (const byte of chunk) {
    if (byte >= 0x80) out[at++] = 0xc0 | (byte >> 6);
    out[at++] = byte < 0x80 ? byte : 0x80 | (byte & 0x3f);
  }
  return out.subarray(0, at);
};

function checkedUtf8(source: ByteSource): Recode {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  /** Whether a character may have begun in the chunks before and goes on. */
  let open = false;
  return (chunk) => {
    if (!open && (chunk === null || isAscii(chunk))) return chunk ?? NOTHING;
    try {
      if (chunk === null) decoder.decode();
      else decoder.decode(chunk, { stream: true });
    } catch {
      throw new NotUtf8(source);
    }
    if (chunk === null) return NOTHING;
    open = chunk.length > 0 ? chunk[chunk.length - 1] >= 0x80 : open;
    return chunk;
  };
}

function isAscii(bytes: Uint8Array): boolean {
  let at = 0;
  let high = 0;
  while (at < bytes.length && (bytes.byteOffset + at) % 4 !== 0) high |= bytes[at++];
  const count = (bytes.length - at) >> 2;
  const words = count === 0 ? [] : new Uint32Array(bytes.buffer, bytes.byteOffset + at, count);
  // in runs, so that text in another alphabet is known soon
  for (let w = 0; w < words.length && (high & 0x80808080) === 0; ) {
    const stop = Math.min(words.length, w + 4096);
    for (; w < stop; w++) high |= words[w];
  }
  for (at += 4 * words.length; at < bytes.length; at++) high |= bytes[at];
  return (high & 0x80808080) === 0;
}
