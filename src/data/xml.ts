/**
 * XML as a stream of events, by saxes, for the graph formats that are XML. Bytes are decoded as the declaration says (UTF-8
 * when it says nothing). No DTD is loaded and no entity but the five of XML is expanded, so a file can neither reach outside
 * itself nor blow up; what is malformed is refused with file and line.
 */
import { SaxesParser } from "saxes";
import { badData, type GraphdosError, throwIfAborted } from "../base/errors.js";
import { type ByteSource, peek } from "./bytes.js";
import type { ReadOptions } from "./reading.js";

export type XmlAttributes = Readonly<Record<string, string>>;

/** Element names come without their namespace prefix. */
export interface XmlVisitor {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  text(text: string): void;
}

/** The place the parser has reached, for messages. */
export interface XmlPlace {
  /** "karate.graphml line 12" */
  toString(): string;
  fail(what: string): GraphdosError;
}

export async function parseXml(
  source: ByteSource,
  options: ReadOptions,
  visit: (place: XmlPlace) => XmlVisitor,
): Promise<void> {
  const parser = new SaxesParser();
  const place: XmlPlace = {
    toString: () => `${source.name} line ${parser.line}`,
    fail: (what) => badData(`${place}: ${what}`),
  };
  const visitor = visit(place);
  parser.on("error", (error) => {
    throw place.fail(`malformed XML: ${error.message.replace(/^[\d:]+\s*/, "").replace(/\.$/, "")}`);
  });
  parser.on("opentag", (tag) => visitor.open(localName(tag.name), tag.attributes));
  parser.on("closetag", (tag) => visitor.close(localName(tag.name)));
  parser.on("text", (text) => visitor.text(text));
  parser.on("cdata", (text) => visitor.text(text));
  const decoder = await decoderFor(source);
  const decode = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw badData(`${place}: what follows is not in ${decoder.encoding}, the encoding of the file`, cause);
    }
  };
  let done = 0;
  for await (const chunk of source.stream()) {
    throwIfAborted(options.signal);
    parser.write(decode(chunk));
    done += chunk.length;
    options.onProgress?.({ task: `reading ${source.name}`, done, total: source.size, unit: "B" });
  }
  parser.write(decode()).close();
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);

/** As the declaration says; UTF-16 has become UTF-8 on the way here. */
async function decoderFor(source: ByteSource): Promise<TextDecoder> {
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/.exec(
    new TextDecoder().decode(await peek(source, 200)),
  )?.[1];
  try {
    return new TextDecoder(declared === undefined || /^utf-?16/i.test(declared) ? "utf-8" : declared, {
      fatal: true,
    });
  } catch (cause) {
    throw badData(
      `${source.name} line 1: unknown encoding: got ${declared}, expected one such as UTF-8`,
      cause,
    );
  }
}

/** A number as XML files write it; undefined when it is none. Infinities and NaN are numbers. */
export function xmlNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (/^[-+]?(inf|infinity)$/i.test(trimmed))
    return trimmed.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^[-+]?nan$/i.test(trimmed)) return Number.NaN;
  return /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
}
